// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-lease-moves.h"

#include "ns3/ddl-placement-helpers.h"

#include <algorithm>
#include <utility>

namespace ns3::ddl
{

namespace
{

using GroupList = std::vector<GroupRecord*>;

std::vector<CojobId>
ListIds(const GroupList& groups)
{
    std::vector<CojobId> ids;
    for (const GroupRecord* const group : groups)
    {
        ids.push_back(group->GetId());
    }
    return ids;
}

/** Makes room in a pool for a group that declines what is free. */
class LeaseShuffle
{
  public:
    /** \param grant of that group */
    LeaseShuffle(const OfferState& state, const LeaseStanding& standing, const LeaseGrant& grant)
        : m_state(state),
          m_standing(standing),
          m_target(state.table.Get(grant.group)),
          m_pool(grant.pool)
    {
        for (const LeaseGrant& each : standing.grants)
        {
            m_ranks.emplace(each.group, m_ranks.size());
        }
    }

    /**
     * First none of them may lose by it; if that cannot be, those to which GPUs were granted later
     * than to the target may.
     *
     * \return the smallest groups of the pool after whose move the target has room; none: that
     *         cannot be
     */
    std::optional<GroupList> FindMovers() const
    {
        const GroupList movable = ListMovable();
        for (const bool mayLose : {false, true})
        {
            for (std::size_t count = 0;; count = std::max<std::size_t>(2 * count, 1))
            {
                const auto end = movable.begin() + std::min(count, movable.size());
                const GroupList movers(movable.begin(), end);
                if (IsRoom(movers, mayLose))
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

    /** \return all, the target included, in the order in which they get GPUs again: who must not
     * lose, and the largest, first */
    GroupList Sort(const GroupList& movers) const
    {
        GroupList all{&m_target};
        all.insert(all.end(), movers.begin(), movers.end());
        std::stable_sort(all.begin(), all.end(), [this](const auto* a, const auto* b) {
            return std::make_pair(MustHave(*a), CountGpusTogether(ListJobsHere(*a))) >
                   std::make_pair(MustHave(*b), CountGpusTogether(ListJobsHere(*b)));
        });
        return all;
    }

  private:
    /** \return groups that go on in the pool and may give back their GPUs for that, the smallest
     * first */
    GroupList ListMovable() const
    {
        GroupList movable;
        for (const auto& [id, pool] : m_standing.tenants)
        {
            GroupRecord& group = m_state.table.Get(id);
            const GpuPools::Jobs jobs = ListJobsHere(group);
            const bool isFree = std::none_of(jobs.begin(), jobs.end(), [](const JobSpec* job) {
                return job->placement.has_value();
            });
            const GroupList& leaving = m_standing.leaving;
            if (pool == m_pool && group.GetState() == GroupState::RUNNING && group.HasStaying() &&
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

    bool MustHave(const GroupRecord& group) const
    {
        return m_standing.keeps.count(group.GetId()) > 0 ||
               m_ranks.at(group.GetId()) <= m_ranks.at(m_target.GetId());
    }

    /** \return whether all get GPUs; of the others, only those that must if the rest may lose */
    bool IsRoom(const GroupList& movers, bool mayLose) const
    {
        ScratchView scratch(m_state.book.GetView());
        for (const GroupList* const groups : {&m_standing.leaving, &movers})
        {
            for (const GroupRecord* const group : *groups)
            {
                Vacate(m_state, *group, scratch);
            }
        }
        ClusterView part = m_standing.pools.GetPart(scratch.Get(), m_pool);
        ScratchView places(part);
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
    const LeaseStanding& m_standing;
    GroupRecord& m_target;
    uint32_t m_pool;
    std::map<CojobId, std::size_t> m_ranks; //!< in the order in which they were granted
};

} // namespace

void
LeaseMoves::NoteDecline(CojobId group, uint32_t pool)
{
    m_declined[group] = pool;
}

bool
LeaseMoves::NoteStart(CojobId group, uint32_t pool)
{
    m_declined.erase(group);
    const auto found = m_rearranged.find(pool);
    if (found == m_rearranged.end())
    {
        return false;
    }
    auto& [order, leaving, movers] = found->second;
    order.erase(std::remove(order.begin(), order.end(), group), order.end());
    leaving.erase(std::remove(leaving.begin(), leaving.end(), group), leaving.end());
    return movers.erase(group) > 0;
}

void
LeaseMoves::Forget(CojobId group)
{
    m_declined.erase(group);
}

/** \return the grants of groups that have declined and still wait for GPUs of that pool, the
 * largest first */
std::vector<LeaseGrant>
LeaseMoves::TakeDeclined(const OfferState& state, const std::vector<LeaseGrant>& grants)
{
    const auto declined = std::exchange(m_declined, {});
    std::vector<std::pair<uint32_t, LeaseGrant>> bySize;
    for (const LeaseGrant& grant : grants)
    {
        const auto found = declined.find(grant.group);
        if (found != declined.end() && found->second == grant.pool &&
            state.table.GetWaiting().Contains(grant.group))
        {
            const GroupRecord& group = state.table.Get(grant.group);
            bySize.emplace_back(CountGpusTogether(ListJobsHere(group)), grant);
        }
    }
    std::sort(bySize.begin(), bySize.end(), [](const auto& a, const auto& b) {
        return std::make_pair(b.first, a.second.group) < std::make_pair(a.first, b.second.group);
    });
    std::vector<LeaseGrant> sorted;
    for (const auto& [gpus, grant] : bySize)
    {
        sorted.push_back(grant);
    }
    return sorted;
}

std::vector<GroupRecord*>
LeaseMoves::Plan(const OfferState& state, const LeaseStanding& standing)
{
    std::vector<GroupRecord*> leaving = standing.leaving;
    std::set<uint32_t> done;
    for (const LeaseGrant& grant : TakeDeclined(state, standing.grants))
    {
        if (done.count(grant.pool) > 0)
        {
            continue;
        }
        const LeaseShuffle shuffle(state, standing, grant);
        const auto movers = shuffle.FindMovers();
        if (movers)
        {
            done.insert(grant.pool);
            leaving.insert(leaving.end(), movers->begin(), movers->end());
            const std::vector<CojobId> ids = ListIds(*movers);
            m_rearranged[grant.pool] = {ListIds(shuffle.Sort(*movers)),
                                        ListIds(leaving),
                                        {ids.begin(), ids.end()}};
        }
    }
    leaving.erase(leaving.begin(), leaving.begin() + standing.leaving.size());
    return leaving;
}

bool
LeaseMoves::IsWaiting(const OfferState& state, uint32_t pool) const
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

std::vector<LeaseGrant>
LeaseMoves::Sort(std::vector<LeaseGrant> grants) const
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
    std::stable_sort(grants.begin(), grants.end(), [&](const auto& a, const auto& b) {
        return getRank(a) < getRank(b);
    });
    return grants;
}

} // namespace ns3::ddl
