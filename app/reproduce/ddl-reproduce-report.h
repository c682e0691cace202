// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_REPRODUCE_REPORT_H
#define DDL_REPRODUCE_REPORT_H

#include "app/plot/ddl-chart.h"
#include "app/results/ddl-sweep.h"
#include "ddl-figure-outcome.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A line of the report about the runs of a comparison: what they are and how many are complete. */
struct ComparisonNote
{
    std::string text;     //!< description: scenario, keys, seeds, scale, transport
    std::size_t done{0};  //!< number of runs that have results
    std::size_t asked{0}; //!< number of all runs: combinations times seeds
    double cpuSeconds{0}; //!< CPU time of all runs, their alone runs included
    bool isShared{false}; //!< the runs belong to another figure, which counts them
};

/** Means against the values of a key that was varied, as a table with a title. */
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
    std::vector<std::string> pictures; //!< paths of pictures, from the folder of the report
    std::vector<ComparisonNote> notes;
    std::vector<SweepTable> tables;
    std::vector<std::string> problems; //!< sentences on what failed or was not drawn
    std::vector<std::string> missed;   //!< sentences on numbers that differ from `expected.csv`
    std::vector<Chart> charts{};       //!< charts of the pictures, with the published values
};

/** A published number or order that was missed, in words. */
struct MissedRow
{
    std::string name;
    std::string published;
    std::string ours;
    std::string gap;
};

/** The published numbers and orders of a figure that were missed. */
struct MissedFigure
{
    const PaperFigure* figure;
    std::vector<MissedRow> rows; //!< missed numbers and orders, at least one
};

/** What a reader may conclude from a reproduction. */
struct Conclusion
{
    AgreementCounts numbers; //!< counts of published numbers
    AgreementCounts program; //!< counts of the numbers of the authors' program
    AgreementCounts orders;  //!< counts of published orders
    std::vector<MissedFigure> missed;
};

/** \return how many published numbers and orders of these figures are met, and which are missed */
Conclusion Conclude(const std::vector<FigureReport>& figures);

/** \return a sentence on how many numbers of the authors' program are met, and one on published
 * orders; no sentence if there are none of a kind */
std::vector<std::string> FormatOtherCounts(const Conclusion& conclusion);

/** \return a text on the rule by which a number counts as met */
std::string GetVerdictRule();

/** \return a text on why numbers of a figure are missed */
std::string GetReason(const PaperFigure& figure);

/** \return the command that makes a reproduction */
std::string GetReproduceCommand(const std::string& paper, FigureVariant variant);

/** \return a text on which runs a variant has */
std::string DescribeSet(FigureVariant variant, const std::vector<FigureReport>& figures);

/** \return CPU seconds of all runs of these figures */
double SumCost(const std::vector<FigureReport>& figures);

/**
 * \param paper name of the paper
 * \param variant set of runs that the report is about
 * \param figures reports of all figures, by number
 * \return text of report.md
 */
std::string FormatReport(const std::string& paper,
                         FigureVariant variant,
                         const std::vector<FigureReport>& figures);

/** \return the report in a few lines for the terminal: a row per published value */
std::string FormatOverview(const std::vector<FigureReport>& figures);

/**
 * Evaluate the results of a figure's runs, and draw its pictures if asked.
 *
 * \param results folder of the paper's results; pictures go to the figure's folder below it
 * \param figure a figure whose comparisons are complete
 * \param draws whether gnuplot draws; the charts of report.html are made in any case
 * \return what the report says about the figure; runs that are missing are among its problems
 * \throws InputError when files of results are damaged
 */
FigureReport ReportFigure(const std::filesystem::path& results,
                          const PaperFigure& figure,
                          bool draws = true);

} // namespace ns3::ddl

#endif // DDL_REPRODUCE_REPORT_H
