// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-rdma-stream.h"

#include "ns3/log.h"

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlRdmaStream");
NS_OBJECT_ENSURE_REGISTERED(RdmaStream);

namespace
{

constexpr uint32_t FIRST_PORT = 49152; // RFC 6335: dynamic ports, as RoCEv2 NICs use them
constexpr uint32_t PORTS = 16384;      // equal ones do no harm: queue pairs have numbers

/** \return the way of packets from one machine to another */
RdmaRoute
MakeRoute(const RdmaStream::Place& from, const RdmaStream::Place& to, uint16_t port)
{
    FlowKey flow;
    flow.destination = to.nic.GetAddress();
    flow.protocol = RoceHeader::PROTOCOL;
    flow.sourcePort = port;
    flow.destinationPort = RoceHeader::UDP_PORT;
    return {to.id.value, flow.PathHash(from.nic.GetAddress())};
}

} // namespace

TypeId
RdmaStream::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::RdmaStream").SetParent<MessageStream>().SetGroupName("Ddl");
    return tid;
}

RdmaStream::RdmaStream(StreamId id,
                       Place source,
                       Place destination,
                       uint32_t flowLabel,
                       const RdmaOptions& options)
    : MessageStream(id, source.id, destination.id),
      m_sourceNic(source.nic),
      m_destinationNic(destination.nic),
      m_sender(std::make_unique<RdmaSender>(source.nic, options)),
      m_receiver(std::make_unique<RdmaReceiver>(destination.nic, options.recovery, *this))
{
    const auto port = static_cast<uint16_t>(FIRST_PORT + flowLabel % PORTS);
    m_sender->Connect(destination.nic.GetAddress(),
                      MakeRoute(source, destination, port),
                      port,
                      m_receiver->GetQueuePair());
    m_receiver->Connect(source.nic.GetAddress(),
                        MakeRoute(destination, source, port),
                        port,
                        m_sender->GetQueuePair(),
                        options.initialPsn,
                        m_sender->GetNotificationInterval());
}

StreamCounters
RdmaStream::GetCounters() const
{
    if (!m_sender)
    {
        return m_final;
    }
    StreamCounters counters = m_sender->GetCounters();
    counters.reordered = m_receiver->GetReordered();
    return counters;
}

void
RdmaStream::Close()
{
    NS_LOG_FUNCTION(this);
    if (Shut())
    {
        Release();
        NotifyReleased();
    }
}

void
RdmaStream::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Release();
    MessageStream::DoDispose();
}

void
RdmaStream::Release()
{
    m_final = GetCounters();
    m_sender.reset();
    m_receiver.reset();
}

void
RdmaStream::DoSend(uint64_t bytes)
{
    m_sender->Post(bytes);
}

void
RdmaStream::DoSetMark(End end, Mark mark)
{
    if (end == End::SOURCE)
    {
        m_sourceNic.CheckMark(mark);
        m_sender->SetMark(mark);
    }
    else
    {
        m_destinationNic.CheckMark(mark);
        m_receiver->SetMark(mark);
    }
}

void
RdmaStream::Deliver(uint64_t bytes)
{
    NotifyDelivered(bytes);
}

} // namespace ns3::ddl
