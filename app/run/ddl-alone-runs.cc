// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-alone-runs.h"

#include "app/process/ddl-folder.h"
#include "app/process/ddl-process-pool.h"
#include "app/results/ddl-csv-table.h"
#include "app/scenario/ddl-scenario-writer.h"

#include "ns3/ddl-csv-writer.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-fluid-transport.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-none-search-algorithm.h"
#include "ns3/ddl-safe-file.h"
#include "ns3/ddl-scenario.h"

#include <algorithm>
#include <map>

namespace ns3
{
namespace ddl
{

namespace
{

namespace fs = std::filesystem;

/** \return true if random times or paths depend on ids; if not, equal jobs give equal scenarios */
bool
IdsMatter(const Scenario& scenario, const Placement& placement)
{
    return HasNoise(scenario) || (HasEqualCostPaths(scenario.cluster.topology) &&
                                  ListHosts(ListRankHosts(placement)).size() > 1);
}

/** One scenario to run, and the cells that its results go to. */
struct AloneRun
{
    Scenario scenario;
    std::vector<std::size_t> stageRows; //!< of a cojob: rows of RunResult::stages, by stage
    std::vector<std::size_t> jobRows;   //!< of a job: rows of RunResult::jobs that share this run
};

/** \return true when all its jobs have left: only then are all their placements known */
bool
IsOver(const CojobSpec& cojob, const RunResult& result)
{
    return std::all_of(cojob.jobs.begin(), cojob.jobs.end(), [&result](const auto& job) {
        return std::any_of(result.jobs.begin(), result.jobs.end(), [&job](const auto& row) {
            return row.job == job.id;
        });
    });
}

std::vector<AloneRun>
PlanCojobRuns(const Scenario& scenario, const RunResult& result)
{
    std::vector<AloneRun> runs;
    for (std::size_t group = 0; group < scenario.workload.groups.size(); ++group)
    {
        const CojobSpec& cojob = scenario.workload.groups[group];
        if (cojob.plain || !IsOver(cojob, result))
        {
            continue;
        }
        AloneRun run{MakeCojobAlone(scenario, group, result), {}, {}};
        for (std::size_t row = 0; row < result.stages.size(); ++row)
        {
            if (result.stages[row].cojob == cojob.id)
            {
                run.stageRows.push_back(row);
            }
        }
        runs.push_back(std::move(run));
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
        const Scenario alone = MakeJobAlone(scenario, result.jobs[row]);
        const auto [entry, isNew] = known.emplace(FormatScenario(alone), runs.size());
        if (isNew)
        {
            runs.push_back({alone, {}, {}});
        }
        runs[entry->second].jobRows.push_back(row);
    }
    return runs;
}

/** Copy what an alone run measured into the rows that it was run for. */
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

/** Runs all alone runs in a process pool, and takes their results. */
class AloneBatch
{
  public:
    AloneBatch(const std::vector<AloneRun>& runs, RunResult& result, const AloneOptions& options)
        : m_runs(runs),
          m_result(result),
          m_options(options)
    {
    }

    /** \return false if it was interrupted. \throws RunError at the end if a run failed */
    bool Run()
    {
        std::vector<ProcessPool::Task> tasks;
        for (std::size_t i = 0; i < m_runs.size(); ++i)
        {
            tasks.push_back({{}, GetFolder(i) / LOG, [this, i] {
                                 return m_options.run(m_runs[i].scenario, GetFolder(i));
                             }});
        }
        ProcessPool::Listener listener;
        listener.starting = [this](std::size_t i) { PrepareFolder(GetFolder(i)); };
        listener.ended = [this](std::size_t i, int status) { End(i, status); };
        listener.tick = [this] {
            if (m_options.report)
            {
                m_options.report({m_done, m_runs.size()});
            }
        };
        const bool isComplete = ProcessPool(m_options.processes).Run(tasks, listener);
        if (!m_failure.empty())
        {
            throw RunError(m_failure);
        }
        return isComplete;
    }

  private:
    static constexpr const char* LOG = "log";
    static constexpr std::size_t LOG_LINES = 5; //!< of a run that failed, that are shown

    fs::path GetFolder(std::size_t i) const
    {
        return m_options.folder / std::to_string(i);
    }

    void End(std::size_t i, int status)
    {
        if (status == 0)
        {
            Take(i);
        }
        else
        {
            NoteFailure("an alone run failed with status " + std::to_string(status) + ":\n" +
                        ReadEnd(GetFolder(i) / LOG, LOG_LINES));
        }
        std::error_code ignored;
        fs::remove_all(GetFolder(i), ignored);
        ++m_done;
    }

    void Take(std::size_t i)
    {
        try
        {
            TakeResults(m_runs[i], GetFolder(i), m_result);
        }
        catch (const InputError& error)
        {
            NoteFailure(std::string("an alone run left no results: ") + error.what());
        }
    }

    void NoteFailure(const std::string& what)
    {
        m_failure = m_failure.empty() ? what : m_failure;
    }

