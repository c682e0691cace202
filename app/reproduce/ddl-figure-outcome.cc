// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-figure-outcome.h"

#include "app/text/ddl-text-table.h"
#include "ddl-paper.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

namespace ns3::ddl
{

namespace
{

const ResultSet*
Find(const std::vector<SelectedSet>& sets, const Selection& wanted)
{
    const auto found = std::find_if(sets.begin(), sets.end(), [&wanted](const SelectedSet& set) {
        return Matches(wanted, set.selection);
    });
    return found == sets.end() ? nullptr : &found->set;
}

/** \return the measured change of \p of against \p over, as a fraction */
std::optional<Estimate>
MeasureChange(const FigureValue& value, const ResultSet& of, const ResultSet& over)
{
    auto change = EstimateRatio(ReadMeasure(of, value.measure), ReadMeasure(over, value.measure));
    if (change)
    {
        change->mean -= 1;
    }
    return change;
}

/** \return the measured value itself, in its unit */
std::optional<Estimate>
MeasureItself(const FigureValue& value, const ResultSet& of)
{
    Replications ours = ReadMeasure(of, value.measure);
    for (auto& number : ours)
    {
        number = number ? std::optional<double>(*number * value.factor) : std::nullopt;
    }
    return EstimateMean(ours);
}

ValueOutcome
MeasureOne(const FigureValue& value,
           const std::vector<SelectedSet>& sets,
           const Selection& of,
           const Selection& over)
{
    const ResultSet* ours = Find(sets, of);
    const ResultSet* base = value.IsChange() ? Find(sets, over) : nullptr;
    if (!ours || (!base && value.IsChange()))
    {
        return {};
    }
    ValueOutcome outcome;
    outcome.ours = base ? MeasureChange(value, *ours, *base) : MeasureItself(value, *ours);
    return outcome;
}

/** \return the least or greatest measured value over all values of the sweep's key */
ValueOutcome
MeasureSweep(const PaperFigure& figure,
             const FigureValue& value,
             const std::vector<SelectedSet>& sets)
{
    ValueOutcome best;
    for (const auto& at : ListValues(figure, value.sweep))
    {
        const Selection over = WithDefault(value.over, value.sweep, at);
        ValueOutcome outcome = MeasureOne(value,
                                          sets,
                                          With(value.of, value.sweep, at),
                                          Find(sets, over) ? over : value.over);
        outcome.at = NameValue(figure, at);
        const bool isBetter =
            outcome.ours &&
            (!best.ours || (value.isGreatest ? outcome.ours->mean > best.ours->mean
                                             : outcome.ours->mean < best.ours->mean));
        best = isBetter ? outcome : best;
    }
    return best;
}

Verdict
Judge(const FigureValue& value, const Estimate& ours)
{
    if (!value.published)
    {
        return Verdict::NOT_PUBLISHED;
    }
    const double published = *value.published;
    const double tolerance = GetTolerance(value);
    const double gap = std::abs(ours.mean - published);
    const bool mayBeNone =
        value.IsChange() && ours.halfWidth && std::abs(ours.mean) <= *ours.halfWidth;
    if (ours.halfWidth && gap <= *ours.halfWidth)
    {
        return mayBeNone && std::abs(published) > tolerance ? Verdict::UNDECIDED : Verdict::WITHIN;
    }
    if (gap <= tolerance)
    {
        return Verdict::CLOSE;
    }
    if (mayBeNone)
    {
        return Verdict::UNCERTAIN;
    }
    return value.IsChange() && ours.mean * published < 0 ? Verdict::OPPOSITE : Verdict::OUTSIDE;
}

/** \return the outcome with its gap and verdict, if the value was measured */
ValueOutcome
Judged(const FigureValue& value, ValueOutcome outcome)
{
    if (!outcome.ours)
    {
        return outcome;
    }
    outcome.verdict = Judge(value, *outcome.ours);
    if (value.published)
    {
        const double difference = outcome.ours->mean - *value.published;
        const bool isRelative = !value.IsChange() && *value.published != 0;
        outcome.gap = isRelative ? difference / *value.published : difference;
    }
    return outcome;
}

/** Note the pairs whose measured order is the reverse of the published one. */
void
FindSwapped(const FigureOrder& order,
            const std::vector<Replications>& measured,
            OrderOutcome& outcome)
{
    outcome.verdict = OrderVerdict::SAME;
    for (std::size_t low = 0; low < measured.size(); ++low)
    {
        for (std::size_t high = low + 1; high < measured.size(); ++high)
        {
            const auto ratio = EstimateRatio(measured[high], measured[low]);
            const bool isSwapped = ratio && ratio->mean < 1;
            const bool isCertain =
                ratio && ratio->halfWidth && std::abs(ratio->mean - 1) > *ratio->halfWidth;
            if (isSwapped)
            {
                outcome.swapped.push_back(order.ascending[high] + " before " +
                                          order.ascending[low]);
            }
            const OrderVerdict verdict = isSwapped && isCertain ? OrderVerdict::DIFFERENT
                                         : isSwapped            ? OrderVerdict::TIED
                                         : isCertain            ? OrderVerdict::SAME
                                                                : OrderVerdict::SAME_MEANS;
            outcome.verdict = std::max(outcome.verdict, verdict); // the worst pair counts
        }
    }
}

OrderOutcome
EvaluateOrder(const PaperFigure& figure,
              const FigureOrder& order,
              const std::vector<SelectedSet>& sets)
{
    std::vector<Replications> measured;
    for (const auto& name : order.ascending)
    {
        const ResultSet* set = Find(sets, With(order.of, order.key, ExpandName(figure, name)));
        measured.push_back(set ? ReadMeasure(*set, order.measure) : Replications{});
    }
    OrderOutcome outcome;
    for (std::size_t i = 0; i < measured.size(); ++i)
    {
        const auto ratio = EstimateRatio(measured[i], measured.back());
        if (!ratio)
        {
            return {};
        }
        outcome.ascending.emplace_back(order.ascending[i], *ratio);
    }
    std::stable_sort(outcome.ascending.begin(),
                     outcome.ascending.end(),
                     [](const auto& a, const auto& b) { return a.second.mean < b.second.mean; });
    FindSwapped(order, measured, outcome);
    return outcome;
}

/** \return results of a comparison; the label has all settings that some comparison varies */
SelectedSet
Select(const PaperFigure& figure, const FigureComparison& comparison, ResultSet set)
{
    Selection selection = GetSettings(comparison);
    for (auto& [key, value] : set.values)
    {
        selection[key] = value;
        value = NameValue(figure, value);
    }
    set.label = LabelValues(set.values);
    std::string before;
    for (const auto& [key, value] : comparison.settings)
    {
        if (!ListValues(figure, key).empty())
        {
            set.values.emplace_back(key, NameValue(figure, value));
            before += set.values.back().second + ", ";
        }
    }
    set.label = before + set.label;
    return {comparison.name, selection, set.label, set};
}

/** Add the names of their comparisons to the labels of sets with equal labels. */
void
TellApart(std::vector<SelectedSet>& sets)
{
    std::map<std::string, std::size_t> counts;
    for (const auto& one : sets)
    {
        ++counts[one.set.label];
    }
    for (auto& one : sets)
    {
        if (counts.at(one.set.label) > 1)
        {
            one.set.label =
                one.set.values.empty() ? one.comparison : one.comparison + ", " + one.set.label;
        }
    }
}

} // namespace

Agreement
Conclude(Verdict verdict)
{
    switch (verdict)
    {
    case Verdict::MISSING:
        return Agreement::NOT_TESTED;
    case Verdict::NOT_PUBLISHED:
        return Agreement::NONE;
    case Verdict::WITHIN:
    case Verdict::CLOSE:
        return Agreement::MET;
    case Verdict::UNDECIDED:
        return Agreement::UNDECIDED;
    default:
        return Agreement::MISSED;
    }
}

Agreement
Conclude(OrderVerdict verdict)
{
    switch (verdict)
    {
    case OrderVerdict::MISSING:
        return Agreement::NOT_TESTED;
    case OrderVerdict::SAME:
    case OrderVerdict::SAME_MEANS:
        return Agreement::MET;
    case OrderVerdict::TIED:
        return Agreement::UNDECIDED;
    default:
        return Agreement::MISSED;
    }
}

double
GetTolerance(const FigureValue& value)
{
    constexpr double POINT = 0.01;
    constexpr double SHARE = 0.02;
    return value.tolerance    ? *value.tolerance
           : value.IsChange() ? POINT
                              : SHARE * std::abs(value.published.value_or(0));
}

std::filesystem::path
GetComparisonFolder(const std::filesystem::path& results,
                    const PaperFigure& figure,
                    const FigureComparison& comparison)
{
    return results / (comparison.from.empty() ? figure.folder : comparison.from) /
           comparison.folder;
}

bool
HasResults(const std::filesystem::path& results, const PaperFigure& figure)
{
    return std::all_of(figure.comparisons.begin(),
                       figure.comparisons.end(),
                       [&](const FigureComparison& comparison) {
                           const auto folder = GetComparisonFolder(results, figure, comparison);
                           return std::filesystem::exists(folder / "compare.csv");
                       });
}

std::vector<SelectedSet>
OpenFigureResults(const std::filesystem::path& results, const PaperFigure& figure)
{
    std::vector<SelectedSet> all;
    for (const auto& comparison : figure.comparisons)
    {
        const auto folder = GetComparisonFolder(results, figure, comparison);
        if (!std::filesystem::exists(folder / "compare.csv"))
        {
            continue;
        }
        // A call for another variant may have left more combinations and seeds, or fewer.
        const auto wanted = ListCombinations(comparison);
        for (const auto& set : OpenResults({folder.string()}))
        {
            SelectedSet selected = Select(figure, comparison, set);
            if (std::find(wanted.begin(), wanted.end(), selected.selection) != wanted.end())
            {
                auto& runs = selected.set.folders;
                runs.resize(std::min<std::size_t>(runs.size(), comparison.seeds));
                all.push_back(selected);
            }
        }
    }
    TellApart(all);
    return all;
}

FigureOutcome
Evaluate(const PaperFigure& figure, const std::vector<SelectedSet>& sets)
{
    FigureOutcome outcome;
    for (const auto& value : figure.values)
    {
        outcome.values.push_back(Judged(value,
                                        value.sweep.empty()
                                            ? MeasureOne(value, sets, value.of, value.over)
                                            : MeasureSweep(figure, value, sets)));
    }
    for (const auto& order : figure.orders)
    {
        outcome.orders.push_back(EvaluateOrder(figure, order, sets));
    }
    return outcome;
}

FigureOutcome
Recall(const PaperFigure& figure)
{
    FigureOutcome outcome;
    outcome.values.resize(figure.values.size());
    for (const auto& row : figure.expected)
    {
        ValueOutcome recorded;
        recorded.ours = Estimate{row.expected, row.halfWidth};
        outcome.values.at(row.value) = Judged(figure.values.at(row.value), recorded);
    }
    return outcome;
}

std::vector<std::string>
FindMissed(const PaperFigure& figure, const FigureOutcome& outcome)
{
    std::vector<std::string> missed;
    for (const auto& row : figure.expected)
    {
        const auto& ours = outcome.values.at(row.value).ours;
        if (!ours || std::abs(ours->mean - row.expected) > row.tolerance)
        {
            missed.push_back(figure.values.at(row.value).name + " is " +
                             (ours ? FormatNumber(ours->mean) : "not measured") + ", expected " +
                             FormatNumber(row.expected) + " within " + FormatNumber(row.tolerance) +
                             " (" + row.source + ").");
        }
    }
    return missed;
}

} // namespace ns3::ddl
