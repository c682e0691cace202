// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-comparison.h"

#include "app/plot/ddl-figure.h"
#include "app/process/ddl-folder.h"
#include "app/process/ddl-process-pool.h"
#include "app/results/ddl-comparison-file.h"
#include "app/results/ddl-result-set.h"
#include "app/results/ddl-run-summary.h"
#include "app/run/ddl-run-identity.h"
#include "app/text/ddl-complaints.h"
#include "app/text/ddl-progress.h"
#include "app/text/ddl-text-table.h"
#include "ddl-run-forecast.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-metric.h"
#include "ns3/ddl-safe-file.h"
#include "ns3/ddl-scenario-reader.h"
#include "ns3/ddl-scenario.h"
#include "ns3/ddl-statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace ns3::ddl
{

namespace
{

/** One run of a comparison. */
struct CompareRun
{
    /** How far the run got. */
    enum class State
    {
        WAITING,
        DONE,
        FAILED
    };

    std::string name; //!< name of the run, and of its folder below runs/
    uint64_t seed{1};
    Combination values;
    std::vector<std::string> arguments; //!< arguments of ddl-run, all but `--out` and `--quiet`
    std::filesystem::path folder;       //!< folder of the run's results
    State state{State::WAITING};
    int status{0};     //!< exit status of the run, once it has ended
    std::string cause; //!< why the run failed if its exit status does not tell; else ""
};

/** \return title of a metric: "SCT [s]" for "sct_s", "stage slowdown" for "stage_slowdown" */
std::string
FormatTitle(const Metric& metric)
{
    return metric.label + (metric.GetUnit().empty() ? "" : " [" + metric.GetUnit() + "]");
}

/** A difference below this share of a number is rounding: summaries have nine digits. */
constexpr double ROUNDING = 1e-6;
constexpr int LEAST_DIGITS = 4;
constexpr int MOST_DIGITS = 7;

/** \return half the width of an interval; 0 where the values differ by rounding only */
std::optional<double>
GetHalfWidth(const Estimate& estimate)
{
    const bool isRounding =
        estimate.halfWidth && *estimate.halfWidth <= ROUNDING * std::fabs(estimate.mean);
    return isRounding ? 0 : estimate.halfWidth;
}

/** A metric of all sets, and its ratios to the sets that they are compared with. */
struct Column
{
    std::string title;
    std::vector<std::optional<Estimate>> means;
    std::vector<std::optional<Estimate>> ratios; //!< mean over base; exactly 1 for a base itself
    std::vector<bool> isBase;                    //!< for each set: it is its own base
};

/** \return how many significant digits it takes for different numbers to look different */
int
CountDigits(const std::vector<std::optional<Estimate>>& numbers)
{
    std::vector<double> sorted;
    for (const auto& number : numbers)
    {
        if (number)
        {
            sorted.push_back(number->mean);
        }
    }
    std::sort(sorted.begin(), sorted.end());
    int digits = LEAST_DIGITS;
    for (std::size_t i = 1; i < sorted.size(); ++i)
    {
        const bool differ = sorted[i] - sorted[i - 1] > ROUNDING * std::fabs(sorted[i]);
        while (differ && digits < MOST_DIGITS &&
               FormatSignificant(sorted[i], digits) == FormatSignificant(sorted[i - 1], digits))
        {
            ++digits;
        }
    }
    return digits;
}

/** \return text of an estimate: "4.500 ±0.19" */
std::string
FormatEstimate(const Estimate& estimate, int digits)
{
    const auto width = GetHalfWidth(estimate);
    return FormatSignificant(estimate.mean, digits) +
           (width ? " ±" + FormatSignificant(*width, 2) : "");
}

/** \return cells of a column: "4.500 ±0.19 (0.7500 ±0.012)", "-" for a set without values */
std::vector<std::string>
FormatCells(const Column& column)
{
    const int digits = CountDigits(column.means);
    const int ratioDigits = CountDigits(column.ratios);
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < column.means.size(); ++i)
    {
        const auto& mean = column.means[i];
        const auto& ratio = column.ratios[i];
        cells.push_back(mean ? FormatEstimate(*mean, digits) +
                                   (ratio ? " (" + FormatEstimate(*ratio, ratioDigits) + ")" : "")
                             : "-");
    }
    return cells;
}

Column
MakeColumn(const std::vector<Variation>& variations,
           const std::vector<ResultSet>& sets,
           const Metric& metric)
{
    const Measure measure{metric.name};
    Column column{FormatTitle(metric), {}, {}, {}};
    const std::string first = variations.empty() ? "" : variations.back().values.front();
    for (const auto& set : sets)
    {
        const Replications values = ReadMeasure(set, measure);
        const ResultSet* const base = FindBase(sets, set, first);
        auto ratio = base ? EstimateRatio(values, ReadMeasure(*base, measure)) : std::nullopt;
        if (ratio && base == &set)
        {
            ratio = Estimate{1, std::nullopt};
        }
        column.means.push_back(EstimateMean(values));
        column.ratios.push_back(ratio);
        column.isBase.push_back(base == &set);
    }
    return column;
}

/** \return true if a ratio comes from a single pair of runs, so that its interval is unknown */
bool
HasUnknownInterval(const std::vector<Column>& columns)
{
    return std::any_of(columns.begin(), columns.end(), [](const Column& column) {
        for (std::size_t i = 0; i < column.ratios.size(); ++i)
        {
            if (!column.isBase[i] && column.ratios[i] && !column.ratios[i]->halfWidth)
            {
                return true;
            }
        }
        return false;
    });
}

/**
 * \return a sentence on which differences may be chance: those below the widest interval that
 *         includes "no difference"; "" if every difference is significant
 */
std::string
DescribeResolution(const std::vector<Column>& columns, std::size_t seeds)
{
    if (seeds < 2)
    {
        return "1 seed: any difference may be chance (--seeds=N runs more).";
    }
    if (HasUnknownInterval(columns))
    {
        return "Ratios without ± come from one pair of runs: they may be chance.";
    }
    std::string text;
    for (const auto& column : columns)
    {
        double widest = 0;
        for (const auto& ratio : column.ratios)
        {
            const double width = ratio ? GetHalfWidth(*ratio).value_or(0) : 0;
            const bool isTold = ratio && std::fabs(ratio->mean - 1) > width;
            widest = isTold ? widest : std::max(widest, width);
        }
        if (widest > 0)
        {
            text += (text.empty() ? " " : ", ") + FormatSignificant(100 * widest, 2) + " % in " +
                    column.title;
        }
    }
    return text.empty() ? ""
                        : "With " + std::to_string(seeds) + " seeds, differences below" + text +
                              " may be chance.";
}

/** \return which set the ratios are relative to */
std::string
DescribeBase(const std::vector<Variation>& variations)
{
    if (variations.empty())
    {
        return "";
    }
    const auto& last = variations.back();
    return "; in brackets the ratio to " + last.path + "=" + last.values.front() +
           (variations.size() > 1 ? " with the same other values" : "");
}

/** \return the metrics of a run; all empty if it failed */
Replications
ReadMetrics(const CompareRun& run)
{
    const auto metrics = ListComparedMetrics();
    Replications values(metrics.size());
    if (run.state == CompareRun::State::DONE)
    {
        const RunSummary summary(run.folder.string());
        for (std::size_t i = 0; i < metrics.size(); ++i)
        {
            values[i] = summary.GetMetric(metrics[i].name);
        }
    }
    return values;
}

/** \return the mean of each metric over the seeds of a combination, and its interval */
std::vector<std::optional<Estimate>>
EstimateMeans(const std::vector<Replications>& seeds)
{
    std::vector<std::optional<Estimate>> means;
    for (std::size_t metric = 0; metric < seeds.front().size(); ++metric)
    {
        Replications values;
        for (const auto& run : seeds)
        {
            values.push_back(run[metric]);
        }
        means.push_back(EstimateMean(values));
        if (means.back())
        {
            means.back()->halfWidth = GetHalfWidth(*means.back());
        }
    }
    return means;
}

/** \return what the rule for seeds says of a combination, as compare.csv has it */
std::optional<SeedOutcome>
DescribeOutcome(const std::optional<SeedRule>& rule,
                const std::vector<SeedVerdict>& verdicts,
                std::size_t combination)
{
    if (!rule)
    {
        return std::nullopt;
    }
    const SeedVerdict& verdict = verdicts.at(combination);
    SeedOutcome outcome;
    outcome.rule = FormatSeedRule(*rule);
    outcome.seeds = verdict.seeds;
    if (!verdict.isBase)
    {
        outcome.pairs = verdict.look.pairs;
        outcome.isSettled = verdict.look.isSettled;
        outcome.ratio =
            verdict.look.pairs > 0 ? std::make_optional(verdict.look.ratio) : std::nullopt;
        outcome.width = verdict.look.width;
    }
    return outcome;
}

/** Take the optional metrics that no run has from rows. \return the compared metrics that are left
 */
std::vector<Metric>
DropOptional(std::vector<ComparisonRow>& rows)
{
    std::vector<Metric> metrics = ListComparedMetrics();
    for (std::size_t i = metrics.size(); i-- > 0;)
    {
        const bool isThere = std::any_of(rows.begin(), rows.end(), [i](const ComparisonRow& row) {
            return row.own[i].has_value();
        });
        if (!metrics[i].isOptional || isThere)
        {
            continue;
        }
        const auto at = static_cast<std::ptrdiff_t>(i);
        metrics.erase(metrics.begin() + at);
        for (ComparisonRow& row : rows)
        {
            row.own.erase(row.own.begin() + at);
            row.means.erase(row.means.begin() + at);
        }
    }
    return metrics;
}

/**
 * \param variations keys that were varied
 * \param runs all runs; those that never ended get no row, those that failed a row without metrics
 * \param rule the rule for seeds, if there is one
 * \param verdicts of the rule on each combination
 * \return text of compare.csv
 * \throws InputError when the results of a finished run cannot be read
 */
std::string
FormatComparison(const std::vector<Variation>& variations,
                 const std::vector<CompareRun>& runs,
                 const std::optional<SeedRule>& rule,
                 const std::vector<SeedVerdict>& verdicts)
{
    std::vector<std::string> varied;
    for (const auto& variation : variations)
    {
        varied.push_back(variation.path);
    }
    std::vector<ComparisonRow> rows;
    std::vector<Replications> seeds; // metrics of the runs of a combination, which stand together
    std::size_t combination = 0;
    for (std::size_t i = 0; i < runs.size(); i += seeds.size())
    {
        seeds.clear();
        for (std::size_t j = i; j < runs.size() && runs[j].values == runs[i].values; ++j)
        {
            seeds.push_back(ReadMetrics(runs[j]));
        }
        const auto means = EstimateMeans(seeds);
        for (std::size_t j = 0; j < seeds.size(); ++j)
        {
            const CompareRun& run = runs[i + j];
            if (run.state != CompareRun::State::WAITING)
            {
                rows.push_back({run.name, run.seed, run.values, seeds[j], means});
                rows.back().outcome = DescribeOutcome(rule, verdicts, combination);
            }
        }
        ++combination;
    }
    const std::vector<Metric> metrics = DropOptional(rows);
    return DescribeComparisonFile(varied, metrics, rule.has_value()).Format(rows);
}

/** \return cells of a row of the table of seeds */
Report::Row
MakeSeedRow(const ResultSet& set)
{
    const SeedOutcome& outcome = *set.outcome;
    const bool isBase = !outcome.isSettled;
    const uint64_t lack = outcome.seeds - outcome.pairs.value_or(outcome.seeds);
    const std::string missing = lack > 0 ? ", " + std::to_string(lack) + " without a ratio" : "";
    const auto ratio =
        outcome.ratio ? std::make_optional(Estimate{*outcome.ratio, outcome.width}) : std::nullopt;
    return {{set.label},
            {std::to_string(outcome.seeds)},
            {isBase  ? "1"
             : ratio ? FormatEstimate(*ratio, LEAST_DIGITS)
                     : "-"},
            {isBase               ? "base"
             : *outcome.isSettled ? "settled" + missing
                                  : "uncertain" + missing}};
}

/** Add a table that says how many seeds each set took, and what is uncertain, if a rule decided. */
void
AddSeeds(const std::vector<ResultSet>& sets, Report& report)
{
    Report::Table table{{"", "seeds", "ratio", ""}};
    std::set<std::string> rules;
    for (const auto& set : sets)
    {
        if (set.outcome)
        {
            table.rows.push_back(MakeSeedRow(set));
            rules.insert(set.outcome->rule);
        }
    }
    if (rules.empty())
    {
        return;
    }
    report.Add(table);
    for (const auto& rule : rules)
    {
        report.Add(Report::Text{"Seeds were added until " + DescribeSeedRule(ParseSeedRule(rule)) +
                                ". These intervals allow for having looked more than once."});
    }
}

/** \return the least number of runs with results that any of the sets has */
std::size_t
CountLeast(const std::vector<ResultSet>& sets)
{
    std::size_t least = sets[0].folders.size();
    for (const auto& set : sets)
    {
        std::ptrdiff_t most = 0; // a metric may have none: plain jobs have no stages
        for (const auto& metric : ListComparedMetrics())
        {
            const auto values = ReadMeasure(set, {metric.name});
            const auto there = std::count_if(values.begin(), values.end(), [](const auto& value) {
                return value.has_value();
            });
            most = std::max(most, there);
        }
        least = std::min(least, static_cast<std::size_t>(most));
    }
    return least;
}

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int SOMETHING_FAILED = 1; //!< exit status of a run, which may have results nevertheless
constexpr int INTERRUPTED = 130;    //!< exit status after Ctrl-C
constexpr std::size_t LAST_LINES = 10;
constexpr uint64_t MOST_SEEDS = 100000;
constexpr uint64_t MOST_JOBS = 1024;
constexpr uint64_t LAST_FIRST_SEED = LARGEST_SEED - MOST_SEEDS;

/** \return name of a scenario: "quickstart" for "quickstart" and "quickstart/scenario.json" */
std::string
NameScenario(const std::string& word)
{
    fs::path path = fs::path(word).lexically_normal();
    path = path.has_filename() ? path : path.parent_path();
    if (path.filename() == "scenario.json" && path.has_parent_path())
    {
        return path.parent_path().filename().string();
    }
    return path.extension() == ".json" ? path.stem().string() : path.filename().string();
}

/** Check settings. \throws InputError when one is the seed, which has an option of its own */
void
CheckSettings(const std::vector<std::string>& settings)
{
    for (const auto& setting : settings)
    {
        if (setting.compare(0, 5, "seed=") == 0)
        {
            throw InputError({{"--set=" + setting, "", "the seed is set with --seed=S"}});
        }
    }
}

/** Check that runs differ. \throws InputError when there would be one run only */
void
CheckThatSomethingVaries(const Arguments& arguments)
{
    if (arguments.GetAll("vary").empty() && !arguments.Has("seeds") && !arguments.Has("until"))
    {
        throw InputError("nothing varies, so there is nothing to compare (--vary=PATH=V1,V2,... or "
                         "--seeds=N; for one run, ddl run)");
    }
}

/**
 * \param variations keys that vary
 * \return the rule for seeds that the arguments give, if any
 * \throws InputError with what is wrong with it
 */
std::optional<SeedRule>
ReadSeedRule(const Arguments& arguments, const std::vector<Variation>& variations)
{
    if (!arguments.Has("until"))
    {
        if (arguments.Has("max-seeds"))
        {
            throw InputError({{"--max-seeds", "", "limits --until, which is not given"}});
        }
        return std::nullopt;
    }
    Complaints complaints;
    SeedRule rule;
    complaints.Try([&] { rule = ParseSeedRule(arguments.Get("until")); });
    if (variations.empty() || variations.back().values.size() < 2)
    {
        complaints.Add({{"--until",
                         "",
                         "compares with the first value of the last --vary, which needs two "
                         "values at least (--vary=PATH=V1,V2)"}});
    }
    complaints.Try(
        [&] { rule.least = arguments.GetNumber("seeds", LEAST_SEEDS, LEAST_SEEDS, MOST_SEEDS); });
    complaints.Try([&] {
        const uint64_t usual = std::max(rule.most, rule.least);
        rule.most = arguments.GetNumber("max-seeds", usual, rule.least, MOST_SEEDS);
    });
    complaints.Throw();
    return rule;
}

/** Refuse a pipe: every run reads the scenario, and a pipe is empty after the first. */
void
CheckThatItCanBeReadAgain(const std::string& scenario)
{
    std::error_code ignored;
    if (fs::exists(scenario, ignored) && !fs::is_directory(scenario, ignored) &&
        !fs::is_regular_file(scenario, ignored))
    {
        throw InputError({{scenario, "", "is read by every run: it must be a file"}});
    }
}

/** \return a combination's values as `--set` and `--vary` take them: "PATH=VALUE" */
std::vector<std::string>
ListSettings(const CompareOptions& options, const Combination& values)
{
    std::vector<std::string> settings;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        settings.push_back(options.variations[i].path + "=" + values[i]);
    }
    return settings;
}

