// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-result-set.h"

#include "app/text/ddl-complaints.h"
#include "ddl-csv-table.h"
#include "ddl-run-summary.h"

#include "ns3/abort.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-metric.h"
#include "ns3/ddl-quantity.h"
#include "ns3/ddl-result-tables.h"
#include "ns3/ddl-statistics.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>

namespace ns3::ddl
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
    const auto metric =
        std::find(columns.begin(), columns.end(), ListComparedMetrics().front().name);
    if (seed == columns.end() || metric < seed)
    {
        return {};
    }
    return {seed + 1, metric};
}

/** \return the keys that vary, each with its value in a row */
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

/** \return the set of a label; if there is none, a new one with a place for each replication */
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

/** \return what the rule for seeds says in a row of compare.csv, if there was one */
std::optional<SeedOutcome>
ReadOutcome(const CsvTable& table, std::size_t row)
{
    if (!table.HasColumn("until_rule")) // no rule, or written by a version before 0.3.0
    {
        return std::nullopt;
    }
    const auto count = [&table, row](const char* column) -> std::optional<uint64_t> {
        const auto number = table.GetNumber(row, column);
        return number ? std::make_optional(static_cast<uint64_t>(*number)) : std::nullopt;
    };
    SeedOutcome outcome;
    outcome.rule = table.GetText(row, "until_rule");
    outcome.seeds = count("until_seeds").value_or(0);
    outcome.pairs = count("until_pairs");
    outcome.ratio = table.GetNumber(row, "until_ratio");
    outcome.width = table.GetNumber(row, "until_ci95");
    const auto settled = count("until_settled");
    outcome.isSettled = settled ? std::make_optional(*settled == 1) : std::nullopt;
    return outcome;
}

