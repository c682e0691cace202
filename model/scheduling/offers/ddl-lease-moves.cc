// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-lease-moves.h"

#include "ns3/ddl-placement-helpers.h"

#include <algorithm>
#include <iterator>
#include <optional>
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

/** Makes room in a pool for groups that decline what is free. */
class LeaseShuffle
{
  public:
    LeaseShuffle(const OfferState& state, const LeaseStanding& standing, uint32_t pool)
        : m_state(state),
          m_standing(standing),
          m_pool(pool)
    {
        for (const LeaseGrant& each : standing.grants)
        {
            m_ranks.emplace(each.group, m_ranks.size());
        }
        std::copy_if(standing.leaving.begin(),
                     standing.leaving.end(),
                     std::back_inserter(m_leaving),
                     [&](const GroupRecord* group) {
                         return standing.tenants.at(group->GetId()).pool == pool;
                     });
        ScratchView scratch(state.book.GetView());
        for (const GroupRecord* const group : m_leaving)
        {
            Vacate(state, *group, scratch);
        }
        m_part = standing.pools.GetPart(scratch.Get(), pool);
        ListMovable();
    }

    /** \return groups that give back GPUs of the pool anyway */
    const GroupList& GetLeaving() const
    {
        return m_leaving;
    }

    /**
     * First none of them may lose by it; if that cannot be, those to which GPUs were granted later
     * than to the target may.
     *
     * \return the smallest groups of the pool after whose move the target has room; none: that
     *         cannot be
     */
    std::optional<GroupList> FindMovers(GroupRecord& target)
    {
        const bool someMayLose =
            std::any_of(m_movable.begin(), m_movable.end(), [&](const GroupRecord* group) {
                return !MustHave(*group, target);
            });
        for (const bool mayLose : {false, true})
        {
            for (std::size_t count = 0; !mayLose || someMayLose;
                 count = std::max<std::size_t>(2 * count, 1))
            {
                const auto end = m_movable.begin() + std::min(count, m_movable.size());
                GroupList movers(m_movable.begin(), end);
                if (IsRoom(target, movers, mayLose))
                {
                    return movers;
                }
                if (count >= m_movable.size())
                {
                    break;
                }
            }
        }
        return std::nullopt;
    }

    /** \return all, the target included, in the order in which they get GPUs again: who must not
     * lose, and the largest, first */
    GroupList Sort(GroupRecord& target, const GroupList& movers) const
    {
        GroupList all{&target};
        all.insert(all.end(), movers.begin(), movers.end());
        std::stable_sort(all.begin(), all.end(), [&](const auto* a, const auto* b) {
            return std::make_pair(MustHave(*a, target), CountGpusTogether(ListJobsHere(*a))) >
                   std::make_pair(MustHave(*b, target), CountGpusTogether(ListJobsHere(*b)));
        });
        return all;
    }

  private:
    /** List groups that go on in the pool and may give back their GPUs for that, the smallest
     * first. */
    void ListMovable()
    {
        for (const auto& [id, tenant] : m_standing.tenants)
        {
            GroupRecord& group = m_state.table.Get(id);
            const GpuPools::Jobs jobs = ListJobsHere(group);
            const bool isFree = std::none_of(jobs.begin(), jobs.end(), [](const JobSpec* job) {
                return job->placement.has_value();
            });
            if (tenant.pool == m_pool && tenant.mayMove &&
                group.GetState() == GroupState::RUNNING && group.HasStaying() &&
                group.IsPreemptible() && isFree &&
                std::find(m_leaving.begin(), m_leaving.end(), &group) == m_leaving.end())
            {
                m_movable.push_back(&group);
            }
        }
        std::stable_sort(m_movable.begin(), m_movable.end(), [](const auto* a, const auto* b) {
            return a->GetHeldGpus() < b->GetHeldGpus();
        });
    }

    bool MustHave(const GroupRecord& group, const GroupRecord& target) const
    {
        return m_standing.keeps.count(group.GetId()) > 0 ||
               m_ranks.at(group.GetId()) <= m_ranks.at(target.GetId());
    }

