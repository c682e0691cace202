// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LEASE_MOVES_H
#define DDL_LEASE_MOVES_H

#include "ddl-gpu-pools.h"
#include "ddl-offer-plan.h"

#include "ns3/ddl-leasing-job-queue-policy.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** A group that has GPUs. */
struct LeaseTenant
{
    uint32_t pool;
    bool mayMove; //!< whether it has not moved yet during its lease
};

/** The leases of an instant, on which moves depend. */
struct LeaseStanding
{
    const GpuPools& pools;
    const std::vector<LeaseGrant>& grants; //!< in the order in which they were granted
    std::set<CojobId> keeps;               //!< groups that must not lose GPUs or lease
    std::map<CojobId, LeaseTenant> tenants;
    std::vector<GroupRecord*> leaving; //!< groups that give back their GPUs anyway
};

/**
 * Moves within a pool. A lease counts GPUs, so the placement policy may decline those that are
 * free, though there are enough. Others of the pool then give back theirs, and all are placed
 * again. A group moves at most once per lease, so nobody is moved to and fro by those that decline
 * again and again.
 */
class LeaseMoves
{
  public:
    /** A group has a lease in the pool, and has declined the GPUs that are free there. */
    void NoteDecline(CojobId group, uint32_t pool);
    /** A group has got GPUs of the pool. */
    void NoteStart(CojobId group, uint32_t pool);
    /** The group has left. */
    void Forget(CojobId group);

    /**
     * Look for room for those that have declined since the last call: for the largest group of each
     * pool that can be helped, others give back their GPUs, as few as will do, in powers of 2. Of
     * groups of one size the first to which GPUs were granted is tried.
     *
     * \return the groups that give back their GPUs, to be placed again
     */
    std::vector<GroupRecord*> Plan(const OfferState& state, const LeaseStanding& standing);

    /** \return whether some group has yet to give back GPUs of a pool that is placed again: nobody
     * gets any before */
    bool IsWaiting(const OfferState& state, uint32_t pool) const;

    /** \return the grants, those of groups that are placed again first */
    std::vector<LeaseGrant> Sort(std::vector<LeaseGrant> grants) const;

  private:
    /** A pool whose groups are placed again. */
    struct Rearrangement
    {
        std::vector<CojobId> order;   //!< groups that are placed first, in this order
        std::vector<CojobId> leaving; //!< those that have to give back their GPUs before
    };

    using GrantsBySize = std::vector<std::pair<uint32_t, LeaseGrant>>; //!< with numbers of GPUs

    GrantsBySize TakeDeclined(const OfferState& state, const std::vector<LeaseGrant>& grants);

    std::map<CojobId, uint32_t> m_declined;         //!< groups that declined GPUs, with the pool
    std::map<uint32_t, Rearrangement> m_rearranged; //!< pools that are placed again, or were
};

} // namespace ns3::ddl

#endif // DDL_LEASE_MOVES_H
