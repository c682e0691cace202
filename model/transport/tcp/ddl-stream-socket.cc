// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-stream-socket.h"

#include "ns3/ddl-stream-tags.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-rate-ops.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>
#include <limits>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlStreamSocket");

StreamSocket::StreamSocket()
{
    NS_LOG_FUNCTION(this);
}

StreamSocket::StreamSocket(const StreamSocket& other)
    : PatientSocket(other),
      m_forked(other.m_forked)
{
    NS_LOG_FUNCTION(this);
}

void
StreamSocket::Configure(Ptr<Node> node, const TcpOptions& options)
{
    NS_LOG_FUNCTION(this << node);
    ObjectFactory congestionControl;
    congestionControl.SetTypeId(options.congestionControl);
    ObjectFactory recovery;
    recovery.SetTypeId(options.recovery);
    SetNode(node);
    SetTcp(node->GetObject<TcpL4Protocol>());
    SetRtt(CreateObject<RttMeanDeviation>());
    SetUseEcn(options.ecn ? TcpSocketState::On : TcpSocketState::Off);
    SetCongestionControlAlgorithm(congestionControl.Create<TcpCongestionOps>());
    SetRecoveryAlgorithm(recovery.Create<TcpRecoveryOps>());
    SetSegSize(options.segmentSize);
    SetSndBufSize(options.sendBuffer);
    SetRcvBufSize(options.receiveBuffer);
    SetInitialCwnd(options.initialCwnd);
    SetDelAckMaxCount(options.delAckCount);
    SetMinRto(options.minRto);
    SetClockGranularity(options.clockGranularity);
    SetPatience(options.connTimeout);
    SetTcpNoDelay(true);
    m_timestampEnabled = options.timestamps;
}

void
StreamSocket::SetRequest(const StreamRequest& request)
{
    m_request = request;
}

void
StreamSocket::NoteEnd(uint64_t position, const MessageTag& said)
{
    m_ends.push_back({position, said});
}

void
StreamSocket::TagEnds(const Ptr<Packet>& segment, uint64_t begin)
{
    while (!m_ends.empty() && m_ends.front().position <= begin + segment->GetSize())
    {
        const auto end = static_cast<uint32_t>(m_ends.front().position - begin);
        segment->AddByteTag(MessageEndTag(m_ends.front().said), end - 1, end);
        m_ends.pop_front();
    }
}

uint64_t
StreamSocket::Fill(uint64_t bytes)
{
    uint64_t added = 0;
    while (added < bytes)
    {
        const auto size =
            static_cast<uint32_t>(std::min<uint64_t>(bytes - added, m_tcb->m_segmentSize));
        if (m_txBuffer->Available() < size)
        {
            break;
        }
        const Ptr<Packet> segment = Create<Packet>(size);
        TagEnds(segment, m_filled + added);
        m_txBuffer->Add(segment);
        added += size;
    }
    m_filled += added;
    m_rateOps->CalculateAppLimited(m_tcb->m_cWnd,
                                   m_tcb->m_bytesInFlight,
                                   m_tcb->m_segmentSize,
                                   m_txBuffer->TailSequence(),
                                   m_tcb->m_nextTxSequence,
                                   m_txBuffer->GetLost(),
                                   m_txBuffer->GetRetransmitsCount());
    return added;
}

void
StreamSocket::Push()
{
    if (m_connected && m_sendPendingDataEvent.IsExpired() && AvailableWindow() > 0)
    {
        m_sendPendingDataEvent =
            Simulator::ScheduleNow(&StreamSocket::SendPendingData, this, m_connected);
    }
}

void
StreamSocket::SetAcknowledgedCallback(Callback<void, uint64_t> acknowledged)
{
    m_acknowledgedCallback = acknowledged;
}

Ptr<Packet>
StreamSocket::Drain()
{
    return Recv(std::numeric_limits<uint32_t>::max(), 0);
}

void
StreamSocket::SetForkedCallback(ForkedCallback forked)
{
    m_forked = forked;
}

void
StreamSocket::SetReplacedCallback(ReplacedCallback replaced)
{
    m_replaced = replaced;
}

void
StreamSocket::TakeRequest(Ptr<Packet> request, const Address& from, const Address& to)
{
    NS_LOG_FUNCTION(this << from);
    DoForwardUp(request, from, to);
}

void
StreamSocket::Linger(Callback<void> done)
{
    NS_LOG_FUNCTION(this);
    m_done = done;
    m_mute = true;
    if (!m_connected || m_txBuffer->HeadSequence() >= m_tcb->m_highTxMark)
    {
        Finish();
    }
}

void
StreamSocket::Finish()
{
    const Callback<void> done = m_done;
    m_done = MakeNullCallback<void>();
    done();
}

void
StreamSocket::WaitForQuiet(Time quiet, Callback<void> done)
{
    NS_LOG_FUNCTION(this << quiet);
    m_quiet = quiet;
    m_lastData = Simulator::Now();
    m_isQuiet = done;
    m_quietTimer = Simulator::Schedule(quiet, &StreamSocket::LookForQuiet, this);
}

