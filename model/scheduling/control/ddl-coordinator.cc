// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-coordinator.h"

#include "ddl-build-scheduler-view.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/ddl-cluster-clock.h"
#include "ns3/ddl-dual-bound.h"
#include "ns3/ddl-unit-order.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlCoordinator");
NS_OBJECT_ENSURE_REGISTERED(Coordinator);

TypeId
Coordinator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::Coordinator")
            .SetParent<Object>()
            .SetGroupName("Ddl")
            .AddConstructor<Coordinator>()
            .AddAttribute("Period",
                          "Time between two runs of a periodic network scheduler",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&Coordinator::m_period),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("LastPriority",
                          "Last priority that has a queue of its own; priorities beyond it are "
                          "sent as this one",
                          UintegerValue(std::numeric_limits<uint32_t>::max()),
                          MakeUintegerAccessor(&Coordinator::m_lastPriority),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("CommonPriorities",
                          "Whether a unit has the same priority at all its machines, instead of "
                          "one for each server, as in Grouper",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Coordinator::m_commonPriorities),
                          MakeBooleanChecker())
            .AddTraceSource("Schedule",
                            "The network scheduler has run and its messages have been sent",
                            MakeTraceSourceAccessor(&Coordinator::m_schedule),
                            "ns3::ddl::Coordinator::ScheduleCallback");
    return tid;
}

void
Coordinator::DoDispose()
{
    m_gate.Dispose();
    m_end.Cancel();
    ClusterClock::Cancel(m_tick);
    m_outbox.clear();
    m_scheduler = nullptr;
    m_plane = nullptr;
    m_handlers = {};
    Object::DoDispose();
}

void
Coordinator::Install(Ptr<NetworkScheduler> scheduler,
                     Ptr<ControlPlane> plane,
                     const std::vector<DataRate>& rates,
                     const std::vector<uint32_t>& servers)
{
    m_scheduler = scheduler;
    m_priorities.SetServers(servers);
    m_priorities.SetCommon(m_commonPriorities);
    m_plane = plane;
    m_rates = rates;
    m_plane->SetCoordinatorHandler(
        [this](HostId machine, const ControlMessage& message) { Handle(machine, message); });
}

void
Coordinator::SetHandlers(const Handlers& handlers)
{
    m_handlers = handlers;
}

void
Coordinator::LaunchRun(std::shared_ptr<const RunSpec> run, const WorkerNoise& noise)
{
    NS_LOG_FUNCTION(this << run->GetId() << run->number);
    m_launching[run->GetId()] = {run->number, run->hosts.size()};
    for (const HostId machine : run->hosts)
    {
        WorkerNoise there;
        for (const uint32_t rank : run->parts.at(machine).ranks)
        {
            const auto drawn = noise.find(rank);
            if (drawn != noise.end())
            {
                there.insert(*drawn);
            }
        }
        m_plane->ToAgent(machine, ddl::LaunchRun{machine, run, there});
    }
}

void
Coordinator::HandleLaunched(const RunLaunched& message)
{
    const auto launching = m_launching.find(message.job);
    if (launching == m_launching.end() || launching->second.run != message.run)
    {
        return; // it was abandoned meanwhile
    }
    if (--launching->second.unanswered == 0)
    {
        m_launching.erase(launching);
        m_handlers.launched(message.job);
    }
}

void
Coordinator::AddCojob(const LiveCojob& cojob)
{
    NS_LOG_FUNCTION(this << cojob.id);
    m_live.Add(cojob);
    m_gate.AddCojob(cojob);
    for (const auto& job : cojob.jobs)
    {
        m_priorities.AddJob(job.job, job.machines);
        // Units are appended in arrival order until the scheduler runs.
        for (uint32_t stage = 1; stage <= cojob.iterations.size() && !OrdersCoflows(); ++stage)
        {
            m_priorities.GetPlace(GetUnitKey(m_scheduler->GetUnitKind(), cojob.id, stage, job.job));
        }
    }
}

void
Coordinator::StartStage(CojobId id, uint32_t stage)
{
    NS_LOG_FUNCTION(this << id << stage);
    const LiveCojob& cojob = m_live.StartStage(id, stage, ClusterClock::Now());
    const uint64_t iterations = cojob.iterations.at(stage - 1);
    for (const auto& job : cojob.jobs)
    {
        const uint64_t left = iterations - job.iterationsDone;
        for (std::size_t i = 0; left > 0 && i < job.machines.size(); ++i)
        {
            m_outbox.emplace_back(job.machines[i], ddl::StartStage{job.job, stage, left});
        }
    }
    if (OrdersCoflows())
    {
        ScheduleFlush(); // nothing to order before a job begins to send
    }
    else
    {
        NoteChange();
    }
}

