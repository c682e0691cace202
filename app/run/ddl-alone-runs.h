// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ALONE_RUNS_H
#define DDL_ALONE_RUNS_H

#include "ns3/ddl-run-result.h"
#include "ns3/ddl-scenario.h"

#include <filesystem>
#include <functional>

namespace ns3::ddl
{

/**
 * Progress of the alone runs. Slowdown compares a job's time with its time alone in the same
 * cluster: after a run, each of its cojobs and jobs is therefore run again by itself.
 */
struct AloneProgress
{
    std::size_t done{0};
    std::size_t of{0};
};

/** How alone runs are run, each in a process of its own. */
struct AloneOptions
{
    /**
     * Run a scenario and leave `stages.csv` and `jobs.csv` in a folder; gives the exit status.
     * Called in a copy of this process: it has all policies, plugins and changed defaults.
     */
    std::function<int(const Scenario&, const std::filesystem::path&)> run;
    std::filesystem::path folder;              //!< temporary; made, and removed when all is done
    uint32_t processes{1};                     //!< at the same time
    std::function<bool()> isStopped;           //!< true after Ctrl-C; may be empty
    std::function<void(AloneProgress)> report; //!< called now and then; may be empty
};

/** \return the same fabric and rules with that work only, released at 0, and no output */
Scenario MakeAlone(const Scenario& scenario, const CojobSpec& group);

/** Makes the scenarios in which single jobs of a run are alone. */
class JobsAlone
{
  public:
    /** \param scenario of the run; its work may be missing */
    explicit JobsAlone(const Scenario& scenario);

    /**
     * \param job of the run
     * \param placement that it had
     * \param iterations that it did
     * \return the same fabric with that job only: same placement, so many iterations in one stage,
     *         released at 0. Jobs whose runs alone would be equal give equal scenarios
     */
    Scenario Make(const JobSpec& job, const Placement& placement, uint64_t iterations) const;

  private:
    Scenario m_base;    //!< without work
    bool m_idsMatter;   //!< random times depend on ids
    bool m_pathsDiffer; //!< those of two flows, by their job's id
};

/**
 * Fill in the `alone` columns: run each cojob that is over, and each job that has left, alone.
 * Equal runs (profile, pattern, iterations, placement, transport, fabric) are done once.
 *
 * \param scenario of the run
 * \param result its rows; cells whose run failed or was given up stay empty
 * \param options where and how
 * \return false if Ctrl-C came in the middle
 * \throws RunError when a run fails, after the others, with the end of what it said
 */
bool MeasureAlone(const Scenario& scenario, RunResult& result, const AloneOptions& options);

/** \return whether some jobs are made of tasks, which run on whatever GPUs are free */
bool HasTasks(const Scenario& scenario);

/**
 * Judge the slowdowns: what is faster in company than alone, by more than 1 %, is said in the
 * warnings of the result, with the reason. Where there is none that holds, with fluids and equal
 * compute times, it is an error: it is listed among the failures.
 *
 * \param scenario of the run
 * \param result with its `alone` columns filled in
 */
void CheckSlowdowns(const Scenario& scenario, RunResult& result);

} // namespace ns3::ddl

#endif // DDL_ALONE_RUNS_H
