// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-agent.h"

#include "ns3/boolean.h"
#include "ns3/ddl-cluster-clock.h"
#include "ns3/ddl-training-job.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <map>
#include <set>
#include <tuple>
#include <utility>

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
                          "Whether acknowledgements, of TCP and RDMA, travel in queue 0 with the "
                          "control messages, instead of by their job's priority as in Grouper",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Agent::m_controlAcks),
                          MakeBooleanChecker())
            .AddAttribute("ReportInterval",
                          "Time between two reports of free GPUs to the coordinator; 0: each is "
                          "reported at once",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Agent::m_reportInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ReportPhase",
                          "Time of the first report",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Agent::m_reportPhase),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("Remark",
                            "One end of a stream got another mark",
                            MakeTraceSourceAccessor(&Agent::m_remark),
                            "ns3::ddl::Agent::RemarkCallback")
            .AddTraceSource("Rank",
                            "Something happened to the ranks of a job on this machine",
                            MakeTraceSourceAccessor(&Agent::m_rank),
                            "ns3::ddl::Agent::RankCallback")
            .AddTraceSource("Node",
                            "A node of a task graph begins or ends on this machine",
                            MakeTraceSourceAccessor(&Agent::m_node),
                            "ns3::ddl::Agent::NodeCallback")
            .AddTraceSource("StreamOpened",
                            "A job has opened a stream that begins on this machine",
                            MakeTraceSourceAccessor(&Agent::m_opened),
                            "ns3::ddl::Agent::OpenedCallback")
            .AddTraceSource("StreamPinned",
                            "A stream that begins on this machine was pinned to a path",
                            MakeTraceSourceAccessor(&Agent::m_pinned),
                            "ns3::ddl::Agent::OpenedCallback")
            .AddTraceSource("StreamAccepted",
                            "A job waits for a stream that ends on this machine",
                            MakeTraceSourceAccessor(&Agent::m_accepted),
                            "ns3::ddl::Agent::AcceptedCallback");
    return tid;
}

Agent::Agent(Ptr<Machine> machine, Ptr<StreamHost> streams, const ControlEnd& control)
    : m_host(machine->GetHost()),
      m_machine(machine),
      m_streams(streams),
      m_control(control),
      m_executor(machine)
{
    NS_ABORT_MSG_IF(streams->GetHost() != m_host,
                    "machine " << m_host << " got the streams of machine " << streams->GetHost());
    m_control->SetHandler([this](const ControlMessage& message) {
        if (!m_isAway || std::holds_alternative<RejoinGrant>(message))
        {
            std::visit([this](const auto& told) { Handle(told); }, message);
        }
    });
}

Agent::~Agent()
{
    m_control.reset();
    m_jobs.clear();
}

void
Agent::DoDispose()
{
    ClusterClock::Cancel(std::exchange(m_report, EventId())); // the event holds this agent
    m_unreported.clear();
    m_control.reset();
    m_jobs.clear();
    m_machine = nullptr;
    m_streams = nullptr;
    Object::DoDispose();
}

void
Agent::SetScheduler(Ptr<const NetworkScheduler> scheduler)
{
    NS_ABORT_MSG_UNLESS(m_jobs.empty(), "machine " << m_host << " has jobs already");
    m_isOrdered = scheduler->GetTrigger() != NetworkScheduler::Trigger::NEVER;
    m_thresholds = scheduler->GetDemotionThresholds();
}

RunPart*
Agent::FindRun(JobId job, std::optional<uint32_t> run) const
{
    const auto local = m_jobs.find(job);
    if (local == m_jobs.end())
    {
        return nullptr;
    }
    RunPart* const part = local->second.run.get();
    return run.value_or(part->GetRun().number) == part->GetRun().number ? part : nullptr;
}

/** \return whether this machine has something to tell the run's leader, another machine */
bool
Agent::TalksToLeader(const RunSpec& run) const
{
    return run.GetLeader() != m_host && run.TakesPart(m_host);
}

void
Agent::Fail()
{
    NS_LOG_FUNCTION(this << m_host);
    m_isAway = true;
    ClusterClock::Cancel(std::exchange(m_report, EventId())); // the event holds this agent
    m_unreported.clear();
    for (const auto& [id, local] : std::exchange(m_jobs, {}))
    {
        local.run->Fail();
    }
}

void
Agent::Return(const std::vector<HostId>& server)
{
    NS_LOG_FUNCTION(this << m_host);
    m_control->ToCoordinator(RejoinRequest{server});
}

