// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-tcp-transport.h"

#include "ddl-congestion-control.h"

#include "ns3/boolean.h"
#include "ns3/ddl-error.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlTcpTransport");
NS_OBJECT_ENSURE_REGISTERED(TcpTransport);

namespace
{

constexpr uint32_t HEADER_BYTES = 20 + 20;   //!< headers of IPv4 and TCP without options
constexpr uint32_t TIMESTAMP_BYTES = 12;     //!< timestamp option (RFC 7323), padded to whole words
constexpr uint32_t MAX_PACKET_BYTES = 65535; //!< largest IPv4 packet

} // namespace

TypeId
TcpTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::TcpTransport")
            .SetParent<Transport>()
            .SetGroupName("Ddl")
            .AddConstructor<TcpTransport>()
            .AddAttribute("CongestionControl",
                          "Short name (dctcp, cubic, newreno, bbr, ...) or full name of a "
                          "TcpCongestionOps. dctcp is ns3::ddl::DctcpFloor.",
                          StringValue("dctcp"),
                          MakeStringAccessor(&TcpTransport::m_congestionControl),
                          MakeStringChecker())
            .AddAttribute("UseEcn",
                          "Whether congestion controls other than dctcp use ECN (RFC 3168); dctcp "
                          "always does.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TcpTransport::m_useEcn),
                          MakeBooleanChecker())
            .AddAttribute(
                "RecoveryType",
                "A TcpRecoveryOps. With ns-3's default, TcpPrrRecovery, ECN marks let the "
                "window drain with the message.",
                TypeIdValue(TcpClassicRecovery::GetTypeId()),
                MakeTypeIdAccessor(&TcpTransport::m_recovery),
                MakeTypeIdChecker())
            .AddAttribute("SegmentSize",
                          "Bytes of data in a full packet; 0: the least MTU of the hosts less 40 "
                          "bytes of headers, and 12 more with Timestamps.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TcpTransport::m_segmentSize),
                          MakeUintegerChecker<uint32_t>(0, MAX_PACKET_BYTES))
            .AddAttribute("SendBuffer",
                          "Bytes that a socket holds, sent and unsent; bounds the window. Larger "
                          "buffers cost computing time.",
                          UintegerValue(262144),
                          MakeUintegerAccessor(&TcpTransport::m_sendBuffer),
                          MakeUintegerChecker<uint32_t>(1, 1U << 30))
            .AddAttribute("ReceiveBuffer",
                          "Bytes that a receiver takes out of order; bounds the window.",
                          UintegerValue(524288),
                          MakeUintegerAccessor(&TcpTransport::m_receiveBuffer),
                          MakeUintegerChecker<uint32_t>(1, 1U << 30))
            .AddAttribute("InitialCwnd",
                          "Segments sent before the first acknowledgement (RFC 6928).",
                          UintegerValue(10),
                          MakeUintegerAccessor(&TcpTransport::m_initialCwnd),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("DelAckCount",
                          "Data packets per acknowledgement. With more than 1, the last packet of "
                          "a message waits 200 ms for its own.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&TcpTransport::m_delAckCount),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MinRto",
                          "Least retransmission timeout.",
                          TimeValue(MilliSeconds(5)),
                          MakeTimeAccessor(&TcpTransport::m_minRto),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute(
                "ClockGranularity",
                "Least term that the variation of the round-trip time adds to the timeout.",
                TimeValue(MicroSeconds(100)),
                MakeTimeAccessor(&TcpTransport::m_clockGranularity),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("ConnTimeout",
                          "Wait before a connection request is sent again; doubles up to 60 s.",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&TcpTransport::m_connTimeout),
                          MakeTimeChecker(NanoSeconds(1), Seconds(30)))
            .AddAttribute(
                "Timestamps",
                "Send RFC 7323 timestamps. ns-3 counts them in ms, which tells nothing of "
                "round trips shorter than that.",
                BooleanValue(false),
                MakeBooleanAccessor(&TcpTransport::m_timestamps),
                MakeBooleanChecker());
    return tid;
}

void
TcpTransport::DoInstall()
{
    NS_LOG_FUNCTION(this);
    const Ptr<Fabric> fabric = GetFabric();
    m_options = ReadOptions();
    if (!fabric->GetHost(HostId{0})->GetObject<Ipv4>()) // else the script has installed the stack
    {
        fabric->InstallStack();
    }
}

Ptr<StreamHost>
TcpTransport::DoMakeHost(HostId host, std::shared_ptr<StreamSettings> settings)
{
    return CreateObject<TcpHost>(host, std::move(settings), GetFabric()->GetHost(host), m_options);
}

uint32_t
TcpTransport::DeriveSegmentSize() const
{
    uint32_t mtu = MAX_PACKET_BYTES;
    for (uint32_t i = 0; i < GetFabric()->GetHosts(); ++i)
    {
        mtu = std::min<uint32_t>(mtu, GetFabric()->GetHostPort(HostId{i})->GetMtu());
    }
    const uint32_t headers = HEADER_BYTES + (m_timestamps ? TIMESTAMP_BYTES : 0);
    if (mtu <= headers)
    {
        throw InputError("an MTU of " + std::to_string(mtu) + " bytes leaves no room behind " +
                         std::to_string(headers) + " bytes of headers");
    }
    const uint32_t largest = mtu - headers;
    if (m_segmentSize > largest)
    {
        throw InputError("TcpTransport::SegmentSize " + std::to_string(m_segmentSize) +
                         " does not fit into the MTU (1 to " + std::to_string(largest) + ")");
    }
    return m_segmentSize == 0 ? largest : m_segmentSize;
}

TcpOptions
TcpTransport::ReadOptions() const
{
    TcpOptions options;
    options.congestionControl = FindCongestionControl(m_congestionControl);
    if (!m_recovery.IsChildOf(TcpRecoveryOps::GetTypeId()) || !m_recovery.HasConstructor())
    {
        throw InputError("TcpTransport::RecoveryType " + m_recovery.GetName() +
                         " is no TcpRecoveryOps");
    }
    options.recovery = m_recovery;
    options.segmentSize = DeriveSegmentSize();
    const uint32_t least = 2 * options.segmentSize;
    if (m_sendBuffer < least || m_receiveBuffer < least)
    {
        throw InputError("TcpTransport::SendBuffer and ReceiveBuffer must hold two segments, " +
                         std::to_string(least) + " bytes");
    }
    options.sendBuffer = m_sendBuffer;
    options.receiveBuffer = m_receiveBuffer;
    options.initialCwnd = m_initialCwnd;
    options.delAckCount = m_delAckCount;
    options.minRto = m_minRto;
    options.clockGranularity = m_clockGranularity;
    options.connTimeout = m_connTimeout;
    options.ecn = m_useEcn;
    options.timestamps = m_timestamps;
    return options;
}

} // namespace ns3::ddl
