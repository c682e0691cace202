// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-reproduce-forecast.h"

#include "app/text/ddl-text-table.h"

#include <map>
#include <sstream>

namespace ns3::ddl
{

namespace
{

/** Sum of the prices of runs in CPU seconds, and number of these runs. */
struct Prices
{
    double sum{0};
    std::size_t count{0};

    void Add(double price)
    {
        sum += price;
        ++count;
    }

    std::optional<double> GetMean() const
    {
        return count > 0 ? std::make_optional(sum / static_cast<double>(count)) : std::nullopt;
    }
};

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
    std::map<Combination, Prices> known; // prices of each combination's runs
    Prices all;
    for (const auto& run : runs)
    {
        if (run.cpuSeconds)
        {
            known[run.values].Add(*run.cpuSeconds);
            all.Add(*run.cpuSeconds);
        }
    }
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
        const auto own = known[run.values].GetMean();
        const auto price = own ? own : declared ? declared : all.GetMean();
        forecast.unknown += price ? 0 : 1;
        forecast.cpuSeconds += price.value_or(0);
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
