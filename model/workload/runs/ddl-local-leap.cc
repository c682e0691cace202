// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-local-leap.h"

#include "ddl-local-run.h"

#include "ns3/log.h"

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlLocalLeap");

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
