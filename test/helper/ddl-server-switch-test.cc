// SPDX-License-Identifier: GPL-2.0-only
// Servers with a switch of their own (`three-tier`): what rings inside them do to each other.
#include "ddl-process-state.h"
#include "ddl-simulation-fixture.h"

#include "ns3/config.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** 2 servers of 8 GPUs, 100 Gbps to the server's switch, 250 ns a link, all else without delay. */
class ServerSwitchTest : public SimulationFixture
{
  protected:
    void SetUp() override
    {
        SimulationFixture::SetUp();
        // Above the bandwidth-delay product, which is 30 kB and four packets without an answer.
        Config::SetDefault("ns3::ddl::FixedRdmaCongestionControl::Window", UintegerValue(400000));
    }

    static constexpr uint64_t MODEL = 80000000; //!< bytes
    static constexpr double RATE = 100e9 / 8;   //!< bytes per second
    static constexpr double WAY = 500e-9;       //!< seconds between two GPUs of one server

    /** \param jobs JSON \param transport JSON */
    static std::string OnServers(const std::string& jobs, const std::string& transport)
    {
        return R"({"name": "s", "cluster": {"topology": {"kind": "three-tier", "racks": 1,
            "serversPerRack": 2, "gpusPerServer": 8, "hostRate": "100Gbps", "serverUplinks": 2,
            "serverRate": "100Gbps", "delay": "250ns"}, "hosts": {"gpuMemory": "2GB"}},
            "scheduler": {"control": "direct"}, "transport": )" +
               transport + R"(, "workload": {"jobs": [)" + jobs + "]}}";
    }

    /** \return a job that only communicates, with workers on those hosts */
    static std::string Job(uint32_t id,
                           const std::vector<uint32_t>& hosts,
                           const std::string& pattern = "ring")
    {
        std::string workers;
        for (const uint32_t host : hosts)
        {
            workers += (workers.empty() ? "[" : ", [") + std::to_string(host) + ", 0]";
        }
        return R"({"id": )" + std::to_string(id) +
               R"(, "model": {"name": "m", "bytes": "80MB", "forward": "0s", "backward": "0s",
               "gpuMemory": "1GB"}, "iterations": 2, "pattern": ")" +
               pattern + R"(", "workers": )" + std::to_string(hosts.size()) +
               R"(, "placement": {"workers": [)" + workers + "]}}";
    }

    /** \return seconds of an iteration of a ring whose streams get that part of the rate each */
    static double RingSeconds(uint32_t workers, double part, double wire = 1)
    {
        const double chunk = static_cast<double>(MODEL) / workers;
        return 2 * (workers - 1) * (chunk * wire / (RATE * part) + WAY);
    }

    static double IterationOf(const RunResult& result, uint32_t job)
    {
        return RowOf(result, job).GetJct() / 2;
    }

    const std::string FLUID = R"({"kind": "fluid", "headerBytes": 0, "countFraming": false,
        "storeAndForward": false})";
    const std::string RDMA = R"({"kind": "rdma", "mtu": 9000, "congestionControl": "fixed"})";
    const std::vector<uint32_t> ALL{0, 1, 2, 3, 4, 5, 6, 7};
    const std::vector<uint32_t> STRIDE{0, 3, 6, 1, 4, 7, 2, 5}; //!< other neighbours than ALL's
    /** Bytes on the wire over bytes of data: 9038 carry 8956, and one in four has an answer of 90.
     */
    static constexpr double WIRE = (9038 + 90.0 / 4) / 8956;

  private:
    ProcessStateGuard m_guard;
};

TEST_F(ServerSwitchTest, ARingAloneHasItsClosedForm)
{
    const double seconds = RingSeconds(8, 1);
    EXPECT_NEAR(IterationOf(Run(OnServers(Job(1, ALL), FLUID)), 1), seconds, 1e-8);
    EXPECT_NEAR(IterationOf(Run(OnServers(Job(1, ALL), RDMA)), 1) / RingSeconds(8, 1, WIRE),
                1,
                0.02);
}

TEST_F(ServerSwitchTest, RingsOnTheSameGpusShareThePortsOfTheSwitch)
{
    // Each GPU sends one chunk of each ring, to different neighbours, and receives one of each:
    // half the rate for each of the 16 flows is max-min fair. The rings stay in step.
    const std::string jobs = Job(1, ALL) + ", " + Job(2, STRIDE);
    const RunResult fluid = Run(OnServers(jobs, FLUID));
    const RunResult rdma = Run(OnServers(jobs, RDMA));
    for (const uint32_t job : {1U, 2U})
    {
        EXPECT_NEAR(IterationOf(fluid, job), RingSeconds(8, 0.5), 1e-8);
        EXPECT_NEAR(IterationOf(rdma, job) / RingSeconds(8, 0.5, WIRE), 1, 0.02);
    }
}

