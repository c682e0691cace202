// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_REPRODUCE_FORECAST_H
#define DDL_REPRODUCE_FORECAST_H

#include "app/compare/ddl-comparison.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** What is left to run of a comparison, and what that will cost. */
struct ComparisonForecast
{
    std::string name;       //!< "Fig. 7, eight"
    std::size_t runs{0};    //!< all
    std::size_t toRun{0};   //!< of these, that are not finished
    std::size_t unknown{0}; //!< of these, that have no price
    double cpuSeconds{0};   //!< of those to run that have a price
    bool isDeclared{false}; //!< figure.json says the price of some
};

/**
 * The expected cost of a run that is not finished is the mean cost of earlier runs of its
 * combination; without any, the declared cost; without that, the mean over all earlier runs of the
 * comparison.
 *
 * \param name for people
 * \param runs of the comparison
 * \param declared CPU seconds of a run, as figure.json says
 */
ComparisonForecast ForecastComparison(const std::string& name,
                                      const std::vector<PlannedRun>& runs,
                                      std::optional<double> declared);

/**
 * \param comparisons of all figures that will run, each once
 * \param jobs runs at a time
 * \return a table of those that have something to run, and a sentence about all of them
 */
std::string FormatForecast(const std::vector<ComparisonForecast>& comparisons, std::size_t jobs);

} // namespace ns3::ddl

#endif // DDL_REPRODUCE_FORECAST_H
