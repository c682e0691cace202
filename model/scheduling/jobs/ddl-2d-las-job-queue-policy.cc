// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-queue-policy.h"

#include "ns3/attribute-container.h"
#include "ns3/boolean.h"
#include "ns3/ddl-job-service.h"
#include "ns3/ddl-list-accessor.h"
#include "ns3/ddl-policy-source.h"
#include "ns3/double.h"

#include <algorithm>
#include <vector>

namespace ns3::ddl
{

/**
 * `2d-las`: least attained service first, service being GPUs x time (Tiresias, NSDI 2019, §3.2).
 *
 * With queues, by thresholds T1 < T2 < ..., there is one for each range of attained service: a
 * group is in the first one until it has got T1, then in the second until T2, and so on; a group of
 * an earlier queue takes the GPUs of one of a later queue, and a queue is in FIFO order, so that
 * groups of one queue do not preempt each other. A group that has waited StarveLimit times as long
 * as it has run goes back to the first queue until it has run again.
 *
 * With StartOrder a queue is in the order of the authors' simulator, which approximates that of the
 * first starts: who runs is before who waits; of those that wait, who has lost GPUs is first, the
 * latest before the others, and then come those that have not run since they entered the queue. A
 * group that falls into a queue is behind all that wait there, for that instant.
 *
 * Without queues, the attained service itself is the priority; as it grows while a group runs,
 * a lease or a minimum time to run should keep groups from preempting each other all the time.
 */
class TwoDimensionalLasJobQueuePolicy : public JobQueuePolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::2dLasJobQueuePolicy")
                .SetParent<JobQueuePolicy>()
                .SetGroupName("Ddl")
                .AddConstructor<TwoDimensionalLasJobQueuePolicy>()
                .AddAttribute(
                    "Thresholds",
                    "GPU time at which a group falls into the next queue, ascending "
                    "(the default is that of Tiresias' simulator); scaled by m x i",
                    AttributeContainerValue<TimeValue>(
                        std::vector<Time>{Seconds(3250), Seconds(7200)}),
                    MakeListAccessor<TimeValue>(&TwoDimensionalLasJobQueuePolicy::m_thresholds),
                    MakeAttributeContainerChecker<TimeValue>(MakeTimeChecker(Time(0))))
                .AddAttribute("Discretised",
                              "whether there are queues; false: the attained service itself is the "
                              "priority",
                              BooleanValue(true),
                              MakeBooleanAccessor(&TwoDimensionalLasJobQueuePolicy::m_hasQueues),
                              MakeBooleanChecker())
                .AddAttribute("StarveLimit",
                              "a group that has waited this many times as long as it has run comes "
                              "back into the first queue; 0: never",
                              DoubleValue(0),
                              MakeDoubleAccessor(&TwoDimensionalLasJobQueuePolicy::m_starveLimit),
                              MakeDoubleChecker<double>(0))
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

    bool IsPreemptive() const override
    {
        return true;
    }

  private:
    double DoGetPriority(const GroupView& group) override
    {
        if (m_startOrder && m_hasQueues)
        {
            const std::size_t queue = IsPromoted(group) ? 0 : FindQueue(group.attained);
            return queue * SECONDS_OF_QUEUE + GetPlaceInQueue(group, queue);
        }
        if (IsPromoted(group))
        {
            return 0;
        }
        return m_hasQueues ? FindQueue(group.attained) : group.attained.GetSeconds();
    }

    std::optional<Time> DoGetNextChange(const GroupView& group) override
    {
        if (!group.running)
        {
            const Time limit = Multiply(group.occupied, m_starveLimit);
            return limit > group.waited ? std::make_optional(limit - group.waited) : std::nullopt;
        }
        if (!m_hasQueues)
        {
            return std::nullopt; // it changes all the time
        }
        if (m_startOrder && HasJustFallen(group))
        {
            return TimeStep(1);
        }
        const bool isPromoted = IsPromoted(group);
        const Time attained = isPromoted ? GetServiceOfRun(group) : group.attained;
        const std::size_t queue = isPromoted ? 0 : FindQueue(attained);
        if (queue == m_thresholds.size())
        {
            return Time::Max();
        }
        // The service left in this queue, rounded up: then the group is in the next one.
        const int64_t left = (m_thresholds[queue] - attained).GetTimeStep();
        return TimeStep((left + group.gpus - 1) / group.gpus);
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
            return (group.submit + group.occupied + Multiply(group.occupied, m_starveLimit))
                .GetSeconds();
        }
        const double since =
            (group.submit + group.occupied + group.waited - group.lasted).GetSeconds();
        if (group.occupied.IsZero())
        {
            return since;
        }
        // It gives back its GPUs when it has finished the iterations that it had begun.
        const Time beyond = group.attained - (queue > 0 ? m_thresholds[queue - 1] : Time());
        const bool hasFallen = queue > 0 && beyond <= Multiply(group.iteration, 2.0 * group.gpus);
        return hasFallen ? since : -since;
    }

    /** \return whether a running group has come into a queue but the first at this nanosecond */
    bool HasJustFallen(const GroupView& group) const
    {
        const std::size_t queue = IsPromoted(group) ? 0 : FindQueue(group.attained);
        return m_hasQueues && queue > 0 &&
               (group.attained - m_thresholds[queue - 1]).GetTimeStep() < int64_t{group.gpus};
    }

    static Time GetServiceOfRun(const GroupView& group)
    {
        return Multiply(group.lasted, group.gpus);
    }

    std::size_t FindQueue(Time attained) const
    {
        return std::upper_bound(m_thresholds.begin(), m_thresholds.end(), attained) -
               m_thresholds.begin();
    }

    /** \return whether a group has waited for too long, or runs for that reason and has not yet got
     * the first queue's service since */
    bool IsPromoted(const GroupView& group) const
    {
        const Time before = group.running ? group.occupied - group.lasted : group.occupied;
        const Time limit = Multiply(before, m_starveLimit);
        if (!limit.IsStrictlyPositive() || group.waited < limit)
        {
            return false;
        }
        return !group.running || (m_hasQueues && GetServiceOfRun(group) < m_thresholds.front());
    }

    std::vector<Time> m_thresholds; //!< T1, T2, ...: ends of the queues, at least one
    bool m_hasQueues{true};
    double m_starveLimit{0};
    bool m_startOrder{false};
};

NS_OBJECT_ENSURE_REGISTERED(TwoDimensionalLasJobQueuePolicy);
DDL_POLICY_SOURCE(TwoDimensionalLasJobQueuePolicy, "Tiresias, NSDI", 2019, "nothing");

} // namespace ns3::ddl
