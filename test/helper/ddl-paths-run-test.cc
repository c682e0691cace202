// SPDX-License-Identifier: GPL-2.0-only
// The paths of streams that output.paths writes, against the bytes that ports have counted.
#include "ddl-simulation-fixture.h"

#include <gtest/gtest.h>

namespace ns3::ddl
{
namespace
{

const uint32_t SPINES = 4;

/** A port by its node and index. */
using PortName = std::pair<std::string, uint32_t>;

/** Rings between two racks of two hosts with four spines, without control packets. */
class PathsRunTest : public SimulationFixture
{
  protected:
    static std::string Ring(uint32_t id, const std::vector<uint32_t>& hosts)
    {
        std::string workers;
        for (const uint32_t host : hosts)
        {
            workers += (workers.empty() ? "[" : ", [") + std::to_string(host) + ", 0]";
        }
        return R"({"id": )" + std::to_string(id) + R"(, "model": {"name": "a", "bytes": "4MB",
            "forward": "10us"}, "workers": )" +
               std::to_string(hosts.size()) +
               R"(, "pattern": "ring", "iterations": 5, "placement": {"workers": [)" + workers +
               "]}}";
    }

    RunResult RunJobs(const std::string& jobs, const Settings& more, bool hasPaths = true)
    {
        Settings settings{hasPaths ? "output.paths=true" : "output.paths=false"};
        settings.insert(settings.end(), more.begin(), more.end());
        return Run(R"({"name": "s", "cluster": {"topology":
            {"kind": "leaf-spine", "leaves": 2, "hostsPerLeaf": 2, "spines": )" +
                       std::to_string(SPINES) +
                       R"(, "hostRate": "10Gbps", "fabricRate": "10Gbps"}, "hosts": {"gpus": 1}},
            "transport": {"kind": "rdma"},
            "scheduler": {"network": "fair-share", "control": "direct"},
            "workload": {"jobs": [)" +
                       jobs + "]}}",
                   settings);
    }

    static std::map<PortName, double> CountBytes(const RunResult& result)
    {
        std::map<PortName, double> bytes;
        for (const PortRow& row : result.ports)
        {
            bytes[{row.node, row.port}] += static_cast<double>(row.bytes);
        }
        return bytes;
    }

    /** Compare what each port has sent with what the rows say of the one job. \param pairs queue
     * pairs of a stream */
    static void ExpectBytesOfPorts(const RunResult& result, uint32_t streams, uint32_t pairs)
    {
        ASSERT_EQ(result.jobs.size(), 1U);
        const double each = static_cast<double>(result.jobs[0].bytes) / streams;
        std::map<PortName, double> expected;
        for (const PathRow& row : result.paths)
        {
            ASSERT_TRUE(row.share);
            EXPECT_EQ(row.pair.has_value(), pairs > 1);
            expected[{row.node, row.port}] += *row.share * each / (row.pair ? pairs : 1);
        }
        EXPECT_GE(expected.size(), 2 * streams);
        for (const auto& [port, bytes] : CountBytes(result))
        {
            // headers are at most 5 % of a packet, and acknowledgements less than 4 % of data
            EXPECT_GE(bytes, 0.98 * expected[port] - 0.02 * each) << port.first << port.second;
            EXPECT_LE(bytes, 1.05 * expected[port] + 0.1 * each) << port.first << port.second;
        }
    }

    /** \return by stream the ports of the path that it took last, by hop */
    static std::map<StreamId, std::vector<PathRow>> FindLastPaths(const RunResult& result)
    {
        std::map<StreamId, std::vector<PathRow>> paths;
        for (const PathRow& row : result.paths)
        {
            std::vector<PathRow>& path = paths[row.stream];
            if (row.hop == 1)
            {
                path.clear();
            }
            path.push_back(row);
            EXPECT_EQ(row.hop, path.size());
        }
        return paths;
    }

    /** \return whether two streams leave a rack by one uplink at last */
    static bool DoMeet(const RunResult& result)
    {
        std::set<PortName> uplinks;
        bool isShared = false;
        for (const auto& [stream, path] : FindLastPaths(result))
        {
            isShared |= !uplinks.emplace(path.at(1).node, path.at(1).port).second;
        }
        return isShared;
    }
};

TEST_F(PathsRunTest, HashedFlowsTakeTheListedPorts)
{
    for (const std::string transport : {"rdma", "fluid", "tcp"})
    {
        for (uint32_t seed = 1; seed <= 3; ++seed)
        {
            SCOPED_TRACE(transport + std::to_string(seed));
            const RunResult result =
                RunJobs(Ring(1, {0, 1, 2, 3}),
                        {"transport.kind=" + transport, "seed=" + std::to_string(seed)});
            ExpectBytesOfPorts(result, 4, 1);
            EXPECT_EQ(result.paths.size(), 2U * 2 + 2 * 4) << "two streams within racks";
        }
    }
}

TEST_F(PathsRunTest, EachQueuePairHasItsPath)
{
    // a stream has ten messages: two for each queue pair
    const RunResult result = RunJobs(Ring(1, {0, 2}), {"transport.queuePairs=5"});
    ExpectBytesOfPorts(result, 2, 5);
    EXPECT_EQ(result.paths.size(), 2U * 5 * 4);
}

TEST_F(PathsRunTest, DestinationsHaveOnePathWithDModK)
{
    ExpectBytesOfPorts(RunJobs(Ring(1, {0, 1, 2, 3}), {"cluster.topology.routing=d-mod-k"}), 4, 1);
}

TEST_F(PathsRunTest, SprayedStreamsTakeAllUplinksEvenly)
{
    const std::string spray = "cluster.topology.routing=spray";
    for (const Settings& more : {Settings{spray, "transport.recovery=selective-repeat"},
                                 Settings{spray, "transport.kind=fluid"}})
    {
        const RunResult result = RunJobs(Ring(1, {0, 2}), more);
        ExpectBytesOfPorts(result, 2, 1);
        EXPECT_EQ(result.paths.size(), 2U * (2 + 2 * SPINES));
        for (const PathRow& row : result.paths)
        {
            EXPECT_EQ(row.share, row.hop == 1 || row.hop == 4 ? 1 : 1.0 / SPINES) << row.hop;
        }
    }
}

TEST_F(PathsRunTest, SharesThatDependOnStateAreEmpty)
{
    for (const std::string way : {"cluster.topology.routing=adaptive",
                                  "cluster.topology.routing=flowlet",
                                  "transport.entropy=random"})
    {
        const RunResult result =
            RunJobs(Ring(1, {0, 2}), {way, "transport.recovery=selective-repeat"});
        EXPECT_EQ(result.paths.size(), 2U * (2 + 2 * SPINES)) << way;
        auto bytes = CountBytes(result);
        for (const PathRow& row : result.paths)
        {
            EXPECT_EQ(row.share.has_value(), row.hop == 1 || row.hop == 4) << way << row.hop;
            bytes.erase({row.node, row.port});
        }
        for (const auto& [port, sent] : bytes)
        {
            EXPECT_LT(sent, 0.1 * static_cast<double>(result.jobs.at(0).bytes)) << port.first;
        }
    }
}

TEST_F(PathsRunTest, RowsFollowPins)
{
    const std::string jobs = Ring(1, {0, 2}) + ", " + Ring(2, {1, 3});
    const Settings narrow{"cluster.topology.spines=2"};
    uint32_t collisions = 0;
    uint32_t pins = 0;
    for (uint32_t seed = 1; seed <= 8; ++seed)
    {
        const std::string seeded = "seed=" + std::to_string(seed);
        const RunResult hashed = RunJobs(jobs, {seeded, narrow[0]});
        const RunResult crux = RunJobs(jobs, {seeded, narrow[0], "scheduler.network=crux"});
        EXPECT_EQ(hashed.paths.size(), 4U * 4);
        EXPECT_EQ(DoMeet(hashed), hashed.makespan > 1.4 * crux.makespan) << seed;
        EXPECT_FALSE(DoMeet(crux)) << seed;
        collisions += DoMeet(hashed) ? 1 : 0;
        pins += crux.paths.size() > 4U * 4 ? 1 : 0;
        auto bytes = CountBytes(crux);
        for (const auto& [stream, path] : FindLastPaths(crux))
        {
            for (const PathRow& row : path)
            {
                EXPECT_GT((bytes[{row.node, row.port}]),
                          0.25 * static_cast<double>(crux.jobs.at(0).bytes))
                    << seed << " " << stream << " " << row.node << " " << row.port;
            }
        }
    }
    EXPECT_GT(collisions, 0U);
    EXPECT_GT(pins, 0U);
}

TEST_F(PathsRunTest, LookingChangesNothing)
{
    const RunResult seen = RunJobs(Ring(1, {0, 1, 2, 3}), {"scheduler.network=crux"});
    const RunResult plain = RunJobs(Ring(1, {0, 1, 2, 3}), {"scheduler.network=crux"}, false);
    EXPECT_TRUE(plain.paths.empty());
    EXPECT_FALSE(seen.paths.empty());
    EXPECT_EQ(seen.events, plain.events);
    EXPECT_EQ(seen.makespan, plain.makespan);
}

} // namespace
} // namespace ns3::ddl
