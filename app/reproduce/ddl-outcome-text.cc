// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-outcome-text.h"

#include "app/scenario/ddl-home.h"
#include "app/text/ddl-markdown.h"
#include "app/text/ddl-text-table.h"

#include "ns3/ddl-csv-writer.h"

#include <boost/algorithm/string.hpp>
#include <cmath>
#include <iomanip>
#include <limits>
#include <map>
#include <set>
#include <sstream>

namespace ns3::ddl
{

namespace
{

/** \return a number with so many decimals; "+0.0" and "-0.0" are "0.0" */
std::string
Fixed(double number, int decimals, bool hasSign)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(decimals) << (hasSign ? std::showpos : std::noshowpos)
         << number;
    const std::string shown = text.str();
    return shown.find_first_of("123456789") == std::string::npos ? shown.substr(hasSign ? 1 : 0)
                                                                 : shown;
}

std::string
Percent(double fraction)
{
    return Fixed(fraction * 100, 1, true);
}

std::string
FormatSeeds(std::size_t count)
{
    return count == 0 ? "" : " (" + std::to_string(count) + (count == 1 ? " seed)" : " seeds)");
}

/** \return the verdict in a word or two: "met" */
std::string
FormatAgreement(Verdict verdict)
{
    static const std::map<Agreement, std::string> words{{Agreement::NONE, ""},
                                                        {Agreement::MET, "met"},
                                                        {Agreement::MISSED, "missed"},
                                                        {Agreement::UNDECIDED, "not decided"},
                                                        {Agreement::NOT_TESTED, "not recorded"}};
    return words.at(Conclude(verdict)) + (verdict == Verdict::OPPOSITE ? ", OPPOSITE SIGN" : "");
}

/** \return true if the tolerance alone has decided, as one seed has no interval */
bool
IsAlone(const ValueOutcome& outcome)
{
    const Agreement agreement = Conclude(outcome.verdict);
    const bool isJudged = agreement == Agreement::MET || agreement == Agreement::MISSED;
    return isJudged && outcome.ours && !outcome.ours->halfWidth;
}

/** \return table of a figure's published numbers and those that its `expected.csv` records */
std::string
FormatValueTable(const PaperFigure& figure)
{
    const FigureOutcome outcome = Recall(figure);
    std::set<std::string> sources;
    for (const auto& value : figure.values)
    {
        if (value.published)
        {
            sources.insert(value.source);
        }
    }
    const bool hasColumn = sources.size() > 1;
    const auto format = [hasColumn](std::vector<std::string> cells) {
        if (!hasColumn)
        {
            cells.erase(cells.begin() + 2);
        }
        return FormatMarkdownRow(cells);
    };
    const std::string where = sources.size() == 1 ? " (" + *sources.begin() + ")" : "";
    std::string table = format({"", "published" + where, "where", "ours", ""}) +
                        (hasColumn ? "|---|---|---|---|---|\n" : "|---|---|---|---|\n");
    for (std::size_t i = 0; i < figure.values.size(); ++i)
    {
        const FigureValue& value = figure.values[i];
        const ValueOutcome& recorded = outcome.values[i];
        if (value.published)
        {
            table += format(
                {value.name,
                 FormatPublished(value),
                 value.source,
                 FormatOurs(value, recorded),
                 FormatAgreement(recorded.verdict) + (IsAlone(recorded) ? "; no interval" : "")});
        }
    }
    return table;
}

} // namespace

std::string
FormatPublished(const FigureValue& value)
{
    if (!value.published)
    {
        return "-";
    }
    return (value.IsChange()
                ? Percent(*value.published) + " %"
                : FormatNumber(*value.published) + (value.unit.empty() ? "" : " ") + value.unit) +
           (value.isProgram ? " (program)" : "");
}

std::string
FormatOurs(const FigureValue& value, const ValueOutcome& outcome)
{
    if (!outcome.ours)
    {
        return "-";
    }
    const auto& width = outcome.ours->halfWidth;
    if (value.IsChange())
    {
        return Percent(outcome.ours->mean) + (width ? " ± " + Fixed(*width * 100, 1, false) : "") +
               " %" + FormatSeeds(outcome.ours->count);
    }
    return FormatNumber(outcome.ours->mean) + (width ? " ± " + FormatNumber(*width, 2) : "") +
           (value.unit.empty() ? "" : " ") + value.unit + FormatSeeds(outcome.ours->count);
}

std::string
FormatGap(const FigureValue& value, const ValueOutcome& outcome)
{
    if (!outcome.gap)
    {
        return "";
    }
    return Percent(*outcome.gap) + (value.IsChange() ? " points" : " %");
}

std::string
FormatPlace(const ValueOutcome& outcome)
{
    return outcome.at.empty() || !outcome.ours ? "" : " (at " + outcome.at + ")";
}

