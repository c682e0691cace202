// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_READ_CURVE_H
#define DDL_READ_CURVE_H

#include "app/json/ddl-json-object.h"

#include "ns3/ddl-curve-spec.h"
#include "ns3/ddl-error.h"

#include <vector>

namespace ns3
{
namespace ddl
{

/**
 * \param json {"shape", "half", "accuracy": [start, end], "loss": [start, end]} or {"points":
 *        [[iteration, accuracy], [iteration, accuracy, loss], ...]}
 * \param diagnostics for what the reader does not see itself
 * \return the curve of a job
 */
LearningCurve ReadCurve(const JsonObject& json, std::vector<Diagnostic>& diagnostics);

/**
 * \param json {"shape", "half", "accuracy", "loss"}, whose numbers may be distributions
 * \param fallback for what is not given
 * \param diagnostics for what the reader does not see itself
 * \return what the curves of generated jobs are drawn from
 */
CurveSpec ReadCurveSpec(const JsonObject& json,
                        const CurveSpec& fallback,
                        std::vector<Diagnostic>& diagnostics);

/**
 * \param value a number, or a distribution
 * \param range of the number; what a distribution gives is not checked
 * \param fallback when there is none
 * \param diagnostics for what the reader does not see itself
 * \return a factory of a RandomVariableStream
 */
ObjectFactory ReadNumberOrDistribution(const JsonValue& value,
                                       JsonRange<double> range,
                                       const ObjectFactory& fallback,
                                       std::vector<Diagnostic>& diagnostics);

} // namespace ddl
} // namespace ns3

#endif // DDL_READ_CURVE_H
