// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-table.h"

#include "ns3/abort.h"

namespace ns3::ddl
{

GroupRecord&
JobTable::Add(const CojobSpec& spec, const JobOracle* oracle)
{
    const auto [added, isNew] = m_groups.emplace(std::piecewise_construct,
                                                 std::forward_as_tuple(spec.id),
                                                 std::forward_as_tuple(spec, *this, oracle));
    NS_ABORT_MSG_UNLESS(isNew, "cojob " << spec.id << " is there twice");
    for (JobRecord& job : added->second.m_jobs)
    {
        NS_ABORT_MSG_UNLESS(m_jobs.emplace(job.GetId(), &job).second,
                            "job " << job.GetId() << " is there twice");
    }
    return added->second;
}

void
JobTable::Remove(CojobId id)
{
    GroupRecord& group = Get(id);
    m_holders.erase(&group);
    if (group.GetLastStart())
    {
        m_ranked.erase(&group);
    }
    m_suspending.erase(&group);
    m_live.erase(&group);
    m_groups.erase(id);
}

void
JobTable::Clear()
{
    m_waiting = WaitingQueue();
    m_holders.clear();
    m_ranked.clear();
    m_suspending.clear();
    m_live.clear();
    m_jobs.clear();
    m_groups.clear();
}

GroupRecord*
JobTable::Find(CojobId group)
{
    const auto found = m_groups.find(group);
    return found == m_groups.end() ? nullptr : &found->second;
}

const GroupRecord*
JobTable::Find(CojobId group) const
{
    const auto found = m_groups.find(group);
    return found == m_groups.end() ? nullptr : &found->second;
}

GroupRecord&
JobTable::Get(CojobId group)
{
    return m_groups.at(group);
}

const GroupRecord&
JobTable::Get(CojobId group) const
{
    return m_groups.at(group);
}

JobRecord*
JobTable::FindJob(JobId job) const
{
    const auto found = m_jobs.find(job);
    return found == m_jobs.end() ? nullptr : found->second;
}

JobRecord&
JobTable::GetJob(JobId job) const
{
    return *m_jobs.at(job);
}

void
JobTable::SetPriority(GroupRecord& group, double priority)
{
    NS_ABORT_MSG_IF(m_ranked.erase(&group) == 0, "group " << group.GetId() << " has no GPUs");
    group.m_priority = priority;
    m_ranked.insert(&group);
}

void
JobTable::NoteState(GroupRecord& group, GroupState before)
{
    if (group.UsesRounds())
    {
        return;
    }
    if (group.GetState() == GroupState::LAUNCHING)
    {
        m_holders.insert(&group);
        m_ranked.insert(&group);
    }
    else if (group.GetState() == GroupState::SUSPENDING)
    {
        m_holders.erase(&group);
        m_ranked.erase(&group);
        m_suspending.insert(&group);
    }
    else if (before == GroupState::SUSPENDING)
    {
        m_suspending.erase(&group);
    }
}

void
JobTable::NoteLive(GroupRecord& group, bool isLive)
{
    if (isLive)
    {
        m_live.insert(&group);
    }
    else
    {
        m_live.erase(&group);
    }
}

void
JobTable::NoteGone(JobId job)
{
    m_jobs.erase(job);
}

} // namespace ns3::ddl
