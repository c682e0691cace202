// SPDX-License-Identifier: GPL-2.0-only
// Collectives alone, as a graph of one node a rank, against their closed forms.
#include "ddl-slow.h"

#include "ns3/boolean.h"
#include "ns3/ddl-lone-job.h"
#include "ns3/ddl-task-graph.h"
#include "ns3/ddl-topology.h"
#include "ns3/ddl-training-job.h"
#include "ns3/ddl-transport.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <iostream>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr double WIRE_BYTE = 8e-11;  // s a byte of each link: 100 Gbps
constexpr double WIRE_DELAY = 1e-6;  // s, of a link
constexpr double LOCAL_BYTE = 8e-12; // s, within a machine: 1 Tbps
constexpr double LOCAL_DELAY = 1e-6; // s

/** How a transport turns the bytes of a message into time. */
struct Wires
{
    std::string transport;
    double payload;  //!< bytes of a full packet that are data
    double header;   //!< other bytes of a packet, with Ethernet's
    double answer;   //!< bytes of an acknowledgement
    double interval; //!< packets for which there is one

    /** \return s on a wire, without acknowledgements. Fluid cuts headers into bytes */
    double Wire(double bytes) const
    {
        const double packets = bytes / payload;
        return (bytes + header * (answer > 0 ? std::ceil(packets) : packets)) * WIRE_BYTE;
    }

    /** \return s that acknowledgements take of a wire on which as much comes as goes */
    double Answers(double bytes) const
    {
        return answer > 0 ? std::ceil(std::ceil(bytes / payload) / interval) * answer * WIRE_BYTE
                          : 0;
    }

    /** \return s that the last packet takes on the second link, and propagation. What is left for
     * the last packet of several waits at the switch until the full one before it has gone. */
    double Latency(double bytes) const
    {
        return 2 * WIRE_DELAY + (std::min(bytes, payload) + header) * WIRE_BYTE;
    }

    /** \return s from the start of a message to its arrival */
    double Message(double bytes) const
    {
        return Wire(bytes) + Answers(bytes) + Latency(bytes);
    }

    /** \return s from the arrival to that of the acknowledgement. A rank that receives nothing
     * waits for it. Fluid does without. */
    double Back() const
    {
        return answer > 0 ? 2 * (WIRE_DELAY + answer * WIRE_BYTE) : 0;
    }
};

const Wires FLUID_WIRES = {"fluid", 1500 - 40, 40 + 38, 0, 1};
const Wires RDMA_WIRES = {"rdma", 1500 - 44, 44 + 38, 52 + 38, 4};

/** A collective and how it is carried out. */
struct CollectiveCase
{
    std::string name;
    Collective collective;
    std::string attribute; //!< attribute of the kind
    std::string algorithm;
    uint32_t chunks{0};
};

const CollectiveCase RING_REDUCE = {"all-reduce ring", Collective::ALL_REDUCE, "AllReduce", "ring"};
const CollectiveCase RING_GATHER = {"all-gather ring", Collective::ALL_GATHER, "AllGather", "ring"};
const CollectiveCase RING_SCATTER = {"reduce-scatter ring",
                                     Collective::REDUCE_SCATTER,
                                     "ReduceScatter",
                                     "ring"};
const CollectiveCase DIRECT_ALL = {"all-to-all direct",
                                   Collective::ALL_TO_ALL,
                                   "AllToAll",
                                   "direct"};
const CollectiveCase PAIRWISE_ALL = {"all-to-all pairwise",
                                     Collective::ALL_TO_ALL,
                                     "AllToAll",
                                     "pairwise"};
const CollectiveCase CHAIN_CAST = {"broadcast chain",
                                   Collective::BROADCAST,
                                   "Broadcast",
                                   "chain",
                                   8};
const CollectiveCase TREE_CAST = {"broadcast tree", Collective::BROADCAST, "Broadcast", "tree", 32};
const CollectiveCase TREE_REDUCE = {"all-reduce tree",
                                    Collective::ALL_REDUCE,
                                    "AllReduce",
                                    "tree",
                                    8};
const CollectiveCase TIERS_REDUCE = {"all-reduce hierarchical",
                                     Collective::ALL_REDUCE,
                                     "AllReduce",
                                     "hierarchical"};
