// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-patient-socket.h"

#include "ns3/log.h"
#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlPatientSocket");

namespace
{

/** Largest distance in bytes at which the last ECN mark is remembered; half of what comparisons of
 * sequence numbers allow. */
constexpr int32_t ECN_MEMORY = 1 << 30;

/** ns-3's bound on the back-off of data (tcp-socket-base.cc, ReTxTimeout), in seconds. */
constexpr int MAX_BACKOFF_SECONDS = 60;

/** \return sequence number of the last mark, moved up when it is so old that comparisons with it
 * would reverse */
SequenceNumber32
Refreshed(SequenceNumber32 mark, SequenceNumber32 now)
{
    return now - mark > ECN_MEMORY ? now - ECN_MEMORY : mark;
}

/** \return number of doublings after which the connection timeout is the largest within that of
 * data */
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

PatientSocket::PatientSocket()
{
    NS_LOG_FUNCTION(this);
}

PatientSocket::PatientSocket(const PatientSocket& other)
    : TcpSocketBase(other)
{
    NS_LOG_FUNCTION(this);
    // A late packet of an older connection may have left its ECN mark in the listening socket.
    m_ecnCESeq = SequenceNumber32(0);
}

void
PatientSocket::SetPatience(Time connTimeout)
{
    SetConnTimeout(connTimeout);
    // The request is sent with 0, 1, ... doublings, then again with the last (SendEmptyPacket).
    SetSynRetries(CountDoublings(connTimeout) + 2);
    SetDataRetries(std::numeric_limits<uint32_t>::max());
}

void
PatientSocket::DoForwardUp(Ptr<Packet> packet, const Address& fromAddress, const Address& toAddress)
{
    const uint8_t kind = PeekFlags(packet) & (TcpHeader::SYN | TcpHeader::ACK | TcpHeader::RST);
    if (m_state == LISTEN && kind != TcpHeader::SYN)
    {
        return; // the packet is of a connection that has been closed
    }
    if (m_state != LISTEN && kind == TcpHeader::SYN && IsForeign(packet, fromAddress, toAddress))
    {
        return;
    }
    if (m_state == ESTABLISHED && (kind & TcpHeader::SYN))
    {
        SendEmptyPacket(TcpHeader::ACK);
        return;
    }
    TcpSocketBase::DoForwardUp(packet, fromAddress, toAddress);
}

void
PatientSocket::SendEmptyPacket(uint8_t flags)
{
    if (flags & TcpHeader::SYN)
    {
        m_synCount = std::max<uint32_t>(m_synCount, 2); // at 0 the socket would give up
    }
    TcpSocketBase::SendEmptyPacket(flags);
}

void
PatientSocket::ReceivedAck(Ptr<Packet> packet, const TcpHeader& header)
{
    const SequenceNumber32 ack = header.GetAckNumber();
    m_ecnEchoSeq = Refreshed(m_ecnEchoSeq, ack);
    m_ecnCWRSeq = Refreshed(m_ecnCWRSeq, ack);
    TcpSocketBase::ReceivedAck(packet, header);
}

void
PatientSocket::ReceivedData(Ptr<Packet> packet, const TcpHeader& header)
{
    m_ecnCESeq = Refreshed(m_ecnCESeq, header.GetSequenceNumber());
    TcpSocketBase::ReceivedData(packet, header);
}

void
PatientSocket::EstimateRtt(const TcpHeader& header)
{
    const uint32_t samples = m_rtt->GetNSamples();
    TcpSocketBase::EstimateRtt(header);
    if (m_rtt->GetNSamples() != samples)
    {
        m_backOff = Time(0);
    }
}

void
PatientSocket::BoundRto()
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
        m_retxEvent = Simulator::Schedule(rto, &PatientSocket::ReTxTimeout, this);
    }
}

void
PatientSocket::NewAck(const SequenceNumber32& ack, bool resetRto)
{
    TcpSocketBase::NewAck(ack, resetRto);
    BoundRto();
}

void
PatientSocket::ReTxTimeout()
{
    TcpSocketBase::ReTxTimeout();
    m_backOff = m_rto; // ns-3 has doubled m_rto
}

} // namespace ns3::ddl
