// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-measure.h"

#include "ddl-csv-table.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-statistics.h"

#include <set>

namespace ns3
{
namespace ddl
{

namespace
{

/** Where a metric of one model comes from. */
struct Source
{
    std::string file;
    std::string column;
};

const std::vector<std::pair<std::string, Source>>&
GetSources()
{
    static const std::vector<std::pair<std::string, Source>> sources{
        {"sct_s", {"stages.csv", "sct_s"}},
        {"stage_slowdown", {"stages.csv", "slowdown"}},
        {"jct_s", {"jobs.csv", "jct_s"}},
        {"job_slowdown", {"jobs.csv", "slowdown"}}};
    return sources;
}

const Source&
FindSource(const std::string& metric)
{
    for (const auto& [name, source] : GetSources())
    {
        if (name == metric)
        {
            return source;
        }
    }
    throw InputError("the metric " + metric + " is not had of one model (one of " +
                     JoinNames(ListModelMetrics()) + ")");
}

/** \return ids of the cojobs, or of the jobs, that train a model */
std::set<std::string>
FindIds(const CsvTable& jobs, const std::string& model, const std::string& column)
{
    std::set<std::string> ids;
    for (std::size_t row = 0; row < jobs.GetRows(); ++row)
    {
        if (jobs.GetText(row, "model") == model)
        {
            ids.insert(jobs.GetText(row, column));
        }
    }
    return ids;
}

double
Pick(const Distribution& values, const std::string& statistic)
{
    return statistic == "p50"   ? values.p50
           : statistic == "p90" ? values.p90
           : statistic == "p95" ? values.p95
           : statistic == "p99" ? values.p99
                                : values.mean;
}

std::optional<double>
ReadModelMeasure(const std::string& folder, const Measure& measure)
{
    const Source& source = FindSource(measure.metric);
    const std::string key = source.file == "stages.csv" ? "cojob_id" : "job_id";
    const auto ids = FindIds(CsvTable(folder + "/jobs.csv"), measure.model, key);
    const CsvTable table(folder + "/" + source.file);
    std::vector<double> values;
    for (std::size_t row = 0; row < table.GetRows(); ++row)
    {
        const auto value = table.GetNumber(row, source.column);
        if (value && ids.count(table.GetText(row, key)) > 0)
        {
            values.push_back(*value);
        }
    }
    return values.empty() ? std::nullopt
                          : std::optional<double>(Pick(Describe(values), measure.statistic));
}

} // namespace

std::vector<std::string>
ListModelMetrics()
{
    std::vector<std::string> names;
    for (const auto& [name, source] : GetSources())
    {
        names.push_back(name);
    }
    return names;
}

std::vector<std::string>
ListStatistics()
{
    return {"mean", "p50", "p90", "p95", "p99"};
}

std::vector<std::optional<double>>
ReadMeasure(const ResultSet& set, const Measure& measure)
{
    if (measure.model.empty())
    {
        return ReadMetric(set, measure.metric, measure.statistic);
    }
    std::vector<std::optional<double>> values;
    for (const auto& folder : set.folders)
    {
        values.push_back(folder.empty() ? std::nullopt : ReadModelMeasure(folder, measure));
    }
    return values;
}

} // namespace ddl
} // namespace ns3
