// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SELECTION_H
#define DDL_SELECTION_H

#include "ddl-paper-figure.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

/** \return true if \p runs have every key of \p wanted, with the same value */
bool Matches(const Selection& wanted, const Selection& runs);

/** \return \p selection with one more key */
Selection With(Selection selection, const std::string& key, const std::string& value);

/** \return \p selection with one more key, if it does not have that key */
Selection WithDefault(Selection selection, const std::string& key, const std::string& value);

/** \return what all runs of a comparison are set to */
Selection GetSettings(const FigureComparison& comparison);

/** \return each combination of a comparison: what is set and what is varied */
std::vector<Selection> ListCombinations(const FigureComparison& comparison);

/** \return how many runs a comparison has: combinations times seeds */
std::size_t CountRuns(const FigureComparison& comparison);

/** \return the values that a key is varied over in any comparison of a figure, in their order */
std::vector<std::string> ListValues(const PaperFigure& figure, const std::string& key);

/** \return "network fair-share, load 2" */
std::string Describe(const Selection& selection);

} // namespace ddl
} // namespace ns3

#endif // DDL_SELECTION_H
