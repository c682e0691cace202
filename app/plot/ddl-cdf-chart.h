// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CDF_CHART_H
#define DDL_CDF_CHART_H

#include "app/results/ddl-result-set.h"

#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

/** One panel of a chart of distributions: a column of a table of results, a line for each set. */
struct CdfPanel
{
    std::string of;                          //!< rows that are counted: "stages"
    std::string label;                       //!< of the axis
    std::vector<std::vector<double>> values; //!< ascending, of each set
};

/**
 * \param sets whose runs are put together
 * \param of table, without its ending
 * \param column of that table
 * \param label of the axis
 * \throws InputError when the table or the column is missing
 */
CdfPanel ReadCdfPanel(const std::vector<ResultSet>& sets,
                      const std::string& of,
                      const std::string& column,
                      const std::string& label);

/** \return true when no set has a value */
bool IsEmpty(const CdfPanel& panel);

/** \return CSV with a row for each step. \param column its name for the values */
std::string FormatCdfData(const std::string& column,
                          const std::vector<ResultSet>& sets,
                          const std::vector<CdfPanel>& panels);

/**
 * \param name of the figure, and so of its files
 * \param what title of the chart
 * \param panels at least one
 * \return a script for gnuplot that draws the panels side by side
 */
std::string FormatCdfScript(const std::string& name,
                            const std::string& what,
                            const std::vector<ResultSet>& sets,
                            const std::vector<CdfPanel>& panels);

} // namespace ddl
} // namespace ns3

#endif // DDL_CDF_CHART_H
