// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-agent.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <set>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlAgent");
NS_OBJECT_ENSURE_REGISTERED(Agent);

TypeId
Agent::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::Agent")
            .SetParent<Object>()
            .SetGroupName("Ddl")
            .AddAttribute("Bands",
                          "Bands of the host's NIC in use, the one for control included",
                          UintegerValue(MAX_QUEUES),
                          MakeUintegerAccessor(&Agent::m_bands),
                          MakeUintegerChecker<uint32_t>(1, UNLIMITED_QUEUES))
            .AddAttribute("Queues",
                          "Queues of a switch port in use, the one for control included",
                          UintegerValue(MAX_QUEUES),
                          MakeUintegerAccessor(&Agent::m_queues),
                          MakeUintegerChecker<uint32_t>(1, UNLIMITED_QUEUES))
            .AddAttribute("ControlAcks",
                          "Whether acknowledgements travel in queue 0 with the control messages, "
                          "instead of by their job's priority as in Grouper",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Agent::m_controlAcks),
                          MakeBooleanChecker())
            .AddTraceSource("Remark",
                            "One end of a stream got another mark",
                            MakeTraceSourceAccessor(&Agent::m_remark),
                            "ns3::ddl::Agent::RemarkCallback");
    return tid;
}

Agent::Agent(HostId host, Ptr<ControlPlane> plane)
    : m_host(host),
      m_plane(plane)
{
    m_plane->SetAgentHandler(host, [this](const ControlMessage& message) {
        std::visit([this](const auto& told) { Handle(told); }, message);
    });
}

Agent::~Agent() = default;

void
Agent::DoDispose()
{
    m_plane = nullptr;
    m_jobs.clear();
    Object::DoDispose();
}

void
Agent::SetScheduler(Ptr<const NetworkScheduler> scheduler)
{
    NS_ABORT_MSG_UNLESS(m_jobs.empty(), "machine " << m_host << " has jobs already");
    m_reportsCoflows = scheduler->GetUnitKind() == UnitKind::COFLOW;
    m_isOrdered = scheduler->GetTrigger() != NetworkScheduler::Trigger::NEVER;
    m_thresholds = scheduler->GetDemotionThresholds();
}

void
Agent::AddJob(Ptr<Job> job)
{
    NS_LOG_FUNCTION(this << job->GetId());
    LocalJob& local = m_jobs[job->GetId()];
    NS_ABORT_MSG_IF(local.job, "job " << job->GetId() << " is known to machine " << m_host);
    local.job = job;
    for (const auto& stream : job->GetStreams())
    {
        const bool starts = stream->GetSource() == m_host;
        const bool ends = stream->GetDestination() == m_host;
        if (starts != ends)
        {
            local.streams.push_back(stream);
        }
    }
    SetDemotionThresholds(job->GetId(), local);
    job->SetListener(m_host, *this);
}

void
Agent::SetDemotionThresholds(JobId id, const LocalJob& job)
{
    for (const auto& stream : job.streams)
    {
        if (!m_thresholds.empty() && stream->GetSource() == m_host)
        {
            stream->SetDemotionThresholds(m_thresholds,
                                          MakeBoundCallback(&Agent::NotifyDemotion, this, id));
        }
    }
}

void
Agent::NotifyDemotion(Agent* agent, JobId job)
{
    const auto local = agent->m_jobs.find(job);
    if (local != agent->m_jobs.end())
    {
        agent->Remark(local->second);
    }
}

void
Agent::Handle(const StartStage& message)
{
    NS_LOG_FUNCTION(this << message.job << message.stage);
    LocalJob& local = m_jobs.at(message.job);
    // A copy: the job may be forgotten while it runs.
    const Ptr<Job> job = local.job;
    local.stage = message.stage;
    // What was set up with the control mark must not send data with it, whether its priority is
    // known or not.
    Remark(local);
    job->StartStage(m_host, message.stage, message.iterations);
}

void
Agent::Handle(const PauseJob& message)
{
    const auto local = m_jobs.find(message.job);
    if (local != m_jobs.end()) // else it has stopped, as it had run its last stage
    {
        const uint64_t begun = local->second.job->Pause(m_host);
        m_plane->ToCoordinator(m_host, JobPaused{message.job, message.run, begun});
    }
}

