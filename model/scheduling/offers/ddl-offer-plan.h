// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_OFFER_PLAN_H
#define DDL_OFFER_PLAN_H

#include "ddl-cluster-book.h"
#include "ddl-gpu-sharing.h"
#include "ddl-switch-cost.h"

#include "ns3/ddl-job-queue-policy.h"
#include "ns3/ddl-job-record.h"
#include "ns3/ddl-place-all.h"
#include "ns3/ddl-placement-policy.h"
#include "ns3/ddl-trace-records.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

// Who gets GPUs, who gives them back, who moves: plans. Each question is one function of the state
// at an instant, in a source of its own; JobManager asks them, and does what they say.

namespace ns3::ddl
{

/** All that a plan depends on, at one instant. */
struct OfferState
{
    Time now;
    Time lease;  //!< time for which a group gets GPUs; 0: until it ends or is preempted
    Time minRun; //!< time after a start in which a group is not preempted
    Ptr<JobQueuePolicy> queue;
    Ptr<PlacementPolicy> placement;
    JobTable& table;    //!< only read
    ClusterBook& book;  //!< only its view is changed, on trial, and restored
    WaitHistory& waits; //!< waits of groups that have got GPUs; renewals are added on trial
    const SharingSpec& sharing;
    const SwitchSpec& switching;
    uint64_t offer{0};             //!< number of the last offer
    std::optional<Time> nextBatch; //!< date of the next joint offer; none: none is due
};

/** What is to be done. Each list is in the order in which it is to be done. */
struct OfferPlan
{
    /** A waiting group gets GPUs. */
    struct Start
    {
        GroupRecord* group;
        std::vector<Placement> placements; //!< one per job that has not left
        std::optional<JobId> after;        //!< the group trains only after that job
    };

    /** A waiting group has been asked, and gets no GPUs. */
    struct Wait
    {
        GroupRecord* group;
        GroupAnswer answer;
    };

    /** A waiting job keeps these GPUs instead of those that it has kept so far. */
    struct Hold
    {
        JobRecord* job;
        std::vector<GpuId> gpus;
        uint64_t memory; //!< bytes of each that it takes; 0: all of it
    };

    /** A waiting group that declines is asked again at a date; none: when something changes. */
    struct Decline
    {
        GroupRecord* group;
        std::optional<Time> askAgain;
    };

    /** For WaitHistory: a job of so many GPUs in that tier has kept its place at a lease's end. */
    struct Renewal
    {
        Tier tier;
        std::size_t gpus;
    };

    /** A running group goes on elsewhere. */
    struct Move
    {
        GroupRecord* group;
        std::vector<std::pair<JobRecord*, Placement>> places; //!< one per job that stays
    };