void
Agent::Handle(const LaunchRun& message)
{
    const std::shared_ptr<const RunSpec>& run = message.run;
    NS_LOG_FUNCTION(this << run->GetId() << run->number);
    LocalJob& local = m_jobs[run->GetId()];
    NS_ABORT_MSG_IF(local.run, "job " << run->GetId() << " is known to machine " << m_host);
    // Until a stage starts, streams only set up connections; priorities of a stage arrive before
    // its start.
    local.run = TrainingJob::Of(run->job.kind)
                    ->MakePart(run,
                               {m_machine,
                                m_streams,
                                *this,
                                m_executor,
                                CONTROL_MARK,
                                GetMarkOfState(),
                                message.noise});
    if (run->GetLeader() == m_host)
    {
        local.leader.emplace(
            run,
            [this](const ControlMessage& told) { m_control->ToCoordinator(told); },
            [part = local.run.get()](uint64_t iterations) { part->Save(iterations); });
    }
    else if (TalksToLeader(*run))
    {
        m_control->Join(run->GetLeader());
    }
    if (!local.run->IsLoading())
    {
        HandleLoaded(*run);
    }
}

void
Agent::HandleLoaded(const RunSpec& run)
{
    if (run.launch.IsZero())
    {
        NotifyLaunched(run.GetId(), run.number);
    }
    else
    {
        ClusterClock::Schedule(run.launch,
                               &Agent::NotifyLaunched,
                               Ptr<Agent>(this), // the agent may be disposed of meanwhile
                               run.GetId(),
                               run.number);
    }
}