/** \return the arguments of ddl-run that all runs of one combination share */
std::vector<std::string>
MakeScenarioArguments(const CompareOptions& options, const Combination& values)
{
    std::vector<std::string> arguments{options.scenario};
    for (const auto& plugin : options.plugins)
    {
        arguments.push_back("--plugin=" + plugin);
    }
    for (const auto& setting : options.settings)
    {
        arguments.push_back("--set=" + setting);
    }
    for (const auto& setting : ListSettings(options, values))
    {
        arguments.push_back("--set=" + setting);
    }
    return arguments;
}

/** Numbers of seeds of each combination. */
using SeedCounts = std::vector<uint64_t>;

/**
 * \param options the comparison
 * \param from number of seeds of each combination that are planned already
 * \param to number of seeds that it is to have
 * \return the runs between: the cross product, seeds fastest
 */
std::vector<CompareRun>
PlanRuns(const CompareOptions& options, const SeedCounts& from, const SeedCounts& to)
{
    std::vector<uint64_t> seeds; // all that may be needed: names do not depend on how many are
    for (uint64_t i = 0; i < (options.until ? options.until->most : options.seeds); ++i)
    {
        seeds.push_back(options.firstSeed + i);
    }
    const auto names = NameRuns(options.variations, seeds);
    const auto combinations = CrossProduct(options.variations);
    std::vector<CompareRun> runs;
    for (std::size_t row = 0; row < combinations.size(); ++row)
    {
        for (uint64_t i = from[row]; i < to[row]; ++i)
        {
            CompareRun run;
            run.name = names[row * seeds.size() + i];
            run.seed = seeds[i];
            run.values = combinations[row];
            run.arguments = MakeScenarioArguments(options, run.values);
            run.arguments.push_back("--seed=" + std::to_string(run.seed));
            run.folder = options.folder / "runs" / run.name;
            runs.push_back(run);
        }
    }
    return runs;
}