void
Coordinator::PauseJobs(CojobId id, const std::vector<JobId>& jobs)
{
    NS_LOG_FUNCTION(this << id << jobs.size());
    for (const JobId job : jobs)
    {
        const LiveJob& live = m_live.Get(job);
        m_pausing[job] = {live.run, live.machines, live.machines.size(), 0};
        for (const HostId machine : live.machines)
        {
            m_outbox.emplace_back(machine, PauseJob{job, live.run});
        }
    }
    ScheduleFlush();
}

void
Coordinator::HandlePaused(const JobPaused& message)
{
    const auto found = m_pausing.find(message.job);
    if (found == m_pausing.end() || found->second.run != message.run)
    {
        return; // it was stopped meanwhile
    }
    Pausing& pausing = found->second;
    pausing.begun = std::max(pausing.begun, message.begun);
    if (--pausing.unanswered == 0)
    {
        for (const HostId machine : pausing.machines)
        {
            m_plane->ToAgent(machine, StopBefore{message.job, pausing.begun});
        }
    }
}

void
Coordinator::StopJobs(CojobId id, const std::vector<JobId>& jobs, bool areDone)
{
    NS_LOG_FUNCTION(this << id << jobs.size());
    for (const JobId job : jobs)
    {
        const LiveJob live = m_live.Remove(id, job);
        Stop(job, live.run, live.hosts, areDone);
        m_pausing.erase(job);
        m_priorities.RemoveJob(job);
        m_gate.RemoveJob(job);
    }
    NoteChange();
}

void
Coordinator::AbandonRuns(const std::vector<std::shared_ptr<const RunSpec>>& runs)
{
    NS_LOG_FUNCTION(this << runs.size());
    for (const auto& run : runs)
    {
        m_launching.erase(run->GetId());
        Stop(run->GetId(), run->number, run->hosts, false);
    }
    ScheduleFlush();
}

/** Tell the machines of a run that have not failed to stop. */
void
Coordinator::Stop(JobId job, uint32_t run, const std::vector<HostId>& machines, bool isDone)
{
    Stopping& stopping = m_stopping[job];
    stopping.run = run;
    for (const HostId machine : machines)
    {
        if (m_failed.count(machine) > 0)
        {
            stopping.hasFailed = true;
            continue;
        }
        m_outbox.emplace_back(machine, StopJob{job, isDone});
        stopping.unanswered.insert(machine);
    }
}

void
Coordinator::NoteFailed(const std::vector<HostId>& machines)
{
    Lose(machines);
    EndStops();
}

/** Nothing is expected of these machines any more, and the runs there are to be ended. */
void
Coordinator::Lose(const std::vector<HostId>& machines)
{
    std::set<HostId> lost;
    for (const HostId machine : machines)
    {
        if (m_failed.insert(machine).second)
        {
            lost.insert(machine);
        }
    }
    if (lost.empty())
    {
        return;
    }
    NS_LOG_FUNCTION(this << lost.size());
    const auto isLost = [&lost](const auto& letter) { return lost.count(letter.first) > 0; };
    m_outbox.erase(std::remove_if(m_outbox.begin(), m_outbox.end(), isLost), m_outbox.end());
    bool wasAsked = false;
    for (const HostId machine : lost)
    {
        wasAsked = m_asked.erase(machine) > 0 || wasAsked;
        for (auto& [job, stopping] : m_stopping)
        {
            stopping.hasFailed = stopping.unanswered.erase(machine) > 0 || stopping.hasFailed;
        }
    }
    m_handlers.failed(lost);
    if (wasAsked && m_asked.empty())
    {
        EndRound();
    }
}

/** Runs of which no machine is left to answer are over. */
void
Coordinator::EndStops()
{
    std::vector<JobId> over;
    for (const auto& [job, stopping] : m_stopping)
    {
        if (stopping.unanswered.empty())
        {
            over.push_back(job);
        }
    }
    for (const JobId job : over)
    {
        const Stopping stopped = std::move(m_stopping.at(job));
        m_stopping.erase(job);
        m_gate.EndJob(job);
        m_handlers.stopped(job,
                           stopped.hasFailed ? std::nullopt
                                             : std::make_optional(stopped.iterations),
                           stopped.noise);
    }
}

