// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COMPARISON_H
#define DDL_COMPARISON_H

#include "app/text/ddl-arguments.h"
#include "ddl-variation.h"

#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

/** What `ddl compare` is asked to do. */
struct CompareOptions
{
    std::string scenario;              //!< file, or name of a folder under scenarios/
    std::vector<Variation> variations; //!< the first is slowest in the order of runs
    std::vector<std::string> settings; //!< PATH=VALUE, the same for all runs
    std::vector<std::string> plugins;  //!< libraries that every run loads
    uint64_t seeds{1};                 //!< runs of each combination
    uint64_t firstSeed{1};             //!< the others follow
    std::size_t jobs{1};               //!< runs at a time
    bool isChecked{false};             //!< all combinations are known to be valid
    bool resume{false};                //!< keep finished runs of the same request
    bool quiet{false};                 //!< no progress, no table
    bool isTerminal{false};            //!< progress on one line that is overwritten
    std::filesystem::path folder;      //!< where results go
    std::string runProgram;            //!< path of ddl-run
    std::string checkProgram;          //!< path of ddl-check
};

/** \return what `ddl compare` takes */
Arguments MakeCompareArguments();

/**
 * \param arguments as declared by MakeCompareArguments, parsed
 * \return what they ask for; the programs are those beside our own executable
 * \throws InputError that lists what is wrong
 */
CompareOptions ReadCompareOptions(const Arguments& arguments);

/** What came of a comparison. */
struct CompareOutcome
{
    int status{0};       //!< exit status: 0; 1 if a run failed; 130 if interrupted
    std::size_t kept{0}; //!< runs that were finished before, and are kept
};

/**
 * Run every combination with every seed, as processes of their own, into `runs/NAME` below the
 * folder; then write `compare.csv` (after an interruption with the finished runs), print a table
 * with ratios, draw figures. The folder is ours alone meanwhile, and its old figures are removed.
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

} // namespace ddl
} // namespace ns3

#endif // DDL_COMPARISON_H