const CollectiveCase TIERS_GATHER = {"all-gather hierarchical",
                                     Collective::ALL_GATHER,
                                     "AllGather",
                                     "hierarchical"};
const CollectiveCase TIERS_SCATTER = {"reduce-scatter hierarchical",
                                      Collective::REDUCE_SCATTER,
                                      "ReduceScatter",
                                      "hierarchical"};

/** \return bus bandwidth over that of a NIC, as nccl-tests define it */
double
GetBusShare(Collective collective, double n, double bytes, double seconds)
{
    const double factor = collective == Collective::BROADCAST    ? 1
                          : collective == Collective::ALL_REDUCE ? 2 * (n - 1) / n
                                                                 : (n - 1) / n;
    return factor * bytes * WIRE_BYTE / seconds;
}

class CollectiveTimeTest : public testing::TestWithParam<std::string>
{
  protected:
    ~CollectiveTimeTest() override
    {
        End();
    }

    const Wires& GetWires() const
    {
        return GetParam() == "rdma" ? RDMA_WIRES : FLUID_WIRES;
    }

    void End()
    {
        if (m_transport)
        {
            m_transport->Dispose();
            m_transport = nullptr;
            Simulator::Destroy();
        }
    }

    /** Rank r is on GPU r modulo `perMachine` of machine r / `perMachine`. */
    static TopologySpec OneSwitch(uint32_t hosts)
    {
        TopologySpec topology;
        topology.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
        topology.shape.Set("Hosts", UintegerValue(hosts));
        return topology;
    }

    /** One pod, one spine that is never full; each GPU has a NIC. */
    static TopologySpec Rails(uint32_t servers, uint32_t gpus)
    {
        TopologySpec topology;
        topology.shape.SetTypeId("ns3::ddl::RailOptimisedTopology");
        topology.shape.Set("Pods", UintegerValue(1));
        topology.shape.Set("ServersPerPod", UintegerValue(servers));
        topology.shape.Set("GpusPerServer", UintegerValue(gpus));
        topology.shape.Set("Spines", UintegerValue(1));
        topology.shape.Set("FabricRate", StringValue("10000Gbps"));
        return topology;
    }

    /** \return seconds that a collective takes */
    double Measure(const CollectiveCase& what,
                   uint64_t bytes,
                   TopologySpec topology,
                   uint32_t ranks,
                   uint32_t perMachine = 1,
                   uint32_t channels = 1)
    {
        End();
        topology.hostRate = DataRate(100'000'000'000);
        topology.delay = Seconds(WIRE_DELAY);
        const Ptr<Fabric> fabric = BuildTopology(topology, PortSpec(), HostSpec());
        fabric->InstallStack();
        m_transport = CreatePolicy<Transport>(GetParam());
        m_transport->SetAttribute("LocalRate", StringValue("1000Gbps"));
        if (GetParam() == "rdma")
        {
            m_transport->SetAttribute("CongestionControl", StringValue("fixed"));
        }
        m_transport->Install(fabric);
        const auto cluster = CreateObject<Cluster>(fabric);
        for (uint32_t host = 0; host < fabric->GetHosts(); ++host)
        {
            cluster->AddMachine(HostId{host}, perMachine, GpuType{});
        }
        Placement placement;
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            placement.workers.push_back({HostId{rank / perMachine}, rank % perMachine});
        }
        const JobSpec spec = MakeJob(what, bytes, ranks, channels);
        const auto job = CreateObject<LoneJob>(spec, placement, cluster, m_transport);
        m_seconds = 0;
        job->TraceConnectWithoutContext("IterationEnd",
                                        MakeCallback(&CollectiveTimeTest::IterationEnd, this));
        Simulator::ScheduleNow([job]() {
            job->Launch(Mark());
            job->StartStage(1, 1);
        });
        Simulator::Run();
        return m_seconds;
    }

