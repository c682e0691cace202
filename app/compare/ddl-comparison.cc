// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-comparison.h"

#include "app/plot/ddl-figure.h"
#include "app/process/ddl-folder.h"
#include "app/process/ddl-process-pool.h"
#include "app/results/ddl-run-summary.h"
#include "app/run/ddl-run-identity.h"
#include "app/text/ddl-complaints.h"
#include "app/text/ddl-progress.h"
#include "ddl-compare-report.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"
#include "ns3/ddl-scenario.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int SOMETHING_FAILED = 1; //!< exit status of a run, which may have results nevertheless
constexpr int BAD_INPUT = 2;        //!< exit status of programs that refuse their input
constexpr int INTERRUPTED = 130;    //!< exit status after Ctrl-C
constexpr std::size_t LAST_LINES = 10;
constexpr uint64_t MOST_SEEDS = 100000;
constexpr uint64_t MOST_JOBS = 1024;
constexpr uint64_t LAST_FIRST_SEED = LARGEST_SEED - MOST_SEEDS;

/** \return "quickstart" for "quickstart", "a/quickstart.json" and "quickstart/scenario.json" */
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

/** \throws InputError when a setting is one that has an option of its own */
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

/** \throws InputError when there would be one run only */
void
CheckThatSomethingVaries(const Arguments& arguments)
{
    if (arguments.GetAll("vary").empty() && !arguments.Has("seeds"))
    {
        throw InputError("nothing varies, so there is nothing to compare (--vary=PATH=V1,V2,... or "
                         "--seeds=N; for one run, ddl run)");
    }
}

/** Every run reads the scenario: a pipe would be empty for all but the first. */
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

/**
 * \param option that gives the combination's values: "--set" for ddl-run; "--vary" for ddl-check,
 *        whose complaints name the option as the user gave it
 * \return the arguments that all runs of one combination share
 */
std::vector<std::string>
MakeScenarioArguments(const CompareOptions& options,
                      const Combination& values,
                      const std::string& option)
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
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        arguments.push_back(option + "=" + options.variations[i].path + "=" + values[i]);
    }
    return arguments;
}

/** \return all runs of a comparison: the cross product, seeds fastest */
std::vector<CompareRun>
PlanRuns(const CompareOptions& options)
{
    std::vector<uint64_t> seeds;
    for (uint64_t i = 0; i < options.seeds; ++i)
    {
        seeds.push_back(options.firstSeed + i);
    }
    const auto names = NameRuns(options.variations, seeds);
    std::vector<CompareRun> runs;
    for (const auto& values : CrossProduct(options.variations))
    {
        for (const uint64_t seed : seeds)
        {
            CompareRun run;
            run.name = names[runs.size()];
            run.seed = seed;
            run.values = values;
            run.arguments = MakeScenarioArguments(options, values, "--set");
            run.arguments.push_back("--seed=" + std::to_string(seed));
            run.folder = options.folder / "runs" / run.name;
            runs.push_back(run);
        }
    }
    return runs;
}

/** \return where a run's output goes */
fs::path
GetLog(const CompareRun& run)
{
    return run.folder / "log.txt";
}

/**
 * \return true if the folder holds complete results: `summary.json` says "done", and the files that
 *         it lists are there in full
 */
bool
HasResults(const CompareRun& run)
{
    try
    {
        const RunSummary summary(run.folder.string());
        return summary.status == "done" && summary.hasFiles;
    }
    catch (const InputError&)
    {
        return false;
    }
}

/** \return a program to run, with arguments; its output goes to a log */
ProcessPool::Task
MakeTask(const std::string& program, const std::vector<std::string>& arguments, const fs::path& log)
{
    ProcessPool::Task task{{program}, log};
    task.command.insert(task.command.end(), arguments.begin(), arguments.end());
    return task;
}

/** The runs of a comparison while they are run. */
class Comparison
{
  public:
    Comparison(const CompareOptions& options, std::ostream& err)
        : m_options(options),
          m_runs(PlanRuns(options)),
          m_progress(err, GetStyle(options), m_runs.size(), options.jobs)
    {
    }

