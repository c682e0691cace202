// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PAPER_H
#define DDL_PAPER_H

#include "ddl-paper-figure.h"

#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

/** \return the papers that any folder below scenarios/ has a figure of, by name */
std::vector<std::string> ListPapers();

/**
 * Open all figures of a paper: the folders below scenarios/ whose `figure.json` names it.
 *
 * \param name of the paper
 * \param variant which runs
 * \return its figures in the order of their numbers; a comparison that is taken from another figure
 *         is complete
 * \throws InputError with everything that is wrong in any of the files, or with the nearest name
 *         when there is no such paper
 */
std::vector<PaperFigure> OpenPaper(const std::string& name, FigureVariant variant);

} // namespace ddl
} // namespace ns3

#endif // DDL_PAPER_H