/** The server takes part again before the jobs that it has lost are offered GPUs. */
void
Coordinator::HandleRejoin(const RejoinRequest& message)
{
    NS_LOG_FUNCTION(this << message.server.size());
    Lose(message.server); // it may be back before it was missed
    for (const HostId machine : message.server)
    {
        m_failed.erase(machine);
        m_plane->ToAgent(machine, RejoinGrant{});
        m_handlers.returned(machine);
    }
    EndStops();
    m_handlers.settled();
}

void
Coordinator::HandleStopped(HostId machine, const JobStopped& message)
{
    const auto found = m_stopping.find(message.job);
    NS_ABORT_MSG_IF(found == m_stopping.end() || found->second.run != message.run ||
                        found->second.unanswered.erase(machine) == 0,
                    "machine " << machine << " was not told to stop job " << message.job);
    Stopping& stopping = found->second;
    stopping.iterations = std::min(stopping.iterations, message.iterations);
    stopping.noise.insert(message.noise.begin(), message.noise.end());
    if (stopping.unanswered.empty())
    {
        EndStops();
    }
}

void
Coordinator::RunTask(JobId job, GpuId gpu, uint64_t round)
{
    NS_LOG_FUNCTION(this << job << gpu.host << gpu.index << round);
    m_outbox.emplace_back(gpu.host, ddl::RunTask{job, gpu.index, round});
    ScheduleFlush();
}

void
Coordinator::AtEndOfInstant(std::function<void()> function)
{
    m_end.Add(std::move(function));
}

bool
Coordinator::OrdersCoflows() const
{
    return m_scheduler->GetUnitKind() == UnitKind::COFLOW;
}

/** Something came or went: local priorities, and perhaps the order, have to follow. */
void
Coordinator::NoteChange()
{
    if (m_live.Get().empty())
    {
        ClusterClock::Cancel(m_tick);
        m_runWanted = false;
    }
    else if (m_scheduler->GetTrigger() == NetworkScheduler::Trigger::CHANGE)
    {
        m_runWanted = true;
    }
    else if (m_scheduler->GetTrigger() == NetworkScheduler::Trigger::PERIOD && m_tick.IsExpired())
    {
        Tick();
    }
    ScheduleFlush();
}

/** Time to run, now and a period from now. */
void
Coordinator::Tick()
{
    m_tick = ClusterClock::Schedule(m_period, &Coordinator::Tick, this);
    m_runWanted = true;
    ScheduleFlush();
}

void
Coordinator::ScheduleFlush()
{
    if (!m_flushDue)
    {
        m_flushDue = true;
        m_end.Add([this] { Flush(); });
    }
}

/** All that happened at this instant is known: order it if it is time to, then tell the machines.
 */
void
Coordinator::Flush()
{
    m_flushDue = false;
    if (m_runWanted)
    {
        m_runWanted = false;
        if (!m_asked.empty())
        {
            m_runAgain = true;
        }
        else if (!AskForProgress())
        {
            OrderUnits();
        }
    }
    Distribute();
}

void
Coordinator::OrderUnits()
{
    const UnitKind kind = m_scheduler->GetUnitKind();
    const ViewRequest request{kind, m_scheduler->IsClairvoyant(), ClusterClock::Now()};
    const SchedulerView view = BuildSchedulerView(request, m_rates, m_live.Get());
    if (view.units.empty())
    {
        return; // the last one left, perhaps while its progress was asked for
    }
    const UnitOrder order = m_scheduler->Order(view);
    m_priorities.SetOrder(view, order, kind);
    ++m_runs;
    if (m_schedule.IsEmpty())
    {
        return; // the record is only for this trace, and costs more than the order itself
    }
    m_record.time = view.now;
    m_record.units = view.units.size();
    m_record.order = FormatOrder(view, order, kind);
    m_record.sctOverBound = IsCertifiable() ? RateOrder(view, order) : std::nullopt;
    m_traceDue = true;
}

/** \return true if the bound on SCT covers all live jobs */
bool
Coordinator::IsCertifiable() const
{
    const auto& live = m_live.Get();
    return m_scheduler->GetUnitKind() == UnitKind::STAGE &&
           std::all_of(live.begin(), live.end(), [](const auto& entry) {
               return entry.second.certifiable;
           });
}

/** Priorities first, then what holds under them. */
void
Coordinator::Distribute()
{
    if (m_scheduler->GetTrigger() != NetworkScheduler::Trigger::NEVER)
    {
        const auto present = m_live.ListPresentJobs(m_scheduler->GetUnitKind());
        for (const auto& [machine, changed] : m_priorities.Update(present, m_lastPriority))
        {
            m_plane->ToAgent(machine, Priorities{changed});
        }
    }
    for (const auto& [machine, message] : m_outbox)
    {
        m_plane->ToAgent(machine, message);
        if (const auto* start = std::get_if<ddl::StartStage>(&message))
        {
            m_live.NoteStarted(start->job);
        }
    }
    m_outbox.clear();
    if (m_traceDue)
    {
        TraceSchedule();
    }
}

