// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-gpu-offers.h"

#include "ns3/ddl-cluster-clock.h"
#include "ns3/ddl-place-all.h"

#include <algorithm>
#include <tuple>

namespace ns3::ddl
{

void
GpuOffers::Install(const Parts& parts)
{
    m_parts = parts;
}

void
GpuOffers::Stop()
{
    ClusterClock::Cancel(m_timer);
    m_holders.clear();
    m_order.clear();
    m_givingBack.clear();
    m_changes.clear();
    m_waiting = {};
    m_parts = {};
}

void
GpuOffers::Enqueue(const GroupLedger& group)
{
    m_givingBack.erase(group.GetSpec().id);
    const GroupDemand demand = GetDemand(group.ListLiveSpecs(),
                                         group.CountIterationsLeft(),
                                         m_parts.placement->MindsLoads());
    m_waiting.Add(group.GetSpec().id,
                  m_parts.queue->GetPriority(group.AsView()),
                  CountWholeGpus(demand, m_parts.book->IsShared()),
                  demand);
    NoteChange(group);
}

void
GpuOffers::NoteStart(const GroupLedger& group)
{
    SetPriority(group);
    NoteChange(group);
}

void
GpuOffers::NoteSuspension(const GroupLedger& group)
{
    EraseHolder(group.GetSpec().id);
    m_givingBack.insert(group.GetSpec().id);
}

void
GpuOffers::Forget(CojobId group)
{
    EraseHolder(group);
    m_givingBack.erase(group);
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

/** \return GPUs that suspended groups will give back */
uint32_t
GpuOffers::CountComingGpus() const
{
    uint32_t gpus = 0;
    for (const CojobId id : m_givingBack)
    {
        gpus += m_parts.groups->at(id).GetHeldGpus();
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

/** Heed the priorities that have changed by now, and the leases that are over. */
void
GpuOffers::HeedChanges()
{
    while (!m_changes.empty() && m_changes.begin()->first <= ClusterClock::Now())
    {
        const CojobId id = m_changes.begin()->second;
        m_changes.erase(m_changes.begin());
        const auto group = m_parts.groups->find(id);
        if (group == m_parts.groups->end())
        {
            continue;
        }
        if (group->second.GetState() == GroupState::WAITING)
        {
            m_waiting.SetPriority(id, m_parts.queue->GetPriority(group->second.AsView()));
            NoteChange(group->second);
        }
        else if (group->second.GetState() != GroupState::SUSPENDING)
        {
            SetPriority(group->second);
            NoteChange(group->second);
        }
    }
}

/** \return whether groups that run may have to give way */
bool
GpuOffers::IsPreemptive() const
{
    return !lease.IsZero() || m_parts.queue->IsPreemptive();
}

void
GpuOffers::Offer()
{
    HeedChanges();
    if (!m_waiting.IsEmpty())
    {
        m_parts.book->UpdateLoads();
        std::vector<Placement> placements;
        while (const auto next = FindNext(placements))
        {
            m_parts.start(*next, placements);
        }
        LetGiveWay();
    }
    SetTimer();
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
                          : lasted.IsStrictlyPositive() && (lasted % lease).IsZero();
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

/** \return the groups that have to compete for their GPUs now, in order */
std::vector<GpuOffers::Holder>
GpuOffers::ListCompeting() const
{
    std::vector<Holder> holders;
    for (const Holder& holder : m_order)
    {
        if (Competes(*holder.group))
        {
            holders.push_back(holder);
        }
    }
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
    uint32_t gpus = m_parts.book->CountFreeGpus() + CountComingGpus();
    for (const Holder& holder : holders)
    {
        gpus += holder.group->GetHeldGpus();
    }
    const auto [winners, losers] = Compete(holders, gpus);
    for (const CojobId id : FindInTheWay(winners, losers))
    {
        m_parts.suspend(id);
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
 * \return waiting groups that would get theirs, and holders that would not, in order
 */
std::pair<std::vector<CojobId>, std::vector<CojobId>>
GpuOffers::Compete(const std::vector<Holder>& holders, uint32_t gpus) const
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

/**
 * Try to place the winners as if the losers were gone.
 *
 * \return losers whose GPUs somebody gets; none where the winners cannot be placed all the same
 */
std::vector<CojobId>
GpuOffers::FindInTheWay(const std::vector<CojobId>& winners, const std::vector<CojobId>& losers)
{
    std::vector<CojobId> inTheWay;
    if (winners.empty() || losers.empty())
    {
        return inTheWay;
    }
    ScratchView scratch(m_parts.book->GetView());
    for (const CojobId id : losers)
    {
        for (const JobId job : m_parts.groups->at(id).ListStaying())
        {
            const Ptr<Job> holder = m_parts.groups->at(id).GetJob(job);
            scratch.Vacate(holder->GetPlacement(), holder->GetSpec().model.gpuMemory);
        }
    }
    bool isAny = false;
    for (const CojobId id : winners)
    {
        const GroupLedger& group = m_parts.groups->at(id);
        const auto specs = group.ListLiveSpecs();
        const auto found =
            PlaceAll(m_parts.placement, scratch.Get(), specs, group.CountIterationsLeft());
        for (std::size_t i = 0; found && i < specs.size(); ++i)
        {
            scratch.Occupy((*found)[i], specs[i].model.gpuMemory);
            isAny = true;
        }
    }
    for (std::size_t i = 0; isAny && i < losers.size(); ++i)
    {
        const GroupLedger& group = m_parts.groups->at(losers[i]);
        const std::vector<JobId> running = group.ListStaying();
        const bool isFree = std::all_of(running.begin(), running.end(), [&](JobId job) {
            const Ptr<Job> holder = group.GetJob(job);
            return scratch.HasRoomFor(holder->GetPlacement(), holder->GetSpec().model.gpuMemory);
        });
        if (!isFree)
        {
            inTheWay.push_back(losers[i]);
            continue;
        }
        for (const JobId job : running)
        {
            const Ptr<Job> holder = group.GetJob(job);
            scratch.Occupy(holder->GetPlacement(), holder->GetSpec().model.gpuMemory);
        }
    }
    return inTheWay;
}

/** Offer again when a lease or a minimum time to run is over, or a priority changes. */
void
GpuOffers::SetTimer()
{
    ClusterClock::Cancel(m_timer);
    if (!m_changes.empty() && !m_waiting.IsEmpty())
    {
        m_timer = ClusterClock::Schedule(m_changes.begin()->first - ClusterClock::Now(),
                                         &GpuOffers::Offer,
                                         this);
    }
}

/** \return the next group that fits, taken out of the queue, and where it goes; nothing if none
 */
std::optional<CojobId>
GpuOffers::FindNext(std::vector<Placement>& placements)
{
    const auto fits = [&](CojobId id) {
        const GroupLedger& group = m_parts.groups->at(id);
        const auto found = PlaceAll(m_parts.placement,
                                    m_parts.book->GetView(),
                                    group.ListLiveSpecs(),
                                    group.CountIterationsLeft());
        placements = found.value_or(std::vector<Placement>());
        return found.has_value();
    };
    return m_waiting.TakeFirst({m_parts.book->CountFreeGpus(), CountComingGpus()},
                               m_parts.queue->LetsOthersPass(),
                               fits);
}

} // namespace ns3::ddl