void
Agent::Handle(const StopBefore& message)
{
    NS_LOG_FUNCTION(this << message.job << message.iteration);
    const auto local = m_jobs.find(message.job);
    if (local != m_jobs.end())
    {
        const Ptr<Job> job = local->second.job; // which what follows may end
        job->StopBefore(m_host, message.iteration);
    }
}

void
Agent::Handle(const StopJob& message)
{
    NS_LOG_FUNCTION(this << message.job);
    const Ptr<Job> job = m_jobs.at(message.job).job;
    job->Stop(m_host);
}

void
Agent::Handle(const Priorities& message)
{
    std::set<JobId> changed;
    for (const auto& priority : message.priorities)
    {
        const auto local = m_jobs.find(priority.job);
        if (local != m_jobs.end()) // else it stopped while the message was under way
        {
            local->second.priorities[priority.host] = priority.priority;
            local->second.stage = priority.stage;
            changed.insert(priority.job);
        }
    }
    for (const JobId job : changed)
    {
        Remark(m_jobs.at(job));
    }
}

Mark
Agent::ComputeMark(const LocalJob& job, Ptr<const MessageStream> stream) const
{
    const bool sends = stream->GetSource() == m_host;
    if (!sends && m_controlAcks)
    {
        return CONTROL_MARK;
    }
    const uint32_t demotion =
        sends ? stream->GetDemotion() : 0; // acknowledgements carry no payload
    const auto queueAt = [&](HostId host, uint32_t queues) {
        const auto known = job.priorities.find(host);
        const uint32_t unknown = m_isOrdered ? queues : 1;
        return PriorityToQueue((known == job.priorities.end() ? unknown : known->second) + demotion,
                               queues);
    };
    const HostId peer = sends ? stream->GetDestination() : stream->GetSource();
    return {queueAt(m_host, m_bands), QueueToCodepoint(queueAt(peer, m_queues))};
}

void
Agent::Remark(const LocalJob& local)
{
    for (const auto& stream : local.streams)
    {
        const bool sends = stream->GetSource() == m_host;
        const auto end = sends ? MessageStream::End::SOURCE : MessageStream::End::DESTINATION;
        const Mark mark = ComputeMark(local, stream);
        if (stream->GetMark(end) != mark)
        {
            stream->SetMark(end, mark);
            m_remark({Simulator::Now(),
                      m_host,
                      stream->GetId(),
                      local.job->GetId(),
                      local.stage,
                      mark,
                      !sends});
        }
    }
}

void
Agent::HandleStageEnd(const Job& job, uint32_t stage)
{
    m_plane->ToCoordinator(m_host, StageDone{job.GetId(), stage});
}

void
Agent::HandleDrained(const Job& job)
{
    m_plane->ToCoordinator(m_host, JobDrained{job.GetId(), job.GetIterationsDone()});
}

void
Agent::HandleStopped(const Job& job)
{
    if (job.GetLeader() == m_host)
    {
        m_plane->ToCoordinator(m_host, JobStopped{job.GetId()});
    }
    m_jobs.erase(job.GetId());
}

/** \return whether the coordinator has to hear of each coflow of the job */
bool
Agent::ReportsCoflows(const Job& job) const
{
    return m_reportsCoflows && GetBusiestBytes(job.GetHostBytes()) > 0;
}

void
Agent::HandleCoflowStart(const Job& job, uint64_t iteration)
{
    if (ReportsCoflows(job))
    {
        m_plane->ToCoordinator(m_host, CoflowStarted{job.GetId(), iteration});
    }
}

void
Agent::HandleReady(const Job& job, uint64_t iteration)
{
    const uint64_t bytes = GetBusiestBytes(job.GetHostBytes());
    m_plane->ToCoordinator(m_host, GateRequest{job.GetId(), iteration, bytes});
}

void
Agent::HandleIterationEnd(const Job& job, uint64_t iteration)
{
    if (ReportsCoflows(job) || job.IsGated())
    {
        m_plane->ToCoordinator(m_host, CoflowEnded{job.GetId(), iteration});
    }
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

} // namespace ns3::ddl
