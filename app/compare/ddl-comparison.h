// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COMPARISON_H
#define DDL_COMPARISON_H

#include "app/results/ddl-result-set.h"
#include "app/text/ddl-arguments.h"
#include "app/text/ddl-text-table.h"
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
    std::size_t jobs{1};              //!< runs at a time
    bool quiet{false};                //!< no progress, no table
    bool isTerminal{false};           //!< on a terminal: progress on one line that is overwritten
    std::filesystem::path folder;     //!< where results go
    std::string runProgram;           //!< path of ddl-run
    std::string checkProgram;         //!< path of ddl-check
};

/**
 * \param arguments parsed, with the options plugin, jobs, quiet and out
 * \param self what our own executable is called; the programs are those beside it
 * \param folder for results, if the arguments name none
 * \return what the arguments ask for
 * \throws InputError when the number of jobs is no number, or out of range
 */
ManyRunsOptions ReadManyRunsOptions(const Arguments& arguments,
                                    const std::string& self,
                                    const std::string& folder);

/** What `ddl compare` is asked to do. */
struct CompareOptions : ManyRunsOptions
{
    std::string scenario;              //!< file, or name of a folder under scenarios/
    std::vector<Variation> variations; //!< in the order of runs, the first changes slowest
    std::vector<std::string> settings; //!< PATH=VALUE, the same for all runs
    uint64_t seeds{1};                 //!< runs of each combination
    uint64_t firstSeed{1};             //!< the others follow
    bool isChecked{false};             //!< all combinations are known to be valid
    bool resume{false};                //!< keep finished runs of an earlier, equal request
};

/** \return what `ddl compare` takes */
Arguments MakeCompareArguments();

/**
 * \param arguments as declared by MakeCompareArguments, parsed
 * \return what they ask for
 * \throws InputError that lists what is wrong
 */
CompareOptions ReadCompareOptions(const Arguments& arguments);

/** How a comparison ended. */
struct CompareOutcome
{
    int status{0};       //!< exit status: 0; 1 if anything failed in a run; 130 if interrupted
    std::size_t kept{0}; //!< finished runs of an earlier call that were not run again
};

/** A run of a comparison, before anything runs. */
struct PlannedRun
{
    Combination values;
    bool isFinished{false}; //!< an earlier call left results, and a new run would give the same
    std::optional<double> cpuSeconds{}; //!< of the run that left the latest results
};

/**
 * Find the results that earlier calls have left; nothing is run or written.
 *
 * \param options what to do
 * \return all runs in their order, or nothing if this was interrupted
 */
std::optional<std::vector<PlannedRun>> PlanComparison(const CompareOptions& options);

/**
 * \param folder of a run
 * \return CPU seconds as its `cost.json` says, those of samples and runs alone included; 0 without
 *         such a file
 */
double ReadCost(const std::filesystem::path& folder);

/**
 * Run every combination with every seed, as processes of their own, into `runs/NAME` below the
 * folder; then write `compare.csv` (after an interruption with the finished runs), print a table
 * with ratios, draw figures. The folder is locked meanwhile, and its old figures are removed.
 *
 * \param options what to do
 * \param out gets the table
 * \param err gets progress, and the end of the log of each run that failed
 * \throws InputError when the scenario is not valid in some combination: all complaints, nothing
 *         ran
 * \throws RunError when the folder cannot be written, or another comparison is writing to it, when
 *         results that a run has left are gone or damaged, or the programs are missing
 */
CompareOutcome Compare(const CompareOptions& options, std::ostream& out, std::ostream& err);

/** The table that `ddl compare` prints, and the sentences below it. */
struct ComparisonTable
{
    TextTable table;
    std::vector<std::string> notes;
};

/**
 * A row for each set: the mean of each metric over its seeds and, in brackets, its ratio to the set
 * that has the first value of the last variation and otherwise the same values, each with the 95 %
 * confidence interval where there are several seeds. The notes say what the ratios are of, and
 * which differences are too small to be told from chance with so few seeds.
 *
 * \param variations what was varied; none: the ratios are to the first set
 * \param sets at least one, of that comparison
 * \throws InputError when files of results are missing or damaged
 */
ComparisonTable MakeComparisonTable(const std::vector<Variation>& variations,
                                    const std::vector<ResultSet>& sets);

/**
 * Have ddl-check check every combination of a comparison; nothing is run or written.
 *
 * \param options what is compared
 * \return false if it was interrupted
 * \throws InputError with the lines that ddl-check wrote about all combinations, each line once
 * \throws RunError when ddl-check itself failed
 */
bool CheckCombinations(const CompareOptions& options);

} // namespace ns3::ddl

#endif // DDL_COMPARISON_H