    static JobSpec MakeJob(const CollectiveCase& what,
                           uint64_t bytes,
                           uint32_t ranks,
                           uint32_t channels)
    {
        GraphProgramBuilder builder;
        GraphNode node;
        node.kind = GraphNode::Kind::COLLECTIVE;
        node.collective = what.collective;
        node.amount = bytes;
        node.lane = builder.AddLane(LaneKind::COMMUNICATION);
        builder.Add(node, {});
        const auto program = builder.Build();
        TaskGraph graph;
        graph.groups.resize(1);
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            graph.groups[0].ranks.push_back(rank);
            graph.ranks.push_back({program, {}, {0}, ""});
        }
        JobSpec spec;
        spec.id = JobId{1};
        spec.workers = ranks;
        spec.pattern.SetTypeId("ns3::ddl::RingCommunicationPattern");
        spec.kind.SetTypeId(FindPolicy(TrainingJob::GetTypeId(), "graph"));
        spec.kind.Set(what.attribute, StringValue(what.algorithm));
        spec.kind.Set("Channels", UintegerValue(channels));
        spec.kind.Set("CollectiveChunks", UintegerValue(what.chunks));
        spec.graph = std::make_shared<const TaskGraph>(std::move(graph));
        return spec;
    }

    void IterationEnd(const IterationRecord& record)
    {
        m_seconds = (record.end - record.start).GetSeconds();
    }

    /** \return sizes from 1 B on, as large as packets can be simulated in a test */
    std::vector<uint64_t> ListSizes() const
    {
        std::vector<uint64_t> sizes = {1, 1000, 64000, 1000000};
        const uint64_t most = GetParam() == "fluid" ? 1000000000 : HowOften(4000000U, 64000000U);
        sizes.push_back(most);
        return sizes;
    }

    /** \return numbers of ranks */
    static std::vector<uint32_t> ListRanks()
    {
        return HowOften(std::vector<uint32_t>{2, 3, 7, 16, 33},
                        std::vector<uint32_t>{2, 3, 4, 5, 8, 13, 16, 31, 32, 47, 64});
    }

    /** Expect a closed form. */
    void Compare(const CollectiveCase& what,
                 uint32_t n,
                 uint64_t bytes,
                 double seconds,
                 double form)
    {
        Compare(what, n, bytes, seconds, form, form);
    }

    /** Expect a time between two closed forms, within 1 %. */
    void Compare(const CollectiveCase& what,
                 uint32_t n,
                 uint64_t bytes,
                 double seconds,
                 double least,
                 double most)
    {
        if (std::getenv("DDL_TEST_SLOW"))
        {
            std::cout << GetParam() << "," << what.name << "," << n << "," << bytes << ","
                      << seconds * 1e6 << "," << least * 1e6 << "," << most * 1e6 << ","
                      << GetBusShare(what.collective, n, static_cast<double>(bytes), seconds) * 12.5
                      << std::endl;
        }
        EXPECT_TRUE(seconds > least * 0.99 && seconds < most * 1.01)
            << what.name << " of " << bytes << " B, " << n << " ranks: " << seconds * 1e6
            << " us, should be " << least * 1e6 << " to " << most * 1e6;
    }

    Ptr<Transport> m_transport;
    double m_seconds{0};
};

} // namespace

/** (N - 1) steps, or twice as many: each of the largest part. */
TEST_P(CollectiveTimeTest, RingsOnOneSwitch)
{
    const Wires& wires = GetWires();
    for (const uint32_t n : ListRanks())
    {
        for (const uint64_t bytes : ListSizes())
        {
            const double part = std::ceil(static_cast<double>(bytes) / n);
            const double form = (n - 1) * wires.Message(part);
            Compare(RING_GATHER, n, bytes, Measure(RING_GATHER, bytes, OneSwitch(n), n), form);
            Compare(RING_SCATTER, n, bytes, Measure(RING_SCATTER, bytes, OneSwitch(n), n), form);
            Compare(RING_REDUCE, n, bytes, Measure(RING_REDUCE, bytes, OneSwitch(n), n), 2 * form);
        }
    }
}

/** All messages of a rank leave its NIC, and come in, side by side. Small ones have left when the
 * first acknowledgements go the other way. */
TEST_P(CollectiveTimeTest, DirectAllToAll)
{
    const Wires& wires = GetWires();
    for (const uint32_t n : ListRanks())
    {
        for (const uint64_t bytes : ListSizes())
        {
            const double part = std::ceil(static_cast<double>(bytes) / n);
            const double form = (n - 1) * wires.Wire(part) + wires.Latency(part);
            Compare(DIRECT_ALL,
                    n,
                    bytes,
                    Measure(DIRECT_ALL, bytes, OneSwitch(n), n),
                    form,
                    form + (n - 1) * wires.Answers(part));
        }
    }
}

