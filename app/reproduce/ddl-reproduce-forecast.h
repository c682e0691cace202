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

/** How many runs of a comparison are not finished, and their expected cost. */
struct ComparisonForecast
{
    std::string name;       //!< name for people: "Fig. 7, eight"
    std::size_t runs{0};    //!< number of all runs
    std::size_t toRun{0};   //!< number of runs that are not finished
    std::size_t unknown{0}; //!< number of unfinished runs without a price
    double cpuSeconds{0};   //!< expected cost of the unfinished runs with a price
    bool isDeclared{false}; //!< the price of some is the one in figure.json
};

/**
 * The expected cost of a run that is not finished is the mean cost of earlier runs of its
 * combination; without any, the declared cost; without that, the mean over all earlier runs of the
 * comparison.
 *
 * \param name name for people
 * \param runs runs of the comparison
 * \param declared CPU seconds of a run, as figure.json says; none: not declared
 */
ComparisonForecast ForecastComparison(const std::string& name,
                                      const std::vector<PlannedRun>& runs,
                                      std::optional<double> declared);

/**
 * \param comparisons comparisons of all figures that will run, each once
 * \param jobs number of runs at a time
 * \return a table of the comparisons with unfinished runs, and a sentence about all of them
 */
std::string FormatForecast(const std::vector<ComparisonForecast>& comparisons, std::size_t jobs);

} // namespace ns3::ddl

#endif // DDL_REPRODUCE_FORECAST_H