/** \return a set for each combination of a comparison */
std::vector<ResultSet>
OpenComparison(const fs::path& folder)
{
    const CsvTable table((folder / "compare.csv").string());
    const auto varied = FindVariedColumns(table);
    std::map<double, std::size_t> replications; // number of the replication of each seed
    for (const double seed : table.GetNumbers("seed"))
    {
        replications.emplace(seed, replications.size());
    }
    std::vector<ResultSet> sets;
    for (std::size_t row = 0; row < table.GetRows(); ++row)
    {
        const auto values = ReadVaried(table, row, varied);
        auto& set = FindSet(sets, LabelValues(values), replications.size());
        set.values = values;
        set.outcome = ReadOutcome(table, row);
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

/** \return a name per folder: as many last parts of its path as make it unique */
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

/** \return ids of the cojobs, or of the jobs, that train a model */
std::set<std::string>
FindIds(const CsvTable& jobs, const std::string& model, const std::string& column)
{
    std::set<std::string> ids;
    for (std::size_t row = 0; row < jobs.GetRows(); ++row)
    {
        if (jobs.GetText(row, "model") == model)
        {
            ids.insert(jobs.GetText(row, column));
        }
    }
    return ids;
}

/** \return the values of a metric. \param model name of a model; "": of all jobs */
std::vector<double>
ReadValues(const std::string& folder, const std::string& metric, const std::string& model)
{
    const Metric& source = FindMetric(metric);
    if (source.table.empty())
    {
        throw InputError("the metric " + metric + " cannot be read value by value (one of " +
                         JoinNames(ListColumnMetrics()) + ")");
    }
    const CsvTable table(folder + "/" + FindTable(source.table).GetFile());
    if (model.empty())
    {
        return table.GetNumbers(source.column);
    }
    const std::string key = source.table == "stages" ? "cojob_id" : "job_id";
    const auto ids = FindIds(CsvTable(folder + "/jobs.csv"), model, key);
    std::vector<double> values;
    for (std::size_t row = 0; row < table.GetRows(); ++row)
    {
        const auto value = table.GetNumber(row, source.column);
        if (value && ids.count(table.GetText(row, key)) > 0)
        {
            values.push_back(*value);
        }
    }
    return values;
}

/** \return statistic of a metric, from its values in a CSV file; nothing if there are none */
std::optional<double>
ReadFromValues(const std::string& folder, const Measure& measure)
{
    const auto values = ReadValues(folder, measure.metric, measure.model);
    if (values.empty())
    {
        return std::nullopt;
    }
    if (!measure.within)
    {
        const auto statistic =
            std::find_if(STATISTICS.begin(), STATISTICS.end(), [&measure](const auto& each) {
                return each.name == measure.statistic;
            });
        NS_ABORT_MSG_IF(statistic == STATISTICS.end(), "no statistic " << measure.statistic);
        return Describe(values).*statistic->value;
    }
    const auto part = std::count_if(values.begin(), values.end(), [&measure](double value) {
        return value <= *measure.within;
    });
    return static_cast<double>(part) / static_cast<double>(values.size());
}

} // namespace

std::string
LabelValue(const std::string& key, const std::string& value, bool isOne)
{
    std::string problem;
    const bool isBare = value == "true" || value == "false" || ParseNumber(value, problem);
    return isOne && !isBare ? value : key.substr(key.rfind('.') + 1) + "=" + value;
}

std::vector<std::string>
ResultSet::ListRuns() const
{
    std::vector<std::string> runs;
    std::copy_if(folders.begin(), folders.end(), std::back_inserter(runs), [](const auto& folder) {
        return !folder.empty();
    });
    return runs;
}

std::string
LabelValues(const std::vector<std::pair<std::string, std::string>>& values)
{
    std::string label;
    for (const auto& [path, value] : values)
    {
        label += (label.empty() ? "" : ", ") + LabelValue(path, value, values.size() == 1);
    }
    return label.empty() ? "all seeds" : label;
}

std::vector<ResultSet>
OpenResults(const std::vector<std::string>& folders)
{
    std::vector<ResultSet> runs;
    std::vector<std::string> comparisonFolders;
    std::vector<std::vector<ResultSet>> comparisons;
    Complaints complaints;
    for (const auto& folder : folders)
    {
        complaints.Try([&] {
            if (fs::exists(fs::path(folder) / "compare.csv"))
            {
                comparisons.push_back(OpenComparison(folder));
                comparisonFolders.push_back(folder);
            }
            else
            {
                runs.push_back({RunSummary(folder).name, {folder}});
            }
        });
    }
    complaints.Throw();
    const auto sets = JoinComparisons(comparisonFolders, comparisons);
    if (runs.size() + sets.size() > 1 || (!runs.empty() && runs[0].label.empty()))
    {
        LabelByFolder(runs);
    }
    runs.insert(runs.end(), sets.begin(), sets.end());
    return runs;
}

std::vector<double>
ReadColumn(const ResultSet& set, const std::string& file, const std::string& column)
{
    std::vector<double> numbers;
    for (const auto& run : set.ListRuns())
    {
        const auto more = CsvTable(run + "/" + file).GetNumbers(column);
        numbers.insert(numbers.end(), more.begin(), more.end());
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
        const auto runs = set.ListRuns();
        for (const auto& run : runs)
        {
            names.insert(RunSummary(run).name);
        }
        seeds.insert(runs.size());
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
        for (const auto& run : set.ListRuns())
        {
            scales.insert(RunSummary(run).scale);
        }
    }
    scales.erase("");
    if (scales.size() > 1)
    {
        return "runs of different scales";
    }
    return scales.empty() ? "" : "scale: " + *scales.begin();
}

std::vector<std::string>
ListColumnMetrics()
{
    std::vector<std::string> names;
    for (const Metric& metric : ListMetrics())
    {
        if (!metric.table.empty())
        {
            names.push_back(metric.name);
        }
    }
    return names;
}

std::vector<std::string>
ListStatistics()
{
    std::vector<std::string> names;
    for (const auto& statistic : STATISTICS)
    {
        names.push_back(statistic.name);
    }
    return names;
}

Replications
ReadMeasure(const ResultSet& set, const Measure& measure)
{
    Replications values;
    for (const auto& folder : set.folders)
    {
        values.push_back(folder.empty() ? std::nullopt
                         : measure.model.empty() && !measure.within
                             ? RunSummary(folder).GetMetric(measure.metric, measure.statistic)
                             : ReadFromValues(folder, measure));
    }
    return values;
}

std::optional<Estimate>
EstimateMean(const Replications& values)
{
    std::vector<double> present;
    for (const auto& value : values)
    {
        if (value)
        {
            present.push_back(*value);
        }
    }
    return present.empty() ? std::nullopt : std::optional<Estimate>(EstimateMean(present));
}

bool
AreOneComparison(const std::vector<ResultSet>& sets)
{
    return std::all_of(sets.begin(), sets.end(), [&sets](const ResultSet& set) {
        return !set.values.empty() && set.comparison == sets[0].comparison &&
               std::equal(set.values.begin(),
                          set.values.end(),
                          sets[0].values.begin(),
                          sets[0].values.end(),
                          [](const auto& a, const auto& b) { return a.first == b.first; });
    });
}

const ResultSet*
FindBase(const std::vector<ResultSet>& sets, const ResultSet& set, const std::string& first)
{
    if (!AreOneComparison(sets))
    {
        return &sets[0];
    }
    auto wanted = set.values;
    wanted.back().second = first;
    const auto found = std::find_if(sets.begin(), sets.end(), [&wanted](const ResultSet& other) {
        return other.values == wanted;
    });
    return found == sets.end() ? nullptr : &*found;
}

std::string
NameMarks(bool hasPaper, bool hasProgram)
{
    return !hasProgram ? (hasPaper ? "published" : "")
           : hasPaper  ? "published, or of the authors' program"
                       : "authors' program";
}

std::string
NameMarks(const std::vector<ResultSet>& sets)
{
    bool hasPaper = false;
    bool hasProgram = false;
    for (const auto& set : sets)
    {
        for (const auto& number : set.published)
        {
            (number.isProgram ? hasProgram : hasPaper) = true;
        }
    }
    return NameMarks(hasPaper, hasProgram);
}

std::optional<double>
FindPublished(const ResultSet& set, const ResultSet* base, const Measure& measure)
{
    const std::string over = base ? base->label : "";
    for (const auto& number : set.published)
    {
        if (number.measure == measure && number.over == over)
        {
            return number.value;
        }
    }
    return std::nullopt;
}

} // namespace ns3::ddl
