// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-selection.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

bool
Matches(const Selection& wanted, const Selection& runs)
{
    return std::all_of(wanted.begin(), wanted.end(), [&runs](const auto& entry) {
        const auto found = runs.find(entry.first);
        return found != runs.end() && found->second == entry.second;
    });
}

Selection
With(Selection selection, const std::string& key, const std::string& value)
{
    selection[key] = value;
    return selection;
}

Selection
WithDefault(Selection selection, const std::string& key, const std::string& value)
{
    selection.emplace(key, value);
    return selection;
}

Selection
GetSettings(const FigureComparison& comparison)
{
    return {comparison.settings.begin(), comparison.settings.end()};
}

std::vector<Selection>
ListCombinations(const FigureComparison& comparison)
{
    std::vector<Selection> all;
    for (const auto& values : CrossProduct(comparison.variations))
    {
        Selection runs = GetSettings(comparison);
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            runs[comparison.variations[i].path] = values[i];
        }
        all.push_back(runs);
    }
    return all;
}

std::size_t
CountRuns(const FigureComparison& comparison)
{
    return ListCombinations(comparison).size() * comparison.seeds;
}

std::vector<std::string>
ListValues(const PaperFigure& figure, const std::string& key)
{
    std::vector<std::string> values;
    for (const auto& comparison : figure.comparisons)
    {
        for (const auto& variation : comparison.variations)
        {
            for (const auto& value : variation.values)
            {
                const bool isNew = std::find(values.begin(), values.end(), value) == values.end();
                if (variation.path == key && isNew)
                {
                    values.push_back(value);
                }
            }
        }
    }
    return values;
}

std::string
Describe(const Selection& selection)
{
    std::string text;
    for (const auto& [key, value] : selection)
    {
        text += (text.empty() ? "" : ", ") + key.substr(key.rfind('.') + 1) + " " + value;
    }
    return text;
}

} // namespace ddl
} // namespace ns3