TEST_F(ServerSwitchTest, RingsOnOtherGpusOfTheServerDoNotDisturb)
{
    const std::string jobs = Job(1, {0, 2, 4, 6}) + ", " + Job(2, {1, 3, 5, 7});
    const RunResult fluid = Run(OnServers(jobs, FLUID));
    const RunResult rdma = Run(OnServers(jobs, RDMA));
    for (const uint32_t job : {1U, 2U})
    {
        EXPECT_NEAR(IterationOf(fluid, job), RingSeconds(4, 1), 1e-8);
        EXPECT_NEAR(IterationOf(rdma, job) / RingSeconds(4, 1, WIRE), 1, 0.02);
    }
}

TEST_F(ServerSwitchTest, AHierarchicalAllReduceHasOneLeaderPerServer)
{
    // Between the servers the leaders alone send: 2 (L - 1) / L x M = M with L = 2 servers.
    const std::string job = R"({"id": 1, "model": {"name": "m", "bytes": "80MB", "forward": "0s",
        "backward": "0s", "gpuMemory": "1GB"}, "iterations": 1, "pattern": "hierarchical",
        "workers": 16})";
    const RunResult result = Run(OnServers(job, FLUID));
    double up = 0;
    double inside = 0;
    for (const PortRow& row : result.ports)
    {
        up += row.node == "server0" && row.peer == "rack0" ? static_cast<double>(row.bytes) : 0;
        inside += row.node == "server0" && row.peer == "h1" ? static_cast<double>(row.bytes) : 0;
    }
    EXPECT_NEAR(up, MODEL, 2);
    EXPECT_NEAR(inside, MODEL, 2); // the sum, from the leader
}

TEST_F(ServerSwitchTest, ATieredRingHasItsClosedForm)
{
    // 2 racks of 2 servers of 4; each tier has the rate of all GPUs below it, so all send at once.
    const std::string cluster = R"({"name": "s", "cluster": {"topology": {"kind": "three-tier",
        "racks": 2, "serversPerRack": 2, "gpusPerServer": 4, "hostRate": "100Gbps",
        "serverUplinks": 1, "serverRate": "400Gbps", "spines": 1, "rackRate": "800Gbps",
        "delay": "250ns"}, "hosts": {"gpuMemory": "2GB"}}, "scheduler": {"control": "direct"},
        "transport": )";
    const std::string job = R"(, "workload": {"jobs": [{"id": 1, "model": {"name": "m",
        "bytes": "80MB", "forward": "0s", "backward": "0s"}, "iterations": 2,
        "pattern": "tiered-ring", "workers": 16}]}})";
    // sum of 2 (g - 1) (alpha + M / G beta): 2, 4 and 6 links of 250 ns
    const double seconds = 2 * 3 * (2 * 250e-9 + MODEL / 4 / RATE) +
                           2 * 1 * (4 * 250e-9 + MODEL / 8 / RATE) +
                           2 * 1 * (6 * 250e-9 + MODEL / 16 / RATE);
    EXPECT_NEAR(IterationOf(Run(cluster + FLUID + job), 1), seconds, 1e-8);
    EXPECT_NEAR(IterationOf(Run(cluster + RDMA + job), 1) / (seconds * WIRE), 1, 0.02);
}

TEST_F(ServerSwitchTest, HostsHaveOneGpuUnlessTheScenarioSaysOtherwise)
{
    const auto gpus = [this](const std::string& hosts) {
        return CountGpus(
            ReadText(WithCluster(R"({"topology": {"kind": "three-tier"})" + hosts + "}")).cluster);
    };
    EXPECT_EQ(gpus(""), 16U); // 2 racks x 2 servers x 4
    EXPECT_EQ(gpus(R"(, "hosts": {"gpus": 2})"), 32U);
    const ClusterView view =
        MakeEmptyView(ReadText(WithCluster(R"({"topology": {"kind": "three-tier"}})")).cluster);
    EXPECT_EQ(view.machines[5].server, 1U);
    EXPECT_EQ(view.machines[5].rack, 0U);
    EXPECT_EQ(view.machines[15].server, 3U);
    EXPECT_EQ(view.machines[15].rack, 1U);
}

TEST_F(ServerSwitchTest, WrongTopologiesAreSaidTogether)
{
    const std::string said =
        Complaints(WithCluster(R"({"topology": {"kind": "three-tier", "racks": 0, "rackDelay": 5,
            "serverDelay": "1", "hostDelay": "2h", "gpuRate": "1Gbps"}})"));
    for (const char* part : {"/cluster/topology/racks: ",
                             "/cluster/topology/serverDelay: \"1\" ",
                             "/cluster/topology/hostDelay: ",
                             "/cluster/topology/gpuRate: "})
    {
        EXPECT_NE(said.find(part), std::string::npos) << part << " is not in\n" << said;
    }
    EXPECT_NE(Complaints(WithCluster(R"({"topology": {"kind": "fat-tree", "k": 5}})"))
                  .find("/cluster/topology/k: 5 is odd"),
              std::string::npos);
}

} // namespace
