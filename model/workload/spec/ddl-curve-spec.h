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
 * chosen hyperparameters differ. All curves have one shape. The other factories make
 * RandomVariableStreams.
 */
struct CurveSpec
{
    /** The defaults: inverse shape, accuracy from 0 to U(0.5, 0.95), half after U(100, 1500). */
    CurveSpec();

    ObjectFactory shape;    //!< factory of the CurveShape
    ObjectFactory half;     //!< iterations to half of the way; a draw below 1e-6 counts as that
    bool isRelative{false}; //!< whether `half` is a fraction of a generated job's iterations
    std::optional<ObjectFactory> startAccuracy; //!< accuracy before the first iteration
    std::optional<ObjectFactory> endAccuracy;   //!< accuracy at convergence
    std::optional<ObjectFactory> startLoss;
    std::optional<ObjectFactory> endLoss;
};

/** \return a factory of a random variable that is always \p value */
ObjectFactory MakeConstant(double value);

/**
 * \param spec the distributions of the curves
 * \param job the job that gets the curve; the draw depends only on the seed and this id
 * \return the job's curve
 */
LearningCurve DrawCurve(const CurveSpec& spec, JobId job);

} // namespace ns3::ddl

#endif // DDL_CURVE_SPEC_H