/** N - 1 steps; each but the first waits for the acknowledgement of the one before, too. */
TEST_P(CollectiveTimeTest, PairwiseAllToAll)
{
    const Wires& wires = GetWires();
    for (const uint32_t n : ListRanks())
    {
        for (const uint64_t bytes : ListSizes())
        {
            const double part = std::ceil(static_cast<double>(bytes) / n);
            const double form = (n - 1) * wires.Message(part) + (n - 2) * wires.Back();
            const double seconds = Measure(PAIRWISE_ALL, bytes, OneSwitch(n), n);
            Compare(PAIRWISE_ALL, n, bytes, seconds, form);
        }
    }
}

/** The first rank sends c chunks one after the other, and those behind it acknowledge as many as
 * they send; the last chunk goes N - 2 steps further. */
TEST_P(CollectiveTimeTest, ChainsOnOneSwitch)
{
    const Wires& wires = GetWires();
    for (const uint32_t n : ListRanks())
    {
        for (const uint64_t bytes : ListSizes())
        {
            const double chunks = std::min<double>(CHAIN_CAST.chunks, static_cast<double>(bytes));
            const double chunk = std::ceil(static_cast<double>(bytes) / chunks);
            const double first = chunks * wires.Wire(chunk) + wires.Latency(chunk);
            const double last = first + (n - 2) * wires.Message(chunk);
            Compare(CHAIN_CAST,
                    n,
                    bytes,
                    Measure(CHAIN_CAST, bytes, OneSwitch(n), n),
                    std::max(last, first + wires.Back()),
                    std::max(last + chunks * wires.Answers(chunk), first + wires.Back()));
        }
    }
}

/**
 * A byte goes D steps up and D down, or D + 1 steps down. Large ones take what the busiest NIC
 * sends, at least, and at most 2 M (1 + D / c): chunks fill the tree. Up and down share NICs as
 * equals, so that what goes up runs ahead, and NICs idle at the end; about a tenth more.
 */
TEST_P(CollectiveTimeTest, Trees)
{
    const Wires& wires = GetWires();
    for (const uint32_t n : ListRanks())
    {
        for (const uint64_t bytes : ListSizes())
        {
            const double depth = std::ceil(std::log2(n));
            const double below = n > 2 ? std::ceil(std::log2(n - 1)) + 1 : 1;
            const double chunks = TREE_REDUCE.chunks;
            const double whole = static_cast<double>(bytes);
            const double chunk = std::ceil(whole / chunks / 2);
            const double wire = 2 * chunks * (wires.Wire(chunk) + wires.Answers(chunk));
            const double up = 2 * depth * wires.Message(1);
            const double down = below * wires.Message(1) + (n == 2 ? wires.Back() : 0);
            const double reduce = Measure(TREE_REDUCE, bytes, OneSwitch(n), n);
            const double cast = Measure(TREE_CAST, bytes, OneSwitch(n), n);
            if (bytes == 1)
            {
                Compare(TREE_REDUCE, n, bytes, reduce, up);
                Compare(TREE_CAST, n, bytes, cast, down);
                continue;
            }
            const double rounds = n > 3 ? 2 : 1; // M that some rank sends
            const double filled = wire * (1 + depth / chunks) * 1.1;
            Compare(TREE_REDUCE, n, bytes, reduce, rounds * wires.Wire(whole), up + 2 * filled);
            Compare(TREE_CAST, n, bytes, cast, wires.Wire(whole), down + filled + 2 * wires.Back());
        }
    }
}

/**
 * G rings within machines; then each machine's G ranks share its NIC, in G rings between machines.
 * On fluid their messages take turns of no length, and end together. Packets of some end before
 * others, and the next step of these fills the latency of the last: never below what the NIC sends.
 */
