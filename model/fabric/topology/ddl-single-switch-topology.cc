// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-topology.h"

namespace ns3::ddl
{

/** `single-switch`: all hosts at `switch0`. */
class SingleSwitchTopology : public Topology
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::SingleSwitchTopology")
                .SetParent<Topology>()
                .SetGroupName("Ddl")
                .AddConstructor<SingleSwitchTopology>()
                .AddAttribute("Hosts",
                              "number of hosts, all at switch0",
                              UintegerValue(4),
                              MakeUintegerAccessor(&SingleSwitchTopology::m_hosts),
                              MakeUintegerChecker<uint32_t>(1, MOST_TOPOLOGY_HOSTS));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "all hosts at one switch";
    }

  private:
    uint64_t DoCountHosts() const override
    {
        return m_hosts;
    }

    void DoMakePlan(TopologyPlan& plan) const override
    {
        plan.AddHosts(plan.AddSwitch("switch0"), m_hosts);
    }

    uint32_t m_hosts;
};

NS_OBJECT_ENSURE_REGISTERED(SingleSwitchTopology);

} // namespace ns3::ddl
