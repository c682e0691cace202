// SPDX-License-Identifier: GPL-2.0-only
// Crux in whole runs: its examples on packets and fluids, and the paths that it pins.
#include "ddl-simulation-fixture.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** A run's unit of time is 5 ms; at 10 Gbps a frame of 9000 bytes has 8938 of a message. */
constexpr double UNIT = 0.005;
constexpr double UNIT_BYTES = UNIT * 10e9 / 8 * 0.985;

class CruxRunTest : public SimulationFixture
{
  protected:
    /** \param units length of a run \return busy time of all GPUs until then, in units */
    double GetBusy(const std::string& text,
                   uint32_t gpus,
                   double units,
                   const std::string& transport,
                   bool corrects)
    {
        const RunResult result =
            Run(text,
                {"transport.kind=" + transport,
                 "transport.mtu=9000",
                 "stop.time=" + std::to_string(units * UNIT) + "s",
                 std::string("scheduler.network={\"type\": \"crux\", \"Correction\": ") +
                     (corrects ? "true}" : "false}")});
        return result.gpuUtilisation * units * gpus;
    }

    /** \return text of a job on a ring over hosts 0 and 1, with as many GPUs at each, whose
     * messages keep the NICs busy for `send` units, and which computes for `compute` */
    static std::string MakeJob(uint32_t id,
                               uint32_t firstGpu,
                               uint32_t gpus,
                               double send,
                               const std::string& compute)
    {
        std::string places;
        for (uint32_t rank = 0; rank < 2 * gpus; ++rank)
        {
            places += (rank == 0 ? "[" : ", [") + std::to_string(rank / gpus) + ", " +
                      std::to_string(firstGpu + rank % gpus) + "]";
        }
        // A ring of N ranks moves 2 (N - 1) / N of the bytes over each of its edges.
        const double edges = 2.0 * (2 * gpus - 1) / (2 * gpus);
        const auto bytes = static_cast<uint64_t>(send * UNIT_BYTES / edges);
        return R"({"id": )" + std::to_string(id) + R"(, "pattern": "ring", "workers": )" +
               std::to_string(2 * gpus) + R"(, "iterations": 1000, "placement": {"workers": [)" +
               places + R"(]}, "model": {"name": "m", "layers": [)" + compute + "}, " +
               R"({"bytes": ")" + std::to_string(bytes) + R"(B"}]}})";
    }

    void ExpectExamples(const std::string& transport)
    {
        // Example 1: two GPUs each. Job 1 computes a nanosecond more, so that without k its
        // intensity is higher. Units 12 to 132 are ten times the 12 s of the paper.
        const std::string first =
            OnSwitch(2,
                     2,
                     R"({"overlap": {"backward": false}, "jobs": [)" +
                         MakeJob(1, 0, 1, 2, R"({"bytes": "0B", "backward": "10001us")") + ", " +
                         MakeJob(2, 1, 1, 1, R"({"bytes": "0B", "backward": "5ms")") + "]}");
        for (const bool corrects : {false, true})
        {
            const double busy = GetBusy(first, 4, 132, transport, corrects) -
                                GetBusy(first, 4, 12, transport, corrects);
            const double expected = corrects ? 10.0 / 24 : 9.0 / 24; // of 4 GPUs
            EXPECT_NEAR(busy / 120 / 4, expected, 0.02 * expected) << transport << corrects;
        }
        // Example 2: 2 GPUs and 12 GPUs; sending begins at half of the computing. After 13 units
        // the 2 GPUs have computed 13 or 12 units, the 12 GPUs 13 - 7 or 13 - 6.
        const std::string second = OnSwitch(
            2,
            7,
            R"({"jobs": [)" +
                MakeJob(1, 0, 1, 1, R"({"bytes": "0B", "forward": "10001us", "backward": "10ms")") +
                ", " +
                MakeJob(2, 1, 6, 3, R"({"bytes": "0B", "forward": "5ms", "backward": "5ms")") +
                "]}");
        for (const bool corrects : {false, true})
        {
            const double busy = GetBusy(second, 14, 13, transport, corrects);
            const double others = 2 * (corrects ? 12 : 13);
            const double idle = 13 - (busy - others) / 12;
            EXPECT_NEAR(idle, corrects ? 6 : 7, 0.02 * 7) << transport << corrects;
        }
    }
};

TEST_F(CruxRunTest, ExamplesOnPackets)
{
    ExpectExamples("rdma");
}

TEST_F(CruxRunTest, ExamplesOnFluids)
{
    ExpectExamples("fluid");
}

