// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fifo-job-queue-policy.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(FifoJobQueuePolicy);

TypeId
FifoJobQueuePolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::FifoJobQueuePolicy")
                            .SetParent<JobQueuePolicy>()
                            .SetGroupName("Ddl")
                            .AddConstructor<FifoJobQueuePolicy>();
    return tid;
}

std::string
FifoJobQueuePolicy::GetSummary() const
{
    return "first come, first served; the first in the queue holds up the others";
}

std::optional<uint32_t>
FifoJobQueuePolicy::DoSelectNext(const JobQueueView& view)
{
    if (view.waiting.empty())
    {
        return std::nullopt;
    }
    const auto first = std::min_element(
        view.waiting.begin(),
        view.waiting.end(),
        [](const WaitingGroup& a, const WaitingGroup& b) { return a.submit < b.submit; });
    if (first->refused)
    {
        return std::nullopt; // those behind it wait as well
    }
    return static_cast<uint32_t>(first - view.waiting.begin());
}

} // namespace ddl
} // namespace ns3
