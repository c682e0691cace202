// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ALONE_RUNS_H
#define DDL_ALONE_RUNS_H

#include "app/process/ddl-process-pool.h"
#include "app/scenario/ddl-alone-scenario.h"

#include "ns3/ddl-run-result.h"
#include "ns3/ddl-scenario.h"

#include <filesystem>
#include <functional>

namespace ns3::ddl
{

/**
 * How alone runs are run. Slowdown compares a job's time with its time alone in the same cluster:
 * after a run, each of its cojobs and jobs is therefore run again by itself.
 */
struct AloneOptions : PieceOptions
{
    /**
     * Run a scenario and leave `stages.csv` and `jobs.csv` in a folder; gives the exit status.
     * Called in a copy of this process: it has all policies, plugins and changed defaults.
     */
    std::function<int(const Scenario&, const std::filesystem::path&)> run;
    std::filesystem::path folder; //!< temporary folder; made at first, removed at last
};

/**
 * Fill in the `alone` columns: run alone each cojob that is over, and each job that has left.
 * Equal runs (profile, pattern, iterations, placement, transport, fabric) are done once.
 *
 * \param scenario scenario of the run
 * \param result result of the run; cells whose alone run failed or was given up stay empty
 * \param options how the alone runs are run
 * \return false if Ctrl-C interrupted them
 * \throws RunError after the last run, with the end of the log, when a run failed
 */
bool MeasureAlone(const Scenario& scenario, RunResult& result, const AloneOptions& options);

/**
 * Judge the slowdowns. Stages and jobs that are faster with others than alone, by more than 1 %,
 * become a warning of the result, with the reason. On fluids with equal compute times nothing can
 * be the reason; then they are an error, and become a failure of the result.
 *
 * \param scenario scenario of the run
 * \param result result of the run, with its `alone` columns filled in
 */
void CheckSlowdowns(const Scenario& scenario, RunResult& result);

} // namespace ns3::ddl

#endif // DDL_ALONE_RUNS_H
