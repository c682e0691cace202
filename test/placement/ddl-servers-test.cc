// SPDX-License-Identifier: GPL-2.0-only
// Servers with several machines (a network interface for each GPU): what policies take for a
// server.
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-placement-helpers.h"
#include "ns3/ddl-placement-policy.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/**
 * Two racks of two servers each; a list of loads in seconds a server, one for each of its machines,
 * which have a GPU of 10 bytes each. Loaded GPUs are held.
 */
ClusterView
Servers(const std::vector<std::vector<int>>& loads)
{
    ClusterView cluster;
    for (uint32_t server = 0; server < loads.size(); ++server)
    {
        for (const int load : loads[server])
        {
            MachineView machine;
            machine.host = HostId{static_cast<uint32_t>(cluster.machines.size())};
            machine.server = server;
            machine.rack = server / 2;
            GpuView gpu{GpuId{machine.host, 0}, load == 0};
            gpu.load = Seconds(load);
            machine.gpus.push_back(gpu);
            cluster.machines.push_back(machine);
        }
    }
    return cluster;
}

/** \return the machines on which the workers are, by rank */
std::vector<uint32_t>
PlaceAllWorkers(const std::string& policy, const ClusterView& cluster, uint32_t workers)
{
    const auto placement =
        CreatePolicy<PlacementPolicy>(policy)->Place({cluster, workers, 0, 0}).placement;
    std::vector<uint32_t> hosts;
    for (const GpuId& id : placement ? placement->workers : std::vector<GpuId>{})
    {
        hosts.push_back(id.host.value);
    }
    return hosts;
}

std::vector<std::vector<uint32_t>>
HostsOf(const std::vector<MachineList>& groups)
{
    std::vector<std::vector<uint32_t>> hosts;
    for (const MachineList& group : groups)
    {
        hosts.emplace_back();
        for (const MachineView* machine : group)
        {
            hosts.back().push_back(machine->host.value);
        }
    }
    return hosts;
}

using Hosts = std::vector<uint32_t>;

} // namespace

TEST(Servers, MachinesAreGroupedByServerAndByRack)
{
    const ClusterView cluster = Servers({{0, 0}, {0}, {0, 0, 0}});
    EXPECT_EQ(HostsOf(ByServer(cluster)), (std::vector<Hosts>{{0, 1}, {2}, {3, 4, 5}}));
    EXPECT_EQ(HostsOf(ByRack(cluster)), (std::vector<Hosts>{{0, 1, 2}, {3, 4, 5}}));
    EXPECT_TRUE(ByServer({}).empty());
    EXPECT_TRUE(ByRack({}).empty());
}

TEST(Servers, AMachineOfWhichNothingIsSaidIsAServer)
{
    ClusterView cluster = Servers({{0, 0}, {0}});
    for (MachineView& machine : cluster.machines)
    {
        machine.server = OWN_SERVER;
    }
    cluster.machines[2].server = 0; // not that of host 0
    EXPECT_EQ(HostsOf(ByServer(cluster)), (std::vector<Hosts>{{0}, {1}, {2}}));
}

TEST(Servers, TiersAreWhatTwoMachinesShare)
{
    const ClusterView cluster = Servers({{0, 0}, {0}, {0}});
    const auto tier = [&cluster](std::size_t a, std::size_t b) {
        std::ostringstream text;
        text << FindTier(cluster.machines[a], cluster.machines[b]);
        return text.str();
    };
    EXPECT_EQ(tier(0, 0), "host");
    EXPECT_EQ(tier(0, 1), "server");
    EXPECT_EQ(tier(1, 2), "rack");
    EXPECT_EQ(tier(2, 3), "network");
    EXPECT_EQ(tier(3, 0), "network");
}

TEST(Servers, RanksOfAServerAreNeighbours)
{
    const ClusterView cluster = Servers({{0, 0}, {0, 0}});
    const auto gpu = [](uint32_t host) { return GpuId{HostId{host}, 0}; };
    EXPECT_EQ(GroupByServer(cluster, {gpu(3), gpu(0), gpu(2), gpu(1)}),
              (std::vector<GpuId>{gpu(3), gpu(2), gpu(0), gpu(1)}));
    // loads 4 1 | 2 3: host 1 comes first, then host 2
    EXPECT_EQ(PlaceAllWorkers("list-scheduling", Servers({{0, 0}, {0, 0}}), 4),
              (Hosts{0, 1, 2, 3}));
    ClusterView loaded = Servers({{4, 1}, {2, 3}});
    for (MachineView& machine : loaded.machines)
    {
        machine.gpus[0].free = true;
    }
    EXPECT_EQ(PlaceAllWorkers("list-scheduling", loaded, 4), (Hosts{1, 0, 2, 3}));
}

TEST(Servers, LwfTakesTheLeastLoadedServer)
{
    // Sums 5, 4, 6: no GPU of server 1 is the least loaded one, but the server is.
    ClusterView cluster = Servers({{5, 0}, {2, 2}, {0, 6}});
    for (MachineView& machine : cluster.machines)
    {
        machine.gpus[0].free = true;
    }
    EXPECT_EQ(PlaceAllWorkers("lwf", cluster, 2), (Hosts{2, 3}));
    EXPECT_EQ(PlaceAllWorkers("lwf", cluster, 3), (Hosts{2, 3, 1}));
    EXPECT_EQ(PlaceAllWorkers("lwf", cluster, 1), (Hosts{1})); // Kappa 1: the least loaded GPU
}

TEST(Servers, LeastAllocatedSpreadsOverServers)
{
    // Parts taken: 1/2, 0, 1/4. Workers: server 1 (then 1/4), server 1 (of equals the lower index;
    // then 1/2), server 2 (then 1/2), server 0.
    const ClusterView cluster = Servers({{1, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}});
    EXPECT_EQ(PlaceAllWorkers("least-allocated", cluster, 1), (Hosts{2}));
    EXPECT_EQ(PlaceAllWorkers("least-allocated", cluster, 2), (Hosts{2, 3}));
    EXPECT_EQ(PlaceAllWorkers("least-allocated", cluster, 3), (Hosts{2, 3, 7}));
    EXPECT_EQ(PlaceAllWorkers("least-allocated", cluster, 4), (Hosts{2, 3, 7, 1}));
}

TEST(Servers, ParameterServersGoToServersWithoutAWorker)
{
    // Servers of 2 machines. The worker on host 0 makes hosts 0 and 1 the last; one parameter
    // server lives on host 3, so server 2 comes first, and each server gets one before it gets
    // another.
    ClusterView cluster = Servers({{0, 0}, {0, 0}, {0, 0}});
    cluster.machines[3].servers = 1;
    const auto hosts = PlaceServers(cluster, {GpuId{HostId{0}, 0}}, 7);
    // Keys (worker, parameter servers of the server with those before): host 4 (0), 2 (1), 5 (1), 3
    // (2); then 0 (0), 1 (1) of the worker's; then from the start again.
    EXPECT_EQ(ListRankHosts({hosts, {}}), (std::vector<HostId>{{4}, {2}, {5}, {3}, {0}, {1}, {4}}));
}