// Four jobs between the same two hosts: a level for each, or as many as there are queues for data.
TEST_F(CruxRunTest, LevelsAreAsManyAsQueues)
{
    std::string jobs;
    for (uint32_t id = 1; id <= 4; ++id)
    {
        jobs += (id > 1 ? ", " : "") +
                MakeJob(id, id - 1, 1, id, R"({"bytes": "0B", "backward": "5ms")");
    }
    const std::string text = OnSwitch(2, 4, R"({"jobs": [)" + jobs + "]}");
    const std::string crux = "scheduler.network=crux";
    EXPECT_EQ(Run(text, {crux, "stop.time=50ms"}).mostPriorities, 4U);
    const Settings three{crux, "stop.time=50ms", "cluster.ports.queues=3", "cluster.hosts.bands=3"};
    EXPECT_EQ(Run(text, three).mostPriorities, 2U);
    EXPECT_EQ(Run(text, {crux, "stop.time=50ms", "cluster.ports.queues=3"}).mostPriorities, 2U);
    const Settings nics{crux, "stop.time=50ms", "cluster.ports.queues=1", "cluster.hosts.bands=3"};
    EXPECT_EQ(Run(text, nics).mostPriorities, 2U);
}

/** Two jobs of two workers, between the same two leaves with two spines. */
class CruxPathsTest : public SimulationFixture
{
  protected:
    double GetMakespan(const std::string& network, uint32_t seed, const Settings& more = {})
    {
        Settings settings{"scheduler.network=" + network, "seed=" + std::to_string(seed)};
        settings.insert(settings.end(), more.begin(), more.end());
        const RunResult result = Run(R"({"name": "s", "cluster": {"topology":
            {"kind": "leaf-spine", "leaves": 2, "hostsPerLeaf": 2, "spines": 2,
             "hostRate": "10Gbps", "fabricRate": "10Gbps"}, "hosts": {"gpus": 1}},
            "transport": {"kind": "rdma"}, "workload": {"jobs": [
            {"id": 1, "model": {"name": "a", "bytes": "2MB", "forward": "10us"}, "workers": 2,
             "pattern": "ring", "iterations": 5, "placement": {"workers": [[0, 0], [2, 0]]}},
            {"id": 2, "model": {"name": "b", "bytes": "2MB", "forward": "10us"}, "workers": 2,
             "pattern": "ring", "iterations": 5, "placement": {"workers": [[1, 0], [3, 0]]}}
            ]}})",
                                     settings);
        EXPECT_EQ(result.jobs.size(), 2U);
        return result.makespan.GetSeconds();
    }

    void ExpectNoCollision(const Settings& more)
    {
        double best = 1e9;
        double worst = 0;
        double crux = 0;
        for (uint32_t seed = 1; seed <= 8; ++seed)
        {
            const double hashed = GetMakespan("fair-share", seed, more);
            best = std::min(best, hashed);
            worst = std::max(worst, hashed);
            crux = std::max(crux, GetMakespan("crux", seed, more));
        }
        EXPECT_GT(worst, 1.4 * best); // flows of both jobs on one uplink
        EXPECT_LT(crux, 1.02 * best); // never
    }
};

TEST_F(CruxPathsTest, FlowsNeverMeetOnPackets)
{
    ExpectNoCollision({});
}

TEST_F(CruxPathsTest, FlowsNeverMeetOnFluids)
{
    ExpectNoCollision({"transport.kind=fluid"});
}

// A spine's links fail under pinned flows, and come back.
TEST_F(CruxPathsTest, OutlivesLinks)
{
    const double usual = GetMakespan("crux", 1);
    const double broken = GetMakespan(
        "crux",
        1,
        {R"(cluster.links=[{"between": ["leaf0", "spine0"], "at": "3ms", "up": false}])"});
    EXPECT_GT(broken, 1.2 * usual);
    EXPECT_LT(broken, 3 * usual);
}

// Where nothing can be pinned, choosing paths changes nothing.
TEST_F(CruxPathsTest, ChangesNothingWhereNothingCanBePinned)
{
    const std::string off = R"({"type": "crux", "Paths": false})";
    for (const Settings& more :
         {Settings{"transport.kind=tcp"},
          Settings{"cluster.topology.routing=spray", "transport.recovery=selective-repeat"},
          Settings{"transport.entropy=random", "transport.recovery=selective-repeat"}})
    {
        EXPECT_EQ(GetMakespan("crux", 1, more), GetMakespan(off, 1, more)) << more.front();
    }
}

} // namespace
