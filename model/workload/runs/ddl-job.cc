// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t MOST_MARKS = 100; //!< more than a run goes back, in checkpoints

} // namespace

NS_LOG_COMPONENT_DEFINE("DdlJob");
NS_OBJECT_ENSURE_REGISTERED(Job);

TypeId
Job::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::Job")
            .SetParent<Object>()
            .SetGroupName("Ddl")
            .AddTraceSource("Launched",
                            "All ranks of a run are there, and its streams open.",
                            MakeTraceSourceAccessor(&Job::m_launchedTrace),
                            "ns3::ddl::Job::JobCallback")
            .AddTraceSource(
                "Sending",
                "A machine has opened a stream of the present run: job, stream. Those of "
                "tasks open after the launch.",
                MakeTraceSourceAccessor(&Job::m_sendingTrace),
                "ns3::ddl::Job::SendingCallback")
            .AddTraceSource("Receiving",
                            "The other end of such a stream is open: job, stream.",
                            MakeTraceSourceAccessor(&Job::m_receivingTrace),
                            "ns3::ddl::Job::ReceivingCallback")
            .AddTraceSource("StageStart",
                            "The first machine has received the start of a stage: job, stage.",
                            MakeTraceSourceAccessor(&Job::m_stageStart),
                            "ns3::ddl::Job::StageCallback")
            .AddTraceSource("StageEnd",
                            "The last worker has finished a stage: job, stage.",
                            MakeTraceSourceAccessor(&Job::m_stageEnd),
                            "ns3::ddl::Job::StageCallback")
            .AddTraceSource("Ready",
                            "The last worker has something to send, and the job, which is gated, "
                            "waits for leave: job, iteration from 1 over all stages.",
                            MakeTraceSourceAccessor(&Job::m_ready),
                            "ns3::ddl::Job::CoflowCallback")
            .AddTraceSource("CoflowStart",
                            "The first worker begins to send: job, iteration from 1 over all "
                            "stages. The coflow ends with the iteration.",
                            MakeTraceSourceAccessor(&Job::m_coflowStart),
                            "ns3::ddl::Job::CoflowCallback")
            .AddTraceSource("IterationEnd",
                            "The last worker has finished an iteration, which was simulated.",
                            MakeTraceSourceAccessor(&Job::m_iterationEnd),
                            "ns3::ddl::Job::IterationCallback")
            .AddTraceSource("Leap",
                            "Iterations are over that were not simulated; they end at the latest "
                            "now, and no other iteration is reported between them.",
                            MakeTraceSourceAccessor(&Job::m_leapTrace),
                            "ns3::ddl::Job::LeapCallback")
            .AddTraceSource("Stopped",
                            "All machines have stopped, and the run is over; streams are closed "
                            "and GPUs free.",
                            MakeTraceSourceAccessor(&Job::m_stoppedTrace),
                            "ns3::ddl::Job::JobCallback");
    return tid;
}

Job::Job(std::shared_ptr<const RunSpec> run)
    : m_run(run),
      m_log(run->job.workers)
{
    NS_LOG_FUNCTION(this << run->GetId());
    BeginRun(run);
}

void
Job::BeginRun(std::shared_ptr<const RunSpec> run)
{
    NS_LOG_FUNCTION(this << run->GetId() << run->number);
    m_bytesBefore = GetBytes();
    m_deliveredBefore = GetDeliveredBytes();
    ForgetStreams();
    m_run = std::move(run);
    m_start = Simulator::Now();
    m_launched = 0;
    m_stopped = 0;
    m_hasFailed = false;
    m_held = 0;
    m_admitted = m_run->first;
    m_overhead = {};
    m_training.reset();
    if (m_run->first < m_log.GetDone())
    {
        NoteLost();
        m_log.GoBackTo(m_run->first);
    }
    m_marks.assign(1, {m_run->first, m_start});
}

/** The run before did iterations that this one does again. */
void
Job::NoteLost()
{
    m_overhead.repeated = m_log.GetDone() - m_run->first;
    for (const auto& [iterations, when] : m_marks)
    {
        m_overhead.lost = iterations <= m_run->first ? m_end - when : m_overhead.lost;
    }
}

