// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-bars-figure.h"

#include "ddl-bar-chart.h"

#include "ns3/ddl-statistics.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(BarsFigure);

namespace
{

/** A number that stands for many. */
struct Statistic
{
    std::string name; //!< in summary.json
    std::string label;
    std::size_t least; //!< values from which on it says something: one of them is beyond it
};

const std::vector<Statistic> STATISTICS{{"mean", "mean", 0},
                                        {"p50", "median", 0},
                                        {"p95", "95th percentile", 20},
                                        {"p99", "99th percentile", 100}};

/** \return those metrics that at least one set has a value for */
std::vector<BarChart::Group>
FindGroups(const std::vector<ResultSet>& sets, const std::vector<BarChart::Group>& wanted)
{
    std::vector<BarChart::Group> groups;
    for (const auto& group : wanted)
    {
        bool isThere = false;
        for (const auto& set : sets)
        {
            for (const auto& value : ReadMetric(set, group.key))
            {
                isThere = isThere || value.has_value();
            }
        }
        if (isThere)
        {
            groups.push_back(group);
        }
    }
    return groups;
}

/** \return how many values each run has of a metric */
std::vector<std::size_t>
CountValues(const std::vector<ResultSet>& sets, const std::string& metric)
{
    std::vector<std::size_t> counts;
    for (const auto& set : sets)
    {
        for (const auto& count : ReadMetric(set, metric, "count"))
        {
            if (count)
            {
                counts.push_back(static_cast<std::size_t>(*count));
            }
        }
    }
    return counts;
}

/**
 * Say below the bars how many values are behind them. \return the least number of values of each
 * group, 0 where it is not known
 */
std::vector<std::size_t>
AddCounts(const std::vector<ResultSet>& sets, std::vector<BarChart::Group>& groups)
{
    std::vector<std::size_t> least;
    for (auto& group : groups)
    {
        // a makespan is one number per run
        const auto counts =
            group.key == "makespan_s" ? std::vector<std::size_t>{} : CountValues(sets, group.key);
        group.count = DescribeSamples(counts);
        least.push_back(counts.empty() ? 0 : *std::min_element(counts.begin(), counts.end()));
    }
    return least;
}

BarChart
DescribeOne(const ResultSet& set)
{
    BarChart bars{"Completion times",
                  DescribeRuns({set}),
                  "seconds",
                  FindGroups({set},
                             {{"sct_s", "stages (SCT)", ""},
                              {"jct_s", "jobs (JCT)", ""},
                              {"cojct_s", "cojobs (CoJCT)", ""}}),
                  {},
                  false};
    const auto counts = AddCounts({set}, bars.groups);
    for (const auto& statistic : STATISTICS)
    {
        BarChart::Series series{statistic.label, {}, {}};
        for (std::size_t g = 0; g < bars.groups.size(); ++g)
        {
            const auto& group = bars.groups[g];
            const auto mean = counts[g] < statistic.least
                                  ? std::nullopt
                                  : EstimatePresent(ReadMetric(set, group.key, statistic.name));
            series.heights.push_back(mean);
            series.texts.push_back(LabelBar(mean, group.unit));
        }
        const bool hasBars = std::any_of(series.heights.begin(),
                                         series.heights.end(),
                                         [](const auto& height) { return !!height; });
        if (hasBars || statistic.least == 0)
        {
            bars.series.push_back(series);
        }
    }
    return bars;
}

BarChart
DescribeSeveral(const std::vector<ResultSet>& sets)
{
    BarChart bars{"Means relative to " + sets[0].label + " (lower is better)",
                  DescribeRuns(sets),
                  "ratio",
                  FindGroups(sets,
                             {{"sct_s", "SCT", " s"},
                              {"jct_s", "JCT", " s"},
                              {"cojct_s", "CoJCT", " s"},
                              {"tta90_s", "90 % accuracy", " s"},
                              {"stage_slowdown", "stage slowdown", ""},
                              {"job_slowdown", "job slowdown", ""},
                              {"makespan_s", "makespan", " s"}}),
                  {},
                  true};
    AddCounts(sets, bars.groups);
    for (const auto& set : sets)
    {
        BarChart::Series series{set.label, {}, {}};
        for (const auto& group : bars.groups)
        {
            const auto values = ReadMetric(set, group.key);
            series.heights.push_back(EstimateRatio(values, ReadMetric(sets[0], group.key)));
            series.texts.push_back(LabelBar(EstimatePresent(values), group.unit));
        }
        bars.series.push_back(series);
    }
    return bars;
}

} // namespace

TypeId
BarsFigure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::BarsFigure")
                            .SetParent<Figure>()
                            .SetGroupName("Ddl")
                            .AddConstructor<BarsFigure>();
    return tid;
}

std::string
BarsFigure::GetSummary() const
{
    return "mean SCT, JCT and CoJCT; of several results, relative to the first";
}

FigureFiles
BarsFigure::DoMake(const std::vector<ResultSet>& sets) const
{
    const BarChart bars = sets.size() == 1 ? DescribeOne(sets[0]) : DescribeSeveral(sets);
    if (bars.groups.empty())
    {
        return {"", "", "no stage, job or cojob was completed"};
    }
    const auto& first = bars.series[0].heights;
    if (std::none_of(first.begin(), first.end(), [](const auto& height) { return !!height; }))
    {
        return {"",
                "",
                "\"" + sets[0].label + "\" has no results that others can be compared with"};
    }
    return {FormatBarData(bars), FormatBarScript(GetName(), bars), ""};
}

} // namespace ddl
} // namespace ns3
