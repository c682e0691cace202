// SPDX-License-Identifier: GPL-2.0-only
// What the coordinator makes of what it hears; what it says is in ddl-coordinator.cc.
#include "ddl-coordinator.h"

#include "ns3/ddl-cluster-clock.h"

namespace ns3
{
namespace ddl
{

void
Coordinator::Handle(HostId machine, const ControlMessage& message)
{
    m_gate.Handle(message);
    if (const auto* done = std::get_if<StageDone>(&message))
    {
        m_live.NoteDone(*done);
        m_stageDone(done->job, done->stage);
    }
    else if (const auto* stopped = std::get_if<JobStopped>(&message))
    {
        m_jobStopped(stopped->job);
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
        HandleReport(*progress);
    }
}

/** \return true if somebody had to be asked: the run has to wait for the answers */
bool
Coordinator::AskForProgress()
{
    if (!m_scheduler->NeedsProgress())
    {
        return false;
    }
    return OrdersCoflows() ? m_poll.Ask<BytesRequest>(*m_plane, m_live.ListCoflowMachines())
                           : m_poll.Ask<ProgressRequest>(*m_plane, m_live.ListBusyLeaders());
}

void
Coordinator::HandleReport(const ProgressReport& message)
{
    for (const auto& progress : message.jobs)
    {
        m_live.NoteProgress(progress);
    }
    NoteAnswer(message.round);
}

void
Coordinator::HandleReport(HostId machine, const BytesReport& message)
{
    for (const auto& bytes : message.jobs)
    {
        m_live.NoteBytes(machine, bytes);
    }
    NoteAnswer(message.round);
}

void
Coordinator::NoteAnswer(uint32_t round)
{
    if (!m_poll.NoteAnswer(round))
    {
        return;
    }
    RankUnits();
    Distribute();
    if (m_runAgain)
    {
        m_runAgain = false;
        m_runWanted = true;
        ScheduleFlush();
    }
}

} // namespace ddl
} // namespace ns3
