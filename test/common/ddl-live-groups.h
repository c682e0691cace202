// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LIVE_GROUPS_H
#define DDL_LIVE_GROUPS_H

#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-job-record.h"
#include "ns3/ddl-list-search-algorithm.h"

#include <memory>
#include <vector>

namespace ns3::ddl
{

/** A table of groups that run, as if machines had said that they have launched them. */
class LiveGroups
{
  public:
    /** A job, the machines of its run, and its bytes. */
    struct Member
    {
        JobSpec spec;
        std::vector<HostId> machines; //!< machines of the run, its leader first
        std::vector<HostBytes> bytes; //!< bytes that an iteration moves at each machine
        JobPlan plan{};               //!< transfers among its ranks, one on each machine
    };

    /**
     * \param spec the group without jobs; its search stops jobs as JobSpec::stopAfter says
     * \param members jobs of the group
     * \return the group, whose jobs have been launched and are in no stage
     */
    GroupRecord& Launch(CojobSpec spec, const std::vector<Member>& members)
    {
        spec.search.SetTypeId(ListSearchAlgorithm::GetTypeId());
        for (const Member& member : members)
        {
            spec.jobs.push_back(member.spec);
        }
        GroupRecord& group = m_table.Add(spec);
        group.Enter(GroupState::WAITING);
        group.Enter(GroupState::LAUNCHING);
        for (const Member& member : members)
        {
            JobRecord& job = m_table.GetJob(member.spec.id);
            auto run = std::make_shared<RunSpec>(member.spec, spec.id);
            run->iterations = CountIterations(spec);
            run->rankHosts = member.machines;
            run->machines = ListHosts(member.machines);
            run->hosts = member.machines;
            run->hostBytes = member.bytes;
            run->plan = std::make_shared<const JobPlan>(member.plan);
            for (uint32_t i = 0; i < member.plan.channels.size(); ++i)
            {
                const JobPlan::Channel& channel = member.plan.channels[i];
                run->parts[member.machines[channel.source]].sends.push_back(i);
                run->parts[member.machines[channel.destination]].receives.push_back(i);
            }
            group.NoteRunStart(job, run);
            group.NoteLaunched(job);
        }
        group.Enter(GroupState::RUNNING);
        return group;
    }

    JobTable m_table;
};

} // namespace ns3::ddl

#endif // DDL_LIVE_GROUPS_H
