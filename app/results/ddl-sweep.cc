// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sweep.h"

#include "ns3/ddl-quantity.h"

#include <algorithm>
#include <map>
#include <set>

namespace ns3::ddl
{

namespace
{

/** \return a number, or a quantity in its base unit */
std::optional<double>
ToNumber(const std::string& text)
{
    std::string problem;
    if (const auto number = ParseNumber(text, problem))
    {
        return number;
    }
    if (const auto time = ParseDuration(text, problem))
    {
        return time->GetSeconds();
    }
    if (const auto bytes = ParseBytes(text, problem))
    {
        return static_cast<double>(*bytes);
    }
    const auto rate = ParseRate(text, problem);
    return rate ? std::optional<double>(static_cast<double>(rate->GetBitRate())) : std::nullopt;
}

std::optional<std::string>
FindValue(const ResultSet& set, const std::string& key)
{
    for (const auto& [path, value] : set.values)
    {
        if (path == key)
        {
            return value;
        }
    }
    return std::nullopt;
}

/** \return true if a key has at least two different numbers, and no other values */
bool
IsNumeric(const std::vector<ResultSet>& sets, const std::string& key)
{
    std::set<double> numbers;
    for (const auto& set : sets)
    {
        const auto value = FindValue(set, key);
        const auto number = value ? ToNumber(*value) : std::nullopt;
        if (value && !number)
        {
            return false;
        }
        if (number)
        {
            numbers.insert(*number);
        }
    }
    return numbers.size() > 1;
}

std::string
FindKey(const std::vector<ResultSet>& sets)
{
    for (const auto& set : sets)
    {
        for (const auto& [path, value] : set.values)
        {
            if (IsNumeric(sets, path))
            {
                return path;
            }
        }
    }
    return "";
}

/** \return name of the line that a set belongs to: its comparison, and all values but the key's */
std::string
LabelLine(const ResultSet& set, const std::string& key)
{
    std::string label = set.comparison;
    for (const auto& [path, value] : set.values)
    {
        if (path != key)
        {
            label += (label.empty() ? "" : ", ") + LabelValue(path, value, true);
        }
    }
    return label.empty() ? (set.values.empty() ? set.label : "all") : label;
}

/** A line before its points are known. */
struct Group
{
    std::string label;
    const ResultSet* level{nullptr}; //!< set without the key: its line is horizontal
    std::map<double, const ResultSet*> sets;

    const ResultSet* At(double number) const
    {
        const auto found = sets.find(number);
        return found == sets.end() ? level : found->second;
    }

    const ResultSet* GetFirst() const
    {
        return sets.empty() ? level : sets.begin()->second;
    }
};

std::vector<Group>
GroupByLine(const std::vector<ResultSet>& sets, const std::string& key)
{
    std::vector<Group> groups;
    for (const auto& set : sets)
    {
        const std::string label = LabelLine(set, key);
        auto found = std::find_if(groups.begin(), groups.end(), [&label](const Group& group) {
            return group.label == label;
        });
        if (found == groups.end())
        {
            found = groups.insert(groups.end(), Group{label, nullptr, {}});
        }
        const auto value = FindValue(set, key);
        if (value)
        {
            found->sets[ToNumber(*value).value_or(0)] = &set;
        }
        else
        {
            found->level = &set;
        }
    }
    return groups;
}

} // namespace

bool
Sweep::HasPoints() const
{
    return std::any_of(lines.begin(), lines.end(), [](const Line& line) {
        return std::any_of(line.points.begin(), line.points.end(), [](const auto& point) {
            return point.has_value();
        });
    });
}

Sweep
MakeSweep(const std::vector<ResultSet>& sets, const Measure& measure, SweepBase base)
{
    Sweep sweep;
    sweep.key = FindKey(sets);
    if (sweep.key.empty())
    {
        return sweep;
    }
    std::map<double, std::string> values;
    for (const auto& set : sets)
    {
        if (const auto value = FindValue(set, sweep.key))
        {
            values.emplace(ToNumber(*value).value_or(0), *value);
        }
    }
    for (const auto& [number, text] : values)
    {
        sweep.numbers.push_back(number);
        sweep.texts.push_back(text);
    }
    const auto groups = GroupByLine(sets, sweep.key);
    const bool isByLine = base == SweepBase::FIRST_LINE && groups.size() > 1;
    const bool beginTogether = std::all_of(groups.begin(), groups.end(), [&](const Group& group) {
        return group.sets.empty() || group.sets.begin()->first == sweep.numbers[0];
    });
    sweep.relativeTo = isByLine        ? groups[0].label
                       : beginTogether ? sweep.texts[0]
                                       : "the first value of each line";
    for (const auto& group : groups)
    {
        Sweep::Line line{group.label, {}, {}};
        for (const double number : sweep.numbers)
        {
            const ResultSet* set = group.At(number);
            const ResultSet* other = isByLine ? groups[0].At(number) : group.GetFirst();
            line.points.push_back(set && other ? EstimateRatio(ReadMeasure(*set, measure),
                                                               ReadMeasure(*other, measure))
                                               : std::nullopt);
            line.published.push_back(set && other ? FindPublished(*set, other, measure)
                                                  : std::nullopt);
        }
        sweep.lines.push_back(line);
    }
    return sweep;
}

} // namespace ns3::ddl