void
Agent::NotifyLaunched(JobId job, uint32_t run)
{
    if (m_control && FindRun(job, run))
    {
        Observe({RankEvent::Kind::LOADED, job, run, m_host});
        m_control->ToCoordinator(RunLaunched{job, run});
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
    local.stage = message.stage;
    // Streams that were set up with the control mark must not send data with it, whether the job's
    // priority is known or not.
    Remark(local);
    if (local.leader)
    {
        local.leader->StartStage(message.stage, message.iterations);
    }
    local.run->StartStage(message.stage, message.iterations);
}

void
Agent::Handle(const PauseJob& message)
{
    RunPart* const run = FindRun(message.job);
    if (run) // else it has stopped, as it had run its last stage
    {
        const uint64_t begun = run->Pause();
        m_control->ToCoordinator(JobPaused{message.job, message.run, begun});
    }
}

void
Agent::Handle(const StopBefore& message)
{
    NS_LOG_FUNCTION(this << message.job << message.iteration);
    const auto local = m_jobs.find(message.job);
    if (local == m_jobs.end())
    {
        return;
    }
    local->second.run->StopBefore(message.iteration);
    if (local->second.leader)
    {
        local->second.leader->StopBefore(message.iteration);
    }
}

void
Agent::Handle(const StopJob& message)
{
    NS_LOG_FUNCTION(this << message.job << message.isDone);
    const RunPart* const part = FindRun(message.job);
    NS_ABORT_MSG_UNLESS(part,
                        "machine " << m_host << " is to stop job " << message.job << " twice");
    const RunSpec& run = part->GetRun();
    if (!message.isDone || run.finish.IsZero())
    {
        Stop(message.job, run.number);
        return;
    }
    if (run.GetLeader() == m_host)
    {
        Observe({RankEvent::Kind::SAVING, message.job, run.number, m_host, run.iterations});
    }
    ClusterClock::Schedule(run.finish,
                           &Agent::Stop,
                           Ptr<Agent>(this), // the agent may be disposed of meanwhile
                           message.job,
                           run.number);
}

/** No effect if the machine has failed since the message arrived. */
void
Agent::Stop(JobId job, uint32_t number)
{
    if (!m_control || !FindRun(job, number))
    {
        return;
    }
    const std::shared_ptr<RunPart> run = m_jobs.at(job).run;
    const RunSpec& spec = run->GetRun();
    run->Stop();
    m_jobs.erase(job);
    if (TalksToLeader(spec))
    {
        m_control->Leave(spec.GetLeader());
    }
    Report(JobStopped{spec.GetId(), spec.number, run->GetFinished(), run->GetNoise()});
}

/** Send the message to the coordinator: at once, or with the next periodic report. */
void
Agent::Report(const ControlMessage& message)
{
    if (m_reportInterval.IsZero())
    {
        m_control->ToCoordinator(message);
        return;
    }
    m_unreported.push_back(message);
    if (m_report.IsExpired())
    {
        const Time over = (ClusterClock::Now() - m_reportPhase) % m_reportInterval;
        const Time left = over.IsZero()       ? over
                          : over.IsNegative() ? Time() - over
                                              : m_reportInterval - over;
        m_report = ClusterClock::Schedule(left, &Agent::SendReports, Ptr<Agent>(this));
    }
}

void
Agent::SendReports()
{
    for (const ControlMessage& message : std::exchange(m_unreported, {}))
    {
        m_control->ToCoordinator(message);
    }
}

void
Agent::Handle(const WorkersReport& message)
{
    if (FindRun(message.job, message.run))
    {
        m_jobs.at(message.job).leader->Note(message);
    }
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

void
Agent::Handle(const PinPaths& message)
{
    std::map<std::tuple<JobId, uint32_t, uint32_t>, uint32_t> labels;
    for (const PathPin& pin : message.pins)
    {
        labels[{pin.job, pin.source, pin.destination}] = pin.label;
    }
    for (const auto& [id, local] : m_jobs)
    {
        for (const auto& stream : local.run->GetSending())
        {
            const StreamName& name = stream->GetName();
            const auto pinned = labels.find({id, name.source, name.destination});
            if (pinned != labels.end() && stream->SetPath(pinned->second))
            {
                m_pinned(id, stream);
            }
        }
    }
}

/** \return the mark of checkpoints: that of the last priority, if there are several */
Mark
Agent::GetMarkOfState() const
{
    const bool isLast = m_isOrdered || !m_thresholds.empty();
    return {PriorityToQueue(isLast ? m_bands : 1, m_bands),
            QueueToCodepoint(PriorityToQueue(isLast ? m_queues : 1, m_queues))};
}

/** \param demotion number of priorities by which the data have been demoted */
Mark
Agent::ComputeMark(const LocalJob& job, HostId peer, uint32_t demotion) const
{
    const auto queueAt = [&](HostId host, uint32_t queues) {
        const auto known = job.priorities.find(host);
        const uint32_t unknown = m_isOrdered ? queues : 1;
        return PriorityToQueue((known == job.priorities.end() ? unknown : known->second) + demotion,
                               queues);
    };
    return {queueAt(m_host, m_bands), QueueToCodepoint(queueAt(peer, m_queues))};
}

void
Agent::Remark(const LocalJob& local)
{
    for (const auto& stream : local.run->GetSending())
    {
        const Mark mark = ComputeMark(local, stream->GetDestination(), stream->GetDemotion());
        Remark(local, stream, mark, false);
    }
    for (const auto& stream : local.run->GetReceiving())
    {
        const Mark mark = // acknowledgements carry no payload, so they are not demoted
            m_controlAcks ? CONTROL_MARK : ComputeMark(local, stream->GetSource(), 0);
        Remark(local, stream, mark, true);
    }
}

template <typename End>
void
Agent::Remark(const LocalJob& local, const End& end, Mark mark, bool acknowledgements)
{
    if (end->GetMark() != mark)
    {
        end->SetMark(mark);
        m_remark({Simulator::Now(),
                  m_host,
                  {},
                  local.run->GetId(),
                  local.stage,
                  mark,
                  acknowledgements,
                  end->GetName()});
    }
}

void
Agent::Observe(const RankEvent& event)
{
    if (m_control)
    {
        m_rank(event);
    }
}

void
Agent::ObserveNode(const NodeEvent& event)
{
    if (m_control)
    {
        m_node(event);
    }
}

void
Agent::ObserveStream(const RunSpec& run, Ptr<SendingStream> stream)
{
    if (stream->GetDestination() != m_host && !m_thresholds.empty())
    {
        stream->SetDemotionThresholds(m_thresholds,
                                      MakeBoundCallback(&Agent::NotifyDemotion, this, run.GetId()));
    }
    m_opened(run.GetId(), stream);
}

void
Agent::ObserveStream(const RunSpec& run, Ptr<ReceivingStream> stream)
{
    m_accepted(run.GetId(), stream);
}

Mark
Agent::GetDataMark(const RunSpec& run, HostId peer) const
{
    return ComputeMark(m_jobs.at(run.GetId()), peer, 0);
}

Mark
Agent::GetAckMark(const RunSpec& run, HostId peer) const
{
    return m_controlAcks ? CONTROL_MARK : ComputeMark(m_jobs.at(run.GetId()), peer, 0);
}

void
Agent::Handle(const RunTask& message)
{
    RunPart* const run = FindRun(message.job);
    NS_ABORT_MSG_UNLESS(run,
                        "machine " << m_host << " is to run a task of job " << message.job
                                   << ", which it does not know");
    run->RunTask(message.round, message.gpu);
}

void
Agent::Handle(const PullRequest& message)
{
    RunPart* const run = FindRun(message.job, message.run);
    if (run) // else it stopped while the message was under way
    {
        run->SendParameters(message.executor, message.round, message.gpu);
    }
}

void
Agent::HandleAsk(const RunSpec& run, uint64_t round, uint32_t gpu)
{
    m_control->ToCoordinator(GateRequest{run.GetId(), round + 1, run.job.model.bytes, gpu});
}

void
Agent::HandlePulled(const RunSpec& run, uint64_t round, uint32_t gpu)
{
    m_control->ToCoordinator(CoflowEnded{run.GetId(), round + 1, gpu});
}

void
Agent::HandlePull(const RunSpec& run, uint64_t round, uint32_t gpu)
{
    m_control->ToPeer(run.GetLeader(), PullRequest{run.GetId(), run.number, m_host, gpu, round});
}

void
Agent::HandleTaskEnded(const RunSpec& run, uint64_t round, uint32_t gpu)
{
    m_control->ToCoordinator(TaskEnded{run.GetId(), gpu, round});
}

void
Agent::HandleRoundEnded(const RunSpec& run, uint64_t rounds)
{
    LocalJob& local = m_jobs.at(run.GetId());
    m_control->ToCoordinator(RoundEnded{run.GetId(), run.number, rounds});
    local.leader->Note({run.GetId(), run.number, WorkersPoint::FINISHED, rounds, false});
}

void
Agent::HandleSending(const RunSpec& run, uint64_t iteration)
{
    TellLeader(run, WorkersPoint::SENDING, iteration, false);
}

void
Agent::HandleReady(const RunSpec& run, uint64_t iteration)
{
    TellLeader(run, WorkersPoint::READY, iteration, true);
}

void
Agent::HandleFinished(const RunSpec& run, uint64_t iteration)
{
    const bool isDue = run.reportsIterations || run.IsCheckpoint(iteration) ||
                       iteration == m_jobs.at(run.GetId()).run->GetGranted();
    TellLeader(run, WorkersPoint::FINISHED, iteration, !isDue);
}

void
Agent::HandleSaved(const RunSpec& run, uint64_t iterations)
{
    m_jobs.at(run.GetId()).leader->NoteSaved(iterations);
}

void
Agent::TellLeader(const RunSpec& run, WorkersPoint point, uint64_t iteration, bool isForGate)
{
    const WorkersReport report{run.GetId(), run.number, point, iteration, isForGate};
    if (run.GetLeader() == m_host)
    {
        m_jobs.at(run.GetId()).leader->Note(report);
    }
    else
    {
        m_control->ToPeer(run.GetLeader(), report);
    }
}

void
Agent::Handle(const ProgressRequest& message)
{
    ProgressReport report;
    report.round = message.round;
    for (const auto& [id, local] : m_jobs)
    {
        if (local.leader)
        {
            report.jobs.push_back({id, local.leader->GetStage(), local.run->GetFinished()});
        }
    }
    m_control->ToCoordinator(report);
}

void
Agent::Handle(const GateGrant& message)
{
    RunPart* const run = FindRun(message.job);
    if (run) // else it stopped while the message was under way
    {
        message.gpu ? run->AdmitTask(message.iteration - 1, *message.gpu)
                    : run->Admit(message.iteration);
    }
}

void
Agent::Handle(const BytesRequest& message)
{
    BytesReport report;
    report.round = message.round;
    for (const auto& [id, local] : m_jobs)
    {
        JobBytes bytes{id, local.run->GetRun().number, 0, 0};
        for (const auto& stream : local.run->GetSending())
        {
            bytes.sent += stream->GetAcknowledgedBytes();
        }
        for (const auto& stream : local.run->GetReceiving())
        {
            bytes.received += stream->GetReceivedBytes();
        }
        report.jobs.push_back(bytes);
    }
    m_control->ToCoordinator(report);
}

} // namespace ns3::ddl
