// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-run-report.h"

#include "app/compare/ddl-comparison.h"
#include "app/plot/ddl-figure.h"
#include "app/results/ddl-csv-table.h"
#include "app/results/ddl-run-summary.h"
#include "app/run/ddl-result-report.h"
#include "app/text/ddl-text-table.h"

#include "ns3/ddl-csv-writer.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-metric.h"
#include "ns3/ddl-result-tables.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t MOST_TIMELINES = 6; //!< most sets of a comparison whose timelines are shown

/** Figures over time, which zoom together, and those without time. */
const std::vector<std::string> OVER_TIME{"throughput",
                                         "priorities",
                                         "gpus",
                                         "queues",
                                         "timers",
                                         "gantt"};
const std::vector<std::string> DISTRIBUTIONS{"bars", "cdf-jct", "cdf-slowdown"};
/** Metrics of each run of a comparison that are shown. */
const std::vector<std::string> RUN_METRICS{"jct_s", "makespan_s"};

OrderedJson
Find(const OrderedJson& json, const std::string& key)
{
    return json.is_object() ? json.value(key, OrderedJson()) : OrderedJson();
}

/** \return text of a value for a cell: texts without quotes, numbers rounded */
std::string
FormatValue(const OrderedJson& value)
{
    return value.is_string()         ? value.get<std::string>()
           : value.is_number_float() ? FormatSignificant(value.get<double>(), 6)
           : value.is_null()         ? "-"
                             : value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

/** Add a row for each value in a JSON object, nested ones too: "network.drops_by_reason.ttl", 0. */
void
AddRows(const std::string& name, const OrderedJson& json, std::vector<Report::Row>& rows)
{
    if (!json.is_object())
    {
        rows.push_back({{name}, {FormatValue(json)}});
        return;
    }
    for (const auto& [key, value] : json.items())
    {
        AddRows(name.empty() ? key : name + "." + key, value, rows);
    }
}

/** \return sentences of a JSON list of texts, or of objects `{"what", "state"}` */
std::vector<std::string>
ListSentences(const OrderedJson& json)
{
    std::vector<std::string> sentences;
    for (const auto& entry : json.is_array() ? json : OrderedJson::array())
    {
        sentences.push_back(entry.is_object() ? FormatValue(Find(entry, "what")) + ": " +
                                                    FormatValue(Find(entry, "state"))
                                              : FormatValue(entry));
    }
    return sentences;
}

Tone
JudgeStatus(const RunSummary& summary)
{
    return summary.status != "done" || summary.hasFailures || !summary.hasFiles ? Tone::BAD
                                                                                : Tone::GOOD;
}

std::string
DescribeStatus(const RunSummary& summary)
{
    return summary.status + (summary.hasFailures ? ", with failures" : "") +
           (summary.hasFiles ? "" : ", files are missing or cut");
}

/** Add a run's warnings to its report: unfinished work, missing files, failures. */
void
AddComplaints(const RunSummary& summary, const OrderedJson& json, Report& report)
{
    if (summary.status != "done")
    {
        auto lines = ListSentences(Find(json, "unfinished"));
        const auto reason = Find(json, "reason");
        lines.insert(
            lines.begin(),
            "The run is " + summary.status + ": not all of its work was done" +
                (reason.is_string() && reason != "" ? " (" + FormatValue(reason) + ")" : "") +
                ". Left over:");
        report.Add(Report::Warning{lines, true});
    }
    if (!summary.hasFiles)
    {
        report.Add(Report::Warning{
            {"Files that summary.json lists are missing, or do not have the size that "
             "it says: what follows is of the rest."},
            true});
    }
    for (const std::string key : {"failures", "unaccounted"})
    {
        const auto lines = ListSentences(Find(json, key));
        if (!lines.empty())
        {
            report.Add(Report::Warning{lines, true});
        }
    }
    const auto warnings = ListSentences(Find(json, "warnings"));
    if (!warnings.empty())
    {
        report.Add(Report::Warning{warnings});
    }
}

/** Add a run's table of distributions to its report. */
void
AddDistributions(const RunSummary& summary, Report& report)
{
    const Report::Table table = MakeMetricTable(summary, false);
    if (!table.rows.empty())
    {
        report.Add(table);
    }
    const std::array<std::string, 3> ends{"sct_s", "jct_s", "cojct_s"};
    if (std::none_of(ends.begin(), ends.end(), [&summary](const std::string& name) {
            return summary.GetMetric(name, "mean").has_value();
        }))
    {
        report.Add(Report::Text{"No stage, job or cojob was completed."});
    }
}

/** Add the most important numbers of a run on top of its report. */
void
AddRunTiles(const RunSummary& summary,
            const OrderedJson& json,
            const OrderedJson& cost,
            Report& report)
{
    std::vector<std::pair<Report::Cell, std::string>> tiles;
    const auto add = [&tiles](const std::string& text, const std::string& name) {
        tiles.push_back({{text}, name});
    };
    for (const std::string name : {"jct_s", "sct_s", "makespan_s"})
    {
        const Metric& metric = FindMetric(name);
        if (const auto value = summary.GetMetric(name))
        {
            add(FormatNumber(*value) + " s", (metric.values ? "mean " : "") + metric.GetTitle());
        }
    }
    if (const auto count = summary.GetMetric("jct_s", "count"))
    {
        add(FormatSignificant(*count, 1), *count == 1 ? "job completed" : "jobs completed");
    }
    if (const auto used = summary.GetMetric("gpu_utilisation"))
    {
        add(FormatSignificant(100 * *used, 3) + " %", "of GPU time computing");
    }
    if (const auto tokens = summary.GetMetric("tokens_per_s"))
    {
        add(FormatNumber(*tokens), "tokens per second, mean of jobs");
    }
    if (const auto mfu = summary.GetMetric("mfu"))
    {
        add(FormatSignificant(100 * *mfu, 3) + " %", "of the GPUs' peak (MFU), mean of jobs");
    }
    const auto end = Find(json, "end_s");
    if (end.is_number())
    {
        add(FormatNumber(end.get<double>()) + " s", "simulated");
    }
    const auto cpu = Find(cost, "cpu_s");
    if (cpu.is_number())
    {
        add(FormatNumber(cpu.get<double>(), 3) + " s", "of CPU time");
    }
    report.Add(Report::Tiles{tiles});
}

/** \return what a row of a file of results is; "" if it is no result table */
std::string
DescribeFile(const fs::path& file)
{
    for (const auto& table : ListTables())
    {
        if (file.filename() == table->GetFile())
        {
            return table->row;
        }
    }
    return "";
}

/** Add name and size of a folder's files, sorted, and if \p isDeep of those in folders below. */
void
AddFiles(const std::string& folder, bool isDeep, Report& report)
{
    std::vector<std::pair<std::string, double>> files;
    std::error_code failure;
    fs::recursive_directory_iterator entries(folder, failure);
    for (; entries != fs::recursive_directory_iterator(); entries.increment(failure))
    {
        const fs::path& path = entries->path();
        const std::string name = fs::relative(path, folder, failure).generic_string();
        if (entries->is_regular_file(failure) && path.extension() != ".html" &&
            path.filename() != "report.txt" && name[0] != '.')
        {
            files.emplace_back(name, static_cast<double>(entries->file_size(failure)));
        }
        if (!isDeep)
        {
            entries.disable_recursion_pending();
        }
    }
    std::sort(files.begin(), files.end());
    std::vector<Report::Row> rows;
    double all = 0;
    for (const auto& [name, size] : files)
    {
        rows.push_back({{name}, {FormatSize(size)}, {DescribeFile(name)}});
        all += size;
    }
    report.Begin("Files");
    report.Add(Report::Text{std::to_string(files.size()) + " files, " + FormatSize(all) +
                            ", beside this page. What each column means: doc/reference.md."});
    report.Add(Report::Table{{"file", "size", "a row is"}, rows, true});
}

/** Add a run's identity and scenario to its report. */
void
AddIdentity(const OrderedJson& json, Report& report)
{
    std::vector<Report::Row> rows;
    for (const std::string key : {"seed", "scale", "versions", "identity"})
    {
        AddRows(key, Find(json, key), rows);
    }
    report.Add(Report::Text{
        "Two runs that are equal in these values and in the scenario give the same bytes "
        "of results."});
    report.Add(Report::Table{{"", ""}, rows, true});
    report.Add(Report::Code{
        "The scenario that was run, with presets and defaults filled in",
        Find(json, "scenario").dump(2, ' ', false, OrderedJson::error_handler_t::replace)});
}

/** \return the policies of a scenario: "fluid, grouper; placement first-fit; jobs fifo" */
std::string
DescribeScenario(const OrderedJson& scenario)
{
    std::string text;
    const auto add = [&text](const std::string& name, const OrderedJson& value) {
        const OrderedJson type = value.is_object() ? Find(value, "type") : value;
        if (type.is_string())
        {
            text += (text.empty() ? "" : ", ") + name + " " + FormatValue(type);
        }
    };
    add("transport", Find(Find(scenario, "transport"), "kind"));
    const OrderedJson scheduler = Find(scenario, "scheduler");
    for (const std::string key : {"network", "gate", "jobs", "placement"})
    {
        add(key, Find(scheduler, key));
    }
    return text;
}

/** Add the figures over time. \return true if there is one */
bool
AddTimelines(const std::vector<ResultSet>& sets, Report& report)
{
    bool hasAny = false;
    const std::size_t shown = std::min(sets.size(), MOST_TIMELINES);
    for (const auto& name : OVER_TIME)
    {
        for (std::size_t i = 0; i < shown; ++i)
        {
            const bool isThere =
                AddFigure(name, {sets[i]}, report, sets.size() > 1 ? sets[i].label : "", "time");
            hasAny = hasAny || isThere;
        }
    }
    return hasAny;
}

/** \return the keys that were varied, from the values of a comparison's sets */
std::vector<Variation>
FindVariations(const std::vector<ResultSet>& sets)
{
    std::vector<Variation> variations;
    if (!AreOneComparison(sets))
    {
        return variations;
    }
    for (const auto& set : sets)
    {
        for (std::size_t i = 0; i < set.values.size(); ++i)
        {
            const auto& [path, value] = set.values[i];
            if (i == variations.size())
            {
                variations.push_back({path, {}});
            }
            auto& values = variations[i].values;
            if (std::find(values.begin(), values.end(), value) == values.end())
            {
                values.push_back(value);
            }
        }
    }
    return variations;
}

/** The runs of a comparison as rows of a table, and their totals. */
struct RunList
{
    Report::Table table{{"", "seed", "status"}};
    std::vector<std::string> warnings;
    std::size_t done{0};
    std::size_t all{0};
    double cpuSeconds{0};
};

/** Add a run to the list. \param folder folder of its results; "" if it has none */
void
AddRun(const ResultSet& set, const std::string& folder, RunList& list)
{
    ++list.all;
    if (folder.empty())
    {
        list.table.rows.push_back({{set.label}, {"-"}, {"failed", Tone::BAD}, {"-"}, {"-"}, {"-"}});
        return;
    }
    const RunSummary summary(folder);
    const auto json = ReadJsonFile(fs::path(folder) / "summary.json");
    const auto cpu = Find(ReadJsonFile(fs::path(folder) / "cost.json"), "cpu_s");
    Report::Row row{{set.label},
                    {FormatValue(Find(json, "seed"))},
                    {DescribeStatus(summary), JudgeStatus(summary)}};
    for (const auto& metric : RUN_METRICS)
    {
        const auto value = summary.GetMetric(metric);
        row.push_back({value ? FormatNumber(*value) : "-"});
    }
    row.push_back({cpu.is_number() ? FormatNumber(cpu.get<double>(), 3) : "-"});
    list.table.rows.push_back(std::move(row));
    ++list.done;
    list.cpuSeconds += cpu.is_number() ? cpu.get<double>() : 0;
    for (const std::string key : {"failures", "unaccounted", "warnings"})
    {
        for (const auto& sentence : ListSentences(Find(json, key)))
        {
            list.warnings.push_back(set.label + ", seed " + FormatValue(Find(json, "seed")) + ": " +
                                    sentence);
        }
    }
}

RunList
ListRuns(const std::vector<ResultSet>& sets)
{
    RunList list;
    for (const auto& name : RUN_METRICS)
    {
        const Metric& metric = FindMetric(name);
        list.table.header.push_back((metric.values ? "mean " : "") + metric.label + ", " +
                                    metric.GetUnit());
    }
    list.table.header.emplace_back("CPU s");
    for (const auto& set : sets)
    {
        for (const auto& folder : set.folders)
        {
            AddRun(set, folder, list);
        }
    }
    return list;
}

} // namespace

