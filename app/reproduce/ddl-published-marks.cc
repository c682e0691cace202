// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-published-marks.h"

#include "ddl-outcome-text.h"

#include <algorithm>
#include <cctype>

namespace ns3::ddl
{

namespace
{

/** \return ending of a column's name: "_percent" for "change, %", "_s" for "s" */
std::string
NameUnit(const std::string& label, bool isChange)
{
    if (isChange || label == "%")
    {
        return "_percent";
    }
    std::string name = label == "value" ? "" : "_" + label;
    for (char& c : name)
    {
        c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    }
    return name;
}

/** Make an axis logarithmic if all its values are positive, and far apart; name what is drawn. */
void
SettlePanel(Chart::Panel& panel)
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
    panel.x.isLogarithmic = !panel.reference && IsWide(*least, *most);
    panel.series.front().name =
        HasAny(panel, &Chart::Series::halfWidths) ? "ours, with its 95 % interval" : "ours";
}

/** \return the published value of a measure of some runs, not as a change; null if there is none */
const FigureValue*
FindNumber(const PaperFigure& figure, const Measure& measure, const Selection& runs)
{
    const auto found =
        std::find_if(figure.values.begin(), figure.values.end(), [&](const FigureValue& value) {
            return value.published && value.sweep.empty() && !value.IsChange() &&
                   !value.of.empty() && value.measure == measure && Matches(value.of, runs);
        });
    return found == figure.values.end() ? nullptr : &*found;
}

/** A published ratio. */
struct PublishedRatio
{
    double value;
    bool isProgram; //!< the authors' program gives it, not the paper
};

/** \return the published ratio of a measure of some runs to that of others */
std::optional<PublishedRatio>
FindRatio(const PaperFigure& figure,
          const Measure& measure,
          const Selection& runs,
          const Selection& base)
{
    for (const auto& value : figure.values)
    {
        if (value.published && value.sweep.empty() && value.IsChange() &&
            value.measure == measure && Matches(value.of, runs) && Matches(value.over, base))
        {
            return PublishedRatio{1 + *value.published, value.isProgram};
        }
    }
    const FigureValue* const ours = FindNumber(figure, measure, runs);
    const FigureValue* const other = FindNumber(figure, measure, base);
    const bool isRatio =
        ours && other && ours != other && *other->published != 0 && ours->factor == other->factor;
    return isRatio ? std::optional<PublishedRatio>({*ours->published / *other->published,
                                                    ours->isProgram || other->isProgram})
                   : std::nullopt;
}

/** \return the panel for numbers in the unit of a value; a new one if there is none */
Chart::Panel&
FindRows(Chart& chart, const FigureValue& value)
{
    const std::string label = value.IsChange()     ? "change, %"
                              : value.unit.empty() ? "value"
                                                   : value.unit;
    const auto found = std::find_if(chart.panels.begin(),
                                    chart.panels.end(),
                                    [&label](const auto& panel) { return panel.x.label == label; });
    if (found != chart.panels.end())
    {
        return *found;
    }
    Chart::Panel panel;
    panel.kind = Chart::Kind::ROWS;
    panel.x = {label, "", "ours" + NameUnit(label, value.IsChange())};
    panel.reference = value.IsChange() ? std::optional<double>(0) : std::nullopt;
    panel.series.emplace_back();
    chart.panels.push_back(std::move(panel));
    return chart.panels.back();
}

} // namespace

void
AddPublished(const PaperFigure& figure, std::vector<SelectedSet>& sets)
{
    std::vector<Measure> measures;
    for (const auto& value : figure.values)
    {
        if (std::find(measures.begin(), measures.end(), value.measure) == measures.end())
        {
            measures.push_back(value.measure);
        }
    }
    for (auto& ours : sets)
    {
        for (const auto& measure : measures)
        {
            if (const auto* number = FindNumber(figure, measure, ours.selection))
            {
                ours.set.published.push_back(
                    {measure, "", *number->published / number->factor, number->isProgram});
            }
            for (const auto& other : sets)
            {
                const auto ratio =
                    &other == &ours ? std::nullopt
                                    : FindRatio(figure, measure, ours.selection, other.selection);
                if (ratio)
                {
                    ours.set.published.push_back(
                        {measure, other.set.label, ratio->value, ratio->isProgram});
                }
            }
        }
    }
}

Chart
ChartPublished(const PaperFigure& figure, const FigureOutcome& outcome)
{
    bool hasPaper = false;
    bool hasProgram = false;
    for (const auto& value : figure.values)
    {
        hasPaper = hasPaper || (value.published && !value.isProgram);
        hasProgram = hasProgram || value.isProgram;
    }
    Chart chart;
    chart.mark = NameMarks(hasPaper, hasProgram);
    chart.title = figure.number + ": " + (hasPaper ? "published" : chart.mark) + " and ours";
    for (std::size_t i = 0; i < figure.values.size(); ++i)
    {
        const auto& value = figure.values[i];
        const auto& ours = outcome.values[i].ours;
        if (!value.published || !ours)
        {
            continue;
        }
        const double scale = value.IsChange() ? 100 : 1;
        Chart::Panel& panel = FindRows(chart, value);
        panel.names.push_back(value.name + FormatPlace(outcome.values[i]) +
                              (value.isProgram && hasPaper ? " (program)" : ""));
        auto& series = panel.series.front();
        series.y.emplace_back(scale * ours->mean);
        series.halfWidths.push_back(
            ours->halfWidth ? std::optional<double>(scale * *ours->halfWidth) : std::nullopt);
        series.texts.push_back(FormatVerdict(outcome.values[i]));
        series.marks.emplace_back(scale * *value.published);
    }
    for (auto& panel : chart.panels)
    {
        SettlePanel(panel);
    }
    return chart;
}

} // namespace ns3::ddl
