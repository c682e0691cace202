// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_REPRODUCTION_PAGE_H
#define DDL_REPRODUCTION_PAGE_H

#include "app/page/ddl-page.h"
#include "ddl-reproduce-report.h"

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

/**
 * \param paper name of the paper
 * \param variant set of runs that the page is about
 * \param figures reports of all figures, by number
 * \return the page `report.html`: the content of `report.md`, with charts in place of pictures
 */
Page MakeReproductionPage(const std::string& paper,
                          FigureVariant variant,
                          const std::vector<FigureReport>& figures);

/**
 * \param folder folder that `ddl reproduce` has written to
 * \return the page of the results that are there now
 * \throws InputError when REPRODUCTION_FILE, the paper's figures, or results are damaged
 */
Page ReadReproductionPage(const std::string& folder);

} // namespace ns3::ddl

#endif // DDL_REPRODUCTION_PAGE_H