TEST_P(CollectiveTimeTest, TiersOnSharedNics)
{
    const Wires& wires = GetWires();
    using Shape = std::pair<uint32_t, uint32_t>; // servers and GPUs of each
    for (const auto& [servers, gpus] : std::vector<Shape>{{2, 2}, {3, 4}, {5, 3}, {4, 8}, {8, 8}})
    {
        for (const uint64_t bytes : ListSizes())
        {
            const uint32_t n = servers * gpus;
            const double whole = std::max<double>(static_cast<double>(bytes), n);
            const double share = std::ceil(whole / n);
            const double within = (gpus - 1) * (std::ceil(whole / gpus) * LOCAL_BYTE + LOCAL_DELAY);
            const double load = gpus * (wires.Wire(share) + wires.Answers(share));
            const double most = within + (servers - 1) * (load + wires.Latency(share));
            const double sent = (servers - 1) * gpus * wires.Wire(share);
            const double path = (servers - 1) * (wires.Wire(share) + wires.Latency(share));
            const auto check = [&](const CollectiveCase& what, double times) {
                const double seconds = Measure(what, bytes, OneSwitch(servers), n, gpus);
                const double packets =
                    times * within + std::max(times * path, times * sent + wires.Latency(share));
                Compare(what,
                        n,
                        bytes,
                        seconds,
                        wires.answer > 0 ? packets : times * most,
                        times * most);
            };
            check(TIERS_REDUCE, 2);
            check(TIERS_GATHER, 1);
            check(TIERS_SCATTER, 1);
        }
    }
}

/** Machines with one NIC: every part but one passes it, in one ring or in as many as there are
 * GPUs; the latencies are those of the longest path. */
TEST_P(CollectiveTimeTest, RingsOfSeveralChannelsOnSharedNics)
{
    const Wires& wires = GetWires();
    using Shape = std::pair<uint32_t, uint32_t>;
    for (const auto& [servers, gpus] : std::vector<Shape>{{2, 2}, {3, 4}, {4, 4}, {4, 8}})
    {
        for (const uint32_t channels : {1U, gpus})
        {
            for (const uint64_t bytes : ListSizes())
            {
                const uint32_t n = servers * gpus;
                const double part = std::ceil(static_cast<double>(bytes) / n);
                const double load = (n - 1) * (wires.Wire(part) + wires.Answers(part));
                const double steps = servers * wires.Message(part) +
                                     (n - servers) * (part * LOCAL_BYTE + LOCAL_DELAY);
                const auto check = [&](const CollectiveCase& what, double times) {
                    const double seconds =
                        Measure(what, bytes, OneSwitch(servers), n, gpus, channels);
                    Compare(what, n, bytes, seconds, times * load / 1.015, times * (load + steps));
                };
                check(RING_GATHER, 1);
                check(RING_REDUCE, 2);
            }
        }
    }
}

/**
 * A NIC a GPU and no switch within servers: NICs carry what goes between servers and within, so
 * channels bring nothing. As several rings share each NIC, and hops take four links within a server
 * and two between, rings do not go in step, and NICs idle: up to a quarter of the time.
 */
TEST_P(CollectiveTimeTest, RingsOnRails)
{
    if (GetParam() == "rdma")
    {
        GTEST_SKIP() << "the fixed window of 60 kB is less than what is under way on four links";
    }
    const Wires& wires = GetWires();
    using Shape = std::pair<uint32_t, uint32_t>;
    for (const auto& [servers, gpus] : std::vector<Shape>{{2, 2}, {3, 4}, {4, 4}, {4, 8}})
    {
        for (const uint32_t channels : {1U, gpus})
        {
            for (const uint64_t bytes : ListSizes())
            {
                const uint32_t n = servers * gpus;
                const double part = std::ceil(static_cast<double>(bytes) / n);
                const double load = (n - 1) * wires.Wire(part);
                const double most = (n - 1) * (wires.Message(part) + wires.Latency(part)) *
                                    (channels > 1 ? 1.25 : 1);
                const auto check = [&](const CollectiveCase& what, double times) {
                    const double seconds =
                        Measure(what, bytes, Rails(servers, gpus), n, 1, channels);
                    Compare(what, n, bytes, seconds, times * std::min(load, most), times * most);
                };
                check(RING_GATHER, 1);
                check(RING_REDUCE, 2);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         CollectiveTimeTest,
                         testing::Values("fluid", "rdma"),
                         [](const auto& info) { return info.param; });
