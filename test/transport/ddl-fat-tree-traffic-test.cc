// SPDX-License-Identifier: GPL-2.0-only
// A fat-tree has full bisection bandwidth: any permutation goes at line rate where no two flows of
// it share a link (Al-Fares, §3.1).
#include "ddl-transport-fixture.h"

#include "ns3/ddl-switch.h"

#include <set>

namespace ns3::ddl
{
namespace
{

class FatTreeTrafficTest : public TransportFixture
{
  protected:
    void BuildTree(uint32_t k)
    {
        TopologySpec topology;
        topology.shape.SetTypeId("ns3::ddl::FatTreeTopology");
        topology.shape.Set("K", UintegerValue(k));
        Build(topology,
              {{"HeaderBytes", "0"}, {"CountFraming", "false"}, {"StoreAndForward", "false"}},
              {},
              {},
              "fluid");
    }

    /** \return the ports on the way of a stream with that label, "h0-edge0", "edge0-..." */
    std::vector<std::string> FindWay(uint32_t from, uint32_t to, uint32_t label)
    {
        const auto port =
            static_cast<uint16_t>(StreamHost::FIRST_SOURCE_PORT + label % FlowKey::PATH_LABELS);
        const FlowKey flow{m_fabric->GetAddress(HostId{to}), 6, port, StreamHost::LISTEN_PORT};
        const uint32_t hash = flow.PathHash(m_fabric->GetAddress(HostId{from}));
        std::vector<std::string> way;
        Ptr<Port> next = m_fabric->GetHostPort(HostId{from});
        while (next)
        {
            const auto here = next->GetNode();
            const auto there = next->GetPeer()->GetNode();
            way.push_back(m_fabric->GetName(here) + "-" + m_fabric->GetName(there));
            const auto node = DynamicCast<Switch>(there);
            next = node ? Ptr<Port>(node->GetRoute(to, hash)) : nullptr;
        }
        return way;
    }

    /**
     * All hosts of a fat-tree with k = 4 send 1.25 MB, 1 ms at 10 Gbps, to the host two pods on.
     *
     * \param labels of the streams, by host
     * \return when the last has arrived
     */
    Time Permute(const std::vector<uint32_t>& labels)
    {
        Time last;
        for (uint32_t host = 0; host < 16; ++host)
        {
            At(Seconds(1), [=, &last] {
                m_streams.push_back(Open(host, (host + 8) % 16, DATA, DATA, labels[host]));
                m_streams.back()->Send(1250000, Then([&last] { last = Simulator::Now(); }));
            });
        }
        Simulator::Run();
        return last - Seconds(1);
    }

    void TearDown() override
    {
        m_streams.clear();
        TransportFixture::TearDown();
    }

    std::vector<Ptr<StreamPair>> m_streams;
};

TEST_F(FatTreeTrafficTest, APermutationOverDistinctPathsGoesAtLineRate)
{
    BuildTree(4);
    std::set<std::string> taken;
    std::vector<uint32_t> labels;
    for (uint32_t host = 0; host < 16; ++host)
    {
        // Host j of edge e takes aggregation j and its core e: no two flows meet anywhere.
        const uint32_t core = host % 2 * 2 + host / 2 % 2;
        uint32_t label = 0;
        std::vector<std::string> way;
        for (;; ++label)
        {
            ASSERT_LT(label, 1000U) << "host " << host;
            way = FindWay(host, (host + 8) % 16, label);
            ASSERT_EQ(way.size(), 6U);
            if (way[2].find("-core" + std::to_string(core)) != std::string::npos)
            {
                break;
            }
        }
        labels.push_back(label);
        for (const std::string& link : way)
        {
            EXPECT_TRUE(taken.insert(link).second) << link << " is used twice";
        }
    }
    EXPECT_EQ(taken.size(), 96U); // 16 ways of 6: all links of the tree, in both directions
    EXPECT_EQ(Permute(labels), MilliSeconds(1) + MicroSeconds(6));
}

TEST_F(FatTreeTrafficTest, FlowsThatMeetShareTheirLink)
{
    // All over one core: the 4 flows out of each pod go up one link and the 4 into it come down
    // one, so each has a quarter of the rate.
    BuildTree(4);
    std::vector<uint32_t> labels;
    for (uint32_t host = 0; host < 16; ++host)
    {
        uint32_t label = 0;
        while (FindWay(host, (host + 8) % 16, label)[2].find("-core0") == std::string::npos)
        {
            ASSERT_LT(++label, 1000U);
        }
        labels.push_back(label);
    }
    EXPECT_EQ(Permute(labels), MilliSeconds(4) + MicroSeconds(6));
}

} // namespace
} // namespace ns3::ddl
