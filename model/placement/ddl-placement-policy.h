// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PLACEMENT_POLICY_H
#define DDL_PLACEMENT_POLICY_H

#include "ddl-delay-timers.h"
#include "ddl-wait-history.h"

#include "ns3/ddl-cluster-view.h"
#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-job-usage.h"
#include "ns3/ddl-policy.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/**
 * A job that asks for GPUs, or that runs and might move, as a placement policy sees it. All jobs of
 * a cojob wait and run together. Times without a date are durations.
 */
struct JobView
{
    JobId id;
    CojobId group;              //!< its cojob, or the number of a plain job as a group of one
    std::string model;          //!< name
    uint64_t bytes{0};          //!< of the model
    double skew{0};             //!< part of these in its largest layer; 0: layers are not known
    Time compute{};             //!< of an iteration: both passes on a GPU of speed 1, without noise
    uint64_t iterationsLeft{0}; //!< of all stages
    uint64_t iterationsDone{0}; //!< likewise
    Time submit{};              //!< date of its arrival
    Time waited{};              //!< its present wait for GPUs so far; 0 while it runs
    Time waitedBefore{};        //!< all its waits before this one
    Time occupied{};            //!< it has held GPUs
    Time attained{};            //!< sum over the jobs of its group of that time x GPUs
    std::optional<Time> lastStart{}; //!< date at which it last got GPUs; none: never
    std::string stopped{};     //!< why its last run ended, as in runs.csv; "": it has had none
    Placement placement{};     //!< where it runs, or ran last; empty: nowhere
    std::vector<GpuId> held{}; //!< GPUs that it holds while it waits for more (PlacementAnswer);
                               //!< the cluster is shown without it, so that these are free
    std::optional<Time> estimatedRemaining{}; //!< time that it still needs on its GPUs; none:
                                              //!< unknown. At present the true compute time left
    std::optional<JobUsage> usage{};          //!< that the estimator expects, or its default; none:
                                              //!< there is no estimator
};

/** What a placement policy gets to see; valid during the call only. */
struct PlacementView
{
    const ClusterView& cluster;
    uint32_t workers{1};                //!< that the job has, each on a GPU
    uint32_t servers{0};                //!< parameter servers that it has
    uint64_t memory{0};                 //!< bytes that a worker takes on its GPU; 0: the whole GPU
    JobView job{};                      //!< the job in question
    Time now{};                         //!< date of the question
    const WaitHistory& waits{NO_WAITS}; //!< of jobs that have got GPUs
    uint32_t serverGpus{0};             //!< that each parameter server takes: 0 or 1
};

/** What a placement policy answers: a place for the job, or that it has to wait. */
struct PlacementAnswer
{
    /** The job waits; the policy is asked again when something has changed. */
    PlacementAnswer() = default;

    PlacementAnswer(std::nullopt_t)
    {
    }

    PlacementAnswer(Placement place)
        : placement(std::move(place))
    {
    }

    PlacementAnswer(std::optional<Placement> place)
        : placement(std::move(place))
    {
    }

    /**
     * The job declines what is free now, and waits until something changes, or until a date.
     *
     * \param date in the future at which the policy wants to be asked again at the latest
     * \param why in a few words, for people: "no machine has 4 free GPUs"
     */
    static PlacementAnswer WaitUntil(Time date, const std::string& why = "");

    /** The same without a date: the job declines until something changes. */
    static PlacementAnswer Decline(const std::string& why);

    /**
     * The job takes some of the GPUs that it needs, and holds them while it waits for the others.
     * For policies that say so (PlacementPolicy::HoldsPartial).
     *
     * \param gpus with room, all different, fewer than its ranks need
     */
    static PlacementAnswer Hold(std::vector<GpuId> gpus);

    std::optional<Placement> placement; //!< none: the job waits
    std::optional<Time> askAgain;       //!< date; none: when something changes
    std::string why;                    //!< why it waits, for people; may be empty
    bool declines{false};    //!< it waits by choice, and blocks no job behind it; true with a date
    std::vector<GpuId> held; //!< GPUs that it holds from now on while it waits
    std::optional<DelayTimers> timers{}; //!< that the answer follows, for observers; none: it
                                         //!< follows none
};

