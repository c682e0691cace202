// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-local-run.h"

#include "ddl-job-hosts.h"

#include "ns3/abort.h"
#include "ns3/log.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlLocalRun");

namespace
{

/** \return a function that makes workers of a job's model on a machine */
LocalRun::WorkerFactory
MakeWorkers(const RunSpec& run, const Machine& machine)
{
    return [&run, &machine](uint32_t rank, Ptr<Gpu> gpu, TaskTimes& noise) {
        const ModelProfile& model = run.job.model;
        const Time both = model.forward + model.backward;
        const double forward = both.IsZero() ? 0 : model.forward.GetDouble() / both.GetDouble();
        return Create<WorkerRank>(rank,
                                  gpu,
                                  gpu ? machine.GetGpuType().GetTime(both, model.name) : both,
                                  forward,
                                  noise);
    };
}

} // namespace

LocalRun::LocalRun(std::shared_ptr<const RunSpec> run, const RunSite& site)
    : LocalRun(run, site, MakeWorkers(*run, *site.machine))
{
}

LocalRun::LocalRun(std::shared_ptr<const RunSpec> run,
                   const RunSite& site,
                   const WorkerFactory& makeWorker)
    : RunPart(std::move(run), site),
      m_part(m_run->parts.at(GetHost())),
      m_isCoflow(m_run->IsCoflow()),
      m_finished(m_run->first),
      m_reported(m_run->first),
      m_leap(*this),
      m_checkpoints(m_run,
                    m_streams,
                    site.checkpoints,
                    {[this]() { m_software.HandleLoaded(*m_run); },
                     [this](uint64_t iterations) { NoteSaved(iterations); }})
{
    NS_LOG_FUNCTION(this << m_run->GetId() << m_run->number << GetHost());
    MakeRanks(site.noise, makeWorker);
    OpenStreams(site.initial);
    AcceptStreams(site.initial);
    Observe(RankEvent::Kind::LAUNCHED);
}

LocalRun::~LocalRun()
{
    NS_LOG_FUNCTION(this);
    Stop();
}

void
LocalRun::MakeRanks(const std::map<uint32_t, TaskTimes>& noise, const WorkerFactory& makeWorker)
{
    for (const uint32_t rank : m_part.ranks)
    {
        const uint32_t gpu = m_run->GetGpu(rank).index;
        if (gpu != NO_GPU)
        {
            m_machine->Claim(gpu, GetId(), m_run->job.model.gpuMemory);
        }
        if (rank >= m_run->job.workers)
        {
            m_machine->AddServer();
            m_ranks[rank] = Create<ServerRank>();
            continue;
        }
        const auto drawn = noise.find(rank);
        m_noise.emplace(rank,
                        drawn != noise.end() ? drawn->second
                                             : TaskTimes(m_run->job.noise, GetId(), rank));
        m_workers[rank] =
            makeWorker(rank, gpu != NO_GPU ? m_machine->GetGpu(gpu) : nullptr, m_noise.at(rank));
        m_ranks[rank] = m_workers[rank];
    }
}

void
LocalRun::OpenStreams(Mark initial)
{
    std::map<StreamName, Ptr<SendingStream>> open;
    std::map<StreamName, uint64_t> perIteration; // bytes
    std::map<uint32_t, SendingEnd*> ends;        // by channel
    for (const uint32_t channel : m_part.sends)
    {
        const auto& [source, destination, bytes] = m_run->plan->channels[channel];
        const HostId peer = m_run->rankHosts[destination];
        const StreamName name = m_run->GetStreamName(channel, m_isCoflow);
        Ptr<SendingStream>& stream = open[name];
        if (!stream)
        {
            stream = Open(peer, name, initial, MakeFlowLabel(GetId(), source, destination));
        }
        stream->SetIterationBytes(perIteration[name] += bytes);
        m_sending.push_back(std::make_unique<SendingEnd>(stream, *m_ranks.at(source), destination));
        ends[channel] = m_sending.back().get();
    }
    for (const auto& [rank, process] : m_ranks)
    {
        process->Start(*this, m_run->plan->ranks[rank], m_run->first, ends);
    }
}

void
LocalRun::AcceptStreams(Mark initial)
{
    std::set<StreamName> awaited;
    for (const uint32_t channel : m_part.receives)
    {
        const auto& [source, destination, bytes] = m_run->plan->channels[channel];
        const StreamName name = m_run->GetStreamName(channel, m_isCoflow);
        if (awaited.insert(name).second)
        {
            // Ranks of a coflow share streams: the tag names the rank that a message is for.
            Accept(m_run->rankHosts[source], name, initial)
                ->SetReceiver([this](const MessageTag& tag) {
                    m_ranks.at(tag.rank)->Arrive(tag.iteration, tag.slot);
                });
        }
    }
}

