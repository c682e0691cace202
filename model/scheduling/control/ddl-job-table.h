// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_TABLE_H
#define DDL_JOB_TABLE_H

#include "ddl-job-record.h"
#include "ddl-waiting-queue.h"

#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace ns3::ddl
{

/**
 * All groups and jobs that have been submitted and have not left. It owns their records, and keeps
 * the indices by which they are found. One other goes by numbers: RoundLedger has the rounds of a
 * job.
 *
 * Groups that use rounds hold no GPUs, so they are in no index of those that do.
 */
class JobTable
{
  public:
    /** Orders groups by number. */
    struct ByNumber
    {
        bool operator()(const GroupRecord* a, const GroupRecord* b) const
        {
            return a->GetId() < b->GetId();
        }
    };

    /** Priority, date of the last start, number. */
    using Rank = std::tuple<double, Time, CojobId>;

    /** Orders groups that have GPUs by priority; of equals, who has had them longer is first. */
    struct ByPriority
    {
        using is_transparent = void;

        static Rank GetRank(const GroupRecord* group)
        {
            return {group->GetPriority(), *group->GetLastStart(), group->GetId()};
        }

        bool operator()(const GroupRecord* a, const GroupRecord* b) const
        {
            return GetRank(a) < GetRank(b);
        }

        bool operator()(const Rank& rank, const GroupRecord* group) const
        {
            return rank < GetRank(group);
        }

        bool operator()(const GroupRecord* group, const Rank& rank) const
        {
            return GetRank(group) < rank;
        }
    };

    using Groups = std::set<GroupRecord*, ByNumber>;
    using RankedGroups = std::set<GroupRecord*, ByPriority>;

    /**
     * \param spec of a group; neither its number nor those of its jobs are in the table
     * \param oracle of the progress of jobs; null: what is reported is all
     */
    GroupRecord& Add(const CojobSpec& spec, const JobOracle* oracle);
    /** All jobs of the group have left. */
    void Remove(CojobId group);
    void Clear();

    /** \return the group; null: there is none */
    GroupRecord* Find(CojobId group);
    const GroupRecord* Find(CojobId group) const;
    /** \return the group, which is there */
    GroupRecord& Get(CojobId group);
    const GroupRecord& Get(CojobId group) const;

    /** \return the job; null: there is no such job, or it has left */
    JobRecord* FindJob(JobId job) const;
    /** \return a job that has not left */
    JobRecord& GetJob(JobId job) const;

    /** \return all groups, by number */
    const std::map<CojobId, GroupRecord>& GetGroups() const
    {
        return m_groups;
    }

    std::map<CojobId, GroupRecord>& GetGroups()
    {
        return m_groups;
    }

    /** \return the groups that wait for GPUs */
    WaitingQueue& GetWaiting()
    {
        return m_waiting;
    }

    const WaitingQueue& GetWaiting() const
    {
        return m_waiting;
    }

    /** \return the groups that have GPUs and have not been told to give them back */
    const Groups& GetHolders() const
    {
        return m_holders;
    }

    /** \return the same, by priority */
    const RankedGroups& GetRanked() const
    {
        return m_ranked;
    }

    /** \return the groups that have been told to give back their GPUs, and have not done so */
    const Groups& GetSuspending() const
    {
        return m_suspending;
    }

    /** \return the groups with jobs that take part in network scheduling */
    const Groups& GetLive() const
    {
        return m_live;
    }

    /** A group that has GPUs has that priority from now on. */
    void SetPriority(GroupRecord& group, double priority);

  private:
    friend class GroupRecord;

    /** The group has come into another state. */
    void NoteState(GroupRecord& group, GroupState before);
    /** Whether jobs of the group take part in network scheduling. */
    void NoteLive(GroupRecord& group, bool isLive);
    /** The job has left. */
    void NoteGone(JobId job);

    std::map<CojobId, GroupRecord> m_groups;
    std::unordered_map<JobId, JobRecord*> m_jobs; //!< jobs that have not left
    WaitingQueue m_waiting;
    Groups m_holders;
    RankedGroups m_ranked;
    Groups m_suspending;
    Groups m_live;
};

} // namespace ns3::ddl

#endif // DDL_JOB_TABLE_H
