// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-worker-rank.h"

#include "ddl-local-run.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <cmath>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlWorkerRank");

WorkerRank::WorkerRank(uint32_t rank, Ptr<Gpu> gpu, Time time, double forward, TaskTimes& noise)
    : m_rank(rank),
      m_gpu(gpu),
      m_time(time),
      m_forwardShare(forward),
      m_noise(noise),
      m_taskDone(MakeCallback(&WorkerRank::TaskDone, this))
{
    NS_LOG_FUNCTION(this << rank << gpu << time << forward);
}

void
WorkerRank::DoGrant()
{
    BeginNext();
}

void
WorkerRank::BeginNext()
{
    if (!m_running && !m_holds && !IsHalted() && GetOldest() < GetGranted())
    {
        Begin();
    }
}

void
WorkerRank::Resume()
{
    m_holds = false;
    BeginNext();
}

uint64_t
WorkerRank::Pause()
{
    SetGranted(GetOldest() + (m_running ? 1 : 0));
    return GetGranted();
}

bool
WorkerRank::IsReadyFor(uint64_t /* iteration */) const
{
    return false; // it has yet to compute
}

void
WorkerRank::Begin()
{
    NS_LOG_FUNCTION(this << GetOldest());
    m_running = true;
    m_admitted = !GetRun().GetRun().isGated;
    m_computed = 0;
    GetRun().WorkerBegan(*this, GetOldest());
    const Time input = GetRun().GetRun().job.model.input;
    if (input.IsZero())
    {
        Compute();
    }
    else
    {
        m_task = Simulator::Schedule(input, &WorkerRank::Compute, this);
    }
}

void
WorkerRank::Compute()
{
    const Time both = m_noise.Draw(m_time);
    const Time forward =
        TimeStep(std::llround(m_forwardShare * static_cast<double>(both.GetTimeStep())));
    m_backward = both - forward;
    forward.IsZero() ? RunBucket() : RunTask(Pass::FORWARD, forward);
}

void
WorkerRank::RunTask(Pass pass, Time duration)
{
    m_pass = pass;
    if (!m_gpu)
    {
        m_task = Simulator::Schedule(duration, &WorkerRank::TaskDone, this);
        return;
    }
    m_gpu->Submit(duration,
                  m_taskDone,
                  {GetRun().GetId(), pass, GetRun().Number(GetOldest()) + 1, m_computed},
                  GetRun().GetRemainingService(GetOldest()));
}

void
WorkerRank::RunBucket()
{
    RunTask(Pass::BACKWARD, GetRun().GetRun().buckets.GetTime(m_backward, m_computed));
}

void
WorkerRank::TaskDone()
{
    NS_LOG_FUNCTION(this << GetOldest());
    if (m_pass == Pass::BACKWARD)
    {
        Computed(GetBuckets() / GetRun().GetRun().buckets.GetTasks());
    }
    else if (m_backward.IsZero())
    {
        Computed(GetBuckets());
    }
    else
    {
        RunBucket();
    }
}

void
WorkerRank::Computed(uint32_t buckets)
{
    LocalRun& run = GetRun(); // which what follows may stop
    const bool first = m_computed == 0;
    m_computed += buckets;
    if (m_computed < GetBuckets())
    {
        RunBucket();
    }
    else
    {
        run.WorkerComputed(GetOldest());
    }
    if (first)
    {
        run.WorkerReady(GetOldest());
    }
    if (m_admitted)
    {
        SendComputed();
    }
}

void
WorkerRank::Admit()
{
    m_admitted = true;
    SendComputed();
}

void
WorkerRank::SendComputed()
{
    if (IsHalted())
    {
        return;
    }
    const bool isSilent = GetRun().GetLeap().IsSilentIn(GetOldest());
    while (!isSilent && At(GetOldest()).ready < m_computed)
    {
        SetBucketReady(GetOldest());
    }
    CheckFinished();
}

void
WorkerRank::DoArrive(uint64_t iteration)
{
    if (iteration == GetOldest())
    {
        CheckFinished();
    }
}

void
WorkerRank::DoAcknowledged(uint64_t iteration)
{
    // Only a worker that is sent nothing waits for all its own transfers.
    if (WaitsForOwn())
    {
        --At(iteration).outbound;
    }
    if (iteration == GetOldest())
    {
        CheckFinished();
    }
}

void
WorkerRank::CheckFinished()
{
    if (m_running && IsComplete() && !GetRun().GetLeap().Holds(*this, GetOldest()))
    {
        Finish();
    }
}

bool
WorkerRank::IsComplete()
{
    if (GetRun().GetLeap().IsSilentIn(GetOldest()))
    {
        return m_computed == GetBuckets();
    }
    const Progress& progress = At(GetOldest());
    const uint32_t missing = GetSteps().GetSlots() > 0 ? progress.inbound : progress.outbound;
    return progress.ready == GetBuckets() && missing == 0 && progress.unsent == 0;
}

void
WorkerRank::Finish()
{
    const uint64_t iteration = GetOldest();
    NS_LOG_LOGIC("iteration " << iteration << " is over");
    At(iteration); // one in which it sent nothing has no progress yet
    Retire();
    m_running = false;
    m_holds = m_rank == 0 && GetRun().GetRun().IsCheckpoint(GetRun().Number(iteration) + 1);
    GetRun().WorkerFinished(iteration); // may start the next stage, or stop the run
    if (m_holds && !IsHalted())
    {
        GetRun().Save(GetRun().Number(iteration) + 1);
    }
    BeginNext();
}

void
WorkerRank::Credit(uint64_t iterations)
{
    if (m_gpu)
    {
        m_gpu->Credit(TimeStep(m_time.GetTimeStep() * iterations));
    }
}

void
WorkerRank::DoHalt()
{
    if (m_gpu)
    {
        m_gpu->Cancel(GetRun().GetId());
        m_gpu = nullptr;
    }
    m_task.Cancel();
    m_taskDone = Gpu::DoneCallback();
    m_running = false;
}

} // namespace ns3::ddl