    std::vector<std::pair<uint32_t, DelayTimers>> timers; //!< GPUs of a job that was asked, and
                                                          //!< until when it declines some
    std::vector<Hold> hold;
    std::vector<Wait> wait;
    std::vector<Start> start;
    std::vector<Decline> decline;
    std::vector<Renewal> renew;
    std::vector<GroupRecord*> suspend;
    std::vector<Move> move;
};

// The questions.

/**
 * Turn-taking (ddl-plan-turn.cc): waiting groups are asked one after another, in the order of the
 * job queue policy, until one starts. Ask again until none does.
 */
OfferPlan PlanTurn(const OfferState& state);

/**
 * Joint offers (ddl-plan-batch.cc): the placement policy decides on all waiting groups at once for
 * which enough GPUs may be free (PlacementPolicy::PlaceTogether).
 */
OfferPlan PlanBatch(const OfferState& state);

/**
 * Preemption (ddl-plan-preemption.cc): groups are suspended that would not have GPUs if all were
 * given theirs by priority, for those that would.
 */
OfferPlan PlanPreemption(const OfferState& state);

/**
 * Leases of a policy that takes them back (ddl-plan-leases.cc): groups whose leases are over
 * compete with those that wait as if they waited since now, for the GPUs that are free and their
 * own. Who would be where it is goes on; the others give theirs back.
 */
OfferPlan PlanLeases(const OfferState& state);

/**
 * Moves (ddl-plan-moves.cc): groups, in the order of their numbers, that would be placed better
 * elsewhere (PlacementPolicy::Improve).
 */
OfferPlan PlanMoves(const OfferState& state);

/** \return why a group waits (ddl-explain-wait.cc) */
WaitRecord ExplainWait(const OfferState& state, const GroupRecord& group);

/** \return the same in words */
std::string DescribeWait(const OfferState& state, const GroupRecord& group);

/**
 * \param group group that waits, or has GPUs
 * \return the next date at which its priority changes, its lease is over or it may be preempted;
 *         none: none is known (ddl-plan-preemption.cc)
 */
std::optional<Time> FindNextChange(const OfferState& state, const GroupRecord& group);

/**
 * \return whether the lease of a group that has GPUs ends at that date, and that date is now; false
 *         for an earlier date: that lease has been extended since
 */
bool IsLeaseOver(const OfferState& state, const GroupRecord& group, Time at);

/** \return whether leases end even if no group waits */
bool TakesBackLeases(const OfferState& state);

/**
 * \return the priority that a group with GPUs keeps until its next change (JobTable::SetPriority),
 *         or a bound of it, where that may spare questions to the policy
 */
KnownPriority FindPriority(const OfferState& state, const GroupRecord& group);

// What several questions need (ddl-offer-plan.cc).

/** \return the resources that each job of the group asks for */
GroupDemand MakeDemand(const OfferState& state, const GroupRecord& group);

/** \return number of GPUs that have to be free before a group is asked: all that it needs, or one
 */
uint32_t CountWanted(const OfferState& state, const GroupDemand& demand);

/** \return number of GPUs that suspended groups will give back and that are not reserved for them
 */
uint32_t CountComingGpus(const OfferState& state);

/** In the scratch view, the group leaves its GPUs. */
void Vacate(const OfferState& state, const GroupRecord& group, ScratchView& scratch);

/** In the scratch view, place the group. \return its places */
GroupAnswer TryToPlace(const OfferState& state, const GroupRecord& group, ScratchView& scratch);

/** \return whether two placements are the same but for the order of ranks */
bool AreSamePlaces(Placement a, Placement b);

// Sharing (ddl-plan-sharing.cc): a job of one GPU that has no place may get one beside another job.

/** \return where the group goes on GPUs that are free, or, with rules for sharing, not held */
GroupAnswer PlaceOnFree(const OfferState& state, const GroupRequest& request);

/**
 * \param starting jobs that get GPUs at this instant
 * \param answer to the group; gets a place, or a date to ask again, by the rules for sharing
 * \return the job behind which the group trains there, if any
 */
std::optional<JobId> AddSecondPlace(const OfferState& state,
                                    const std::vector<GpuHolder>& starting,
                                    const GroupRecord& group,
                                    GroupAnswer& answer);

/** \return a job that holds GPUs, as rules for sharing see it, before it trains */
GpuHolder MakeGpuHolder(const JobRecord& job, const Placement& placement);

/** A running group that competes for its GPUs. */
struct Competitor
{
    double priority;
    GroupRecord* group;
};

/**
 * \return the groups that have to compete for their GPUs now, in order; where that is known,
 *         without those that are before all that wait and so keep theirs
 */
std::vector<Competitor> ListCompeting(const OfferState& state);

/**
 * Visit holders, and the waiting groups among them, by priority.
 *
 * \param holders groups that compete, in order
 * \param mostGpus waiting groups that need more are left out
 * \param visitWaiting gets a waiting group, and whether it is before a holder; false: the other
 *        waiting groups are left out
 */
void VisitByPriority(const OfferState& state,
                     const std::vector<Competitor>& holders,
                     uint32_t mostGpus,
                     const std::function<void(GroupRecord&)>& visitHolder,
                     const std::function<bool(GroupRecord&, bool)>& visitWaiting);

} // namespace ns3::ddl

#endif // DDL_OFFER_PLAN_H
