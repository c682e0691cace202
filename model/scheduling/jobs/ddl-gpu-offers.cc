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
GpuOffers::Enqueue(const GroupLedger& group)
{
    const CojobId id = group.GetSpec().id;
    m_givingBack.erase(id);
    if (m_moves.count(id) > 0)
    {
        m_moved.push_back(id); // it need not wait: its GPUs are reserved
        return;
    }
    const GroupDemand demand = MakeDemand(group);
    m_waiting.Add(id, m_parts.queue->GetPriority(group.AsView()), CountWanted(demand), demand);
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
GpuOffers::MakeDemand(const GroupLedger& group) const
{
    return GetDemand(group.ListLiveSpecs(),
                     group.CountIterationsLeft(),
                     m_parts.placement->MindsLoads(),
                     m_parts.placement->LooksAtJobs());
}

void
GpuOffers::NoteDemand(const GroupLedger& group)
{
    const CojobId id = group.GetSpec().id;
    if (m_waiting.Contains(id))
    {
        const GroupDemand demand = MakeDemand(group);
        m_waiting.SetDemand(id, CountWanted(demand), demand);
    }
}

void
GpuOffers::NoteStart(const GroupLedger& group)
{
    m_idleWakes.clear();
    SetPriority(group);
    NoteChange(group);
    SetImproveTimer();
}

void
GpuOffers::NoteSuspension(const GroupLedger& group)
{
    EraseHolder(group.GetSpec().id);
    m_leasesOver.erase(group.GetSpec().id);
    m_givingBack.insert(group.GetSpec().id);
}

void
GpuOffers::Forget(CojobId group)
{
    EraseHolder(group);
    m_leasesOver.erase(group);
    m_givingBack.erase(group);
    EndMove(group);
}

void
GpuOffers::NoteFailed(const std::set<HostId>& machines)
{
    const auto isThere = [&machines](const auto& entry) {
        const std::vector<HostId> hosts = ListHosts(ListRankHosts(entry.second));
        return std::any_of(hosts.begin(), hosts.end(), [&machines](HostId host) {
            return machines.count(host) > 0;
        });
    };
    std::vector<CojobId> ended;
    for (const auto& [id, move] : m_moves)
    {
        if (std::any_of(move.begin(), move.end(), isThere))
        {
            ended.push_back(id);
        }
    }
    for (const CojobId id : ended)
    {
        EndMove(id);
    }
}

/** Ask for the priority of a group that runs. */
void
GpuOffers::SetPriority(const GroupLedger& group)
{
    const CojobId id = group.GetSpec().id;
    EraseHolder(id);
    const double priority = KnowsPriorities() ? m_parts.queue->GetPriority(group.AsView()) : 0;
    const Holder holder{priority, *group.GetLastStart(), id, &group};
    m_holders.emplace(id, holder);
    m_order.insert(holder);
}

void
GpuOffers::EraseHolder(CojobId group)
{
    const auto holder = m_holders.find(group);
    if (holder != m_holders.end())
    {
        m_order.erase(holder->second);
        m_holders.erase(holder);
    }
}

/** \return GPUs that suspended groups will give back, less those that are reserved for them */
uint32_t
GpuOffers::CountComingGpus() const
{
    uint32_t gpus = 0;
    for (const CojobId id : m_givingBack)
    {
        const GroupLedger& group = m_parts.groups->at(id);
        gpus += group.GetHeldGpus();
        const auto move = m_moves.find(id);
        for (const JobId job : move == m_moves.end() ? std::set<JobId>() : group.GetRunning())
        {
            const auto to = move->second.find(job);
            gpus -= to == move->second.end()
                        ? 0
                        : CountCommonGpus(group.GetJob(job)->GetPlacement(), to->second);
        }
    }
    return gpus;
}

/** Remember when the group's priority changes, or its lease is over. */
void
GpuOffers::NoteChange(const GroupLedger& group)
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
        m_changes.emplace(*at, group.GetSpec().id);
    }
}

