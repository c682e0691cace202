// SPDX-License-Identifier: GPL-2.0-only
// How long does a permutation take, by how switches and hosts choose among equal-cost paths?
//
//   ddl-path-study [--k=4] [--routing=spray] [--entropy=flow] [--pairs=1] [--messages=1]
//                  [--bytes=2000000] [--seeds=1] [--matrix=FILE.cm] [--mtu=4160] [--ecn=250000]
//                  [--acks=4]
//
// A fat-tree of k^3/4 hosts at 100 Gbps, links of 1 us. Each host sends to one other, as the
// connection matrix says (the format of csg-htsim), or at random. Prints CSV: completion times of
// the flows in microseconds, and what was sent again (doc/paths.md).
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-packet-audit.h"
#include "ns3/ddl-rdma-transport.h"
#include "ns3/ddl-topology.h"
#include "ns3/ddl-wheel-scheduler.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iostream>
#include <numeric>
#include <random>
#include <sstream>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr Mark MARK{1, 1};

/** What is measured. */
struct Setting
{
    uint32_t k{4};
    std::string routing{"spray"};
    std::string entropy{"flow"};
    uint32_t pairs{1};
    uint32_t messages{1};
    uint64_t bytes{2000000};
    uint32_t seeds{1};
    std::string matrix;
    uint32_t mtu{4160};
    uint32_t ecn{250000};
    uint32_t acks{4};
};

using Flows = std::vector<std::pair<uint32_t, uint32_t>>;

/** \return the flows "A->B ..." of a connection matrix. \throws InputError without any */
Flows
ReadMatrix(const std::string& path)
{
    Flows flows;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
    {
        std::istringstream text(line);
        uint32_t from = 0;
        uint32_t to = 0;
        char dash = 0;
        char arrow = 0;
        if (text >> from >> dash >> arrow >> to && dash == '-' && arrow == '>')
        {
            flows.emplace_back(from, to);
        }
    }
    if (flows.empty())
    {
        throw InputError(path + " has no flows");
    }
    return flows;
}

/** \return flows of which each host sends one and receives one, none to itself */
Flows
DrawFlows(uint32_t hosts, uint32_t seed)
{
    std::mt19937 random(seed);
    std::vector<uint32_t> order(hosts); // a random cycle
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), random);
    Flows flows;
    for (uint32_t i = 0; i < hosts; ++i)
    {
        flows.emplace_back(order[i], order[(i + 1) % hosts]);
    }
    return flows;
}

Ptr<Fabric>
MakeFabric(const Setting& setting, uint32_t seed)
{
    TopologySpec topology;
    const DataRateValue rate(DataRate("100Gbps"));
    topology.shape = ObjectFactory("ns3::ddl::FatTreeTopology",
                                   "K",
                                   UintegerValue(setting.k),
                                   "PodRate",
                                   rate,
                                   "CoreRate",
                                   rate);
    topology.hostRate = rate.Get();
    topology.mtu = setting.mtu;
    topology.ecmpSeed = seed;
    topology.pathSelector.SetTypeId(FindPolicy(PathSelector::GetTypeId(), setting.routing));
    PortSpec ports;
    ports.ecnThreshold = setting.ecn;
    return BuildTopology(topology, ports, HostSpec());
}

void
Start(Ptr<Transport> transport,
      const Setting& setting,
      const std::pair<uint32_t, uint32_t>& flow,
      uint32_t label,
      std::vector<double>& ends)
{
    const StreamName name{JobId{1}, 1, flow.first, flow.second};
    const auto left = std::make_shared<uint32_t>(setting.messages);
    transport->On(HostId{flow.second})
        ->Accept(HostId{flow.first}, name, MARK)
        ->SetReceiver([left, &ends](const MessageTag&) {
            if (--*left == 0)
            {
                ends.push_back((Simulator::Now() - Seconds(1)).GetSeconds() * 1e6);
            }
        });
    const auto stream =
        transport->On(HostId{flow.first})->Open(HostId{flow.second}, name, MARK, label);
    for (uint32_t i = 0; i < setting.messages; ++i)
    {
        stream->Send(setting.bytes / setting.messages);
    }
}

void
Measure(const Setting& setting, uint32_t seed)
{
    const std::clock_t start = std::clock();
    const auto fabric = MakeFabric(setting, seed);
    const auto transport = CreatePolicy<Transport>("rdma");
    transport->SetAttribute("Recovery", StringValue("selective-repeat"));
    transport->SetAttribute("Entropy", StringValue(setting.entropy));
    transport->SetAttribute("QueuePairs", UintegerValue(setting.pairs));
    transport->SetAttribute("AckInterval", UintegerValue(setting.acks));
    transport->Install(fabric);
    const Flows flows =
        setting.matrix.empty() ? DrawFlows(fabric->GetHosts(), seed) : ReadMatrix(setting.matrix);
    std::vector<double> ends;
    std::mt19937 random(seed);
    for (const auto& flow : flows)
    {
        const auto label = static_cast<uint32_t>(random());
        Simulator::Schedule(Seconds(1),
                            [&, flow, label] { Start(transport, setting, flow, label, ends); });
    }
    Simulator::Run();
    std::sort(ends.begin(), ends.end());
    if (ends.size() != flows.size() || !AuditPackets(fabric).empty())
    {
        throw RunError("flows or packets are missing");
    }
    const StreamCounters counters = transport->GetCounters();
    std::cout << setting.routing << ',' << setting.entropy << ',' << setting.pairs << ','
              << flows.size() << ',' << seed << ','
              << std::accumulate(ends.begin(), ends.end(), 0.0) / static_cast<double>(ends.size())
              << ',' << ends[ends.size() / 2] << ',' << ends.back() << ',' << counters.dataPackets
              << ',' << counters.reordered << ',' << counters.retransmissions << ','
              << SumDrops(fabric).GetSum().packets << ','
              << static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC << std::endl;
    transport->Dispose();
    fabric->Dispose();
    Simulator::Destroy();
}

} // namespace

int
main(int argc, char** argv)
{
    WheelScheduler::MakeDefault();
    // 1.5 times 14 us at 100 Gbps, as uet-htsim begins.
    Config::SetDefault("ns3::ddl::DctcpRdmaCongestionControl::InitialWindow",
                       UintegerValue(262926));
    Setting setting;
    CommandLine command;
    command.AddValue("k", "ports of a switch", setting.k);
    command.AddValue("routing", "how switches choose", setting.routing);
    command.AddValue("entropy", "how hosts choose: flow, random, reps", setting.entropy);
    command.AddValue("pairs", "queue pairs per flow", setting.pairs);
    command.AddValue("messages", "messages per flow", setting.messages);
    command.AddValue("bytes", "bytes per flow", setting.bytes);
    command.AddValue("seeds", "number of seeds, from 1 on", setting.seeds);
    command.AddValue("matrix", "file with flows", setting.matrix);
    command.AddValue("mtu", "bytes of the largest packet", setting.mtu);
    command.AddValue("ecn", "ECN threshold, bytes", setting.ecn);
    command.AddValue("acks", "packets per acknowledgement", setting.acks);
    command.Parse(argc, argv);
    std::cout << "routing,entropy,pairs,flows,seed,mean_us,median_us,tail_us,packets,overtaken,"
                 "sent_again,dropped,cpu_s\n";
    try
    {
        for (uint32_t seed = 1; seed <= setting.seeds; ++seed)
        {
            Measure(setting, seed);
        }
    }
    catch (const InputError& error)
    {
        std::cerr << "ddl-path-study: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
