// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-trace-columns.h"
#include "ddl-trace-format.h"

#include "ns3/ddl-job-spec.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <cmath>
#include <map>

namespace ns3::ddl
{

namespace
{

constexpr uint64_t MOST_SERVERS = 4096;

std::vector<std::string>
SplitList(const std::string& text)
{
    std::vector<std::string> parts;
    boost::split(parts, text, boost::is_any_of(";"));
    for (auto& part : parts)
    {
        boost::trim(part);
    }
    return parts;
}

/** Reads row after row into a trace. */
class JobsReader
{
  public:
    JobsReader(const TraceColumns& columns, TraceLines& lines, Trace& trace)
        : m_columns(columns),
          m_lines(lines),
          m_trace(trace)
    {
    }

    void ReadRow(const std::string& line)
    {
        const TraceRow row(m_columns, line, m_lines);
        TraceJob job;
        job.line = m_lines.GetNumber();
        job.id = static_cast<uint32_t>(m_trace.jobs.size() + 1);
        if (m_columns.Has("job_id"))
        {
            job.id = static_cast<uint32_t>(row.Whole("job_id", 0, MOST_TRACE_ID).value_or(0));
        }
        job.gpus = static_cast<uint32_t>(row.Whole("num_gpu", 1, MOST_GPUS).value_or(1));
        ReadSubmit(row, job);
        ReadLength(row, job);
        if (!row.IsEmpty("cojob_id"))
        {
            job.cojob = static_cast<uint32_t>(row.Whole("cojob_id", 0, MOST_TRACE_ID).value_or(0));
        }
        if (!row.IsEmpty("model_name"))
        {
            job.model = Find(row.Text("model_name"), m_models, m_trace.models);
        }
        if (!row.IsEmpty("graph"))
        {
            job.graph = Find(row.Text("graph"), m_graphs, m_trace.graphs);
        }
        if (!row.IsEmpty("stages") || !row.IsEmpty("servers") || !row.IsEmpty("accuracy"))
        {
            job.details = static_cast<uint32_t>(m_trace.details.size());
            m_trace.details.push_back(ReadDetails(row));
        }
        if (row.IsGood())
        {
            m_trace.jobs.push_back(job);
        }
    }

    /** Check that jobs of a cojob have the same stages. */
    void CheckCojobs()
    {
        const auto stagesOf = [this](const TraceJob& job) {
            const auto given = job.details != NOT_GIVEN ? m_trace.details[job.details].stages
                                                        : std::vector<uint64_t>();
            return given.empty() ? std::vector<uint64_t>{job.iterations} : given;
        };
        std::map<uint32_t, const TraceJob*> first;
        for (const auto& job : m_trace.jobs)
        {
            if (job.cojob == NOT_GIVEN)
            {
                continue;
            }
            const TraceJob& one = *first.emplace(job.cojob, &job).first->second;
            if (stagesOf(job) != stagesOf(one))
            {
                m_lines.Refuse(job.line,
                               "has other stages than line " + std::to_string(one.line) +
                                   " of the same cojob");
            }
            else if (stagesOf(job).front() == NOT_GIVEN)
            {
                m_lines.Refuse(job.line, "a job of a cojob needs iterations or stages");
            }
        }
    }

  private:
    void ReadSubmit(const TraceRow& row, TraceJob& job)
    {
        const bool isAbsolute = m_columns.Has("submit_time");
        const Time time = row.Duration(isAbsolute ? "submit_time" : "interval").value_or(Time(0));
        job.submit = isAbsolute ? time : m_last + time;
        m_last = job.submit;
    }

    void ReadLength(const TraceRow& row, TraceJob& job)
    {
        if (!row.IsEmpty("iterations"))
        {
            job.iterations = row.Whole("iterations", 1, MOST_ITERATIONS).value_or(1);
        }
        if (!row.IsEmpty("duration"))
        {
            job.duration = row.Duration("duration").value_or(Time(0));
        }
        const bool isKnown =
            job.iterations != NOT_GIVEN || !row.IsEmpty("stages") || !row.IsEmpty("duration");
        if (!isKnown)
        {
            row.Refuse("has no iterations, stages or duration (one of them is needed)");
        }
    }

    /** \return index of a name in a list, which is appended to the list if it is not there yet */
    static uint32_t Find(const std::string& name,
                         std::map<std::string, uint32_t>& indices,
                         std::vector<std::string>& names)
    {
        const auto [known, isNew] = indices.emplace(name, names.size());
        if (isNew)
        {
            names.push_back(name);
        }
        return known->second;
    }

