// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-lease-book.h"

#include "ns3/ddl-placement-helpers.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>

namespace ns3::ddl
{

void
LeaseBook::Install(Ptr<LeasingJobQueuePolicy> policy, const ClusterView& cluster)
{
    m_policy = policy;
    m_pools = GpuPools(cluster);
}

std::vector<Diagnostic>
LeaseBook::Check(const CojobSpec& group) const
{
    GpuPools::Jobs jobs;
    for (const JobSpec& job : group.jobs)
    {
        jobs.push_back(&job);
    }
    const std::vector<double> speeds = m_pools.GetSpeeds(jobs);
    const uint32_t gpus = CountGpusTogether(jobs);
    std::optional<uint32_t> most; // GPUs of the largest pool in which it may be
    for (uint32_t pool = 0; pool < m_pools.CountPools(); ++pool)
    {
        most = speeds[pool] > 0 ? std::max(most, std::optional(m_pools.CountGpus(pool))) : most;
    }
    if (most && gpus <= *most)
    {
        return {};
    }
    const std::string name = group.plain ? "job " + std::to_string(group.jobs.front().id.value)
                                         : "cojob " + std::to_string(group.id.value);
    const std::string fault =
        most ? " needs " + std::to_string(gpus) + " GPUs of one type, of which there are " +
                   std::to_string(*most)
             : " is placed by the user on machines with GPUs of several types";
    return {{"",
             "",
             name + fault + " (" + m_policy->GetName() +
                 " gives a job GPUs of one type; where the user places it, these count)"}};
}

/** \return the first date from now on at which a round may begin */
Time
LeaseBook::GetNextRound(Time now) const
{
    if (!m_round)
    {
        return now;
    }
    const Time round = m_policy->GetLease();
    const auto passed = (now - *m_round).GetTimeStep();
    const auto rounds = (passed + round.GetTimeStep() - 1) / round.GetTimeStep();
    return *m_round + TimeStep(std::max<int64_t>(rounds, 1) * round.GetTimeStep());
}

bool
LeaseBook::IsDue(const OfferState& state) const
{
    if (!m_policy->HasRounds())
    {
        return true;
    }
    const bool isIdle = m_tenancies.empty();
    return GetNextRound(state.now) == state.now || (isIdle && m_round != state.now);
}

LeaseCandidate
LeaseBook::MakeCandidate(const OfferState& state, const GroupRecord& group) const
{
    LeaseCandidate candidate;
    candidate.group = group.AsView();
    candidate.weight = 0;
    const GpuPools::Jobs jobs = ListJobsHere(group);
    for (const JobSpec* const job : jobs)
    {
        candidate.weight += job->weight;
    }
    candidate.speeds = m_pools.GetSpeeds(jobs);
    const auto received = m_received.find(group.GetId());
    candidate.received =
        received == m_received.end() ? std::vector<Time>(m_pools.CountPools()) : received->second;
    const auto tenancy = m_tenancies.find(group.GetId());
    if (tenancy != m_tenancies.end())
    {
        candidate.received[tenancy->second.pool] += state.now - tenancy->second.since;
    }
    const bool mustStay =
        group.HasGpus() && (group.GetState() == GroupState::LAUNCHING || !group.IsPreemptible());
    const auto lease = m_leases.find(group.GetId());
    if (group.HasGpus())
    {
        candidate.pool = tenancy->second.pool;
    }
    else if (lease != m_leases.end())
    {
        candidate.pool = lease->second.pool;
    }
    const bool hasLease = !m_policy->HasRounds() && lease != m_leases.end() &&
                          lease->second.until > state.now && candidate.pool == lease->second.pool;
    candidate.keeps = mustStay || hasLease;
    return candidate;
}

LeaseQuestion
LeaseBook::MakeQuestion(const OfferState& state) const
{
    LeaseQuestion question;
    question.now = state.now;
    for (uint32_t pool = 0; pool < m_pools.CountPools(); ++pool)
    {
        question.pools.push_back({m_pools.GetName(pool), 0});
    }
    for (const MachineView& machine : state.book.GetView().machines)
    {
        const auto pool = m_pools.Find(machine.host);
        question.pools[pool.value_or(0)].gpus +=
            machine.failed ? 0 : static_cast<uint32_t>(machine.gpus.size());
    }
    for (const auto& [id, group] : state.table.GetGroups())
    {
        const bool isHere = group.GetState() != GroupState::COMING && !group.UsesRounds();
        if (isHere && !ListJobsHere(group).empty())
        {
            question.groups.push_back(MakeCandidate(state, group));
        }
    }
    return question;
}

OfferPlan
LeaseBook::Decide(const OfferState& state)
{
    OfferPlan plan;
    if (!IsDue(state))
    {
        return plan;
    }
    CheckProgress(state);
    const LeaseQuestion question = MakeQuestion(state);
    m_policy->NoteGroups(question);
    const auto keeps = [](const LeaseCandidate& each) { return each.keeps; };
    if (std::all_of(question.groups.begin(), question.groups.end(), keeps))
    {
        return plan;
    }
    Renew(state, question);
    for (const auto& [id, tenancy] : m_tenancies)
    {
        GroupRecord& group = state.table.Get(id);
        const auto lease = m_leases.find(id);
        const bool stays = lease != m_leases.end() && lease->second.pool == tenancy.pool;
        if (!stays && group.GetState() == GroupState::RUNNING && group.HasStaying())
        {
            plan.suspend.push_back(&group);
        }
    }
    const std::vector<GroupRecord*> movers =
        m_moves.Plan(state, MakeStanding(question, plan.suspend));
    for (const GroupRecord* const group : movers)
    {
        m_leases.at(group->GetId()).hasMoved = true;
    }
    plan.suspend.insert(plan.suspend.end(), movers.begin(), movers.end());
    return plan;
}

/** Leases that are far shorter than iterations would be decided on for ever. */
void
LeaseBook::CheckProgress(const OfferState& state)
{
    uint64_t left = 0;
    for (const auto& [id, tenancy] : m_tenancies)
    {
        left += state.table.Get(id).CountIterationsLeft();
    }
    const auto progress = std::make_pair(m_tenancies.size(), left);
    if (m_tenancies.empty() || progress != m_progress)
    {
        m_progress = progress;
        m_progressed = state.now;
        return;
    }
    const Time lease = m_policy->GetLease();
    if ((state.now - m_progressed) / MOST_IDLE_LEASES > lease)
    {
        std::ostringstream text;
        text << m_policy->GetName() << ": no job has finished an iteration for " << MOST_IDLE_LEASES
             << " leases of " << lease.As(Time::AUTO) << " (after scale); make them longer";
        throw RunError(text.str());
    }
}

LeaseStanding
LeaseBook::MakeStanding(const LeaseQuestion& question,
                        const std::vector<GroupRecord*>& leaving) const
{
    LeaseStanding standing{m_pools, m_grants, {}, {}, leaving};
    for (const LeaseCandidate& each : question.groups)
    {
        if (each.keeps)
        {
            standing.keeps.insert(each.group.id);
        }
    }
    for (const auto& [id, tenancy] : m_tenancies)
    {
        const auto lease = m_leases.find(id);
        const bool mayMove = lease != m_leases.end() && !lease->second.hasMoved;
        standing.tenants.emplace(id, LeaseTenant{tenancy.pool, mayMove});
    }
    return standing;
}

/** Ask the policy: leases that go on, and new ones. */
void
LeaseBook::Renew(const OfferState& state, const LeaseQuestion& question)
{
    m_round = state.now;
    m_grants = m_policy->Grant(question);
    std::map<CojobId, Lease> leases;
    for (const auto& [group, pool] : m_grants)
    {
        const auto old = m_leases.find(group);
        const bool goesOn =
            old != m_leases.end() && old->second.pool == pool && old->second.until > state.now;
        leases[group] = goesOn ? old->second : Lease{pool, state.now + m_policy->GetLease()};
    }
    m_leases = std::move(leases);
}

void
LeaseBook::OfferGpus(const OfferState& state, const std::function<void(const OfferPlan&)>& execute)
{
    struct Pool
    {
        ClusterView part;
        uint32_t free;
    };

    std::map<uint32_t, Pool> pools; // as they are since the last start there
    for (const auto& [id, pool] : m_moves.Sort(m_grants))
    {
        GroupRecord* const group = state.table.Find(id);
        if (!group || !state.table.GetWaiting().Contains(id) || m_moves.IsWaiting(state, pool))
        {
            continue;
        }
        auto found = pools.find(pool);
        if (found == pools.end())
        {
            ClusterView part = m_pools.GetPart(state.book.GetView(), pool);
            const uint32_t free = CountFreeGpus(part);
            found = pools.emplace(pool, Pool{std::move(part), free}).first;
        }
        if (CountGpusTogether(ListJobsHere(*group)) > found->second.free)
        {
            continue; // they are being given back
        }
        const OfferPlan plan = Ask(state, *group, pool, found->second.part);
        execute(plan);
        if (!plan.start.empty())
        {
            pools.erase(found);
        }
    }
}

/** \return that the group starts, or why it waits. \param part the pool; restored at the end */
OfferPlan
LeaseBook::Ask(const OfferState& state, GroupRecord& group, uint32_t pool, ClusterView& part)
{
    OfferPlan plan;
    GroupAnswer answer = PlaceGroup(state.placement, part, group.AsRequest(state.waits));
    plan.timers.assign(answer.timers.begin(), answer.timers.end());
    if (answer.placements)
    {
        plan.start.push_back({&group, *std::move(answer.placements), std::nullopt});
        return plan;
    }
    if (!answer.askAgain) // else it will be asked again
    {
        m_moves.NoteDecline(group.GetId(), pool);
    }
    plan.wait.push_back({&group, std::move(answer)});
    return plan;
}

void
LeaseBook::NoteStart(CojobId group, Time now)
{
    Lease& lease = m_leases.at(group);
    m_tenancies[group] = {lease.pool, now};
    m_moves.NoteStart(group, lease.pool);
    const bool goesOn = lease.hasMoved && lease.until > now;
    if (!m_policy->HasRounds() && !goesOn)
    {
        lease.until = now + m_policy->GetLease();
    }
}

void
LeaseBook::NoteEnd(CojobId group, Time now)
{
    const auto found = m_tenancies.find(group);
    if (found == m_tenancies.end())
    {
        return; // it has ended before
    }
    std::vector<Time>& received = m_received[group];
    received.resize(m_pools.CountPools());
    received[found->second.pool] += now - found->second.since;
    m_tenancies.erase(found);
}

void
LeaseBook::NoteFailure(CojobId group)
{
    if (!IsUsed() || m_policy->HasRounds())
    {
        return; // whoever has GPUs of a pool for the round may go on there
    }
    m_leases.erase(group);
    const auto isIts = [group](const LeaseGrant& grant) { return grant.group == group; };
    m_grants.erase(std::remove_if(m_grants.begin(), m_grants.end(), isIts), m_grants.end());
}

void
LeaseBook::Forget(CojobId group)
{
    m_moves.Forget(group);
    m_tenancies.erase(group);
    m_received.erase(group);
    m_leases.erase(group);
}

Time
LeaseBook::GetNext(const OfferState& state) const
{
    if (m_tenancies.empty() && state.table.GetWaiting().IsEmpty())
    {
        return Time::Max();
    }
    if (m_policy->HasRounds())
    {
        const bool mayChange = m_pools.CountPools() > 1 || !state.table.GetWaiting().IsEmpty();
        return mayChange ? GetNextRound(state.now + TimeStep(1)) : Time::Max();
    }
    Time next = Time::Max();
    for (const auto& [group, lease] : m_leases)
    {
        next = lease.until > state.now ? Min(next, lease.until) : next;
    }
    return next;
}

} // namespace ns3::ddl
