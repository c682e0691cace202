// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-run-scenario.h"

#include "app/plot/ddl-figure.h"
#include "app/process/ddl-folder.h"
#include "app/process/ddl-process-pool.h"
#include "app/sampling/ddl-sampled-run.h"
#include "app/sampling/ddl-situation-watch.h"
#include "app/sampling/ddl-workload-sample.h"
#include "app/text/ddl-progress.h"
#include "ddl-alone-runs.h"
#include "ddl-result-report.h"
#include "ddl-run-identity.h"

#include "ns3/ddl-cluster-simulation.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"
#include "ns3/ddl-summary.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <thread>
#include <unistd.h>
#include <utility>

namespace fs = std::filesystem;

namespace ns3::ddl
{

namespace
{

constexpr int STATUS_INTERRUPTED = 130;
constexpr const char* ALONE_FOLDER = ".alone"; //!< name of the temporary folder of the alone runs

volatile std::sig_atomic_t g_stopWanted = 0;

void
HandleSignal(int)
{
    g_stopWanted = 1;
    ClusterSimulation::Interrupt();
}

/** While an object of this class exists, Ctrl-C ends the run, not the program. */
class SignalGuard
{
  public:
    SignalGuard()
    {
        g_stopWanted = 0;
        for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        {
            Set(signal, HandleSignal);
        }
        if (m_before.at(SIGHUP) == SIG_IGN)
        {
            std::signal(SIGHUP, SIG_IGN); // nohup
        }
        Set(SIGXFSZ, SIG_IGN); // writing beyond the limit of file sizes is then a write error
    }

    ~SignalGuard()
    {
        for (const auto& [signal, handler] : m_before)
        {
            std::signal(signal, handler);
        }
    }

    SignalGuard(const SignalGuard&) = delete;
    SignalGuard& operator=(const SignalGuard&) = delete;

  private:
    using Handler = void (*)(int);

    void Set(int signal, Handler handler)
    {
        m_before[signal] = std::signal(signal, handler);
    }

