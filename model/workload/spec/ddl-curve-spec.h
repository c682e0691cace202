// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CURVE_SPEC_H
#define DDL_CURVE_SPEC_H

#include "ddl-learning-curve.h"

#include "ns3/ddl-ids.h"
#include "ns3/object-factory.h"

#include <optional>

namespace ns3::ddl
{

/**
 * Distributions from which each job draws its own learning curve, because trainings with randomly
 * chosen hyperparameters differ. All curves have one shape. Factories are of RandomVariableStreams.
 */
struct CurveSpec
{
    /** Inverse shape; accuracy from 0 to U(0.5, 0.95), half of the way after U(100, 1500). */
    CurveSpec();

    ObjectFactory shape;    //!< of a CurveShape
    ObjectFactory half;     //!< iterations; a draw below 1e-6 counts as that
    bool isRelative{false}; //!< instead, part of all iterations of a generated job
    std::optional<ObjectFactory> startAccuracy; //!< before the first iteration
    std::optional<ObjectFactory> endAccuracy;   //!< at convergence
    std::optional<ObjectFactory> startLoss;
    std::optional<ObjectFactory> endLoss;
};

/** \return a factory of a variable that is always that number */
ObjectFactory MakeConstant(double value);

/**
 * \param spec of the curves
 * \param job that gets the curve; the draw depends only on the seed and this id
 */
LearningCurve DrawCurve(const CurveSpec& spec, JobId job);

} // namespace ns3::ddl

#endif // DDL_CURVE_SPEC_H
