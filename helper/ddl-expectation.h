// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_EXPECTATION_H
#define DDL_EXPECTATION_H

#include "ddl-figure-outcome.h"

#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

/**
 * Hold what was measured against the `expected.csv` of a figure's folder, if it has one:
 * `variant,value,expected,tolerance,source`, where value is the name of a value, expected and
 * tolerance are in its unit (a change as a fraction), and source is where the number is from. A
 * file of single runs (`run,metric,...`) is left alone.
 *
 * \return sentences: how many rows are met, and each that is not
 * \throws InputError when the file is damaged or names a value that the figure does not have
 */
std::vector<std::string> CheckExpected(const PaperFigure& figure,
                                       FigureVariant variant,
                                       const FigureOutcome& outcome);

} // namespace ddl
} // namespace ns3

#endif // DDL_EXPECTATION_H
