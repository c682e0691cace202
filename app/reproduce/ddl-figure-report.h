// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FIGURE_REPORT_H
#define DDL_FIGURE_REPORT_H

#include "app/page/ddl-report-model.h"
#include "ddl-figure-outcome.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** The runs of a comparison: what they are and how many are complete. */
struct ComparisonNote
{
    std::string text;     //!< description: scenario, keys, seeds, scale, transport
    std::size_t done{0};  //!< number of runs that have results
    std::size_t asked{0}; //!< number of all runs: combinations times seeds
    double cpuSeconds{0}; //!< CPU time of all runs, their alone runs included
    bool isShared{false}; //!< the runs belong to another figure, which counts them
};

/** All that the report says about a figure. */
struct FigureReport
{
    const PaperFigure* figure{nullptr};
    FigureOutcome outcome;
    std::vector<ComparisonNote> notes;
    std::vector<std::string> problems; //!< sentences on what failed or was not drawn
    std::vector<std::string> missed;   //!< sentences on numbers that differ from `expected.csv`
    std::vector<Report::Picture> pictures{}; //!< pictures, with the published values
    Report::Picture beside{};                //!< the published numbers beside ours

    /** \return true if all runs of the figure have results */
    bool IsComplete() const;
};

/**
 * Evaluate the results of a figure's runs, and draw its pictures if asked.
 *
 * \param results folder of the paper's results; pictures go to the figure's folder below it
 * \param figure a figure whose comparisons are complete
 * \param draws whether gnuplot draws; the charts are made in any case
 * \return what the report says about the figure; runs that are missing are among its problems
 * \throws InputError when files of results are damaged
 */
FigureReport ReportFigure(const std::filesystem::path& results,
                          const PaperFigure& figure,
                          bool draws = true);

} // namespace ns3::ddl

#endif // DDL_FIGURE_REPORT_H
