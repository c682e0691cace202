// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-rdma-nic.h"

#include "ddl-rdma-receiver.h"
#include "ddl-rdma-sender.h"

#include "ns3/ddl-host-address.h"

namespace ns3::ddl
{

namespace
{

/** The format of RoCEv2 packets: the header, telemetry if there is any, then payload and CRC, all
 * zeros. */
class RoceFormat : public PacketFormat
{
  public:
    Ptr<Packet> MakePacket(const Frame& frame) const override
    {
        const RoceHeader header(frame.header.data());
        const uint32_t rest = frame.bytes - header.GetSerializedSize();
        if (frame.telemetryBytes == 0)
        {
            auto plain = Create<Packet>(rest);
            plain->AddHeader(header);
            return plain;
        }
        auto packet = Create<Packet>(frame.Telemetry(), frame.telemetryBytes);
        packet->AddAtEnd(Create<Packet>(rest - frame.telemetryBytes));
        packet->AddHeader(header);
        return packet;
    }
};

const RoceFormat ROCE_FORMAT;

static_assert(Frame::HEADER_BYTES >= RoceHeader::MOST_BYTES);
static_assert(LongFrame::TELEMETRY_BYTES >= PathTelemetry::BYTES);

/** \return the key of a pair at its receiving NIC */
uint64_t
MakeKey(uint32_t source, uint32_t queuePair)
{
    return uint64_t{source} << 24 | queuePair; // a queue pair number has 24 bits
}

} // namespace

RdmaNic::RdmaNic(Ptr<HostPort> port, Ipv4Address address, uint32_t firstPsn, Listener& listener)
    : m_port(port),
      m_firstPsn(firstPsn),
      m_address(address),
      m_listener(listener)
{
    m_port->SetEngine(this);
}

RdmaNic::~RdmaNic()
{
    m_port->SetEngine(nullptr);
}

uint32_t
RdmaNic::Add(RdmaSender* sender)
{
    return m_senders.Add(sender);
}

void
RdmaNic::RemoveSender(uint32_t queuePair, RdmaSender& sender)
{
    Withdraw(sender);
    m_senders.Remove(queuePair);
}

void
RdmaNic::AddReceiver(Ipv4Address source, uint32_t queuePair, RdmaReceiver& receiver)
{
    m_receivers[MakeKey(source.Get(), queuePair)] = &receiver;
    m_lastReceiver = nullptr;
}

/** Remove a receiver, unless another pair has got its number since. */
void
RdmaNic::RemoveReceiver(Ipv4Address source, uint32_t queuePair, const RdmaReceiver& receiver)
{
    const auto found = m_receivers.find(MakeKey(source.Get(), queuePair));
    if (found != m_receivers.end() && found->second == &receiver)
    {
        m_receivers.erase(found);
        m_lastReceiver = nullptr;
    }
}

void
RdmaNic::CheckMark(Mark mark) const
{
    m_port->CheckMark(mark);
}

void
RdmaNic::Withdraw(RdmaSender& sender)
{
    if (!sender.is_linked())
    {
        return;
    }
    const uint32_t band = sender.GetMark().band;
    m_ready[band].erase(ReadyList::s_iterator_to(sender));
    if (m_ready[band].empty())
    {
        m_offer &= ~QueueBit(band);
    }
}

void
RdmaNic::Update(RdmaSender& sender, Time now)
{
    if (Sort(sender))
    {
        m_port->NotifyOffer(now);
    }
}

/** List a sender if it is ready, else withdraw it. \return whether this call has listed it */
bool
RdmaNic::Sort(RdmaSender& sender)
{
    if (!sender.IsReady())
    {
        Withdraw(sender);
    }
    else if (!sender.is_linked())
    {
        const uint32_t band = sender.GetMark().band;
        m_ready[band].push_back(sender);
        m_offer |= QueueBit(band);
        return true;
    }
    return false;
}

Frame*
RdmaNic::Pull(uint32_t band, Time now)
{
    ReadyList& ready = m_ready[band];
    auto& sender = static_cast<RdmaSender&>(ready.front());
    ready.pop_front();
    Frame* frame = sender.MakePacket(now);
    if (sender.IsReady())
    {
        ready.push_back(sender);
    }
    else if (ready.empty())
    {
        m_offer &= ~QueueBit(band);
    }
    return frame;
}

RdmaRoute
RdmaNic::MakeRoute(HostId to, uint16_t port) const
{
    FlowKey flow;
    flow.destination = HostToAddress(to.value);
    flow.protocol = FlowKey::UDP;
    flow.sourcePort = port;
    flow.destinationPort = RoceHeader::UDP_PORT;
    return {to.value, flow.PathHash(m_address)};
}

Frame*
RdmaNic::MakeFrame(const RoceHeader& header, const RdmaRoute& route, Mark mark, Time now)
{
    Frame* frame = m_port->TakeFrame(now);
    header.Write(frame->header.data());
    frame->format = &ROCE_FORMAT;
    frame->bytes = header.GetPacketBytes();
    frame->destination = route.host;
    frame->flowHash = route.flowHash;
    frame->queue = mark.band;
    frame->dscp = mark.dscp;
    frame->ecn = header.GetEcn();
    frame->ttl = RoceHeader::TTL;
    frame->offloaded = true;
    return frame;
}

void
RdmaNic::Send(Frame* frame)
{
    m_port->SendFrame(frame);
}

/** Set the paused codepoints. This visits all queue pairs, as pauses are rare. */
void
RdmaNic::SetPaused(uint64_t codepoints)
{
    m_paused = codepoints;
    m_senders.ForEach([this](RdmaSender& sender) { Sort(sender); });
}

void
RdmaNic::Receive(const Frame& frame)
{
    const RoceFields fields = RoceHeader::Read(frame.header.data());
    if (RoceHeader::IsForSender(fields.opcode))
    {
        if (RdmaSender* sender = m_senders.Find(fields.queuePair))
        {
            sender->Receive(fields,
                            TimeStep(frame.arrival),
                            frame.telemetryBytes > 0 ? frame.Telemetry() : nullptr);
        }
    }
    else if (RdmaReceiver* receiver = FindReceiver(frame, fields))
    {
        receiver->Receive(frame, fields);
    }
}

void
RdmaNic::ForeseePull(unsigned step) const
{
    if (m_offer == 0)
    {
        return;
    }
    const ReadyList& ready = m_ready[__builtin_ctzll(m_offer)];
    if (step == 0)
    {
        __builtin_prefetch(&ready);
    }
    else
    {
        static_cast<const RdmaSender&>(ready.front()).Prefetch();
    }
}

void
RdmaNic::ForeseeReceive(const Frame& frame) const
{
    const uint8_t* const header = frame.header.data();
    if (!RoceHeader::IsForSender(RoceHeader::ReadOpcode(header)))
    {
        if (m_lastReceiver)
        {
            m_lastReceiver->Prefetch();
        }
    }
    else if (const RdmaSender* sender = m_senders.Find(RoceHeader::ReadQueuePair(header)))
    {
        sender->Prefetch();
    }
}

/** \return the receiver of a packet, or null. A pair whose number is reused begins with the first
 * PSN */
RdmaReceiver*
RdmaNic::FindReceiver(const Frame& frame, const RoceFields& fields)
{
    const uint64_t key = MakeKey(fields.source, fields.queuePair);
    if (!m_lastReceiver || key != m_lastKey)
    {
        const auto found = m_receivers.find(key);
        m_lastReceiver = found == m_receivers.end() ? nullptr : found->second;
        m_lastKey = key;
    }
    RdmaReceiver* const known = m_lastReceiver;
    if (known && fields.psn != m_firstPsn)
    {
        return known;
    }
    const auto* const note = frame.FindNote<RdmaNote>();
    return note && note->request ? m_listener.Connect(*note, fields) : known;
}

uint32_t
RdmaNic::GetContext() const
{
    return m_port->GetContext();
}

DataRate
RdmaNic::GetDataRate() const
{
    return m_port->GetDataRate();
}

} // namespace ns3::ddl
