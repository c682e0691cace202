// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-result-tables.h"

#include "ddl-csv-writer.h"

namespace ns3
{
namespace ddl
{

namespace
{

/** \return measured over alone, if it was run alone */
std::optional<double>
Slowdown(double measured, const std::optional<double>& alone)
{
    return alone && *alone > 0 ? std::optional<double>(measured / *alone) : std::nullopt;
}

} // namespace

std::string
FormatStages(const RunResult& result)
{
    CsvWriter csv("cojob_id,stage,jobs,release_s,start_s,end_s,sct_s,alone_s,slowdown,bytes");
    for (const auto& row : result.stages)
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
    return csv.GetText();
}

std::string
FormatJobs(const RunResult& result)
{
    CsvWriter csv("job_id,cojob_id,model,workers,servers,pattern,submit_s,start_s,end_s,jct_s,"
                  "queue_s,comm_s,compute_s,iterations,stopped_early,alone_s,slowdown,bytes,"
                  "accuracy,loss,tta90_s,gate_wait_s");
    for (const auto& row : result.jobs)
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
        csv.Cell(row.gateWait).EndRow();
    }
    return csv.GetText();
}

std::string
FormatIterations(const RunResult& result)
{
    CsvWriter csv("job_id,iteration,start_s,compute_end_s,end_s,bytes");
    for (const auto& row : result.iterations)
    {
        csv.Cell(uint64_t{row.job.value})
            .Cell(uint64_t{row.iteration})
            .Cell(row.start)
            .Cell(row.computeEnd)
            .Cell(row.end)
            .Cell(row.bytes)
            .EndRow();
    }
    return csv.GetText();
}

std::string
FormatCoflows(const RunResult& result)
{
    CsvWriter csv("coflow_id,job_id,iteration,phase,start_s,end_s,cct_s,bytes,flows");
    uint64_t coflow = 0;
    for (const auto& row : result.iterations)
    {
        if (row.flows == 0)
        {
            continue; // a worker on its own
        }
        csv.Cell(++coflow)
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
    return csv.GetText();
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
    CsvWriter csv("time_s,host,stream_id,job_id,stage,host_band,dscp");
    for (const auto& row : result.remarks)
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
    return csv.GetText();
}

std::string
FormatSchedule(const RunResult& result)
{
    CsvWriter csv("time_s,units,order,sct_over_bound,messages,control_bytes");
    for (const auto& row : result.schedule)
    {
        csv.Cell(row.time)
            .Cell(uint64_t{row.units})
            .Cell(row.order)
            .Cell(row.sctOverBound)
            .Cell(row.messages)
            .Cell(row.controlBytes)
            .EndRow();
    }
    return csv.GetText();
}

} // namespace ddl
} // namespace ns3