Report
MakeRunReport(const std::string& folder)
{
    const RunSummary summary(folder);
    const auto json = ReadJsonFile(fs::path(folder) / "summary.json");
    const auto cost = ReadJsonFile(fs::path(folder) / "cost.json");
    const auto scenario = Find(json, "scenario");
    const auto sets = OpenResults({folder});

    Report report{"Run of a scenario", summary.name.empty() ? "run" : summary.name};
    const auto description = Find(scenario, "description");
    if (description.is_string())
    {
        report.leads.push_back({FormatValue(description)});
    }
    report.leads.push_back({DescribeScenario(scenario) + "; seed " +
                            FormatValue(Find(json, "seed")) +
                            (summary.scale.empty() ? "" : "; scale: " + summary.scale)});
    report.leads.push_back({DescribeStatus(summary), JudgeStatus(summary)});
    AddRunTiles(summary, json, cost, report);
    AddComplaints(summary, json, report);

    report.Begin("Results");
    AddDistributions(summary, report);
    for (const auto& name : DISTRIBUTIONS)
    {
        AddFigure(name, sets, report);
    }
    report.Begin("Over time");
    AddTimelines(sets, report);
    if (!fs::exists(fs::path(folder) / "series.csv"))
    {
        report.Add(Report::Text{
            "There is no series.csv: with output.series=10ms a run also says what jobs, "
            "ports and GPUs did in each 10 ms."});
    }
    report.Begin("Network");
    AddFigure("network", sets, report);
    AddFigure("ports", sets, report);
    std::vector<Report::Row> rows;
    for (const std::string key : {"network", "control", "gate", "runs", "leaps", "sampling"})
    {
        const auto part = Find(json, key);
        if (part.is_object())
        {
            AddRows(key, part, rows);
        }
    }
    report.Add(Report::Table{{"summary.json", "value"}, rows});
    report.Begin("Cost");
    rows.clear();
    AddRows("", cost, rows);
    report.Add(Report::Table{{"cost.json", "value"}, rows});
    report.Begin("Identity");
    AddIdentity(json, report);
    AddFiles(folder, false, report);
    return report;
}

