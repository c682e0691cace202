// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COMPARISON_H
#define DDL_COMPARISON_H

#include "app/engines/ddl-engine.h"
#include "app/page/ddl-report-model.h"
#include "app/results/ddl-result-set.h"
#include "app/text/ddl-arguments.h"
#include "ddl-seed-rule.h"
#include "ddl-variation.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** Options of all commands that run many simulations: `ddl compare`, `ddl reproduce`. */
struct ManyRunsOptions
{
    std::vector<std::string> plugins; //!< libraries that every run loads
    std::size_t jobs{1};              //!< number of runs at a time
    bool quiet{false};                //!< print neither progress nor table
    bool isTerminal{false};           //!< progress is one line that is overwritten
    std::filesystem::path folder;     //!< folder of the results
    std::string runProgram;           //!< path of ddl-run
    EngineOptions engine;             //!< where the runs are carried out
};

/**
 * \param arguments the parsed command line, with the options plugin, jobs, quiet and out
 * \param self path of the running program; ddl-run is the one beside it
 * \param folder folder of the results if the arguments name none
 * \return the options that the arguments give
 * \throws InputError when the number of jobs is no number, or out of range
 */
ManyRunsOptions ReadManyRunsOptions(const Arguments& arguments,
                                    const std::string& self,
                                    const std::string& folder);

/** What `ddl compare` is asked to do. */
struct CompareOptions : ManyRunsOptions
{
    std::string scenario;              //!< path of a file, or name of a folder below scenarios/
    std::vector<Variation> variations; //!< keys that vary; the first changes slowest
    std::vector<std::string> settings; //!< overrides of all runs, each "PATH=VALUE"
    uint64_t seeds{1};                 //!< number of runs of each combination, without a rule
    std::optional<SeedRule> until;     //!< set: it decides how many seeds each combination runs
    uint64_t firstSeed{1};             //!< lowest seed; the others are consecutive
    bool isChecked{false};             //!< all combinations are known to be valid
    bool resume{false};                //!< keep finished runs of an earlier, equal request
};

/** \return the arguments that `ddl compare` takes */
Arguments MakeCompareArguments();

/**
 * \param arguments the parsed arguments of MakeCompareArguments
 * \return the comparison that they ask for
 * \throws InputError that lists what is wrong
 */
CompareOptions ReadCompareOptions(const Arguments& arguments);

/** A run of a comparison, before anything runs. */
struct PlannedRun
{
    Combination values;
    bool isFinished{false}; //!< an earlier call left results, and a new run would give the same
    std::optional<double> cpuSeconds{}; //!< CPU time of the run that left the latest results
};

/**
 * Find the results that earlier calls have left; nothing is run or written.
 *
 * \param options the comparison
 * \return all runs in run order; nothing if the search was interrupted
 */
std::optional<std::vector<PlannedRun>> PlanComparison(const CompareOptions& options);

/**
 * Plan the runs of a comparison as data, with a forecast of their prices; with a rule for seeds,
 * those up to the next look for which results lack.
 *
 * \param options the comparison, which is valid
 * \return all runs in run order; nothing if the forecast was interrupted
 */
std::optional<std::vector<StudyRun>> PlanStudy(const CompareOptions& options);

/**
 * Write a plan to the files `plan.json` and `plan.txt` (a command a line), and print the former.
 *
 * \throws RunError when the folder cannot be written
 */
void WritePlan(const std::vector<StudyRun>& runs,
               const std::filesystem::path& folder,
               std::ostream& out);

/**
 * \param folder folder of a run's results
 * \return CPU seconds of the run by its `cost.json`, its samples and alone runs included; 0 without
 *         such a file
 */
double ReadCost(const std::filesystem::path& folder);

/**
 * Run every combination with every seed, as processes of their own, into `runs/NAME` below the
 * folder; with a rule for seeds, in rounds, until it is met or no more seeds are allowed; then
 * write `compare.csv` (after an interruption with the finished runs), print a table with ratios,
 * draw figures. The folder is locked meanwhile, and its old figures are removed.
 *
 * \param options the comparison
 * \param out gets the table
 * \param err gets progress, and the end of the log of each run that failed
 * \return exit status: 0; 1 if anything failed in a run; 130 if interrupted
 * \throws InputError with all complaints, before any run starts, when the scenario is not valid in
 *         some combination
 * \throws RunError when the folder cannot be written, or another comparison is writing to it, when
 *         results that a run has left are gone or damaged, or ddl-run is missing
 */
int Compare(const CompareOptions& options, std::ostream& out, std::ostream& err);

/**
 * Add the table that `ddl compare` prints to a report. It has a row for each set: the mean of each
 * metric over its seeds and, in brackets, its ratio to the set that has the first value of the last
 * variation and otherwise the same values, each with the 95 % confidence interval where there are
 * several seeds. Texts below it say which set the ratios are relative to, and which differences are
 * too small to be told from chance with so few seeds. If a rule decided on the number of seeds, a
 * second table says how many each row took, and what is uncertain.
 *
 * \param variations keys that were varied; none: the ratios are to the first set
 * \param sets the comparison's results, at least one set
 * \param report gets the table and the texts
 * \throws InputError when files of results are missing or damaged
 */
void AddComparison(const std::vector<Variation>& variations,
                   const std::vector<ResultSet>& sets,
                   Report& report);

/**
 * Read the scenario in every combination of a comparison; nothing is run or written. Plugins have
 * to be loaded.
 *
 * \param options the comparison
 * \throws InputError with the complaints about all combinations, each once
 */
void CheckCombinations(const CompareOptions& options);

} // namespace ns3::ddl

#endif // DDL_COMPARISON_H
