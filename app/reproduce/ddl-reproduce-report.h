// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_REPRODUCE_REPORT_H
#define DDL_REPRODUCE_REPORT_H

#include "app/page/ddl-report-model.h"
#include "ddl-figure-report.h"

#include <string>
#include <vector>

namespace ns3::ddl
{

/** The file that names the paper and the variant of a folder's results: `{"paper", "variant"}`. */
inline const std::string REPRODUCTION_FILE = "reproduction.json";

/** \return text of REPRODUCTION_FILE */
std::string FormatReproductionFile(const std::string& paper, FigureVariant variant);

/** \return true if `ddl reproduce` has written to a folder */
bool IsReproduction(const std::string& folder);

/** \return the command that makes a reproduction */
std::string GetReproduceCommand(const std::string& paper, FigureVariant variant);

/** \return a table with a row for each published number and order of these figures */
Report::Table MakeNumbersTable(const std::vector<FigureReport>& figures);

/**
 * \param paper name of the paper
 * \param variant set of runs that the report is about
 * \param figures reports of all figures, by number
 * \return what is met and missed, and a section for each figure: `report.html` and `report.txt`
 */
Report MakeReproductionReport(const std::string& paper,
                              FigureVariant variant,
                              const std::vector<FigureReport>& figures);

/**
 * \param folder folder that `ddl reproduce` has written to
 * \return the report of the results that are there now
 * \throws InputError when REPRODUCTION_FILE, the paper's figures, or results are damaged
 */
Report ReadReproductionReport(const std::string& folder);

} // namespace ns3::ddl

#endif // DDL_REPRODUCE_REPORT_H
