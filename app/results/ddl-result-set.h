// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RESULT_SET_H
#define DDL_RESULT_SET_H

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace ddl
{

/**
 * Runs that differ in their seed alone: one line of a figure, one row of a table. Replication i of
 * one set has the seed of replication i of every other set of the same comparison.
 */
struct ResultSet
{
    std::string label;
    std::vector<std::string> folders; //!< a folder of results each replication, "" where it failed
    std::vector<std::pair<std::string, std::string>> values{}; //!< of a comparison: what was varied
    std::string comparison{}; //!< name of its comparison, where there are several, else ""
};

/**
 * \param folders of a run, or of a whole comparison (with a `compare.csv`), which becomes a set for
 *        each of its combinations
 * \return the sets in the order given, runs before comparisons. A single run bears the name of its
 *         scenario, several bear those of their folders: as much of the path's end as tells them
 *         apart. Sets of several comparisons bear that of their comparison's folder before their
 * own \throws InputError that lists all folders that hold no results
 */
std::vector<ResultSet> OpenResults(const std::vector<std::string>& folders);

/**
 * \return a metric of each replication, as RunSummary::GetMetric
 * \throws InputError when a `summary.json` is missing or damaged
 */
std::vector<std::optional<double>> ReadMetric(const ResultSet& set,
                                              const std::string& metric,
                                              const std::string& statistic = "mean");

/**
 * \param set runs whose rows are put together
 * \param file "stages.csv"
 * \param column name of a column of numbers
 * \return all its numbers, run by run, empty fields left out
 * \throws InputError when the file or the column is missing, or a field is not a number
 */
std::vector<double> ReadColumn(const ResultSet& set,
                               const std::string& file,
                               const std::string& column);

/**
 * \return which runs these are, for the readers of a figure: "scenario quickstart, 3 seeds; scale:
 * model 1, iterations 0.1"
 */
std::string DescribeRuns(const std::vector<ResultSet>& sets);

/** \return "n = 14", or "n = 12 to 14"; "" of none */
std::string DescribeSamples(const std::vector<std::size_t>& counts);

/** \return "scale: model 1, iterations 0.1", as the runs have it, or that they differ in it */
std::string DescribeScale(const std::vector<ResultSet>& sets);

} // namespace ddl
} // namespace ns3

#endif // DDL_RESULT_SET_H