void
Coordinator::TraceSchedule()
{
    m_traceDue = false;
    m_record.messages = m_plane->GetMessages() - m_messagesBefore;
    m_record.controlBytes = m_plane->GetBytes() - m_bytesBefore;
    m_messagesBefore = m_plane->GetMessages();
    m_bytesBefore = m_plane->GetBytes();
    m_schedule(m_record);
}

void
Coordinator::Handle(HostId machine, const ControlMessage& message)
{
    m_gate.Handle(machine, message);
    if (const auto* done = std::get_if<StageDone>(&message))
    {
        m_live.NoteDone(*done);
        m_handlers.stageDone(done->job, done->stage);
    }
    else if (const auto* launched = std::get_if<RunLaunched>(&message))
    {
        HandleLaunched(*launched);
    }
    else if (const auto* paused = std::get_if<JobPaused>(&message))
    {
        HandlePaused(*paused);
    }
    else if (const auto* drained = std::get_if<JobDrained>(&message))
    {
        const auto pausing = m_pausing.find(drained->job);
        if (pausing != m_pausing.end() && pausing->second.run == drained->run)
        {
            m_pausing.erase(pausing);
            m_handlers.paused(drained->job, drained->iterations);
        }
    }
    else if (const auto* saved = std::get_if<CheckpointSaved>(&message))
    {
        m_handlers.saved(saved->job, saved->run, saved->iterations);
    }
    else if (const auto* stopped = std::get_if<JobStopped>(&message))
    {
        HandleStopped(machine, *stopped);
    }
    else if (const auto* started = std::get_if<CoflowStarted>(&message))
    {
        if (m_live.NoteCoflow(*started, ClusterClock::Now()))
        {
            NoteChange();
        }
    }
    else if (const auto* ended = std::get_if<CoflowEnded>(&message))
    {
        if (OrdersCoflows() && m_live.NoteCoflow(*ended)) // gates hear of ends as well
        {
            NoteChange();
        }
    }
    else if (const auto* bytes = std::get_if<BytesReport>(&message))
    {
        HandleReport(machine, *bytes);
    }
    else if (const auto* progress = std::get_if<ProgressReport>(&message))
    {
        HandleReport(machine, *progress);
    }
    else if (const auto* task = std::get_if<TaskEnded>(&message))
    {
        m_handlers.taskEnded(task->job, {machine, task->gpu}, task->round);
    }
    else if (const auto* round = std::get_if<RoundEnded>(&message))
    {
        m_handlers.roundEnded(round->job, round->rounds);
    }
    else if (const auto* rejoin = std::get_if<RejoinRequest>(&message))
    {
        HandleRejoin(*rejoin);
    }
}

/** \return true if machines were asked: the run has to wait for their answers */
bool
Coordinator::AskForProgress()
{
    if (!m_scheduler->NeedsProgress())
    {
        return false;
    }
    return OrdersCoflows() ? Ask<BytesRequest>(m_live.ListCoflowMachines())
                           : Ask<ProgressRequest>(m_live.ListBusyLeaders());
}

/** \return true if there is a machine to ask; the round before is over */
template <typename Request>
bool
Coordinator::Ask(const std::set<HostId>& machines)
{
    ++m_round;
    m_asked = machines;
    for (const HostId machine : machines)
    {
        m_plane->ToAgent(machine, Request{m_round});
    }
    return !machines.empty();
}

void
Coordinator::HandleReport(HostId machine, const ProgressReport& message)
{
    for (const auto& progress : message.jobs)
    {
        m_live.NoteProgress(progress);
    }
    NoteAnswer(machine, message.round);
}

void
Coordinator::HandleReport(HostId machine, const BytesReport& message)
{
    for (const auto& bytes : message.jobs)
    {
        m_live.NoteBytes(machine, bytes);
    }
    NoteAnswer(machine, message.round);
}

void
Coordinator::NoteAnswer(HostId machine, uint32_t round)
{
    NS_ABORT_MSG_IF(round != m_round || m_asked.erase(machine) == 0, "a report nobody asked for");
    if (m_asked.empty())
    {
        EndRound();
    }
}

/** All that were asked have answered, or failed. */
void
Coordinator::EndRound()
{
    OrderUnits();
    Distribute();
    if (m_runAgain)
    {
        m_runAgain = false;
        m_runWanted = true;
        ScheduleFlush();
    }
}

} // namespace ns3::ddl
