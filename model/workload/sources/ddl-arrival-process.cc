// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-arrival-process.h"

#include "ns3/abort.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-quantity.h"

#include <cmath>
#include <string>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(ArrivalProcess);

TypeId
ArrivalProcess::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::ArrivalProcess").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

Time
ArrivalProcess::GetGap(const ArrivalView& view)
{
    NS_ABORT_MSG_UNLESS(view.index < view.count,
                        "arrival " << view.index << " of " << view.count << " was asked for");
    const Time gap = DoGetGap(view);
    if (gap.IsStrictlyNegative() || gap > Time::Max() - view.last)
    {
        // Time::GetSeconds would shift a negative number left, which is undefined before C++20.
        const double seconds = static_cast<double>(gap.GetNanoSeconds()) * 1e-9;
        throw RunError(GetInstanceTypeId().GetName() + ": the gap before arrival " +
                       std::to_string(view.index) + " is " + std::to_string(seconds) +
                       " s (0 s or more, and within the simulator's time)");
    }
    return gap;
}

Time
ApplyLoad(Time arrival, double load)
{
    return load == 1 ? arrival : RoundSteps(arrival.GetDouble() / load);
}

} // namespace ns3::ddl