void
LocalRun::StartStage(uint32_t stage, uint64_t iterations)
{
    NS_LOG_FUNCTION(this << stage << iterations);
    if (!m_leap.IsSilent()) // else this stage begins with a leap
    {
        m_leap.Wake();
    }
    NS_ABORT_MSG_IF(iterations == 0, "stage " << stage << " of job " << GetId() << " is empty");
    NS_ABORT_MSG_IF(!m_workers.empty() && m_finished != m_granted,
                    "stage " << stage << " of job " << GetId() << " begins before the one before "
                             << "is over");
    Observe(RankEvent::Kind::STAGE, m_granted + iterations, stage);
    Grant(m_granted + iterations);
}

void
LocalRun::Grant(uint64_t end)
{
    m_granted = end;
    for (const auto& [number, rank] : m_ranks)
    {
        rank->Grant(end - m_skipped);
    }
}

uint64_t
LocalRun::Pause()
{
    NS_LOG_FUNCTION(this);
    m_leap.Wake();
    uint64_t begun = 0;
    for (const auto& [number, worker] : m_workers)
    {
        begun = std::max(begun, worker->Pause());
    }
    return m_workers.empty() ? 0 : Number(begun);
}

void
LocalRun::StopBefore(uint64_t iteration)
{
    NS_LOG_FUNCTION(this << iteration);
    m_leap.Wake();
    Grant(iteration);
    if (!m_workers.empty() && m_finished == m_granted && m_reported < m_finished)
    {
        m_reported = m_finished;
        m_software.HandleFinished(*m_run, m_finished);
    }
}

void
LocalRun::Admit(uint64_t iteration)
{
    NS_LOG_FUNCTION(this << iteration);
    Observe(RankEvent::Kind::ADMITTED, iteration - 1);
    if (m_run->reportsIterations && !m_workers.empty())
    {
        m_software.HandleSending(*m_run, iteration);
    }
    for (const auto& [number, worker] : m_workers)
    {
        worker->Admit();
    }
}

void
LocalRun::Save(uint64_t iterations)
{
    NS_LOG_FUNCTION(this << iterations);
    if (m_saving != iterations)
    {
        m_saving = iterations;
        m_isSaved = false;
        Observe(RankEvent::Kind::SAVING, iterations);
        m_checkpoints.Save(iterations);
    }
    else if (m_isSaved)
    {
        m_software.HandleSaved(*m_run, iterations);
    }
}

void
LocalRun::NoteSaved(uint64_t iterations)
{
    m_isSaved = true;
    Observe(RankEvent::Kind::SAVED, iterations);
    m_software.HandleSaved(*m_run, iterations);
    m_workers.at(0)->Resume();
}

void
LocalRun::DoStop()
{
    NS_LOG_FUNCTION(this);
    m_leap.Wake();
    m_leap.Stop();
    for (const auto& [number, rank] : m_ranks)
    {
        rank->Halt();
        if (number >= m_run->job.workers)
        {
            m_machine->RemoveServer();
        }
        if (m_run->GetGpu(number).index != NO_GPU)
        {
            m_machine->Release(m_run->GetGpu(number).index, GetId());
        }
    }
    for (const auto& end : m_sending)
    {
        end->Close();
    }
    m_checkpoints.Close();
}

uint64_t
LocalRun::GetFinished() const
{
    return m_workers.empty() ? std::numeric_limits<uint64_t>::max()
                             : m_finished + m_leap.CountOver();
}

Time
LocalRun::GetRemainingService(uint64_t done) const
{
    const uint64_t all = std::max(m_run->iterations, m_granted);
    return ddl::GetRemainingService(m_run->cost, all - std::min(all, Number(done)));
}

LocalRun::Progress&
LocalRun::At(uint64_t iteration)
{
    while (m_open.size() <= iteration - m_finished)
    {
        m_open.emplace_back();
    }
    return m_open[iteration - m_finished];
}

void
LocalRun::Advance(uint64_t skipped, uint64_t unsent)
{
    for (std::size_t i = 0; unsent > 0 && i < m_sending.size(); ++i)
    {
        m_sending[i]->Credit(m_run->plan->channels[m_part.sends[i]].bytes * unsent);
    }
    m_skipped += skipped;
    m_finished += skipped;
    Grant(m_granted);
}

void
LocalRun::WorkerBegan(WorkerRank& worker, uint64_t iteration)
{
    Observe(RankEvent::Kind::BEGAN, Number(iteration), 0, worker.GetRank());
    m_leap.NoteBegan(worker, iteration);
}

