// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-topology.h"

namespace ns3::ddl
{

/**
 * `fat-tree`: the k-ary fat-tree of three levels (Al-Fares, Loukissas and Vahdat, *A Scalable,
 * Commodity Data Center Network Architecture*, SIGCOMM 2008, §3.1).
 *
 * K pods of K/2 edge and K/2 aggregation switches; each edge switch has K/2 hosts; (K/2)^2 core
 * switches. Every switch has K ports. Edge switch and aggregation switch of a pod are joined each
 * to each; aggregation switch a of every pod has links to cores a K/2 to (a + 1) K/2 - 1. So there
 * are K^3/4 hosts, 3 K^3/4 links, and (K/2)^2 shortest paths between hosts of different pods. A
 * rack is an edge switch with its hosts.
 *
 * Links on the way between two hosts: 2 in one rack, 4 in one pod, 6 otherwise.
 *
 * Deviation: the paper routes by a two-level table of prefixes and suffixes (§3.3); here flows
 * choose by their hash, as in §3.5.
 */
class FatTreeTopology : public Topology
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "k-ary fat-tree: k pods of edge and aggregation switches below (k/2)^2 cores "
               "(Al-Fares)";
    }

  private:
    std::vector<TopologyProblem> DoFindProblems() const override;

    uint64_t DoCountHosts() const override
    {
        return uint64_t{m_k} * m_k * m_k / 4;
    }

    bool DoHasEqualCostPaths() const override
    {
        return m_k > 2;
    }

    void DoMakePlan(TopologyPlan& plan) const override;

    uint32_t m_k;
    DataRate m_podRate;
    DataRate m_coreRate;
    std::string m_podDelay;
    std::string m_coreDelay;
};

NS_OBJECT_ENSURE_REGISTERED(FatTreeTopology);

TypeId
FatTreeTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::FatTreeTopology")
            .SetParent<Topology>()
            .SetGroupName("Ddl")
            .AddConstructor<FatTreeTopology>()
            .AddAttribute("K",
                          "ports of each switch, an even number: k pods, k^3/4 hosts",
                          UintegerValue(4),
                          MakeUintegerAccessor(&FatTreeTopology::m_k),
                          MakeUintegerChecker<uint32_t>(2, 64))
            .AddAttribute("PodRate",
                          "rate of each link between an edge and an aggregation switch",
                          DataRateValue(DataRate("10Gbps")),
                          MakeDataRateAccessor(&FatTreeTopology::m_podRate),
                          MakeDataRateChecker())
            .AddAttribute("CoreRate",
                          "rate of each link between an aggregation switch and a core",
                          DataRateValue(DataRate("10Gbps")),
                          MakeDataRateAccessor(&FatTreeTopology::m_coreRate),
                          MakeDataRateChecker())
            .AddAttribute("PodDelay",
                          "delay of each link between an edge and an aggregation switch, one way; "
                          "empty: `delay`",
                          StringValue(""),
                          MakeStringAccessor(&FatTreeTopology::m_podDelay),
                          MakeStringChecker())
            .AddAttribute("CoreDelay",
                          "delay of each link between an aggregation switch and a core, one way; "
                          "empty: `delay`",
                          StringValue(""),
                          MakeStringAccessor(&FatTreeTopology::m_coreDelay),
                          MakeStringChecker());
    return tid;
}

std::vector<TopologyProblem>
FatTreeTopology::DoFindProblems() const
{
    std::vector<TopologyProblem> problems;
    CheckDelay("PodDelay", m_podDelay, problems);
    CheckDelay("CoreDelay", m_coreDelay, problems);
    if (m_k % 2 != 0)
    {
        problems.push_back({"K", std::to_string(m_k) + " is odd (an even number from 2 to 64)"});
    }
    return problems;
}

void
FatTreeTopology::DoMakePlan(TopologyPlan& plan) const
{
    const auto podDelay = ReadDelay(m_podDelay);
    const auto coreDelay = ReadDelay(m_coreDelay);
    const uint32_t half = m_k / 2;
    std::vector<uint32_t> aggregations; // node indices, pod by pod
    for (uint32_t pod = 0; pod < m_k; ++pod)
    {
        std::vector<uint32_t> edges;
        for (uint32_t i = 0; i < half; ++i)
        {
            edges.push_back(plan.AddSwitch("edge" + std::to_string(pod * half + i)));
            plan.AddHosts(edges.back(), half);
        }
        for (uint32_t i = 0; i < half; ++i)
        {
            // The edge switches send an aggregation switch packets to every `half`-th host only.
            aggregations.push_back(
                plan.AddSwitch("aggregation" + std::to_string(pod * half + i), half));
            for (const uint32_t edge : edges)
            {
                plan.Connect(edge, aggregations.back(), m_podRate, podDelay);
            }
        }
    }
    for (uint32_t i = 0; i < half * half; ++i)
    {
        const uint32_t core = plan.AddSwitch("core" + std::to_string(i));
        for (uint32_t pod = 0; pod < m_k; ++pod)
        {
            plan.Connect(aggregations[pod * half + i / half], core, m_coreRate, coreDelay);
        }
    }
}

} // namespace ns3::ddl
