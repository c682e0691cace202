// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-coordinator.h"

#include "ddl-live-jobs.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/ddl-cluster-clock.h"
#include "ns3/ddl-dual-bound.h"
#include "ns3/ddl-unit-order.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>

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
            .AddAttribute("Levels",
                          "Number of priorities that switches tell apart, for network schedulers "
                          "that compress",
                          UintegerValue(std::numeric_limits<uint32_t>::max()),
                          MakeUintegerAccessor(&Coordinator::m_levels),
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
    m_stopping.clear();
    m_table = nullptr;
    m_scheduler = nullptr;
    m_paths.SetMap(nullptr);
    m_plane = nullptr;
    m_listener = nullptr;
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
    m_priorities.SetLevels(scheduler->GivesLevels());
    m_plane = plane;
    m_rates = rates;
    m_plane->SetCoordinatorHandler(
        [this](HostId machine, const ControlMessage& message) { Handle(machine, message); });
}

void
Coordinator::Serve(JobTable& table, RunListener& listener)
{
    m_table = &table;
    m_gate.SetTable(&table);
    m_listener = &listener;
}

/** \return the job if that is its present run, otherwise null */
JobRecord*
Coordinator::FindRun(JobId id, uint32_t run) const
{
    JobRecord* const job = m_table->FindJob(id);
    return job && job->run && job->run->number == run ? job : nullptr;
}

void
Coordinator::LaunchRun(JobRecord& job)
{
    const std::shared_ptr<const RunSpec>& run = job.run;
    NS_LOG_FUNCTION(this << run->GetId() << run->number);
    job.unlaunched = run->hosts.size();
    for (const HostId machine : run->hosts)
    {
        WorkerNoise there;
        for (const uint32_t rank : run->parts.at(machine).ranks)
        {
            const auto drawn = job.noise.find(rank);
            if (drawn != job.noise.end())
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
    JobRecord* const job = FindRun(message.job, message.run);
    if (job && job->unlaunched > 0 && --job->unlaunched == 0) // otherwise it was stopped
    {
        m_listener->HandleLaunched(message.job);
    }
}

void
Coordinator::AddGroup(GroupRecord& group)
{
    NS_LOG_FUNCTION(this << group.GetId());
    group.NoteLive();
    for (const JobRecord& job : group.GetJobs())
    {
        const uint32_t stages =
            job.live && !OrdersCoflows() ? group.GetSpec().iterations.size() : 0;
        for (uint32_t stage = 1; stage <= stages; ++stage)
        {
            // Units are appended in arrival order until the scheduler runs.
            m_priorities.GetPlace(
                GetUnitKey(m_scheduler->GetUnitKind(), group.GetId(), stage, job.GetId()));
        }
    }
}

void
Coordinator::StartStage(GroupRecord& group)
{
    const uint32_t stage = group.GetStage();
    NS_LOG_FUNCTION(this << group.GetId() << stage);
    const uint64_t iterations = group.GetSpec().iterations.at(stage - 1);
    for (const JobRecord& job : group.GetJobs())
    {
        if (!job.live || job.live->iterations >= iterations)
        {
            continue;
        }
        const uint64_t left = iterations - job.live->iterations;
        for (const HostId machine : job.run->machines)
        {
            m_outbox.emplace_back(machine, ddl::StartStage{job.GetId(), stage, left});
        }
    }
    if (OrdersCoflows())
    {
        ScheduleFlush(); // there is nothing to order before a job begins to send
    }
    else
    {
        NoteChange();
    }
}

void
Coordinator::PauseJobs(const std::vector<JobId>& jobs)
{
    NS_LOG_FUNCTION(this << jobs.size());
    for (const JobId id : jobs)
    {
        JobRecord& job = m_table->GetJob(id);
        const std::vector<HostId>& machines = job.run->machines;
        job.pausing = PauseAnswers{machines.size(), 0};
        for (const HostId machine : machines)
        {
            m_outbox.emplace_back(machine, PauseJob{id, job.run->number});
        }
    }
    ScheduleFlush();
}

void
Coordinator::HandlePaused(const JobPaused& message)
{
    JobRecord* const job = FindRun(message.job, message.run);
    if (!job || !job->pausing)
    {
        return; // it was stopped meanwhile
    }
    PauseAnswers& pausing = *job->pausing;
    pausing.begun = std::max(pausing.begun, message.begun);
    if (--pausing.missing == 0)
    {
        for (const HostId machine : job->run->machines)
        {
            m_plane->ToAgent(machine, StopBefore{message.job, pausing.begun});
        }
    }
}

void
Coordinator::StopJobs(const std::vector<JobId>& jobs, bool areDone)
{
    NS_LOG_FUNCTION(this << jobs.size());
    for (const JobId id : jobs)
    {
        JobRecord& job = m_table->GetJob(id);
        job.unlaunched = 0;
        job.pausing.reset();
        Stop(job, areDone);
        job.group->NoteNotLive(job);
        m_gate.RemoveJob(id);
    }
    NoteChange();
}

/** Send StopJob to those machines of the job's run that are not known to have failed. */
void
Coordinator::Stop(JobRecord& job, bool isDone)
{
    m_stopping.insert(job.GetId());
    job.stopping = StopAnswers();
    for (const HostId machine : job.run->hosts)
    {
        if (m_failed.count(machine) > 0)
        {
            job.stopping->hasFailed = true;
            continue;
        }
        m_outbox.emplace_back(machine, StopJob{job.GetId(), isDone});
        job.stopping->missing.insert(machine);
    }
}

void
Coordinator::NoteFailed(const std::vector<HostId>& machines)
{
    Lose(machines);
    EndStops();
}

/** Expect nothing of these machines any more; the listener ends the runs there. */
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
        for (const JobId job : m_stopping)
        {
            StopAnswers& stopping = *m_table->GetJob(job).stopping;
            stopping.hasFailed = stopping.missing.erase(machine) > 0 || stopping.hasFailed;
        }
    }
    m_listener->HandleFailed(lost);
    if (wasAsked && m_asked.empty())
    {
        EndRound();
    }
}

