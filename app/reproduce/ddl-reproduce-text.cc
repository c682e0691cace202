// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-reproduce-text.h"

#include "app/text/ddl-text-table.h"

#include <iomanip>
#include <sstream>

namespace ns3
{
namespace ddl
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
    return IsChange(value)
               ? Percent(*value.published) + " %"
               : FormatNumber(*value.published) + (value.unit.empty() ? "" : " ") + value.unit;
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
FormatVerdict(Verdict verdict)
{
    switch (verdict)
    {
    case Verdict::MISSING:
        return "not run";
    case Verdict::NOT_PUBLISHED:
        return "no number in the paper";
    case Verdict::WITHIN:
        return "within our interval";
    case Verdict::SAME_SIGN:
        return "outside our interval";
    case Verdict::UNCERTAIN:
        return "no change within our interval";
    case Verdict::OPPOSITE:
        return "OPPOSITE SIGN";
    }
    return "";
}

std::string
FormatVerdict(OrderVerdict verdict)
{
    switch (verdict)
    {
    case OrderVerdict::MISSING:
        return "not run";
    case OrderVerdict::SAME:
        return "same order";
    case OrderVerdict::SAME_MEANS:
        return "same order of means";
    case OrderVerdict::TIED:
        return "order not certain";
    case OrderVerdict::DIFFERENT:
        return "OTHER ORDER";
    }
    return "";
}

std::string
FormatAscending(const OrderOutcome& outcome)
{
    std::vector<std::string> texts;
    for (const auto& [name, ratio] : outcome.ascending)
    {
        texts.push_back(name + " " + FormatRatio(ratio));
    }
    return texts.empty() ? "-" : Join(texts, " < ");
}

std::string
FormatRatio(const Estimate& ratio)
{
    const bool isExact = !ratio.halfWidth || *ratio.halfWidth == 0;
    return Fixed(ratio.mean, 3, false) + (isExact ? "" : " ± " + Fixed(*ratio.halfWidth, 3, false));
}

std::string
Join(const std::vector<std::string>& texts, const std::string& separator)
{
    std::string all;
    for (const auto& text : texts)
    {
        all += (all.empty() ? "" : separator) + text;
    }
    return all;
}

std::string
EscapeCell(const std::string& text)
{
    std::string escaped;
    for (const char c : text)
    {
        escaped += c == '|' ? "\\|" : std::string(1, c);
    }
    return escaped;
}

} // namespace ddl
} // namespace ns3
