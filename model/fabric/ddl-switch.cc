// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-switch.h"

#include "ddl-ipv4-fields.h"
#include "ddl-switch-port.h"

#include "ns3/ddl-error.h"
#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlSwitch");

NS_OBJECT_ENSURE_REGISTERED(Switch);

TypeId
Switch::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::Switch")
                            .SetParent<Node>()
                            .SetGroupName("Ddl")
                            .AddConstructor<Switch>()
                            .AddTraceSource("Drop",
                                            "A packet had no route, or its time to live was over.",
                                            MakeTraceSourceAccessor(&Switch::m_dropTrace),
                                            "ns3::ddl::Switch::DropTracedCallback");
    return tid;
}

Switch::Switch()
    : m_groups(1),
      m_meter(
          [this](uint32_t ingress, uint32_t queue, bool paused) { Pause(ingress, queue, paused); })
{
}

Switch::~Switch() = default;

void
Switch::SetPathSelector(Ptr<PathSelector> selector, const PathSwitch& at)
{
    selector->Start(at);
    m_selector = selector;
    m_spread = selector->GetSpread();
    m_salt = at.salt;
    const bool isEcmp = selector->GetInstanceTypeId().GetName() == "ns3::ddl::EcmpPathSelector";
    m_other = isEcmp ? nullptr : PeekPointer(selector);
}

void
Switch::SetSharedBuffer(std::shared_ptr<SharedBuffer> buffer)
{
    m_buffer = std::move(buffer);
}

void
Switch::Pause(uint32_t ingress, uint32_t queue, bool paused)
{
    DynamicCast<SwitchPort>(GetDevice(ingress))->SendPause(queue, paused);
}

void
Switch::ClearRoutes(uint32_t hosts)
{
    m_members.clear();
    m_groups.assign(1, Group());
    m_groupOf.clear();
    m_hosts = hosts;
    m_blocks.assign((hosts + Block::HOSTS - 1) / Block::HOSTS, Block());
    if (m_selector)
    {
        m_selector->Reset();
    }
}

uint32_t
Switch::AddGroup(const std::vector<Ptr<SwitchPort>>& ports)
{
    if (ports.empty())
    {
        throw InputError("an equal-cost group needs a port");
    }
    Group group;
    group.first = static_cast<uint32_t>(m_members.size());
    group.count = static_cast<uint32_t>(ports.size());
    for (const auto& port : ports)
    {
        m_members.push_back(PeekPointer(port));
    }
    m_groups.push_back(group);
    return static_cast<uint32_t>(m_groups.size() - 1);
}

void
Switch::SetRoute(uint32_t host, uint32_t group)
{
    if (host >= m_hosts || group >= m_groups.size())
    {
        throw InputError("no host " + std::to_string(host) + " or no group " +
                         std::to_string(group) + " at this switch");
    }
    const uint32_t number = host / Block::HOSTS;
    Block& block = m_blocks[number];
    if (!block.isMixed)
    {
        const auto first = static_cast<uint32_t>(m_groupOf.size());
        m_groupOf.insert(m_groupOf.end(), Block::HOSTS, block.group);
        block = {first, true};
    }
    m_groupOf[block.group + host % Block::HOSTS] = group;
    const auto first = m_groupOf.begin() + block.group;
    const auto last = first + std::min(Block::HOSTS, m_hosts - number * Block::HOSTS);
    if (std::all_of(first, last, [group](uint32_t one) { return one == group; }))
    {
        block = {group, false};
        if (first + Block::HOSTS == m_groupOf.end()) // as always where hosts are set in their order
        {
            m_groupOf.erase(first, m_groupOf.end());
        }
    }
}

std::vector<Ptr<SwitchPort>>
Switch::ListRoutes(uint32_t host) const
{
    const Group group = FindGroup(host);
    const auto first = m_members.begin() + group.first;
    if (m_selector && !m_selector->SeparatesFlows() && group.count > 1)
    {
        return {Choose(host, 0)};
    }
    return {first, first + group.count};
}

SwitchPort*
Switch::Choose(uint32_t host, uint32_t flowHash) const
{
    const Group group = FindGroup(host);
    if (group.count < 2)
    {
        return group.count == 0 ? nullptr : m_members[group.first];
    }
    if (m_other)
    {
        return m_spread == PathSpread::FLOW
                   ? m_members[group.first + m_other->Pick(host, flowHash, group.count)]
                   : nullptr;
    }
    return m_members[group.first + PathSelector::PickByHash(flowHash, m_salt, group.count)];
}

/** \return the port of a frame where packets of a flow need not take one port; null: no route */
SwitchPort*
Switch::Ask(const Frame& frame)
{
    const Group group = FindGroup(frame.destination);
    if (m_spread == PathSpread::FLOW || group.count == 0)
    {
        return nullptr;
    }
    SwitchPort* const* const ports = m_members.data() + group.first;
    return ports[m_selector->Choose({ports, group.count, frame, TimeStep(frame.arrival)})];
}

Ptr<SwitchPort>
Switch::GetRoute(uint32_t host, uint32_t flowHash) const
{
    const Group group = FindGroup(host);
    return m_spread == PathSpread::FLOW || group.count == 0
               ? Choose(host, flowHash)
               : m_members[group.first + PathSelector::PickByHash(flowHash, m_salt, group.count)];
}

void
Switch::Forward(Frame* frame, FramePool& pool)
{
    if (frame->ttl <= 1)
    {
        Drop(frame, pool, DropReason::TTL);
        return;
    }
    SwitchPort* port = Choose(frame->destination, frame->flowHash);
    if (!port && !(port = Ask(*frame)))
    {
        Drop(frame, pool, DropReason::NO_ROUTE);
        return;
    }
    --frame->ttl;
    frame->rewritten = true;
    port->Forward(frame);
}

void
Switch::Drop(Frame* frame, FramePool& pool, DropReason reason)
{
    NS_LOG_LOGIC("switch " << GetId() << " drops a packet to host " << frame->destination
                           << " with TTL " << +frame->ttl);
    m_drops.Add(reason, frame->bytes);
    if (!m_dropTrace.IsEmpty())
    {
        m_dropTrace(CopyWithHeader(*frame));
    }
    pool.Release(frame);
}

void
Switch::DoDispose()
{
    ClearRoutes(0);
    Node::DoDispose();
}

} // namespace ns3::ddl