/** \return all runs of a comparison without a rule for seeds */
std::vector<CompareRun>
PlanRuns(const CompareOptions& options)
{
    const std::size_t combinations = CrossProduct(options.variations).size();
    return PlanRuns(options, SeedCounts(combinations, 0), SeedCounts(combinations, options.seeds));
}

/** \return path of the log that takes a run's output */
fs::path
GetLog(const CompareRun& run)
{
    return run.folder / "log.txt";
}

/** \return a program to run, with arguments; its output goes to a log */
ProcessPool::Task
MakeTask(const std::string& program, const std::vector<std::string>& arguments, const fs::path& log)
{
    ProcessPool::Task task{{program}, log};
    task.command.insert(task.command.end(), arguments.begin(), arguments.end());
    return task;
}

/**
 * Find the runs that need not be run again, and mark them as done: those with complete results
 * whose identity (see IdentifyRun) is what the program would have if it ran them now.
 *
 * \return false if the search was interrupted
 * */
bool
KeepFinished(const CompareOptions& options, std::vector<CompareRun>& runs)
{
    const TemporaryFolder folder;
    std::vector<CompareRun*> complete;
    std::vector<ProcessPool::Task> tasks;
    for (auto& run : runs)
    {
        if (HoldsResults(run.folder) && !RunSummary(run.folder.string()).hasFailures)
        {
            const std::string identity = folder.GetPath() / std::to_string(complete.size());
            tasks.push_back(MakeTask(options.runProgram, run.arguments, identity + ".log"));
            tasks.back().command.push_back("--identity=" + identity);
            complete.push_back(&run);
        }
    }
    const auto compare = [&complete, &folder](std::size_t i, int status) {
        const std::string now = ReadIdentity((folder.GetPath() / std::to_string(i)).string());
        const std::string then = ReadIdentity((complete[i]->folder / "summary.json").string());
        if (status == 0 && !now.empty() && now == then)
        {
            complete[i]->state = CompareRun::State::DONE;
        }
    };
    return ProcessPool(options.jobs).Run(tasks, {nullptr, compare, nullptr});
}

