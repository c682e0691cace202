// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-queue-policy.h"

#include "ns3/ddl-policy-source.h"
#include "ns3/double.h"

namespace ns3::ddl
{

/**
 * `nw-sens`: the group that the network has slowed down most is first (Dally, IEEE Big Data 2025,
 * §IV-B1).
 *
 * Nw_sens = (I_done / I_total) / (T_run / (t_compute I_total)), which is the compute time of what a
 * group has done over the time for which it has held GPUs: 1 where nothing but computing took time,
 * less where it had to wait for communication. Waits for GPUs do not count. The iteration that a
 * group has begun counts as done, as far as there was time to compute it: two groups that never
 * wait for communication are equal at any moment.
 *
 * A group that has never run has 0 / 0; it counts as Fresh, 0 as in the authors' simulator, and so
 * goes first.
 */
class NwSensJobQueuePolicy : public JobQueuePolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::NwSensJobQueuePolicy")
                .SetParent<JobQueuePolicy>()
                .SetGroupName("Ddl")
                .AddConstructor<NwSensJobQueuePolicy>()
                .AddAttribute("Fresh",
                              "sensitivity of a group that has never run; 1: that of a group "
                              "that never waited for communication",
                              DoubleValue(0),
                              MakeDoubleAccessor(&NwSensJobQueuePolicy::m_fresh),
                              MakeDoubleChecker<double>(0, 1));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "least compute time for the time on GPUs first: who waits most for the network "
               "(Dally)";
    }

  private:
    double DoGetPriority(const GroupView& group) override
    {
        if (group.occupied.IsZero())
        {
            return m_fresh;
        }
        const Time computed = group.computed + (group.running ? group.iteration : Time());
        return Min(computed, group.occupied).GetDouble() / group.occupied.GetDouble();
    }

    double m_fresh{0};
};

NS_OBJECT_ENSURE_REGISTERED(NwSensJobQueuePolicy);
DDL_POLICY_SOURCE(NwSensJobQueuePolicy, "Dally, Big Data", 2025, "compute time of iterations");

} // namespace ns3::ddl
