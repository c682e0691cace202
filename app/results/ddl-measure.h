// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_MEASURE_H
#define DDL_MEASURE_H

#include "ddl-result-set.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

/** One number of a run: a statistic of a metric, of all jobs or of those of one model. */
struct Measure
{
    std::string metric{"sct_s"};   //!< a metric of `summary.json`
    std::string statistic{"mean"}; //!< of a metric that is a distribution
    std::string model;             //!< "" for all; else stages and jobs of that model alone
};

/** \return the metrics that can be had of one model: columns of `stages.csv` and `jobs.csv` */
std::vector<std::string> ListModelMetrics();

/** \return the statistics that a run has of each distribution */
std::vector<std::string> ListStatistics();

/**
 * \return the number of each replication; nothing where a run failed or did not measure it
 * \throws InputError when files of results are missing or damaged
 */
std::vector<std::optional<double>> ReadMeasure(const ResultSet& set, const Measure& measure);

} // namespace ddl
} // namespace ns3

#endif // DDL_MEASURE_H
