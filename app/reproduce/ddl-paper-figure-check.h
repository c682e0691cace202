// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PAPER_FIGURE_CHECK_H
#define DDL_PAPER_FIGURE_CHECK_H

#include "app/json/ddl-json-reader.h"
#include "ddl-paper-figure.h"

#include <vector>

namespace ns3
{
namespace ddl
{

/** Complain about names within a figure that are no folder's names, given twice, or unknown. */
void CheckNames(const PaperFigure& figure, JsonReader& reader);

/**
 * Complain about values and orders that name no runs, or several. Only a whole paper can tell:
 * figures use comparisons of one another.
 *
 * \param figure whose comparisons are complete
 * \param variant of a quick one, values may name runs that are left out
 * \return the complaints
 */
std::vector<Diagnostic> CheckSelections(const PaperFigure& figure, FigureVariant variant);

} // namespace ddl
} // namespace ns3

#endif // DDL_PAPER_FIGURE_CHECK_H
