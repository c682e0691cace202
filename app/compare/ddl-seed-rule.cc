// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-seed-rule.h"

#include "ns3/abort.h"
#include "ns3/ddl-attribute-check.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-metric.h"
#include "ns3/ddl-quantity.h"
#include "ns3/ddl-statistics.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3::ddl
{

namespace
{

constexpr double ERROR = 0.05;       //!< of an interval of 95 %
constexpr double LATE_SEEDS = 3.5;   //!< seeds that looking again and again costs, see LookAt
constexpr double EQUAL = 1e-6;       //!< a ratio this near to 1 is 1: summaries have nine digits
constexpr double MOST_PERCENT = 100; //!< an interval this wide says nothing
const std::string FORMS = "METRIC<=X%, as in 'sct_s<=2%', sign, or sign:METRIC";

[[noreturn]] void
Complain(const std::string& text, const std::string& what)
{
    throw InputError({{"--until=" + text, "", what}});
}

/** Check the name of a metric. \throws InputError with the menu */
void
CheckMetric(const std::string& text, const std::string& name)
{
    std::vector<std::string> names;
    for (const auto& metric : ListComparedMetrics())
    {
        names.push_back(metric.name);
    }
    if (std::find(names.begin(), names.end(), name) == names.end())
    {
        Complain(text,
                 "there is no metric \"" + name + "\" (one of " + JoinNames(names) + ")" +
                     SuggestName(name, names, ""));
    }
}

/** \return the share that a percentage is. \throws InputError when it is none above 0 */
double
ParsePercentage(const std::string& text, const std::string& percentage)
{
    std::string problem;
    const bool isPercentage = !percentage.empty() && percentage.back() == '%';
    const auto number = isPercentage
                            ? ParseNumber(percentage.substr(0, percentage.size() - 1), problem)
                            : std::nullopt;
    if (!number || *number <= 0 || *number > MOST_PERCENT)
    {
        Complain(text, "\"" + percentage + "\" is not a percentage above 0 and up to 100, as 2%");
    }
    return *number / 100;
}

/** \return mean of the ratios */
double
Average(const std::vector<double>& ratios)
{
    return EstimateMean(ratios).mean;
}

/** \return half of Student's interval, widened for having looked more than once */
double
GetFixedWidth(const std::vector<double>& ratios)
{
    const Estimate estimate = EstimateMean(ratios);
    return *estimate.halfWidth * std::sqrt(1 + LATE_SEEDS / static_cast<double>(ratios.size()));
}

/** \return half of the interval that holds at all looks; infinite from too few ratios */
double
GetAnytimeWidth(const std::vector<double>& ratios)
{
    const auto n = static_cast<double>(ratios.size());
    const double standardError = *EstimateMean(ratios).halfWidth / StudentT975(ratios.size() - 1);
    // the t at which the likelihood ratio is 1 / ERROR: with a = t^2 / (n - 1) and
    // q = (sqrt(1 + n) / ERROR)^(2/n), it solves (1 + a) = q (1 + a / (1 + n))
    const double q = std::pow(std::sqrt(1 + n) / ERROR, 2 / n);
    if (q >= 1 + n)
    {
        return INFINITY;
    }
    return standardError * std::sqrt((n - 1) * (q - 1) / (1 - q / (1 + n)));
}

/** \return seeds to add until the next look */
uint64_t
CountMore(const SeedRule& rule, std::size_t pairs, double width)
{
    const auto n = static_cast<double>(pairs);
    if (!rule.width) // a look costs nothing
    {
        return std::max<uint64_t>(1, pairs / 4);
    }
    const double ratio = width / *rule.width;
    const double lack = n * ratio * ratio - n;
    return static_cast<uint64_t>(std::clamp(std::ceil(lack / 2), 1.0, std::max(1.0, n / 2)));
}

/** \return ratios of a row to its base, of the seeds that have both */
std::vector<double>
ListRatios(const Replications& values, const Replications& base)
{
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(values.size(), base.size()); ++i)
    {
        if (values[i] && base[i] && *base[i] != 0)
        {
            ratios.push_back(*values[i] / *base[i]);
        }
    }
    return ratios;
}

/** \return whether the last seeds of a row have all failed, or those of its base */
bool
IsHopeless(const Replications& values, const Replications& base)
{
    const std::size_t count = std::min(values.size(), base.size());
    return count >= LEAST_SEEDS &&
           ListRatios({values.begin() + count - LEAST_SEEDS, values.begin() + count},
                      {base.begin() + count - LEAST_SEEDS, base.begin() + count})
               .empty();
}

} // namespace

