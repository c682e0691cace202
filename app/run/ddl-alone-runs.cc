// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-alone-runs.h"

#include "app/process/ddl-folder.h"
#include "app/process/ddl-process-pool.h"
#include "app/results/ddl-csv-table.h"
#include "app/scenario/ddl-scenario-writer.h"

#include "ns3/abort.h"
#include "ns3/ddl-csv-writer.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-fluid-transport.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-none-search-algorithm.h"
#include "ns3/ddl-safe-file.h"
#include "ns3/ddl-scenario.h"

#include <algorithm>
#include <map>

namespace ns3::ddl
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

using JobRows = std::map<JobId, const JobRow*>;

JobRows
IndexRows(const RunResult& result)
{
    JobRows rows;
    for (const auto& row : result.jobs)
    {
        rows.emplace(row.job, &row);
    }
    return rows;
}

/** \return true when all its jobs have left: only then are all their placements known */
bool
IsOver(const CojobSpec& cojob, const JobRows& rows)
{
    return std::all_of(cojob.jobs.begin(), cojob.jobs.end(), [&rows](const auto& job) {
        return rows.count(job.id) > 0;
    });
}

/** \return a cojob with its jobs where they ran */
CojobSpec
PlaceCojob(CojobSpec cojob, const JobRows& rows)
{
    for (auto& job : cojob.jobs)
    {
        const auto row = rows.find(job.id);
        if (row != rows.end())
        {
            job.placement = row->second->placement;
        }
    }
    return cojob;
}

/** \return a job as a group of one that does as much as it did, where it did it */
CojobSpec
MakeSingleJob(const Scenario& scenario, JobSpec job, const JobRow& row)
{
    job.placement = row.placement;
    job.accuracy.clear();
    job.curve.reset();
    job.stopAfter = NEVER_STOPPED;
    if (!IdsMatter(scenario, row.placement))
    {
        job.id = JobId{1};
    }
    CojobSpec group{CojobId{1}, true, Time(0), {row.iterations}, {}, {job}};
    group.search.SetTypeId(NoneSearchAlgorithm::GetTypeId());
    return group;
}

/** \return the scenario for a single job whose iterations are those that it did, already scaled */
Scenario
ScaleForSingleJob(const Scenario& scenario)
{
    Scenario alone = scenario;
    // What else hangs on the scale of iterations is scaled here.
    Scenario onlyIterations = alone;
    onlyIterations.scale.model = 1;
    alone.scheduling.period = ApplyScale(onlyIterations).scheduling.period;
    alone.scale.iterations = 1;
    return alone;
}

/** \return the scenario without its work: what all alone runs have in common */
Scenario
TakeOutWork(const Scenario& scenario)
{
    Scenario empty = scenario;
    empty.workload.groups.clear();
    return empty;
}

/** The alone runs of a result, found in time proportional to its rows. */
class AlonePlan
{
  public:
    /** \param isStopped asked now and then; once it says true, the plan ends early */
    AlonePlan(const Scenario& scenario,
              const RunResult& result,
              const std::function<bool()>& isStopped)
        : m_scenario(scenario),
          m_result(result),
          m_base(TakeOutWork(scenario)),
          m_singleBase(ScaleForSingleJob(m_base)),
          m_isStopped(isStopped),
          m_rows(IndexRows(result))
    {
        PlanCojobs();
        PlanJobs();
    }

    std::vector<AloneRun> Take()
    {
        return std::move(m_runs);
    }

  private:
    bool IsStopped() const
    {
        return m_isStopped && m_isStopped();
    }

    void PlanCojobs()
    {
        std::map<CojobId, std::vector<std::size_t>> stages;
        for (std::size_t row = 0; row < m_result.stages.size(); ++row)
        {
            stages[m_result.stages[row].cojob].push_back(row);
        }
        for (const auto& cojob : m_scenario.workload.groups)
        {
            if (IsStopped())
            {
                return;
            }
            if (!cojob.plain && IsOver(cojob, m_rows))
            {
                m_runs.push_back(
                    {MakeAlone(m_base, PlaceCojob(cojob, m_rows)), stages[cojob.id], {}});
            }
        }
    }

    void PlanJobs()
    {
        std::map<JobId, const JobSpec*> specs;
        for (const auto& group : m_scenario.workload.groups)
        {
            for (const auto& job : group.jobs)
            {
                specs.emplace(job.id, &job);
            }
        }
        std::map<std::string, std::size_t> known; // scenario text -> position in m_runs
        for (std::size_t row = 0; row < m_result.jobs.size() && !IsStopped(); ++row)
        {
            const JobRow& job = m_result.jobs[row];
            if (job.iterations == 0)
            {
                continue;
            }
            Scenario alone =
                MakeAlone(m_singleBase, MakeSingleJob(m_base, *specs.at(job.job), job));
            const auto [entry, isNew] = known.emplace(FormatScenario(alone), m_runs.size());
            if (isNew)
            {
                m_runs.push_back({std::move(alone), {}, {}});
            }
            m_runs[entry->second].jobRows.push_back(row);
        }
    }

    const Scenario& m_scenario;
    const RunResult& m_result;
    const Scenario m_base;       //!< without work
    const Scenario m_singleBase; //!< likewise, for single jobs
    const std::function<bool()>& m_isStopped;
    const JobRows m_rows;
    std::vector<AloneRun> m_runs;
};

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
        listener.isStopped = m_options.isStopped;
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
    return MakeAlone(TakeOutWork(scenario),
                     PlaceCojob(scenario.workload.groups[group], IndexRows(result)));
}

Scenario
MakeJobAlone(const Scenario& scenario, const JobRow& row)
{
    for (const auto& group : scenario.workload.groups)
    {
        for (const auto& job : group.jobs)
        {
            if (job.id == row.job)
            {
                const Scenario base = TakeOutWork(scenario);
                return MakeAlone(ScaleForSingleJob(base), MakeSingleJob(base, job, row));
            }
        }
    }
    NS_ABORT_MSG("job " << row.job.value << " is in the result, not in the scenario");
}

bool
MeasureAlone(const Scenario& scenario, RunResult& result, const AloneOptions& options)
{
    const auto runs = AlonePlan(scenario, result, options.isStopped).Take();
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
    const std::string what = "slowdowns below " + FormatReal(LEAST_SLOWDOWN) + ": " +
                             std::to_string(found.count) + ", the lowest is " +
                             FormatReal(found.least) + " (" + found.name + "): ";
    if (!scenario.cluster.links.empty())
    {
        result.warnings.push_back(what + "links go down and come up in the run, not in the runs "
                                         "alone, so that flows take other paths there");
        return;
    }
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
        what + (isFluid ? "compute times are random: another job may delay one worker, whose "
                          "transfers then no longer meet those of its own job"
                        : "packets meet other packets in company, so marks, losses and timeouts "
                          "fall elsewhere; paths, placement and compute times are the same"));
}

} // namespace ns3::ddl
