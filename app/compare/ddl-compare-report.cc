// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-compare-report.h"

#include "app/results/ddl-run-summary.h"
#include "app/text/ddl-text-table.h"

#include "ns3/ddl-csv-writer.h"
#include "ns3/ddl-statistics.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ns3::ddl
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

/** \return "SCT [s]" for "sct_s", "stage slowdown" for "stage_slowdown" */
std::string
FormatTitle(const std::string& metric)
{
    static const std::map<std::string, std::string> titles{
        {"sct_s", "SCT [s]"},
        {"jct_s", "JCT [s]"},
        {"cojct_s", "CoJCT [s]"},
        {"makespan_s", "makespan [s]"},
        {"tta90_s", "90 % accuracy [s]"},
        {"cojob_tta90_s", "cojob 90 % accuracy [s]"}};
    const auto found = titles.find(metric);
    if (found != titles.end())
    {
        return found->second;
    }
    std::string title = metric;
    std::replace(title.begin(), title.end(), '_', ' ');
    return title;
}

/** A difference below this share of a number is rounding: summaries have nine digits. */
constexpr double ROUNDING = 1e-6;
constexpr int LEAST_DIGITS = 4;
constexpr int MOST_DIGITS = 7;

/** \return half the width of an interval; 0 where the values differ by rounding only */
std::optional<double>
GetHalfWidth(const Estimate& estimate)
{
    const bool isRounding =
        estimate.halfWidth && *estimate.halfWidth <= ROUNDING * std::fabs(estimate.mean);
    return isRounding ? 0 : estimate.halfWidth;
}

/** A metric of all sets, and its ratios to the sets that they are compared with. */
struct Column
{
    std::string title;
    std::vector<std::optional<Estimate>> means;
    std::vector<std::optional<Estimate>> ratios; //!< exactly 1 of a base itself
    std::vector<bool> isBase;                    //!< of each ratio
};

/** \return significant digits with which numbers look different that are different */
int
CountDigits(const std::vector<std::optional<Estimate>>& numbers)
{
    std::vector<double> sorted;
    for (const auto& number : numbers)
    {
        if (number)
        {
            sorted.push_back(number->mean);
        }
    }
    std::sort(sorted.begin(), sorted.end());
    int digits = LEAST_DIGITS;
    for (std::size_t i = 1; i < sorted.size(); ++i)
    {
        const bool differ = sorted[i] - sorted[i - 1] > ROUNDING * std::fabs(sorted[i]);
        while (differ && digits < MOST_DIGITS &&
               FormatSignificant(sorted[i], digits) == FormatSignificant(sorted[i - 1], digits))
        {
            ++digits;
        }
    }
    return digits;
}

/** \return "4.500 ±0.19" */
std::string
FormatEstimate(const Estimate& estimate, int digits)
{
    const auto width = GetHalfWidth(estimate);
    return FormatSignificant(estimate.mean, digits) +
           (width ? " ±" + FormatSignificant(*width, 2) : "");
}

/** \return "4.500 ±0.19 (0.7500 ±0.012)" for each set, "-" where no run has a value */
std::vector<std::string>
FormatCells(const Column& column)
{
    const int digits = CountDigits(column.means);
    const int ratioDigits = CountDigits(column.ratios);
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < column.means.size(); ++i)
    {
        const auto& mean = column.means[i];
        const auto& ratio = column.ratios[i];
        cells.push_back(mean ? FormatEstimate(*mean, digits) +
                                   (ratio ? " (" + FormatEstimate(*ratio, ratioDigits) + ")" : "")
                             : "-");
    }
    return cells;
}

Column
MakeColumn(const std::vector<Variation>& variations,
           const std::vector<ResultSet>& sets,
           const std::string& metric)
{
    Column column{FormatTitle(metric), {}, {}, {}};
    const std::string first = variations.empty() ? "" : variations.back().values.front();
    for (const auto& set : sets)
    {
        const Replications values = ReadMeasure(set, {metric});
        const ResultSet* const base = FindBase(sets, set, first);
        auto ratio = base ? EstimateRatio(values, ReadMeasure(*base, {metric})) : std::nullopt;
        if (ratio && base == &set)
        {
            ratio = Estimate{1, std::nullopt};
        }
        column.means.push_back(EstimateMean(values));
        column.ratios.push_back(ratio);
        column.isBase.push_back(base == &set);
    }
    return column;
}

/** \return true if a ratio comes from a single pair of runs, so that nobody knows its interval */
bool
HasUnknownInterval(const std::vector<Column>& columns)
{
    return std::any_of(columns.begin(), columns.end(), [](const Column& column) {
        for (std::size_t i = 0; i < column.ratios.size(); ++i)
        {
            if (!column.isBase[i] && column.ratios[i] && !column.ratios[i]->halfWidth)
            {
                return true;
            }
        }
        return false;
    });
}

/**
 * \return which differences may be chance: below the widest interval of those that include no
 *         difference at all; "" if each difference is told from chance
 */
