// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-gpu-offers.h"

#include "ns3/ddl-cluster-clock.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-placement-helpers.h"

#include <algorithm>
#include <limits>
#include <sstream>
#include <tuple>

namespace ns3::ddl
{

namespace
{

/** \return GPUs that are in both */
uint32_t
CountCommonGpus(const Placement& a, const Placement& b)
{
    const std::vector<GpuId> of = ListGpus(a);
    const std::vector<GpuId> in = ListGpus(b);
    return std::count_if(of.begin(), of.end(), [&in](const GpuId& gpu) {
        return std::find(in.begin(), in.end(), gpu) != in.end();
    });
}

/** \return whether two placements are the same but for the order of ranks */
bool
AreSamePlaces(Placement a, Placement b)
{
    for (Placement* placement : {&a, &b})
    {
        std::sort(placement->workers.begin(), placement->workers.end());
        std::sort(placement->servers.begin(), placement->servers.end());
    }
    return a == b;
}

/** \return the GPUs of a placement that another one does not have, as those of workers */
Placement
GetRest(const Placement& placement, const Placement& other)
{
    const std::vector<GpuId> of = ListGpus(placement);
    const std::vector<GpuId> in = ListGpus(other);
    Placement rest;
    std::copy_if(of.begin(), of.end(), std::back_inserter(rest.workers), [&in](const GpuId& gpu) {
        return std::find(in.begin(), in.end(), gpu) == in.end();
    });
    return rest;
}

/** \return part of its GPU's time that a job is expected to take */
double
GetUtilisation(const JobRecord& job)
{
    return job.estimate ? Get(job.estimate->usage.worker, UsageLabel::GPU_UTILISATION) : 1;
}

/** \return whether it is a job on one GPU, without traffic, that has no place given */
bool
IsOnOneGpu(const CojobSpec& group)
{
    const JobSpec& job = group.jobs.front();
    return group.plain && job.workers == 1 && job.servers == 0 && !job.placement;
}

} // namespace

void
GpuOffers::Install(const Parts& parts)
{
    m_parts = parts;
}

void
GpuOffers::Stop()
{
    for (const EventId& timer : {m_timer, m_batchTimer, m_improveTimer})
    {
        ClusterClock::Cancel(timer);
    }
    *this = GpuOffers();
}

void
GpuOffers::Enqueue(GroupRecord& group)
{
    if (group.offers.isMoving)
    {
        m_moved.push_back(&group); // it need not wait: its GPUs are reserved
        return;
    }
    const GroupDemand demand = MakeDemand(group);
    m_waiting.Add(group.GetId(),
                  m_parts.queue->GetPriority(group.AsView()),
                  CountWanted(demand),
                  demand);
    NoteChange(group);
}

/** \return GPUs that have to be free before a group is asked: all that it needs, or one */
uint32_t
GpuOffers::CountWanted(const GroupDemand& demand) const
{
    const uint32_t gpus = CountWholeGpus(demand, m_parts.book->IsShared());
    return m_parts.placement->HoldsPartial() ? std::min(gpus, 1U) : gpus;
}

GroupDemand
GpuOffers::MakeDemand(const GroupRecord& group) const
{
    return GetDemand(group.ListLiveSpecs(),
                     group.CountIterationsLeft(),
                     m_parts.placement->MindsLoads(),
                     m_parts.placement->LooksAtJobs());
}

void
GpuOffers::NoteDemand(const GroupRecord& group)
{
    const CojobId id = group.GetId();
    if (m_waiting.Contains(id))
    {
        const GroupDemand demand = MakeDemand(group);
        m_waiting.SetDemand(id, CountWanted(demand), demand);
    }
}

void
GpuOffers::NoteStart(GroupRecord& group)
{
    ++m_starts;
    SetPriority(group);
    NoteChange(group);
    SetImproveTimer();
}

void
GpuOffers::NoteSuspension(GroupRecord& group)
{
    group.offers.leaseOver.reset();
}

void
GpuOffers::Forget(GroupRecord& group)
{
    EndMove(group);
}

void
GpuOffers::NoteFailed(const std::set<HostId>& machines)
{
    const auto goesThere = [&machines](const JobRecord& job) {
        const auto hosts =
            job.moveTo ? ListHosts(ListRankHosts(*job.moveTo)) : std::vector<HostId>();
        return std::any_of(hosts.begin(), hosts.end(), [&machines](HostId host) {
            return machines.count(host) > 0;
        });
    };
    const std::vector<GroupRecord*> moving(m_moving.begin(), m_moving.end());
    for (GroupRecord* const group : moving)
    {
        const auto& jobs = group->GetJobs();
        if (std::any_of(jobs.begin(), jobs.end(), goesThere))
        {
            EndMove(*group);
        }
    }
}

/** Ask for the priority of a group that has GPUs. */
void
GpuOffers::SetPriority(GroupRecord& group)
{
    m_parts.table->SetPriority(group,
                               KnowsPriorities() ? m_parts.queue->GetPriority(group.AsView()) : 0);
}

/** \return GPUs that suspended groups will give back, less those that are reserved for them */
uint32_t
GpuOffers::CountComingGpus() const
{
    uint32_t gpus = 0;
    for (const GroupRecord* const group : m_parts.table->GetSuspending())
    {
        gpus += group->GetHeldGpus();
        for (const JobRecord& job : group->GetJobs())
        {
            gpus -= job.moveTo && job.HoldsGpus() ? CountCommonGpus(job.GetPlacement(), *job.moveTo)
                                                  : 0;
        }
    }
    return gpus;
}

/** Remember when the group's priority changes, or its lease is over. */
void
GpuOffers::NoteChange(const GroupRecord& group)
{
    const Time now = ClusterClock::Now();
    const bool isWaiting = group.GetState() == GroupState::WAITING;
    if (!isWaiting && (!IsPreemptive() || !group.IsPreemptible()))
    {
        return;
    }
    std::optional<Time> at;
    if (isWaiting || lease.IsZero())
    {
        const auto change = m_parts.queue->GetNextChange(group.AsView());
        at = change ? std::make_optional(now + *change) : std::nullopt;
    }
    if (!isWaiting)
    {
        const Time start = *group.GetLastStart();
        const Time lasted = Max(now - start, minRun - TimeStep(1));
        if (!lease.IsZero())
        {
            at = start + lease * ((lasted / lease).GetHigh() + 1);
        }
        else if (now < start + minRun)
        {
            at = std::min(at.value_or(Time::Max()), start + minRun);
        }
    }
    if (at)
    {
        m_changes.emplace(*at, group.GetId());
    }
}

/** \param at a date, perhaps one at which the group's lease is over */
void
GpuOffers::NoteLeaseEnd(GroupRecord& group, Time at)
{
    const Time lasted = at - *group.GetLastStart();
    const bool isOver = !lease.IsZero() && lasted.IsStrictlyPositive() && (lasted % lease).IsZero();
    // A lease that ended while no group waited has been extended.
    const bool isOffered = batchWindow.IsZero() || !m_waiting.IsEmpty() || TakesBackLeases();
    if (isOver && isOffered && at == ClusterClock::Now())
    {
        group.offers.leaseOver = Time::Max();
    }
}

/** Apply the priorities that have changed by now, and end the leases that are over. */
void
GpuOffers::HeedChanges()
{
    while (!m_changes.empty() && m_changes.begin()->first <= ClusterClock::Now())
    {
        const auto [at, id] = *m_changes.begin();
        m_changes.erase(m_changes.begin());
        GroupRecord* const group = m_parts.table->Find(id);
        if (!group)
        {
            continue;
        }
        if (m_waiting.Contains(id))
        {
            m_waiting.SetPriority(id, m_parts.queue->GetPriority(group->AsView()));
            NoteChange(*group);
        }
        else if (group->HasGpus() && group->HasStaying())
        {
            SetPriority(*group);
            NoteLeaseEnd(*group, at);
            NoteChange(*group);
        }
    }
}

/** \return whether running groups may be preempted */
bool
GpuOffers::IsPreemptive() const
{
    return !lease.IsZero() || m_parts.queue->IsPreemptive();
}

/** \return whether leases end even if no group waits */
bool
GpuOffers::TakesBackLeases() const
{
    return !lease.IsZero() && m_parts.placement->TakesBackLeases();
}

/** Forget the dates that have come at which groups were to be asked again. */
void
GpuOffers::HeedWakes()
{
    while (!m_wakes.empty() && m_wakes.begin()->first <= ClusterClock::Now())
    {
        GroupRecord& group = m_parts.table->Get(m_wakes.begin()->second);
        SetWake(group, std::nullopt);
        if (!IsIdle() || m_parts.book->HasFailed())
        {
            continue;
        }
        if (std::exchange(group.offers.idleStarts, m_starts) != m_starts)
        {
            group.offers.idleAsks = 0;
        }
        if (++group.offers.idleAsks > MOST_ASKS)
        {
            throw RunError(m_parts.placement->GetInstanceTypeId().GetName() + " would let group " +
                           std::to_string(group.GetId().value) +
                           " wait for ever: nobody runs, and it has wanted to be asked again " +
                           std::to_string(MOST_ASKS) + " times");
        }
    }
}

void
GpuOffers::Offer()
{
    HeedChanges();
    HeedWakes();
    StartMoved();
    if (batchWindow.IsZero())
    {
        MakeOffer();
        return;
    }
    const auto& holders = m_parts.table->GetHolders();
    const bool isLeaseOver =
        TakesBackLeases() && std::any_of(holders.begin(), holders.end(), [](const auto* group) {
            return group->offers.leaseOver.has_value();
        });
    const bool isAny = !m_waiting.IsEmpty() || isLeaseOver;
    if (isAny && m_batchTimer.IsExpired())
    {
        m_batchEnd = ClusterClock::Now() + batchWindow;
        m_batchTimer = ClusterClock::Schedule(batchWindow, &GpuOffers::MakeOffer, this);
    }
    SetTimer();
}

void
GpuOffers::MakeOffer()
{
    const Time now = ClusterClock::Now();
    HeedChanges();
    ++m_offers;
    for (GroupRecord* const group : m_parts.table->GetHolders())
    {
        std::optional<Time>& over = group->offers.leaseOver;
        over = over && *over < now ? std::nullopt : over;
    }
    if (!m_waiting.IsEmpty())
    {
        UpdateLoads();
        m_parts.placement->PlacesTogether() ? OfferTogether() : OfferInTurn();
    }
    TakesBackLeases() ? RenewLeases() : LetGiveWay();
    for (GroupRecord* const group : m_parts.table->GetHolders())
    {
        std::optional<Time>& over = group->offers.leaseOver;
        over = over ? std::make_optional(now) : std::nullopt; // it competes again at this date
    }
    TraceWaits();
    SetTimer();
}

/** Show the placement policy what jobs have done, if it looks. */
void
GpuOffers::UpdateLoads()
{
    if (m_parts.placement->MindsLoads())
    {
        m_parts.book->UpdateLoads(*m_parts.table);
    }
}

GroupRequest
GpuOffers::MakeRequest(const GroupRecord& group) const
{
    return group.AsRequest(m_history);
}

/** \return the jobs that hold GPUs, as rules for sharing see them */
std::vector<GpuHolder>
GpuOffers::ListGpuHolders() const
{
    std::vector<GpuHolder> holders;
    for (const GroupRecord* const group : m_parts.table->GetHolders())
    {
        for (const JobRecord& job : group->GetJobs())
        {
            if (!job.IsKnown())
            {
                continue;
            }
            GpuHolder made;
            made.job = job.GetId();
            made.gpus = ListGpus(job.GetPlacement());
            made.utilisation = GetUtilisation(job);
            if (IsOnOneGpu(group->GetSpec()) && group->GetState() == GroupState::RUNNING)
            {
                const GpuType& type =
                    FindMachine(m_parts.book->GetView(), made.gpus.front().host)->gpuType;
                const ModelProfile& model = job.spec->model;
                const Time iteration =
                    model.input + type.GetTime(model.forward + model.backward, model.name);
                const auto iterations = static_cast<int64_t>(job.run->iterations - job.run->first);
                made.trainsUntil = group->GetStateSince() + iteration * iterations;
            }
            holders.push_back(std::move(made));
        }
    }
    return holders;
}

/** \return where the group goes: on free GPUs, or by the rules for sharing on those of others */
GroupAnswer
GpuOffers::Ask(GroupRecord& group)
{
    GroupRequest request = MakeRequest(group);
    const JobSpec& job = request.jobs.front();
    JobRecord& record = m_parts.table->GetJob(job.id);
    // A job that holds GPUs while it waits sees them free, and then holds what the policy says.
    request.views.front().held = m_parts.book->LetGo(record);
    GroupAnswer answer = AskOnce(request);
    TraceTimers(answer);
    if (!answer.held.empty())
    {
        m_parts.book->Hold(record, answer.held, job.model.gpuMemory);
    }
    AskForSecond(group, answer);
    return answer;
}

/** \return where the group goes on GPUs that are free, or, with rules for sharing, not held */
GroupAnswer
GpuOffers::AskOnce(const GroupRequest& request)
{
    if (!m_parts.sharing.IsAny())
    {
        return PlaceGroup(m_parts.placement, m_parts.book->GetView(), request);
    }
    ClusterView free = HideHeldGpus(m_parts.book->GetView());
    return PlaceGroup(m_parts.placement, free, request);
}

/** A job of one GPU that has no place may get one beside another job. */
void
GpuOffers::AskForSecond(GroupRecord& group, GroupAnswer& answer)
{
    group.offers.after.reset();
    if (!m_parts.sharing.IsAny() || answer.placements || answer.declines ||
        !IsOnOneGpu(group.GetSpec()))
    {
        return;
    }
    const JobSpec job = group.ListLiveSpecs().front(); // with the memory that was estimated
    const SecondQuestion question{job.model.gpuMemory,
                                  GetUtilisation(m_parts.table->GetJob(job.id)),
                                  m_parts.switching->Get(job.model.name).GetLaunch(1)};
    const SecondAnswer second = FindSecondPlace(m_parts.book->GetView(),
                                                ListGpuHolders(),
                                                question,
                                                m_parts.sharing,
                                                ClusterClock::Now());
    if (second.gpu)
    {
        answer.placements = {Placement{{*second.gpu}, {}}};
    }
    group.offers.after = second.after;
    if (second.askAgain)
    {
        answer.askAgain = std::min(answer.askAgain.value_or(Time::Max()), *second.askAgain);
    }
}

/** Offer GPUs to one group after another, in their order, until none takes any. */
void
GpuOffers::OfferInTurn()
{
    std::vector<Placement> placements;
    const auto offer = [&](CojobId id) {
        GroupRecord& group = m_parts.table->Get(id);
        const GroupAnswer answer = Ask(group);
        if (answer.placements)
        {
            placements = *answer.placements;
            return WaitingQueue::Reply::TAKES;
        }
        NoteAnswer(group, answer);
        return answer.declines ? WaitingQueue::Reply::DECLINES : WaitingQueue::Reply::NO_ROOM;
    };
    while (const auto next = m_waiting.TakeFirst({m_parts.book->CountFreeGpus(), CountComingGpus()},
                                                 m_parts.queue->LetsOthersPass(),
                                                 offer))
    {
        StartGroup(m_parts.table->Get(*next), placements);
    }
}

/** \return groups that need no more GPUs than are free and not kept for one before them, in order
 */
std::vector<CojobId>
GpuOffers::ListBatch() const
{
    const bool letsPass = m_parts.queue->LetsOthersPass();
    const uint64_t free = m_parts.book->CountFreeGpus();
    const uint64_t coming = CountComingGpus();
    uint64_t available = free + coming;
    std::vector<CojobId> batch;
    m_waiting.Visit(std::numeric_limits<uint32_t>::max(), [&](CojobId id, double) {
        const uint64_t wanted = m_waiting.GetGpus(id);
        if (wanted <= std::min(available, free))
        {
            batch.push_back(id);
            return true;
        }
        if (coming > 0 && wanted <= free + coming)
        {
            available -= std::min(available, wanted);
        }
        return letsPass;
    });
    return batch;
}

/** Offer GPUs to all groups that they may be enough for at once. A group with places that the user
 * has given is no matter of the policy's, and comes first. */
void
GpuOffers::OfferTogether()
{
    std::vector<GroupRecord*> asked;
    std::vector<GroupRequest> requests;
    for (const CojobId id : ListBatch())
    {
        GroupRecord& group = m_parts.table->Get(id);
        GroupRequest request = MakeRequest(group);
        const bool isGiven =
            std::any_of(request.jobs.begin(), request.jobs.end(), [](const JobSpec& job) {
                return job.placement.has_value();
            });
        if (!isGiven)
        {
            asked.push_back(&group);
            requests.push_back(std::move(request));
            continue;
        }
        StartIfPlaced(group, PlaceGroup(m_parts.placement, m_parts.book->GetView(), request));
    }
    std::optional<ClusterView> free;
    if (m_parts.sharing.IsAny())
    {
        free = HideHeldGpus(m_parts.book->GetView());
    }
    ClusterView& shown = free ? *free : m_parts.book->GetView();
    std::vector<GroupQuestion> questions;
    for (const GroupRequest& request : requests)
    {
        questions.emplace_back();
        for (std::size_t job = 0; job < request.jobs.size(); ++job)
        {
            questions.back().push_back(AsView(shown, request, job));
        }
    }
    auto answers = m_parts.placement->PlaceTogether(questions);
    bool isBlocked = false; // by one that waits, where nobody may pass
    for (std::size_t i = 0; i < answers.size() && !isBlocked; ++i)
    {
        TraceTimers(answers[i]);
        AskForSecond(*asked[i], answers[i]);
        isBlocked = !StartIfPlaced(*asked[i], answers[i]) && !m_parts.queue->LetsOthersPass();
    }
}

/** \return whether a group that waits has got its GPUs */
bool
GpuOffers::StartIfPlaced(GroupRecord& group, const GroupAnswer& answer)
{
    if (!answer.placements)
    {
        NoteAnswer(group, answer);
        return false;
    }
    m_waiting.Remove(group.GetId());
    StartGroup(group, *answer.placements);
    return true;
}

/** A group that has left the queue gets its GPUs. */
void
GpuOffers::StartGroup(GroupRecord& group, const std::vector<Placement>& placements)
{
    const Time now = ClusterClock::Now();
    const Time wait = group.AsView().lasted;
    for (const Placement& placement : placements)
    {
        const std::vector<GpuId> gpus = ListGpus(placement);
        m_history.Add(FindTier(m_parts.book->GetView(), gpus), gpus.size(), {now, wait});
    }
    group.offers.offer = 0;
    group.offers.told.reset();
    SetWake(group, std::nullopt);
    m_parts.start(group, placements, std::exchange(group.offers.after, std::nullopt));
}

/** Remember why a group goes on waiting, and until when. */
void
GpuOffers::NoteAnswer(GroupRecord& group, const GroupAnswer& answer)
{
    group.offers.offer = m_offers;
    group.offers.answer = answer;
    SetWake(group, answer.askAgain);
}

void
GpuOffers::SetWake(GroupRecord& group, std::optional<Time> at)
{
    if (group.offers.askAgain)
    {
        m_wakes.erase({*group.offers.askAgain, group.GetId()});
    }
    group.offers.askAgain = at;
    if (at)
    {
        m_wakes.emplace(*at, group.GetId());
    }
}

/** \return whether nobody has GPUs */
bool
GpuOffers::IsIdle() const
{
    return m_parts.table->GetHolders().empty() && m_parts.table->GetSuspending().empty();
}

Time
GpuOffers::GetNextOffer() const
{
    Time next = Time::Max();
    for (const EventId& timer : {m_timer, m_batchTimer, m_improveTimer})
    {
        next = timer.IsExpired() ? next : std::min(next, ClusterClock::GetTime(timer));
    }
    return next;
}

std::optional<Time>
GpuOffers::GetIdleUntil() const
{
    if (!IsIdle() || m_waiting.IsEmpty())
    {
        return std::nullopt;
    }
    std::optional<Time> until;
    if (!m_wakes.empty())
    {
        until = m_wakes.begin()->first;
    }
    return m_batchTimer.IsExpired() ? until : std::max(until.value_or(m_batchEnd), m_batchEnd);
}

/** \return whether the group has to compete for its GPUs now */
bool
GpuOffers::Competes(const GroupRecord& group) const
{
    const Time lasted = ClusterClock::Now() - *group.GetLastStart();
    if (group.GetState() != GroupState::RUNNING || !group.IsPreemptible() || lasted < minRun ||
        !group.HasStaying()) // it leaves, and its GPUs may be free already
    {
        return false;
    }
    return lease.IsZero() ? m_parts.queue->IsPreemptive() : group.offers.leaseOver.has_value();
}

/** \return whether priorities of groups that run are kept from one change that was named to the
 * next
 */
bool
GpuOffers::KnowsPriorities() const
{
    return lease.IsZero() && m_parts.queue->IsPreemptive() && m_parts.queue->NamesAllChanges();
}

/** \return false if all that compete are before all that wait */
bool
GpuOffers::MayGiveWay() const
{
    const JobTable::RankedGroups& ranked = m_parts.table->GetRanked();
    if (m_waiting.IsEmpty() || ranked.empty() || !IsPreemptive())
    {
        return false;
    }
    return !KnowsPriorities() || m_waiting.GetFirstPriority() < (*ranked.rbegin())->GetPriority();
}

/** \return the groups that have to compete for their GPUs now, in order; where that is known,
 * without those that are before all that wait and so keep theirs */
std::vector<GpuOffers::Competitor>
GpuOffers::ListCompeting() const
{
    const JobTable::RankedGroups& ranked = m_parts.table->GetRanked();
    auto first = ranked.begin();
    if (KnowsPriorities())
    {
        const CojobId last{std::numeric_limits<uint32_t>::max()};
        first = ranked.upper_bound(JobTable::Rank(m_waiting.GetFirstPriority(), Time::Max(), last));
    }
    std::vector<Competitor> competing;
    std::vector<GroupView> views;
    for (auto group = first; group != ranked.end(); ++group)
    {
        if (!Competes(**group))
        {
            continue;
        }
        competing.push_back({(*group)->GetPriority(), *group});
        if (!KnowsPriorities())
        {
            views.push_back((*group)->AsView());
        }
    }
    if (KnowsPriorities())
    {
        return competing;
    }
    const std::vector<double> priorities = m_parts.queue->GetPriorities(views);
    for (std::size_t i = 0; i < competing.size(); ++i)
    {
        competing[i].priority = priorities[i];
    }
    std::sort(competing.begin(), competing.end(), [](const auto& a, const auto& b) {
        const auto rank = [](const Competitor& each) {
            return JobTable::Rank(each.priority, *each.group->GetLastStart(), each.group->GetId());
        };
        return rank(a) < rank(b);
    });
    return competing;
}

/** Suspend groups that would not have GPUs if all were given theirs by priority, for those that
 * would. */
void
GpuOffers::LetGiveWay()
{
    if (!MayGiveWay())
    {
        return;
    }
    const std::vector<Competitor> holders = ListCompeting();
    if (holders.empty())
    {
        return;
    }
    uint32_t gpus = m_parts.book->CountFreeGpus() + CountComingGpus();
    for (const Competitor& holder : holders)
    {
        gpus += holder.group->GetHeldGpus();
    }
    Declining declining;
    std::vector<GroupRecord*> inTheWay;
    std::size_t before = 0;
    do // nobody gives way to a group that declines what it would get: then the next ones compete
    {
        before = declining.size();
        const auto [winners, losers] = Compete(holders, gpus, declining);
        inTheWay = FindInTheWay(winners, losers, declining);
    } while (declining.size() > before);
    for (const auto& [group, at] : declining)
    {
        const std::optional<Time> known = group->offers.askAgain;
        SetWake(*group, known ? std::min(at.value_or(Time::Max()), *known) : at);
    }
    for (GroupRecord* const group : inTheWay)
    {
        m_parts.suspend(*group, "suspended");
    }
}

/** \return whether a holder is before a waiting group. Of equals, who holds goes on; but with
 * leases, whose turn is longer ago is first, so that equals take turns */
bool
GpuOffers::IsBefore(const Competitor& holder, double priority, const GroupRecord& waiting) const
{
    if (holder.priority != priority || lease.IsZero())
    {
        return holder.priority <= priority;
    }
    const auto lastStart = waiting.GetLastStart();
    return lastStart && *holder.group->GetLastStart() < *lastStart;
}

/**
 * Give GPUs to holders and waiting groups by priority, by number.
 *
 * \param holders that compete, in order
 * \param gpus that may be given
 * \param declining waiting groups that do not compete
 * \return waiting groups that would get theirs, and holders that would not, in order
 */
std::pair<std::vector<GroupRecord*>, std::vector<GroupRecord*>>
GpuOffers::Compete(const std::vector<Competitor>& holders,
                   uint32_t gpus,
                   const Declining& declining) const
{
    std::vector<GroupRecord*> winners;
    std::vector<GroupRecord*> losers;
    auto holder = holders.begin();
    const auto giveToHolder = [&] {
        const uint32_t held = holder->group->GetHeldGpus();
        held <= gpus ? void(gpus -= held) : losers.push_back(holder->group);
        ++holder;
    };
    m_waiting.Visit(gpus, [&](CojobId id, double priority) {
        GroupRecord& group = m_parts.table->Get(id);
        while (holder != holders.end() && IsBefore(*holder, priority, group))
        {
            giveToHolder();
        }
        if (declining.count(&group) > 0)
        {
            return m_parts.queue->LetsOthersPass();
        }
        const uint32_t wanted = m_waiting.GetGpus(id);
        if (wanted <= gpus)
        {
            gpus -= wanted;
            winners.push_back(&group);
        }
        return gpus > 0 && (wanted <= gpus || m_parts.queue->LetsOthersPass());
    });
    while (holder != holders.end())
    {
        giveToHolder();
    }
    return {winners, losers};
}

/** In the scratch view, the group has left its GPUs. */
void
GpuOffers::Vacate(const GroupRecord& group, ScratchView& scratch) const
{
    for (const JobId id : group.ListStaying())
    {
        const RunSpec& run = *m_parts.table->GetJob(id).run;
        scratch.Vacate(id, run.placement, run.job.model.gpuMemory);
    }
}

/** In the scratch view, place the group. \return its places */
GroupAnswer
GpuOffers::TryToPlace(const GroupRecord& group, ScratchView& scratch) const
{
    const GroupRequest request = MakeRequest(group);
    const GroupAnswer answer = PlaceGroup(m_parts.placement, scratch.Get(), request);
    for (std::size_t i = 0; answer.placements && i < request.jobs.size(); ++i)
    {
        const JobSpec& job = request.jobs[i];
        scratch.Occupy(job.id, (*answer.placements)[i], job.model.gpuMemory);
    }
    return answer;
}

/** \return whether the jobs of a group that runs are at these places */
bool
GpuOffers::IsAt(const GroupRecord& group, const std::vector<Placement>& placements) const
{
    const std::vector<JobSpec> jobs = group.ListLiveSpecs();
    for (std::size_t i = 0; i < jobs.size(); ++i)
    {
        if (!AreSamePlaces(placements[i], m_parts.table->GetJob(jobs[i].id).GetPlacement()))
        {
            return false;
        }
    }
    return true;
}

/**
 * The groups whose leases are over compete with those that wait as if they waited since now, for
 * the GPUs that are free and their own. Who would be where it is goes on; the others give theirs
 * back.
 */
void
GpuOffers::RenewLeases()
{
    const std::vector<Competitor> holders = ListCompeting();
    if (holders.empty())
    {
        return;
    }
    uint32_t gpus = m_parts.book->CountFreeGpus();
    ScratchView scratch(m_parts.book->GetView());
    for (const Competitor& holder : holders)
    {
        gpus += holder.group->GetHeldGpus();
        Vacate(*holder.group, scratch);
    }
    std::vector<GroupRecord*> ended;
    auto holder = holders.begin();
    const auto askHolder = [&] {
        GroupRecord& group = *holder->group;
        const auto placements = TryToPlace(group, scratch).placements;
        gpus -= placements ? group.GetHeldGpus() : 0;
        if (placements && IsAt(group, *placements))
        {
            NoteRenewal(group, *placements);
        }
        else
        {
            ended.push_back(&group);
        }
        ++holder;
    };
    m_waiting.Visit(gpus, [&](CojobId id, double priority) {
        const GroupRecord& group = m_parts.table->Get(id);
        while (holder != holders.end() && IsBefore(*holder, priority, group))
        {
            askHolder();
        }
        const uint32_t wanted = m_waiting.GetGpus(id);
        const bool takes =
            holder != holders.end() && wanted <= gpus && TryToPlace(group, scratch).placements;
        gpus -= takes ? wanted : 0;
        return holder != holders.end() && (takes || m_parts.queue->LetsOthersPass());
    });
    while (holder != holders.end())
    {
        askHolder();
    }
    for (GroupRecord* const group : ended)
    {
        m_parts.suspend(*group, "suspended");
    }
}

/** The jobs of a group go on at their places for another lease. */
void
GpuOffers::NoteRenewal(const GroupRecord& group, const std::vector<Placement>& placements)
{
    if (group.offers.leaseOver != Time::Max()) // by an earlier offer at this date
    {
        return;
    }
    for (const Placement& placement : placements)
    {
        const std::vector<GpuId> gpus = ListGpus(placement);
        m_history.AddRenewal(FindTier(m_parts.book->GetView(), gpus),
                             gpus.size(),
                             ClusterClock::Now());
    }
}

/**
 * Try to place the winners as if the losers were gone.
 *
 * \param declining gets winners that decline nevertheless, and when they want to be asked again
 * \return losers whose GPUs are given to a winner; none if the winners cannot be placed even then
 */
std::vector<GroupRecord*>
GpuOffers::FindInTheWay(const std::vector<GroupRecord*>& winners,
                        const std::vector<GroupRecord*>& losers,
                        Declining& declining)
{
    std::vector<GroupRecord*> inTheWay;
    if (winners.empty() || losers.empty())
    {
        return inTheWay;
    }
    ScratchView scratch(m_parts.book->GetView());
    for (const GroupRecord* const group : losers)
    {
        Vacate(*group, scratch);
    }
    bool isAny = false;
    for (GroupRecord* const group : winners)
    {
        const GroupAnswer answer = TryToPlace(*group, scratch);
        isAny = isAny || answer.placements;
        if (answer.declines)
        {
            declining.emplace(group, answer.askAgain);
        }
    }
    for (std::size_t i = 0; isAny && i < losers.size(); ++i)
    {
        const std::vector<JobId> running = losers[i]->ListStaying();
        const bool isFree = std::all_of(running.begin(), running.end(), [&](JobId id) {
            const RunSpec& run = *m_parts.table->GetJob(id).run;
            return scratch.HasRoomFor(run.placement, run.job.model.gpuMemory);
        });
        if (!isFree)
        {
            inTheWay.push_back(losers[i]);
            continue;
        }
        for (const JobId id : running)
        {
            const RunSpec& run = *m_parts.table->GetJob(id).run;
            scratch.Occupy(id, run.placement, run.job.model.gpuMemory);
        }
    }
    return inTheWay;
}

/** Offer again when a lease or a minimum time to run is over, a priority changes, or a placement
 * policy wants it. */
void
GpuOffers::SetTimer()
{
    ClusterClock::Cancel(m_timer);
    std::optional<Time> next;
    if (!m_changes.empty() && (!m_waiting.IsEmpty() || TakesBackLeases()))
    {
        next = m_changes.begin()->first;
    }
    if (!m_wakes.empty())
    {
        next = std::min(next.value_or(Time::Max()), m_wakes.begin()->first);
    }
    if (next)
    {
        m_timer = ClusterClock::Schedule(*next - ClusterClock::Now(), &GpuOffers::Offer, this);
    }
}

/** While groups run, ask at each multiple of `improve` whether they shall move. */
void
GpuOffers::SetImproveTimer()
{
    if (!improve.IsZero() && m_improveTimer.IsExpired() && !m_parts.table->GetHolders().empty())
    {
        const Time left = improve - ClusterClock::Now() % improve;
        m_improveTimer = ClusterClock::Schedule(left, &GpuOffers::Improve, this);
    }
}

/** Move groups, in the order of their numbers, that would be placed better elsewhere. */
void
GpuOffers::Improve()
{
    UpdateLoads();
    const JobTable::Groups& holders = m_parts.table->GetHolders();
    for (GroupRecord* const group : std::vector<GroupRecord*>(holders.begin(), holders.end()))
    {
        if (!MayMove(*group) || !FindBetter(*group))
        {
            continue;
        }
        for (JobRecord& job : group->GetJobs())
        {
            if (job.moveTo)
            {
                m_parts.book->Reserve(job);
            }
        }
        group->offers.isMoving = true;
        m_moving.insert(group);
        m_parts.suspend(*group, "migrated");
    }
    SetImproveTimer();
}

/** \return whether the group runs, may be suspended, and is where a policy has placed it */
bool
GpuOffers::MayMove(const GroupRecord& group) const
{
    if (group.GetState() != GroupState::RUNNING || !group.IsPreemptible() || !group.HasStaying() ||
        ClusterClock::Now() - *group.GetLastStart() < minRun)
    {
        return false;
    }
    const std::vector<JobRecord>& jobs = group.GetJobs();
    return std::all_of(jobs.begin(), jobs.end(), [](const JobRecord& job) {
        return !job.IsStaying() || (!job.spec->placement && job.HoldsGpus());
    });
}

/**
 * Find places for all jobs of a group, if some would be placed better elsewhere
 * (JobRecord::moveTo). None takes GPUs that another job of the group has to leave first.
 *
 * \return whether there are such places
 */
bool
GpuOffers::FindBetter(GroupRecord& group)
{
    const GroupRequest request = MakeRequest(group);
    ScratchView scratch(m_parts.book->GetView());
    std::vector<Placement> places;
    bool isAny = false;
    for (std::size_t i = 0; i < request.jobs.size(); ++i)
    {
        const JobSpec& job = request.jobs[i];
        const Placement& present = request.views[i].placement;
        scratch.Vacate(job.id, present, job.model.gpuMemory);
        auto better = m_parts.placement->Improve(AsView(scratch.Get(), request, i));
        if (!better || AreSamePlaces(*better, present))
        {
            better = present;
        }
        isAny = isAny || !(*better == present);
        scratch.Occupy(job.id, GetRest(present, *better), job.model.gpuMemory);
        scratch.Occupy(job.id, *better, job.model.gpuMemory);
        places.push_back(*better);
    }
    for (std::size_t i = 0; isAny && i < places.size(); ++i)
    {
        m_parts.table->GetJob(request.jobs[i].id).moveTo = places[i];
    }
    return isAny;
}

/** The groups that have given back their GPUs to move go on. */
void
GpuOffers::StartMoved()
{
    for (GroupRecord* const group : std::exchange(m_moved, {}))
    {
        std::vector<Placement> placements;
        for (const JobRecord& job : group->GetJobs())
        {
            if (job.IsStaying())
            {
                placements.push_back(job.moveTo.value());
            }
        }
        EndMove(*group);
        m_parts.start(*group, placements, std::nullopt);
    }
}

/** Nothing is reserved for the group any more; no effect if nothing was. */
void
GpuOffers::EndMove(GroupRecord& group)
{
    if (!std::exchange(group.offers.isMoving, false))
    {
        return;
    }
    m_moving.erase(&group);
    for (JobRecord& job : group.GetJobs())
    {
        if (job.moveTo)
        {
            m_parts.book->EndReservation(job);
            job.moveTo.reset();
        }
    }
}

/** \param group that waits */
WaitRecord
GpuOffers::Explain(const GroupRecord& group) const
{
    const CojobSpec& spec = group.GetSpec();
    WaitRecord record;
    record.time = ClusterClock::Now();
    record.cojob = spec.id;
    record.job = spec.plain ? std::make_optional(spec.jobs.front().id) : std::nullopt;
    const JobSpec first = group.ListLiveSpecs().front(); // only groups of one job hold GPUs
    const std::optional<KeptPlaces>& kept = m_parts.table->GetJob(first.id).held;
    const auto held = static_cast<uint32_t>(kept ? kept->places.workers.size() : 0);
    const uint32_t needed = CountWholeGpus(MakeDemand(group), m_parts.book->IsShared());
    record.gpus = needed - std::min(needed, held);
    record.free = m_parts.book->CountFreeGpus();
    const OfferNotes& alike = m_parts.table->Get(m_waiting.GetFirstAlike(spec.id)).offers;
    if (held > 0)
    {
        record.reason =
            "holds " + std::to_string(held) + " of " + std::to_string(first.CountGpus()) + " GPUs";
    }
    else if (record.gpus > record.free)
    {
        record.reason = "no GPUs";
    }
    else if (alike.offer > 0 && alike.offer == m_offers)
    {
        const GroupAnswer& said = alike.answer;
        record.reason = !said.why.empty() ? said.why : said.declines ? "declined" : "no place";
        record.until = said.askAgain;
    }
    else if (!m_batchTimer.IsExpired())
    {
        record.reason = "no offer yet";
        record.until = m_batchEnd;
    }
    else
    {
        record.reason = "behind another job";
    }
    return record;
}

std::string
GpuOffers::DescribeWait(CojobId group) const
{
    if (!m_waiting.Contains(group))
    {
        return "";
    }
    const WaitRecord record = Explain(m_parts.table->Get(group));
    std::ostringstream text;
    text << record.reason;
    if (record.gpus > record.free)
    {
        text << " (needs " << record.gpus << ", " << record.free << " free)";
    }
    if (record.until)
    {
        text << " until " << record.until->GetSeconds() << " s";
    }
    return text.str();
}

/** Fire the trace source for each group whose reason to wait has changed. */
void
GpuOffers::TraceWaits()
{
    if (m_parts.waits == nullptr || m_parts.waits->IsEmpty())
    {
        return;
    }
    m_waiting.Visit(std::numeric_limits<uint32_t>::max(), [this](CojobId id, double) {
        GroupRecord& group = m_parts.table->Get(id);
        const WaitRecord record = Explain(group);
        const auto reason = std::make_pair(record.reason, record.until);
        if (group.offers.told != reason)
        {
            group.offers.told = reason;
            (*m_parts.waits)(record);
        }
        return true;
    });
}

/** Tell whoever wants to know of the timers that an offer went by. */
void
GpuOffers::TraceTimers(const GroupAnswer& answer) const
{
    if (m_parts.timers == nullptr)
    {
        return;
    }
    for (const auto& [gpus, timers] : answer.timers)
    {
        (*m_parts.timers)({ClusterClock::Now(), gpus, timers});
    }
}

} // namespace ns3::ddl
