// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-alone-runs.h"

#include "app/process/ddl-folder.h"
#include "app/results/ddl-csv-table.h"
#include "app/scenario/ddl-scenario-writer.h"

#include "ns3/ddl-csv-writer.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-fluid-transport.h"
#include "ns3/ddl-scenario.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;

/** One scenario to run, and the cells that its results go to. */
struct AloneRun
{
    Scenario scenario;
    std::vector<std::size_t> stageRows; //!< rows of RunResult::stages by stage, if a cojob runs
    std::vector<std::size_t> jobRows;   //!< rows of RunResult::jobs that share it, if a job runs
};

/** \return alone runs of the cojobs all of whose jobs have left: their placements are known */
std::vector<AloneRun>
PlanCojobs(const Scenario& scenario,
           const RunResult& result,
           const std::function<bool()>& isStopped)
{
    std::map<JobId, const Placement*> placements;
    for (const auto& row : result.jobs)
    {
        placements.emplace(row.job, &row.placement);
    }
    std::map<CojobId, std::vector<std::size_t>> stages;
    for (std::size_t row = 0; row < result.stages.size(); ++row)
    {
        stages[result.stages[row].cojob].push_back(row);
    }
    const Scenario base = WithoutWork(scenario);
    std::vector<AloneRun> runs;
    for (CojobSpec cojob : scenario.workload.groups)
    {
        bool isOver = !cojob.plain;
        for (auto& job : cojob.jobs)
        {
            const auto found = placements.find(job.id);
            isOver = isOver && found != placements.end();
            if (isOver)
            {
                job.placement = *found->second;
            }
        }
        if (isStopped())
        {
            break;
        }
        if (isOver)
        {
            runs.push_back({MakeAlone(base, cojob), stages[cojob.id], {}});
        }
    }
    return runs;
}

/** \return alone runs of the jobs that have left; takes time proportional to their number */
std::vector<AloneRun>
PlanJobs(const Scenario& scenario, const RunResult& result, const std::function<bool()>& isStopped)
{
    std::map<JobId, const JobSpec*> specs;
    for (const auto& group : scenario.workload.groups)
    {
        for (const auto& job : group.jobs)
        {
            specs.emplace(job.id, &job);
        }
    }
    const JobsAlone maker(scenario);
    std::map<std::string, std::size_t> known; // scenario text -> position in runs
    std::vector<AloneRun> runs;
    for (std::size_t row = 0; row < result.jobs.size() && !isStopped(); ++row)
    {
        const JobRow& job = result.jobs[row];
        if (job.iterations == 0)
        {
            continue;
        }
        Scenario alone = maker.Make(*specs.at(job.job), job.placement, job.iterations);
        const auto [entry, isNew] = known.emplace(FormatScenario(alone), runs.size());
        if (isNew)
        {
            runs.push_back({std::move(alone), {}, {}});
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

constexpr double LEAST_SLOWDOWN = 0.99; //!< lower limit of slowdowns: a row below it is too fast

/** Rows that are faster with others than alone. */
struct TooFast
{
    std::size_t count{0};
    double least{LEAST_SLOWDOWN};
    std::string name; //!< name of the row with the least slowdown

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
MeasureAlone(const Scenario& scenario, RunResult& result, const AloneOptions& options)
{
    const auto isStopped = [&options] { return options.isStopped && options.isStopped(); };
    auto runs = PlanCojobs(scenario, result, isStopped);
    auto jobs = PlanJobs(scenario, result, isStopped);
    std::move(jobs.begin(), jobs.end(), std::back_inserter(runs));
    const TemporaryFolder scratch(options.folder);
    std::vector<Piece> pieces;
    for (const AloneRun& run : runs)
    {
        const fs::path folder = options.folder / std::to_string(pieces.size());
        pieces.push_back({folder, [&, folder] { return options.run(run.scenario, folder); }});
    }
    return RunPieces(pieces, "alone runs", options, [&](std::size_t i, int status) {
        if (status == 0)
        {
            TakeResults(runs[i], pieces[i].folder, result);
        }
        std::error_code ignored;
        fs::remove_all(pieces[i].folder, ignored);
    });
}

void
CheckSlowdowns(const Scenario& scenario, RunResult& result)
{
    const TooFast found = FindTooFast(result);
    if (found.count == 0)
    {
        return;
    }
    const bool isFluid = ChooseTransport(scenario).GetTypeId() == FluidTransport::GetTypeId();
    const std::string what = "slowdowns below " + FormatReal(LEAST_SLOWDOWN) + ": " +
                             std::to_string(found.count) + ", the lowest is " +
                             FormatReal(found.least) + " (" + found.name + "): ";
    if (!scenario.cluster.links.empty())
    {
        result.warnings.push_back(what + "links go down and come up in the run, not in the runs "
                                         "alone, so that flows take other paths there");
        return;
    }
    if (UsesRounds(scenario))
    {
        result.warnings.push_back(what + "tasks run on whatever GPUs are free, which may be faster "
                                         "ones, or nearer to the server, than alone");
        return;
    }
    if (isFluid && !HasNoise(scenario))
    {
        result.failures.push_back(
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
