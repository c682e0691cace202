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
    uint32_t gpus{1}; //!< that all its jobs need together
    Time remaining{}; //!< compute time left of its longest job, all stages
    Time service{};   //!< sum over its jobs of compute time left x GPUs

    // What it has done and got so far.
    bool running{false};             //!< it holds GPUs; otherwise it waits
    Time lasted{};                   //!< its present wait, or run, so far
    std::optional<Time> lastStart{}; //!< date at which it last got GPUs; none: never
    Time waited{};                   //!< for GPUs, all waits together
    Time occupied{};                 //!< it has held GPUs
    Time attained{};  //!< sum over its jobs of that time x GPUs: its attained service
    Time computed{};  //!< compute time of what its longest job has done, without noise
    Time iteration{}; //!< of that, of one iteration
    std::optional<Time>
        estimatedRemaining{}; //!< time that it still needs on its GPUs; none:
                              //!< nobody knows. At present the true compute time left
};

/**
 * Policy family: in what order are GPUs offered to groups (cojobs, or single plain jobs), and which
 * running groups are preempted?
 *
 * Whenever GPUs may have become free, the waiting groups are tried in the order of their
 * priorities, and those that fit start. If the policy lets others pass, all groups are tried;
 * otherwise all groups behind the first one that does not fit wait as well.
 *
 * With a preemptive policy running groups compete, too. Imagine that all groups, running and
 * waiting, were given their GPUs in the order of their priorities. Running groups that would get
 * none lose theirs to waiting groups that would get some, as soon as they have finished the
 * iterations that they have begun. If the job manager has a Lease, a group competes when its lease
 * is over, under any policy.
 *
 * A waiting group's priority is computed when it begins to wait, and again at the dates that
 * GetNextChange gives; a running group's whenever it competes, unless GetNextChange names all its
 * changes. Where a group will run is not known yet, so its communication counts 0 (Ada-SRSF §IV-A).
 */
class JobQueuePolicy : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * \param group that waits or runs
     * \return its priority: the least is first, of equals one that runs, then the one that began to
     *         wait first. A number, or infinite
     * \throws RunError with the policy's name when the policy answers with NaN
     */
    double GetPriority(const GroupView& group);

    /** \return the same of each of these groups */
    std::vector<double> GetPriorities(const std::vector<GroupView>& groups);

    /**
     * \param group that waits or runs
     * \return how long from now its priority does not change if it goes on waiting or running, more
     *         than 0; none: for ever, or the policy does not know
     * \throws RunError with the policy's name when the answer is not more than 0
     */
    std::optional<Time> GetNextChange(const GroupView& group);

    /** \return true if groups may start while one of a smaller priority does not fit */
    virtual bool LetsOthersPass() const
    {
        return true;
    }

    /**
     * \return true if the priority of a group that runs changes only when GetNextChange says so; it
     *         is then not asked for each time that the group competes
     */
    virtual bool NamesAllChanges() const
    {
        return false;
    }

    /** \return true if groups that run give way to groups of a smaller priority */
    virtual bool IsPreemptive() const
    {
        return false;
    }

  private:
    virtual double DoGetPriority(const GroupView& group) = 0;

    virtual std::optional<Time> DoGetNextChange(const GroupView& /* group */)
    {
        return std::nullopt;
    }
};

} // namespace ns3::ddl

#endif // DDL_JOB_QUEUE_POLICY_H
