// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fabric-test-support.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-path-selector.h"
#include "ns3/ddl-switch.h"
#include "ns3/nstime.h"
#include "ns3/string.h"

#include <map>
#include <set>

namespace ns3::ddl
{
namespace
{

/** Four spines: frames at leaf0 to hosts of leaf1 can take four ports. */
class PathSelectorTest : public FabricTest
{
  protected:
    void SetUp() override
    {
        Use(ObjectFactory("ns3::ddl::EcmpPathSelector"));
    }

    /** Build the network with a selector. */
    void Use(const ObjectFactory& selector)
    {
        TopologySpec topology;
        topology.shape = ObjectFactory("ns3::ddl::LeafSpineTopology", "Spines", UintegerValue(4));
        topology.pathSelector = selector;
        Build(topology);
        for (uint32_t spine = 0; spine < PORTS; ++spine)
        {
            const auto port = GetPort("leaf0", "spine" + std::to_string(spine));
            m_ports[spine] = dynamic_cast<SwitchPort*>(PeekPointer(port));
        }
    }

    static Ptr<PathSelector> Make(const ObjectFactory& factory, uint64_t salt = 7)
    {
        const auto selector = factory.Create<PathSelector>();
        selector->Start({salt, 1});
        return selector;
    }

    /** \return the port of a frame of a flow at a time */
    uint32_t Choose(PathSelector& selector, uint32_t flowHash, Time now = Time(0))
    {
        if (selector.GetSpread() == PathSpread::FLOW)
        {
            return selector.Pick(4, flowHash, PORTS);
        }
        m_frame.destination = 4;
        m_frame.flowHash = flowHash;
        return selector.Choose({m_ports.data(), PORTS, m_frame, now});
    }

