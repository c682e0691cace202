// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FIGURE_REPORT_H
#define DDL_FIGURE_REPORT_H

#include "ddl-reproduce-report.h"

#include <filesystem>

namespace ns3
{
namespace ddl
{

/**
 * Evaluate what a figure's runs have left, and draw its pictures.
 *
 * \param results folder of the paper's results; pictures go to the figure's folder below it
 * \param figure a figure whose comparisons are complete
 * \return what the report says about it; runs that are missing are among its problems
 * \throws InputError when files of results are damaged
 */
FigureReport ReportFigure(const std::filesystem::path& results, const PaperFigure& figure);

} // namespace ddl
} // namespace ns3

#endif // DDL_FIGURE_REPORT_H
