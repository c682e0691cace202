// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-curve-spec.h"

#include "ddl-curve-shape.h"
#include "ddl-rng-streams.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>

namespace ns3::ddl
{

namespace
{

constexpr double LEAST_HALF = 1e-6;     //!< least value of LearningCurve::half, iterations
constexpr int64_t STREAMS_OF_A_JOB = 8; //!< RNG streams per job, more than are used

ObjectFactory
MakeUniform(double least, double most)
{
    ObjectFactory factory;
    factory.SetTypeId(UniformRandomVariable::GetTypeId());
    factory.Set("Min", DoubleValue(least));
    factory.Set("Max", DoubleValue(most));
    return factory;
}

double
Draw(const ObjectFactory& factory, int64_t stream)
{
    const auto variable = factory.Create<RandomVariableStream>();
    NS_ABORT_MSG_UNLESS(variable, "a curve's number is not a RandomVariableStream");
    variable->SetStream(stream);
    return variable->GetValue();
}

} // namespace

CurveSpec::CurveSpec()
    : half(MakeUniform(100, 1500)),
      startAccuracy(MakeConstant(0)),
      endAccuracy(MakeUniform(0.5, 0.95))
{
    shape.SetTypeId(InverseCurveShape::GetTypeId());
}

ObjectFactory
MakeConstant(double value)
{
    ObjectFactory factory;
    factory.SetTypeId(ConstantRandomVariable::GetTypeId());
    factory.Set("Constant", DoubleValue(value));
    return factory;
}

LearningCurve
DrawCurve(const CurveSpec& spec, JobId job)
{
    const int64_t stream = CURVE_STREAMS + STREAMS_OF_A_JOB * job.value;
    LearningCurve curve;
    curve.shape = spec.shape;
    curve.half = std::max(LEAST_HALF, Draw(spec.half, stream));
    curve.startAccuracy.reset();
    curve.endAccuracy.reset();
    if (spec.startAccuracy && spec.endAccuracy)
    {
        curve.startAccuracy = Draw(*spec.startAccuracy, stream + 1);
        curve.endAccuracy = Draw(*spec.endAccuracy, stream + 2);
    }
    if (spec.startLoss && spec.endLoss)
    {
        curve.startLoss = Draw(*spec.startLoss, stream + 3);
        curve.endLoss = Draw(*spec.endLoss, stream + 4);
    }
    return curve;
}

} // namespace ns3::ddl
