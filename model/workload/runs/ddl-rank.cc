// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-rank.h"

#include "ddl-local-run.h"

#include "ns3/abort.h"
#include "ns3/ddl-quantity.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlRank");

SendingEnd::SendingEnd(Ptr<SendingStream> stream, Rank& source, uint32_t destination)
    : m_stream(stream),
      m_source(source),
      m_destination(destination),
      m_acknowledged(MakeCallback(&SendingEnd::Acknowledged, this))
{
}

void
SendingEnd::Send(uint64_t iteration, uint32_t slot, uint32_t echo, uint64_t bytes)
{
    const MessageTag tag{iteration, m_destination, slot};
    if (echo == RankPlan::NO_ECHO && !m_source.WaitsForOwn())
    {
        m_stream->Send(bytes, tag);
        return;
    }
    m_sent.push_back({iteration, echo});
    m_stream->Send(bytes, tag, m_acknowledged);
}

void
SendingEnd::Acknowledged()
{
    const Sent sent = m_sent.front();
    m_sent.pop_front();
    m_source.Acknowledged(sent.iteration, sent.echo);
}

void
Rank::Start(LocalRun& run,
            const RankPlan& plan,
            uint64_t first,
            const std::map<uint32_t, SendingEnd*>& ends)
{
    NS_LOG_FUNCTION(this << first);
    m_run = &run;
    m_plan = &plan;
    m_steps = plan.steps.get();
    m_granted = first;
    m_oldest = first;
    m_window.emplace();
    for (const uint32_t channel : m_plan->channels)
    {
        m_ends.push_back(ends.at(channel));
    }
}

void
Rank::Grant(uint64_t end)
{
    NS_LOG_FUNCTION(this << end);
    NS_ABORT_MSG_IF(IsHalted(), "a grant for a rank that was stopped");
    m_granted = end;
    DoGrant();
}

void
Rank::Halt()
{
    NS_LOG_FUNCTION(this);
    if (IsHalted())
    {
        return;
    }
    DoHalt();
    m_run = nullptr;
    m_plan = nullptr;
    m_steps = nullptr;
    m_ends = std::vector<SendingEnd*>();
    m_window.reset();
    m_spare = std::vector<Progress>();
}

void
Rank::Arrive(uint64_t iteration, uint32_t slot)
{
    NS_LOG_FUNCTION(this << iteration << slot);
    if (IsHalted())
    {
        return;
    }
    Progress& progress = At(iteration);
    --progress.inbound;
    Fill(progress, iteration, slot);
    DoArrive(iteration);
}

void
Rank::Acknowledged(uint64_t iteration, uint32_t echo)
{
    if (IsHalted())
    {
        return;
    }
    if (echo != RankPlan::NO_ECHO)
    {
        Fill(At(iteration), iteration, echo);
    }
    DoAcknowledged(iteration);
}

void
Rank::Fill(Progress& progress, uint64_t iteration, uint32_t slot)
{
    for (uint32_t i = slot == 0 ? 0 : m_steps->waiterEnds[slot - 1]; i < m_steps->waiterEnds[slot];
         ++i)
    {
        Satisfy(progress, iteration, m_steps->waiters[i]);
    }
    if (!progress.open.empty())
    {
        --progress.open[m_steps->slotBuckets[slot]];
        Advance(progress, iteration);
    }
}

Rank::Progress&
Rank::At(uint64_t iteration)
{
    NS_ABORT_MSG_IF(iteration < m_oldest, "iteration " << iteration << " is over");
    while (m_window->size() <= iteration - m_oldest)
    {
        AddProgress();
    }
    return (*m_window)[iteration - m_oldest];
}

