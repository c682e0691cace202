// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-outcome-text.h"

#include "app/text/ddl-text-table.h"

#include <boost/algorithm/string.hpp>
#include <iomanip>
#include <map>
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

bool
IsChange(const FigureValue& value)
{
    return !value.over.empty();
}

std::string
FormatSeeds(std::size_t count)
{
    return " (" + std::to_string(count) + (count == 1 ? " seed)" : " seeds)");
}

} // namespace

std::string
FormatPublished(const FigureValue& value)
{
    if (!value.published)
    {
        return "-";
    }
    return (IsChange(value)
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
    if (IsChange(value))
    {
        return Percent(outcome.ours->mean) + (width ? " ± " + Fixed(*width * 100, 1, false) : "") +
               " %" + FormatSeeds(outcome.replications);
    }
    return FormatNumber(outcome.ours->mean) + (width ? " ± " + FormatNumber(*width, 2) : "") +
           (value.unit.empty() ? "" : " ") + value.unit + FormatSeeds(outcome.replications);
}

std::string
FormatGap(const FigureValue& value, const ValueOutcome& outcome)
{
    if (!outcome.gap)
    {
        return "";
    }
    return Percent(*outcome.gap) + (IsChange(value) ? " points" : " %");
}

std::string
FormatPlace(const ValueOutcome& outcome)
{
    return outcome.at.empty() || !outcome.ours ? "" : " (at " + outcome.at + ")";
}

std::string
FormatVerdict(const ValueOutcome& outcome)
{
    const bool isAlone = outcome.ours && !outcome.ours->halfWidth;
    static const std::map<Verdict, std::string> words{
        {Verdict::MISSING, "not run"},
        {Verdict::NOT_PUBLISHED, "no number in the paper"},
        {Verdict::WITHIN, "within our interval"},
        {Verdict::CLOSE, "within the tolerance"},
        {Verdict::UNDECIDED, "not decided: within our interval, and so is no change"},
        {Verdict::OUTSIDE, "outside our interval"},
        {Verdict::UNCERTAIN, "no change within our interval"},
        {Verdict::OPPOSITE, "OPPOSITE SIGN"}};
    const std::string word = isAlone && outcome.verdict == Verdict::OUTSIDE
                                 ? "outside the tolerance"
                                 : words.at(outcome.verdict);
    const bool isJudged = Conclude(outcome.verdict) == Agreement::MET ||
                          Conclude(outcome.verdict) == Agreement::MISSED;
    return word + (isAlone && isJudged ? "; one seed, no interval" : "");
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
FormatCounts(const AgreementCounts& counts, const std::string& what)
{
    std::string text = std::to_string(counts.met) + " of " + std::to_string(counts.GetSum()) + " " +
                       what + " are met";
    for (const auto& [count, name] :
         std::vector<std::pair<std::size_t, std::string>>{{counts.missed, "missed"},
                                                          {counts.undecided, "not decided"},
                                                          {counts.notTested, "not run"}})
    {
        text += count > 0 ? ", " + std::to_string(count) + " " + name : "";
    }
    return text;
}

} // namespace ns3::ddl
