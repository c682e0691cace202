// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-exponential-curve-shape.h"

#include <cmath>

namespace ns3
{
namespace ddl
{

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

std::string
ExponentialCurveShape::GetSummary() const
{
    return "2^(-k / h): what is left halves every h iterations (SLAQ, linear convergence)";
}

double
ExponentialCurveShape::DoGetProgress(double effort) const
{
    return 1 - std::exp2(-effort);
}

} // namespace ddl
} // namespace ns3
