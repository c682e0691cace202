// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-result-set.h"

#include "ddl-csv-table.h"
#include "ddl-run-summary.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace ns3
{
namespace ddl
{

namespace
{

namespace fs = std::filesystem;

/** \return names of the varied keys: the columns between the seed and the first metric */
std::vector<std::string>
FindVariedColumns(const CsvTable& table)
{
    const auto& columns = table.GetColumns();
    const auto seed = std::find(columns.begin(), columns.end(), "seed");
    const auto metric = std::find(columns.begin(), columns.end(), "sct_s");
    if (seed == columns.end() || metric < seed)
    {
        return {};
    }
    return {seed + 1, metric};
}

/** \return "tcp", or "kind=tcp, network=sptf" where several keys vary, or the seeds' common name */
std::string
LabelRow(const CsvTable& table, std::size_t row, const std::vector<std::string>& varied)
{
    std::string label;
    for (const auto& column : varied)
    {
        const std::string name = column.substr(column.rfind('.') + 1) + "=";
        label += (label.empty() ? "" : ", ") + (varied.size() > 1 ? name : "") +
                 table.GetText(row, column);
    }
    return label.empty() ? "all seeds" : label;
}

/** \return what was varied, and the values that a row has */
std::vector<std::pair<std::string, std::string>>
ReadVaried(const CsvTable& table, std::size_t row, const std::vector<std::string>& varied)
{
    std::vector<std::pair<std::string, std::string>> values;
    for (const auto& column : varied)
    {
        values.emplace_back(column, table.GetText(row, column));
    }
    return values;
}

/** \return the set of that label, a new one with a place for each replication if there is none */
ResultSet&
FindSet(std::vector<ResultSet>& sets, const std::string& label, std::size_t replications)
{
    const auto found = std::find_if(sets.begin(), sets.end(), [&label](const ResultSet& set) {
        return set.label == label;
    });
    if (found != sets.end())
    {
        return *found;
    }
    sets.push_back({label, std::vector<std::string>(replications)});
    return sets.back();
}

/** \return a set for each combination of a comparison */
std::vector<ResultSet>
OpenComparison(const fs::path& folder)
{
    const CsvTable table((folder / "compare.csv").string());
    const auto varied = FindVariedColumns(table);
    std::map<double, std::size_t> replications; // by seed
    for (const double seed : table.GetNumbers("seed"))
    {
        replications.emplace(seed, replications.size());
    }
    std::vector<ResultSet> sets;
    for (std::size_t row = 0; row < table.GetRows(); ++row)
    {
        auto& set = FindSet(sets, LabelRow(table, row, varied), replications.size());
        set.values = ReadVaried(table, row, varied);
        if (table.GetNumber(row, "makespan_s"))
        {
            const fs::path run = folder / "runs" / table.GetText(row, "run");
            set.folders[replications.at(table.GetNumber(row, "seed").value_or(0))] = run.string();
        }
    }
    return sets;
}

/** \return the last \p parts parts of a path */
std::string
PathEnd(const fs::path& path, std::size_t parts)
{
    fs::path rest = fs::absolute(path).lexically_normal();
    rest = rest.has_filename() ? rest : rest.parent_path();
    fs::path end;
    for (; parts > 0 && rest.has_relative_path(); --parts)
    {
        end = end.empty() ? rest.filename() : rest.filename() / end;
        rest = rest.parent_path();
    }
    return end.string();
}

/** \return a name for each folder: as much of its path's end as tells it from all others */
std::vector<std::string>
NameFolders(const std::vector<std::string>& folders)
{
    const std::set<std::string> different(folders.begin(), folders.end());
    std::vector<std::string> names;
    std::set<std::string> seen;
    for (std::size_t parts = 1; parts < 8 && seen.size() < different.size(); ++parts)
    {
        names.clear();
        seen.clear();
        for (const auto& folder : folders)
        {
            names.push_back(PathEnd(folder, parts));
            seen.insert(names.back());
        }
    }
    return names;
}

/** Name single runs after their folders, so that no two have the same name. */
void
LabelByFolder(std::vector<ResultSet>& runs)
{
    std::vector<std::string> folders;
    for (const auto& run : runs)
    {
        folders.push_back(run.folders[0]);
    }
    const auto names = NameFolders(folders);
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
        runs[i].label = names[i];
    }
}

/** \return the sets of all comparisons, each with the name of its comparison if there are several
 */
std::vector<ResultSet>
JoinComparisons(const std::vector<std::string>& folders,
                const std::vector<std::vector<ResultSet>>& comparisons)
{
    const auto names = NameFolders(folders);
    std::vector<ResultSet> all;
    for (std::size_t i = 0; i < comparisons.size(); ++i)
    {
        for (ResultSet set : comparisons[i])
        {
            if (comparisons.size() > 1)
            {
                set.comparison = names[i];
                set.label = names[i] + ": " + set.label;
            }
            all.push_back(set);
        }
    }
    return all;
}

} // namespace

std::vector<ResultSet>
OpenResults(const std::vector<std::string>& folders)
{
    std::vector<ResultSet> runs;
    std::vector<std::string> comparisonFolders;
    std::vector<std::vector<ResultSet>> comparisons;
    std::vector<Diagnostic> complaints;
    for (const auto& folder : folders)
    {
        try
        {
            if (fs::exists(fs::path(folder) / "compare.csv"))
            {
                comparisons.push_back(OpenComparison(folder));
                comparisonFolders.push_back(folder);
                continue;
            }
            runs.push_back({RunSummary(folder).GetName(), {folder}});
        }
        catch (const InputError& error)
        {
            const auto& more = error.GetDiagnostics();
            complaints.insert(complaints.end(), more.begin(), more.end());
        }
    }
    if (!complaints.empty())
    {
        throw InputError(complaints);
    }
    const auto sets = JoinComparisons(comparisonFolders, comparisons);
    if (runs.size() + sets.size() > 1 || (!runs.empty() && runs[0].label.empty()))
    {
        LabelByFolder(runs);
    }
    runs.insert(runs.end(), sets.begin(), sets.end());
    return runs;
}

std::vector<std::optional<double>>
ReadMetric(const ResultSet& set, const std::string& metric, const std::string& statistic)
{
    std::vector<std::optional<double>> values;
    for (const auto& folder : set.folders)
    {
        values.push_back(folder.empty() ? std::nullopt
                                        : RunSummary(folder).GetMetric(metric, statistic));
    }
    return values;
}

std::vector<double>
ReadColumn(const ResultSet& set, const std::string& file, const std::string& column)
{
    std::vector<double> numbers;
    for (const auto& folder : set.folders)
    {
        if (!folder.empty())
        {
            const auto more = CsvTable(folder + "/" + file).GetNumbers(column);
            numbers.insert(numbers.end(), more.begin(), more.end());
        }
    }
    return numbers;
}

std::string
DescribeRuns(const std::vector<ResultSet>& sets)
{
    std::set<std::string> names;
    std::set<std::size_t> seeds;
    for (const auto& set : sets)
    {
        std::size_t runs = 0;
        for (const auto& folder : set.folders)
        {
            if (!folder.empty())
            {
                names.insert(RunSummary(folder).GetName());
                ++runs;
            }
        }
        seeds.insert(runs);
    }
    names.erase("");
    std::string text = names.empty()       ? ""
                       : names.size() == 1 ? "scenario " + *names.begin() + ", "
                                           : std::to_string(names.size()) + " scenarios, ";
    text += seeds.size() > 1 ? std::to_string(*seeds.begin()) + " to " : "";
    text += seeds.empty() ? "no runs" : std::to_string(*seeds.rbegin());
    text += seeds.empty() ? "" : *seeds.rbegin() == 1 ? " seed" : " seeds";
    const std::string scale = DescribeScale(sets);
    return text + (scale.empty() ? "" : "; " + scale);
}

std::string
DescribeSamples(const std::vector<std::size_t>& counts)
{
    if (counts.empty())
    {
        return "";
    }
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    return "n = " + (*least < *most ? std::to_string(*least) + " to " : "") + std::to_string(*most);
}

std::string
DescribeScale(const std::vector<ResultSet>& sets)
{
    std::set<std::string> scales;
    for (const auto& set : sets)
    {
        for (const auto& folder : set.folders)
        {
            if (!folder.empty())
            {
                scales.insert(RunSummary(folder).GetScale());
            }
        }
    }
    scales.erase("");
    if (scales.size() > 1)
    {
        return "runs of different scales";
    }
    return scales.empty() ? "" : "scale: " + *scales.begin();
}

} // namespace ddl
} // namespace ns3
