// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-lease-book.h"

#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-placement-helpers.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace ns3::ddl
{

namespace
{

using Jobs = std::vector<const JobSpec*>;

/** \return the jobs of a group that have not left */
Jobs
ListJobs(const GroupRecord& group)
{
    Jobs jobs;
    for (const JobRecord& job : group.GetJobs())
    {
        if (job.IsStaying())
        {
            jobs.push_back(job.spec);
        }
    }
    return jobs;
}

uint32_t
CountGpusTogether(const Jobs& jobs)
{
    uint32_t gpus = 0;
    for (const JobSpec* const job : jobs)
    {
        gpus += job->placement ? static_cast<uint32_t>(ListGpus(*job->placement).size())
                               : job->CountGpus();
    }
    return gpus;
}

std::vector<CojobId>
ListIds(const std::vector<GroupRecord*>& groups)
{
    std::vector<CojobId> ids;
    for (const GroupRecord* const group : groups)
    {
        ids.push_back(group->GetId());
    }
    return ids;
}

/** What groups may claim when a pool is placed again. */
struct LeaseClaim
{
    std::size_t rank; //!< in the order in which they were granted
    bool keeps;       //!< whether it must have GPUs
};

using LeaseClaims = std::map<CojobId, LeaseClaim>;

LeaseClaims
MakeClaims(const LeaseQuestion& question, const std::vector<LeaseGrant>& grants)
{
    LeaseClaims claims;
    for (const LeaseGrant& grant : grants)
    {
        claims[grant.group] = {claims.size(), false};
    }
    for (const LeaseCandidate& each : question.groups)
    {
        if (each.keeps)
        {
            claims[each.group.id].keeps = true;
        }
    }
    return claims;
}

/** Makes room in a pool for a group that declines what is free. */
class LeaseShuffle
{
  public:
    using GroupList = std::vector<GroupRecord*>;
    using PartOf = std::function<ClusterView(const ClusterView&)>; //!< the machines of the pool

    /** \param leaving groups that give back their GPUs anyway */
    LeaseShuffle(const OfferState& state,
                 GroupRecord& target,
                 LeaseClaims claims,
                 const GroupList& leaving)
        : m_state(state),
          m_target(target),
          m_claims(std::move(claims)),
          m_leaving(leaving)
    {
    }

    /**
     * First none of them may lose by it; if that cannot be, those to which GPUs were granted later
     * than to the target may.
     *
     * \param movable groups that have GPUs and may go on elsewhere in the pool
     * \return the first ones, after whose move the target has room; none: that cannot be
     */
    std::optional<GroupList> FindMovers(const GroupList& movable, const PartOf& part) const
    {
        for (const bool mayLose : {false, true})
        {
            for (std::size_t count = 0;; count = std::max<std::size_t>(2 * count, 1))
            {
                const auto end = movable.begin() + std::min(count, movable.size());
                const GroupList movers(movable.begin(), end);
                if (IsRoom(movers, part, mayLose))
                {
                    return movers;
                }
                if (count >= movable.size())
                {
                    break;
                }
            }
        }
        return std::nullopt;
    }

    /** \return the order in which they get GPUs again: who must not lose, and the largest, first */
    std::vector<CojobId> ListOrder(const GroupList& movers) const
    {
        return ListIds(Sort(movers));
    }

  private:
    bool MustHave(const GroupRecord& group) const
    {
        const LeaseClaim& claim = m_claims.at(group.GetId());
        return claim.keeps || claim.rank <= m_claims.at(m_target.GetId()).rank;
    }

    GroupList Sort(const GroupList& movers) const
    {
        GroupList all{&m_target};
        all.insert(all.end(), movers.begin(), movers.end());
        std::stable_sort(all.begin(), all.end(), [this](const auto* a, const auto* b) {
            return std::make_pair(MustHave(*a), CountGpusTogether(ListJobs(*a))) >
                   std::make_pair(MustHave(*b), CountGpusTogether(ListJobs(*b)));
        });
        return all;
    }

    /** \return whether all get GPUs; of the others, only those that must if the rest may lose */
    bool IsRoom(const GroupList& movers, const PartOf& part, bool mayLose) const
    {
        ScratchView scratch(m_state.book.GetView());
        for (const GroupList* const groups : {&m_leaving, &movers})
        {
            for (const GroupRecord* const group : *groups)
            {
                Vacate(m_state, *group, scratch);
            }
        }
        ClusterView pool = part(scratch.Get());
        ScratchView places(pool);
        for (const GroupRecord* const group : Sort(movers))
        {
            const bool isPlaced = TryToPlace(m_state, *group, places).placements.has_value();
            if (!isPlaced && (!mayLose || MustHave(*group)))
            {
                return false;
            }
        }
        return true;
    }

    const OfferState& m_state;
    GroupRecord& m_target;
    LeaseClaims m_claims;
    const GroupList& m_leaving;
};

} // namespace

void
LeaseBook::Install(Ptr<LeasingJobQueuePolicy> policy, const ClusterView& cluster)
{
    m_policy = policy;
    for (const MachineView& machine : cluster.machines)
    {
        if (machine.gpus.empty())
        {
            continue;
        }
        const auto known = std::find_if(m_types.begin(), m_types.end(), [&](const GpuType& type) {
            return type.name == machine.gpuType.name;
        });
        const auto pool = static_cast<uint32_t>(known - m_types.begin());
        if (known == m_types.end())
        {
            m_types.push_back(machine.gpuType);
            m_gpus.push_back(0);
        }
        m_gpus[pool] += static_cast<uint32_t>(machine.gpus.size());
        m_pools[machine.host] = pool;
    }
    if (m_types.empty()) // jobs that need no GPU may come
    {
        m_types.emplace_back();
        m_gpus.push_back(0);
    }
}

std::optional<uint32_t>
LeaseBook::FindPool(HostId host) const
{
    const auto found = m_pools.find(host);
    return found == m_pools.end() ? std::nullopt : std::make_optional(found->second);
}

/** \return the speeds of iterations of these jobs together, by pool */
std::vector<double>
LeaseBook::GetSpeeds(const Jobs& jobs) const
{
    std::vector<double> speeds;
    for (uint32_t pool = 0; pool < m_types.size(); ++pool)
    {
        Time slowest;     // of one iteration on a V100
        Time slowestHere; // on GPUs of the pool
        double slowestSpeed = m_types[pool].GetSpeed(jobs.front()->model.name);
        bool isAllowed = true;
        for (const JobSpec* const job : jobs)
        {
            const Time compute = job->model.forward + job->model.backward;
            slowest = Max(slowest, compute);
            slowestHere = Max(slowestHere, m_types[pool].GetTime(compute, job->model.name));
            slowestSpeed = std::min(slowestSpeed, m_types[pool].GetSpeed(job->model.name));
            for (const GpuId& gpu :
                 job->placement ? ListGpus(*job->placement) : std::vector<GpuId>())
            {
                isAllowed = isAllowed && FindPool(gpu.host) == pool;
            }
        }
        const bool isKnown = slowest.IsStrictlyPositive() && slowestHere.IsStrictlyPositive();
        const double speed = isKnown ? slowest.GetDouble() / slowestHere.GetDouble() : slowestSpeed;
        speeds.push_back(isAllowed ? speed : 0);
    }
    return speeds;
}

std::vector<Diagnostic>
LeaseBook::Check(const CojobSpec& group) const
{
    Jobs jobs;
    for (const JobSpec& job : group.jobs)
    {
        jobs.push_back(&job);
    }
    const std::vector<double> speeds = GetSpeeds(jobs);
    const uint32_t gpus = CountGpusTogether(jobs);
    uint32_t most = 0;
    for (uint32_t pool = 0; pool < m_gpus.size(); ++pool)
    {
        most = speeds[pool] > 0 ? std::max(most, m_gpus[pool]) : most;
    }
    if (gpus <= most)
    {
        return {};
    }
    const std::string name = group.plain ? "job " + std::to_string(group.jobs.front().id.value)
                                         : "cojob " + std::to_string(group.id.value);
    return {{"",
             "",
             name + " needs " + std::to_string(gpus) + " GPUs of one type, of which there are " +
                 std::to_string(most) + " (" + m_policy->GetName() +
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
    const Jobs jobs = ListJobs(group);
    for (const JobSpec* const job : jobs)
    {
        candidate.weight += job->weight;
    }
    candidate.speeds = GetSpeeds(jobs);
    const auto received = m_received.find(group.GetId());
    candidate.received =
        received == m_received.end() ? std::vector<Time>(m_types.size()) : received->second;
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
    for (std::size_t pool = 0; pool < m_types.size(); ++pool)
    {
        question.pools.push_back({m_types[pool].name, 0});
    }
    for (const MachineView& machine : state.book.GetView().machines)
    {
        const auto pool = FindPool(machine.host);
        question.pools[pool.value_or(0)].gpus +=
            machine.failed ? 0 : static_cast<uint32_t>(machine.gpus.size());
    }
    for (const auto& [id, group] : state.table.GetGroups())
    {
        const bool isHere = group.GetState() != GroupState::COMING && !group.UsesRounds();
        if (isHere && !ListJobs(group).empty())
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
    Rearrange(state, question, plan);
    return plan;
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
        leases[group] = {pool, goesOn ? old->second.until : state.now + m_policy->GetLease()};
    }
    m_leases = std::move(leases);
}

/** \return groups that go on in the pool and may give back their GPUs for that, the smallest first
 */
std::vector<GroupRecord*>
LeaseBook::ListMovable(const OfferState& state,
                       uint32_t pool,
                       const std::vector<GroupRecord*>& leaving) const
{
    std::vector<GroupRecord*> movable;
    for (const auto& [id, tenancy] : m_tenancies)
    {
        GroupRecord& group = state.table.Get(id);
        const Jobs jobs = ListJobs(group);
        const bool isFree = std::none_of(jobs.begin(), jobs.end(), [](const JobSpec* job) {
            return job->placement.has_value();
        });
        if (tenancy.pool == pool && group.GetState() == GroupState::RUNNING && group.HasStaying() &&
            group.IsPreemptible() && isFree &&
            std::find(leaving.begin(), leaving.end(), &group) == leaving.end())
        {
            movable.push_back(&group);
        }
    }
    std::stable_sort(movable.begin(), movable.end(), [](const auto* a, const auto* b) {
        return a->GetHeldGpus() < b->GetHeldGpus();
    });
    return movable;
}

/** For the largest group of a pool that declined and can be helped, others give back their GPUs: as
 * few as will do, in powers of 2. */
void
LeaseBook::Rearrange(const OfferState& state, const LeaseQuestion& question, OfferPlan& plan)
{
    std::vector<GroupRecord*> declined;
    for (const auto& [id, pool] : std::exchange(m_declined, {}))
    {
        const auto lease = m_leases.find(id);
        if (lease != m_leases.end() && lease->second.pool == pool &&
            state.table.GetWaiting().Contains(id))
        {
            declined.push_back(&state.table.Get(id));
        }
    }
    std::stable_sort(declined.begin(), declined.end(), [](const auto* a, const auto* b) {
        return CountGpusTogether(ListJobs(*a)) > CountGpusTogether(ListJobs(*b));
    });
    const std::vector<GroupRecord*> leaving = plan.suspend;
    std::set<uint32_t> done;
    for (GroupRecord* const group : declined)
    {
        const uint32_t pool = m_leases.at(group->GetId()).pool;
        if (done.count(pool) > 0)
        {
            continue;
        }
        const LeaseShuffle shuffle{state, *group, MakeClaims(question, m_grants), leaving};
        const auto part = [this, pool](const ClusterView& view) { return GetPart(view, pool); };
        const auto movers = shuffle.FindMovers(ListMovable(state, pool, leaving), part);
        if (movers)
        {
            done.insert(pool);
            plan.suspend.insert(plan.suspend.end(), movers->begin(), movers->end());
            Rearrangement& now = m_rearranged[pool] = {};
            now.order = shuffle.ListOrder(*movers);
            now.leaving = ListIds(plan.suspend);
            const std::vector<CojobId> ids = ListIds(*movers);
            now.movers = {ids.begin(), ids.end()};
        }
    }
}

/** \return whether some group has yet to give back GPUs of a pool that is placed again */
bool
LeaseBook::IsRearranging(const OfferState& state, uint32_t pool) const
{
    const auto found = m_rearranged.find(pool);
    return found != m_rearranged.end() &&
           std::any_of(found->second.leaving.begin(),
                       found->second.leaving.end(),
                       [&state](CojobId id) {
                           const GroupRecord* const group = state.table.Find(id);
                           return group && group->GetState() == GroupState::SUSPENDING;
                       });
}

/** \return the grants, those of groups that are placed again first */
std::vector<LeaseGrant>
LeaseBook::SortGrants() const
{
    std::map<CojobId, std::size_t> ranks;
    for (const auto& [pool, rearranged] : m_rearranged)
    {
        for (const CojobId id : rearranged.order)
        {
            ranks.emplace(id, ranks.size());
        }
    }
    const auto getRank = [&ranks](const LeaseGrant& grant) {
        const auto found = ranks.find(grant.group);
        return found == ranks.end() ? ranks.size() : found->second;
    };
    std::vector<LeaseGrant> grants = m_grants;
    std::stable_sort(grants.begin(), grants.end(), [&](const auto& a, const auto& b) {
        return getRank(a) < getRank(b);
    });
    return grants;
}

/** \return the cluster without GPUs of other types: machines of the pool, and those without GPUs */
ClusterView
LeaseBook::GetPart(const ClusterView& cluster, uint32_t pool) const
{
    ClusterView part;
    for (const MachineView& machine : cluster.machines)
    {
        if (FindPool(machine.host).value_or(pool) == pool)
        {
            part.machines.push_back(machine);
        }
    }
    for (const auto& [job, gpus] : cluster.jobs)
    {
        const bool isThere = std::all_of(gpus.begin(), gpus.end(), [&](const GpuId& gpu) {
            return FindPool(gpu.host) == pool;
        });
        if (isThere)
        {
            part.jobs.emplace(job, gpus);
        }
    }
    return part;
}

OfferPlan
LeaseBook::PlanStart(const OfferState& state)
{
    OfferPlan plan;
    std::map<uint32_t, ClusterView> parts;
    for (const auto& [id, pool] : SortGrants())
    {
        GroupRecord* const group = state.table.Find(id);
        if (!group || !state.table.GetWaiting().Contains(id) || IsRearranging(state, pool))
        {
            continue;
        }
        auto part = parts.find(pool);
        if (part == parts.end())
        {
            part = parts.emplace(pool, GetPart(state.book.GetView(), pool)).first;
        }
        if (CountGpusTogether(ListJobs(*group)) > CountFreeGpus(part->second))
        {
            continue; // they are being given back
        }
        const GroupRequest request = group->AsRequest(state.waits);
        GroupAnswer answer = PlaceGroup(state.placement, part->second, request);
        plan.timers.insert(plan.timers.end(), answer.timers.begin(), answer.timers.end());
        if (answer.placements)
        {
            plan.start.push_back({group, *std::move(answer.placements), std::nullopt});
            return plan;
        }
        if (!answer.askAgain) // else it will be asked again
        {
            m_declined[id] = pool;
        }
        plan.wait.push_back({group, std::move(answer)});
    }
    return plan;
}

void
LeaseBook::NoteStart(CojobId group, Time now)
{
    Lease& lease = m_leases.at(group);
    m_tenancies[group] = {lease.pool, now};
    m_declined.erase(group);
    const auto rearranged = m_rearranged.find(lease.pool);
    bool hasMoved = false;
    if (rearranged != m_rearranged.end())
    {
        auto& [order, leaving, movers] = rearranged->second;
        order.erase(std::remove(order.begin(), order.end(), group), order.end());
        leaving.erase(std::remove(leaving.begin(), leaving.end(), group), leaving.end());
        hasMoved = movers.erase(group) > 0 && lease.until > now;
    }
    if (!m_policy->HasRounds() && !hasMoved)
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
    received.resize(m_types.size());
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
    m_declined.erase(group);
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
        const bool mayChange = m_types.size() > 1 || !state.table.GetWaiting().IsEmpty();
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
