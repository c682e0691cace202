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

/** \return the first priority of those that wait, always before that of a group without a bound */
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
           GetFirstWaiting(state) < (*ranked.rbegin())->GetPriority().most;
}

/** \return whether something is known of the priority of a group with GPUs */
bool
HasBound(const GroupRecord& group)
{
    return group.GetPriority().most < std::numeric_limits<double>::infinity();
}

/** \return groups with GPUs whose priority may be greater than that */
std::vector<GroupRecord*>
ListBehind(const OfferState& state, double priority)
{
    const CojobId last{std::numeric_limits<uint32_t>::max()};
    const JobTable::RankedGroups& ranked = state.table.GetRanked();
    return {ranked.upper_bound(JobTable::Rank(priority, Time::Max(), last)), ranked.end()};
}

/** Ask for the priorities of groups with GPUs where they are not known; bounds become as near. */
std::vector<Competitor>
AskPriorities(const OfferState& state, const std::vector<GroupRecord*>& groups)
{
    std::vector<Competitor> answers;
    std::vector<GroupRecord*> asked;
    std::vector<GroupView> views;
    for (GroupRecord* const group : groups)
    {
        if (group->GetPriority().isExact)
        {
            answers.push_back({group->GetPriority().most, group});
            continue;
        }
        asked.push_back(group);
        views.push_back(group->AsView());
    }
    const std::vector<double> priorities = state.queue->GetPriorities(views);
    for (std::size_t i = 0; i < asked.size(); ++i)
    {
        answers.push_back({priorities[i], asked[i]});
        if (HasBound(*asked[i]))
        {
            state.table.SetPriority(*asked[i], {priorities[i], false});
        }
    }
    return answers;
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

KnownPriority
FindPriority(const OfferState& state, const GroupRecord& group)
{
    if (!state.lease.IsZero() || !state.queue->IsPreemptive())
    {
        return {};
    }
    const GroupView view = group.AsView();
    const bool isKept = state.queue->GetNextChange(view).has_value();
    if (!isKept && !state.queue->FallsWhileRunning())
    {
        return {};
    }
    return {state.queue->GetPriority(view), isKept};
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
    const double first = state.table.GetWaiting().IsEmpty()
                             ? -std::numeric_limits<double>::infinity()
                             : GetFirstWaiting(state);
    std::vector<GroupRecord*> groups = ListBehind(state, first);
    const auto isOut = [&state](const GroupRecord* group) { return !Competes(state, *group); };
    groups.erase(std::remove_if(groups.begin(), groups.end(), isOut), groups.end());
    std::vector<Competitor> competing = AskPriorities(state, groups);
    const auto keeps = [first](const Competitor& each) {
        return each.priority <= first && HasBound(*each.group);
    };
    competing.erase(std::remove_if(competing.begin(), competing.end(), keeps), competing.end());
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
