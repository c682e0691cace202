// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LEASE_BOOK_H
#define DDL_LEASE_BOOK_H

#include "ddl-gpu-pools.h"
#include "ddl-lease-moves.h"
#include "ddl-offer-plan.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-leasing-job-queue-policy.h"

#include <map>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/**
 * Leases of a leasing policy (LeasingJobQueuePolicy): who has one and in which pool of GPUs of one
 * type, and for how long groups have had GPUs of each. It asks the policy when leases are over, or
 * without rounds whenever something changes, and plans what follows. JobManager does what it plans.
 */
class LeaseBook
{
  public:
    /** Without it the book is not used. \param cluster all machines */
    void Install(Ptr<LeasingJobQueuePolicy> policy, const ClusterView& cluster);

    bool IsUsed() const
    {
        return m_policy != nullptr;
    }

    /** \return why the group could never get GPUs of one type; empty: it could */
    std::vector<Diagnostic> Check(const CojobSpec& group) const;

    /**
     * Ask the policy if it is time to.
     *
     * \return the groups that give back their GPUs: their leases are over, or LeaseMoves moves them
     */
    OfferPlan Decide(const OfferState& state);

    /** \return the first group that has a lease and no GPUs, and can get some now; and before it
     * those that cannot */
    OfferPlan PlanStart(const OfferState& state);

    /** The group, which has a lease, gets its GPUs. */
    void NoteStart(CojobId group, Time now);
    /** The group has given back its GPUs. */
    void NoteEnd(CojobId group, Time now);
    /** A machine of the group has failed. Without rounds its lease is over, so that it may get one
     * of another pool. */
    void NoteFailure(CojobId group);
    /** The group has left. */
    void Forget(CojobId group);

    /** \return the next date at which the policy is asked if nothing happens; Time::Max(): none */
    Time GetNext(const OfferState& state) const;

  private:
    /** The right of a group to GPUs of a pool. */
    struct Lease
    {
        uint32_t pool;
        Time until;
    };

    /** GPUs that a group has. */
    struct Tenancy
    {
        uint32_t pool;
        Time since;
    };

    bool IsDue(const OfferState& state) const;
    void Renew(const OfferState& state, const LeaseQuestion& question);
    LeaseStanding MakeStanding(const LeaseQuestion& question,
                               const std::vector<GroupRecord*>& leaving) const;
    Time GetNextRound(Time now) const;
    LeaseQuestion MakeQuestion(const OfferState& state) const;
    LeaseCandidate MakeCandidate(const OfferState& state, const GroupRecord& group) const;

    Ptr<LeasingJobQueuePolicy> m_policy;
    GpuPools m_pools;
    LeaseMoves m_moves;
    std::vector<LeaseGrant> m_grants;       //!< leases, in the order in which they were granted
    std::map<CojobId, Lease> m_leases;      //!< the same by group
    std::map<CojobId, Tenancy> m_tenancies; //!< groups that have GPUs
    std::map<CojobId, std::vector<Time>> m_received; //!< time with GPUs by pool, without tenancies
    std::optional<Time> m_round;                     //!< date of the last round
};

} // namespace ns3::ddl

#endif // DDL_LEASE_BOOK_H