void
Job::Note(const RankEvent& event)
{
    using Kind = RankEvent::Kind;
    const Time now = Simulator::Now();
    switch (event.kind)
    {
    case Kind::LAUNCHED:
        NoteLaunched(event.machine);
        break;
    case Kind::LOADED:
        NoteLoaded(event.machine);
        break;
    case Kind::SAVING:
        m_saving = now;
        break;
    case Kind::SAVED:
        NoteSaved(event.iteration);
        break;
    case Kind::STAGE:
        NoteStage(event.stage, event.iteration);
        break;
    case Kind::BEGAN:
        NoteBegan(event.iteration);
        break;
    case Kind::ASKED:
        CountHeld(1);
        break;
    case Kind::READY:
        NoteReady(event.iteration);
        break;
    case Kind::COMPUTED:
        m_log.Computed(event.iteration, now);
        break;
    case Kind::FINISHED:
        NoteFinished(event.iteration);
        break;
    case Kind::ADMITTED:
        NoteAdmitted(event.machine, event.iteration);
        break;
    case Kind::FAILED:
        m_hasFailed = true;
        [[fallthrough]];
    case Kind::STOPPED:
        EndLoading(event.machine);
        if (event.machine == m_run->GetLeader())
        {
            EndSaving();
        }
        if (++m_stopped == m_run->hosts.size())
        {
            NoteStopped();
        }
        break;
    }
}

void
Job::NoteLaunched(HostId machine)
{
    m_loading[machine] = Simulator::Now();
    if (++m_launched == m_run->hosts.size())
    {
        m_launchedTrace(this);
    }
}

/** A machine no longer loads. \return whether it did */
bool
Job::EndLoading(HostId machine)
{
    const auto since = m_loading.find(machine);
    if (since == m_loading.end())
    {
        return false;
    }
    m_overhead.loading = Max(m_overhead.loading, Simulator::Now() - since->second);
    m_loading.erase(since);
    return true;
}

void
Job::NoteLoaded(HostId machine)
{
    if (EndLoading(machine) && m_run->LoadsState(machine))
    {
        m_overhead.stateBytes += m_run->storage->bytes;
    }
}

/** The state is saved, or the run has ended before that. */
void
Job::EndSaving()
{
    const Time now = Simulator::Now();
    m_overhead.saving += now - m_saving.value_or(now);
    m_saving.reset();
}

void
Job::NoteSaved(uint64_t iterations)
{
    EndSaving();
    m_overhead.checkpoints += m_run->IsCheckpoint(iterations) ? 1 : 0;
    m_overhead.stateBytes += m_run->storage ? m_run->storage->bytes : 0;
    NoteMark(iterations);
}

/** A later run may begin behind so many iterations. */
void
Job::NoteMark(uint64_t iterations)
{
    m_marks.emplace_back(iterations, Simulator::Now());
    if (m_marks.size() > MOST_MARKS)
    {
        m_marks.erase(m_marks.begin() + 1); // the first is the beginning of the run
    }
}

void
Job::EndRun()
{
    if (IsRunning())
    {
        m_stopped = m_run->hosts.size();
        NoteStopped();
    }
}

void
Job::NoteStream(Ptr<SendingStream> stream)
{
    m_sending.push_back(stream);
    m_streamIds[stream->GetName()] = stream->GetId();
    m_sendingTrace(this, stream);
}

void
Job::NoteStream(Ptr<ReceivingStream> stream)
{
    m_receiving.push_back(stream);
    m_receivingTrace(this, stream);
}

StreamId
Job::FindStream(const StreamName& name) const
{
    const auto known = m_streamIds.find(name);
    return known == m_streamIds.end() ? StreamId{UINT32_MAX} : known->second;
}

/** Drop the streams of a run, whose bytes have been counted. */
void
Job::ForgetStreams()
{
    m_sending.clear();
    m_receiving.clear();
    m_streamIds.clear();
    m_skippedBytes = 0;
}

void
Job::NoteStage(uint32_t stage, uint64_t end)
{
    if (stage == m_stage + 1) // this machine is the first to hear of it
    {
        m_stage = stage;
        m_doneBefore = m_doneAfter;
        m_doneAfter = end;
        m_stageStart(this, stage);
    }
    NS_ABORT_MSG_IF(stage != m_stage || end != m_doneAfter,
                    "machines of job " << GetId() << " got different stages");
}

void
Job::NoteBegan(uint64_t iteration)
{
    const Time now = Simulator::Now();
    m_log.Begin(iteration, now);
    if (!m_training)
    {
        m_training = TrainingSpan{now, now};
    }
}

