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

/** \return a distribution over the numbers of a column, which means the same */
Metric
OfColumn(const std::string& name,
         const std::string& label,
         const std::string& table,
         const std::string& column,
         bool isCompared = true)
{
    const ResultTable& source = FindTable(table);
    for (std::size_t i = 0; i < source.columns.size(); ++i)
    {
        if (source.columns[i].name == column)
        {
            const auto read = [&source, i](const RunResult& result) {
                return source.ReadNumbers(result, i);
            };
            return {name, source.columns[i].meaning, label, isCompared, read, {}, table, column};
        }
    }
    NS_ABORT_MSG("there is no column " << column << " in " << table << ".csv");
}

/** \return a distribution over a column of training.csv, which only some runs have */
Metric
OfTraining(const std::string& name, const std::string& label, bool isCompared = true)
{
    Metric metric = OfColumn(name, label, "training", name, isCompared);
    metric.isOptional = true;
    return metric;
}

/** \param until gives a date of a cojob, if there is one \return times from arrivals until then */
std::function<std::vector<double>(const RunResult&)>
FromArrival(std::optional<Time> (*until)(const CojobRow&))
{
    return [until](const RunResult& result) {
        std::vector<double> seconds;
        for (const CojobRow& row : result.cojobs)
        {
            if (const auto date = until(row))
            {
                seconds.push_back((*date - row.submit).GetSeconds());
            }
        }
        return seconds;
    };
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
    const auto ends = [this](const std::string& end) {
        return name.size() > end.size() && name.substr(name.size() - end.size()) == end;
    };
    return ends("_per_s") ? "1/s" : ends("_s") ? "s" : "";
}

std::string
Metric::GetAxisTitle() const
{
    return GetTitle() + (GetUnit().empty() ? "" : ", " + GetUnit());
}

const std::vector<Metric>&
ListMetrics()
{
    constexpr bool COMPARED = true;
    static const std::vector<Metric> metrics{
        OfColumn("sct_s", "SCT", "stages", "sct_s"),
        OfColumn("jct_s", "JCT", "jobs", "jct_s"),
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
         FromArrival([](const CojobRow& row) { return std::make_optional(row.end); })},
        OfColumn("stage_slowdown", "stage slowdown", "stages", "slowdown"),
        OfColumn("job_slowdown", "job slowdown", "jobs", "slowdown"),
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
        OfColumn("queue_s", "first wait", "jobs", "queue_s", !COMPARED),
        OfColumn("waited_s", "waited", "jobs", "waited_s", !COMPARED),
        OfColumn("comm_s", "communication", "jobs", "comm_s", !COMPARED),
        OfColumn("tta90_s", "90 % accuracy", "jobs", "tta90_s"),
        {"cojob_tta90_s",
         "cojobs' time to 90 % accuracy: from its arrival until a job of it has 90 % of the best "
         "converged accuracy",
         "cojob 90 % accuracy",
         COMPARED,
         FromArrival([](const CojobRow& row) { return row.nearConverged; })},
        OfTraining("tokens_per_s", "tokens/s"),
        OfTraining("mfu", "MFU", !COMPARED),
        OfTraining("exposed_s", "exposed communication"),
        OfTraining("bubble_s", "bubble")};
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
