// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-ring-communication-pattern.h"

#include "ddl-communication-pattern.h"

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
    const uint32_t n = view.workers;
    TransferPlan plan;
    std::vector<uint32_t> last(n); // the latest transfer of each chunk
    for (uint32_t step = 0; step + 2 < 2 * n; ++step)
    {
        for (uint32_t chunk = 0; chunk < n; ++chunk)
        {
            const uint64_t bytes = SplitBytes(view.bytes, n, chunk);
            if (bytes == 0)
            {
                continue;
            }
            const uint32_t source = (chunk + step) % n;
            const bool gather = step + 1 >= n;
            Transfer transfer{source,
                              (source + 1) % n,
                              bytes,
                              {},
                              SplitOffset(view.bytes, n, chunk),
                              gather};
            if (step > 0)
            {
                transfer.after.push_back(last[chunk]);
            }
            last[chunk] = plan.size();
            plan.push_back(std::move(transfer));
        }
    }
    return plan;
}

} // namespace ns3::ddl
