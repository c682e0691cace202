// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-queue-policy.h"

#include "ns3/boolean.h"
#include "ns3/ddl-policy-source.h"

namespace ns3::ddl
{

/**
 * `srtf`: the group whose longest job has the least compute time before it goes first; one that
 * does not fit lets the others pass. Of equals, the one that arrived first.
 */
class SrtfJobQueuePolicy : public JobQueuePolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::SrtfJobQueuePolicy")
                .SetParent<JobQueuePolicy>()
                .SetGroupName("Ddl")
                .AddConstructor<SrtfJobQueuePolicy>()
                .AddAttribute("Preemptive",
                              "groups with less left preempt running groups",
                              BooleanValue(false),
                              MakeBooleanAccessor(&SrtfJobQueuePolicy::m_preemptive),
                              MakeBooleanChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "shortest remaining time first; who does not fit lets others pass (Ada-SRSF)";
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
        return static_cast<double>(group.remaining.GetTimeStep());
    }

    bool m_preemptive{false};
};

NS_OBJECT_ENSURE_REGISTERED(SrtfJobQueuePolicy);
DDL_POLICY_SOURCE(SrtfJobQueuePolicy, "Ada-SRSF, arXiv", 2020, "remaining time");

} // namespace ns3::ddl
