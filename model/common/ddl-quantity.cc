// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-quantity.h"

#include "ddl-error.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <locale>
#include <sstream>
#include <vector>

namespace ns3::ddl
{

namespace
{

struct Unit
{
    std::string name;
    double factor; //!< base units per this unit; a whole number below 2^53, so exact
};

/** A kind of quantity and its units, the base unit first. */
struct Kind
{
    std::string name;    //!< what an error message calls it: "a rate"
    std::string example; //!< a quantity for error messages: "10Gbps"
    std::vector<Unit> units;
    bool hasSign; //!< whether numbers may have a sign and an exponent
};

constexpr long double TWO_TO_63 = 9223372036854775808.0L;
constexpr double KI = 1024;
constexpr double MI = KI * KI;
constexpr double GI = KI * MI;

const Kind&
Rates()
{
    static const std::vector<Unit> units{
        {"bps", 1},       {"b/s", 1},    {"Bps", 8},    {"B/s", 8},        {"kbps", 1e3},
        {"kb/s", 1e3},    {"Kbps", 1e3}, {"Kb/s", 1e3}, {"kBps", 8e3},     {"kB/s", 8e3},
        {"KBps", 8e3},    {"KB/s", 8e3}, {"Kib/s", KI}, {"KiB/s", 8 * KI}, {"Mbps", 1e6},
        {"Mb/s", 1e6},    {"MBps", 8e6}, {"MB/s", 8e6}, {"Mib/s", MI},     {"MiB/s", 8 * MI},
        {"Gbps", 1e9},    {"Gb/s", 1e9}, {"GBps", 8e9}, {"GB/s", 8e9},     {"Gib/s", GI},
        {"GiB/s", 8 * GI}};
    static const Kind kind{"a rate", "10Gbps", units, false};
    return kind;
}

const Kind&
Durations()
{
    static const std::vector<Unit> units{{"ns", 1},
                                         {"us", 1e3},
                                         {"ms", 1e6},
                                         {"s", 1e9},
                                         {"min", 60e9},
                                         {"h", 3600e9},
                                         {"d", 86400e9},
                                         {"y", 365 * 86400e9},
                                         {"ps", 1e-3},
                                         {"fs", 1e-6}};
    static const Kind kind{"a time", "5us", units, true};
    return kind;
}

const Kind&
Sizes()
{
    static const std::vector<Unit> units{{"B", 1},
                                         {"kB", 1e3},
                                         {"KB", 1e3},
                                         {"MB", 1e6},
                                         {"GB", 1e9},
                                         {"TB", 1e12},
                                         {"KiB", KI},
                                         {"MiB", MI},
                                         {"GiB", GI},
                                         {"TiB", MI * MI}};
    static const Kind kind{"a size", "250MB", units, true};
    return kind;
}

/** \return length of the number, digits[.digits][exponent], that the text begins with, or 0 */
std::size_t
NumberLength(const std::string& text, bool hasSign)
{
    const auto skipDigits = [&text](std::size_t at) {
        return std::min(text.find_first_not_of("0123456789", at), text.size());
    };
    const std::size_t begin = hasSign && text[0] == '-' ? 1 : 0;
    std::size_t end = skipDigits(begin);
    if (end == begin)
    {
        return 0;
    }
    if (text[end] == '.' && skipDigits(end + 1) > end + 1)
    {
        end = skipDigits(end + 1);
    }
    if (hasSign && (text[end] == 'e' || text[end] == 'E'))
    {
        const std::size_t digits = end + (text[end + 1] == '-' || text[end + 1] == '+' ? 2 : 1);
        end = skipDigits(digits) > digits ? skipDigits(digits) : end;
    }
    return end;
}

/** \return value of a number that NumberLength() has measured, whatever the locale */
std::optional<long double>
ToNumber(const std::string& digits)
{
    std::istringstream stream(digits);
    stream.imbue(std::locale::classic());
    long double number = 0;
    stream >> number;
    return stream.fail() || !std::isfinite(number) ? std::nullopt : std::make_optional(number);
}

bool
IsSameButCase(const std::string& a, const std::string& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
        return std::tolower(x) == std::tolower(y);
    });
}

/** \return the nearest legal unit (by case, a space before it, edit distance), or "" */
std::string
NearestUnit(const std::string& unit, const std::vector<std::string>& names)
{
    const std::string trimmed = unit.substr(std::min(unit.find_first_not_of(' '), unit.size()));
    const std::string nearest = NearestName(trimmed, names);
    const auto sameLetters = std::find_if(names.begin(), names.end(), [&](const auto& name) {
        return IsSameButCase(name, trimmed);
    });
    return nearest == trimmed || sameLetters == names.end() ? nearest : *sameLetters;
}

