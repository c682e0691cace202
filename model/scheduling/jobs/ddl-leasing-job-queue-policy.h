// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LEASING_JOB_QUEUE_POLICY_H
#define DDL_LEASING_JOB_QUEUE_POLICY_H

#include "ddl-job-queue-policy.h"

#include "ns3/ddl-ids.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** All GPUs of one type. */
struct GpuPool
{
    std::string type; //!< name of the type
    uint32_t gpus{0}; //!< number of GPUs, without those of machines that have failed
};

/** A group that waits for a lease or has one, as a leasing policy sees it. */
struct LeaseCandidate
{
    GroupView group;
    double weight{1};           //!< sum of its jobs' weights, above 0
    std::vector<double> speeds; //!< speed of its iterations by pool, relative to a V100 and without
                                //!< communication; 0: it cannot run there
    std::vector<Time> received; //!< time for which it has had GPUs of each pool so far
    std::optional<uint32_t> pool; //!< pool of which it has GPUs or will get some; none: it waits
    bool keeps{false};            //!< whether it keeps these whatever the policy says: its lease is
                                  //!< not over, or it may not be suspended
};

/** The view of a leasing policy; valid during the call only. */
struct LeaseQuestion
{
    Time now;                           //!< present date
    std::vector<GpuPool> pools;         //!< GPUs by type
    std::vector<LeaseCandidate> groups; //!< all groups that have arrived and not left, by number
};

/** A group has, for one lease, as many GPUs of that pool as it needs. */
struct LeaseGrant
{
    CojobId group;
    uint32_t pool{0}; //!< index of the pool
};

/**
 * A job queue policy that decides about all groups together: which of them get GPUs for a lease,
 * and of which type. All GPUs of a group are of one type. The placement policy then chooses among
 * the GPUs of that type.
 *
 * A group that gets no new lease gives back its GPUs when its lease is over, as soon as it has
 * finished the iterations that it has begun; so does one that gets GPUs of another type.
 */
class LeasingJobQueuePolicy : public JobQueuePolicy
{
  public:
    static TypeId GetTypeId();

    /**
     * \param question all groups and GPUs
     * \return who has GPUs from now on, those that keep theirs included, in the order in which they
     *         get them
     * \throws RunError with the policy's name when a group is named twice or is not in question,
     *         cannot run in its pool or does not keep what it must, or a pool is too small
     */
    std::vector<LeaseGrant> Grant(const LeaseQuestion& question);

    /**
     * Look who is there, whether or not anybody is to get GPUs: called whenever a group has come or
     * left, or a lease has ended, before Grant.
     */
    virtual void NoteGroups(const LeaseQuestion& /* question */)
    {
    }

    /** \return its name in scenarios, as `gavel` */
    std::string GetName() const;

    /** \return length of a lease, above 0 */
    virtual Time GetLease() const = 0;

    /**
     * \return true if all leases begin and end together, in rounds: whoever comes or ends meanwhile
     *         waits for the next round, except that a round begins at once when nobody has GPUs.
     *         False: leases begin when GPUs are free
     */
    virtual bool HasRounds() const = 0;

    /** \return what it lacks in this build; empty: nothing */
    virtual std::string GetObstacle() const
    {
        return "";
    }

    bool IsPreemptive() const final
    {
        return true;
    }

  private:
    /** \return the date of arrival, by which waiting groups are listed */
    double DoGetPriority(const GroupView& group) final;
    void Check(const LeaseQuestion& question, const std::vector<LeaseGrant>& grants) const;

    virtual std::vector<LeaseGrant> DoGrant(const LeaseQuestion& question) = 0;
};

/** Grants so far, and GPUs that are left in each pool. */
class LeaseRoom
{
  public:
    /** Grants what groups keep. \param question outlives this */
    explicit LeaseRoom(const LeaseQuestion& question);

    /** \return whether the group may run in that pool and there is room for it */
    bool Fits(std::size_t group, uint32_t pool) const;
    /** Grant GPUs. \param group index of a group without a grant, which fits */
    void Take(std::size_t group, uint32_t pool);

    bool HasGrant(std::size_t group) const
    {
        return m_hasGrant[group];
    }

    uint32_t GetFree(uint32_t pool) const
    {
        return m_free[pool];
    }

    const std::vector<LeaseGrant>& GetGrants() const
    {
        return m_grants;
    }

  private:
    const LeaseQuestion& m_question;
    std::vector<uint32_t> m_free;
    std::vector<bool> m_hasGrant;
    std::vector<LeaseGrant> m_grants;
};

} // namespace ns3::ddl

#endif // DDL_LEASING_JOB_QUEUE_POLICY_H