/**
 * \param runs runs of a comparison; combinations stand together
 * \return the runs as an engine takes them, with a forecast for the first run of each combination,
 * if \p hasPrices; nothing if the forecast was interrupted
 */
std::optional<std::vector<StudyRun>>
MakeStudy(const CompareOptions& options, const std::vector<const CompareRun*>& runs, bool hasPrices)
{
    std::vector<ScenarioRequest> requests;
    std::vector<std::size_t> trials; // by run
    for (std::size_t i = 0; i < runs.size() && hasPrices; ++i)
    {
        if (i == 0 || runs[i]->values != runs[i - 1]->values)
        {
            requests.push_back(
                {options.scenario, options.settings, ListSettings(options, runs[i]->values)});
        }
        trials.push_back(requests.size() - 1);
    }
    const auto prices = ForecastPrices(requests, options.jobs);
    if (!prices)
    {
        return std::nullopt;
    }
    std::vector<StudyRun> study;
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
        std::vector<std::string> command{options.runProgram};
        command.insert(command.end(), runs[i]->arguments.begin(), runs[i]->arguments.end());
        study.push_back({runs[i]->name,
                         command,
                         runs[i]->folder,
                         hasPrices ? (*prices)[trials[i]] : RunPrice{}});
    }
    return study;
}