    const std::vector<AloneRun>& m_runs;
    RunResult& m_result;
    const AloneOptions& m_options;
    std::size_t m_done{0};
    std::string m_failure; //!< of the first run that failed
};

constexpr double LEAST_SLOWDOWN = 0.99; //!< below it, a row is too fast

/** Rows that are faster in company than alone. */
struct TooFast
{
    std::size_t count{0};
    double least{LEAST_SLOWDOWN};
    std::string name; //!< of the row with the least slowdown

    void Look(double measured, const std::optional<double>& alone, const std::string& row)
    {
        const double slowdown = alone && *alone > 0 ? measured / *alone : LEAST_SLOWDOWN;
        count += slowdown < LEAST_SLOWDOWN ? 1 : 0;
        name = slowdown < least ? row : name;
        least = std::min(least, slowdown);
    }
};

TooFast
FindTooFast(const RunResult& result)
{
    TooFast found;
    for (const auto& row : result.stages)
    {
        found.Look(row.GetSct(),
                   row.alone,
                   "stage " + std::to_string(row.stage) + " of cojob " +
                       std::to_string(row.cojob.value));
    }
    for (const auto& row : result.jobs)
    {
        found.Look(row.GetJct(), row.alone, "job " + std::to_string(row.job.value));
    }
    return found;
}

} // namespace

bool
HasNoise(const Scenario& scenario)
{
    return scenario.workload.noise.jitter.IsTypeIdSet() ||
           scenario.workload.noise.straggler.IsTypeIdSet();
}

Scenario
MakeAlone(const Scenario& scenario, const CojobSpec& group)
{
    Scenario alone = scenario;
    alone.name += "-alone";
    alone.description.clear();
    alone.cluster.links.clear();
    alone.workload.generator.reset();
    alone.workload.trace.reset();
    alone.workload.groups = {group};
    alone.workload.groups.front().submit = Time(0);
    alone.workload.background.clear();
    alone.stop.time.reset();
    alone.output = OutputSpec{};
    alone.output.alone = false;
    alone.output.figures = false;
    return alone;
}

Scenario
MakeCojobAlone(const Scenario& scenario, std::size_t group, const RunResult& result)
{
    CojobSpec cojob = scenario.workload.groups[group];
    for (auto& job : cojob.jobs)
    {
        for (const auto& row : result.jobs)
        {
            job.placement = row.job == job.id ? row.placement : job.placement;
        }
    }
    return MakeAlone(scenario, cojob);
}

Scenario
MakeJobAlone(const Scenario& scenario, const JobRow& row)
{
    CojobSpec group{CojobId{1}, true, Time(0), {row.iterations}, {}, {}};
    for (const auto& other : scenario.workload.groups)
    {
        for (const auto& job : other.jobs)
        {
            if (job.id == row.job)
            {
                group.jobs = {job};
            }
        }
    }
    auto& job = group.jobs.at(0);
    group.search.SetTypeId(NoneSearchAlgorithm::GetTypeId());
    job.placement = row.placement;
    job.accuracy.clear();
    job.curve.reset();
    job.stopAfter = NEVER_STOPPED;
    if (!IdsMatter(scenario, row.placement))
    {
        job.id = JobId{1};
    }
    Scenario alone = MakeAlone(scenario, group);
    // The iterations that it did are already scaled; what else hangs on that scale is scaled here.
    Scenario onlyIterations = alone;
    onlyIterations.scale.model = 1;
    alone.scheduling.period = ApplyScale(onlyIterations).scheduling.period;
    alone.scale.iterations = 1;
    return alone;
}

bool
MeasureAlone(const Scenario& scenario, RunResult& result, const AloneOptions& options)
{
    auto runs = PlanCojobRuns(scenario, result);
    for (auto& run : PlanJobRuns(scenario, result))
    {
        runs.push_back(std::move(run));
    }
    const TemporaryFolder scratch(options.folder);
    return AloneBatch(runs, result, options).Run();
}

void
CheckSlowdowns(const Scenario& scenario, RunResult& result)
{
    const TooFast found = FindTooFast(result);
    if (found.count == 0)
    {
        return;
    }
    const bool isFluid = scenario.transport.GetTypeId() == FluidTransport::GetTypeId();
    const std::string what = std::to_string(found.count) + " of the slowdowns are below " +
                             FormatReal(LEAST_SLOWDOWN) + ", the least is " +
                             FormatReal(found.least) + " (" + found.name + "): ";
    if (isFluid && !HasNoise(scenario))
    {
        result.status = RunResult::Status::UNFINISHED;
        result.unfinished.push_back(
            {"slowdowns",
             what +
                 "paths, placement and compute times are the same alone, so nothing explains it"});
        return;
    }
    result.warnings.push_back(
        what + (isFluid ? "who computes for random times may be held up by others at a moment that "
                          "saves its own streams from meeting; paths and compute times are the same"
                        : "packets meet other packets in company, so marks, losses and timeouts "
                          "fall elsewhere; paths, placement and compute times are the same"));
}

} // namespace ddl
} // namespace ns3
