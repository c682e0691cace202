// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-regression-error.h"

#include <algorithm>
#include <cmath>

namespace ns3::ddl
{

RegressionError
ComputeError(const std::vector<Prediction>& predictions)
{
    RegressionError error;
    error.count = predictions.size();
    if (predictions.empty())
    {
        return error;
    }
    const auto count = static_cast<double>(predictions.size());
    double mean = 0;
    for (const Prediction& each : predictions)
    {
        mean += each.actual / count;
    }
    double residual = 0;  // SSE: sum of squared errors
    double total = 0;     // SST: sum of squares about the mean of the measured values
    double explained = 0; // sum of squares of the predictions about that mean
    for (const Prediction& each : predictions)
    {
        residual += (each.predicted - each.actual) * (each.predicted - each.actual);
        total += (each.actual - mean) * (each.actual - mean);
        explained += (each.predicted - mean) * (each.predicted - mean);
    }
    error.mean = mean;
    error.rmse = std::sqrt(residual / count);
    const bool isConstant =
        std::all_of(predictions.begin(), predictions.end(), [&predictions](const auto& each) {
            return each.actual == predictions.front().actual;
        });
    if (!isConstant)
    {
        error.r2 = 1 - residual / total;
        error.explained = explained / total;
    }
    return error;
}

} // namespace ns3::ddl