std::string
FormatVerdict(const ValueOutcome& outcome)
{
    static const std::map<Verdict, std::string> words{
        {Verdict::MISSING, "not run"},
        {Verdict::NOT_PUBLISHED, "no number in the paper"},
        {Verdict::WITHIN, "within our interval"},
        {Verdict::CLOSE, "within the tolerance"},
        {Verdict::UNDECIDED, "not decided: within our interval, and so is no change"},
        {Verdict::OUTSIDE, "outside our interval"},
        {Verdict::UNCERTAIN, "no change within our interval"},
        {Verdict::OPPOSITE, "OPPOSITE SIGN"}};
    return !IsAlone(outcome) ? words.at(outcome.verdict)
                             : (outcome.verdict == Verdict::OUTSIDE ? "outside the tolerance"
                                                                    : words.at(outcome.verdict)) +
                                   "; one seed, no interval";
}

std::string
FormatVerdict(OrderVerdict verdict)
{
    static const std::map<OrderVerdict, std::string> words{
        {OrderVerdict::MISSING, "not run"},
        {OrderVerdict::SAME, "same order"},
        {OrderVerdict::SAME_MEANS, "same order of means"},
        {OrderVerdict::TIED, "order not certain"},
        {OrderVerdict::DIFFERENT, "OTHER ORDER"}};
    return words.at(verdict);
}

std::string
FormatRatio(const Estimate& ratio)
{
    const bool isExact = !ratio.halfWidth || *ratio.halfWidth == 0;
    return Fixed(ratio.mean, 3, false) + (isExact ? "" : " ± " + Fixed(*ratio.halfWidth, 3, false));
}

std::string
FormatAscending(const OrderOutcome& outcome)
{
    std::vector<std::string> texts;
    for (const auto& [name, ratio] : outcome.ascending)
    {
        texts.push_back(name + " " + FormatRatio(ratio));
    }
    return texts.empty() ? "-" : boost::join(texts, " < ");
}

std::vector<std::string>
FindProblems(const PaperFigure& figure, const FigureOutcome& outcome)
{
    std::vector<std::string> problems;
    for (std::size_t i = 0; i < outcome.values.size(); ++i)
    {
        const auto& value = figure.values[i];
        if (outcome.values[i].verdict == Verdict::OPPOSITE)
        {
            problems.push_back(
                "The sign differs: " + value.name + " is " + FormatOurs(value, outcome.values[i]) +
                (value.isProgram ? ", " : ", published ") + FormatPublished(value) + ".");
        }
    }
    for (std::size_t i = 0; i < outcome.orders.size(); ++i)
    {
        const auto& order = outcome.orders[i];
        if (order.verdict == OrderVerdict::DIFFERENT || order.verdict == OrderVerdict::TIED)
        {
            const bool isCertain = order.verdict == OrderVerdict::DIFFERENT;
            problems.push_back((isCertain ? "The order differs: " : "The order is not certain: ") +
                               figure.orders[i].name + ": " + boost::join(order.swapped, ", ") +
                               ".");
        }
    }
    return problems;
}

std::string
FormatCounts(const std::multiset<Agreement>& agreements, const std::string& what)
{
    std::string text = std::to_string(agreements.count(Agreement::MET)) + " of " +
                       std::to_string(agreements.size()) + " " + what + " are met";
    for (const auto& [agreement, name] : {std::pair{Agreement::MISSED, "missed"},
                                          std::pair{Agreement::UNDECIDED, "not decided"},
                                          std::pair{Agreement::NOT_TESTED, "not run"}})
    {
        const std::size_t count = agreements.count(agreement);
        text += count > 0 ? ", " + std::to_string(count) + " " + name : "";
    }
    return text;
}

std::string
FormatExpected(const PaperFigure& figure, FigureVariant variant, const FigureOutcome& outcome)
{
    CsvWriter csv("variant,value,expected,tolerance,ci95,source");
    for (std::size_t i = 0; i < figure.values.size(); ++i)
    {
        const auto& ours = outcome.values[i].ours;
        if (!ours)
        {
            continue;
        }
        bool isRecorded = !figure.values[i].published;
        const auto add = [&](const FigureExpectation& row) {
            const bool isBound = std::isfinite(row.tolerance);
            const bool isOurs = !isBound || row.source.find("regression only") != std::string::npos;
            isRecorded |= isOurs;
            csv.Cell(GetVariantName(row.isFull ? FigureVariant::FULL : variant))
                .Cell(figure.values[i].name)
                .Cell(isOurs ? FormatSignificant(ours->mean, 4) : FormatReal(row.expected))
                .Cell(isBound ? FormatReal(row.tolerance) : "")
                .Cell(isOurs && ours->halfWidth ? FormatSignificant(*ours->halfWidth, 2) : "")
                .Cell(row.source);
            csv.EndRow();
        };
        for (const auto& row : figure.expected)
        {
            if (row.value == i)
            {
                add(row);
            }
        }
        if (!isRecorded)
        {
            add({i, 0, std::numeric_limits<double>::infinity(), "measured"});
        }
    }
    return csv.GetText();
}

std::string
RenewValueTables(const std::string& page)
{
    return RenewParts(page, "values", [](const std::string& figure) {
        const std::string folder = GetHome() + "/scenarios/" + figure;
        return FormatValueTable(ReadPaperFigure(folder, FigureVariant::FULL));
    });
}

} // namespace ns3::ddl
