// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-alone-runs.h"

#include "ddl-child-process.h"
#include "ddl-csv-table.h"
#include "ddl-scenario-writer.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-none-search-algorithm.h"
#include "ns3/ddl-safe-file.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <memory>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

namespace ns3
{
namespace ddl
{

namespace
{

/** One scenario to run, and the cells that its results go to. */
struct AloneRun
{
    std::string scenario;               //!< JSON text
    std::vector<std::size_t> stageRows; //!< of a cojob: rows of RunResult::stages, by stage
    std::vector<std::size_t> jobRows;   //!< of a job: rows of RunResult::jobs that share this run
};

/** The fabric and the rules of a run, with nothing to do. */
Scenario
WithoutWork(const Scenario& scenario)
{
    Scenario alone = scenario;
    alone.name += "-alone";
    alone.description.clear();
    alone.cluster.links.clear();
    alone.workload.groups.clear();
    alone.workload.background.clear();
    alone.stop.time.reset();
    alone.output = OutputSpec{false, false, false, false};
    return alone;
}

/** \return a noiseless job's id does not matter: equal jobs then make equal scenarios */
bool
IdsMatter(const Scenario& scenario)
{
    return scenario.workload.noise.jitter.IsTypeIdSet() ||
           scenario.workload.noise.straggler.IsTypeIdSet();
}

std::vector<AloneRun>
PlanCojobRuns(const Scenario& scenario, const RunResult& result)
{
    std::vector<AloneRun> runs;
    for (std::size_t group = 0; group < scenario.workload.groups.size(); ++group)
    {
        AloneRun run;
        for (std::size_t row = 0; row < result.stages.size(); ++row)
        {
            if (result.stages[row].cojob == scenario.workload.groups[group].id)
            {
                run.stageRows.push_back(row);
            }
        }
        if (!scenario.workload.groups[group].plain && !run.stageRows.empty())
        {
            run.scenario = FormatScenario(MakeCojobAlone(scenario, group, result));
            runs.push_back(std::move(run));
        }
    }
    return runs;
}

std::vector<AloneRun>
PlanJobRuns(const Scenario& scenario, const RunResult& result)
{
    std::vector<AloneRun> runs;
    std::map<std::string, std::size_t> known; // scenario text -> position in runs
    for (std::size_t row = 0; row < result.jobs.size(); ++row)
    {
        if (result.jobs[row].iterations == 0)
        {
            continue;
        }
        const auto text = FormatScenario(MakeJobAlone(scenario, result.jobs[row]));
        const auto [entry, isNew] = known.emplace(text, runs.size());
        if (isNew)
        {
            runs.push_back({text, {}, {}});
        }
        runs[entry->second].jobRows.push_back(row);
    }
    return runs;
}

/** \return the last lines of what a child said */
std::string
TailOf(const fs::path& log)
{
    std::ifstream file(log);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
    {
        lines.push_back(line);
    }
    std::string text;
    for (std::size_t i = lines.size() > 5 ? lines.size() - 5 : 0; i < lines.size(); ++i)
    {
        text += "\n  " + lines[i];
    }
    return text;
}

/** Reads what an alone run measured into the rows that wait for it. */
void
TakeResults(const AloneRun& run, const fs::path& folder, RunResult& result)
{
    if (!run.stageRows.empty())
    {
        const CsvTable table((folder / "stages.csv").string());
        for (std::size_t row = 0; row < table.GetRows(); ++row)
        {
            const auto stage = table.GetNumber(row, "stage");
            for (const auto target : run.stageRows)
            {
                if (stage && *stage == result.stages[target].stage)
                {
                    result.stages[target].alone = table.GetNumber(row, "sct_s");
                }
            }
        }
        return;
    }
    const CsvTable table((folder / "jobs.csv").string());
    for (const auto target : run.jobRows)
    {
        result.jobs[target].alone = table.GetNumber(0, "jct_s");
    }
}

/** A child at work, and what it works on. */
struct RunningChild
{
    std::size_t run;
    fs::path folder;
    std::unique_ptr<ChildProcess> process;
};

RunningChild
StartChild(const AloneRun& run, std::size_t index, const AloneOptions& options)
{
    const auto folder = options.folder / std::to_string(index);
    fs::create_directories(folder);
    const auto scenario = folder / "scenario.json";
    WriteFileSafely(scenario, run.scenario);
    const int log = open((folder / "log").c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0644);
    ChildProcess::Setup setup;
    setup.command = {options.runProgram, scenario.string(), "--out=" + folder.string(), "--quiet"};
    setup.command.insert(setup.command.end(), options.arguments.begin(), options.arguments.end());
    setup.output = log;
    RunningChild child{index, folder, std::make_unique<ChildProcess>(setup)};
    if (log >= 0)
    {
        close(log);
    }
    return child;
}

/** Runs them all, several at a time; stops early when the user asks for it. */
void
RunAll(const std::vector<AloneRun>& runs, RunResult& result, const AloneOptions& options)
{
    std::vector<RunningChild> children;
    std::size_t next = 0;
    std::size_t done = 0;
    while (done < runs.size())
    {
        if (options.interrupted && options.interrupted())
        {
            return; // the destructors of the children end them
        }
        while (next < runs.size() && children.size() < options.processes)
        {
            children.push_back(StartChild(runs[next], next, options));
            ++next;
        }
        for (auto child = children.begin(); child != children.end();)
        {
            const auto status = child->process->Poll();
            if (!status)
            {
                ++child;
                continue;
            }
            if (*status != 0)
            {
                throw RunError("an alone run failed with status " + std::to_string(*status) + ":" +
                               TailOf(child->folder / "log"));
            }
            TakeResults(runs[child->run], child->folder, result);
            child = children.erase(child);
            ++done;
            if (options.report)
            {
                options.report({done, runs.size()});
            }
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

} // namespace

Scenario
MakeCojobAlone(const Scenario& scenario, std::size_t group, const RunResult& result)
{
    Scenario alone = WithoutWork(scenario);
    CojobSpec cojob = scenario.workload.groups[group];
    cojob.submit = Time(0);
    for (auto& job : cojob.jobs)
    {
        const auto row = std::find_if(result.jobs.begin(), result.jobs.end(), [&](const auto& r) {
            return r.job == job.id;
        });
        if (row != result.jobs.end())
        {
            job.placement = row->placement;
        }
    }
    alone.workload.groups = {cojob};
    return alone;
}

Scenario
MakeJobAlone(const Scenario& scenario, const JobRow& row)
{
    Scenario alone = WithoutWork(scenario);
    for (const auto& group : scenario.workload.groups)
    {
        for (const auto& job : group.jobs)
        {
            if (job.id == row.job)
            {
                alone.workload.groups = {{group.id, true, Time(0), {row.iterations}, {}, {job}}};
            }
        }
    }
    auto& group = alone.workload.groups.at(0);
    auto& job = group.jobs.at(0);
    group.search.SetTypeId(NoneSearchAlgorithm::GetTypeId());
    group.id = CojobId{1};
    job.placement = row.placement;
    job.accuracy.clear();
    job.stopAfter = NEVER_STOPPED;
    if (!IdsMatter(scenario))
    {
        job.id = JobId{1};
    }
    // The iterations that it did are already scaled; what else hangs on that scale is scaled here.
    alone.scheduling.period =
        Seconds(alone.scheduling.period.GetSeconds() * scenario.scale.iterations);
    alone.scale.iterations = 1;
    return alone;
}

void
MeasureAlone(const Scenario& scenario, RunResult& result, const AloneOptions& options)
{
    auto runs = PlanCojobRuns(scenario, result);
    for (auto& run : PlanJobRuns(scenario, result))
    {
        runs.push_back(std::move(run));
    }
    std::error_code ignored;
    fs::remove_all(options.folder, ignored);
    try
    {
        RunAll(runs, result, options);
    }
    catch (...)
    {
        fs::remove_all(options.folder, ignored);
        throw;
    }
    fs::remove_all(options.folder, ignored);
}

} // namespace ddl
} // namespace ns3