std::string
DescribeResolution(const std::vector<Column>& columns, std::size_t seeds)
{
    if (seeds < 2)
    {
        return "1 seed: any difference may be chance (--seeds=N runs more).";
    }
    if (HasUnknownInterval(columns))
    {
        return "Ratios without ± come from one pair of runs: they may be chance.";
    }
    std::string text;
    for (const auto& column : columns)
    {
        double widest = 0;
        for (const auto& ratio : column.ratios)
        {
            const double width = ratio ? GetHalfWidth(*ratio).value_or(0) : 0;
            const bool isTold = ratio && std::fabs(ratio->mean - 1) > width;
            widest = isTold ? widest : std::max(widest, width);
        }
        if (widest > 0)
        {
            text += (text.empty() ? " " : ", ") + FormatSignificant(100 * widest, 2) + " % in " +
                    column.title;
        }
    }
    return text.empty() ? ""
                        : "With " + std::to_string(seeds) + " seeds, differences below" + text +
                              " may be chance.";
}

/** \return what the ratios are of */
std::string
DescribeBase(const std::vector<Variation>& variations)
{
    if (variations.empty())
    {
        return "";
    }
    const auto& last = variations.back();
    return "; in brackets the ratio to " + last.path + "=" + last.values.front() +
           (variations.size() > 1 ? " with the same other values" : "");
}

/** \return the metrics of a run; all empty if it failed */
Replications
ReadMetrics(const CompareRun& run)
{
    Replications values(METRICS.size());
    if (run.state == CompareRun::State::DONE)
    {
        const RunSummary summary(run.folder.string());
        for (std::size_t i = 0; i < METRICS.size(); ++i)
        {
            values[i] = summary.GetMetric(METRICS[i]);
        }
    }
    return values;
}

/** Add the mean of each metric over the seeds of a combination, and its interval. */
void
AddMeans(const std::vector<Replications>& seeds, CsvWriter& csv)
{
    for (std::size_t metric = 0; metric < METRICS.size(); ++metric)
    {
        Replications values;
        for (const auto& run : seeds)
        {
            values.push_back(run[metric]);
        }
        const auto estimate = EstimateMean(values);
        csv.Cell(estimate ? std::optional<double>(estimate->mean) : std::nullopt);
        csv.Cell(estimate ? GetHalfWidth(*estimate) : std::nullopt);
    }
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
    for (const auto& metric : METRICS)
    {
        header += "," + metric + "_mean," + metric + "_ci95";
    }
    CsvWriter csv(header);
    std::map<Combination, std::vector<Replications>> metrics; // of its runs, in their order
    for (const auto& run : runs)
    {
        metrics[run.values].push_back(ReadMetrics(run));
    }
    std::map<Combination, std::size_t> next;
    for (const auto& run : runs)
    {
        const auto& seeds = metrics[run.values];
        const Replications& own = seeds[next[run.values]++];
        if (run.state == CompareRun::State::WAITING)
        {
            continue;
        }
        csv.Cell(run.name).Cell(run.seed);
        for (const auto& value : run.values)
        {
            csv.Cell(value);
        }
        for (const auto& value : own)
        {
            csv.Cell(value);
        }
        AddMeans(seeds, csv);
        csv.EndRow();
    }
    return csv.GetText();
}

/** \return how many runs of a set have results, at least */
std::size_t
CountLeast(const std::vector<ResultSet>& sets)
{
    std::size_t least = sets[0].folders.size();
    for (const auto& set : sets)
    {
        const auto values = ReadMeasure(set, {METRICS.front()});
        const auto there = std::count_if(values.begin(), values.end(), [](const auto& value) {
            return value.has_value();
        });
        least = std::min(least, static_cast<std::size_t>(there));
    }
    return least;
}

void
PrintComparison(const std::vector<Variation>& variations,
                const std::vector<ResultSet>& sets,
                std::ostream& out)
{
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows{{""}};
    for (const auto& set : sets)
    {
        rows.push_back({set.label});
    }
    for (const auto& metric : METRICS)
    {
        const Column column = MakeColumn(variations, sets, metric);
        const bool isEmpty = std::none_of(column.means.begin(),
                                          column.means.end(),
                                          [](const auto& mean) { return mean.has_value(); });
        if (isEmpty)
        {
            continue;
        }
        const auto cells = FormatCells(column);
        rows[0].push_back(column.title);
        for (std::size_t i = 0; i < cells.size(); ++i)
        {
            rows[i + 1].push_back(cells[i]);
        }
        columns.push_back(column);
    }
    TextTable table(rows[0]);
    for (std::size_t i = 1; i < rows.size(); ++i)
    {
        table.AddRow(rows[i]);
    }
    table.Print(out);
    const std::size_t seeds = sets[0].folders.size();
    const std::size_t least = CountLeast(sets);
    const std::string scale = DescribeScale(sets);
    out << "Means" << DescribeBase(variations)
        << (seeds > 1 ? "; ± half the 95 % confidence interval over " +
                            (least < seeds ? std::to_string(least) + " to " : "") +
                            std::to_string(seeds) + " seeds"
                      : "")
        << (scale.empty() ? "" : "; " + scale) << ".\n";
    const std::string resolution = sets.size() > 1 ? DescribeResolution(columns, least) : "";
    out << resolution << (resolution.empty() ? "" : "\n");
}

} // namespace ns3::ddl