/** \return complaint about a unit that is missing or unknown */
std::string
ExplainUnit(const Kind& kind, const std::string& number, const std::string& unit)
{
    std::vector<std::string> names;
    for (const auto& known : kind.units)
    {
        names.push_back(known.name);
    }
    const std::string allowed = " (units: " + JoinNames(names) + ")";
    if (unit.empty())
    {
        return QuoteText(number) + " has no unit; write " + kind.name + " like \"" + kind.example +
               "\"" + allowed;
    }
    const std::string nearest = NearestUnit(unit, names);
    return QuoteText(number + unit) + " is not " + kind.name + allowed +
           (nearest.empty() ? "" : "; did you mean " + QuoteText(number + nearest) + "?");
}

/** \return the quantity in the kind's base unit */
std::optional<long double>
ParseScaled(const Kind& kind, const std::string& text, std::string& problem)
{
    const std::size_t length = NumberLength(text, kind.hasSign);
    if (length == 0)
    {
        problem = QuoteText(text) + " is not " + kind.name + "; write a number and a unit, \"" +
                  kind.example + "\"";
        return std::nullopt;
    }
    const std::string number = text.substr(0, length);
    const auto unit = std::find_if(kind.units.begin(), kind.units.end(), [&](const Unit& u) {
        return u.name == text.substr(length);
    });
    if (unit == kind.units.end())
    {
        problem = ExplainUnit(kind, number, text.substr(length));
        return std::nullopt;
    }
    const auto value = ToNumber(number);
    if (!value || std::abs(*value * unit->factor) >= TWO_TO_63)
    {
        problem =
            QuoteText(text) + " is too large (less than 2^63 " + kind.units.front().name + ")";
        return std::nullopt;
    }
    return *value * unit->factor;
}

/** \return a value as a number and a unit, the largest of which it is a whole multiple. \param
 * units all units, the base unit first */
std::string
Format(uint64_t value, const std::vector<Unit>& units)
{
    const Unit* largest = &units.front();
    for (const auto& unit : units)
    {
        const bool isWhole = value % static_cast<uint64_t>(unit.factor) == 0;
        if (value != 0 && isWhole && unit.factor > largest->factor)
        {
            largest = &unit;
        }
    }
    return std::to_string(value / static_cast<uint64_t>(largest->factor)) + largest->name;
}

} // namespace

std::optional<DataRate>
ParseRate(const std::string& text, std::string& problem)
{
    const auto bps = ParseScaled(Rates(), text, problem);
    return bps ? std::make_optional(DataRate(static_cast<uint64_t>(std::round(*bps))))
               : std::nullopt;
}

std::optional<Time>
ParseDuration(const std::string& text, std::string& problem)
{
    const auto ns = ParseScaled(Durations(), text, problem);
    if (!ns)
    {
        return std::nullopt;
    }
    const Time time(text); // ns-3's own rounding to its resolution
    if (time.IsZero() && *ns != 0)
    {
        problem = QuoteText(text) + " is less than the simulator can tell from 0 (its resolution)";
        return std::nullopt;
    }
    return time;
}

std::optional<uint64_t>
ParseBytes(const std::string& text, std::string& problem)
{
    constexpr long double ROUNDING = 1e-3; // "4.35kB" is 4350 B, though 4.35 is no binary fraction
    const auto bytes = ParseScaled(Sizes(), text, problem);
    if (!bytes)
    {
        return std::nullopt;
    }
    if (*bytes < 0)
    {
        problem = QuoteText(text) + " is negative";
        return std::nullopt;
    }
    if (std::abs(*bytes - std::round(*bytes)) > ROUNDING)
    {
        problem = QuoteText(text) + " is not a whole number of bytes";
        return std::nullopt;
    }
    return static_cast<uint64_t>(std::round(*bytes));
}

std::optional<double>
ParseNumber(const std::string& text, std::string& problem)
{
    const std::size_t length = NumberLength(text, true);
    const auto number = length > 0 && length == text.size() ? ToNumber(text) : std::nullopt;
    if (!number || std::abs(*number) > std::numeric_limits<double>::max())
    {
        problem = QuoteText(text) +
                  (length > 0 && length == text.size() ? " is too large" : " is not a number");
        return std::nullopt;
    }
    return static_cast<double>(*number);
}

std::string
FormatRate(DataRate rate)
{
    return Format(rate.GetBitRate(), {{"bps", 1}, {"kbps", 1e3}, {"Mbps", 1e6}, {"Gbps", 1e9}});
}

std::string
FormatDuration(Time time)
{
    const int64_t ns = time.GetNanoSeconds();
    const uint64_t magnitude = ns < 0 ? -static_cast<uint64_t>(ns) : ns;
    return (ns < 0 ? "-" : "") +
           Format(magnitude, {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}});
}

std::string
FormatBytes(uint64_t bytes)
{
    return Format(bytes, Sizes().units);
}

Time
RoundSteps(double steps)
{
    const Time most = Time::Max() / 2;
    return steps < most.GetDouble() ? TimeStep(std::llround(steps)) : most;
}

} // namespace ns3::ddl
