// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_QUEUE_POLICY_H
#define DDL_JOB_QUEUE_POLICY_H

#include "ns3/ddl-ids.h"
#include "ns3/ddl-policy.h"
#include "ns3/nstime.h"

#include <optional>
#include <vector>

namespace ns3::ddl
{

/**
 * A cojob, or a plain job as a group of one, that waits for GPUs or holds some, as a job queue
 * policy sees it. Times without a date are durations.
 */
struct GroupView
{
    CojobId id;
    Time submit; //!< date of its arrival
    uint32_t jobs{1};
    uint32_t gpus{1}; //!< GPUs that all its jobs need together
    Time remaining{}; //!< compute time left of its longest job, all stages
    Time service{};   //!< sum over its jobs of compute time left x GPUs

    // The members from here on are what it has done and got so far.
    bool running{false};             //!< whether it holds GPUs; otherwise it waits
    Time lasted{};                   //!< length so far of its present wait or run
    std::optional<Time> lastStart{}; //!< date at which it last got GPUs; none: never
    Time waited{};                   //!< sum of its waits for GPUs
    Time occupied{};                 //!< time for which it has held GPUs
    Time attained{};                 //!< attained service: sum over its jobs of that time x GPUs
    Time computed{};  //!< compute time of what its longest job has done, without noise
    Time iteration{}; //!< compute time of an iteration of its longest job, without noise
    /** Time that it still needs on its GPUs; none: unknown. At present the true compute time. */
    std::optional<Time> estimatedRemaining{};
};

/**
 * Policy family: in what order are GPUs offered to groups (cojobs, or single plain jobs), and which
 * running groups are preempted?
 *
 * Whenever GPUs may have become free, the waiting groups are tried in the order of their
 * priorities, and those that fit start. If the policy lets others pass, all groups are tried;
 * otherwise all groups after the first one that does not fit wait as well.
 *
 * With a preemptive policy running groups compete, too. Imagine that all groups, running and
 * waiting, were given their GPUs in the order of their priorities. Running groups that would get
 * none lose theirs to waiting groups that would get some, as soon as they have finished the
 * iterations that they have begun. If the job manager has a Lease, a group competes when its lease
 * is over, under any policy.
 *
 * A waiting group's priority is computed when it begins to wait, and again at the dates that
 * GetNextChange gives; so is a running group's if GetNextChange gives one, and otherwise whenever
 * it competes (with FallsWhileRunning: only if its last known priority leaves open whether it is
 * before all that wait). Where a group will run is not known yet, so its communication counts 0
 * (Ada-SRSF §IV-A).
 */
class JobQueuePolicy : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * \param group a group that waits or runs
     * \return its priority: the least is first, of equals one that runs, then the one that began to
     *         wait first. A number, or infinite
     * \throws RunError with the policy's name when the policy answers with NaN
     */
    double GetPriority(const GroupView& group);

    /** \return the priorities of these groups, in their order. Reading the CPU clock for each would
     * take longer than most answers */
    std::vector<double> GetPriorities(const std::vector<GroupView>& groups);

    /**
     * \param group a group that waits or runs
     * \return time from now, more than 0, for which its priority stays if it goes on waiting or
     *         running; Time::Max(): for ever; none: the policy does not know, and is asked for the
     *         priority of a running group each time that it competes
     * \throws RunError with the policy's name when the answer is not more than 0
     */
    std::optional<Time> GetNextChange(const GroupView& group);

    /** \return true if NoteServices is to be called before the policy is asked anything */
    virtual bool WantsServices() const
    {
        return false;
    }

    /**
     * Learn how long jobs take.
     *
     * \param services service of each group of the workload, over all stages: the sum over its jobs
     *        of compute time x GPUs; of a long workload those of its first groups
     */
    virtual void NoteServices(const std::vector<Time>& /* services */)
    {
    }

    /** \return true if groups may start while one of a smaller priority does not fit */
    virtual bool LetsOthersPass() const
    {
        return true;
    }

    /** \return true if running groups are preempted for waiting groups of a smaller priority */
    virtual bool IsPreemptive() const
    {
        return false;
    }

    /**
     * \return true if the priority of a group never grows while it runs, so that an earlier answer
     *         is an upper bound. Groups that are before all that wait are then not asked again
     */
    virtual bool FallsWhileRunning() const
    {
        return false;
    }

  private:
    double Ask(const GroupView& group);
    virtual double DoGetPriority(const GroupView& group) = 0;

    virtual std::optional<Time> DoGetNextChange(const GroupView& /* group */)
    {
        return std::nullopt;
    }
};

} // namespace ns3::ddl

#endif // DDL_JOB_QUEUE_POLICY_H