    TraceDetails ReadDetails(const TraceRow& row)
    {
        TraceDetails details;
        if (!row.IsEmpty("servers"))
        {
            details.servers =
                static_cast<uint32_t>(row.Whole("servers", 0, MOST_SERVERS).value_or(0));
        }
        if (!row.IsEmpty("stages"))
        {
            for (const auto& part : SplitList(row.Text("stages")))
            {
                const auto stage = ParseWhole(part, 1, MOST_ITERATIONS);
                if (!stage)
                {
                    row.Refuse("stages", "iterations of each stage, \"500;1000\"");
                }
                details.stages.push_back(stage.value_or(1));
            }
        }
        ReadCurve(row, details);
        return details;
    }

    std::vector<std::pair<double, double>> ReadPoints(const TraceRow& row,
                                                      const std::string& column)
    {
        std::vector<std::pair<double, double>> points;
        for (const auto& part : SplitList(row.Text(column)))
        {
            const auto colon = std::min(part.find(':'), part.size());
            const auto iteration = ParseReal(part.substr(0, colon));
            const auto value = ParseReal(part.substr(std::min(colon + 1, part.size())));
            const double least = points.empty() ? 0 : std::nextafter(points.back().first, 1e9);
            if (iteration.value_or(-1) < least || !value)
            {
                row.Refuse(column,
                           "\"iteration:value;iteration:value\" with increasing iterations");
                return {};
            }
            points.emplace_back(iteration.value_or(0), value.value_or(0));
        }
        return points;
    }

    void ReadCurve(const TraceRow& row, TraceDetails& details)
    {
        if (row.IsEmpty("accuracy"))
        {
            return;
        }
        for (const auto& [iteration, accuracy] : ReadPoints(row, "accuracy"))
        {
            details.points.push_back({iteration, accuracy, std::nullopt});
        }
        if (row.IsEmpty("loss"))
        {
            return;
        }
        const auto losses = ReadPoints(row, "loss");
        for (std::size_t i = 0; i < details.points.size(); ++i)
        {
            if (losses.size() != details.points.size() ||
                losses[i].first != details.points[i].iteration)
            {
                row.Refuse("loss and accuracy must be given at the same iterations");
                return;
            }
            details.points[i].loss = losses[i].second;
        }
    }

    const TraceColumns& m_columns;
    TraceLines& m_lines;
    Trace& m_trace;
    Time m_last; //!< arrival of the previous row, for intervals
    std::map<std::string, uint32_t> m_models;
    std::map<std::string, uint32_t> m_graphs;
};

} // namespace

/**
 * `jobs`: CSV whose first line names its columns, in any order; those of the Tiresias simulator
 * (`job_id,num_gpu,submit_time,iterations,model_name,duration,interval`) and more:
 *
 * - `job_id`: whole number, given once; without the column, the position in the file;
 * - `num_gpu` (required): workers;
 * - `submit_time`: seconds; without the column, `interval`, the seconds since the job before;
 * - `iterations`, `duration`: one of the two or both; duration in seconds, for which the job runs
 *   alone on its GPUs. With both, an iteration lasts duration / iterations; 0 counts as none;
 * - `model_name`: any name;
 * - `graph`: name of a task graph of the replay (ReplaySpec::graphs);
 * - `cojob_id`: jobs with the same number are searched together;
 * - `stages`: iterations of each stage, "500;1000"; the same for all jobs of a cojob;
 * - `servers`: parameter servers;
 * - `accuracy`, `loss`: measured, "iteration:value;iteration:value", at the same iterations.
 *
 * A field may be empty where the column may be missing. Other columns are ignored.
 */
class JobsTraceFormat : public TraceFormat
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::JobsTraceFormat")
                                .SetParent<TraceFormat>()
                                .SetGroupName("Ddl")
                                .AddConstructor<JobsTraceFormat>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "CSV with the columns of Tiresias (job_id,num_gpu,submit_time,iterations,...) and "
               "more";
    }

    bool Recognises(const std::string& header) const override
    {
        const TraceColumns columns(header);
        return columns.Has("num_gpu") && (columns.Has("submit_time") || columns.Has("interval"));
    }

  private:
    void DoRead(TraceLines& lines, Trace& trace) const override
    {
        const TraceColumns columns(lines.Next().value_or(""));
        if (!columns.Require({"num_gpu"}, lines))
        {
            return;
        }
        if (!columns.Has("interval") && !columns.Require({"submit_time"}, lines))
        {
            return;
        }
        JobsReader reader(columns, lines, trace);
        while (const auto line = lines.Next())
        {
            reader.ReadRow(*line);
        }
        reader.CheckCojobs();
    }
};

NS_OBJECT_ENSURE_REGISTERED(JobsTraceFormat);

} // namespace ns3::ddl
