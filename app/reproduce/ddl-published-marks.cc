// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-published-marks.h"

#include "app/plot/ddl-gnuplot.h"
#include "ddl-outcome-text.h"

#include <algorithm>

namespace ns3::ddl
{

namespace
{

bool
IsSame(const Measure& a, const Measure& b)
{
    return a.metric == b.metric && a.statistic == b.statistic && a.model == b.model;
}

/** Make an axis logarithmic if all its values are positive, and far apart. */
void
SettleAxis(Chart::Panel& panel)
{
    std::vector<double> values;
    for (const auto& list : {panel.series.front().y, panel.series.front().marks})
    {
        for (const auto& value : list)
        {
            values.push_back(value.value_or(1));
        }
    }
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    panel.isLogarithmic = !panel.reference && IsWide(*least, *most);
}

/** \return what the paper gives for a measure of some runs, no change; nothing if it does not */
const FigureValue*
FindNumber(const PaperFigure& figure, const Measure& measure, const Selection& runs)
{
    const auto found =
        std::find_if(figure.values.begin(), figure.values.end(), [&](const FigureValue& value) {
            return value.published && value.sweep.empty() && value.over.empty() &&
                   !value.of.empty() && IsSame(value.measure, measure) && Matches(value.of, runs);
        });
    return found == figure.values.end() ? nullptr : &*found;
}

/** \return the published ratio of a measure of some runs to that of others */
std::optional<double>
FindRatio(const PaperFigure& figure,
          const Measure& measure,
          const Selection& runs,
          const Selection& base)
{
    for (const auto& value : figure.values)
    {
        if (value.published && value.sweep.empty() && !value.over.empty() &&
            IsSame(value.measure, measure) && Matches(value.of, runs) && Matches(value.over, base))
        {
            return 1 + *value.published;
        }
    }
    const FigureValue* const ours = FindNumber(figure, measure, runs);
    const FigureValue* const other = FindNumber(figure, measure, base);
    const bool isRatio =
        ours && other && ours != other && *other->published != 0 && ours->factor == other->factor;
    return isRatio ? std::optional<double>(*ours->published / *other->published) : std::nullopt;
}

/** \return the panel for numbers of this unit, made if it is not there */
Chart::Panel&
FindRows(Chart& chart, const std::string& label, bool isChange)
{
    const auto found = std::find_if(chart.panels.begin(),
                                    chart.panels.end(),
                                    [&label](const auto& panel) { return panel.xLabel == label; });
    if (found != chart.panels.end())
    {
        return *found;
    }
    Chart::Panel panel;
    panel.kind = Chart::Kind::ROWS;
    panel.xLabel = label;
    panel.reference = isChange ? std::optional<double>(0) : std::nullopt;
    panel.series.push_back({"ours, with its 95 % interval", {}, {}, {}, {}});
    chart.panels.push_back(std::move(panel));
    return chart.panels.back();
}

} // namespace

void
MarkPublished(const PaperFigure& figure, const std::vector<SelectedSet>& sets, Chart& chart)
{
    std::vector<ResultSet> plain;
    for (const auto& set : sets)
    {
        plain.push_back(set.set);
    }
    const std::string first =
        plain.empty() || plain[0].values.empty() ? "" : plain[0].values.back().second;
    for (auto& panel : chart.panels)
    {
        const bool isOfSets = panel.kind == Chart::Kind::BARS && sets.size() > 1 &&
                              panel.series.size() == sets.size() &&
                              panel.measures.size() == panel.names.size();
        for (std::size_t s = 0; isOfSets && s < sets.size(); ++s)
        {
            const ResultSet* const base = FindBase(plain, plain[s], first);
            for (const auto& measure : panel.measures)
            {
                panel.series[s].marks.push_back(
                    base && base != &plain[s]
                        ? FindRatio(figure,
                                    measure,
                                    sets[s].selection,
                                    sets[static_cast<std::size_t>(base - plain.data())].selection)
                        : std::nullopt);
            }
        }
    }
}

Chart
ChartPublished(const std::vector<FigureNumbers>& figures, const std::string& title)
{
    Chart chart{title, "", {}};
    for (const auto& [figure, outcome] : figures)
    {
        for (std::size_t i = 0; i < figure->values.size(); ++i)
        {
            const auto& value = figure->values[i];
            const auto& ours = outcome->values[i].ours;
            if (!value.published || !ours)
            {
                continue;
            }
            const bool isChange = !value.over.empty();
            const double scale = isChange ? 100 : 1;
            Chart::Panel& panel = FindRows(chart,
                                           isChange             ? "change, %"
                                           : value.unit.empty() ? "value"
                                                                : value.unit,
                                           isChange);
            panel.names.push_back((figures.size() > 1 ? figure->number + " " : "") + value.name +
                                  FormatPlace(outcome->values[i]));
            auto& series = panel.series.front();
            series.y.emplace_back(scale * ours->mean);
            series.halfWidths.push_back(
                ours->halfWidth ? std::optional<double>(scale * *ours->halfWidth) : std::nullopt);
            series.texts.push_back(FormatVerdict(outcome->values[i]));
            series.marks.emplace_back(scale * *value.published);
        }
    }
    for (auto& panel : chart.panels)
    {
        SettleAxis(panel);
    }
    return chart;
}

} // namespace ns3::ddl
