// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-curve-shape.h"

#include "ns3/abort.h"

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(CurveShape);

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
    NS_ABORT_MSG_UNLESS(progress >= 0 && progress <= 1,
                        "a curve shape's progress is from 0 to 1, not " << progress);
    return progress;
}

} // namespace ddl
} // namespace ns3
