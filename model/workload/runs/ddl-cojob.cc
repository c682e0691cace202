// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cojob.h"

#include "ns3/abort.h"
#include "ns3/ddl-search-algorithm.h"

namespace ns3::ddl
{

Cojob::Cojob(const CojobSpec& spec)
    : m_spec(spec)
{
    NS_ABORT_MSG_IF(spec.jobs.empty(), "cojob " << spec.id << " has no jobs");
    NS_ABORT_MSG_IF(spec.iterations.empty(), "cojob " << spec.id << " has no stages");
    for (const JobSpec& job : spec.jobs)
    {
        NS_ABORT_MSG_IF(!m_live.insert(job.id).second, "two jobs have the id " << job.id);
    }
    const std::vector<uint32_t> lastStages = PlanLastStages(m_spec);
    for (std::size_t i = 0; i < spec.jobs.size(); ++i)
    {
        m_lastStages[spec.jobs[i].id] = lastStages[i];
    }
}

uint64_t
Cojob::GetIterations(uint32_t stage) const
{
    NS_ABORT_MSG_IF(stage < 1 || stage > m_spec.iterations.size(),
                    "cojob " << m_spec.id << " has no stage " << stage);
    return m_spec.iterations[stage - 1];
}

uint32_t
Cojob::GetLastStage(JobId job) const
{
    const auto found = m_lastStages.find(job);
    NS_ABORT_MSG_IF(found == m_lastStages.end(),
                    "job " << job << " is not one of cojob " << m_spec.id);
    return found->second;
}

StageDecision
Cojob::Begin()
{
    NS_ABORT_MSG_IF(m_stage != 0, "cojob " << m_spec.id << " has begun already");
    m_stage = 1;
    m_running = m_live;
    return {{}, GetLiveJobs(), m_stage, GetIterations(m_stage)};
}

std::optional<StageDecision>
Cojob::FinishStage(JobId job)
{
    NS_ABORT_MSG_IF(m_running.erase(job) == 0,
                    "job " << job << " is not running stage " << m_stage << " of cojob "
                           << m_spec.id);
    if (m_stage == m_spec.iterations.size())
    {
        m_live.erase(job);
        return StageDecision{{job}, {}, 0, 0};
    }
    if (!m_running.empty())
    {
        return std::nullopt;
    }
    return Decide();
}

StageDecision
Cojob::Decide()
{
    StageDecision decision;
    for (const JobId job : m_live)
    {
        (GetLastStage(job) == m_stage ? decision.stop : decision.go).push_back(job);
    }
    m_live = {decision.go.begin(), decision.go.end()};
    if (!m_live.empty())
    {
        ++m_stage;
        m_running = m_live;
        decision.stage = m_stage;
        decision.iterations = GetIterations(m_stage);
    }
    return decision;
}

} // namespace ns3::ddl
