// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_REGRESSION_ERROR_H
#define DDL_REGRESSION_ERROR_H

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/** A prediction, and the measured value. */
struct Prediction
{
    double predicted{0};
    double actual{0};
};

/** Errors of predictions (Liquid §7.2). */
struct RegressionError
{
    uint64_t count{0};
    double mean{0}; //!< mean of the measured values, in the label's unit
    /** Root of the mean squared error, in the label's unit (the paper omits the root). */
    double rmse{0};
    /** Coefficient of determination, 1 - SSE / SST; none: all measured values are equal. */
    std::optional<double> r2;
    /**
     * Explained over total variance, the formula that the paper prints for R2: sum of (predicted -
     * mean actual)^2 over sum of (actual - mean actual)^2. It may exceed 1. None: all measured
     * values are equal.
     */
    std::optional<double> explained;
};

/** \return the errors of predictions; 0 or none if there are no predictions */
RegressionError ComputeError(const std::vector<Prediction>& predictions);

} // namespace ns3::ddl

#endif // DDL_REGRESSION_ERROR_H
