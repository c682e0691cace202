// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-compare-report.h"

#include "ddl-run-summary.h"
#include "ddl-text-table.h"

#include "ns3/ddl-csv-writer.h"
#include "ns3/ddl-statistics.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

namespace
{

/** Columns of compare.csv behind the varied keys, in the order of the contract. */
const std::vector<std::string> METRICS{"sct_s",
                                       "jct_s",
                                       "cojct_s",
                                       "stage_slowdown",
                                       "job_slowdown",
                                       "makespan_s",
                                       "gpu_utilisation",
                                       "tta90_s",
                                       "cojob_tta90_s"};

/**
 * \param values of each replication
 * \param base those of the first set, which has no interval itself
 * \return "6.500 (0.813 ±0.012)", or "-" where no run has a value
 */
std::string
FormatCell(const std::vector<std::optional<double>>& values,
           const std::vector<std::optional<double>>& base)
{
    std::vector<double> present;
    for (const auto& value : values)
    {
        if (value)
        {
            present.push_back(*value);
        }
    }
    if (present.empty())
    {
        return "-";
    }
    std::string cell = FormatNumber(EstimateMean(present).mean);
    if (const auto ratio = EstimateRatio(values, base))
    {
        cell += " (" + FormatNumber(ratio->mean);
        cell += ratio->halfWidth && values != base ? " ±" + FormatNumber(*ratio->halfWidth) : "";
        cell += ")";
    }
    return cell;
}

/** \return "SCT [s]" for "sct_s", "stage slowdown" for "stage_slowdown" */
std::string
FormatTitle(const std::string& metric)
{
    static const std::vector<std::pair<std::string, std::string>> names{
        {"sct_s", "SCT [s]"},
        {"jct_s", "JCT [s]"},
        {"cojct_s", "CoJCT [s]"},
        {"makespan_s", "makespan [s]"},
        {"tta90_s", "90 % accuracy [s]"},
        {"cojob_tta90_s", "cojob 90 % accuracy [s]"}};
    for (const auto& [key, title] : names)
    {
        if (key == metric)
        {
            return title;
        }
    }
    std::string title = metric;
    std::replace(title.begin(), title.end(), '_', ' ');
    return title;
}

/** Add a run's row, without metrics if it failed. */
void
AddRow(const CompareRun& run, CsvWriter& csv)
{
    csv.Cell(run.name).Cell(run.seed);
    for (const auto& value : run.values)
    {
        csv.Cell(value);
    }
    std::optional<RunSummary> summary;
    if (run.state == CompareRun::State::DONE)
    {
        summary.emplace(run.folder.string());
    }
    for (const auto& metric : METRICS)
    {
        csv.Cell(summary ? summary->GetMetric(metric) : std::nullopt);
    }
    csv.EndRow();
}

} // namespace

std::string
FormatComparison(const std::vector<Variation>& variations, const std::vector<CompareRun>& runs)
{
    std::string header = "run,seed";
    for (const auto& variation : variations)
    {
        header += "," + variation.path;
    }
    for (const auto& metric : METRICS)
    {
        header += "," + metric;
    }
    CsvWriter csv(header);
    for (const auto& run : runs)
    {
        if (run.state != CompareRun::State::WAITING)
        {
            AddRow(run, csv);
        }
    }
    return csv.GetText();
}

void
PrintComparison(const std::vector<ResultSet>& sets, std::ostream& out)
{
    std::vector<std::vector<std::string>> rows{{""}};
    for (const auto& set : sets)
    {
        rows.push_back({set.label});
    }
    for (const auto& metric : METRICS)
    {
        const auto base = ReadMetric(sets[0], metric);
        std::vector<std::string> column{FormatTitle(metric)};
        for (const auto& set : sets)
        {
            column.push_back(FormatCell(ReadMetric(set, metric), base));
        }
        const bool isEmpty = std::all_of(column.begin() + 1, column.end(), [](const auto& cell) {
            return cell == "-";
        });
        for (std::size_t i = 0; i < rows.size() && !isEmpty; ++i)
        {
            rows[i].push_back(column[i]);
        }
    }
    TextTable table(rows[0]);
    for (std::size_t i = 1; i < rows.size(); ++i)
    {
        table.AddRow(rows[i]);
    }
    table.Print(out);
    const std::size_t seeds = sets[0].folders.size();
    const std::string scale = DescribeScale(sets);
    out << "Means; in brackets the ratio to the first row (" << sets[0].label << ")"
        << (seeds > 1 ? ", ± its 95 % confidence interval over " + std::to_string(seeds) + " seeds"
                      : "")
        << (scale.empty() ? "" : "; " + scale) << ".\n";
}

} // namespace ddl
} // namespace ns3
