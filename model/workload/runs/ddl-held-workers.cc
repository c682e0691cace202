// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-held-workers.h"

#include "ddl-worker-rank.h"

namespace ns3::ddl
{

HeldWorkers::HeldWorkers(JobId job,
                         const Workers& workers,
                         uint64_t iteration,
                         std::optional<Time> silent,
                         RunLeap& leap)
    : m_job(job),
      m_iteration(iteration),
      m_silent(silent),
      m_leap(leap)
{
    for (const auto& [rank, worker] : workers)
    {
        m_workers[rank].worker = worker;
    }
}

void
HeldWorkers::NoteBegan(uint32_t rank, uint64_t iteration)
{
    if (IsSilentIn(iteration))
    {
        Held& held = m_workers.at(rank);
        WorkerRank* const worker = PeekPointer(held.worker);
        held.event = Simulator::Schedule(*m_silent, &WorkerRank::CheckFinished, worker);
    }
}

bool
HeldWorkers::Hold(uint32_t rank, uint64_t iteration)
{
    if (iteration != m_iteration)
    {
        return false;
    }
    Held& held = m_workers.at(rank);
    if (held.since)
    {
        return true;
    }
    if (m_isReleased)
    {
        return false;
    }
    if (held.event.IsExpired()) // else a silent iteration has yet to last
    {
        held.since = Simulator::Now();
        if (++m_count == m_workers.size())
        {
            m_leap.HandleHeld(m_job);
        }
    }
    return true;
}

void
HeldWorkers::Wake()
{
    if (!m_isReleased)
    {
        m_leap.Wake(m_job);
    }
}

void
HeldWorkers::Release(const Repetition& over)
{
    m_isReleased = true;
    m_over = over;
    for (auto& [rank, held] : m_workers)
    {
        if (held.since)
        {
            Credit(held);
            const Time left = Max(*held.since + over.GetLength() - Simulator::Now(), Time());
            held.event = Simulator::Schedule(left, &HeldWorkers::End, this, rank);
        }
    }
}

/** The GPU has done its part of the iterations that are over. */
void
HeldWorkers::Credit(Held& held)
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
HeldWorkers::End(uint32_t rank)
{
    Held& held = m_workers.at(rank);
    Credit(held);
    held.worker->Finish(); // may begin the next leap, in place of this one
}

void
HeldWorkers::Stop()
{
    for (auto& [rank, held] : m_workers)
    {
        if (held.since && !held.event.IsExpired())
        {
            Credit(held);
        }
        held.event.Cancel();
    }
}

} // namespace ns3::ddl
