// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PLACEMENT_POLICY_H
#define DDL_PLACEMENT_POLICY_H

#include "ddl-placement-scorer.h"
#include "ddl-wait-history.h"

#include "ns3/ddl-cluster-view.h"
#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-job-usage.h"
#include "ns3/ddl-policy.h"
#include "ns3/random-variable-stream.h"

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
    std::string model;          //!< name of its model
    uint64_t bytes{0};          //!< bytes of its model
    double skew{0};             //!< fraction of the bytes in the largest layer; 0: not known
    Time compute{};             //!< compute time of an iteration on a GPU of speed 1, without noise
    uint64_t iterationsLeft{0}; //!< iterations left, over all stages
    uint64_t iterationsDone{0}; //!< iterations done, over all stages
    Time submit{};              //!< date of its arrival
    Time waited{};              //!< length so far of its present wait for GPUs; 0 while it runs
    Time waitedBefore{};        //!< sum of its waits before the present one
    Time occupied{};            //!< time for which it has held GPUs
    Time attained{};            //!< attained service of its group: sum of occupied time x GPUs
    std::optional<Time> lastStart{}; //!< date at which it last got GPUs; none: never
    std::string stopped{}; //!< why its last run ended, as in runs.csv; "": it has had none
    Placement placement{}; //!< where it runs, or ran last; empty: nowhere
    /** GPUs that it holds while it waits for more (PlacementAnswer). The cluster is shown without
     * the job, so that these are free. */
    std::vector<GpuId> held{};
    /** Time that it still needs on its GPUs; none: unknown. At present the true compute time. */
    std::optional<Time> estimatedRemaining{};
    /** Usage that the estimator expects, or its default; none: there is no estimator. */
    std::optional<JobUsage> usage{};
};

/** The view of a placement policy: the cluster and one job; valid during the call only. */
struct PlacementView
{
    const ClusterView& cluster;
    uint32_t workers{1};                //!< ranks on a GPU each; without gpuServers all workers
    uint32_t servers{0};                //!< parameter servers that take no GPU
    uint64_t memory{0};                 //!< bytes that a worker takes on its GPU; 0: the whole GPU
    JobView job{};                      //!< the job in question
    Time now{};                         //!< present date
    const WaitHistory& waits{NO_WAITS}; //!< past waits of jobs that have got GPUs
    uint32_t gpuServers{0};             //!< how many of `workers` are parameter servers
};

/** The answer of a placement policy: a place for the job, or that it has to wait. */
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
     * \param date future date at which the policy wants to be asked again at the latest
     * \param why the reason in a few words, for people: "no machine has 4 free GPUs"
     */
    static PlacementAnswer WaitUntil(Time date, const std::string& why = "");

    /** The job declines what is free now, until something changes. \param why the reason */
    static PlacementAnswer Decline(const std::string& why);

    /**
     * The job takes some of the GPUs that it needs, and holds them while it waits for the others.
     * For policies with this wish (PlacementWishes::holdsParts).
     *
     * \param gpus GPUs with room, all different, fewer than its ranks need
     */
    static PlacementAnswer Hold(std::vector<GpuId> gpus);

    std::optional<Placement> placement; //!< place of the job; none: it waits
    std::optional<Time> askAgain;       //!< date of the next question; none: when something changes
    std::string why;                    //!< why the job waits, for people; may be empty
    bool declines{false}; //!< whether it waits by choice, blocking no later job; true with a date
    std::vector<GpuId> held;             //!< GPUs that it holds from now on while it waits
    std::optional<DelayTimers> timers{}; //!< timers behind the answer, for observers, if any
};

/** The answer of a placement policy for a group, whose jobs start together or not at all. */
struct GroupAnswer
{
    // The members have the same meaning as those of PlacementAnswer.
    std::optional<std::vector<Placement>> placements; //!< places of the jobs, in their order
    std::optional<Time> askAgain; //!< date of the next question; none: when something changes
    std::string why;              //!< why the group waits, for people; may be empty
    bool declines{false};         //!< whether the group waits by choice
    std::vector<GpuId> held{};    //!< GPUs held while it waits; none with several jobs
    std::map<uint32_t, DelayTimers> timers{}; //!< timers behind the answer, by GPUs of a job
};

/** The jobs of a group, all with the same cluster, date and waits. */
using GroupQuestion = std::vector<PlacementView>;