/** What a placement policy answers for a group, whose jobs start together or not at all. */
struct GroupAnswer
{
    std::optional<std::vector<Placement>>
        placements;                           //!< one per job, in their order; none: they wait
    std::optional<Time> askAgain;             //!< see PlacementAnswer
    std::string why;                          //!< likewise
    bool declines{false};                     //!< likewise
    std::vector<GpuId> held{};                //!< likewise; none where the group has several jobs
    std::map<uint32_t, DelayTimers> timers{}; //!< likewise, by the GPUs that a job asked for
};

/** The jobs of a group, all with the same cluster, date and waits. */
using GroupQuestion = std::vector<PlacementView>;

/**
 * Policy family: on which GPUs do the workers of a job run and on which machines its parameter
 * servers, or must the job wait?
 *
 * A parameter server mostly needs no GPU, so it fits on every machine. One that takes a GPU
 * (JobSpec::serverGpus) is placed as if it were one more worker, unless the policy itself places
 * servers on GPUs (PlacesServersOnGpus): the policy is asked for GPUs of all ranks, and the ranks
 * take these in the order of ListInterleaved.
 *
 * A policy overrides DoPlace, or DoAnswer if it may want to be asked again at a date. It may decide
 * on several groups together (DoPlaceTogether), and on jobs that run (DoImprove).
 */
class PlacementPolicy : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * \param view the cluster and what the job needs
     * \return where the job goes, checked: the right numbers, GPUs with room and all different,
     *         machines of the cluster; or that the job has to wait, perhaps until a date
     * \throws RunError with the policy's name when the answer is wrong, or the date has passed
     */
    PlacementAnswer Ask(const PlacementView& view);

    /** \return the placement of the same answer, if there is one */
    std::optional<Placement> Place(const PlacementView& view);

    /**
     * \param groups that wait, in the order of their priorities, each with at least one job
     * \return an answer for each of them, checked as above; no two placements share GPUs
     */
    std::vector<GroupAnswer> PlaceTogether(const std::vector<GroupQuestion>& groups);

    /**
     * \param view a job that runs at `view.job.placement`, on the cluster as it would be without it
     * \return where the job would be placed better, checked; nothing when it shall stay
     */
    std::optional<Placement> Improve(const PlacementView& view);

    /**
     * \return false if its answers never depend on the loads of GPUs, nor on earlier answers.
     *         Groups that differ only in their service then fit or do not fit together, so only one
     *         of them is tried; loads of the view may be out of date
     */
    virtual bool MindsLoads() const
    {
        return true;
    }

    /**
     * \return true if its answers depend on the job, the date or the waits: each group is then
     *         asked, instead of one for all groups with the same demand
     */
    virtual bool LooksAtJobs() const
    {
        return false;
    }

    /**
     * \return true if at the end of every lease (scheduler.lease) a group is placed again as if it
     *         began to wait now, even if no other group waits. If the answer is its present place,
     *         it goes on; otherwise, also if it declines, it gives its GPUs back
     */
    virtual bool TakesBackLeases() const
    {
        return false;
    }

    /**
     * \return true if a job may hold some of its GPUs while it waits (PlacementAnswer::Hold): it is
     *         then asked as soon as one GPU is free. Such a policy looks at jobs, and not at
     *         groups together
     */
    virtual bool HoldsPartial() const
    {
        return false;
    }

    /** \return true if PlaceTogether is to decide on all waiting groups at once */
    virtual bool PlacesTogether() const
    {
        return false;
    }

    /** \return true if it reads PlacementView::serverGpus; a policy that overrides DoPlaceTogether
     * has to */
    virtual bool PlacesServersOnGpus() const
    {
        return false;
    }

  private:
    /** Override this, unless the policy needs DoAnswer. */
    virtual std::optional<Placement> DoPlace(const PlacementView& view);

    virtual PlacementAnswer DoAnswer(const PlacementView& view)
    {
        return DoPlace(view);
    }

    /** Unless overridden: one group after the other, in their order. */
    virtual std::vector<GroupAnswer> DoPlaceTogether(const std::vector<GroupQuestion>& groups);

    /** Unless overridden: all stay. */
    virtual std::optional<Placement> DoImprove(const PlacementView& view);

    bool IsAskedForWorkersOnly(const PlacementView& view) const;
    PlacementAnswer AnswerForAllRanks(const PlacementView& view);
    void Check(const PlacementView& view, const Placement& placement) const;
    void CheckHeld(const PlacementView& view, const std::vector<GpuId>& held) const;
    void CheckDate(const std::optional<Time>& askAgain, Time now) const;
};

} // namespace ns3::ddl

#endif // DDL_PLACEMENT_POLICY_H