/** \return the engine that the options ask for */
std::unique_ptr<Engine>
MakeEngineFor(const CompareOptions& options)
{
    EngineOptions engine = options.engine;
    engine.jobs = options.jobs;
    engine.isResumed = options.resume;
    engine.folder = options.folder;
    return MakeEngine(engine);
}

/** Run what is not finished. \return how that ended */
StudyEnd
RunAll(const CompareOptions& options, std::vector<CompareRun>& runs, std::ostream& err)
{
    using Style = CompareProgress::Style;
    const Style style = options.quiet        ? Style::NONE
                        : options.isTerminal ? Style::TERMINAL
                                             : Style::LINES;
    CompareProgress progress(err, style, runs.size(), options.jobs);
    if (options.resume && !KeepFinished(options, runs))
    {
        return StudyEnd::INTERRUPTED;
    }
    std::vector<CompareRun*> pending; // by their numbers in the study
    for (auto& run : runs)
    {
        if (run.state == CompareRun::State::DONE)
        {
            progress.Keep(run.name);
            continue;
        }
        pending.push_back(&run);
    }
    const auto study =
        MakeStudy(options, {pending.begin(), pending.end()}, options.engine.name != "local");
    if (!study)
    {
        return StudyEnd::INTERRUPTED;
    }
    StudyListener listener;
    listener.preparing = [&pending](std::size_t i) {
        PrepareFolder(pending[i]->folder);
        std::error_code ignored;
        fs::remove(pending[i]->folder / "summary.json", ignored); // it no longer counts
    };
    listener.starting = [&progress](std::size_t) { progress.Start(); };
    listener.ended = [&](std::size_t i, const RunEnd& end) {
        CompareRun& run = *pending[i];
        run.status = end.status;
        run.cause = end.cause;
        const bool isDone = (end.status == 0 || end.status == SOMETHING_FAILED) &&
                            end.cause.empty() && HoldsResults(run.folder);
        run.state = isDone ? CompareRun::State::DONE : CompareRun::State::FAILED;
        progress.End(run.name, end.seconds, isDone && end.status == 0 ? "" : "failed");
    };
    listener.tick = [&progress] { progress.Tick(); };
    listener.say = [&err](const std::string& line) { err << line << std::endl; };
    return MakeEngineFor(options)->Run(*study, listener);
}

/** Runs the seeds of a comparison in rounds, as many as its rule asks for. */
class SeedRounds
{
  public:
    /** \param options a comparison with a rule */
    SeedRounds(const CompareOptions& options, std::ostream& err)
        : m_options(options),
          m_err(err),
          m_rule(*options.until),
          m_runs(CrossProduct(options.variations).size()),
          m_values(m_runs.size())
    {
    }

    /** Run until no row needs more seeds, or a round does not come to its end. */
    StudyEnd Run()
    {
        StudyEnd end = StudyEnd::COMPLETE;
        for (auto counts = CountSeeds(), next = Next(); end == StudyEnd::COMPLETE && next != counts;
             next = Next())
        {
            auto fresh = PlanRuns(m_options, counts, next);
            SayRound(counts, next);
            end = RunAll(m_options, fresh, m_err);
            Take(fresh);
            counts = CountSeeds();
        }
        return end;
    }

    /**
     * Find the runs up to the first look that lacks results: without `--resume`, up to the first.
     *
     * \return them, in the order of the cross product; nothing if the search was interrupted
     */
    std::optional<std::vector<CompareRun>> Plan()
    {
        bool isWhole = true;
        for (auto counts = CountSeeds(), next = Next(); isWhole && next != counts; next = Next())
        {
            auto fresh = PlanRuns(m_options, counts, next);
            if (m_options.resume && !KeepFinished(m_options, fresh))
            {
                return std::nullopt;
            }
            isWhole = std::all_of(fresh.begin(), fresh.end(), [](const CompareRun& run) {
                return run.state == CompareRun::State::DONE;
            });
            Take(fresh);
            counts = CountSeeds();
        }
        return ListRuns();
    }

    /** \return all runs so far, in the order of the cross product, seeds fastest */
    std::vector<CompareRun> ListRuns() const
    {
        std::vector<CompareRun> all;
        for (const auto& runs : m_runs)
        {
            all.insert(all.end(), runs.begin(), runs.end());
        }
        return all;
    }

    /** \return the rule, its metric named */
    const SeedRule& GetRule() const
    {
        return m_rule;
    }