void
Rank::AddProgress()
{
    if (m_spare.empty())
    {
        m_window->emplace_back();
    }
    else
    {
        m_window->push_back(std::move(m_spare.back()));
        m_spare.pop_back();
    }
    Progress& progress = m_window->back();
    progress.missing = m_steps->needs;
    progress.inbound = m_steps->GetSlots();
    progress.outbound = m_steps->sends.size();
    progress.unsent = m_steps->needs.size();
    progress.ready = 0;
    progress.open = m_steps->bucketNeeds;
    progress.over = 0;
    const uint64_t iteration = m_oldest + m_window->size() - 1;
    if (IsReadyFor(iteration))
    {
        SetReady(iteration);
    }
}

uint32_t
Rank::GetBuckets() const
{
    return m_steps->bucketEnds.size();
}

void
Rank::SetBucketReady(uint64_t iteration)
{
    Progress& progress = At(iteration);
    SatisfyBucket(progress, iteration, progress.ready++);
    Advance(progress, iteration);
}

void
Rank::SatisfyBucket(Progress& progress, uint64_t iteration, uint32_t bucket)
{
    for (uint32_t group = bucket == 0 ? 0 : m_steps->bucketEnds[bucket - 1];
         group < m_steps->bucketEnds[bucket];
         ++group)
    {
        Satisfy(progress, iteration, group);
    }
}

void
Rank::Advance(Progress& progress, uint64_t iteration)
{
    while (progress.over + 1 < progress.open.size() && progress.open[progress.over] == 0)
    {
        SatisfyBucket(progress, iteration, ++progress.over);
    }
}

void
Rank::SetReady(uint64_t iteration)
{
    for (uint32_t bucket = 0; bucket < GetBuckets(); ++bucket)
    {
        SetBucketReady(iteration);
    }
}

void
Rank::Satisfy(Progress& progress, uint64_t iteration, uint32_t group)
{
    if (--progress.missing[group] > 0)
    {
        return;
    }
    --progress.unsent;
    if (!progress.open.empty())
    {
        const auto& ends = m_steps->bucketEnds;
        --progress.open[std::upper_bound(ends.begin(), ends.end(), group) - ends.begin()];
    }
    for (uint32_t i = group == 0 ? 0 : m_steps->groupEnds[group - 1]; i < m_steps->groupEnds[group];
         ++i)
    {
        const RankSteps::Send& send = m_steps->sends[i];
        m_ends[send.channel]->Send(iteration, send.slot, send.echo, m_plan->GetBytes(send));
    }
}

void
Rank::Retire()
{
    ++m_oldest;
    m_spare.push_back(std::move(m_window->front()));
    m_window->pop_front();
}

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
    return false; // a worker has to compute first
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
    // A double can exceed the time that it stands for.
    const Time forward = Min(both, RoundSteps(m_forwardShare * both.GetDouble()));
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
    LocalRun& run = GetRun(); // not later: the run may stop in what follows
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
    At(iteration); // makes its progress, if nothing was sent in it
    Retire();
    m_running = false;
    m_holds = m_rank == 0 && GetRun().GetRun().IsCheckpoint(GetRun().Number(iteration) + 1);
    GetRun().WorkerFinished(*this, iteration); // this may start the next stage, or stop the run
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

bool
ServerRank::IsReadyFor(uint64_t iteration) const
{
    return iteration < m_known;
}

void
ServerRank::DoGrant()
{
    // Later iterations, which have no progress yet, are ready when they begin.
    const uint64_t begin = std::max(m_known, GetOldest());
    m_known = std::max(m_known, GetGranted()); // a grant may go back: for workers only
    for (uint64_t iteration = begin; iteration < std::min(m_seen, m_known); ++iteration)
    {
        SetReady(iteration);
    }
    RetireFinished();
}

void
ServerRank::DoArrive(uint64_t iteration)
{
    m_seen = std::max(m_seen, iteration + 1);
    RetireFinished();
}

void
ServerRank::DoAcknowledged(uint64_t /* iteration */)
{
    RetireFinished();
}

void
ServerRank::RetireFinished()
{
    while (GetOldest() < m_seen && At(GetOldest()).inbound == 0 &&
           At(GetOldest()).ready == GetBuckets() && At(GetOldest()).unsent == 0)
    {
        Retire();
    }
}

} // namespace ns3::ddl
