// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-reproduce-forecast.h"

#include "app/results/ddl-result-set.h"
#include "app/text/ddl-text-table.h"

#include <map>
#include <sstream>

namespace ns3::ddl
{

namespace
{

std::string
FormatMinutes(double seconds)
{
    return FormatSignificant(seconds / 60, 2);
}

} // namespace

ComparisonForecast
ForecastComparison(const std::string& name,
                   const std::vector<PlannedRun>& runs,
                   std::optional<double> declared)
{
    std::map<Combination, Replications> known; // prices of each combination's runs
    Replications all;
    for (const auto& run : runs)
    {
        known[run.values].push_back(run.cpuSeconds);
        all.push_back(run.cpuSeconds);
    }
    const auto usual = EstimateMean(all);
    ComparisonForecast forecast;
    forecast.name = name;
    forecast.runs = runs.size();
    for (const auto& run : runs)
    {
        if (run.isFinished)
        {
            continue;
        }
        ++forecast.toRun;
        const auto own = EstimateMean(known[run.values]);
        forecast.unknown += own || declared || usual ? 0 : 1;
        forecast.cpuSeconds += own ? own->mean : declared ? *declared : usual ? usual->mean : 0;
        forecast.isDeclared = forecast.isDeclared || (!own && declared);
    }
    return forecast;
}

std::string
FormatForecast(const std::vector<ComparisonForecast>& comparisons, std::size_t jobs)
{
    TextTable table({"", "runs", "finished", "to run", "CPU minutes", "by"});
    ComparisonForecast sum;
    for (const auto& one : comparisons)
    {
        sum.runs += one.runs;
        sum.toRun += one.toRun;
        sum.unknown += one.unknown;
        sum.cpuSeconds += one.cpuSeconds;
        const bool isUnknown = one.unknown == one.toRun;
        if (one.toRun > 0)
        {
            table.AddRow({one.name,
                          std::to_string(one.runs),
                          std::to_string(one.runs - one.toRun),
                          std::to_string(one.toRun),
                          isUnknown ? "?" : FormatMinutes(one.cpuSeconds),
                          isUnknown        ? ""
                          : one.isDeclared ? "figure.json"
                                           : "runs so far"});
        }
    }
    std::ostringstream text;
    if (sum.toRun > 0)
    {
        table.Print(text);
    }
    text << "forecast: " << sum.runs << " runs, " << sum.runs - sum.toRun << " of them finished; "
         << sum.toRun << " to run";
    if (sum.toRun > sum.unknown)
    {
        text << ", about " << FormatMinutes(sum.cpuSeconds) << " CPU minutes";
        if (jobs > 1)
        {
            text << ", " << FormatMinutes(sum.cpuSeconds / static_cast<double>(jobs)) << " with "
                 << jobs << " at a time";
        }
    }
    if (sum.unknown > 0)
    {
        text << "; the cost of " << sum.unknown << (sum.unknown == 1 ? " run" : " runs")
             << " is not known";
    }
    text << '\n';
    return text.str();
}

} // namespace ns3::ddl
