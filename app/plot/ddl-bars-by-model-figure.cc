// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-bars-by-model-figure.h"

#include "app/results/ddl-csv-table.h"
#include "app/results/ddl-measure.h"
#include "ddl-bar-chart.h"

#include <algorithm>
#include <set>

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(BarsByModelFigure);

namespace
{

Measure
SctOf(const std::string& model)
{
    return {"sct_s", "mean", model};
}

/** \return the models of a set's cojobs, the one with the least SCT first */
std::vector<std::string>
ListModels(const ResultSet& set)
{
    std::set<std::string> names;
    for (const auto& folder : set.folders)
    {
        if (!folder.empty())
        {
            const CsvTable jobs(folder + "/jobs.csv");
            for (std::size_t row = 0; row < jobs.GetRows(); ++row)
            {
                names.insert(jobs.GetText(row, "model"));
            }
        }
    }
    std::vector<std::pair<double, std::string>> models;
    for (const auto& name : names)
    {
        if (const auto sct = EstimatePresent(ReadMeasure(set, SctOf(name))))
        {
            models.emplace_back(sct->mean, name);
        }
    }
    std::sort(models.begin(), models.end());
    std::vector<std::string> sorted;
    for (const auto& [sct, name] : models)
    {
        sorted.push_back(name);
    }
    return sorted;
}

} // namespace

TypeId
BarsByModelFigure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::BarsByModelFigure")
                            .SetParent<Figure>()
                            .SetGroupName("Ddl")
                            .AddConstructor<BarsByModelFigure>();
    return tid;
}

std::string
BarsByModelFigure::GetSummary() const
{
    return "mean SCT of each model, of several results relative to the first";
}

FigureFiles
BarsByModelFigure::DoMake(const std::vector<ResultSet>& sets) const
{
    if (sets.size() < 2)
    {
        return {"", "", "there is nothing to compare with"};
    }
    BarChart bars{"Mean SCT relative to " + sets[0].label + " (lower is better)",
                  DescribeRuns(sets),
                  "ratio",
                  {},
                  {},
                  true};
    for (const auto& model : ListModels(sets[0]))
    {
        bars.groups.push_back({model, model, " s"});
    }
    if (bars.groups.empty())
    {
        return {"", "", "\"" + sets[0].label + "\" has no stage that was completed"};
    }
    for (const auto& set : sets)
    {
        BarChart::Series series{set.label, {}, {}};
        for (const auto& group : bars.groups)
        {
            const auto values = ReadMeasure(set, SctOf(group.key));
            series.heights.push_back(EstimateRatio(values, ReadMeasure(sets[0], SctOf(group.key))));
            series.texts.push_back(LabelBar(EstimatePresent(values), group.unit));
        }
        bars.series.push_back(series);
    }
    return {FormatBarData(bars), FormatBarScript(GetName(), bars), ""};
}

} // namespace ddl
} // namespace ns3