    /** \return false if it was interrupted */
    bool Run()
    {
        if (m_options.resume && !KeepFinished())
        {
            return false;
        }
        std::vector<ProcessPool::Task> tasks;
        for (auto& run : m_runs)
        {
            if (run.state == CompareRun::State::DONE)
            {
                m_progress.Keep(run.name);
                ++m_kept;
                continue;
            }
            m_pending.push_back(&run);
            tasks.push_back(MakeTask(m_options.runProgram, run.arguments, GetLog(run)));
            tasks.back().command.push_back("--out=" + run.folder.string());
            tasks.back().command.emplace_back("--quiet");
        }
        return ProcessPool(m_options.jobs)
            .Run(tasks,
                 {[this](std::size_t task) { Start(task); },
                  [this](std::size_t task, int status) { End(task, status); },
                  [this] { m_progress.Tick(); }});
    }

    const std::vector<CompareRun>& GetRuns() const
    {
        return m_runs;
    }

    std::size_t GetKept() const
    {
        return m_kept;
    }

  private:
    static CompareProgress::Style GetStyle(const CompareOptions& options)
    {
        return options.quiet        ? CompareProgress::Style::NONE
               : options.isTerminal ? CompareProgress::Style::TERMINAL
                                    : CompareProgress::Style::LINES;
    }

