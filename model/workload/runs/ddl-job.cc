// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::ddl
{

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
                            "A run begins: its ranks are there and its streams open.",
                            MakeTraceSourceAccessor(&Job::m_launched),
                            "ns3::ddl::Job::JobCallback")
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
                            "waits for Admit: job, iteration from 1 over all stages.",
                            MakeTraceSourceAccessor(&Job::m_ready),
                            "ns3::ddl::Job::CoflowCallback")
            .AddTraceSource("CoflowStart",
                            "The first worker begins to send: job, iteration from 1 over all "
                            "stages. The coflow ends with the iteration.",
                            MakeTraceSourceAccessor(&Job::m_coflowStart),
                            "ns3::ddl::Job::CoflowCallback")
            .AddTraceSource("IterationEnd",
                            "The last worker has finished an iteration.",
                            MakeTraceSourceAccessor(&Job::m_iterationEnd),
                            "ns3::ddl::Job::IterationCallback")
            .AddTraceSource("Stopped",
                            "All machines have stopped, and the run is over; streams are closed "
                            "and GPUs free.",
                            MakeTraceSourceAccessor(&Job::m_stopped),
                            "ns3::ddl::Job::JobCallback");
    return tid;
}

Job::Job(const JobSpec& spec,
         CojobId cojob,
         const Placement& placement,
         const std::vector<uint32_t>& machines)
    : m_spec(spec),
      m_cojob(cojob),
      m_buckets(spec.model, spec.overlap),
      m_log(spec.workers)
{
    NS_LOG_FUNCTION(this << spec.id);
    Place(placement, machines);
}

Job::~Job()
{
    NS_LOG_FUNCTION(this);
}

void
Job::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_run.reset();
    Object::DoDispose();
}

void
Job::Place(const Placement& placement, const std::vector<uint32_t>& machines)
{
    if (m_run)
    {
        NS_ABORT_MSG_IF(IsRunning(), "job " << GetId() << " runs");
        m_bytesBefore += m_run->GetBytes();
        m_deliveredBefore += m_run->GetDeliveredBytes();
    }
    m_run = std::make_unique<JobRun>(m_spec, m_buckets, placement, machines, m_log.GetDone());
    m_end.reset();
    m_isHeld = false;
}

void
Job::SetListener(HostId host, JobListener& listener)
{
    m_listeners[host] = &listener;
}

/** Call that with the listener on the leader's machine, if there is one. */
template <typename Told>
void
Job::TellLeader(const Told& tell)
{
    const auto leader = m_listeners.find(GetLeader());
    if (leader != m_listeners.end())
    {
        tell(*leader->second);
    }
}

void
Job::Launch(Ptr<Cluster> cluster, Ptr<Transport> transport, Mark initial)
{
    NS_LOG_FUNCTION(this << cluster << transport);
    for (uint32_t worker = m_times.size(); worker < m_spec.workers; ++worker)
    {
        m_times.emplace_back(m_spec.noise, GetId(), worker);
    }
    ++m_runs;
    m_run->Open(this, cluster, transport, initial, m_times);
    m_launched(this);
}

void
Job::StartStage(HostId host, uint32_t stage, uint64_t iterations)
{
    NS_LOG_FUNCTION(this << host << stage << iterations);
    NS_ABORT_MSG_UNLESS(m_run->Has(host), "job " << GetId() << " has no rank on machine " << host);
    NS_ABORT_MSG_IF(!IsRunning() || m_run->IsStopped(host) || stage > m_stage + 1,
                    "machine " << host << " cannot start stage " << stage << " of job " << GetId()
                               << " now");
    if (stage == m_stage + 1)
    {
        BeginStage(stage, iterations);
    }
    const uint64_t before = std::max(m_doneBefore, m_run->GetFirst());
    NS_ABORT_MSG_IF(stage != m_stage || before + iterations != m_doneAfter,
                    "machines of job " << GetId() << " got different stages");
    m_run->Grant(host, m_doneAfter);
}

void
Job::BeginStage(uint32_t stage, uint64_t iterations)
{
    NS_ABORT_MSG_IF(iterations == 0, "stage " << stage << " of job " << GetId() << " is empty");
    NS_ABORT_MSG_IF(m_log.GetDone() != m_doneAfter,
                    "stage " << stage << " of job " << GetId() << " begins in stage " << m_stage);
    m_stage = stage;
    m_doneBefore = m_doneAfter;
    m_doneAfter += iterations;
    m_stageStart(this, stage);
}

uint64_t
Job::Pause(HostId host)
{
    NS_LOG_FUNCTION(this << host);
    return m_run->Pause(host);
}

void
Job::StopBefore(HostId host, uint64_t iteration)
{
    NS_LOG_FUNCTION(this << host << iteration);
    if (m_run->IsStopped(host))
    {
        return;
    }
    if (host == GetLeader())
    {
        m_end = iteration;
    }
    m_run->Grant(host, iteration);
    CheckDrained();
}

void
Job::CheckDrained()
{
    if (m_end == m_log.GetDone())
    {
        m_end.reset();
        TellLeader([this](JobListener& leader) { leader.HandleDrained(*this); });
    }
}

