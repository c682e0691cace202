// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-row-files.h"

#include "ddl-result-tables.h"

#include "ns3/ddl-error.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::ddl
{

namespace
{

std::unique_ptr<CsvFile>
MakeFile(bool isWanted, const std::filesystem::path& path, const char* header)
{
    return isWanted ? std::make_unique<CsvFile>(path, header) : nullptr;
}

} // namespace

RowFiles::RowFiles(const std::filesystem::path& folder, Choice choice)
    : m_stages(folder / "stages.csv", STAGES_HEADER),
      m_jobs(folder / "jobs.csv", JOBS_HEADER),
      m_runs(folder / "runs.csv", RUNS_HEADER),
      m_remarks(folder / "remarks.csv", REMARKS_HEADER),
      m_schedule(folder / "schedule.csv", SCHEDULE_HEADER),
      m_iterations(MakeFile(choice.iterations, folder / "iterations.csv", ITERATIONS_HEADER)),
      m_coflows(MakeFile(choice.coflows, folder / "coflows.csv", COFLOWS_HEADER)),
      m_waits(MakeFile(choice.waits, folder / "waits.csv", WAITS_HEADER)),
      m_estimates(MakeFile(choice.estimates, folder / "estimates.csv", ESTIMATES_HEADER)),
      m_timers(MakeFile(choice.timers, folder / "timers.csv", TIMERS_HEADER))
{
}

void
RowFiles::NoteRow(CsvFile& file)
{
    file.NoteRow();
    if (file.HasFailed() && !std::exchange(m_hasFailed, true))
    {
        Simulator::Stop(); // further results would be lost
    }
}

template <typename Row>
void
RowFiles::AddTo(CsvFile& file, const Row& row)
{
    AddRow(file.GetWriter(), row);
    NoteRow(file);
}

bool
RowFiles::HasFailed() const
{
    return m_hasFailed;
}

void
RowFiles::Add(const StageRow& row)
{
    AddTo(m_stages, row);
}

void
RowFiles::Add(const JobRow& row)
{
    AddTo(m_jobs, row);
}

void
RowFiles::Add(const JobRunRecord& row)
{
    AddTo(m_runs, row);
}

void
RowFiles::Add(const RemarkRecord& row)
{
    AddTo(m_remarks, row);
}

void
RowFiles::Add(const ScheduleRecord& row)
{
    AddTo(m_schedule, row);
}

void
RowFiles::Add(const IterationRecord& row)
{
    if (m_iterations)
    {
        AddTo(*m_iterations, row);
    }
    if (m_coflows && IsCoflow(row))
    {
        AddCoflow(m_coflows->GetWriter(), ++m_coflow, row);
        NoteRow(*m_coflows);
    }
}

void
RowFiles::Add(const WaitRecord& row)
{
    if (m_waits)
    {
        AddTo(*m_waits, row);
    }
}

void
RowFiles::Add(const EstimateRow& row)
{
    if (m_estimates)
    {
        AddTo(*m_estimates, row);
    }
}

void
RowFiles::Add(const TimersRecord& row)
{
    if (m_timers)
    {
        AddTo(*m_timers, row);
    }
}

void
RowFiles::Finish()
{
    std::string failures;
    for (CsvFile* file : {&m_stages,
                          &m_jobs,
                          &m_runs,
                          &m_remarks,
                          &m_schedule,
                          m_iterations.get(),
                          m_coflows.get(),
                          m_waits.get(),
                          m_estimates.get(),
                          m_timers.get()})
    {
        try
        {
            if (file)
            {
                file->Finish();
            }
        }
        catch (const RunError& error)
        {
            failures += (failures.empty() ? "" : "\n") + std::string(error.what());
        }
    }
    if (!failures.empty())
    {
        throw RunError(failures);
    }
}

} // namespace ns3::ddl
