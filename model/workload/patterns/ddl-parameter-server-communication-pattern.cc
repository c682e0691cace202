// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-parameter-server-communication-pattern.h"

#include "ddl-communication-pattern.h"

#include "ns3/double.h"

#include <cmath>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(ParameterServerCommunicationPattern);

TypeId
ParameterServerCommunicationPattern::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::ParameterServerCommunicationPattern")
            .SetParent<CommunicationPattern>()
            .SetGroupName("Ddl")
            .AddConstructor<ParameterServerCommunicationPattern>()
            .AddAttribute("PullRatio",
                          "Bytes that a worker pulls per byte that it pushes; 0: one way only.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&ParameterServerCommunicationPattern::m_pullRatio),
                          MakeDoubleChecker<double>(0.0, 1e6));
    return tid;
}

std::string
ParameterServerCommunicationPattern::Refuse(const PatternView& view) const
{
    return view.servers == 0 ? "pattern parameter-server needs at least 1 server" : "";
}

TransferPlan
ParameterServerCommunicationPattern::DoPlan(const PatternView& view) const
{
    TransferPlan plan;
    for (uint32_t s = 0; s < view.servers; ++s)
    {
        const uint32_t server = view.workers + s;
        const uint64_t push = SplitBytes(view.bytes, view.servers, s);
        const uint64_t offset = SplitOffset(view.bytes, view.servers, s);
        if (push == 0)
        {
            continue;
        }
        std::vector<uint32_t> pushes;
        for (uint32_t worker = 0; worker < view.workers; ++worker)
        {
            pushes.push_back(plan.size());
            plan.push_back({worker, server, push, {}, offset});
        }
        // A long double's 64 bits of mantissa keep byte counts exact if the ratio is 1.
        const auto pull = static_cast<uint64_t>(
            std::llround(static_cast<long double>(push) * static_cast<long double>(m_pullRatio)));
        for (uint32_t worker = 0; pull > 0 && worker < view.workers; ++worker)
        {
            plan.push_back({server, worker, pull, pushes, offset, true});
        }
    }
    return plan;
}

} // namespace ns3::ddl
