// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-result-tables.h"

#include "ns3/ddl-job-hosts.h"

namespace ns3::ddl
{

namespace
{

/** \return the measured time over the time alone, if the latter is known */
std::optional<double>
Slowdown(double measured, const std::optional<double>& alone)
{
    return alone && *alone > 0 ? std::optional<double>(measured / *alone) : std::nullopt;
}

template <typename Rows>
std::string
FormatRows(const char* header, const Rows& rows)
{
    CsvWriter csv(header);
    for (const auto& row : rows)
    {
        AddRow(csv, row);
    }
    return csv.GetText();
}

/** \return the machines of a placement, "h0 h3" */
std::string
ListHostNames(const Placement& placement)
{
    std::string names;
    for (const HostId host : ListHosts(ListRankHosts(placement)))
    {
        names += (names.empty() ? "h" : " h") + std::to_string(host.value);
    }
    return names;
}

/** \return the GPUs of a run, machine and index, "0:0 0:1 3:0" */
std::string
ListGpuNames(const Placement& placement)
{
    std::string names;
    for (const GpuId& gpu : ListGpus(placement))
    {
        names += (names.empty() ? "" : " ") + std::to_string(gpu.host.value) + ":" +
                 std::to_string(gpu.index);
    }
    return names;
}

} // namespace

void
AddRow(CsvWriter& csv, const StageRow& row)
{
    csv.Cell(uint64_t{row.cojob.value})
        .Cell(uint64_t{row.stage})
        .Cell(uint64_t{row.jobs})
        .Cell(row.release)
        .Cell(row.start)
        .Cell(row.end)
        .Cell(row.end - row.release)
        .Cell(row.alone)
        .Cell(Slowdown(row.GetSct(), row.alone))
        .Cell(row.bytes)
        .EndRow();
}

void
AddRow(CsvWriter& csv, const JobRow& row)
{
    csv.Cell(uint64_t{row.job.value});
    row.cojob ? csv.Cell(uint64_t{row.cojob->value}) : csv.Empty();
    csv.Cell(row.model)
        .Cell(uint64_t{row.workers})
        .Cell(uint64_t{row.servers})
        .Cell(row.pattern)
        .Cell(row.submit)
        .Cell(row.start)
        .Cell(row.end)
        .Cell(row.end - row.submit)
        .Cell(row.start - row.submit)
        .Cell(row.communication)
        .Cell(row.compute)
        .Cell(uint64_t{row.iterations})
        .Cell(uint64_t{row.stoppedEarly})
        .Cell(row.alone)
        .Cell(Slowdown(row.GetJct(), row.alone))
        .Cell(row.bytes)
        .Cell(row.accuracy)
        .Cell(row.loss);
    row.nearConverged ? csv.Cell(*row.nearConverged - row.submit) : csv.Empty();
    csv.Cell(row.gateWait)
        .Cell(uint64_t{row.runs})
        .Cell(row.GetWaited())
        .Cell(row.occupied)
        .Cell(row.weight)
        .EndRow();
}

void
AddRow(CsvWriter& csv, const JobRunRecord& row)
{
    csv.Cell(uint64_t{row.job.value})
        .Cell(uint64_t{row.run})
        .Cell(row.start)
        .Cell(row.end)
        .Cell(row.reason)
        .Cell(ListHostNames(row.placement))
        .Cell(ListGpuNames(row.placement))
        .Cell(row.iterations)
        .Cell(row.switching)
        .Cell(row.bytes)
        .Cell(uint64_t{row.checkpoints})
        .Cell(row.stateBytes)
        .Cell(row.repeated)
        .Cell(row.lost);
    row.training ? csv.Cell(row.training->start) : csv.Empty();
    row.training ? csv.Cell(row.training->end) : csv.Empty();
    csv.EndRow();
}

void
AddRow(CsvWriter& csv, const IterationRecord& row)
{
    csv.Cell(uint64_t{row.job.value})
        .Cell(uint64_t{row.iteration})
        .Cell(row.start)
        .Cell(row.computeEnd)
        .Cell(row.end)
        .Cell(row.bytes)
        .EndRow();
}

void
AddRow(CsvWriter& csv, const WaitRecord& row)
{
    csv.Cell(row.time);
    row.job ? csv.Empty() : csv.Cell(uint64_t{row.cojob.value});
    row.job ? csv.Cell(uint64_t{row.job->value}) : csv.Empty();
    csv.Cell(uint64_t{row.gpus}).Cell(uint64_t{row.free}).Cell(row.reason);
    row.until ? csv.Cell(*row.until) : csv.Empty();
    csv.EndRow();
}

void
AddRow(CsvWriter& csv, const TimersRecord& row)
{
    csv.Cell(row.time)
        .Cell(uint64_t{row.gpus})
        .Cell(row.timers.machine)
        .Cell(row.timers.rack)
        .EndRow();
}

void
AddRow(CsvWriter& csv, const EstimateRow& row)
{
    csv.Cell(uint64_t{row.job.value})
        .Cell(row.label)
        .Cell(row.predicted)
        .Cell(row.actual)
        .Cell(uint64_t{row.seed})
        .EndRow();
}

void
AddRow(CsvWriter& csv, const RemarkRecord& row)
{
    csv.Cell(row.time)
        .Cell("h" + std::to_string(row.host.value))
        .Cell(uint64_t{row.stream.value})
        .Cell(uint64_t{row.job.value})
        .Cell(uint64_t{row.stage})
        .Cell(uint64_t{row.mark.band})
        .Cell(uint64_t{row.mark.dscp})
        .EndRow();
}

void
AddRow(CsvWriter& csv, const ScheduleRecord& row)
{
    csv.Cell(row.time)
        .Cell(uint64_t{row.units})
        .Cell(row.order)
        .Cell(row.sctOverBound)
        .Cell(row.messages)
        .Cell(row.controlBytes)
        .EndRow();
}

bool
IsCoflow(const IterationRecord& row)
{
    return row.flows > 0;
}

void
AddCoflow(CsvWriter& csv, uint64_t number, const IterationRecord& row)
{
    csv.Cell(number)
        .Cell(uint64_t{row.job.value})
        .Cell(uint64_t{row.iteration})
        .Cell(uint64_t{1})
        .Cell(row.transferStart)
        .Cell(row.end)
        .Cell(row.end - row.transferStart)
        .Cell(row.bytes)
        .Cell(uint64_t{row.flows})
        .EndRow();
}

std::string
FormatStages(const RunResult& result)
{
    return FormatRows(STAGES_HEADER, result.stages);
}

std::string
FormatJobs(const RunResult& result)
{
    return FormatRows(JOBS_HEADER, result.jobs);
}

std::string
FormatRuns(const RunResult& result)
{
    return FormatRows(RUNS_HEADER, result.runs);
}

std::string
FormatIterations(const RunResult& result)
{
    return FormatRows(ITERATIONS_HEADER, result.iterations);
}

std::string
FormatCoflows(const RunResult& result)
{
    CsvWriter csv(COFLOWS_HEADER);
    uint64_t coflow = 0;
    for (const auto& row : result.iterations)
    {
        if (IsCoflow(row))
        {
            AddCoflow(csv, ++coflow, row);
        }
    }
    return csv.GetText();
}

std::string
FormatWaits(const RunResult& result)
{
    return FormatRows(WAITS_HEADER, result.waits);
}

std::string
FormatEstimates(const RunResult& result)
{
    return FormatRows(ESTIMATES_HEADER, result.estimates);
}

std::string
FormatTimers(const RunResult& result)
{
    return FormatRows(TIMERS_HEADER, result.timers);
}

std::string
FormatPorts(const RunResult& result)
{
    CsvWriter csv(
        "node,port,peer,queue,packets,bytes,dropped,marked,max_backlog_bytes,utilisation");
    for (const auto& row : result.ports)
    {
        csv.Cell(row.node)
            .Cell(uint64_t{row.port})
            .Cell(row.peer)
            .Cell(uint64_t{row.queue})
            .Cell(row.packets)
            .Cell(row.bytes)
            .Cell(row.dropped)
            .Cell(row.marked)
            .Cell(row.maxBacklogBytes)
            .Cell(row.utilisation)
            .EndRow();
    }
    return csv.GetText();
}

std::string
FormatRemarks(const RunResult& result)
{
    return FormatRows(REMARKS_HEADER, result.remarks);
}

std::string
FormatSchedule(const RunResult& result)
{
    return FormatRows(SCHEDULE_HEADER, result.schedule);
}

} // namespace ns3::ddl