/** End the runs whose machines have all answered or failed. */
void
Coordinator::EndStops()
{
    std::vector<JobId> over;
    std::copy_if(m_stopping.begin(), m_stopping.end(), std::back_inserter(over), [this](JobId job) {
        return m_table->GetJob(job).stopping->missing.empty();
    });
    for (const JobId job : over)
    {
        const auto stopped = std::exchange(m_table->GetJob(job).stopping, std::nullopt);
        m_stopping.erase(job);
        m_gate.EndJob(job);
        m_listener->HandleStopped(job,
                                  stopped->hasFailed ? std::nullopt
                                                     : std::make_optional(stopped->iterations),
                                  stopped->noise);
    }
}

/** The server takes part again before the jobs that it has lost are offered GPUs. */
void
Coordinator::HandleRejoin(const RejoinRequest& message)
{
    NS_LOG_FUNCTION(this << message.server.size());
    Lose(message.server); // the server may be back before its failure was detected
    for (const HostId machine : message.server)
    {
        m_failed.erase(machine);
        m_plane->ToAgent(machine, RejoinGrant{});
        m_listener->HandleReturned(machine);
    }
    EndStops();
    m_listener->HandleSettled();
}

void
Coordinator::HandleStopped(HostId machine, const JobStopped& message)
{
    JobRecord* const job = FindRun(message.job, message.run);
    NS_ABORT_MSG_IF(!job || !job->stopping || job->stopping->missing.erase(machine) == 0,
                    "machine " << machine << " was not told to stop job " << message.job);
    StopAnswers& stopping = *job->stopping;
    stopping.iterations = std::min(stopping.iterations, message.iterations);
    stopping.noise.insert(message.noise.begin(), message.noise.end());
    if (stopping.missing.empty())
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

/** A unit came or went: local priorities change, and perhaps the order. */
void
Coordinator::NoteChange()
{
    if (m_table->GetLive().empty())
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

/** The scheduler runs now, and again after a period. */
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

/** At the end of an instant: run the scheduler if it is due, then send what has changed. */
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
    SchedulerView view = BuildSchedulerView(request, m_rates, m_table->GetLive());
    if (view.units.empty())
    {
        return; // the last unit has left, perhaps while its progress was requested
    }
    view.priorities = m_levels;
    if (m_scheduler->NeedsFlows())
    {
        m_paths.AddFlows(view, *m_table);
    }
    if (m_scheduler->ChoosesPaths())
    {
        m_paths.Pin(view, m_scheduler->ChoosePaths(view));
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
    const JobTable::Groups& live = m_table->GetLive();
    return m_scheduler->GetUnitKind() == UnitKind::STAGE &&
           std::all_of(live.begin(), live.end(), [](const GroupRecord* group) {
               return group->IsCertifiable();
           });
}

/** Send paths and priorities first, then the messages that rely on them. */
void
Coordinator::Distribute()
{
    for (const auto& [machine, pins] : m_paths.TakeChanges())
    {
        m_plane->ToAgent(machine, PinPaths{pins});
    }
    if (m_scheduler->GetTrigger() != NetworkScheduler::Trigger::NEVER)
    {
        const auto present = ListPresentJobs(m_table->GetLive(), m_scheduler->GetUnitKind());
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
            JobRecord* const job = m_table->FindJob(start->job);
            if (job && job->live)
            {
                job->live->inProgress = true;
            }
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
    const Overloaded handle{
        [this](const StageDone& done) {
            NoteDone(*m_table, done);
            m_listener->HandleStageDone(done.job, done.stage);
        },
        [this](const RunLaunched& launched) { HandleLaunched(launched); },
        [this](const JobPaused& paused) { HandlePaused(paused); },
        [this](const JobDrained& drained) {
            JobRecord* const job = FindRun(drained.job, drained.run);
            if (job && std::exchange(job->pausing, std::nullopt))
            {
                m_listener->HandlePaused(drained.job, drained.iterations);
            }
        },
        [this](const CheckpointSaved& saved) {
            m_listener->HandleSaved(saved.job, saved.run, saved.iterations);
        },
        [&](const JobStopped& stopped) { HandleStopped(machine, stopped); },
        [this](const CoflowStarted& started) {
            if (NoteCoflow(*m_table, started, ClusterClock::Now()))
            {
                NoteChange();
            }
        },
        [this](const CoflowEnded& ended) {
            if (OrdersCoflows() && NoteCoflow(*m_table, ended)) // gates get these messages as well
            {
                NoteChange();
            }
        },
        [&](const BytesReport& report) {
            for (const JobBytes& bytes : report.jobs)
            {
                NoteBytes(*m_table, machine, bytes);
            }
            NoteAnswer(machine, report.round);
        },
        [&](const ProgressReport& report) {
            for (const JobProgress& progress : report.jobs)
            {
                NoteProgress(*m_table, progress);
            }
            NoteAnswer(machine, report.round);
        },
        [&](const TaskEnded& task) {
            m_listener->HandleTaskEnded(task.job, {machine, task.gpu}, task.round);
        },
        [this](const RoundEnded& round) { m_listener->HandleRoundEnded(round.job, round.rounds); },
        [this](const RejoinRequest& rejoin) { HandleRejoin(rejoin); },
        [](const auto&) {}}; // the gate handles the others
    std::visit(handle, message);
}

/** \return true if machines were asked: the run has to wait for their answers */
bool
Coordinator::AskForProgress()
{
    if (!m_scheduler->NeedsProgress())
    {
        return false;
    }
    return OrdersCoflows() ? Ask<BytesRequest>(ListCoflowMachines(m_table->GetLive()))
                           : Ask<ProgressRequest>(ListBusyLeaders(m_table->GetLive()));
}

/** Begin a round of questions; the one before is over. \return whether there is a machine to ask */
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
Coordinator::NoteAnswer(HostId machine, uint32_t round)
{
    NS_ABORT_MSG_IF(round != m_round || m_asked.erase(machine) == 0, "a report nobody asked for");
    if (m_asked.empty())
    {
        EndRound();
    }
}

/** All machines that were asked have answered or failed: run the scheduler. */
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