    /** \return what the rule says of each combination */
    std::vector<SeedVerdict> Judge() const
    {
        auto verdicts = MakePlan().Judge(m_values);
        for (std::size_t row = 0; row < verdicts.size(); ++row)
        {
            const auto& runs = m_runs[row]; // after an interruption, not all have started
            verdicts[row].seeds = std::count_if(runs.begin(), runs.end(), [](const auto& run) {
                return run.state != CompareRun::State::WAITING;
            });
        }
        return verdicts;
    }

  private:
    SeedPlan MakePlan() const
    {
        const std::size_t last = m_options.variations.back().values.size();
        std::vector<std::size_t> bases;
        for (std::size_t row = 0; row < m_runs.size(); ++row)
        {
            bases.push_back(row - row % last);
        }
        return {m_rule, bases};
    }

    SeedCounts Next() const
    {
        return MakePlan().Next(m_values);
    }

    SeedCounts CountSeeds() const
    {
        SeedCounts counts;
        for (const auto& runs : m_runs)
        {
            counts.push_back(runs.size());
        }
        return counts;
    }

    void SayRound(const SeedCounts& counts, const SeedCounts& next) const
    {
        if (m_options.quiet || counts.front() == 0)
        {
            return;
        }
        for (std::size_t row = 0; row < next.size(); ++row)
        {
            if (next[row] > counts[row])
            {
                m_err << NameCombination(row) << ": " << counts[row] << " seeds so far, "
                      << next[row] - counts[row] << " more\n";
            }
        }
    }

    std::string NameCombination(std::size_t row) const
    {
        std::vector<std::pair<std::string, std::string>> values;
        for (std::size_t i = 0; i < m_options.variations.size(); ++i)
        {
            values.emplace_back(m_options.variations[i].path, m_runs[row].front().values[i]);
        }
        return LabelValues(values);
    }

    /** Keep runs, and the metric of those that are done. */
    void Take(const std::vector<CompareRun>& fresh)
    {
        std::size_t row = 0;
        const auto combinations = CrossProduct(m_options.variations);
        for (const auto& run : fresh)
        {
            row = combinations[row] == run.values ? row : FindRow(combinations, run.values);
            m_runs[row].push_back(run);
        }
        if (m_rule.metric.empty())
        {
            m_rule.metric = FindFirstMetric(fresh);
        }
        for (row = 0; row < m_runs.size(); ++row)
        {
            for (std::size_t i = m_values[row].size(); i < m_runs[row].size(); ++i)
            {
                m_values[row].push_back(ReadOwn(m_runs[row][i]));
            }
        }
    }

    static std::size_t FindRow(const std::vector<Combination>& combinations,
                               const Combination& values)
    {
        return std::find(combinations.begin(), combinations.end(), values) - combinations.begin();
    }

    /** \return the first metric that any run has; "" if none has one */
    static std::string FindFirstMetric(const std::vector<CompareRun>& runs)
    {
        for (const auto& run : runs)
        {
            const Replications metrics = ReadMetrics(run);
            const auto first = std::find_if(metrics.begin(), metrics.end(), [](const auto& metric) {
                return metric.has_value();
            });
            if (first != metrics.end())
            {
                return ListComparedMetrics()[first - metrics.begin()].name;
            }
        }
        return "";
    }

    std::optional<double> ReadOwn(const CompareRun& run) const
    {
        return run.state == CompareRun::State::DONE && !m_rule.metric.empty()
                   ? RunSummary(run.folder.string()).GetMetric(m_rule.metric)
                   : std::nullopt;
    }

    const CompareOptions& m_options;
    std::ostream& m_err;
    SeedRule m_rule;
    std::vector<std::vector<CompareRun>> m_runs; //!< runs of each combination, by seed
    std::vector<Replications> m_values;          //!< the metric of each of them
};

/** All runs, and what the rule for seeds says of them. */
struct RunsAndVerdicts
{
    StudyEnd end{StudyEnd::INTERRUPTED};
    std::vector<CompareRun> runs;
    std::optional<SeedRule> rule{};      //!< the rule, its metric named
    std::vector<SeedVerdict> verdicts{}; //!< of each combination; none without a rule
};

/** Run what is not finished, with as many seeds as the options, or their rule, ask for. */
RunsAndVerdicts
RunSeeds(const CompareOptions& options, std::ostream& err)
{
    if (options.until)
    {
        SeedRounds rounds(options, err);
        const StudyEnd end = rounds.Run();
        return {end, rounds.ListRuns(), rounds.GetRule(), rounds.Judge()};
    }
    std::vector<CompareRun> runs = PlanRuns(options);
    const StudyEnd end = RunAll(options, runs, err);
    return {end, runs};
}

/** \return true if any run failed, after saying which and why */
bool
ReportFailures(const std::vector<CompareRun>& runs, std::ostream& err)
{
    bool hasFailed = false;
    for (const auto& run : runs)
    {
        const bool hasResults = run.state == CompareRun::State::DONE;
        if (run.state == CompareRun::State::WAITING || (hasResults && run.status == 0))
        {
            continue;
        }
        hasFailed = true;
        err << "run " << run.name << " failed: "
            << (!run.cause.empty() ? run.cause
                : run.status == 0  ? "no complete results"
                                   : "exit status " + std::to_string(run.status))
            << (hasResults ? ", but its jobs ended and count" : "") << "; the end of "
            << GetLog(run).string() << ":\n";
        std::istringstream lines(ReadEnd(GetLog(run), LAST_LINES));
        std::string line;
        while (std::getline(lines, line))
        {
            err << "    " << line << '\n';
        }
    }
    return hasFailed;
}

