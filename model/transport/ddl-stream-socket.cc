// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-stream-socket.h"

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

namespace ns3
{
namespace ddl
{

NS_LOG_COMPONENT_DEFINE("DdlStreamSocket");

namespace
{

/** Bytes behind which the place of the last ECN mark is kept; half of what comparison allows. */
constexpr int32_t ECN_MEMORY = 1 << 30;

/** ns-3 caps the back-off of data there (tcp-socket-base.cc, ReTxTimeout). */
constexpr int MAX_BACKOFF_SECONDS = 60;

/** \return the place of the last mark, moved up when it is so old that comparisons would turn */
SequenceNumber32
Refreshed(SequenceNumber32 mark, SequenceNumber32 now)
{
    return now - mark > ECN_MEMORY ? now - ECN_MEMORY : mark;
}

/** \return how often the connection request is doubled before it waits as long as data at most */
uint32_t
CountDoublings(Time first)
{
    uint32_t doublings = 0;
    for (Time wait = first + first; wait <= Seconds(MAX_BACKOFF_SECONDS) && doublings < 28;
         wait = wait + wait)
    {
        ++doublings;
    }
    return doublings;
}

/** \return the flags of a packet that begins with a TCP header, without parsing its options */
uint8_t
PeekFlags(Ptr<const Packet> packet)
{
    uint8_t bytes[14] = {};
    packet->CopyData(bytes, sizeof(bytes));
    return bytes[13];
}

} // namespace

StreamSocket::StreamSocket()
{
    NS_LOG_FUNCTION(this);
}

StreamSocket::StreamSocket(const StreamSocket& other)
    : TcpSocketBase(other),
      m_forked(other.m_forked)
{
    NS_LOG_FUNCTION(this);
}

StreamSocket::~StreamSocket()
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
    SetConnTimeout(options.connTimeout);
    // Sent with 0, 1, ... doublings, and then again with the last (SendEmptyPacket)
    SetSynRetries(CountDoublings(options.connTimeout) + 2);
    SetDataRetries(std::numeric_limits<uint32_t>::max());
    SetTcpNoDelay(true);
    m_timestampEnabled = options.timestamps;
}

uint64_t
StreamSocket::Fill(uint64_t bytes)
{
    uint64_t added = 0;
    while (added < bytes)
    {
        const auto size =
            static_cast<uint32_t>(std::min<uint64_t>(bytes - added, m_tcb->m_segmentSize));
        if (!m_txBuffer->Add(Create<Packet>(size)))
        {
            break;
        }
        added += size;
    }
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

uint64_t
StreamSocket::Drain()
{
    const Ptr<Packet> data = Recv(std::numeric_limits<uint32_t>::max(), 0);
    return data ? data->GetSize() : 0;
}

void
StreamSocket::SetForkedCallback(ForkedCallback forked)
{
    m_forked = forked;
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
StreamSocket::Release()
{
    NS_LOG_FUNCTION(this);
    Detach();
    DeallocateEndPoint();
    CancelAllTimers();
}

void
StreamSocket::Detach()
{
    m_forked = ForkedCallback();
    m_done = MakeNullCallback<void>();
    SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                      MakeNullCallback<void, Ptr<Socket>, const Address&>());
    SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
}

const StreamCounters&
StreamSocket::GetCounters() const
{
    return m_counters;
}

Ptr<TcpSocketBase>
StreamSocket::Fork()
{
    Ptr<StreamSocket> end = CopyObject<StreamSocket>(this);
    // A late packet of an older connection may have left its mark here
    end->m_ecnCESeq = SequenceNumber32(0);
    return end;
}

void
StreamSocket::CompleteFork(Ptr<Packet> packet,
                           const TcpHeader& header,
                           const Address& fromAddress,
                           const Address& toAddress)
{
    NS_LOG_FUNCTION(this << fromAddress);
    if (!m_forked.IsNull())
    {
        m_forked(Ptr<StreamSocket>(this), fromAddress);
        m_forked = ForkedCallback();
    }
    TcpSocketBase::CompleteFork(packet, header, fromAddress, toAddress);
}

void
StreamSocket::DoForwardUp(Ptr<Packet> packet, const Address& fromAddress, const Address& toAddress)
{
    const uint8_t kind = PeekFlags(packet) & (TcpHeader::SYN | TcpHeader::ACK | TcpHeader::RST);
    if (m_state == LISTEN && kind != TcpHeader::SYN)
    {
        return; // of a connection that has been closed
    }
    if (m_state == ESTABLISHED && (kind & TcpHeader::SYN))
    {
        SendEmptyPacket(TcpHeader::ACK);
        return;
    }
    TcpSocketBase::DoForwardUp(packet, fromAddress, toAddress);
}

void
StreamSocket::SendEmptyPacket(uint8_t flags)
{
    if (flags & TcpHeader::SYN)
    {
        m_counters.timeouts += m_synCount < m_synRetries ? 1 : 0;
        m_synCount = std::max<uint32_t>(m_synCount, 2); // at 0 the socket would give up
    }
    TcpSocketBase::SendEmptyPacket(flags);
}

uint32_t
StreamSocket::SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck)
{
    ++m_counters.dataPackets;
    m_counters.retransmissions += seq < m_tcb->m_highTxMark ? 1 : 0;
    return TcpSocketBase::SendDataPacket(seq, maxSize, withAck);
}

void
StreamSocket::ReceivedAck(Ptr<Packet> packet, const TcpHeader& header)
{
    const SequenceNumber32 ack = header.GetAckNumber();
    m_ecnEchoSeq = Refreshed(m_ecnEchoSeq, ack);
    m_ecnCWRSeq = Refreshed(m_ecnCWRSeq, ack);
    TcpSocketBase::ReceivedAck(packet, header);
}

void
StreamSocket::ReceivedData(Ptr<Packet> packet, const TcpHeader& header)
{
    const SequenceNumber32 seq = header.GetSequenceNumber();
    const SequenceNumber32 end = seq + packet->GetSize();
    m_ecnCESeq = Refreshed(m_ecnCESeq, seq);
    const bool fresh = seq >= m_tcb->m_rxBuffer->NextRxSequence();
    m_counters.reordered += fresh && seq < m_nextFresh ? 1 : 0;
    if (fresh && end > m_nextFresh)
    {
        m_nextFresh = end;
    }
    TcpSocketBase::ReceivedData(packet, header);
}

void
StreamSocket::EstimateRtt(const TcpHeader& header)
{
    const uint32_t samples = m_rtt->GetNSamples();
    TcpSocketBase::EstimateRtt(header);
    if (m_rtt->GetNSamples() != samples)
    {
        m_backOff = Time(0);
    }
}

void
StreamSocket::BoundRto()
{
    const Time rto = Min(Max(m_rto.Get(), m_backOff), Seconds(MAX_BACKOFF_SECONDS));
    if (rto == m_rto.Get())
    {
        return;
    }
    m_rto = rto;
    if (!m_retxEvent.IsExpired())
    {
        m_retxEvent.Cancel();
        m_retxEvent = Simulator::Schedule(rto, &StreamSocket::ReTxTimeout, this);
    }
}

void
StreamSocket::NewAck(const SequenceNumber32& ack, bool resetRto)
{
    TcpSocketBase::NewAck(ack, resetRto);
    BoundRto();
    if (!m_done.IsNull() && ack >= m_tcb->m_highTxMark)
    {
        Finish();
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
        TcpSocketBase::ReTxTimeout();
        m_backOff = m_rto; // which has been doubled
    }
}

uint32_t
StreamSocket::AvailableWindow() const
{
    return m_mute ? 0 : TcpSocketBase::AvailableWindow();
}

} // namespace ddl
} // namespace ns3