/**
 * How a placement policy wants to be asked. Without wishes it is asked for one group after another,
 * when as many GPUs are free as the group needs, and one answer stands for all groups that need the
 * same.
 */
struct PlacementWishes
{
    /** Its answers never depend on the loads of GPUs, nor on earlier answers. Of groups that differ
     * only in their service, then either all fit or none, so only one of them is tried; loads of
     * the view may be out of date. */
    bool ignoresLoads{false};
    /** Its answers depend on the job, the date or the waits: each group is asked itself. */
    bool looksAtJobs{false};
    /** A job may hold some of its GPUs while it waits (PlacementAnswer::Hold): each group is asked
     * itself, as soon as one GPU is free. Not for groups that are placed together. */
    bool holdsParts{false};
    /** PlaceTogether decides on all waiting groups at once. */
    bool placesTogether{false};
    /** At the end of every lease (scheduler.lease) a group is placed again as if it began to wait
     * now, even if no other group waits. If the answer is its present place, it goes on; otherwise,
     * also if it declines, it gives its GPUs back. */
    bool takesBackLeases{false};

    /** \return whether no answer stands for two groups */
    bool AsksEach() const
    {
        return looksAtJobs || holdsParts;
    }
};

/**
 * Policy family: on which GPUs do the workers of a job run and on which machines its parameter
 * servers, or must the job wait?
 *
 * A parameter server mostly needs no GPU, so it fits on every machine. One that takes a GPU
 * (JobSpec::serverGpus) counts as one more worker. The answer has the GPUs of all ranks as workers,
 * of which the parameter servers then get theirs in the order of ListInterleaved; or it names those
 * of the parameter servers itself.
 *
 * A policy overrides DoPlace. It may decide on several groups together (DoPlaceTogether), and on
 * jobs that run (DoImprove), and it may have wishes (GetWishes).
 */
class PlacementPolicy : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * Compare several places for each job from now on. Place finds them by asking the policy again
     * about the cluster with its servers exchanged (ServerPermutation), and takes the first of
     * those with the best score. Not for groups that are placed together, nor for jobs that hold
     * GPUs while they wait.
     *
     * \param scorer scores the places; null: the policy alone decides
     * \param forecast of what jobs send; outlives the calls of Place
     */
    void SetScorer(Ptr<PlacementScorer> scorer, const TrafficForecast* forecast);

    /**
     * \param view the cluster and what the job needs
     * \return where the job goes, checked: the right numbers, GPUs with room and all different,
     *         machines of the cluster; or that the job has to wait, perhaps until a date
     * \throws RunError with the policy's name when the answer is wrong, or the date has passed
     */
    PlacementAnswer Place(const PlacementView& view);

    /**
     * \param groups the waiting groups, in the order of their priorities, none without a job
     * \return an answer for each group, checked as in Place; no two placements share GPUs
     */
    std::vector<GroupAnswer> PlaceTogether(const std::vector<GroupQuestion>& groups);

    /**
     * \param view a job that runs at `view.job.placement`, on the cluster as it would be without it
     * \return where the job would be placed better, checked; nothing when it shall stay
     */
    std::optional<Placement> Improve(const PlacementView& view);

    /** \return how it wants to be asked; the same at all times once its attributes are set */
    virtual PlacementWishes GetWishes() const
    {
        return {};
    }

  private:
    /** Place one job, or let it wait. */
    virtual PlacementAnswer DoPlace(const PlacementView& view) = 0;

    /** Decide on several groups; for policies with that wish (PlacementWishes::placesTogether). */
    virtual std::vector<GroupAnswer> DoPlaceTogether(const std::vector<GroupQuestion>& groups);

    /** Decide whether a running job moves. By default it stays. */
    virtual std::optional<Placement> DoImprove(const PlacementView& view);

    [[noreturn]] void Refuse(const std::string& mistake) const;
    void Settle(const PlacementView& view, Placement& placement) const;
    std::vector<Placement> ListCandidates(const PlacementView& view, const Placement& own);
    Placement FindBest(const PlacementView& view, const Placement& own);
    void CheckHeld(const PlacementView& view, const std::vector<GpuId>& held) const;
    void CheckDate(const std::optional<Time>& askAgain, Time now) const;

    Ptr<PlacementScorer> m_scorer;
    const TrafficForecast* m_forecast{nullptr};
    Ptr<UniformRandomVariable> m_draw; //!< exchanges servers; null without a scorer
};

} // namespace ns3::ddl

#endif // DDL_PLACEMENT_POLICY_H
