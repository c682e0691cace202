// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-regression-estimator.h"

#include "ns3/ddl-policy-source.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

namespace
{

/** A row of linear equations: coefficients, and the right-hand side last. */
using Equation = std::vector<double>;

/** \return the coefficients of each sample: the features less their means, divided by their
 * standard deviations; 0 for a feature that is always the same */
std::vector<Equation>
Standardise(const std::vector<RegressionSample>& samples, Equation& means, Equation& deviations)
{
    const std::size_t features = samples.front().features.size();
    const auto count = static_cast<double>(samples.size());
    means.assign(features, 0);
    deviations.assign(features, 0);
    for (const RegressionSample& sample : samples)
    {
        for (std::size_t i = 0; i < features; ++i)
        {
            means[i] += sample.features[i] / count;
        }
    }
    for (const RegressionSample& sample : samples)
    {
        for (std::size_t i = 0; i < features; ++i)
        {
            deviations[i] += std::pow(sample.features[i] - means[i], 2) / count;
        }
    }
    std::vector<Equation> rows(samples.size(), Equation(features));
    for (std::size_t i = 0; i < features; ++i)
    {
        deviations[i] = std::sqrt(deviations[i]);
        for (std::size_t row = 0; row < rows.size(); ++row)
        {
            const double off = samples[row].features[i] - means[i];
            rows[row][i] = deviations[i] > 1e-9 * std::abs(means[i]) ? off / deviations[i] : 0;
        }
    }
    return rows;
}

/** Gauss-Jordan elimination with the largest pivot. \return a solution; unknowns that the equations
 * do not fix are 0 */
std::vector<double>
Solve(std::vector<Equation> equations)
{
    const std::size_t unknowns = equations.size();
    std::vector<std::size_t> rowOf(unknowns, unknowns); // row in which each unknown stands alone
    std::size_t row = 0;
    for (std::size_t unknown = 0; unknown < unknowns; ++unknown)
    {
        const auto pivot = std::max_element(equations.begin() + static_cast<std::ptrdiff_t>(row),
                                            equations.end(),
                                            [unknown](const Equation& a, const Equation& b) {
                                                return std::abs(a[unknown]) < std::abs(b[unknown]);
                                            });
        if (pivot == equations.end() || std::abs((*pivot)[unknown]) < 1e-9)
        {
            continue;
        }
        std::swap(*pivot, equations[row]);
        for (std::size_t other = 0; other < unknowns; ++other)
        {
            const double factor = equations[other][unknown] / equations[row][unknown];
            for (std::size_t i = 0; i <= unknowns && other != row; ++i)
            {
                equations[other][i] -= factor * equations[row][i];
            }
        }
        rowOf[unknown] = row++;
    }
    std::vector<double> solution(unknowns, 0);
    for (std::size_t unknown = 0; unknown < unknowns; ++unknown)
    {
        if (rowOf[unknown] < unknowns)
        {
            const Equation& alone = equations[rowOf[unknown]];
            solution[unknown] = alone.back() / alone[unknown];
        }
    }
    return solution;
}

} // namespace

/**
 * `linear`: the plane of least squares through what finished jobs of the model have used, by label;
 * not below 0. Liquid compares its forests with it (Fig. 10).
 */
class LinearEstimator : public RegressionEstimator
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::LinearEstimator")
                                .SetParent<RegressionEstimator>()
                                .SetGroupName("Ddl")
                                .AddConstructor<LinearEstimator>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "linear regression on finished jobs, by model and label";
    }

  private:
    Function Fit(const std::vector<RegressionSample>& samples) override
    {
        Equation means;
        Equation deviations;
        const std::vector<Equation> rows = Standardise(samples, means, deviations);
        const double mean = std::accumulate(samples.begin(),
                                            samples.end(),
                                            0.0,
                                            [](double sum, const RegressionSample& sample) {
                                                return sum + sample.label;
                                            }) /
                            static_cast<double>(samples.size());
        const std::size_t features = means.size();
        std::vector<Equation> normal(features, Equation(features + 1));
        for (std::size_t row = 0; row < rows.size(); ++row)
        {
            for (std::size_t i = 0; i < features; ++i)
            {
                for (std::size_t j = 0; j < features; ++j)
                {
                    normal[i][j] += rows[row][i] * rows[row][j];
                }
                normal[i][features] += rows[row][i] * (samples[row].label - mean);
            }
        }
        const std::vector<double> slopes = Solve(normal);
        return [=](const std::vector<double>& at) {
            double label = mean;
            for (std::size_t i = 0; i < features; ++i)
            {
                label += slopes[i] == 0 ? 0 : slopes[i] * (at[i] - means[i]) / deviations[i];
            }
            return std::max(label, 0.0);
        };
    }
};

NS_OBJECT_ENSURE_REGISTERED(LinearEstimator);
DDL_POLICY_SOURCE(LinearEstimator, "", 0, "finished jobs");

} // namespace ns3::ddl
