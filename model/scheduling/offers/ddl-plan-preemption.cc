// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-offer-plan.h"

#include <algorithm>
#include <limits>
#include <map>

namespace ns3::ddl
{

namespace
{

/** Groups that wait by choice, and when to ask them again. */
using Declining = std::map<GroupRecord*, std::optional<Time>, JobTable::ByNumber>;

bool
IsPreemptive(const OfferState& state)
{
    return !state.lease.IsZero() || state.queue->IsPreemptive();
}

/** \return whether the group has to compete for its GPUs now */
bool
Competes(const OfferState& state, const GroupRecord& group)
{
    const Time lasted = state.now - *group.GetLastStart();
    if (group.GetState() != GroupState::RUNNING || !group.IsPreemptible() ||
        lasted < state.minRun || !group.HasStaying()) // it leaves, and its GPUs may be free already
    {
        return false;
    }
    return state.lease.IsZero() ? state.queue->IsPreemptive() : group.offers.leaseOver.has_value();
}

/** \return the first priority of those that wait, always before UNKNOWN_PRIORITY */
double
GetFirstWaiting(const OfferState& state)
{
    return std::min(state.table.GetWaiting().GetFirstPriority(),
                    std::numeric_limits<double>::max());
}

/** \return whether a holder is before a waiting group. Of equals, who holds goes on; but with
 * leases, whose turn is longer ago is first, so that equals take turns */
bool
IsBefore(const OfferState& state,
         const Competitor& holder,
         double priority,
         const GroupRecord& waiting)
{
    if (holder.priority != priority || state.lease.IsZero())
    {
        return holder.priority <= priority;
    }
    const auto lastStart = waiting.GetLastStart();
    return lastStart && *holder.group->GetLastStart() < *lastStart;
}

/** \return false if all that compete are before all that wait */
bool
MayGiveWay(const OfferState& state)
{
    const JobTable::RankedGroups& ranked = state.table.GetRanked();
    return !state.table.GetWaiting().IsEmpty() && !ranked.empty() && IsPreemptive(state) &&
           GetFirstWaiting(state) < (*ranked.rbegin())->GetPriority();
}

/** Waiting groups that would get GPUs, and holders that would get none. */
struct Outcome
{
    std::vector<GroupRecord*> winners;
    std::vector<GroupRecord*> losers;
};

/**
 * Give GPUs to holders and waiting groups by priority, by number.
 *
 * \param holders groups that compete, in order
 * \param gpus number of GPUs that may be given
 * \param declining waiting groups that do not compete
 */
Outcome
Compete(const OfferState& state,
        const std::vector<Competitor>& holders,
        uint32_t gpus,
        const Declining& declining)
{
    const WaitingQueue& waiting = state.table.GetWaiting();
    const bool letsPass = state.queue->LetsOthersPass();
    Outcome outcome;
    const auto giveToHolder = [&](GroupRecord& group) {
        const uint32_t held = group.GetHeldGpus();
        held <= gpus ? void(gpus -= held) : outcome.losers.push_back(&group);
    };
    const auto giveToWaiting = [&](GroupRecord& group, bool /* isBeforeHolders */) {
        if (declining.count(&group) > 0)
        {
            return letsPass;
        }
        const uint32_t wanted = waiting.GetGpus(group.GetId());
        if (wanted <= gpus)
        {
            gpus -= wanted;
            outcome.winners.push_back(&group);
        }
        return gpus > 0 && (wanted <= gpus || letsPass);
    };
    VisitByPriority(state, holders, gpus, giveToHolder, giveToWaiting);
    return outcome;
}

/** \return whether the jobs of a group could stay where they are; if so, they occupy it */
bool
StaysIfFree(const OfferState& state, const GroupRecord& group, ScratchView& scratch)
{
    const std::vector<JobId> running = group.ListStaying();
    const bool isFree = std::all_of(running.begin(), running.end(), [&](JobId id) {
        const RunSpec& run = *state.table.GetJob(id).run;
        return scratch.HasRoomFor(run.placement, run.job.model.gpuMemory);
    });
    for (const JobId id : isFree ? running : std::vector<JobId>())
    {
        const RunSpec& run = *state.table.GetJob(id).run;
        scratch.Occupy(id, run.placement, run.job.model.gpuMemory);
    }
    return isFree;
}

/**
 * Try to place the winners as if the losers were gone.
 *
 * \param declining gets winners that decline nevertheless, and when they want to be asked again
 * \return losers whose GPUs are given to a winner; none if the winners cannot be placed even then
 */
std::vector<GroupRecord*>
FindInTheWay(const OfferState& state, const Outcome& outcome, Declining& declining)
{
    std::vector<GroupRecord*> inTheWay;
    if (outcome.winners.empty() || outcome.losers.empty())
    {
        return inTheWay;
    }
    ScratchView scratch(state.book.GetView());
    for (const GroupRecord* const group : outcome.losers)
    {
        Vacate(state, *group, scratch);
    }
    bool isAny = false;
    for (GroupRecord* const group : outcome.winners)
    {
        const GroupAnswer answer = TryToPlace(state, *group, scratch);
        isAny = isAny || answer.placements;
        if (answer.declines)
        {
            declining.emplace(group, answer.askAgain);
        }
    }
    for (std::size_t i = 0; isAny && i < outcome.losers.size(); ++i)
    {
        if (!StaysIfFree(state, *outcome.losers[i], scratch))
        {
            inTheWay.push_back(outcome.losers[i]);
        }
    }
    return inTheWay;
}

} // namespace

double
FindPriority(const OfferState& state, const GroupRecord& group)
{
    const bool isKept = state.lease.IsZero() && state.queue->IsPreemptive() &&
                        state.queue->GetNextChange(group.AsView());
    return isKept ? state.queue->GetPriority(group.AsView()) : UNKNOWN_PRIORITY;
}

std::optional<Time>
FindNextChange(const OfferState& state, const GroupRecord& group)
{
    const bool isWaiting = group.GetState() == GroupState::WAITING;
    if (!isWaiting && (!IsPreemptive(state) || !group.IsPreemptible()))
    {
        return std::nullopt;
    }
    std::optional<Time> at;
    if (isWaiting || state.lease.IsZero())
    {
        const Time change = state.queue->GetNextChange(group.AsView()).value_or(Time::Max());
        at = change < Time::Max() ? std::make_optional(state.now + change) : std::nullopt;
    }
    if (isWaiting)
    {
        return at;
    }
    const Time start = *group.GetLastStart();
    if (!state.lease.IsZero())
    {
        const Time lasted = Max(state.now - start, state.minRun - TimeStep(1));
        at = start + state.lease * ((lasted / state.lease).GetHigh() + 1);
    }
    else if (state.now < start + state.minRun)
    {
        at = std::min(at.value_or(Time::Max()), start + state.minRun);
    }
    return at;
}

std::vector<Competitor>
ListCompeting(const OfferState& state)
{
    const JobTable::RankedGroups& ranked = state.table.GetRanked();
    auto group = ranked.begin();
    if (!state.table.GetWaiting().IsEmpty())
    {
        const CojobId last{std::numeric_limits<uint32_t>::max()};
        group = ranked.upper_bound(JobTable::Rank(GetFirstWaiting(state), Time::Max(), last));
    }
    std::vector<Competitor> competing;
    for (; group != ranked.end(); ++group)
    {
        if (Competes(state, **group))
        {
            const double priority = (*group)->GetPriority();
            const bool isKnown = priority != UNKNOWN_PRIORITY;
            competing.push_back(
                {isKnown ? priority : state.queue->GetPriority((*group)->AsView()), *group});
        }
    }
    std::sort(competing.begin(), competing.end(), [](const auto& a, const auto& b) {
        const auto rank = [](const Competitor& each) {
            return JobTable::Rank(each.priority, *each.group->GetLastStart(), each.group->GetId());
        };
        return rank(a) < rank(b);
    });
    return competing;
}

void
VisitByPriority(const OfferState& state,
                const std::vector<Competitor>& holders,
                uint32_t mostGpus,
                const std::function<void(GroupRecord&)>& visitHolder,
                const std::function<bool(GroupRecord&, bool)>& visitWaiting)
{
    auto holder = holders.begin();
    state.table.GetWaiting().Visit(mostGpus, [&](CojobId id, double priority) {
        GroupRecord& group = state.table.Get(id);
        for (; holder != holders.end() && IsBefore(state, *holder, priority, group); ++holder)
        {
            visitHolder(*holder->group);
        }
        return visitWaiting(group, holder != holders.end());
    });
    for (; holder != holders.end(); ++holder)
    {
        visitHolder(*holder->group);
    }
}

OfferPlan
PlanPreemption(const OfferState& state)
{
    OfferPlan plan;
    const auto holders = MayGiveWay(state) ? ListCompeting(state) : std::vector<Competitor>();
    if (holders.empty())
    {
        return plan;
    }
    uint32_t gpus = state.book.CountFreeGpus() + CountComingGpus(state);
    for (const Competitor& holder : holders)
    {
        gpus += holder.group->GetHeldGpus();
    }
    Declining declining;
    std::size_t before = 0;
    do // nobody gives way to a group that declines what it would get: then the next ones compete
    {
        before = declining.size();
        plan.suspend = FindInTheWay(state, Compete(state, holders, gpus, declining), declining);
    } while (declining.size() > before);
    for (const auto& [group, at] : declining)
    {
        plan.decline.push_back({group, at});
    }
    return plan;
}

} // namespace ns3::ddl
