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

BarChart
DescribeOne(const ResultSet& set)
{
    BarChart bars{set.label.empty() ? "Completion times" : "Completion times: " + set.label,
                  "seconds",
                  FindGroups({set},
                             {{"sct_s", "stages (SCT)", ""},
                              {"jct_s", "jobs (JCT)", ""},
                              {"cojct_s", "cojobs (CoJCT)", ""}}),
                  {},
                  false};
    const std::vector<std::pair<std::string, std::string>> statistics{{"mean", "mean"},
                                                                      {"p50", "median"},
                                                                      {"p95", "95th percentile"},
                                                                      {"p99", "99th percentile"}};
    for (const auto& [statistic, label] : statistics)
    {
        BarChart::Series series{label, {}, {}};
        for (const auto& group : bars.groups)
        {
            const auto mean = EstimatePresent(ReadMetric(set, group.key, statistic));
            series.heights.push_back(mean);
            series.texts.push_back(LabelBar(mean, group.unit));
        }
        bars.series.push_back(series);
    }
    return bars;
}

BarChart
DescribeSeveral(const std::vector<ResultSet>& sets)
{
    BarChart bars{"Means relative to " + sets[0].label + " (lower is better)",
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
    for (const auto& set : sets)
    {
        BarChart::Series series{set.label, {}, {}};
        for (const auto& group : bars.groups)
        {
            const auto values = ReadMetric(set, group.key);
            series.heights.push_back(EstimateRatio(values, ReadMetric(sets[0], group.key)));
            series.texts.push_back(sets.size() > MOST_LABELLED_SERIES
                                       ? ""
                                       : LabelBar(EstimatePresent(values), group.unit));
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
    return {FormatBarData(bars), FormatBarScript(GetName(), bars, DescribeScale(sets)), ""};
}

} // namespace ddl
} // namespace ns3