    /** \return whether all get GPUs; of the others, only those that must if the rest may lose */
    bool IsRoom(GroupRecord& target, const GroupList& movers, bool mayLose)
    {
        ScratchView places(m_part);
        for (const GroupRecord* const group : movers)
        {
            Vacate(m_state, *group, places);
        }
        for (const GroupRecord* const group : Sort(target, movers))
        {
            const bool isPlaced = TryToPlace(m_state, *group, places).placements.has_value();
            if (!isPlaced && (!mayLose || MustHave(*group, target)))
            {
                return false;
            }
        }
        return true;
    }

    const OfferState& m_state;
    const LeaseStanding& m_standing;
    uint32_t m_pool;
    std::map<CojobId, std::size_t> m_ranks; //!< in the order in which they were granted
    GroupList m_leaving;
    GroupList m_movable;
    ClusterView m_part; //!< the pool, without those that leave
};

} // namespace

void
LeaseMoves::NoteDecline(CojobId group, uint32_t pool)
{
    m_declined[group] = pool;
}

void
LeaseMoves::NoteStart(CojobId group, uint32_t pool)
{
    m_declined.erase(group);
    const auto found = m_rearranged.find(pool);
    if (found == m_rearranged.end())
    {
        return;
    }
    auto& [order, leaving] = found->second;
    order.erase(std::remove(order.begin(), order.end(), group), order.end());
    leaving.erase(std::remove(leaving.begin(), leaving.end(), group), leaving.end());
}

void
LeaseMoves::Forget(CojobId group)
{
    m_declined.erase(group);
}

/** \return the grants of groups that have declined and still wait for GPUs of that pool, by size,
 * the largest first */
LeaseMoves::GrantsBySize
LeaseMoves::TakeDeclined(const OfferState& state, const std::vector<LeaseGrant>& grants)
{
    const auto declined = std::exchange(m_declined, {});
    GrantsBySize sorted;
    for (const LeaseGrant& grant : grants)
    {
        const auto found = declined.find(grant.group);
        if (found != declined.end() && found->second == grant.pool &&
            state.table.GetWaiting().Contains(grant.group))
        {
            const GroupRecord& group = state.table.Get(grant.group);
            sorted.emplace_back(CountGpusTogether(ListJobsHere(group)), grant);
        }
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return a.first > b.first;
    });
    return sorted;
}

std::vector<GroupRecord*>
LeaseMoves::Plan(const OfferState& state, const LeaseStanding& standing)
{
    GroupList moving;
    std::map<uint32_t, LeaseShuffle> shuffles;
    std::set<uint32_t> done;
    std::set<std::pair<uint32_t, uint32_t>> hopeless; // pools and sizes
    for (const auto& [gpus, grant] : TakeDeclined(state, standing.grants))
    {
        if (done.count(grant.pool) > 0 || hopeless.count({grant.pool, gpus}) > 0)
        {
            continue;
        }
        const auto found = shuffles.try_emplace(grant.pool, state, standing, grant.pool);
        LeaseShuffle& shuffle = found.first->second;
        GroupRecord& target = state.table.Get(grant.group);
        const auto movers = shuffle.FindMovers(target);
        if (!movers)
        {
            hopeless.emplace(grant.pool, gpus);
            continue;
        }
        done.insert(grant.pool);
        moving.insert(moving.end(), movers->begin(), movers->end());
        GroupList leaving = shuffle.GetLeaving();
        leaving.insert(leaving.end(), movers->begin(), movers->end());
        m_rearranged[grant.pool] = {ListIds(shuffle.Sort(target, *movers)), ListIds(leaving)};
    }
    return moving;
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
    std::map<std::pair<uint32_t, CojobId>, std::size_t> ranks; // by pool and group
    for (const auto& [pool, rearranged] : m_rearranged)
    {
        for (const CojobId id : rearranged.order)
        {
            ranks.emplace(std::make_pair(pool, id), ranks.size());
        }
    }
    const auto getRank = [&ranks](const LeaseGrant& grant) {
        const auto found = ranks.find({grant.pool, grant.group});
        return found == ranks.end() ? ranks.size() : found->second;
    };
    std::stable_sort(grants.begin(), grants.end(), [&](const auto& a, const auto& b) {
        return getRank(a) < getRank(b);
    });
    return grants;
}

} // namespace ns3::ddl