/** \param at a date, perhaps one at which the group's lease is over */
void
GpuOffers::NoteLeaseEnd(const GroupLedger& group, Time at)
{
    const Time lasted = at - *group.GetLastStart();
    const bool isOver = !lease.IsZero() && lasted.IsStrictlyPositive() && (lasted % lease).IsZero();
    // A lease that ended while no group waited has been extended.
    const bool isOffered = batchWindow.IsZero() || !m_waiting.IsEmpty() || TakesBackLeases();
    if (isOver && isOffered && at == ClusterClock::Now())
    {
        m_leasesOver[group.GetSpec().id] = Time::Max();
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
        const auto group = m_parts.groups->find(id);
        if (group == m_parts.groups->end())
        {
            continue;
        }
        if (m_waiting.Contains(id))
        {
            m_waiting.SetPriority(id, m_parts.queue->GetPriority(group->second.AsView()));
            NoteChange(group->second);
        }
        else if (m_holders.count(id) > 0 && group->second.HasStaying())
        {
            SetPriority(group->second);
            NoteLeaseEnd(group->second, at);
            NoteChange(group->second);
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
        const CojobId id = m_wakes.begin()->second;
        SetWake(id, std::nullopt);
        if (m_holders.empty() && m_givingBack.empty() && !m_parts.book->HasFailed() &&
            ++m_idleWakes[id] > MOST_ASKS)
        {
            throw RunError(m_parts.placement->GetInstanceTypeId().GetName() + " would let group " +
                           std::to_string(id.value) +
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
    const bool isAny = !m_waiting.IsEmpty() || (TakesBackLeases() && !m_leasesOver.empty());
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
    m_answers.clear();
    for (auto over = m_leasesOver.begin(); over != m_leasesOver.end();)
    {
        over = over->second < now ? m_leasesOver.erase(over) : std::next(over);
    }
    if (!m_waiting.IsEmpty())
    {
        UpdateLoads();
        m_parts.placement->PlacesTogether() ? OfferTogether() : OfferInTurn();
    }
    TakesBackLeases() ? RenewLeases() : LetGiveWay();
    for (auto& [id, until] : m_leasesOver)
    {
        until = now; // if another offer follows at this date, the group competes again
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
        m_parts.book->UpdateLoads(*m_parts.oracle);
    }
}

GroupRequest
GpuOffers::MakeRequest(const GroupLedger& group) const
{
    return group.AsRequest(m_history);
}

/** \return the jobs that hold GPUs, as rules for sharing see them */
std::vector<GpuHolder>
GpuOffers::ListGpuHolders() const
{
    std::vector<GpuHolder> holders;
    for (const auto& [id, holder] : m_holders)
    {
        const GroupLedger& group = *holder.group;
        for (const JobSpec& job : group.GetSpec().jobs)
        {
            const JobLedger* const ledger = group.GetJob(job.id);
            if (ledger == nullptr)
            {
                continue;
            }
            GpuHolder made;
            made.job = job.id;
            made.gpus = ListGpus(ledger->GetPlacement());
            const GroupLedger::Estimate* const expected = group.GetEstimate(job.id);
            made.utilisation =
                expected ? Get(expected->usage.worker, UsageLabel::GPU_UTILISATION) : 1;
            if (IsOnOneGpu(group.GetSpec()) && group.GetState() == GroupState::RUNNING)
            {
                const GpuType& type =
                    FindMachine(m_parts.book->GetView(), made.gpus.front().host)->gpuType;
                const ModelProfile& model = job.model;
                const Time iteration =
                    model.input + type.GetTime(model.forward + model.backward, model.name);
                const auto iterations =
                    static_cast<int64_t>(ledger->run->iterations - ledger->run->first);
                made.trainsUntil = group.GetStateSince() + iteration * iterations;
            }
            holders.push_back(std::move(made));
        }
    }
    return holders;
}

/** \return where the group goes: on free GPUs, or by the rules for sharing on those of others */
GroupAnswer
GpuOffers::Ask(const GroupLedger& group)
{
    GroupRequest request = MakeRequest(group);
    const JobSpec& job = request.jobs.front();
    // A job that holds GPUs while it waits sees them free, and then holds what the policy says.
    request.views.front().held = m_parts.book->LetGo(job.id);
    GroupAnswer answer = AskOnce(request);
    TraceTimers(answer);
    if (!answer.held.empty())
    {
        m_parts.book->Hold(job.id, answer.held, job.model.gpuMemory);
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
GpuOffers::AskForSecond(const GroupLedger& group, GroupAnswer& answer)
{
    const CojobId id = group.GetSpec().id;
    m_after.erase(id);
    if (!m_parts.sharing.IsAny() || answer.placements || answer.declines ||
        !IsOnOneGpu(group.GetSpec()))
    {
        return;
    }
    const JobSpec job = group.ListLiveSpecs().front(); // with the memory that was estimated
    const GroupLedger::Estimate* const expected = group.GetEstimate(job.id);
    const SecondQuestion question{
        job.model.gpuMemory,
        expected ? Get(expected->usage.worker, UsageLabel::GPU_UTILISATION) : 1,
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
    if (second.after)
    {
        m_after[id] = *second.after;
    }
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
        const GroupAnswer answer = Ask(m_parts.groups->at(id));
        if (answer.placements)
        {
            placements = *answer.placements;
            return WaitingQueue::Reply::TAKES;
        }
        NoteAnswer(id, answer);
        return answer.declines ? WaitingQueue::Reply::DECLINES : WaitingQueue::Reply::NO_ROOM;
    };
    while (const auto next = m_waiting.TakeFirst({m_parts.book->CountFreeGpus(), CountComingGpus()},
                                                 m_parts.queue->LetsOthersPass(),
                                                 offer))
    {
        StartGroup(*next, placements);
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
    std::vector<CojobId> asked;
    std::vector<GroupRequest> requests;
    for (const CojobId id : ListBatch())
    {
        GroupRequest request = MakeRequest(m_parts.groups->at(id));
        const bool isGiven =
            std::any_of(request.jobs.begin(), request.jobs.end(), [](const JobSpec& job) {
                return job.placement.has_value();
            });
        if (!isGiven)
        {
            asked.push_back(id);
            requests.push_back(std::move(request));
            continue;
        }
        StartIfPlaced(id, PlaceGroup(m_parts.placement, m_parts.book->GetView(), request));
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
        AskForSecond(m_parts.groups->at(asked[i]), answers[i]);
        isBlocked = !StartIfPlaced(asked[i], answers[i]) && !m_parts.queue->LetsOthersPass();
    }
}

/** \return whether a group that waits has got its GPUs */
bool
GpuOffers::StartIfPlaced(CojobId group, const GroupAnswer& answer)
{
    if (!answer.placements)
    {
        NoteAnswer(group, answer);
        return false;
    }
    m_waiting.Remove(group);
    StartGroup(group, *answer.placements);
    return true;
}

/** A group that has left the queue gets its GPUs. */
void
GpuOffers::StartGroup(CojobId id, const std::vector<Placement>& placements)
{
    const GroupLedger& group = m_parts.groups->at(id);
    const Time now = ClusterClock::Now();
    const Time wait = group.AsView().lasted;
    for (const Placement& placement : placements)
    {
        const std::vector<GpuId> gpus = ListGpus(placement);
        m_history.Add(FindTier(m_parts.book->GetView(), gpus), gpus.size(), {now, wait});
    }
    m_answers.erase(id);
    m_told.erase(id);
    SetWake(id, std::nullopt);
    const auto after = m_after.find(id);
    const auto first = after == m_after.end() ? std::nullopt : std::make_optional(after->second);
    m_after.erase(id);
    m_parts.start(id, placements, first);
}

/** Remember why a group goes on waiting, and until when. */
void
GpuOffers::NoteAnswer(CojobId group, const GroupAnswer& answer)
{
    m_answers[group] = answer;
    SetWake(group, answer.askAgain);
}

void
GpuOffers::SetWake(CojobId group, std::optional<Time> at)
{
    const auto before = m_wakeOf.find(group);
    if (before != m_wakeOf.end())
    {
        m_wakes.erase({before->second, group});
        m_wakeOf.erase(before);
    }
    if (at)
    {
        m_wakeOf[group] = *at;
        m_wakes.emplace(*at, group);
    }
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
    if (!m_holders.empty() || !m_givingBack.empty() || m_waiting.IsEmpty())
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
GpuOffers::Competes(const GroupLedger& group) const
{
    const Time lasted = ClusterClock::Now() - *group.GetLastStart();
    if (group.GetState() != GroupState::RUNNING || !group.IsPreemptible() || lasted < minRun ||
        !group.HasStaying()) // it leaves, and its GPUs may be free already
    {
        return false;
    }
    return lease.IsZero() ? m_parts.queue->IsPreemptive()
                          : m_leasesOver.count(group.GetSpec().id) > 0;
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
    if (m_waiting.IsEmpty() || m_holders.empty() || !IsPreemptive())
    {
        return false;
    }
    return !KnowsPriorities() || m_waiting.GetFirstPriority() < m_order.rbegin()->priority;
}

/** \return the groups that have to compete for their GPUs now, in order; where that is known,
 * without those that are before all that wait and so keep theirs */
std::vector<GpuOffers::Holder>
GpuOffers::ListCompeting() const
{
    auto first = m_order.begin();
    if (KnowsPriorities())
    {
        const CojobId last{std::numeric_limits<uint32_t>::max()};
        first = m_order.upper_bound({m_waiting.GetFirstPriority(), Time::Max(), last, nullptr});
    }
    std::vector<Holder> holders;
    std::copy_if(first, m_order.end(), std::back_inserter(holders), [this](const Holder& holder) {
        return Competes(*holder.group);
    });
    if (KnowsPriorities())
    {
        return holders;
    }
    std::vector<GroupView> views;
    views.reserve(holders.size());
    for (const Holder& holder : holders)
    {
        views.push_back(holder.group->AsView());
    }
    const std::vector<double> priorities = m_parts.queue->GetPriorities(views);
    for (std::size_t i = 0; i < holders.size(); ++i)
    {
        holders[i].priority = priorities[i];
    }
    std::sort(holders.begin(), holders.end());
    return holders;
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
    const std::vector<Holder> holders = ListCompeting();
    if (holders.empty())
    {
        return;
    }
    uint32_t gpus = m_parts.book->CountFreeGpus() + CountComingGpus();
    for (const Holder& holder : holders)
    {
        gpus += holder.group->GetHeldGpus();
    }
    Declining declining;
    std::vector<CojobId> inTheWay;
    std::size_t before = 0;
    do // nobody gives way to a group that declines what it would get: then the next ones compete
    {
        before = declining.size();
        const auto [winners, losers] = Compete(holders, gpus, declining);
        inTheWay = FindInTheWay(winners, losers, declining);
    } while (declining.size() > before);
    for (const auto& [id, at] : declining)
    {
        const auto known = m_wakeOf.find(id);
        SetWake(id,
                known == m_wakeOf.end() ? at : std::min(at.value_or(Time::Max()), known->second));
    }
    for (const CojobId id : inTheWay)
    {
        m_parts.suspend(id, "suspended");
    }
}

bool
GpuOffers::Holder::operator<(const Holder& other) const
{
    return std::tie(priority, start, id) < std::tie(other.priority, other.start, other.id);
}

/** \return whether a holder is before a waiting group. Of equals, who holds goes on; but with
 * leases, whose turn is longer ago is first, so that equals take turns */
bool
GpuOffers::IsBefore(const Holder& holder, double priority, CojobId waiting) const
{
    if (holder.priority != priority || lease.IsZero())
    {
        return holder.priority <= priority;
    }
    const auto lastStart = m_parts.groups->at(waiting).GetLastStart();
    return lastStart && holder.start < *lastStart;
}

/**
 * Give GPUs to holders and waiting groups by priority, by number.
 *
 * \param holders that compete, in order
 * \param gpus that may be given
 * \param declining waiting groups that do not compete
 * \return waiting groups that would get theirs, and holders that would not, in order
 */
std::pair<std::vector<CojobId>, std::vector<CojobId>>
GpuOffers::Compete(const std::vector<Holder>& holders,
                   uint32_t gpus,
                   const Declining& declining) const
{
    std::vector<CojobId> winners;
    std::vector<CojobId> losers;
    auto holder = holders.begin();
    const auto giveToHolder = [&] {
        const uint32_t held = holder->group->GetHeldGpus();
        held <= gpus ? void(gpus -= held) : losers.push_back(holder->id);
        ++holder;
    };
    m_waiting.Visit(gpus, [&](CojobId id, double priority) {
        while (holder != holders.end() && IsBefore(*holder, priority, id))
        {
            giveToHolder();
        }
        if (declining.count(id) > 0)
        {
            return m_parts.queue->LetsOthersPass();
        }
        const uint32_t wanted = m_waiting.GetGpus(id);
        if (wanted <= gpus)
        {
            gpus -= wanted;
            winners.push_back(id);
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
GpuOffers::Vacate(const GroupLedger& group, ScratchView& scratch)
{
    for (const JobId job : group.ListStaying())
    {
        const JobLedger* const holder = group.GetJob(job);
        scratch.Vacate(job, holder->GetPlacement(), holder->GetSpec().model.gpuMemory);
    }
}

/** In the scratch view, place the group. \return its places */
GroupAnswer
GpuOffers::TryToPlace(const GroupLedger& group, ScratchView& scratch) const
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
GpuOffers::IsAt(const GroupLedger& group, const std::vector<Placement>& placements)
{
    const std::vector<JobSpec> jobs = group.ListLiveSpecs();
    for (std::size_t i = 0; i < jobs.size(); ++i)
    {
        if (!AreSamePlaces(placements[i], group.GetJob(jobs[i].id)->GetPlacement()))
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
    const std::vector<Holder> holders = ListCompeting();
    if (holders.empty())
    {
        return;
    }
    uint32_t gpus = m_parts.book->CountFreeGpus();
    ScratchView scratch(m_parts.book->GetView());
    for (const Holder& holder : holders)
    {
        gpus += holder.group->GetHeldGpus();
        Vacate(*holder.group, scratch);
    }
    std::vector<CojobId> ended;
    auto holder = holders.begin();
    const auto askHolder = [&] {
        const auto placements = TryToPlace(*holder->group, scratch).placements;
        gpus -= placements ? holder->group->GetHeldGpus() : 0;
        if (placements && IsAt(*holder->group, *placements))
        {
            NoteRenewal(holder->id, *placements);
        }
        else
        {
            ended.push_back(holder->id);
        }
        ++holder;
    };
    m_waiting.Visit(gpus, [&](CojobId id, double priority) {
        while (holder != holders.end() && IsBefore(*holder, priority, id))
        {
            askHolder();
        }
        const uint32_t wanted = m_waiting.GetGpus(id);
        const bool takes = holder != holders.end() && wanted <= gpus &&
                           TryToPlace(m_parts.groups->at(id), scratch).placements;
        gpus -= takes ? wanted : 0;
        return holder != holders.end() && (takes || m_parts.queue->LetsOthersPass());
    });
    while (holder != holders.end())
    {
        askHolder();
    }
    for (const CojobId id : ended)
    {
        m_parts.suspend(id, "suspended");
    }
}

/** The jobs of a group go on at their places for another lease. */
void
GpuOffers::NoteRenewal(CojobId group, const std::vector<Placement>& placements)
{
    if (m_leasesOver.at(group) != Time::Max()) // by an earlier offer at this date
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
std::vector<CojobId>
GpuOffers::FindInTheWay(const std::vector<CojobId>& winners,
                        const std::vector<CojobId>& losers,
                        Declining& declining)
{
    std::vector<CojobId> inTheWay;
    if (winners.empty() || losers.empty())
    {
        return inTheWay;
    }
    ScratchView scratch(m_parts.book->GetView());
    for (const CojobId id : losers)
    {
        Vacate(m_parts.groups->at(id), scratch);
    }
    bool isAny = false;
    for (const CojobId id : winners)
    {
        const GroupAnswer answer = TryToPlace(m_parts.groups->at(id), scratch);
        isAny = isAny || answer.placements;
        if (answer.declines)
        {
            declining.emplace(id, answer.askAgain);
        }
    }
    for (std::size_t i = 0; isAny && i < losers.size(); ++i)
    {
        const GroupLedger& group = m_parts.groups->at(losers[i]);
        const std::vector<JobId> running = group.ListStaying();
        const bool isFree = std::all_of(running.begin(), running.end(), [&](JobId job) {
            const JobLedger* const holder = group.GetJob(job);
            return scratch.HasRoomFor(holder->GetPlacement(), holder->GetSpec().model.gpuMemory);
        });
        if (!isFree)
        {
            inTheWay.push_back(losers[i]);
            continue;
        }
        for (const JobId job : running)
        {
            const JobLedger* const holder = group.GetJob(job);
            scratch.Occupy(job, holder->GetPlacement(), holder->GetSpec().model.gpuMemory);
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
    if (!improve.IsZero() && m_improveTimer.IsExpired() && !m_holders.empty())
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
    std::vector<CojobId> running;
    for (const auto& [id, holder] : m_holders)
    {
        running.push_back(id);
    }
    for (const CojobId id : running)
    {
        const auto found = m_parts.groups->find(id);
        if (found == m_parts.groups->end() || !MayMove(found->second))
        {
            continue;
        }
        const auto move = FindBetter(found->second);
        if (!move)
        {
            continue;
        }
        for (const auto& [job, placement] : *move)
        {
            m_parts.book->Reserve(job, placement);
        }
        m_moves.emplace(id, *move);
        m_parts.suspend(id, "migrated");
    }
    SetImproveTimer();
}

/** \return whether the group runs, may be suspended, and is where a policy has placed it */
bool
GpuOffers::MayMove(const GroupLedger& group) const
{
    if (group.GetState() != GroupState::RUNNING || !group.IsPreemptible() || !group.HasStaying() ||
        ClusterClock::Now() - *group.GetLastStart() < minRun)
    {
        return false;
    }
    const std::vector<JobSpec> jobs = group.ListLiveSpecs();
    return !jobs.empty() && std::all_of(jobs.begin(), jobs.end(), [&group](const JobSpec& job) {
        return !job.placement && group.GetRunning().count(job.id) > 0;
    });
}

/** \return where all jobs of the group would be, if some of them would be placed better elsewhere;
 * none takes GPUs that another one of the group has to leave first */
std::optional<GpuOffers::Move>
GpuOffers::FindBetter(const GroupLedger& group)
{
    const GroupRequest request = MakeRequest(group);
    ScratchView scratch(m_parts.book->GetView());
    Move move;
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
        move[job.id] = *better;
    }
    return isAny ? std::make_optional(move) : std::nullopt;
}

/** The groups that have given back their GPUs to move go on. */
void
GpuOffers::StartMoved()
{
    for (const CojobId id : std::exchange(m_moved, {}))
    {
        const Move move = m_moves.at(id);
        EndMove(id);
        std::vector<Placement> placements;
        for (const JobSpec& job : m_parts.groups->at(id).ListLiveSpecs())
        {
            placements.push_back(move.at(job.id));
        }
        m_parts.start(id, placements, std::nullopt);
    }
}

/** Nothing is reserved for the group any more; no effect if nothing was. */
void
GpuOffers::EndMove(CojobId group)
{
    const auto move = m_moves.find(group);
    if (move == m_moves.end())
    {
        return;
    }
    for (const auto& [job, placement] : move->second)
    {
        m_parts.book->EndReservation(job);
    }
    m_moves.erase(move);
}

/** \param id of a group that waits */
WaitRecord
GpuOffers::Explain(CojobId id) const
{
    const CojobSpec& spec = m_parts.groups->at(id).GetSpec();
    WaitRecord record;
    record.time = ClusterClock::Now();
    record.cojob = id;
    record.job = spec.plain ? std::make_optional(spec.jobs.front().id) : std::nullopt;
    const GroupLedger& group = m_parts.groups->at(id);
    const JobSpec first = group.ListLiveSpecs().front(); // only groups of one job hold GPUs
    const auto held = static_cast<uint32_t>(m_parts.book->CountHeld(first.id));
    const uint32_t needed = CountWholeGpus(MakeDemand(group), m_parts.book->IsShared());
    record.gpus = needed - std::min(needed, held);
    record.free = m_parts.book->CountFreeGpus();
    const auto answer = m_answers.find(m_waiting.GetFirstAlike(id));
    if (held > 0)
    {
        record.reason =
            "holds " + std::to_string(held) + " of " + std::to_string(first.CountGpus()) + " GPUs";
    }
    else if (record.gpus > record.free)
    {
        record.reason = "no GPUs";
    }
    else if (answer != m_answers.end())
    {
        const GroupAnswer& said = answer->second;
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
    const WaitRecord record = Explain(group);
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
        const WaitRecord record = Explain(id);
        auto& told = m_told[id];
        if (told.first != record.reason || told.second != record.until)
        {
            told = {record.reason, record.until};
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
