// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COMPARE_RUN_H
#define DDL_COMPARE_RUN_H

#include "ddl-comparison.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

/** One run of a comparison. */
struct CompareRun
{
    /** How far it got. */
    enum class State
    {
        WAITING,
        DONE,
        FAILED
    };

    std::string name; //!< of its folder below runs/
    uint64_t seed{1};
    Combination values;
    std::vector<std::string> arguments; //!< of ddl-run, all but `--out` and `--quiet`
    std::filesystem::path folder;       //!< where its results go
    State state{State::WAITING};
    int status{0}; //!< exit status, once it has ended
};

/** \return all runs of a comparison: the cross product, seeds fastest */
std::vector<CompareRun> PlanRuns(const CompareOptions& options);

/**
 * \param option that gives the combination's values: "--set" for ddl-run; "--vary" for ddl-check,
 *        whose complaints name the option as the user gave it
 * \return the arguments that all runs of one combination share
 */
std::vector<std::string> MakeScenarioArguments(const CompareOptions& options,
                                               const Combination& values,
                                               const std::string& option);

/** \return where a run's output goes: `log.txt` in its folder */
std::filesystem::path GetLog(const CompareRun& run);

/**
 * Make a run's folder ready: what an earlier run left there counts for nothing any more.
 *
 * \throws RunError when the folder cannot be written
 */
void PrepareRun(const CompareRun& run);

/**
 * \return true if the folder holds complete results: `summary.json` says "done", and the files that
 *         it lists are there in full
 */
bool HasResults(const CompareRun& run);

/**
 * Find the runs that need not be run again, and mark them as done: those with complete results
 * whose identity (see IdentifyRun) is what it would be if they were run now. The program that would
 * run them is asked for it.
 *
 * \return false if it was interrupted
 */
bool KeepFinished(const CompareOptions& options, std::vector<CompareRun>& runs);

} // namespace ddl
} // namespace ns3

#endif // DDL_COMPARE_RUN_H
