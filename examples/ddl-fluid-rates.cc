// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rates of fluids without a simulation, and what a recomputation costs.
 *
 * Streams between random machines of a leaf-spine network take the routes that packets would, at
 * random priorities. Their rates are computed again and again, with one stream remarked each time,
 * and the time of a computation is printed.
 */
#include "ns3/core-module.h"
#include "ns3/ddl-fluid-allocator.h"
#include "ns3/ddl-fluid-network.h"
#include "ns3/ddl-topology.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <random>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Draws streams, and finds their ways. */
class Streams
{
  public:
    Streams(Ptr<Fabric> fabric, uint32_t classes, bool own)
        : m_fabric(fabric),
          m_network(fabric, {}),
          m_classes(classes),
          m_own(own)
    {
    }

    FluidPath Draw()
    {
        const uint32_t hosts = m_fabric->GetHosts();
        const uint32_t from = m_random() % hosts;
        const uint32_t to = (from + 1 + m_random() % (hosts - 1)) % hosts;
        const auto band = static_cast<uint8_t>(1 + m_random() % m_classes);
        const auto other = static_cast<uint8_t>(1 + m_random() % m_classes);
        const FlowKey flow{m_fabric->GetAddress(HostId{to}), 6, m_port++, 5000};
        const Mark mark{band, m_own ? other : band};
        return m_network.FindRoute(HostId{from}, HostId{to}, flow, mark).path;
    }

    std::vector<FluidPort> ListPorts() const
    {
        return m_network.ListPorts();
    }

    std::size_t Choose(std::size_t count)
    {
        return m_random() % count;
    }

  private:
    Ptr<Fabric> m_fabric;
    FluidNetwork m_network;
    uint32_t m_classes;
    bool m_own;
    uint16_t m_port{10000};
    std::mt19937 m_random{1};
};

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t count = 1000;
    uint32_t leaves = 16;
    uint32_t rounds = 200;
    uint32_t classes = 7;
    bool own = false;
    CommandLine cmd(__FILE__);
    cmd.AddValue("streams", "how many at a time", count);
    cmd.AddValue("leaves", "leaves of as many hosts, and spines", leaves);
    cmd.AddValue("rounds", "how often rates are computed", rounds);
    cmd.AddValue("classes", "priorities, 1 to 7", classes);
    cmd.AddValue("own", "whether NIC and switches have priorities of their own", own);
    cmd.Parse(argc, argv);

    TopologySpec topology;
    topology.shape.Set("Leaves", UintegerValue(leaves));
    topology.shape.Set("HostsPerLeaf", StringValue(std::to_string(leaves)));
    topology.shape.Set("Spines", UintegerValue(leaves));
    Streams streams(BuildTopology(topology, {}, {}), classes, own);
    FluidAllocator allocator(streams.ListPorts());
    std::vector<FluidAllocator::Stream> keys;
    std::generate_n(std::back_inserter(keys), count, [&] { return allocator.Add(streams.Draw()); });
    allocator.Update();
    const uint64_t before = allocator.GetComputed();
    using Clock = std::chrono::steady_clock;
    Clock::duration spent{0};
    Clock::duration most{0};
    for (uint32_t round = 0; round < rounds; ++round)
    {
        const FluidPath path = streams.Draw();
        const auto start = Clock::now();
        allocator.Move(keys[streams.Choose(count)], path);
        allocator.Update();
        spent += Clock::now() - start;
        most = std::max(most, Clock::now() - start);
    }
    double sum = 0;
    for (const auto key : keys)
    {
        sum += allocator.GetRate(key);
    }
    const std::chrono::duration<double, std::micro> mean = spent / std::max(1U, rounds);
    const std::chrono::duration<double, std::micro> longest = most;
    std::cout << count << " streams, " << leaves * leaves << " hosts, " << classes
              << " priorities: " << mean.count() << " us a computation, " << longest.count()
              << " us at most; " << (allocator.GetComputed() - before) / std::max(1U, rounds)
              << " streams computed each time; " << sum * 8 << " Gbps in all, "
              << allocator.GetIterated() << " streams iterated, " << allocator.GetCompromises()
              << " compromises\n";
    return sum > 0 ? 0 : 1;
}