void
Job::Stop(HostId host)
{
    NS_LOG_FUNCTION(this << host);
    if (m_run->Stop(host))
    {
        m_end.reset();
        m_occupied += Simulator::Now() - m_run->GetStart();
        m_log.DropOpen();
        m_stopped(this);
        for (const auto& [machine, listener] : std::exchange(m_listeners, {}))
        {
            listener->HandleStopped(*this);
        }
    }
}

void
Job::GoBackTo(uint64_t iteration)
{
    NS_LOG_FUNCTION(this << iteration);
    NS_ABORT_MSG_IF(IsRunning() || iteration < m_doneBefore,
                    "job " << GetId() << " cannot go back to iteration " << iteration);
    m_log.GoBackTo(iteration);
}

void
Job::WorkerBegan(uint64_t iteration)
{
    m_log.Begin(iteration, Simulator::Now());
}

void
Job::WorkerComputed(uint64_t iteration)
{
    m_log.Computed(iteration, Simulator::Now());
}

void
Job::WorkerReady(uint64_t iteration)
{
    const uint32_t ready = m_log.Ready(iteration, Simulator::Now());
    if (m_isGated && ready == m_spec.workers)
    {
        Hold(iteration + 1);
    }
    else if (!m_isGated && ready == 1)
    {
        BeginCoflow(iteration + 1);
    }
}

void
Job::WorkerFinished(uint64_t iteration)
{
    const Time now = Simulator::Now();
    const auto entry = m_log.Finish(iteration, now);
    if (!entry)
    {
        return;
    }
    m_iterationEnd({GetId(),
                    iteration + 1,
                    entry->start,
                    entry->firstReady.value_or(entry->computeEnd),
                    entry->computeEnd,
                    now,
                    GetIterationBytes(),
                    m_run->GetPlan().transfers});
    TellLeader([&](JobListener& leader) { leader.HandleIterationEnd(*this, iteration + 1); });
    if (iteration + 1 == m_doneAfter)
    {
        NS_LOG_LOGIC("job " << GetId() << " has finished stage " << m_stage);
        m_stageEnd(this, m_stage);
        TellLeader([this](JobListener& leader) { leader.HandleStageEnd(*this, m_stage); });
    }
    CheckDrained();
}

void
Job::SetIterations(uint64_t iterations)
{
    m_iterations = iterations;
}

void
Job::SetGated(bool isGated)
{
    NS_ABORT_MSG_IF(IsRunning(), "job " << GetId() << " was launched before");
    m_isGated = isGated;
}

/** All workers have something to send: none can be further, since each waits for the others. */
void
Job::Hold(uint64_t iteration)
{
    m_asked = iteration;
    m_isHeld = true;
    m_isAdmitted = false;
    m_heldSince = Simulator::Now();
    m_ready(this, iteration);
    TellLeader([&](JobListener& leader) { leader.HandleReady(*this, iteration); });
}

void
Job::BeginCoflow(uint64_t iteration)
{
    m_coflowStart(this, iteration);
    TellLeader([&](JobListener& leader) { leader.HandleCoflowStart(*this, iteration); });
}

void
Job::Admit(HostId host, uint64_t iteration)
{
    if (m_run->IsStopped(host))
    {
        return;
    }
    NS_ABORT_MSG_IF(iteration != m_asked,
                    "job " << GetId() << " asked for iteration " << m_asked << ", got leave for "
                           << iteration);
    if (host == GetLeader())
    {
        NS_ABORT_MSG_UNLESS(m_isHeld, "job " << GetId() << " got leave twice");
        m_isHeld = false;
        m_gateWait += Simulator::Now() - m_heldSince;
    }
    if (!m_isAdmitted)
    {
        m_isAdmitted = true;
        BeginCoflow(iteration);
    }
    m_run->Admit(host);
}

Time
Job::GetRemainingService(uint64_t done) const
{
    const uint64_t all = std::max<uint64_t>(m_iterations, m_doneAfter);
    return ddl::GetRemainingService(GetIterationCost(), all - std::min(all, done));
}

Time
Job::GetOccupiedTime() const
{
    return IsRunning() ? m_occupied + Simulator::Now() - m_run->GetStart() : m_occupied;
}

uint64_t
Job::GetBytes() const
{
    return m_bytesBefore + m_run->GetBytes();
}

uint64_t
Job::GetDeliveredBytes() const
{
    return m_deliveredBefore + m_run->GetDeliveredBytes();
}

bool
Job::IsOnePhase() const
{
    const auto& ranks = m_run->GetPlan().ranks;
    return std::all_of(ranks.begin(), ranks.end(), [](const RankPlan& rank) {
        // A group that waits for the rank itself alone needs 1.
        return std::all_of(rank.needs.begin(), rank.needs.end(), [](uint32_t needs) {
            return needs == 1;
        });
    });
}

uint64_t
Job::GetIterationBytesLeft() const
{
    // Fast workers may be in the next iteration, and what arrives then counts, too.
    const uint64_t iterations = GetIterationsDone() + 1 - m_run->GetFirst();
    const uint64_t due = iterations * GetIterationBytes();
    return due - std::min(due, m_run->GetDeliveredBytes());
}

} // namespace ns3::ddl
