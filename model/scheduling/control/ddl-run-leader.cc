// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-run-leader.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3::ddl
{

RunLeader::RunLeader(std::shared_ptr<const RunSpec> run, Teller tell, Saver save)
    : m_run(std::move(run)),
      m_tell(std::move(tell)),
      m_save(std::move(save)),
      m_end(m_run->first),
      m_done(m_run->first)
{
}

void
RunLeader::StartStage(uint32_t stage, uint64_t iterations)
{
    m_stage = stage;
    m_end += iterations;
}

void
RunLeader::StopBefore(uint64_t iteration)
{
    m_stop = iteration;
    CheckStopped();
}

void
RunLeader::Note(const WorkersReport& report)
{
    switch (report.point)
    {
    case WorkersPoint::SENDING:
        if (report.iteration > m_sending) // this is the first machine
        {
            m_sending = report.iteration;
            m_tell(CoflowStarted{report.job, report.iteration});
        }
        break;
    case WorkersPoint::READY:
        if (++m_ready[report.iteration] == m_run->workerHosts)
        {
            m_ready.erase(report.iteration);
            m_tell(GateRequest{report.job, report.iteration, GetBusiestBytes(m_run->hostBytes)});
        }
        break;
    case WorkersPoint::FINISHED:
        if (++m_finished[report.iteration] == m_run->workerHosts)
        {
            m_finished.erase(report.iteration);
            NoteFinished(report.iteration);
        }
        break;
    }
}

void
RunLeader::NoteFinished(uint64_t iteration)
{
    m_done = iteration;
    if (m_run->reportsIterations || m_run->AsksByIteration())
    {
        m_tell(CoflowEnded{m_run->GetId(), iteration});
    }
    if (iteration == m_end)
    {
        m_tell(StageDone{m_run->GetId(), m_stage});
    }
    CheckSaved();
    CheckStopped();
}

void
RunLeader::CheckStopped()
{
    if (m_stop == m_done)
    {
        m_stop.reset();
        m_isPausing = true;
        m_done > m_run->first ? m_save(m_done) : NoteSaved(m_done); // this state was loaded
    }
}

void
RunLeader::NoteSaved(uint64_t iterations)
{
    m_saved.insert(iterations);
    CheckSaved();
}

void
RunLeader::CheckSaved()
{
    const auto ahead = m_saved.upper_bound(m_done);
    if (ahead == m_saved.begin())
    {
        return;
    }
    const uint64_t saved = *std::prev(ahead);
    m_saved.erase(m_saved.begin(), ahead);
    if (m_isPausing && saved == m_done)
    {
        m_isPausing = false;
        m_tell(JobDrained{m_run->GetId(), m_run->number, m_done});
    }
    else if (saved > m_kept)
    {
        m_tell(CheckpointSaved{m_run->GetId(), m_run->number, saved});
    }
    m_kept = saved;
}

} // namespace ns3::ddl
