// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-metric.h"

#include "ddl-result-tables.h"

#include "ns3/abort.h"
#include "ns3/ddl-error.h"

#include <algorithm>
#include <iterator>

namespace ns3::ddl
{

namespace
{

std::optional<double>
ToNumber(const std::optional<double>& number)
{
    return number;
}

std::optional<double>
ToNumber(const std::optional<Time>& time)
{
    return time ? std::make_optional(time->GetSeconds()) : std::nullopt;
}

/** \return a function that collects numbers of rows, without rows that have none */
template <typename Row, typename Get>
std::function<std::vector<double>(const RunResult&)>
Over(std::vector<Row> RunResult::*rows, Get get)
{
    return [rows, get](const RunResult& result) {
        std::vector<double> values;
        for (const Row& row : result.*rows)
        {
            if (const auto number = ToNumber(std::invoke(get, row)))
            {
                values.push_back(*number);
            }
        }
        return values;
    };
}

/** \return a distribution over the values of a column, which means the same */
Metric
OfColumn(const std::string& name,
         const std::string& label,
         const std::string& table,
         const std::string& column,
         const std::function<std::vector<double>(const RunResult&)>& values,
         bool isCompared = true)
{
    for (const ResultColumn& each : FindTable(table).columns)
    {
        if (each.name == column)
        {
            return {name, each.meaning, label, isCompared, values, {}, table, column};
        }
    }
    NS_ABORT_MSG("there is no column " << column << " in " << table << ".csv");
}

std::optional<double>
GetWeightedJct(const RunResult& result)
{
    double weighted = 0;
    double weights = 0;
    for (const JobRow& row : result.jobs)
    {
        weighted += row.weight * row.GetJct();
        weights += row.weight;
    }
    return weights > 0 ? std::make_optional(weighted / weights) : std::nullopt;
}

} // namespace

std::string
Metric::GetTitle() const
{
    return meaning.substr(0, meaning.find(':'));
}

std::string
Metric::GetUnit() const
{
    return name.size() > 2 && name.substr(name.size() - 2) == "_s" ? "s" : "";
}

std::string
Metric::GetAxisTitle() const
{
    return GetTitle() + (GetUnit().empty() ? "" : ", " + GetUnit());
}

const std::vector<Metric>&
ListMetrics()
{
    using Row = JobRow;
    constexpr bool COMPARED = true;
    static const std::vector<Metric> metrics{
        OfColumn("sct_s", "SCT", "stages", "sct_s", Over(&RunResult::stages, &StageRow::GetSct)),
        OfColumn("jct_s", "JCT", "jobs", "jct_s", Over(&RunResult::jobs, &Row::GetJct)),
        {"weighted_jct_s",
         "weighted mean of the job completion times: by `weight` of `jobs.csv`",
         "weighted JCT",
         !COMPARED,
         {},
         GetWeightedJct},
        {"cojct_s",
         "cojob completion time: from its arrival to the end of its last job",
         "CoJCT",
         COMPARED,
         Over(&RunResult::cojobs, [](const CojobRow& row) { return row.end - row.submit; })},
        OfColumn("stage_slowdown",
                 "stage slowdown",
                 "stages",
                 "slowdown",
                 Over(&RunResult::stages, &StageRow::GetSlowdown)),
        OfColumn("job_slowdown",
                 "job slowdown",
                 "jobs",
                 "slowdown",
                 Over(&RunResult::jobs, &Row::GetSlowdown)),
        {"makespan_s",
         "makespan: from the first arrival to the end of the last job that left",
         "makespan",
         COMPARED,
         {},
         [](const RunResult& result) { return result.makespan.GetSeconds(); }},
        {"gpu_utilisation",
         "GPU utilisation: time of GPUs in tasks over GPUs x makespan; waiting for the network is "
         "no task (0 to 1)",
         "gpu utilisation",
         COMPARED,
         {},
         [](const RunResult& result) { return result.gpuUtilisation; }},
        {"gpu_waiting",
         "GPUs waiting: share of the time for which jobs held GPUs in which these ran no task; a "
         "task of a job of tasks holds its GPU from its start until its gradients are in",
         "gpu waiting",
         !COMPARED,
         {},
         [](const RunResult& result) { return result.gpuWaiting; }},
        {"gpu_idle_s",
         "idle time of a GPU: from the training of a run to that of the next one on it, whatever "
         "the GPU did meanwhile (launch, save, no job, failure); none for runs beside each other "
         "on a GPU, and none for jobs of tasks",
         "gpu idle",
         !COMPARED,
         [](const RunResult& result) { return result.gpuIdle; }},
        OfColumn("queue_s",
                 "first wait",
                 "jobs",
                 "queue_s",
                 Over(&RunResult::jobs, [](const Row& row) { return row.start - row.submit; }),
                 !COMPARED),
        OfColumn("waited_s",
                 "waited",
                 "jobs",
                 "waited_s",
                 Over(&RunResult::jobs, &Row::GetWaited),
                 !COMPARED),
        OfColumn("comm_s",
                 "communication",
                 "jobs",
                 "comm_s",
                 Over(&RunResult::jobs, &Row::communication),
                 !COMPARED),
        OfColumn("tta90_s",
                 "90 % accuracy",
                 "jobs",
                 "tta90_s",
                 Over(&RunResult::jobs, &Row::GetTimeToAccuracy)),
        {"cojob_tta90_s",
         "cojobs' time to 90 % accuracy: from its arrival until a job of it has 90 % of the best "
         "converged accuracy",
         "cojob 90 % accuracy",
         COMPARED,
         Over(&RunResult::cojobs, [](const CojobRow& row) {
             return row.nearConverged ? std::make_optional(*row.nearConverged - row.submit)
                                      : std::nullopt;
         })}};
    return metrics;
}

std::vector<Metric>
ListComparedMetrics()
{
    std::vector<Metric> compared;
    std::copy_if(ListMetrics().begin(),
                 ListMetrics().end(),
                 std::back_inserter(compared),
                 [](const Metric& metric) { return metric.isCompared; });
    return compared;
}

const Metric&
FindMetric(const std::string& name)
{
    for (const Metric& metric : ListMetrics())
    {
        if (metric.name == name)
        {
            return metric;
        }
    }
    throw InputError("there is no metric \"" + name + "\"");
}

} // namespace ns3::ddl
