// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LEASE_BOOK_H
#define DDL_LEASE_BOOK_H

#include "ddl-gpu-pools.h"
#include "ddl-lease-moves.h"
#include "ddl-offer-plan.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-leasing-job-queue-policy.h"

#include <functional>
#include <map>
#include <optional>
#include <utility>
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
    static constexpr int64_t MOST_IDLE_LEASES = 1000; //!< leases in which nobody makes progress

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
     * \throws RunError when no group with GPUs has finished an iteration for MOST_IDLE_LEASES
     */
    OfferPlan Decide(const OfferState& state);

    /**
     * Ask the placement policy for each group that has a lease and no GPUs, once, in the order in
     * which leases were granted, if enough GPUs of its pool are free.
     *
     * \param execute does what the plan for one group says, before the next one is asked
     */
    void OfferGpus(const OfferState& state, const std::function<void(const OfferPlan&)>& execute);

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
        bool hasMoved{false}; //!< whether LeaseMoves has moved the group during it
    };

    /** GPUs that a group has. */
    struct Tenancy
    {
        uint32_t pool;
        Time since;
    };

    OfferPlan Ask(const OfferState& state, GroupRecord& group, uint32_t pool, ClusterView& part);
    void CheckProgress(const OfferState& state);
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
    std::pair<std::size_t, uint64_t> m_progress;     //!< groups with GPUs, and iterations that they
                                                     //!< had left, at m_progressed
    Time m_progressed;                               //!< when these last changed
};

} // namespace ns3::ddl

#endif // DDL_LEASE_BOOK_H