/** Write compare.csv, and show what is in it. \throws InputError when a run's results are gone */
void
TryToReport(const CompareOptions& options,
            const RunsAndVerdicts& all,
            std::ostream& out,
            std::ostream& err)
{
    const auto& runs = all.runs;
    WriteFileSafely(options.folder / "compare.csv",
                    FormatComparison(options.variations, runs, all.rule, all.verdicts));
    const bool hasResults = std::any_of(runs.begin(), runs.end(), [](const CompareRun& run) {
        return run.state == CompareRun::State::DONE;
    });
    if (!hasResults)
    {
        return;
    }
    const auto sets = OpenResults({options.folder.string()});
    const auto drawn = DrawFigures({"bars", "cdf-slowdown"}, sets, options.folder);
    for (const auto& warning : drawn.warnings)
    {
        err << warning << '\n';
    }
    if (options.quiet)
    {
        return;
    }
    Report report;
    AddComparison(options.variations, sets, report);
    out << FormatText(report, SIZE_MAX) << "Results: " << (options.folder / "compare.csv").string();
    for (const auto& picture : drawn.pictures)
    {
        out << ", " << picture.filename().string();
    }
    const std::string page = "  (a page of them: ./ddl report " + options.folder.string() + ")";
    out << (options.isTerminal ? page : "") << '\n';
}

/**
 * Do what TryToReport does. If results of finished runs are gone, throw a RunError, because they
 * are not the user's input; after an interruption, only print the error.
 */
void
ReportRuns(const CompareOptions& options,
           const RunsAndVerdicts& all,
           std::ostream& out,
           std::ostream& err)
{
    try
    {
        TryToReport(options, all, out, err);
    }
    catch (const InputError& error)
    {
        const std::string problem =
            std::string("results of finished runs are gone or damaged:\n") + error.what();
        if (all.end == StudyEnd::COMPLETE)
        {
            throw RunError(problem);
        }
        err << problem << '\n';
    }
}

} // namespace

void
AddComparison(const std::vector<Variation>& variations,
              const std::vector<ResultSet>& sets,
              Report& report)
{
    std::vector<Column> columns;
    Report::Table table{{""}};
    for (const auto& set : sets)
    {
        table.rows.push_back({{set.label}});
    }
    for (const auto& metric : ListComparedMetrics())
    {
        const Column column = MakeColumn(variations, sets, metric);
        const bool isEmpty = std::none_of(column.means.begin(),
                                          column.means.end(),
                                          [](const auto& mean) { return mean.has_value(); });
        if (isEmpty)
        {
            continue;
        }
        const auto cells = FormatCells(column);
        table.header.push_back(column.title);
        for (std::size_t i = 0; i < cells.size(); ++i)
        {
            table.rows[i].push_back({cells[i]});
        }
        columns.push_back(column);
    }
    report.Add(table);
    const std::size_t seeds = sets[0].folders.size();
    const std::size_t least = CountLeast(sets);
    const std::string scale = DescribeScale(sets);
    report.Add(Report::Text{"Means" + DescribeBase(variations) +
                            (seeds > 1 ? "; ± half the 95 % confidence interval over " +
                                             (least < seeds ? std::to_string(least) + " to " : "") +
                                             std::to_string(seeds) + " seeds"
                                       : "") +
                            (scale.empty() ? "" : "; " + scale) + "."});
    const std::string resolution = sets.size() > 1 ? DescribeResolution(columns, least) : "";
    if (!resolution.empty())
    {
        report.Add(Report::Text{resolution});
    }
    AddSeeds(sets, report);
}

Arguments
MakeCompareArguments()
{
    Arguments arguments("ddl compare",
                        "Run a scenario with different settings, side by side, and compare.");
    arguments.AddWord("SCENARIO", "a JSON file, or the name of a folder in scenarios/");
    arguments.AddOptions("vary",
                         "PATH=V1,V2,...",
                         "a key of the scenario, and its values; several give the cross product");
    arguments.AddOptions("set", "PATH=VALUE", "set a key for all runs");
    arguments.AddOption("seeds", "N", "run everything with N seeds (default: 1)");
    arguments.AddOption("until",
                        "RULE",
                        "add seeds, from 8 (or --seeds) on, until METRIC<=X% (the interval of its "
                        "ratio is at most +-X %) or sign (it is certain who is better)");
    arguments.AddOption("max-seeds", "N", "with --until, at most N seeds (default: 100)");
    arguments.AddOption("seed", "S", "the first seed; S+1, S+2, ... follow (default: 1)");
    arguments.AddOption("jobs", "N", "runs at a time (default: one for each core)");
    arguments.AddFlag("resume", "keep the finished runs of an earlier, equal request");
    arguments.AddOption("out", "DIR", "where results go (default: results/SCENARIO-compare)");
    arguments.AddOptions("plugin", "FILE", "shared library with more policies");
    arguments.AddFlag("quiet", "no progress and no table");
    AddEngineOptions(arguments);
    arguments.SetNotes(
        "Ratios are to the first value of the last --vary, all else equal. DIR gets compare.csv (a "
        "row\n"
        "a run), bars.png, cdf-slowdown.png, and the results of each run in runs/NAME.\n"
        "Exit status: 0 done, 1 a run failed, 2 bad input (nothing ran), 130 interrupted.");
    return arguments;
}

