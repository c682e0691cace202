// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-switch-port.h"

#include "ddl-queue-service.h"
#include "ddl-switch.h"

#include "ns3/ddl-error.h"

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(SwitchPort);

TypeId
SwitchPort::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::SwitchPort")
                            .SetParent<Port>()
                            .SetGroupName("Ddl")
                            .AddConstructor<SwitchPort>();
    return tid;
}

void
SwitchPort::Configure(const PortSpec& spec)
{
    m_map = DscpMap(spec.queues);
    for (const auto& entry : spec.dscpToQueue)
    {
        m_map.Set(entry.first, entry.second);
    }
    SetQueues(spec.queues, CreateQueueService(spec));
    QueueAccounts& accounts = GetBank().GetAccounts();
    accounts.SetLimit(spec.limit);
    accounts.SetEcnThreshold(spec.ecnThreshold);
    accounts.SetSharedBuffer(m_switch->GetSharedBuffer());
}

void
SwitchPort::Forward(Frame* frame)
{
    frame->queue = m_map.GetQueue(frame->dscp);
    Enqueue(frame);
}

void
SwitchPort::SetNode(Ptr<Node> node)
{
    Port::SetNode(node);
    m_switch = dynamic_cast<Switch*>(PeekPointer(node));
    if (!m_switch)
    {
        throw InputError("a SwitchPort belongs to a Switch");
    }
}

bool
SwitchPort::Send(Ptr<Packet>, const Address&, uint16_t)
{
    return false;
}

void
SwitchPort::DoReceive(Frame* frame)
{
    frame->ingress = static_cast<uint16_t>(GetIfIndex());
    m_switch->Forward(frame, GetFramePool());
}

} // namespace ddl
} // namespace ns3