void
StreamSocket::LookForQuiet()
{
    const Time left = m_lastData + m_quiet - Simulator::Now();
    if (left.IsStrictlyPositive())
    {
        m_quietTimer = Simulator::Schedule(left, &StreamSocket::LookForQuiet, this);
        return;
    }
    const Callback<void> done = m_isQuiet;
    m_isQuiet = MakeNullCallback<void>();
    done();
}

void
StreamSocket::Release()
{
    NS_LOG_FUNCTION(this);
    Detach();
    DeallocateEndPoint();
    CancelAllTimers();
}

void
StreamSocket::SetShareSource(Mltcp::ShareSource share)
{
    if (const auto mltcp = DynamicCast<Mltcp>(m_congestionControl))
    {
        mltcp->SetShareSource(std::move(share));
    }
}

void
StreamSocket::Detach()
{
    SetShareSource(nullptr);
    m_forked = ForkedCallback();
    m_done = MakeNullCallback<void>();
    m_isQuiet = MakeNullCallback<void>();
    m_quietTimer.Cancel();
    m_replaced = ReplacedCallback();
    m_acknowledgedCallback = MakeNullCallback<void, uint64_t>();
    SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                      MakeNullCallback<void, Ptr<Socket>, const Address&>());
    SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
}

void
StreamSocket::CompleteFork(Ptr<Packet> packet,
                           const TcpHeader& header,
                           const Address& fromAddress,
                           const Address& toAddress)
{
    NS_LOG_FUNCTION(this << fromAddress);
    const ForkedCallback forked = m_forked;
    m_forked = ForkedCallback();
    StreamRequestTag tag;
    if (forked.IsNull() || !packet->PeekPacketTag(tag))
    {
        return;
    }
    m_request = tag.Get();
    if (!forked(Ptr<StreamSocket>(this), fromAddress, *m_request))
    {
        return; // a later request has arrived
    }
    TcpSocketBase::CompleteFork(packet, header, fromAddress, toAddress);
}

void
StreamSocket::SendEmptyPacket(uint8_t flags)
{
    m_counters.timeouts += (flags & TcpHeader::SYN) && m_synCount < m_synRetries ? 1 : 0;
    if ((flags & (TcpHeader::SYN | TcpHeader::ACK)) != TcpHeader::SYN)
    {
        PatientSocket::SendEmptyPacket(flags);
        return;
    }
    // ns-3 gives the packet to no other object before it is sent.
    const auto tag = MakeCallback(&StreamSocket::TagRequest, this);
    m_txTrace.ConnectWithoutContext(tag);
    PatientSocket::SendEmptyPacket(flags);
    m_txTrace.DisconnectWithoutContext(tag);
}

void
StreamSocket::TagRequest(Ptr<const Packet> request,
                         const TcpHeader& /* header */,
                         Ptr<const TcpSocketBase> /* socket */)
{
    request->AddPacketTag(StreamRequestTag(*m_request));
}

bool
StreamSocket::IsForeign(const Ptr<Packet>& request, const Address& from, const Address& to)
{
    StreamRequestTag tag;
    const bool isForeign =
        m_request && request->PeekPacketTag(tag) && tag.Get().id != m_request->id;
    if (isForeign && !m_replaced.IsNull())
    {
        m_replaced(request, from, to);
    }
    return isForeign;
}

uint32_t
StreamSocket::SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck)
{
    ++m_counters.dataPackets;
    m_counters.retransmissions += seq < m_tcb->m_highTxMark ? 1 : 0;
    return TcpSocketBase::SendDataPacket(seq, maxSize, withAck);
}

void
StreamSocket::ReceivedData(Ptr<Packet> packet, const TcpHeader& header)
{
    const SequenceNumber32 seq = header.GetSequenceNumber();
    const SequenceNumber32 end = seq + packet->GetSize();
    const bool fresh = seq >= m_tcb->m_rxBuffer->NextRxSequence();
    if (m_quiet.IsStrictlyPositive())
    {
        m_lastData = Simulator::Now();
    }
    m_counters.reordered += fresh && seq < m_nextFresh ? 1 : 0;
    if (fresh && end > m_nextFresh)
    {
        m_nextFresh = end;
    }
    PatientSocket::ReceivedData(packet, header);
}

void
StreamSocket::NewAck(const SequenceNumber32& ack, bool resetRto)
{
    PatientSocket::NewAck(ack, resetRto);
    if (!m_done.IsNull() && ack >= m_tcb->m_highTxMark)
    {
        Finish();
    }
    const SequenceNumber32 before = m_acknowledged;
    m_acknowledged = std::max(ack, before);
    if (ack > before && !m_acknowledgedCallback.IsNull())
    {
        m_acknowledgedCallback(static_cast<uint32_t>(ack - before));
    }
}

void
StreamSocket::ReTxTimeout()
{
    NS_LOG_FUNCTION(this);
    if (!m_done.IsNull())
    {
        Finish();
        return;
    }
    if (m_txBuffer->Size() > 0)
    {
        ++m_counters.timeouts;
        PatientSocket::ReTxTimeout();
    }
}

uint32_t
StreamSocket::AvailableWindow() const
{
    return m_mute ? 0 : TcpSocketBase::AvailableWindow();
}

} // namespace ns3::ddl
