// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-topology.h"

namespace ns3::ddl
{

/** `dumbbell`: hosts at `switch0` and at `switch1`, and one link between the two. */
class DumbbellTopology : public Topology
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::DumbbellTopology")
                .SetParent<Topology>()
                .SetGroupName("Ddl")
                .AddConstructor<DumbbellTopology>()
                .AddAttribute("LeftHosts",
                              "hosts at switch0, the first ones",
                              UintegerValue(2),
                              MakeUintegerAccessor(&DumbbellTopology::m_left),
                              MakeUintegerChecker<uint32_t>(1, MOST_TOPOLOGY_HOSTS / 2))
                .AddAttribute("RightHosts",
                              "hosts at switch1",
                              UintegerValue(2),
                              MakeUintegerAccessor(&DumbbellTopology::m_right),
                              MakeUintegerChecker<uint32_t>(1, MOST_TOPOLOGY_HOSTS / 2))
                .AddAttribute("BottleneckRate",
                              "rate of the link between the two switches",
                              DataRateValue(DataRate("10Gbps")),
                              MakeDataRateAccessor(&DumbbellTopology::m_rate),
                              MakeDataRateChecker())
                .AddAttribute("BottleneckDelay",
                              "delay of the link between the two switches, one way; empty: `delay`",
                              StringValue(""),
                              MakeStringAccessor(&DumbbellTopology::m_delay),
                              MakeStringChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "two switches with hosts at both, and one link between them";
    }

  private:
    std::vector<TopologyProblem> DoFindProblems() const override
    {
        std::vector<TopologyProblem> problems;
        CheckDelay("BottleneckDelay", m_delay, problems);
        return problems;
    }

    uint64_t DoCountHosts() const override
    {
        return uint64_t{m_left} + m_right;
    }

    void DoMakePlan(TopologyPlan& plan) const override
    {
        const uint32_t left = plan.AddSwitch("switch0");
        const uint32_t right = plan.AddSwitch("switch1");
        plan.AddHosts(left, m_left);
        plan.AddHosts(right, m_right);
        plan.Connect(left, right, m_rate, ReadDelay(m_delay));
    }

    uint32_t m_left;
    uint32_t m_right;
    DataRate m_rate;     //!< rate of the link between the two switches
    std::string m_delay; //!< delay of the link between the two switches, see Topology::ReadDelay
};

NS_OBJECT_ENSURE_REGISTERED(DumbbellTopology);

} // namespace ns3::ddl
