// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-comparison.h"

#include "app/plot/ddl-figures.h"
#include "app/process/ddl-folder-lock.h"
#include "app/process/ddl-process-pool.h"
#include "ddl-compare-check.h"
#include "ddl-compare-progress.h"
#include "ddl-compare-report.h"
#include "ddl-compare-run.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace ns3
{
namespace ddl
{

namespace
{

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int INTERRUPTED = 130; //!< exit status after Ctrl-C
constexpr std::size_t LAST_LINES = 10;

/** The runs of a comparison, on their way. */
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
        if (m_options.resume && !KeepFinished(m_options, m_runs))
        {
            return false;
        }
        std::vector<ProcessPool::Task> tasks;
        for (std::size_t i = 0; i < m_runs.size(); ++i)
        {
            const CompareRun& run = m_runs[i];
            if (run.state == CompareRun::State::DONE)
            {
                m_progress.Keep(run.name);
                ++m_kept;
                continue;
            }
            m_pending.push_back(i);
            tasks.push_back({{m_options.runProgram}, GetLog(run)});
            auto& command = tasks.back().command;
            command.insert(command.end(), run.arguments.begin(), run.arguments.end());
            command.insert(command.end(), {"--out=" + run.folder.string(), "--quiet"});
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

    void Start(std::size_t task)
    {
        PrepareRun(m_runs[m_pending[task]]);
        m_started[task] = Clock::now();
        m_progress.Start();
    }

    void End(std::size_t task, int status)
    {
        CompareRun& run = m_runs[m_pending[task]];
        run.status = status;
        const bool isDone = status == 0 && HasResults(run);
        run.state = isDone ? CompareRun::State::DONE : CompareRun::State::FAILED;
        const std::chrono::duration<double> took = Clock::now() - m_started[task];
        m_progress.End(run.name, took.count(), isDone ? "" : "failed");
    }

    const CompareOptions& m_options;
    std::vector<CompareRun> m_runs;
    std::vector<std::size_t> m_pending;                 //!< indices of runs, by task
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
        if (run.state != CompareRun::State::FAILED)
        {
            continue;
        }
        hasFailed = true;
        err << "run " << run.name << " failed: "
            << (run.status == 0 ? "no complete results"
                                : "exit status " + std::to_string(run.status))
            << "; the end of " << GetLog(run).string() << ":\n";
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

} // namespace ddl
} // namespace ns3
