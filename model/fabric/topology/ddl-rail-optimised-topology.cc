// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-topology.h"

namespace ns3::ddl
{

/**
 * `rail-optimised`: a leaf-spine in which GPU i of every server hangs on rail i.
 *
 * Each host is the network interface of one GPU; host i of every server of a pod has its link to
 * the pod's rail switch i, and all rails of all pods are joined to all spines. Switch i of pod p is
 * `railN` with N = p x GpusPerServer + i. GPUs of equal number in one pod are thus two links apart,
 * and a collective among them touches no spine.
 *
 * Links on the way between two hosts: 2 on one rail of one pod, 4 otherwise, also between two GPUs
 * of one server: there is no switch inside servers here. A pod counts as a rack.
 */
class RailOptimisedTopology : public Topology
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "leaf-spine with GPU i of every server on rail switch i";
    }

    std::optional<uint32_t> GetGpusPerHost() const override
    {
        return 1;
    }

  private:
    std::vector<TopologyProblem> DoFindProblems() const override;

    uint64_t CountRails() const
    {
        return uint64_t{m_pods} * m_gpus;
    }

    uint64_t DoCountHosts() const override
    {
        return CountRails() * m_servers;
    }

    bool DoHasEqualCostPaths() const override
    {
        return CountRails() > 1 && uint64_t{m_spines} * m_parallel > 1;
    }

    void DoMakePlan(TopologyPlan& plan) const override;

    uint32_t m_pods;
    uint32_t m_servers; //!< servers per pod
    uint32_t m_gpus;    //!< GPUs per server, which are the rails of a pod
    uint32_t m_spines;
    uint32_t m_parallel;
    DataRate m_rate;     //!< rate of a link between rail and spine
    std::string m_delay; //!< delay of a link between rail and spine, see Topology::ReadDelay
};

NS_OBJECT_ENSURE_REGISTERED(RailOptimisedTopology);

TypeId
RailOptimisedTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::RailOptimisedTopology")
            .SetParent<Topology>()
            .SetGroupName("Ddl")
            .AddConstructor<RailOptimisedTopology>()
            .AddAttribute("Pods",
                          "groups of servers that share rail switches",
                          UintegerValue(2),
                          MakeUintegerAccessor(&RailOptimisedTopology::m_pods),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("ServersPerPod",
                          "servers of each pod",
                          UintegerValue(4),
                          MakeUintegerAccessor(&RailOptimisedTopology::m_servers),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("GpusPerServer",
                          "hosts of each server, each the interface of one GPU (in rail-optimised "
                          "also the rail switches of a pod, rail0, rail1...); at most 65536 hosts "
                          "in all",
                          UintegerValue(4),
                          MakeUintegerAccessor(&RailOptimisedTopology::m_gpus),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("Spines",
                          "number of spines, spine0, spine1...",
                          UintegerValue(2),
                          MakeUintegerAccessor(&RailOptimisedTopology::m_spines),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute(
                "Parallel",
                "links between each leaf (rail) and each spine; leaves (rails) x spines x "
                "parallel is at most 10^6",
                UintegerValue(1),
                MakeUintegerAccessor(&RailOptimisedTopology::m_parallel),
                MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("FabricRate",
                          "rate of each link between leaf (rail) and spine",
                          DataRateValue(DataRate("10Gbps")),
                          MakeDataRateAccessor(&RailOptimisedTopology::m_rate),
                          MakeDataRateChecker())
            .AddAttribute("FabricDelay",
                          "delay of each link between leaf (rail) and spine, one way; empty: "
                          "`delay`",
                          StringValue(""),
                          MakeStringAccessor(&RailOptimisedTopology::m_delay),
                          MakeStringChecker());
    return tid;
}

std::vector<TopologyProblem>
RailOptimisedTopology::DoFindProblems() const
{
    std::vector<TopologyProblem> problems;
    CheckDelay("FabricDelay", m_delay, problems);
    if (DoCountHosts() > MOST_TOPOLOGY_HOSTS)
    {
        problems.push_back({"",
                            "pods x serversPerPod x gpusPerServer is more than " +
                                std::to_string(MOST_TOPOLOGY_HOSTS)});
    }
    if (CountRails() * m_spines * m_parallel > MOST_TOPOLOGY_CABLES)
    {
        problems.push_back({"",
                            "pods x gpusPerServer x spines x parallel is more than " +
                                std::to_string(MOST_TOPOLOGY_CABLES)});
    }
    return problems;
}

void
RailOptimisedTopology::DoMakePlan(TopologyPlan& plan) const
{
    const auto delay = ReadDelay(m_delay);
    std::vector<uint32_t> rails; // node indices of the rail switches of all pods
    for (uint32_t pod = 0; pod < m_pods; ++pod)
    {
        std::vector<uint32_t> own;
        for (uint32_t i = 0; i < m_gpus; ++i)
        {
            // Hosts of a rail differ by their server's number.
            own.push_back(plan.AddSwitch("rail" + std::to_string(rails.size() + i), m_gpus));
        }
        rails.insert(rails.end(), own.begin(), own.end());
        const uint32_t rack = plan.AddRack();
        for (uint32_t server = 0; server < m_servers; ++server)
        {
            plan.AddServer(rack, own);
        }
    }
    for (uint32_t i = 0; i < m_spines; ++i)
    {
        const uint32_t spine = plan.AddSwitch("spine" + std::to_string(i), m_gpus);
        for (const uint32_t rail : rails)
        {
            for (uint32_t cable = 0; cable < m_parallel; ++cable)
            {
                plan.Connect(rail, spine, m_rate, delay);
            }
        }
    }
}

} // namespace ns3::ddl
