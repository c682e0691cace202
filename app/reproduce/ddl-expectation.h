// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_EXPECTATION_H
#define DDL_EXPECTATION_H

#include "ddl-figure-outcome.h"

#include "ns3/ddl-error.h"

#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

/**
 * Read the `expected.csv` of a figure's folder, if it has one:
 * `variant,value,expected,tolerance,source`, where variant is `full` or `quick`, value is the name
 * of a value, expected and tolerance are in its unit (a change as a fraction), and source is where
 * the number is from. A file of single runs (`run,metric,...`) is left alone.
 *
 * \param figure what its figure.json says
 * \param variant whose rows are wanted
 * \param diagnostics where it is added what is wrong in any row
 * \return the rows of that variant
 */
std::vector<FigureExpectation> ReadExpected(const PaperFigure& figure,
                                            FigureVariant variant,
                                            std::vector<Diagnostic>& diagnostics);

/**
 * A row is missed where nothing was measured, or where the measured mean differs from what is
 * expected by more than the tolerance.
 *
 * \return a sentence for each row of a figure that is missed
 */
std::vector<std::string> FindMissed(const PaperFigure& figure, const FigureOutcome& outcome);

} // namespace ddl
} // namespace ns3

#endif // DDL_EXPECTATION_H
