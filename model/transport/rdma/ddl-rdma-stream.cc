// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-rdma-stream.h"

#include "ns3/ddl-flow-key.h"
#include "ns3/log.h"

#include <algorithm>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlRdmaStream");
NS_OBJECT_ENSURE_REGISTERED(RdmaSendingStream);
NS_OBJECT_ENSURE_REGISTERED(RdmaReceivingStream);

namespace
{

constexpr uint32_t PORTS = 16384; // flows may share a port: queue pairs have numbers

} // namespace

uint16_t
RdmaSendingStream::GetPort(uint32_t flowLabel, std::size_t pair)
{
    const uint64_t label = pair == 0 ? flowLabel : MixBits(uint64_t{flowLabel} << 16 | pair);
    return static_cast<uint16_t>(RoceHeader::FIRST_PORT + label % PORTS);
}

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
      m_options(options)
{
    for (uint32_t i = 0; i < options.queuePairs; ++i)
    {
        m_pairs.push_back(std::make_unique<Pair>(*this, nic, options));
        RdmaNote note;
        note.request = request;
        note.pair = static_cast<uint16_t>(i);
        note.pairs = static_cast<uint16_t>(options.queuePairs);
        m_pairs.back()->sender.Connect(note, destination, GetPort(flowLabel, i), *m_pairs.back());
    }
}

RdmaSendingStream::Pair::Pair(RdmaSendingStream& stream, RdmaNic& nic, const RdmaOptions& options)
    : stream(stream),
      sender(nic, options)
{
}

/** Called by the queue pair. The stream may be closed when this returns. */
void
RdmaSendingStream::Pair::Acknowledged(uint64_t bytes)
{
    if (stream.m_pairs.size() == 1)
    {
        stream.NotifyAcknowledged(bytes);
        return;
    }
    untold += bytes;
    stream.Tell();
}

/** With several pairs: pass on what is acknowledged without a gap in the order of messages. */
void
RdmaSendingStream::Tell()
{
    uint64_t told = 0;
    while (!m_dealt.empty())
    {
        Dealt& first = m_dealt.front();
        const uint64_t more = std::min(first.left, m_pairs[first.pair]->untold);
        m_pairs[first.pair]->untold -= more;
        first.left -= more;
        told += more;
        if (first.left > 0)
        {
            break;
        }
        m_dealt.pop_front();
    }
    NotifyAcknowledged(told);
}

StreamCounters
RdmaSendingStream::GetCounters() const
{
    StreamCounters counters = m_final;
    for (const auto& pair : m_pairs)
    {
        counters += pair->sender.GetCounters();
    }
    return counters;
}

std::vector<FlowKey>
RdmaSendingStream::ListFlows() const
{
    std::vector<FlowKey> flows;
    for (const auto& pair : m_pairs)
    {
        if (m_options.entropy == ENTROPY_FLOW)
        {
            flows.push_back({HostToAddress(GetDestination().value),
                             FlowKey::UDP,
                             pair->sender.GetPort(),
                             RoceHeader::UDP_PORT});
        }
    }
    return flows;
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
    m_pairs.clear();
    m_dealt.clear();
}

void
RdmaSendingStream::DoSend(uint64_t bytes, const MessageTag& tag)
{
    if (m_pairs.size() > 1)
    {
        m_dealt.push_back({m_turn, bytes});
    }
    m_pairs[m_turn]->sender.Post(bytes, tag);
    m_turn = (m_turn + 1) % m_pairs.size();
}

void
RdmaSendingStream::DoSetMark(Mark mark)
{
    m_nic.CheckMark(mark);
    for (const auto& pair : m_pairs)
    {
        pair->sender.SetMark(mark);
    }
}

void
RdmaSendingStream::DoClose()
{
    NS_LOG_FUNCTION(this);
    Release();
    NotifyReleased();
}

bool
RdmaSendingStream::DoSetPath(uint32_t flowLabel)
{
    for (std::size_t i = 0; i < m_pairs.size(); ++i)
    {
        m_pairs[i]->sender.SetPort(GetPort(flowLabel, i));
    }
    return m_options.entropy == ENTROPY_FLOW;
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

RdmaReceivingStream::Pair::Pair(RdmaReceivingStream& stream, const RdmaReceiver::Pair& name)
    : stream(stream),
      receiver(stream.m_nic,
               stream.m_options,
               name,
               stream.m_nic.MakeRoute(stream.GetSource(), name.port),
               *this)
{
}

RdmaReceiver*
RdmaReceivingStream::Connect(const RdmaNote& note, const RoceFields& fields)
{
    m_pairs.resize(std::max<std::size_t>(m_pairs.size(), note.pairs));
    auto& pair = m_pairs.at(note.pair);
    if (!pair)
    {
        pair = std::make_unique<Pair>(
            *this,
            RdmaReceiver::Pair{Ipv4Address(fields.source), fields.queuePair, fields.sourcePort});
        pair->receiver.SetMark(GetMark());
    }
    return &pair->receiver;
}

StreamCounters
RdmaReceivingStream::GetCounters() const
{
    StreamCounters counters;
    counters.reordered = m_reordered;
    for (const auto& pair : m_pairs)
    {
        counters.reordered += pair ? pair->receiver.GetReordered() : 0;
    }
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
    for (const auto& pair : m_pairs)
    {
        if (pair)
        {
            pair->receiver.SetMark(mark);
        }
    }
}

void
RdmaReceivingStream::DoDisconnect()
{
    m_reordered = GetCounters().reordered;
    m_pairs.clear();
    m_turn = 0;
}

void
RdmaReceivingStream::DoClose()
{
    NS_LOG_FUNCTION(this);
    DoDisconnect();
    NotifyReleased();
}

/** Called by the queue pair. The stream may be closed when this returns. */
void
RdmaReceivingStream::Pair::Deliver(const MessagePiece* pieces, std::size_t count)
{
    if (stream.m_pairs.size() == 1)
    {
        stream.Deliver(pieces, count);
        return;
    }
    waiting.insert(waiting.end(), pieces, pieces + count);
    stream.DeliverInTurn();
}

/** Deliver what has arrived of the message whose turn it is, and of those that follow it. */
void
RdmaReceivingStream::DeliverInTurn()
{
    const Ptr<RdmaReceivingStream> alive(this); // a receiver may close this stream
    while (!m_pairs.empty() && m_pairs[m_turn] && !m_pairs[m_turn]->waiting.empty())
    {
        const MessagePiece piece = m_pairs[m_turn]->waiting.front();
        m_pairs[m_turn]->waiting.pop_front();
        m_turn = piece.ended ? (m_turn + 1) % m_pairs.size() : m_turn;
        NotifyArrived(piece);
    }
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
