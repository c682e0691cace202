// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-run-scenario.h"

#include "ddl-alone-runs.h"
#include "ddl-cluster-simulation.h"
#include "ddl-figures.h"
#include "ddl-progress.h"
#include "ddl-result-report.h"
#include "ddl-scenario-writer.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-result-tables.h"
#include "ns3/ddl-safe-file.h"
#include "ns3/ddl-summary.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

namespace ns3
{
namespace ddl
{

namespace
{

constexpr int STATUS_INTERRUPTED = 130;

volatile std::sig_atomic_t g_stopWanted = 0;

void
HandleSignal(int)
{
    g_stopWanted = 1;
    ClusterSimulation::Interrupt();
}

/** Ctrl-C ends the run, not the program, while one of these lives. */
class SignalGuard
{
  public:
    SignalGuard()
    {
        g_stopWanted = 0;
        m_interrupt = std::signal(SIGINT, HandleSignal);
        m_terminate = std::signal(SIGTERM, HandleSignal);
    }

    ~SignalGuard()
    {
        std::signal(SIGINT, m_interrupt);
        std::signal(SIGTERM, m_terminate);
    }

  private:
    using Handler = void (*)(int);
    Handler m_interrupt;
    Handler m_terminate;
};

RunResult
Simulate(const Scenario& scenario, const fs::path& folder, Progress* progress)
{
    ClusterSimulation simulation(scenario);
    if (scenario.output.pcap)
    {
        PrepareFolder(folder / "pcap");
        simulation.EnablePcap((folder / "pcap").string());
    }
    if (progress)
    {
        simulation.SetReport([progress](Time now, std::size_t done, std::size_t of) {
            if (progress->IsDue())
            {
                progress->Say(DescribeProgress(now, done, of, progress->GetElapsed()));
            }
        });
    }
    return simulation.Run();
}

void
RunAlone(const Scenario& scenario,
         const RunOptions& options,
         const fs::path& folder,
         Progress* progress,
         RunResult& result)
{
    AloneOptions alone;
    alone.runProgram = fs::read_symlink("/proc/self/exe").string();
    alone.folder = folder / ".alone";
    alone.arguments = options.childArguments;
    alone.processes = std::max(1U, std::thread::hardware_concurrency());
    alone.interrupted = []() { return g_stopWanted != 0; };
    if (progress)
    {
        alone.report = [progress](AloneProgress at) {
            if (progress->IsDue())
            {
                progress->Say("alone: " + std::to_string(at.done) + " of " + std::to_string(at.of) +
                              " runs");
            }
        };
    }
    MeasureAlone(scenario, result, alone);
    if (g_stopWanted)
    {
        result.status = RunResult::Status::INTERRUPTED;
    }
}

void
WriteResults(const Scenario& scenario, const RunResult& result, const fs::path& folder)
{
    WriteFileSafely(folder / "stages.csv", FormatStages(result));
    WriteFileSafely(folder / "jobs.csv", FormatJobs(result));
    WriteFileSafely(folder / "ports.csv", FormatPorts(result));
    WriteFileSafely(folder / "remarks.csv", FormatRemarks(result));
    WriteFileSafely(folder / "schedule.csv", FormatSchedule(result));
    if (scenario.output.iterations)
    {
        WriteFileSafely(folder / "iterations.csv", FormatIterations(result));
    }
    const RunIdentity identity{scenario.name,
                               scenario.seed,
                               scenario.scale.model,
                               scenario.scale.iterations,
                               FormatScenario(scenario)};
    WriteFileSafely(folder / "cost.json", FormatCost(result));
    WriteFileSafely(folder / "summary.json", FormatSummary(identity, result)); // last: all is there
}

/** Remove what an earlier run left, so that no file of another run is taken for one of this. */
void
RemoveOldResults(const fs::path& folder)
{
    std::error_code ignored;
    for (const char* name : {"summary.json",
                             "cost.json",
                             "stages.csv",
                             "jobs.csv",
                             "ports.csv",
                             "remarks.csv",
                             "schedule.csv",
                             "iterations.csv"})
    {
        fs::remove(folder / name, ignored);
    }
    fs::remove_all(folder / "pcap", ignored);
}

int
ExitStatus(RunResult::Status status)
{
    switch (status)
    {
    case RunResult::Status::DONE:
        return 0;
    case RunResult::Status::UNFINISHED:
        return 1;
    case RunResult::Status::INTERRUPTED:
        return STATUS_INTERRUPTED;
    }
    return 1;
}

} // namespace

int
RunScenario(const Scenario& scenario, const RunOptions& options)
{
    const fs::path folder =
        options.folder.empty() ? fs::path("results") / scenario.name : fs::path(options.folder);
    PrepareFolder(folder);
    RemoveOldResults(folder);
    SignalGuard guard;
    Progress progress(std::cerr, isatty(STDERR_FILENO));
    Progress* shown = options.quiet ? nullptr : &progress;

    RunResult result = Simulate(scenario, folder, shown);
    if (scenario.output.alone && !g_stopWanted)
    {
        RunAlone(scenario, options, folder, shown, result);
    }
    WriteResults(scenario, result, folder);
    if (shown)
    {
        shown->Clear();
    }
    DrawnFigures drawn;
    if (scenario.output.figures && !g_stopWanted)
    {
        drawn = DrawFigures({"bars", "cdf-slowdown"}, {{scenario.name, {folder.string()}}}, folder);
    }
    if (!options.quiet)
    {
        PrintReport(std::cout, scenario, result, folder.string(), drawn);
    }
    PrintComplaints(std::cerr, result, drawn);
    return ExitStatus(result.status);
}

} // namespace ddl
} // namespace ns3