    /**
     * Find the runs that need not be run again, and mark them as done: those with complete results
     * whose identity (see IdentifyRun) is what the program would have if it ran them now.
     *
     * \return false if it was interrupted
     */
    bool KeepFinished()
    {
        const TemporaryFolder folder;
        std::vector<CompareRun*> complete;
        std::vector<ProcessPool::Task> tasks;
        for (auto& run : m_runs)
        {
            if (HasResults(run) && !RunSummary(run.folder.string()).hasFailures)
            {
                const std::string identity = folder.GetPath() / std::to_string(complete.size());
                tasks.push_back(MakeTask(m_options.runProgram, run.arguments, identity + ".log"));
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
        return ProcessPool(m_options.jobs).Run(tasks, {nullptr, compare, nullptr});
    }

    void Start(std::size_t task)
    {
        const CompareRun& run = *m_pending[task];
        PrepareFolder(run.folder);
        std::error_code ignored;
        fs::remove(run.folder / "summary.json", ignored); // what an earlier run left is void
        m_started[task] = Clock::now();
        m_progress.Start();
    }

    void End(std::size_t task, int status)
    {
        CompareRun& run = *m_pending[task];
        run.status = status;
        const bool isDone = (status == 0 || status == SOMETHING_FAILED) && HasResults(run);
        run.state = isDone ? CompareRun::State::DONE : CompareRun::State::FAILED;
        const std::chrono::duration<double> took = Clock::now() - m_started[task];
        m_progress.End(run.name, took.count(), isDone && status == 0 ? "" : "failed");
    }

    const CompareOptions& m_options;
    std::vector<CompareRun> m_runs;
    std::vector<CompareRun*> m_pending;                 //!< by task
    std::map<std::size_t, Clock::time_point> m_started; //!< by task
    CompareProgress m_progress;
    std::size_t m_kept{0};
};

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
            << (run.status == 0 ? "no complete results"
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
            const std::vector<CompareRun>& runs,
            std::ostream& out,
            std::ostream& err)
{
    WriteFileSafely(options.folder / "compare.csv", FormatComparison(options.variations, runs));
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
    PrintComparison(options.variations, sets, out);
    out << "Results: " << (options.folder / "compare.csv").string();
    for (const auto& picture : drawn.pictures)
    {
        out << ", " << picture.filename().string();
    }
    out << '\n';
}

/**
 * As TryToReport. What our own runs have left is not the user's input: that it is gone is an error
 * of the run, and after an interruption no more than a remark.
 */
void
Report(const CompareOptions& options,
       const std::vector<CompareRun>& runs,
       bool isComplete,
       std::ostream& out,
       std::ostream& err)
{
    try
    {
        TryToReport(options, runs, out, err);
    }
    catch (const InputError& error)
    {
        const std::string problem =
            std::string("results of finished runs are gone or damaged:\n") + error.what();
        if (isComplete)
        {
            throw RunError(problem);
        }
        err << problem << '\n';
    }
}

} // namespace

Arguments
MakeCompareArguments()
{
    Arguments arguments("ddl-compare",
                        "Run a scenario with different settings, side by side, and compare.");
    arguments.AddWord("SCENARIO", "path of a JSON file, or name of a folder under scenarios/");
    arguments.AddOptions("vary",
                         "PATH=V1,V2,...",
                         "a key of the scenario, and its values; several give the cross product");
    arguments.AddOptions("set", "PATH=VALUE", "set a key for all runs");
    arguments.AddOption("seeds", "N", "run everything with N seeds (default: 1)");
    arguments.AddOption("seed", "S", "the first seed; S+1, S+2, ... follow (default: 1)");
    arguments.AddOption("jobs", "N", "runs at a time (default: one for each core)");
    arguments.AddFlag("resume", "keep the finished runs of an earlier, equal request");
    arguments.AddOption("out", "DIR", "where results go (default: results/SCENARIO-compare)");
    arguments.AddOptions("plugin", "FILE", "library with policies of your own");
    arguments.AddFlag("quiet", "no progress and no table");
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
    options.jobs = arguments.GetNumber("jobs", cores, 1, MOST_JOBS);
    options.quiet = arguments.Has("quiet");
    options.isTerminal = isatty(STDERR_FILENO) != 0;
    options.folder = arguments.Get("out", folder);
    options.runProgram = FindSibling(self, "ddl-run");
    options.checkProgram = FindSibling(self, "ddl-check");
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

bool
CheckCombinations(const CompareOptions& options)
{
    const TemporaryFolder folder;
    std::vector<ProcessPool::Task> tasks;
    for (const auto& values : CrossProduct(options.variations))
    {
        tasks.push_back(MakeTask(options.checkProgram,
                                 MakeScenarioArguments(options, values, "--vary"),
                                 folder.GetPath() / std::to_string(tasks.size())));
        tasks.back().command.emplace_back("--quiet");
    }
    std::map<std::size_t, int> statuses;
    const bool isComplete =
        ProcessPool(options.jobs)
            .Run(tasks,
                 {nullptr,
                  [&statuses](std::size_t i, int status) { statuses[i] = status; },
                  nullptr});
    Complaints complaints;
    std::set<std::string> seen; // each line is shown once
    for (const auto& [i, status] : statuses)
    {
        if (status != 0 && status != BAD_INPUT)
        {
            throw RunError(options.checkProgram + " failed (exit status " + std::to_string(status) +
                           "):\n" + ReadEnd(tasks[i].log, LAST_LINES));
        }
        std::istringstream text(status == 0 ? "" : ReadEnd(tasks[i].log, SIZE_MAX));
        for (std::string line; std::getline(text, line);)
        {
            if (seen.insert(line).second)
            {
                complaints.Add({{"", "", line}});
            }
        }
    }
    complaints.Throw();
    return isComplete;
}

CompareOutcome
Compare(const CompareOptions& options, std::ostream& out, std::ostream& err)
{
    for (const auto& program : {options.runProgram, options.checkProgram})
    {
        if (FindProgram(program).empty())
        {
            throw RunError("cannot find the program " + program);
        }
    }
    if (!options.isChecked && !CheckCombinations(options))
    {
        return {INTERRUPTED, 0};
    }
    PrepareFolder(options.folder / "runs");
    const FolderLock lock(options.folder);
    RemoveFigures(options.folder);
    std::vector<CompareRun> runs;
    bool isComplete = false;
    std::size_t kept = 0;
    {
        Comparison comparison(options, err);
        isComplete = comparison.Run();
        runs = comparison.GetRuns();
        kept = comparison.GetKept();
    }
    Report(options, runs, isComplete, out, err);
    const bool hasFailed = ReportFailures(runs, err);
    if (!isComplete)
    {
        err << "interrupted; --resume runs what is not finished\n";
    }
    return {!isComplete ? INTERRUPTED : hasFailed ? 1 : 0, kept};
}

} // namespace ns3::ddl