    static constexpr uint32_t PORTS = 4;
    std::array<SwitchPort*, PORTS> m_ports{};
    Frame m_frame;
    FramePool m_pool; //!< outlives the fabric, whose ports hold its frames
};

TEST_F(PathSelectorTest, EveryPolicyNamesAPortAndRepeatsItselfFromEqualSeeds)
{
    for (const auto& name : ListPolicies(PathSelector::GetTypeId()))
    {
        SCOPED_TRACE(name);
        ObjectFactory factory;
        factory.SetTypeId(FindPolicy(PathSelector::GetTypeId(), name));
        const auto first = Make(factory);
        const auto second = Make(factory);
        EXPECT_FALSE(first->GetSummary().empty());
        std::set<uint32_t> ports;
        for (uint32_t i = 0; i < 1000; ++i)
        {
            const uint32_t port = Choose(*first, i % 16 * 2654435761U, MicroSeconds(i));
            EXPECT_EQ(Choose(*second, i % 16 * 2654435761U, MicroSeconds(i)), port);
            ports.insert(port);
        }
        EXPECT_EQ(ports.size(), first->SeparatesFlows() ? PORTS : 1U);
    }
}

TEST_F(PathSelectorTest, AFlowKeepsItsPortWhereTheSpreadIsByFlow)
{
    for (const std::string name : {"ecmp", "d-mod-k"})
    {
        ObjectFactory factory;
        factory.SetTypeId(FindPolicy(PathSelector::GetTypeId(), name));
        const auto selector = Make(factory);
        EXPECT_FALSE(selector->BreaksOrder());
        for (uint32_t flow = 0; flow < 100; ++flow)
        {
            const uint32_t port = Choose(*selector, flow << 20);
            EXPECT_EQ(Choose(*selector, flow << 20, Seconds(1)), port) << name;
        }
    }
}

TEST_F(PathSelectorTest, SprayIsEvenOverAllPortsForOneFlow)
{
    // 40,000 draws of 4: each port 10,000 with a standard deviation of 87.
    const auto spray = Make(ObjectFactory("ns3::ddl::SprayPathSelector"));
    std::map<uint32_t, uint32_t> counts;
    for (uint32_t i = 0; i < 10000 * PORTS; ++i)
    {
        ++counts[Choose(*spray, 1)];
    }
    for (const auto& [port, count] : counts)
    {
        EXPECT_NEAR(count, 10000, 5 * 87) << port;
    }
}

TEST_F(PathSelectorTest, RoundRobinTakesAllPortsInTurnFromARandomOneOn)
{
    std::set<uint32_t> firsts;
    for (uint64_t salt = 1; salt <= 64; ++salt)
    {
        const auto spray =
            Make(ObjectFactory("ns3::ddl::SprayPathSelector", "Order", StringValue("round-robin")),
                 MixBits(salt));
        const uint32_t first = Choose(*spray, 1);
        firsts.insert(first);
        for (uint32_t i = 1; i < 9; ++i)
        {
            EXPECT_EQ(Choose(*spray, i), (first + i) % PORTS);
        }
    }
    EXPECT_EQ(firsts.size(), PORTS);
}

TEST_F(PathSelectorTest, AFlowletEndsWithAPauseLongerThanTheGap)
{
    const auto flowlet = Make(ObjectFactory("ns3::ddl::FlowletPathSelector"));
    Time now;
    std::set<uint32_t> ports;
    for (uint32_t i = 0; i < 64; ++i)
    {
        now += MicroSeconds(101);
        const uint32_t port = Choose(*flowlet, 5, now);
        ports.insert(port);
        for (uint32_t packet = 0; packet < 5; ++packet)
        {
            now += MicroSeconds(100);
            EXPECT_EQ(Choose(*flowlet, 5, now), port) << "no longer than the gap";
        }
    }
    EXPECT_EQ(ports.size(), PORTS);
    EXPECT_FALSE(flowlet->BreaksOrder());
}

TEST_F(PathSelectorTest, RoutesThatChangeEndAllFlowlets)
{
    const auto flowlet = Make(ObjectFactory("ns3::ddl::FlowletPathSelector"));
    std::set<uint32_t> ports;
    for (uint32_t i = 0; i < 64; ++i)
    {
        ports.insert(Choose(*flowlet, 5));
        flowlet->Reset();
    }
    EXPECT_EQ(ports.size(), PORTS);
}

TEST_F(PathSelectorTest, AdaptiveTakesTheLeastBacklogOfAllAndNeverTheWorstOfTwo)
{
    // leaf0's ports to the spines send 1000-byte frames at 10 Gbps, 0.83 us each: spine 2 has
    // none, the others 10, 20 and 30.
    std::map<uint32_t, uint32_t> all;
    std::map<uint32_t, uint32_t> two;
    const auto best = Make(ObjectFactory("ns3::ddl::AdaptivePathSelector"));
    const auto sampled =
        Make(ObjectFactory("ns3::ddl::AdaptivePathSelector", "Samples", UintegerValue(2)));
    Simulator::Schedule(MicroSeconds(1), [&] {
        for (const auto& [spine, frames] : std::map<uint32_t, uint32_t>{{0, 10}, {1, 20}, {3, 30}})
        {
            for (uint32_t i = 0; i < frames; ++i)
            {
                Frame* frame = m_pool.Take();
                frame->packet = Create<Packet>(1000);
                frame->bytes = 1000;
                frame->arrival = Simulator::Now().GetTimeStep();
                m_ports[spine]->Forward(frame);
            }
        }
        for (uint32_t i = 0; i < 4000; ++i)
        {
            ++all[Choose(*best, i, Simulator::Now())];
            ++two[Choose(*sampled, i, Simulator::Now())];
        }
        Simulator::Stop();
    });
    Simulator::Run();
    EXPECT_EQ(all, (std::map<uint32_t, uint32_t>{{2, 4000}}));
    // Of two draws with replacement the best is spine 2 in 7 of 16, 0 in 5, 1 in 3, 3 in 1.
    EXPECT_NEAR(two[2], 4000 * 7 / 16, 5 * 32);
    EXPECT_NEAR(two[0], 4000 * 5 / 16, 5 * 30);
    EXPECT_NEAR(two[1], 4000 * 3 / 16, 5 * 25);
    EXPECT_NEAR(two[3], 4000 * 1 / 16, 5 * 16);
}

TEST_F(PathSelectorTest, ASwitchSpraysTheDatagramsOfOneFlow)
{
    Use(ObjectFactory("ns3::ddl::SprayPathSelector", "Order", StringValue("round-robin")));
    Listen(7);
    Datagrams what;
    what.to = 7;
    what.count = 400;
    Send(what);
    Simulator::Run();
    EXPECT_EQ(m_received.size(), 400U);
    for (const auto* port : m_ports)
    {
        EXPECT_EQ(port->GetCounters(port->GetQueues() - 1).packets, 100U);
    }
}

/** Routes to a rack of 64 hosts are one entry of a switch. */
TEST_F(PathSelectorTest, ASwitchSpraysToHostsOfLargeRacks)
{
    TopologySpec topology;
    topology.shape = ObjectFactory("ns3::ddl::LeafSpineTopology",
                                   "Leaves",
                                   UintegerValue(3),
                                   "HostsPerLeaf",
                                   StringValue("64"));
    topology.pathSelector = ObjectFactory("ns3::ddl::SprayPathSelector");
    Build(topology);
    Listen(191);
    Datagrams what;
    what.to = 191;
    what.count = 100;
    Send(what);
    Simulator::Run();
    EXPECT_EQ(m_received.size(), 100U);
    const auto leaf = DynamicCast<Switch>(GetPort("leaf0", "h0")->GetNode());
    EXPECT_EQ(leaf->GetDrops().GetSum().packets, 0U);
    EXPECT_NE(leaf->GetRoute(191, 0), nullptr);
    EXPECT_EQ(leaf->GetRoute(192, 0), nullptr) << "no such host";
}

/** Names a port that is not there. */
class WrongPathSelector : public PathSelector
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::WrongPathSelector").SetParent<PathSelector>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "wrong";
    }

    PathSpread GetSpread() const override
    {
        return PathSpread::STATE;
    }

  private:
    uint32_t DoChoose(const PathQuery& query) override
    {
        return query.count;
    }
};

TEST_F(PathSelectorTest, APortThatIsNotThereEndsTheRun)
{
    const auto wrong = CreateObject<WrongPathSelector>();
    wrong->Start({1, 1});
    EXPECT_THROW(Choose(*wrong, 1), RunError);
}

} // namespace
} // namespace ns3::ddl