void
LocalRun::WorkerComputed(uint64_t iteration)
{
    Observe(RankEvent::Kind::COMPUTED, Number(iteration));
}

void
LocalRun::WorkerReady(uint64_t own)
{
    const uint64_t iteration = Number(own);
    Observe(RankEvent::Kind::READY, iteration);
    const uint32_t ready = ++At(iteration).ready;
    if (m_run->isGated && ready == m_workers.size())
    {
        m_software.HandleReady(*m_run, iteration + 1);
    }
    else if (!m_run->isGated && m_run->reportsIterations && ready == 1)
    {
        m_software.HandleSending(*m_run, iteration + 1);
    }
}

void
LocalRun::WorkerFinished(const WorkerRank& worker, uint64_t own)
{
    const uint64_t iteration = Number(own);
    const bool isLast = ++At(iteration).finished == m_workers.size(); // then it is the oldest one
    if (isLast)
    {
        m_open.pop_front();
        ++m_finished;
    }
    const bool isReport = m_run->isGated || m_run->reportsIterations || m_finished == m_granted ||
                          m_run->IsCheckpoint(m_finished);
    Observe(RankEvent::Kind::FINISHED, iteration, 0, worker.GetRank());
    if (isLast && isReport)
    {
        m_reported = iteration + 1;
        m_software.HandleFinished(*m_run, iteration + 1);
    }
}

void
LocalRun::NodeChanged(const WorkerRank& worker, uint64_t iteration, uint32_t node, bool isEnd)
{
    m_software.ObserveNode({GetId(), worker.GetRank(), iteration, node, isEnd});
}

LocalLeap::LocalLeap(LocalRun& run)
    : m_run(run)
{
}

void
LocalLeap::Hold(uint64_t iteration, std::optional<Time> silent, RunLeap& leap)
{
    NS_LOG_FUNCTION(this << iteration);
    m_leap = &leap;
    m_iteration = iteration - m_run.Number(0);
    m_silent = silent;
    m_held.clear();
    m_count = 0;
}

void
LocalLeap::NoteBegan(WorkerRank& worker, uint64_t iteration)
{
    if (IsSilentIn(iteration))
    {
        m_held[worker.GetRank()].event =
            Simulator::Schedule(*m_silent, &WorkerRank::CheckFinished, &worker);
    }
}

bool
LocalLeap::Holds(WorkerRank& worker, uint64_t iteration)
{
    if (iteration != m_iteration)
    {
        return false;
    }
    Held& held = m_held[worker.GetRank()];
    if (m_leap && !held.since && held.event.IsExpired()) // else a silent iteration goes on
    {
        held.worker = &worker;
        held.since = Simulator::Now();
        if (++m_count == m_run.GetWorkers())
        {
            m_leap->HandleHeld(m_run.GetId());
        }
        return true;
    }
    return m_leap || held.since;
}

void
LocalLeap::Repeat(const Repetition& iterations)
{
    m_repetition = iterations;
}

void
LocalLeap::Wake()
{
    if (m_leap)
    {
        m_leap->Wake(m_run.GetId());
    }
}

void
LocalLeap::Skip(const Repetition& over)
{
    NS_LOG_FUNCTION(this << over.count);
    const uint64_t unsent = over.count + (IsSilent() ? 1 : 0);
    m_leap = nullptr;
    m_repetition = {};
    m_over = over;
    for (auto& [rank, held] : m_held)
    {
        if (held.since)
        {
            Credit(held);
            const Time left = Max(*held.since + over.GetLength() - Simulator::Now(), Time());
            held.event = Simulator::Schedule(left, &LocalLeap::End, this, rank);
        }
    }
    m_run.Advance(over.count, unsent);
}

/** Count the worker's part of the iterations that are over as work of its GPU. */
void
LocalLeap::Credit(Held& held) const
{
    if (m_over.count > 0)
    {
        const Time length = m_over.GetLength();
        const Time passed = Min(Simulator::Now() - *held.since, length);
        const double part = passed.GetDouble() / length.GetDouble();
        const auto done = static_cast<uint64_t>(part * static_cast<double>(m_over.count));
        held.worker->Credit(done - held.credited);
        held.credited = done;
    }
}

void
LocalLeap::End(uint32_t rank)
{
    Held& held = m_held.at(rank);
    Credit(held);
    held.worker->Finish(); // the next leap may begin
}

void
LocalLeap::Stop()
{
    for (auto& [rank, held] : m_held)
    {
        if (held.since && !held.event.IsExpired())
        {
            Credit(held);
        }
        held.event.Cancel();
    }
}

} // namespace ns3::ddl
