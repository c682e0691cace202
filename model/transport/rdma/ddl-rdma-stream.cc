// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-rdma-stream.h"

#include "ns3/ddl-host-address.h"
#include "ns3/log.h"

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlRdmaStream");
NS_OBJECT_ENSURE_REGISTERED(RdmaSendingStream);
NS_OBJECT_ENSURE_REGISTERED(RdmaReceivingStream);

namespace
{

constexpr uint32_t FIRST_PORT = 49152; // RFC 6335: dynamic ports, as RoCEv2 NICs use them
constexpr uint32_t PORTS = 16384;      // flows may share a port: queue pairs have numbers

/** \return the route of packets from a NIC to another machine. \param port UDP source port */
RdmaRoute
MakeRoute(const RdmaNic& from, HostId to, uint16_t port)
{
    FlowKey flow;
    flow.destination = HostToAddress(to.value);
    flow.protocol = FlowKey::UDP;
    flow.sourcePort = port;
    flow.destinationPort = RoceHeader::UDP_PORT;
    return {to.value, flow.PathHash(from.GetAddress())};
}

} // namespace

TypeId
RdmaSendingStream::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::RdmaSendingStream").SetParent<SendingStream>().SetGroupName("Ddl");
    return tid;
}

RdmaSendingStream::RdmaSendingStream(const StreamRequest& request,
                                     HostId destination,
                                     RdmaNic& nic,
                                     uint32_t flowLabel,
                                     const RdmaOptions& options)
    : SendingStream(request, destination),
      m_nic(nic),
      m_sender(std::make_unique<RdmaSender>(nic, options))
{
    const auto port = static_cast<uint16_t>(FIRST_PORT + flowLabel % PORTS);
    m_sender->Connect(request,
                      HostToAddress(destination.value),
                      MakeRoute(nic, destination, port),
                      port,
                      *this);
}

StreamCounters
RdmaSendingStream::GetCounters() const
{
    return m_sender ? m_sender->GetCounters() : m_final;
}

void
RdmaSendingStream::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Release();
    SendingStream::DoDispose();
}

void
RdmaSendingStream::Release()
{
    m_final = GetCounters();
    m_sender.reset();
}

void
RdmaSendingStream::DoSend(uint64_t bytes, const MessageTag& tag)
{
    m_sender->Post(bytes, tag);
}

void
RdmaSendingStream::DoSetMark(Mark mark)
{
    m_nic.CheckMark(mark);
    m_sender->SetMark(mark);
}

void
RdmaSendingStream::DoClose()
{
    NS_LOG_FUNCTION(this);
    Release();
    NotifyReleased();
}

void
RdmaSendingStream::Acknowledged(uint64_t bytes)
{
    NotifyAcknowledged(bytes);
}

TypeId
RdmaReceivingStream::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::RdmaReceivingStream").SetParent<ReceivingStream>().SetGroupName("Ddl");
    return tid;
}

RdmaReceivingStream::RdmaReceivingStream(const StreamName& name,
                                         HostId source,
                                         HostId host,
                                         RdmaNic& nic,
                                         const RdmaOptions& options)
    : ReceivingStream(name, source, host),
      m_nic(nic),
      m_options(options)
{
}

RdmaReceiver*
RdmaReceivingStream::Connect(const RoceFields& fields)
{
    if (!m_receiver)
    {
        m_receiver = std::make_unique<RdmaReceiver>(
            m_nic,
            m_options,
            RdmaReceiver::Pair{Ipv4Address(fields.source), fields.queuePair, fields.sourcePort},
            MakeRoute(m_nic, GetSource(), fields.sourcePort),
            *this);
        m_receiver->SetMark(GetMark());
    }
    return m_receiver.get();
}

StreamCounters
RdmaReceivingStream::GetCounters() const
{
    StreamCounters counters;
    counters.reordered = m_reordered + (m_receiver ? m_receiver->GetReordered() : 0);
    return counters;
}

void
RdmaReceivingStream::DoDispose()
{
    NS_LOG_FUNCTION(this);
    DoDisconnect();
    ReceivingStream::DoDispose();
}

void
RdmaReceivingStream::DoSetMark(Mark mark)
{
    m_nic.CheckMark(mark);
    if (m_receiver)
    {
        m_receiver->SetMark(mark);
    }
}

void
RdmaReceivingStream::DoDisconnect()
{
    m_reordered = GetCounters().reordered;
    m_receiver.reset();
}

void
RdmaReceivingStream::DoClose()
{
    NS_LOG_FUNCTION(this);
    DoDisconnect();
    NotifyReleased();
}

void
RdmaReceivingStream::Deliver(const MessagePiece* pieces, std::size_t count)
{
    if (count == 1)
    {
        NotifyArrived(*pieces);
        return;
    }
    const Ptr<RdmaReceivingStream> alive(this); // a receiver may close this stream
    for (std::size_t i = 0; i < count; ++i)
    {
        NotifyArrived(pieces[i]);
    }
}

} // namespace ns3::ddl
