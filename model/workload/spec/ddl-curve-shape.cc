// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-curve-shape.h"

#include "ns3/abort.h"
#include "ns3/ddl-error.h"

#include <cmath>
#include <string>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(CurveShape);

namespace
{

constexpr double TOLERANCE = 1e-9; //!< error allowed at 0.5, for rounding in a shape's arithmetic

} // namespace

TypeId
CurveShape::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::CurveShape").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

double
CurveShape::GetProgress(double effort) const
{
    NS_ABORT_MSG_UNLESS(effort >= 0, "a curve begins at 0, not at " << effort);
    const double progress = DoGetProgress(effort);
    const bool isWrong = effort == 0   ? progress != 0
                         : effort == 1 ? !(std::abs(progress - 0.5) < TOLERANCE)
                                       : !(progress >= 0 && progress <= 1);
    if (isWrong)
    {
        throw RunError(GetInstanceTypeId().GetName() + ": the progress at " +
                       std::to_string(effort) + " is " + std::to_string(progress) +
                       " (0 at 0, 0.5 at 1, from 0 to 1 everywhere)");
    }
    return progress;
}

NS_OBJECT_ENSURE_REGISTERED(InverseCurveShape);

TypeId
InverseCurveShape::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::InverseCurveShape")
                            .SetParent<CurveShape>()
                            .SetGroupName("Ddl")
                            .AddConstructor<InverseCurveShape>();
    return tid;
}

double
InverseCurveShape::DoGetProgress(double effort) const
{
    // The form effort / (effort + 1) would be no number for infinite effort.
    return 1 - 1 / (effort + 1);
}

NS_OBJECT_ENSURE_REGISTERED(ExponentialCurveShape);

TypeId
ExponentialCurveShape::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::ExponentialCurveShape")
                            .SetParent<CurveShape>()
                            .SetGroupName("Ddl")
                            .AddConstructor<ExponentialCurveShape>();
    return tid;
}

double
ExponentialCurveShape::DoGetProgress(double effort) const
{
    return 1 - std::exp2(-effort);
}

} // namespace ns3::ddl