SeedRule
ParseSeedRule(const std::string& text)
{
    SeedRule rule;
    if (text == "sign" || text.compare(0, 5, "sign:") == 0)
    {
        rule.metric = text == "sign" ? "" : text.substr(5);
        if (text != "sign")
        {
            CheckMetric(text, rule.metric);
        }
        return rule;
    }
    const auto sign = text.find("<=");
    if (sign == std::string::npos)
    {
        Complain(text, "is not of the form " + FORMS);
    }
    rule.metric = text.substr(0, sign);
    CheckMetric(text, rule.metric);
    rule.width = ParsePercentage(text, text.substr(sign + 2));
    return rule;
}

std::string
FormatSeedRule(const SeedRule& rule)
{
    std::ostringstream text;
    if (rule.width)
    {
        text << rule.metric << "<=" << 100 * *rule.width << "%";
    }
    else
    {
        text << "sign" << (rule.metric.empty() ? "" : ":") << rule.metric;
    }
    return text.str();
}

std::string
DescribeSeedRule(const SeedRule& rule)
{
    const std::string metric = rule.metric.empty() ? "the first metric" : rule.metric;
    std::ostringstream text;
    if (rule.width)
    {
        text << "the ratio of " << metric << " is known to ±" << 100 * *rule.width << " %";
    }
    else
    {
        text << "the sign of the difference in " << metric << " is certain";
    }
    return text.str();
}

SeedLook
LookAt(const SeedRule& rule, const std::vector<double>& ratios)
{
    SeedLook look;
    look.pairs = ratios.size();
    look.more = rule.least;
    if (ratios.empty())
    {
        return look;
    }
    look.ratio = Average(ratios);
    if (ratios.size() >= 2)
    {
        look.width = rule.width ? GetFixedWidth(ratios) : GetAnytimeWidth(ratios);
    }
    if (ratios.size() < LEAST_SEEDS)
    {
        look.more = LEAST_SEEDS - ratios.size();
        return look;
    }
    const bool isEqual = std::all_of(ratios.begin(), ratios.end(), [](double ratio) {
        return std::fabs(ratio - 1) <= EQUAL;
    });
    look.isSettled = isEqual || (rule.width ? *look.width <= *rule.width
                                            : std::fabs(look.ratio - 1) > *look.width);
    if (look.isSettled && rule.width && !isEqual && ratios.size() > rule.least)
    {
        look.width = rule.width; // the interval that has the coverage is the one that was asked for
    }
    look.more = look.isSettled ? 0 : CountMore(rule, ratios.size(), *look.width);
    return look;
}

SeedPlan::SeedPlan(const SeedRule& rule, const std::vector<std::size_t>& bases)
    : m_rule(rule),
      m_bases(bases)
{
    NS_ABORT_MSG_IF(rule.least < LEAST_SEEDS || rule.most < rule.least, "seeds of a rule");
}

std::vector<SeedVerdict>
SeedPlan::Judge(const std::vector<Replications>& values) const
{
    std::vector<SeedVerdict> verdicts;
    for (std::size_t row = 0; row < m_bases.size(); ++row)
    {
        SeedVerdict verdict;
        verdict.isBase = m_bases[row] == row;
        verdict.seeds = values[row].size();
        if (!verdict.isBase)
        {
            verdict.look = LookAt(m_rule, ListRatios(values[row], values[m_bases[row]]));
        }
        verdicts.push_back(verdict);
    }
    return verdicts;
}

std::vector<uint64_t>
SeedPlan::Next(const std::vector<Replications>& values) const
{
    const auto verdicts = Judge(values);
    std::vector<uint64_t> seeds;
    for (std::size_t row = 0; row < m_bases.size(); ++row)
    {
        const SeedVerdict& verdict = verdicts[row];
        const bool isOver = verdict.isBase || IsHopeless(values[row], values[m_bases[row]]);
        const uint64_t more = verdict.seeds == 0 ? m_rule.least : isOver ? 0 : verdict.look.more;
        seeds.push_back(std::min(m_rule.most, verdict.seeds + more));
    }
    for (std::size_t row = 0; row < m_bases.size(); ++row)
    {
        seeds[m_bases[row]] = std::max(seeds[m_bases[row]], seeds[row]);
    }
    return seeds;
}

} // namespace ns3::ddl
