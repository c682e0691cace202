// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-topology.h"

namespace ns3::ddl
{

/**
 * `three-tier`: GPUs below their server's switch, servers below their rack's, racks below spines.
 *
 * Each host is the network interface of one GPU and has one link, of `hostRate`, to its server's
 * switch `server0`, `server1`... (an NVSwitch); `ServerUplinks` links join that to the switch of
 * the rack, `rack0`..., and `RackUplinks` links each rack's switch to each of `spine0`... Traffic
 * inside a server thus crosses its switch as ordinary packets with priorities. A server with
 * several interfaces and no switch of its own is what ServerUplinks = GpusPerServer comes to,
 * except that flows choose among them by their hash, or by their destination (D-mod-k routing).
 *
 * Links on the way between two GPUs: 2 in one server, 4 in one rack, 6 otherwise. So the delay of
 * the way is 2 hostDelay, then 2 (hostDelay + ServerDelay), then 2 (hostDelay + ServerDelay +
 * RackDelay).
 */
class ThreeTierTopology : public Topology
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "GPUs below their server's switch, servers below rack switches, racks below spines";
    }

    std::optional<uint32_t> GetGpusPerHost() const override
    {
        return 1;
    }

  private:
    std::vector<TopologyProblem> DoFindProblems() const override;

    uint64_t CountServers() const
    {
        return uint64_t{m_racks} * m_servers;
    }

    uint64_t DoCountHosts() const override
    {
        return CountServers() * m_gpus;
    }

    bool DoHasEqualCostPaths() const override
    {
        return (CountServers() > 1 && m_serverUplinks > 1) ||
               (m_racks > 1 && uint64_t{m_spines} * m_rackUplinks > 1);
    }

    void DoMakePlan(TopologyPlan& plan) const override;

    uint32_t m_racks;
    uint32_t m_servers; //!< servers per rack
    uint32_t m_gpus;    //!< GPUs per server
    uint32_t m_spines;
    uint32_t m_serverUplinks; //!< links from a server's switch to its rack's
    uint32_t m_rackUplinks;   //!< links from a rack's switch to each spine
    DataRate m_serverRate;
    DataRate m_rackRate;
    std::string m_serverDelay;
    std::string m_rackDelay;
};

NS_OBJECT_ENSURE_REGISTERED(ThreeTierTopology);

TypeId
ThreeTierTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::ThreeTierTopology")
            .SetParent<Topology>()
            .SetGroupName("Ddl")
            .AddConstructor<ThreeTierTopology>()
            .AddAttribute("Racks",
                          "number of racks, each with a switch, rack0, rack1...",
                          UintegerValue(2),
                          MakeUintegerAccessor(&ThreeTierTopology::m_racks),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("ServersPerRack",
                          "servers of each rack, each with a switch, server0, server1...",
                          UintegerValue(2),
                          MakeUintegerAccessor(&ThreeTierTopology::m_servers),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("GpusPerServer",
                          "hosts of each server, each the interface of one GPU (in rail-optimised "
                          "also the rail switches of a pod, rail0, rail1...); at most 65536 hosts "
                          "in all",
                          UintegerValue(4),
                          MakeUintegerAccessor(&ThreeTierTopology::m_gpus),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("Spines",
                          "number of spines, spine0, spine1...",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ThreeTierTopology::m_spines),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("ServerUplinks",
                          "links between each server's switch and its rack's: the network "
                          "interfaces of a server",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ThreeTierTopology::m_serverUplinks),
                          MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("RackUplinks",
                          "links between each rack's switch and each spine; at most 10^6 links "
                          "between switches",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ThreeTierTopology::m_rackUplinks),
                          MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("ServerRate",
                          "rate of each link between a server's switch and its rack's",
                          DataRateValue(DataRate("10Gbps")),
                          MakeDataRateAccessor(&ThreeTierTopology::m_serverRate),
                          MakeDataRateChecker())
            .AddAttribute("RackRate",
                          "rate of each link between a rack's switch and a spine",
                          DataRateValue(DataRate("10Gbps")),
                          MakeDataRateAccessor(&ThreeTierTopology::m_rackRate),
                          MakeDataRateChecker())
            .AddAttribute("ServerDelay",
                          "delay of each link between a server's switch and its rack's, one way; "
                          "empty: `delay`",
                          StringValue(""),
                          MakeStringAccessor(&ThreeTierTopology::m_serverDelay),
                          MakeStringChecker())
            .AddAttribute("RackDelay",
                          "delay of each link between a rack's switch and a spine, one way; empty: "
                          "`delay`",
                          StringValue(""),
                          MakeStringAccessor(&ThreeTierTopology::m_rackDelay),
                          MakeStringChecker());
    return tid;
}

std::vector<TopologyProblem>
ThreeTierTopology::DoFindProblems() const
{
    std::vector<TopologyProblem> problems;
    CheckDelay("ServerDelay", m_serverDelay, problems);
    CheckDelay("RackDelay", m_rackDelay, problems);
    if (DoCountHosts() > MOST_TOPOLOGY_HOSTS)
    {
        problems.push_back({"",
                            "racks x serversPerRack x gpusPerServer is more than " +
                                std::to_string(MOST_TOPOLOGY_HOSTS)});
    }
    if (CountServers() * m_serverUplinks + uint64_t{m_racks} * m_spines * m_rackUplinks >
        MOST_TOPOLOGY_CABLES)
    {
        problems.push_back(
            {"",
             "racks x (serversPerRack x serverUplinks + spines x rackUplinks) is more than " +
                 std::to_string(MOST_TOPOLOGY_CABLES)});
    }
    return problems;
}

void
ThreeTierTopology::DoMakePlan(TopologyPlan& plan) const
{
    const auto serverDelay = ReadDelay(m_serverDelay);
    const auto rackDelay = ReadDelay(m_rackDelay);
    std::vector<uint32_t> racks;
    for (uint32_t rack = 0; rack < m_racks; ++rack)
    {
        racks.push_back(plan.AddSwitch("rack" + std::to_string(rack)));
        const uint32_t number = plan.AddRack();
        for (uint32_t i = 0; i < m_servers; ++i)
        {
            const uint32_t server =
                plan.AddSwitch("server" + std::to_string(uint64_t{rack} * m_servers + i));
            plan.AddServer(number, std::vector<uint32_t>(m_gpus, server));
            for (uint32_t uplink = 0; uplink < m_serverUplinks; ++uplink)
            {
                plan.Connect(server, racks.back(), m_serverRate, serverDelay);
            }
        }
    }
    for (uint32_t i = 0; i < m_spines; ++i)
    {
        const uint32_t spine = plan.AddSwitch("spine" + std::to_string(i));
        for (const uint32_t rack : racks)
        {
            for (uint32_t uplink = 0; uplink < m_rackUplinks; ++uplink)
            {
                plan.Connect(rack, spine, m_rackRate, rackDelay);
            }
        }
    }
}

} // namespace ns3::ddl
