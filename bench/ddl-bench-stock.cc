// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-bench-stock.h"

#include "ddl-stock-network.h"

#include "ns3/application-container.h"
#include "ns3/boolean.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/inet-socket-address.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace ddl
{

namespace
{

constexpr uint16_t FIRST_PORT = 10000;
constexpr uint32_t HEADER_BYTES = 40; //!< IPv4 and TCP

/** What TcpTransport sets on its own sockets. */
void
SetTcpDefaults(uint32_t mtu, const std::string& congestionControl)
{
    const uint32_t segment = mtu - HEADER_BYTES;
    Config::SetDefault("ns3::TcpL4Protocol::SocketType",
                       TypeIdValue(TypeId::LookupByName(congestionControl)));
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType",
                       TypeIdValue(TypeId::LookupByName("ns3::TcpClassicRecovery")));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(segment));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(BENCH_SEND_BUFFER));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(BENCH_RECEIVE_BUFFER));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    Config::SetDefault("ns3::TcpSocket::ConnTimeout", TimeValue(MilliSeconds(10)));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(5)));
    Config::SetDefault("ns3::TcpSocketBase::ClockGranularity", TimeValue(MicroSeconds(100)));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    Config::SetDefault("ns3::BulkSendApplication::SendSize", UintegerValue(segment));
}

/** Bytes that have arrived of each flow; stops the simulator after the last. */
class Arrivals
{
  public:
    Arrivals(const BenchWork& work, BenchMeasure& measure)
        : m_work(work),
          m_measure(measure),
          m_left(work.flows.size())
    {
        m_measure.finish.resize(work.flows.size());
        for (const auto& flow : work.flows)
        {
            m_missing.push_back(flow.bytes);
        }
    }

    void Receive(std::size_t flow, Ptr<const Packet> packet, const Address& /* from */)
    {
        m_measure.bytes += packet->GetSize();
        m_missing[flow] -= packet->GetSize();
        if (m_missing[flow] > 0)
        {
            return;
        }
        m_measure.finish[flow] = m_measure.end = Simulator::Now();
        if (--m_left == 0)
        {
            Simulator::Stop();
        }
    }

  private:
    const BenchWork& m_work;
    BenchMeasure& m_measure;
    std::vector<uint64_t> m_missing;
    std::size_t m_left; //!< flows that go on
};

void
StartFlow(const StockNetwork& network, const BenchWork& work, std::size_t i, Arrivals& arrivals)
{
    const auto& flow = work.flows[i];
    const auto port = static_cast<uint16_t>(FIRST_PORT + i);
    const InetSocketAddress to(network.GetAddress(flow.destination), port);
    auto sinks =
        PacketSinkHelper("ns3::TcpSocketFactory", to).Install(network.GetHost(flow.destination));
    sinks.Get(0)->TraceConnectWithoutContext(
        "Rx",
        Callback<void, Ptr<const Packet>, const Address&>(
            [&arrivals, i](Ptr<const Packet> packet, const Address& from) {
                arrivals.Receive(i, packet, from);
            }));
    BulkSendHelper source("ns3::TcpSocketFactory", to);
    source.SetAttribute("MaxBytes", UintegerValue(flow.bytes));
    source.Install(network.GetHost(flow.source)).Start(flow.start);
}

} // namespace

BenchMeasure
RunOnStock(const BenchWork& work, const StockOptions& options)
{
    SetTcpDefaults(work.mtu, options.congestionControl);
    BenchMeasure measure;
    {
        const StockNetwork network(work, options.queueDisc);
        Arrivals arrivals(work, measure);
        for (std::size_t i = 0; i < work.flows.size(); ++i)
        {
            StartFlow(network, work, i, arrivals);
        }
        measure.start = work.flows.front().start;
        RunMeasured(work, measure);
        const auto sent = network.CountSent();
        measure.dataHops = static_cast<double>(sent.bytes - HEADER_BYTES * sent.packets) /
                           (work.mtu - HEADER_BYTES);
        measure.drops = sent.drops;
        Simulator::Destroy();
    }
    Config::Reset();
    return measure;
}

} // namespace ddl
} // namespace ns3
