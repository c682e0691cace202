// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_MAX_MIN_SHARE_H
#define DDL_MAX_MIN_SHARE_H

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

/** A job that shares GPUs of several types with others over time. */
struct ShareDemand
{
    uint32_t gpus{1}; //!< GPUs that it takes at the same time, all of one type; at least 1
    double weight{1}; //!< weight of its throughput, above 0
    std::vector<double> speeds; //!< throughput by type, relative to each other; 0: cannot run there
};

/** Shares of time that jobs have on each type of GPU. */
struct MaxMinShares
{
    std::vector<std::vector<double>> shares; //!< shares of time, 0 to 1, by job, then type
    double least{0}; //!< least normalised throughput of a job (SolveMaxMinShares)
};

/** \return whether the library was built with a solver of linear programs (lp_solve) */
bool HasShareSolver();

/**
 * Max-min fairness over types of GPUs (Gavel, OSDI 2020, §4.1):
 *
 *     maximise  min over jobs m of  gpus_m / weight_m x (sum over types j of s_mj X_mj) / e_m
 *     with      X >= 0,  sum over j of X_mj <= 1,  sum over m of gpus_m X_mj <= pool_j
 *
 * where e_m is the throughput of an equal share, the mean of s_mj weighted by the pools, those too
 * small for m included, of which it gets nothing: X_mj = 0 where pool_j < gpus_m. A job that can
 * run nowhere or has the weight 0 or less is an error of the caller.
 *
 * Jobs with equal demands get equal shares: the mean of their shares in any optimum is one, too. So
 * the program has as many variables as there are different demands, times types.
 *
 * \param pools number of GPUs by type, at least one above 0
 * \param jobs each with one speed per type, and one above 0 where there are at least its GPUs
 * \return an optimum, which need not be the only one
 * \throws RunError when there is no solver (HasShareSolver), or it finds no optimum
 */
MaxMinShares SolveMaxMinShares(const std::vector<uint32_t>& pools,
                               const std::vector<ShareDemand>& jobs);

/** \return e_m, the throughput of an equal share of all types, for the speeds of a job */
double GetEqualShareThroughput(const std::vector<uint32_t>& pools,
                               const std::vector<double>& speeds);

} // namespace ns3::ddl

#endif // DDL_MAX_MIN_SHARE_H
