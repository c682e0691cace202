// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-leaf-spine-topology.h"

#include "ns3/attribute-container.h"
#include "ns3/ddl-list-accessor.h"

#include <numeric>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(LeafSpineTopology);

TypeId
LeafSpineTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::LeafSpineTopology")
            .SetParent<Topology>()
            .SetGroupName("Ddl")
            .AddConstructor<LeafSpineTopology>()
            .AddAttribute("Leaves",
                          "number of leaves (racks), leaf0, leaf1...",
                          UintegerValue(2),
                          MakeUintegerAccessor(&LeafSpineTopology::m_leaves),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("HostsPerLeaf",
                          "hosts of each leaf: one number for all (leaf l has hosts l x "
                          "hostsPerLeaf and on), or a list with one per leaf, [8, 8, 7]; at most "
                          "65536 hosts in all",
                          AttributeContainerValue<UintegerValue>(std::vector<uint32_t>{4}),
                          MakeListAccessor<UintegerValue>(&LeafSpineTopology::m_hosts),
                          MakeAttributeContainerChecker<UintegerValue>(
                              MakeUintegerChecker<uint32_t>(1, 4096)))
            .AddAttribute("Spines",
                          "number of spines, spine0, spine1...",
                          UintegerValue(2),
                          MakeUintegerAccessor(&LeafSpineTopology::m_spines),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute(
                "Parallel",
                "links between each leaf (rail) and each spine; leaves (rails) x spines x "
                "parallel is at most 10^6",
                UintegerValue(1),
                MakeUintegerAccessor(&LeafSpineTopology::m_parallel),
                MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("FabricRate",
                          "rate of each link between leaf (rail) and spine",
                          DataRateValue(DataRate("10Gbps")),
                          MakeDataRateAccessor(&LeafSpineTopology::m_rate),
                          MakeDataRateChecker())
            .AddAttribute("FabricDelay",
                          "delay of each link between leaf (rail) and spine, one way; empty: "
                          "`delay`",
                          StringValue(""),
                          MakeStringAccessor(&LeafSpineTopology::m_delay),
                          MakeStringChecker());
    return tid;
}

uint32_t
LeafSpineTopology::CountLeafHosts(uint32_t leaf) const
{
    return m_hosts.size() == 1 ? m_hosts[0] : m_hosts[leaf];
}

std::vector<TopologyProblem>
LeafSpineTopology::DoFindProblems() const
{
    std::vector<TopologyProblem> problems;
    CheckDelay("FabricDelay", m_delay, problems);
    if (m_hosts.size() != 1 && m_hosts.size() != m_leaves)
    {
        problems.push_back({"HostsPerLeaf",
                            std::to_string(m_hosts.size()) + " numbers for " +
                                std::to_string(m_leaves) +
                                " leaves (one number for all, or one a leaf)"});
        return problems;
    }
    if (DoCountHosts() > MOST_TOPOLOGY_HOSTS)
    {
        problems.push_back(
            {"", "leaves x hostsPerLeaf is more than " + std::to_string(MOST_TOPOLOGY_HOSTS)});
    }
    if (uint64_t{m_leaves} * m_spines * m_parallel > MOST_TOPOLOGY_CABLES)
    {
        problems.push_back(
            {"",
             "leaves x spines x parallel is more than " + std::to_string(MOST_TOPOLOGY_CABLES)});
    }
    return problems;
}

uint64_t
LeafSpineTopology::DoCountHosts() const
{
    return m_hosts.size() == 1 ? uint64_t{m_leaves} * m_hosts[0]
                               : std::accumulate(m_hosts.begin(), m_hosts.end(), uint64_t{0});
}

void
LeafSpineTopology::DoMakePlan(TopologyPlan& plan) const
{
    const auto delay = ReadDelay(m_delay);
    std::vector<uint32_t> leaves;
    for (uint32_t leaf = 0; leaf < m_leaves; ++leaf)
    {
        leaves.push_back(plan.AddSwitch("leaf" + std::to_string(leaf)));
        plan.AddHosts(leaves.back(), CountLeafHosts(leaf));
    }
    for (uint32_t i = 0; i < m_spines; ++i)
    {
        const uint32_t spine = plan.AddSwitch("spine" + std::to_string(i));
        for (uint32_t cable = 0; cable < m_leaves * m_parallel; ++cable)
        {
            plan.Connect(leaves[cable / m_parallel], spine, m_rate, delay);
        }
    }
}

} // namespace ns3::ddl
