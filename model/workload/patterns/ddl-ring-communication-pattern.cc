// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-ring-communication-pattern.h"

#include "ddl-communication-pattern.h"

#include <utility>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(RingCommunicationPattern);

TypeId
RingCommunicationPattern::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::RingCommunicationPattern")
                            .SetParent<CommunicationPattern>()
                            .SetGroupName("Ddl")
                            .AddConstructor<RingCommunicationPattern>();
    return tid;
}

std::string
RingCommunicationPattern::Refuse(const PatternView& view) const
{
    return view.servers > 0 ? "pattern ring has no servers; servers must be 0" : "";
}

TransferPlan
RingCommunicationPattern::DoPlan(const PatternView& view) const
{
    return ListTransfers(DoPlanRotated(view), view);
}

RotatedPlan
RingCommunicationPattern::DoPlanRotated(const PatternView& view) const
{
    const uint32_t n = view.workers;
    RotatedPlan plan;
    for (uint32_t step = 0; step + 2 < 2 * n; ++step)
    {
        RotatedTransfer transfer;
        transfer.part = (n - step % n) % n; // worker c + step sends chunk c
        transfer.copy = step + 1 >= n;      // the gather steps copy
        if (step > 0)
        {
            transfer.after.push_back(step - 1);
        }
        plan.push_back(std::move(transfer));
    }
    return plan;
}

} // namespace ns3::ddl
