// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COMPARISON_FILE_H
#define DDL_COMPARISON_FILE_H

#include "ddl-result-set.h"

#include "ns3/ddl-metric.h"
#include "ns3/ddl-result-tables.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A run of a comparison, as a row of compare.csv. */
struct ComparisonRow
{
    std::string run; //!< name of the run, and of its folder
    uint64_t seed{1};
    std::vector<std::string> values;            //!< value of each varied key
    Replications own;                           //!< each metric of the run
    std::vector<std::optional<Estimate>> means; //!< each metric over the seeds of its combination
    std::optional<SeedOutcome> outcome{};       //!< of its combination, if there is a rule
};

/**
 * \param varied paths of the keys that were varied, a column each
 * \param metrics the metrics of the rows
 * \param hasRule whether a rule decided on the number of seeds
 * \return the description of compare.csv
 */
Table<ComparisonRow> DescribeComparisonFile(const std::vector<std::string>& varied,
                                            const std::vector<Metric>& metrics,
                                            bool hasRule);

} // namespace ns3::ddl

#endif // DDL_COMPARISON_FILE_H