Report
MakeComparisonReport(const std::vector<std::string>& folders)
{
    const auto sets = OpenResults(folders);
    const auto variations = FindVariations(sets);
    const RunList runs = ListRuns(sets);
    const auto first = sets.front().ListRuns();
    const auto json =
        first.empty() ? OrderedJson() : ReadJsonFile(fs::path(first.front()) / "summary.json");

    Report report{folders.size() == 1 ? "Comparison" : "Results side by side",
                  first.empty() ? "comparison" : RunSummary(first.front()).name};
    for (const auto& variation : variations)
    {
        std::string values;
        for (const auto& value : variation.values)
        {
            values += (values.empty() ? "" : ", ") + value;
        }
        report.leads.push_back({variation.path + " = " + values});
    }
    report.leads.push_back({DescribeRuns(sets)});
    report.Add(
        Report::Tiles{{{{std::to_string(sets.size())}, "combinations"},
                       {{std::to_string(sets.front().folders.size())},
                        sets.front().outcome ? "seeds of each at most" : "seeds of each"},
                       {{std::to_string(runs.done) + " of " + std::to_string(runs.all),
                         runs.done < runs.all ? Tone::BAD : Tone::NONE},
                        "runs have results"},
                       {{FormatNumber(runs.cpuSeconds, 3) + " s"}, "of CPU time in main runs"}}});
    if (!runs.warnings.empty())
    {
        report.Add(Report::Warning{runs.warnings});
    }
    report.Begin("Means");
    AddComparison(variations, sets, report);
    if (variations.empty() && sets.size() > 1)
    {
        report.Add(Report::Text{"In brackets the ratio to " + sets.front().label + "."});
    }
    for (const std::string name :
         {"bars", "bars-by-model", "load-sweep", "cdf-jct", "cdf-slowdown"})
    {
        AddFigure(name, sets, report);
    }
    report.Begin("Over time");
    report.Add(
        Report::Text{"The run of the first seed" +
                     std::string(sets.size() > MOST_TIMELINES
                                     ? ", of the first " + std::to_string(MOST_TIMELINES) + " of " +
                                           std::to_string(sets.size()) + " combinations."
                                     : " of each combination.") +
                     " All charts show the same part of the time."});
    if (!AddTimelines(sets, report))
    {
        report.Add(Report::Text{
            "Nothing is known over time: no run has a series.csv (output.series=10ms) or "
            "jobs that held GPUs."});
    }
    report.Begin("Network");
    AddFigure("ports", sets, report);
    report.Begin("Runs");
    report.Add(runs.table);
    report.Begin("Identity");
    report.Add(
        Report::Text{"Of the first run; the others differ in their seeds and in what was varied."});
    AddIdentity(json, report);
    AddFiles(folders.front(), folders.size() == 1, report);
    return report;
}

} // namespace ns3::ddl
