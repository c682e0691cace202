// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_METRIC_H
#define DDL_METRIC_H

#include "ddl-run-result.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * A metric of a simulation: one number, or a distribution over rows. `metrics` of summary.json,
 * tables on terminals and pages, compare.csv, figures and their documentation follow from this
 * description. ListMetrics() has all of them.
 */
struct Metric
{
    std::string name;       //!< name with its unit: "jct_s"
    std::string meaning;    //!< "job completion time: ..."; up to a colon, its title
    std::string label;      //!< short name in figures and comparisons: "JCT"
    bool isCompared{false}; //!< compare.csv and the table of a comparison have it
    /** Values of a distribution; null: the metric is one number. */
    std::function<std::vector<double>(const RunResult&)> values{};
    std::function<std::optional<double>(const RunResult&)> number{}; //!< null: a distribution
    std::string table{};  //!< result table with the values of a distribution; "": none
    std::string column{}; //!< its column
    /** Summaries and comparisons in which no job has a value do not name it. */
    bool isOptional{false};

    /** \return whether a result has no value of an optional metric */
    bool IsLeftOut(const RunResult& result) const
    {
        return isOptional && values(result).empty();
    }

    std::string GetTitle() const;     //!< \return "job completion time"
    std::string GetUnit() const;      //!< \return "s"; "": none
    std::string GetAxisTitle() const; //!< \return "job completion time, s"
};

/** \return all metrics, in the order of summary.json */
const std::vector<Metric>& ListMetrics();

/** \return the metrics that comparisons have, in the order of compare.csv */
std::vector<Metric> ListComparedMetrics();

/** \throws InputError when no metric has that name */
const Metric& FindMetric(const std::string& name);

} // namespace ns3::ddl

#endif // DDL_METRIC_H
