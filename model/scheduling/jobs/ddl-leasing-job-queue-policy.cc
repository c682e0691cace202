// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-leasing-job-queue-policy.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <map>
#include <string>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(LeasingJobQueuePolicy);

TypeId
LeasingJobQueuePolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::LeasingJobQueuePolicy").SetParent<JobQueuePolicy>().SetGroupName("Ddl");
    return tid;
}

double
LeasingJobQueuePolicy::DoGetPriority(const GroupView& group)
{
    return static_cast<double>(group.submit.GetTimeStep());
}

std::string
LeasingJobQueuePolicy::GetName() const
{
    return GetShortName(JobQueuePolicy::GetTypeId(), GetInstanceTypeId());
}

std::vector<LeaseGrant>
LeasingJobQueuePolicy::Grant(const LeaseQuestion& question)
{
    const Stopwatch stopwatch(*this);
    std::vector<LeaseGrant> grants = DoGrant(question);
    Check(question, grants);
    return grants;
}

void
LeasingJobQueuePolicy::Check(const LeaseQuestion& question,
                             const std::vector<LeaseGrant>& grants) const
{
    std::map<CojobId, const LeaseCandidate*> known;
    for (const LeaseCandidate& each : question.groups)
    {
        known[each.group.id] = &each;
    }
    const auto refuse = [this](CojobId group, const std::string& what) {
        throw RunError(GetName() + ": group " + std::to_string(group.value) + " " + what);
    };
    std::map<CojobId, uint32_t> granted;
    std::vector<uint64_t> taken(question.pools.size());
    for (const auto& [group, pool] : grants)
    {
        const auto found = known.find(group);
        if (found == known.end() || !granted.emplace(group, pool).second)
        {
            refuse(group, found == known.end() ? "is not in question" : "gets GPUs twice");
        }
        const LeaseCandidate& candidate = *found->second;
        if (pool >= question.pools.size() || (!candidate.keeps && candidate.speeds[pool] <= 0))
        {
            refuse(group, "gets GPUs of a type on which it cannot run");
        }
        taken[pool] += candidate.group.gpus;
        // Groups may keep more than there is: a machine may have failed.
        const bool takes = !candidate.keeps && candidate.group.gpus > 0;
        if (takes && taken[pool] > question.pools[pool].gpus)
        {
            refuse(group, "gets more GPUs than there are");
        }
    }
    for (const LeaseCandidate& each : question.groups)
    {
        const auto found = granted.find(each.group.id);
        if (each.keeps && (found == granted.end() || found->second != each.pool))
        {
            refuse(each.group.id, "does not keep its GPUs");
        }
    }
}

LeaseRoom::LeaseRoom(const LeaseQuestion& question)
    : m_question(question),
      m_hasGrant(question.groups.size())
{
    for (const GpuPool& pool : question.pools)
    {
        m_free.push_back(pool.gpus);
    }
    for (std::size_t i = 0; i < question.groups.size(); ++i)
    {
        if (question.groups[i].keeps)
        {
            Take(i, *question.groups[i].pool);
        }
    }
}

bool
LeaseRoom::Fits(std::size_t group, uint32_t pool) const
{
    const LeaseCandidate& candidate = m_question.groups[group];
    return candidate.speeds[pool] > 0 && candidate.group.gpus <= m_free[pool];
}

void
LeaseRoom::Take(std::size_t group, uint32_t pool)
{
    const LeaseCandidate& candidate = m_question.groups[group];
    m_free[pool] -= std::min(m_free[pool], candidate.group.gpus); // a machine may have failed
    m_hasGrant[group] = true;
    m_grants.push_back({candidate.group.id, pool});
}

} // namespace ns3::ddl
