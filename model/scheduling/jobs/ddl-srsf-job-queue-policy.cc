// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-queue-policy.h"

#include "ns3/boolean.h"
#include "ns3/ddl-policy-source.h"

namespace ns3::ddl
{

/**
 * `srsf`: the group with the least remaining service, compute time x GPUs, goes first; one that
 * does not fit lets the others pass (Ada-SRSF §IV-A, Algorithm 3 lines 6 to 14). Of equals, the one
 * that arrived first.
 */
class SrsfJobQueuePolicy : public JobQueuePolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::SrsfJobQueuePolicy")
                .SetParent<JobQueuePolicy>()
                .SetGroupName("Ddl")
                .AddConstructor<SrsfJobQueuePolicy>()
                .AddAttribute("Preemptive",
                              "groups with less left preempt running groups",
                              BooleanValue(false),
                              MakeBooleanAccessor(&SrsfJobQueuePolicy::m_preemptive),
                              MakeBooleanChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "shortest remaining service (time x GPUs) first; who does not fit lets others pass "
               "(Ada-SRSF Algorithm 3)";
    }

    bool IsPreemptive() const override
    {
        return m_preemptive;
    }

    bool FallsWhileRunning() const override
    {
        return true;
    }

  private:
    double DoGetPriority(const GroupView& group) override
    {
        return static_cast<double>(group.service.GetTimeStep());
    }

    bool m_preemptive{false};
};

NS_OBJECT_ENSURE_REGISTERED(SrsfJobQueuePolicy);
DDL_POLICY_SOURCE(SrsfJobQueuePolicy, "Ada-SRSF, arXiv", 2020, "remaining time");

} // namespace ns3::ddl
