// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-inverse-curve-shape.h"

namespace ns3
{
namespace ddl
{

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

std::string
InverseCurveShape::GetSummary() const
{
    return "1 / (b0 k + b1) + b2, as stochastic gradient descent converges (Optimus, SLAQ)";
}

double
InverseCurveShape::DoGetProgress(double effort) const
{
    // Not effort / (effort + 1), which is no number for the largest efforts.
    return 1 - 1 / (effort + 1);
}

} // namespace ddl
} // namespace ns3
