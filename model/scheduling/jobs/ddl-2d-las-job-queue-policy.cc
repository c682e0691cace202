// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-attained-service-job-queue-policy.h"

#include "ns3/boolean.h"
#include "ns3/ddl-job-service.h"
#include "ns3/ddl-policy-source.h"

namespace ns3::ddl
{

/**
 * `2d-las`: least attained service first (Tiresias, NSDI 2019, §3.2), in queues, of which each is
 * in FIFO order, so that groups of one queue do not preempt each other.
 *
 * With StartOrder a queue is in the order of the authors' simulator, which approximates that of the
 * first starts: who runs is before who waits; of those that wait, who has lost GPUs is first, the
 * latest before the others, and then come those that have not run since they entered the queue. A
 * group that falls into a queue is behind all that wait there, for that instant.
 *
 * Without queues, the attained service itself is the priority; as it grows while a group runs,
 * a lease or a minimum time to run should keep groups from preempting each other all the time.
 */
class TwoDimensionalLasJobQueuePolicy : public AttainedServiceJobQueuePolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::2dLasJobQueuePolicy")
                .SetParent<AttainedServiceJobQueuePolicy>()
                .SetGroupName("Ddl")
                .AddConstructor<TwoDimensionalLasJobQueuePolicy>()
                .AddAttribute("StartOrder",
                              "whether a queue is in the order of Tiresias' simulator; false: who "
                              "has begun to wait first is first",
                              BooleanValue(false),
                              MakeBooleanAccessor(&TwoDimensionalLasJobQueuePolicy::m_startOrder),
                              MakeBooleanChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "least attained service (GPUs x time) first, in queues; takes GPUs from later "
               "queues "
               "(Tiresias)";
    }

  private:
    double GetPriorityIn(std::size_t queue, const GroupView& group) const override
    {
        if (!HasQueues())
        {
            return group.attained.GetSeconds();
        }
        return m_startOrder ? queue * SECONDS_OF_QUEUE + GetPlaceInQueue(group, queue) : queue;
    }

    std::optional<Time> GetNextChangeInQueue(const GroupView& group) const override
    {
        if (!HasQueues())
        {
            return std::nullopt; // it changes all the time
        }
        return m_startOrder && HasJustFallen(group) ? TimeStep(1) : Time::Max();
    }

    /** Priorities of groups of one queue differ by less, in StartOrder. */
    static constexpr double SECONDS_OF_QUEUE = 1e12;
    /** Later than any date in seconds. */
    static constexpr double END_OF_TIME = 1e11;

    /** \return place of a group in its queue, of which the least is first (StartOrder) */
    double GetPlaceInQueue(const GroupView& group, std::size_t queue) const
    {
        if (group.running)
        {
            return HasJustFallen(group) ? END_OF_TIME : -END_OF_TIME;
        }
        if (IsPromoted(group)) // since it had waited for that long
        {
            return GetPromotion(group).GetSeconds();
        }
        const double since =
            (group.submit + group.occupied + group.waited - group.lasted).GetSeconds();
        if (group.occupied.IsZero())
        {
            return since;
        }
        // It gives back its GPUs when it has finished the iterations that it had begun.
        const Time beyond = group.attained - GetStart(queue);
        const bool hasFallen = queue > 0 && beyond <= Multiply(group.iteration, 2.0 * group.gpus);
        return hasFallen ? since : -since;
    }

    /** \return whether a running group has come into a queue but the first at this nanosecond */
    bool HasJustFallen(const GroupView& group) const
    {
        const std::size_t queue = FindQueue(group);
        return queue > 0 && (group.attained - GetStart(queue)).GetTimeStep() < int64_t{group.gpus};
    }

    bool m_startOrder{false};
};

NS_OBJECT_ENSURE_REGISTERED(TwoDimensionalLasJobQueuePolicy);
DDL_POLICY_SOURCE(TwoDimensionalLasJobQueuePolicy, "Tiresias, NSDI", 2019, "nothing");

} // namespace ns3::ddl
