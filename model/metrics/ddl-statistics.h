// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STATISTICS_H
#define DDL_STATISTICS_H

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** The numbers by which `summary.json` describes a metric, in the metric's own unit. */
struct Distribution
{
    std::size_t count{0};
    double mean{0};
    double p50{0}; //!< median, see Percentile
    double p90{0};
    double p95{0};
    double p99{0};
};

/** A statistic of a distribution: its name in `summary.json`. */
struct Statistic
{
    std::string name;
    double Distribution::*value;
};

/** The statistics, in the order of `summary.json`. */
inline const std::vector<Statistic> STATISTICS{{"mean", &Distribution::mean},
                                               {"p50", &Distribution::p50},
                                               {"p90", &Distribution::p90},
                                               {"p95", &Distribution::p95},
                                               {"p99", &Distribution::p99}};

/** A mean, and the error of it. */
struct Estimate
{
    double mean{0};
    std::optional<double> halfWidth; //!< half the 95 % confidence interval; none from one value
    std::size_t count{0};            //!< number of values; 0: not known
};

/**
 * \param values any number of finite values, in any order
 * \return the description of the values; all members are 0 when there are none
 */
Distribution Describe(std::vector<double> values);

/**
 * Linear interpolation between order statistics: with n values x_0 <= ... <= x_(n-1), the value at
 * the position h = (n-1) p/100, x_floor(h) + (h - floor(h)) (x_(floor(h)+1) - x_floor(h)). This is
 * type 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996, the default of R and
 * NumPy.
 *
 * \param sorted at least one value, ascending
 * \param percent 0 to 100
 * \return the percentile
 */
double Percentile(const std::vector<double>& sorted, double percent);

/**
 * \param degrees degrees of freedom, at least 1
 * \return the 0.975 quantile of Student's t: with it, mean +- t s/sqrt(n) covers 95 %
 */
double StudentT975(std::size_t degrees);

/**
 * \param values results of independent replications, at least one
 * \return their mean, and t s/sqrt(n) where s is the sample's standard deviation and t has n-1
 *         degrees of freedom
 */
Estimate EstimateMean(const std::vector<double>& values);

/**
 * Compare one alternative with another that saw the same random numbers. Replication i of the one
 * is paired with replication i of the other, which removes the variance that the two share.
 *
 * \param values results of the alternative's replications; none where one failed
 * \param base results of the replications with which it is compared
 * \return mean and interval of values[i] / base[i] over the pairs that are complete and whose base
 *         is not 0; nothing when there is no such pair
 */
std::optional<Estimate> EstimateRatio(const std::vector<std::optional<double>>& values,
                                      const std::vector<std::optional<double>>& base);

} // namespace ns3::ddl

#endif // DDL_STATISTICS_H