ManyRunsOptions
ReadManyRunsOptions(const Arguments& arguments, const std::string& self, const std::string& folder)
{
    const uint64_t cores = std::max(1U, std::thread::hardware_concurrency());
    ManyRunsOptions options;
    options.plugins = arguments.GetAll("plugin");
    options.engine = ReadEngineOptions(arguments);
    options.jobs = arguments.GetNumber("jobs", cores, 1, MOST_JOBS);
    options.quiet = arguments.Has("quiet");
    options.isTerminal = isatty(STDERR_FILENO) != 0;
    options.folder = arguments.Get("out", folder);
    options.runProgram = FindSibling(self, "ddl-run");
    return options;
}

CompareOptions
ReadCompareOptions(const Arguments& arguments)
{
    CompareOptions options;
    options.scenario = arguments.Get("SCENARIO");
    options.settings = arguments.GetAll("set");
    options.resume = arguments.Has("resume");
    Complaints complaints;
    complaints.Try([&] { options.variations = ParseVariations(arguments.GetAll("vary")); });
    complaints.Try([&] { CheckThatSomethingVaries(arguments); });
    complaints.Try([&] { CheckSettings(options.settings); });
    complaints.Try([&] { CheckThatItCanBeReadAgain(options.scenario); });
    complaints.Try([&] { options.seeds = arguments.GetNumber("seeds", 1, 1, MOST_SEEDS); });
    complaints.Try([&] { options.until = ReadSeedRule(arguments, options.variations); });
    complaints.Try([&] { options.firstSeed = arguments.GetNumber("seed", 1, 1, LAST_FIRST_SEED); });
    complaints.Try([&] {
        static_cast<ManyRunsOptions&>(options) =
            ReadManyRunsOptions(arguments,
                                "ddl-compare",
                                "results/" + NameScenario(options.scenario) + "-compare");
    });
    complaints.Throw();
    return options;
}

void
CheckCombinations(const CompareOptions& options)
{
    Complaints complaints;
    std::set<std::string> seen; // combinations share complaints
    for (const auto& values : CrossProduct(options.variations))
    {
        try
        {
            ReadScenario({options.scenario, options.settings, ListSettings(options, values)});
        }
        catch (const InputError& error)
        {
            for (const auto& complaint : error.GetDiagnostics())
            {
                if (seen.insert(complaint.ToString()).second)
                {
                    complaints.Add({complaint});
                }
            }
        }
    }
    complaints.Throw();
}

std::optional<std::vector<PlannedRun>>
PlanComparison(const CompareOptions& options)
{
    std::vector<CompareRun> runs = PlanRuns(options);
    if (options.resume && !KeepFinished(options, runs))
    {
        return std::nullopt;
    }
    std::vector<PlannedRun> planned;
    for (const auto& run : runs)
    {
        const double cost = HoldsResults(run.folder) ? ReadCost(run.folder) : 0;
        planned.push_back({run.values,
                           run.state == CompareRun::State::DONE,
                           cost > 0 ? std::make_optional(cost) : std::nullopt});
    }
    return planned;
}

std::optional<std::vector<StudyRun>>
PlanStudy(const CompareOptions& options)
{
    std::ostringstream ignored;
    const auto runs =
        options.until ? SeedRounds(options, ignored).Plan() : std::make_optional(PlanRuns(options));
    if (!runs)
    {
        return std::nullopt;
    }
    std::vector<const CompareRun*> all;
    for (const auto& run : *runs)
    {
        all.push_back(&run);
    }
    return MakeStudy(options, all, true);
}

void
WritePlan(const std::vector<StudyRun>& runs, const fs::path& folder, std::ostream& out)
{
    const std::string plan = FormatPlan(runs);
    PrepareFolder(folder);
    WriteFileSafely(folder / "plan.json", plan);
    WriteFileSafely(folder / "plan.txt", FormatPlanLines(runs));
    out << plan;
}

double
ReadCost(const fs::path& folder)
{
    const auto cost = ReadJsonFile(folder / "cost.json");
    double sum = 0;
    for (const char* key : {"cpu_s", "sampling_cpu_s", "alone_cpu_s"})
    {
        sum += cost.is_object() && cost.contains(key) && cost[key].is_number()
                   ? cost[key].get<double>()
                   : 0;
    }
    return sum;
}

int
Compare(const CompareOptions& options, std::ostream& out, std::ostream& err)
{
    if (FindProgram(options.runProgram).empty())
    {
        throw RunError("cannot find the program " + options.runProgram);
    }
    if (!options.isChecked)
    {
        CheckCombinations(options);
    }
    if (options.engine.isPlanned)
    {
        const auto study = PlanStudy(options);
        if (study)
        {
            WritePlan(*study, options.folder, out);
            if (options.until && !options.quiet)
            {
                err << "runs up to the next look of --until; when they are done, --plan --resume "
                       "prints those after it, if any\n";
            }
        }
        return study ? 0 : INTERRUPTED;
    }
    PrepareFolder(options.folder / "runs");
    const FolderLock lock(options.folder);
    RemoveFigures(options.folder);
    const RunsAndVerdicts all = RunSeeds(options, err);
    if (all.end == StudyEnd::DETACHED)
    {
        return 0;
    }
    ReportRuns(options, all, out, err);
    const bool hasFailed = ReportFailures(all.runs, err);
    if (all.end != StudyEnd::COMPLETE)
    {
        err << "interrupted; --resume runs what is not finished\n";
    }
    return all.end != StudyEnd::COMPLETE ? INTERRUPTED : hasFailed ? 1 : 0;
}

} // namespace ns3::ddl
