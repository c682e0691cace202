// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_REPRODUCE_REPORT_H
#define DDL_REPRODUCE_REPORT_H

#include "app/results/ddl-sweep.h"
#include "ddl-figure-outcome.h"

#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

/** What the report says about the runs of a comparison. */
struct ComparisonNote
{
    std::string text;     //!< scenario, keys, seeds, scale, transport
    std::size_t done{0};  //!< combinations and seeds that have results
    std::size_t asked{0}; //!< that there are to be
    double cpuSeconds{0}; //!< of all runs, those alone included
    bool isShared{false}; //!< another figure's, and counted there
};

/** A table of a sweep. */
struct SweepTable
{
    std::string title;
    Sweep sweep;
};

/** All that the report says about a figure. */
struct FigureReport
{
    const PaperFigure* figure{nullptr};
    FigureOutcome outcome;
    std::vector<std::string> pictures; //!< paths, from the folder of the report
    std::vector<ComparisonNote> notes;
    std::vector<SweepTable> tables;
    std::vector<std::string> problems; //!< sentences: what failed, what was not drawn
    std::vector<std::string> missed;   //!< sentences: what is not as `expected.csv` has it
};

/**
 * \param paper its name
 * \param variant which runs they are
 * \param figures all figures, in their order
 * \return text of report.md
 */
std::string FormatReport(const std::string& paper,
                         FigureVariant variant,
                         const std::vector<FigureReport>& figures);

/** \return the same in a few lines for the terminal: a row a published value */
std::string FormatOverview(const std::vector<FigureReport>& figures);

} // namespace ddl
} // namespace ns3

#endif // DDL_REPRODUCE_REPORT_H
