// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-path-selector.h"

#include "ddl-switch-port.h"

#include "ns3/ddl-error.h"

#include <algorithm>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(PathSelector);

uint64_t
PathQuery::GetBacklog(uint32_t port) const
{
    const SwitchPort& egress = *ports[port];
    const uint32_t last = egress.GetQueue(frame.dscp);
    uint64_t bytes = 0;
    for (uint32_t queue = 0; queue <= last; ++queue)
    {
        bytes += egress.GetBacklog(queue);
    }
    return bytes;
}

TypeId
PathSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::PathSelector").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

void
PathSelector::Start(const PathSwitch& at)
{
    m_switch = at;
    m_state = at.salt;
    DoReset();
}

uint32_t
PathSelector::DoPick(uint32_t /* destination */, uint32_t flowHash, uint32_t count) const
{
    return PickByHash(flowHash, m_switch.salt, count);
}

uint32_t
PathSelector::DoChoose(const PathQuery& query)
{
    return DoPick(query.frame.destination, query.frame.flowHash, query.count);
}

void
PathSelector::Refuse(uint32_t port, uint32_t count) const
{
    throw RunError(GetInstanceTypeId().GetName() + " chose port " + std::to_string(port) + " of " +
                   std::to_string(count));
}

} // namespace ns3::ddl
