// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_REPRODUCTION_H
#define DDL_REPRODUCTION_H

#include "app/compare/ddl-comparison.h"
#include "ddl-paper.h"

#include <ostream>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** What `ddl reproduce` is asked to do. */
struct ReproduceOptions : ManyRunsOptions
{
    std::string paper;
    std::vector<std::string> figures; //!< folders or numbers of figures; none: all
    FigureVariant variant{FigureVariant::FULL};
};

/** \return the arguments that `ddl reproduce` takes */
Arguments MakeReproduceArguments();

/**
 * \param arguments the parsed arguments of MakeReproduceArguments
 * \return the options that the arguments give
 * \throws InputError that lists what is wrong
 */
ReproduceOptions ReadReproduceOptions(const Arguments& arguments);

/**
 * Run all comparisons that the figures of a paper need, each once; finished runs of an earlier,
 * equal request are kept. Draw the figures, and write `report.txt` and `report.html` with
 * published number, ours, and the gap. The report is written again after each figure, so that an
 * interruption leaves one.
 *
 * \param options the paper, and how to run it
 * \param out gets the table
 * \param err gets progress, the end of the log of each run that failed, and each missed row
 * \return exit status: 0; 1 if a run failed, or a row of `expected.csv` of a figure that was asked
 *         for is missed (see FindMissed); 130 if interrupted
 * \throws InputError with all complaints, before any run starts, when a figure, its expected values
 *         or a scenario is not valid
 * \throws RunError when the folder cannot be written, when results that a run has left are gone or
 *         damaged, or the programs are missing
 */
int Reproduce(const ReproduceOptions& options, std::ostream& out, std::ostream& err);

} // namespace ns3::ddl

#endif // DDL_REPRODUCTION_H