    std::map<int, Handler> m_before;
};

const std::vector<std::string> FIGURES = {"bars", "cdf-slowdown", "gantt", "throughput"};

/** Remove the results of an earlier run, so that none of them is taken for a result of this run. */
void
RemoveOldResults(const fs::path& folder)
{
    std::error_code ignored;
    fs::remove(folder / "summary.json", ignored); // first: without it no file counts as a result
    fs::remove(folder / "cost.json", ignored);
    for (const auto& name : ListResultFiles())
    {
        fs::remove(folder / name, ignored);
        fs::remove(folder / (std::string(name) + ".part"), ignored); // left by a killed run
    }
    RemoveFigures(folder);
    fs::remove_all(folder / PCAP_FOLDER, ignored);
    fs::remove_all(folder / ALONE_FOLDER, ignored);
}

/** \param model gives lengths of iterations by situation in a sampled run; null otherwise */
RunResult
Simulate(const Scenario& scenario,
         const fs::path& folder,
         Progress* progress,
         const SampledModel* model)
{
    std::unique_ptr<SituationWatch> watch; // outlives the simulation, which reports ends to it
    ClusterSimulation simulation(scenario);
    if (model)
    {
        watch = std::make_unique<SituationWatch>(
            simulation.GetTrainingCluster(),
            [model](const auto& strata) { return model->Get(strata); });
    }
    RemoveOldResults(folder); // only now: they stay if the scenario cannot be built
    simulation.EnableRows(folder.string());
    if (scenario.output.pcap)
    {
        PrepareFolder(folder / PCAP_FOLDER);
        simulation.EnablePcap((folder / PCAP_FOLDER).string());
    }
    if (!scenario.output.series.IsZero())
    {
        simulation.EnableSeries((folder / "series.csv").string(), scenario.output.series);
    }
    if (scenario.output.timeline)
    {
        simulation.EnableTimeline((folder / "timeline.json").string());
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
    RunResult result = simulation.Run();
    if (watch)
    {
        watch->Finish();
    }
    return result;
}

int
ExitStatus(const RunResult& result)
{
    if (!result.failures.empty())
    {
        return 1;
    }
    return result.status == RunResult::Status::INTERRUPTED ? STATUS_INTERRUPTED
           : result.status == RunResult::Status::DONE      ? 0
                                                           : 1;
}

/** Run a scenario of an alone run, in a process of its own. \return the exit status */
int
SimulateAlone(const Scenario& scenario, const fs::path& folder)
{
    ClusterSimulation simulation(scenario);
    simulation.EnableRows(folder.string());
    const RunResult result = simulation.Run();
    PrintComplaints(std::cerr, result, {});
    return ExitStatus(result);
}

/** \return number of alone runs at a time: DDL_PROCESSES, or one per core */
uint32_t
GetProcesses()
{
    constexpr unsigned long MOST = 1024;
    const char* wanted = std::getenv("DDL_PROCESSES");
    const unsigned long number = wanted ? std::strtoul(wanted, nullptr, 10) : 0;
    return number > 0 ? std::min(number, MOST) : std::max(1U, std::thread::hardware_concurrency());
}

/** Have the pieces of a run use the cores, end when the run is interrupted, and report to it. */
void
SetUpPieces(Progress* progress, PieceOptions& options)
{
    options.processes = GetProcesses();
    options.isStopped = [] { return g_stopWanted != 0; };
    if (progress)
    {
        options.report = [progress](const std::string& line) {
            if (progress->IsDue())
            {
                progress->Say(line);
            }
        };
    }
}

/** Fills in the `alone` columns. If that fails, the results of the run itself are still kept. */
void
RunAlone(const Scenario& scenario, const fs::path& folder, Progress* progress, RunResult& result)
{
    AloneOptions alone;
    alone.run = SimulateAlone;
    alone.folder = folder / ALONE_FOLDER;
    SetUpPieces(progress, alone);
    try
    {
        if (MeasureAlone(WriteOutWorkload(scenario), result, alone))
        {
            CheckSlowdowns(scenario, result);
        }
        else
        {
            result.status = RunResult::Status::INTERRUPTED;
        }
    }
    catch (const RunError& error)
    {
        result.failures.push_back({"alone runs", error.what()});
    }
}

/** Run the samples, then the run itself, corrected by what they show. */
RunResult
SimulateSampled(const Scenario& scenario, const fs::path& folder, Progress* progress)
{
    RemoveOldResults(folder);
    SampledOptions options;
    options.folder = folder;
    options.program = IdentifyRun(scenario).program;
    SetUpPieces(progress, options);
    const double before = GetChildrenCpuSeconds();
    SampledRun sampled(scenario, options);
    RunResult result;
    const bool isComplete = sampled.RunRounds();
    if (isComplete)
    {
        result = Simulate(scenario, folder, progress, &sampled.GetModel());
    }
    if (!isComplete || (result.failures.empty() && !sampled.AddErrors(result)))
    {
        result.status = RunResult::Status::INTERRUPTED;
    }
    if (result.sampling)
    {
        result.sampling->cpuSeconds = GetChildrenCpuSeconds() - before;
    }
    return result;
}

} // namespace

int
RunScenario(const Scenario& scenario, const RunOptions& options)
{
    const fs::path folder =
        options.folder.empty() ? fs::path("results") / scenario.name : fs::path(options.folder);
    PrepareFolder(folder);
    const FolderLock lock(folder);
    const SignalGuard guard;
    Progress progress(std::cerr, isatty(STDERR_FILENO));
    Progress* shown = options.quiet ? nullptr : &progress;

    const bool isSampled = scenario.fidelity == Fidelity::SAMPLED;
    RunResult result = isSampled ? SimulateSampled(scenario, folder, shown)
                                 : Simulate(scenario, folder, shown, nullptr);
    if (g_stopWanted)
    {
        result.status = RunResult::Status::INTERRUPTED;
    }
    if (scenario.output.alone && !isSampled && result.status != RunResult::Status::INTERRUPTED &&
        result.failures.empty())
    {
        const double before = GetChildrenCpuSeconds();
        RunAlone(scenario, folder, shown, result);
        result.aloneCpuSeconds = GetChildrenCpuSeconds() - before;
    }
    if (result.status != RunResult::Status::INTERRUPTED)
    {
        for (const auto& sentences :
             {FindEmptyJobs(WorkloadSample(scenario)), ListTraceFaults(scenario.workload)})
        {
            result.warnings.insert(result.warnings.end(), sentences.begin(), sentences.end());
        }
    }
    WriteResults(folder, IdentifyRun(scenario), result);
    if (shown)
    {
        shown->Clear();
    }
    DrawnFigures drawn;
    if (scenario.output.figures && result.status != RunResult::Status::INTERRUPTED)
    {
        drawn = DrawFigures(FIGURES, {{scenario.name, {folder.string()}}}, folder);
    }
    if (!options.quiet)
    {
        PrintReport(std::cout,
                    scenario,
                    result,
                    options.shownFolder.empty() ? folder.string() : options.shownFolder,
                    drawn,
                    isatty(STDOUT_FILENO) != 0);
    }
    PrintComplaints(std::cerr, result, drawn);
    return ExitStatus(result);
}

} // namespace ns3::ddl