void
Job::NoteReady(uint64_t iteration)
{
    const uint32_t ready = m_log.Ready(iteration, Simulator::Now());
    if (m_run->AsksByIteration() && ready == GetSpec().workers)
    {
        CountHeld(1);
        m_ready(this, iteration + 1);
    }
    else if (!m_run->AsksByIteration() && ready == 1)
    {
        m_coflowStart(this, iteration + 1);
    }
}

void
Job::NoteAdmitted(HostId machine, uint64_t iteration)
{
    if (machine == m_run->GetLeader() || !m_run->AsksByIteration())
    {
        CountHeld(-1);
    }
    if (m_run->AsksByIteration() && m_admitted <= iteration)
    {
        m_admitted = iteration + 1;
        m_coflowStart(this, iteration + 1);
    }
}

/** Change the number of those that wait for the gate. */
void
Job::CountHeld(int64_t change)
{
    const Time now = Simulator::Now();
    m_gateWait += (now - m_heldSince) * m_held;
    m_heldSince = now;
    m_held += change;
}

void
Job::NoteFinished(uint64_t iteration)
{
    const auto entry = m_log.Finish(iteration, Simulator::Now());
    m_training->end = Simulator::Now();
    if (!entry)
    {
        return;
    }
    m_iterationEnd(MakeRecord(iteration, *entry, Simulator::Now()));
    if (iteration + 1 == m_doneAfter)
    {
        NoteMark(m_doneAfter);
        NS_LOG_LOGIC("job " << GetId() << " has finished stage " << m_stage);
        m_stageEnd(this, m_stage);
    }
}

IterationRecord
Job::MakeRecord(uint64_t iteration, const IterationLog::Entry& entry, Time end) const
{
    return {GetId(),
            iteration + 1,
            entry.start,
            entry.firstReady.value_or(entry.computeEnd),
            entry.computeEnd,
            end,
            GetIterationBytes(),
            m_run->plan->transfers};
}

void
Job::Repeat(const Repetition& iterations)
{
    m_repetition = iterations;
}

void
Job::Skip(const Repetition& over, std::optional<Time> communication, bool isSilent)
{
    m_repetition = {};
    m_skippedBytes += (over.count + (isSilent ? 1 : 0)) * GetIterationBytes();
    if (over.count > 0)
    {
        const uint64_t before = m_log.GetDone();
        const auto first = m_log.Skip(over.count, over.period, over.end, communication);
        m_training->end = over.end + over.period * static_cast<int64_t>(over.count - 1);
        m_leapTrace(
            {MakeRecord(before, first, over.end), over.count, over.period, over.GetLength()});
    }
}

void
Job::NoteStopped()
{
    const Time now = Simulator::Now();
    m_end = now;
    m_occupied += now - m_start;
    m_loading.clear();
    m_saving.reset();
    CountHeld(-m_held);
    m_log.DropOpen();
    m_stoppedTrace(this);
    m_bytesBefore = GetBytes(); // a job that waits keeps no streams
    m_deliveredBefore = GetDeliveredBytes();
    ForgetStreams();
}

Time
Job::GetOccupiedTime() const
{
    return IsRunning() ? m_occupied + Simulator::Now() - m_start : m_occupied;
}

uint64_t
Job::GetRunBytes() const
{
    uint64_t bytes = GetLeaptBytes();
    for (const auto& stream : m_sending)
    {
        bytes += stream->GetSentBytes();
    }
    return bytes;
}

/** \return bytes of the run that count as sent in leaps so far */
uint64_t
Job::GetLeaptBytes() const
{
    return m_skippedBytes + m_repetition.CountOver() * GetIterationBytes();
}

uint64_t
Job::GetBytes() const
{
    return m_bytesBefore + GetRunBytes();
}

uint64_t
Job::GetDeliveredBytes() const
{
    uint64_t bytes = m_deliveredBefore + GetLeaptBytes();
    for (const auto& stream : m_receiving)
    {
        bytes += stream->GetReceivedBytes();
    }
    return bytes;
}

uint64_t
Job::GetIterationBytesLeft() const
{
    // Fast workers may be in the next iteration, and bytes of that one that arrive count, too.
    const uint64_t iterations = GetIterationsDone() + 1 - m_run->first;
    const uint64_t due = iterations * GetIterationBytes();
    return due - std::min(due, GetDeliveredBytes() - m_deliveredBefore);
}

} // namespace ns3::ddl
