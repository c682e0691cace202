// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LEARNING_CURVE_H
#define DDL_LEARNING_CURVE_H

#include "ns3/object-factory.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/** Accuracy and loss measured after some iterations of a training. */
struct CurvePoint
{
    double iteration{0}; //!< iterations done, 0 or more
    double accuracy{0};
    std::optional<double> loss;
};

/**
 * Accuracy and loss of one training as functions of its iterations: measured points with straight
 * lines between them, or a shape between start and convergence,
 *
 *     accuracy(k) = startAccuracy + (endAccuracy - startAccuracy) progress(k / half)
 *
 * and the same for the loss. Plain data, which does not depend on the network.
 */
struct LearningCurve
{
    std::vector<CurvePoint> points; //!< points by iteration, all different; empty: use the shape
    ObjectFactory shape;            //!< factory of the CurveShape
    double half{1};                 //!< iterations to half of the way, more than 0
    /** Accuracy before the first iteration; none: only the loss is known. */
    std::optional<double> startAccuracy{0};
    std::optional<double> endAccuracy{1}; //!< accuracy at convergence
    std::optional<double> startLoss;      //!< loss before the first iteration
    std::optional<double> endLoss;        //!< loss at convergence
    double scale{1}; //!< simulated iterations per iteration of the curve (iteration scale)
};

/** \return accuracy after a number of simulated iterations; before the first point that of the
 *          first point, after the last one that of the last; none if the curve has none */
std::optional<double> GetAccuracy(const LearningCurve& curve, double iterations);

/** \return loss after a number of simulated iterations; none if the curve has no loss */
std::optional<double> GetLoss(const LearningCurve& curve, double iterations);

/**
 * \param curve curve of a training
 * \param accuracy wanted accuracy
 * \param most number of simulated iterations to search
 * \return the first simulated iteration, from 1 to \p most, after which the accuracy is reached;
 *         none if it is not. O(points), or O(log most) for a shape
 */
std::optional<uint64_t> FindAccuracy(const LearningCurve& curve, double accuracy, uint64_t most);

/** Fraction of the converged accuracy whose time is measured (Grouper §V-A, third metric). */
constexpr double CONVERGED_PART = 0.9;

} // namespace ns3::ddl

#endif // DDL_LEARNING_CURVE_H
