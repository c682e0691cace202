// SPDX-License-Identifier: GPL-2.0-only
// What an agent tells the coordinator; what it does when it is told is in ddl-agent.cc.
#include "ddl-agent.h"

#include "ns3/ddl-job-hosts.h"

namespace ns3
{
namespace ddl
{

void
Agent::ConnectLeader(Ptr<Job> job)
{
    job->TraceConnectWithoutContext("StageEnd", MakeCallback(&Agent::NotifyStageEnd, this));
    const bool reportsCoflows = m_reportsCoflows && UsesNetwork(job->GetHostBytes());
    if (job->IsGated())
    {
        job->TraceConnectWithoutContext("Ready", MakeCallback(&Agent::NotifyReady, this));
    }
    if (reportsCoflows)
    {
        job->TraceConnectWithoutContext("CoflowStart",
                                        MakeCallback(&Agent::NotifyCoflowStart, this));
    }
    if (reportsCoflows || job->IsGated())
    {
        job->TraceConnectWithoutContext("IterationEnd",
                                        MakeCallback(&Agent::NotifyIterationEnd, this));
    }
}

void
Agent::NotifyStageEnd(Ptr<const Job> job, uint32_t stage)
{
    m_plane->ToCoordinator(m_host, StageDone{job->GetId(), stage});
}

void
Agent::NotifyStopped(Ptr<const Job> job)
{
    if (job->GetLeader() == m_host)
    {
        m_plane->ToCoordinator(m_host, JobStopped{job->GetId()});
    }
    m_jobs.erase(job->GetId());
}

void
Agent::NotifyCoflowStart(Ptr<const Job> job, uint32_t iteration)
{
    m_plane->ToCoordinator(m_host, CoflowStarted{job->GetId(), iteration});
}

void
Agent::NotifyReady(Ptr<const Job> job, uint32_t iteration)
{
    const uint64_t bytes = GetBusiestBytes(job->GetHostBytes());
    m_plane->ToCoordinator(m_host, GateRequest{job->GetId(), iteration, bytes});
}

void
Agent::NotifyIterationEnd(const IterationRecord& iteration)
{
    m_plane->ToCoordinator(m_host, CoflowEnded{iteration.job, iteration.iteration});
}

void
Agent::Handle(const ProgressRequest& message)
{
    ProgressReport report;
    report.round = message.round;
    for (const auto& [id, local] : m_jobs)
    {
        if (local.job->GetLeader() == m_host)
        {
            report.jobs.push_back({id, local.job->GetStage(), local.job->GetStageIterationsDone()});
        }
    }
    m_plane->ToCoordinator(m_host, report);
}

void
Agent::Handle(const GateGrant& message)
{
    const auto local = m_jobs.find(message.job);
    if (local != m_jobs.end()) // else it stopped while the message was under way
    {
        const Ptr<Job> job = local->second.job; // which what follows may end
        job->Admit(m_host, message.iteration);
    }
}

void
Agent::Handle(const BytesRequest& message)
{
    BytesReport report;
    report.round = message.round;
    for (const auto& [id, local] : m_jobs)
    {
        JobBytes bytes{id, 0, 0};
        for (const auto& stream : local.streams)
        {
            uint64_t& moved = stream->GetSource() == m_host ? bytes.sent : bytes.received;
            moved += stream->GetDeliveredBytes();
        }
        report.jobs.push_back(bytes);
    }
    m_plane->ToCoordinator(m_host, report);
}

} // namespace ddl
} // namespace ns3
