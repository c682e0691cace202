// SPDX-License-Identifier: GPL-2.0-only
/*
 * Strict priority against weighted round robin on one port, with stock ns-3 applications.
 *
 * Two machines send 8 Gbps each to a third one over a 10 Gbps link, one with codepoint 1, the other
 * with codepoint 2. Strict priority carries the first whole and gives the second what is left, 2 of
 * 10; weights 1 : 1 give each half of the link.
 */
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/ddl-topology.h"
#include "ns3/ddl-wheel-scheduler.h"
#include "ns3/internet-module.h"

#include <iostream>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr uint16_t UDP_PORT = 9;
constexpr uint8_t UDP_PROTOCOL = 17;

/** Sends at 8 Gbps of wire time to host 2, marked by the machine's NIC. */
void
InstallSender(Ptr<Fabric> fabric, HostId host, uint8_t priority)
{
    const Ipv4Address sink = fabric->GetAddress(HostId{2});
    const uint16_t sourcePort = 1000 + priority;
    OnOffHelper sender("ns3::UdpSocketFactory", InetSocketAddress(sink, UDP_PORT));
    // 1472 bytes of data are 1500 of IPv4 and 1538 on the wire.
    sender.SetConstantRate(DataRate(8e9 * 1472 / 1538), 1472);
    sender.SetAttribute("Local",
                        AddressValue(InetSocketAddress(Ipv4Address::GetAny(), sourcePort)));
    ApplicationContainer apps = sender.Install(fabric->GetHost(host));
    apps.Start(Seconds(0));
    fabric->GetHostPort(host)->SetMark({sink, UDP_PROTOCOL, sourcePort, UDP_PORT},
                                       {priority, priority});
}

/** \return share of the wire of the link to host 2 that each of the two queues had */
std::pair<double, double>
Measure(const std::string& service)
{
    TopologySpec topology;
    topology.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
    topology.shape.Set("Hosts", UintegerValue(3));
    PortSpec ports;
    ports.service = service;
    Ptr<Fabric> fabric = BuildTopology(topology, ports, HostSpec());
    fabric->InstallStack();
    PacketSinkHelper sink("ns3::UdpSocketFactory",
                          InetSocketAddress(Ipv4Address::GetAny(), UDP_PORT));
    sink.Install(fabric->GetHost(HostId{2})).Start(Seconds(0));
    InstallSender(fabric, HostId{0}, 1);
    InstallSender(fabric, HostId{1}, 2);

    const Time duration = MilliSeconds(20);
    Simulator::Stop(duration);
    Simulator::Run();
    Ptr<Port> port = fabric->GetPort("switch0", "h2");
    const auto share = [&](uint32_t queue) {
        return port->GetBusyTime(queue).GetSeconds() / duration.GetSeconds();
    };
    const std::pair<double, double> shares{share(1), share(2)};
    fabric->Dispose();
    Simulator::Destroy();
    return shares;
}

} // namespace

int
main(int argc, char* argv[])
{
    WheelScheduler::MakeDefault(); // faster, and the same events as with ns-3's own default
    CommandLine cmd(__FILE__);
    cmd.Parse(argc, argv);
    bool good = true;
    const auto check = [&good](const std::string& service, double first, double second) {
        const auto shares = Measure(service);
        std::cout << service << ": codepoint 1 has " << shares.first * 100
                  << " % of the wire (expected " << first * 100 << "), codepoint 2 has "
                  << shares.second * 100 << " % (expected " << second * 100 << ")\n";
        good = good && std::abs(shares.first - first) < 0.01 &&
               std::abs(shares.second - second) < 0.01;
    };
    check("strict-priority", 0.8, 0.2);
    check("wrr", 0.5, 0.5);
    return good ? 0 : 1;
}
