// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fabric.h"

#include "ddl-ecmp-routes.h"
#include "ddl-host-address.h"
#include "ddl-host-routing.h"
#include "ddl-path-telemetry.h"

#include "ns3/ddl-error.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlFabric");

NS_OBJECT_ENSURE_REGISTERED(Fabric);

TypeId
Fabric::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::Fabric")
            .SetParent<Object>()
            .SetGroupName("Ddl")
            .AddConstructor<Fabric>()
            .AddAttribute("EcmpSeed",
                          "Seed of the salts by which switches choose among equal-cost paths.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&Fabric::m_seed),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Mtu",
                          "Bytes of the largest IPv4 packet, at every port.",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&Fabric::m_mtu),
                          MakeUintegerChecker<uint32_t>(576, 9000))
            .AddAttribute("FramingBytes",
                          "Bytes on the wire beside each IPv4 packet, at every port.",
                          UintegerValue(38),
                          MakeUintegerAccessor(&Fabric::m_framing),
                          MakeUintegerChecker<uint32_t>(0, 1000));
    return tid;
}

Fabric::Fabric()
    : m_pool(std::make_shared<FramePool>())
{
    m_pathSelector.SetTypeId("ns3::ddl::EcmpPathSelector");
}

Fabric::~Fabric() = default;

void
Fabric::SetPortSpec(const PortSpec& spec)
{
    m_portSpec = spec;
}

void
Fabric::SetHostSpec(const HostSpec& spec)
{
    m_hostSpec = spec;
}

void
Fabric::SetScaleUp(const ScaleUpSpec& spec)
{
    m_scaleUp = spec;
}

void
Fabric::SetPathSelector(const ObjectFactory& selector)
{
    m_pathSelector = selector;
}

Ptr<const PathSelector>
Fabric::GetPathSelector() const
{
    return m_pathSelector.Create<PathSelector>();
}

Ptr<Node>
Fabric::AddHost()
{
    auto node = CreateObject<Node>();
    m_cabling.AddNode(node, "h" + std::to_string(m_hosts.size()));
    m_places.push_back({static_cast<uint32_t>(m_hosts.size()), 0});
    m_hosts.push_back(node);
    m_nics.emplace_back();
    m_scaleUpPorts.emplace_back();
    return node;
}

Ptr<Switch>
Fabric::AddSwitch(const std::string& name, uint32_t divisor)
{
    auto node = CreateObject<Switch>();
    m_cabling.AddNode(node, name);
    const uint64_t salt = MixBits(m_seed * 0x9e3779b97f4a7c15ULL + m_switches.size() + 1);
    node->SetPathSelector(m_pathSelector.Create<PathSelector>(), {salt, divisor});
    if (m_portSpec.sharedBuffer > 0)
    {
        node->SetSharedBuffer(
            std::make_shared<SharedBuffer>(m_portSpec.sharedBuffer, m_portSpec.alpha));
    }
    m_switches.push_back(node);
    return node;
}

Ptr<Port>
Fabric::MakePort(Ptr<Node> node, Ptr<Node> peer, DataRate rate)
{
    Ptr<Port> port;
    if (DynamicCast<Switch>(node))
    {
        auto device = CreateObject<SwitchPort>();
        node->AddDevice(device);
        device->Configure(m_portSpec);
        port = device;
    }
    else
    {
        const auto found = std::find(m_hosts.begin(), m_hosts.end(), node);
        const auto host = static_cast<uint32_t>(found - m_hosts.begin());
        const bool isScaleUp = found != m_hosts.end() && m_nics[host] && !m_scaleUpPorts[host] &&
                               m_scaleUp.kind == ScaleUpSpec::Kind::SWITCH;
        if (found == m_hosts.end() || (m_nics[host] && !isScaleUp))
        {
            throw InputError("a link needs switches, or hosts without a link, of this fabric");
        }
        const auto device = CreateObject<HostPort>();
        node->AddDevice(device);
        device->Configure(m_hostSpec, host);
        (isScaleUp ? m_scaleUpPorts : m_nics)[host] = device;
        if (!isScaleUp)
        {
            m_places[host].rack = peer->GetId();
        }
        port = device;
    }
    port->SetFramePool(m_pool);
    port->SetAttribute("DataRate", DataRateValue(rate));
    port->SetAttribute("FramingBytes", UintegerValue(m_framing));
    port->SetMtu(static_cast<uint16_t>(m_mtu));
    return port;
}

bool
Fabric::IsScaleUpPort(const Ptr<Port>& port) const
{
    const auto host = DynamicCast<HostPort>(port);
    return host && m_scaleUpPorts[host->GetHost().value] == host;
}

uint32_t
Fabric::Connect(Ptr<Node> a, Ptr<Node> b, DataRate rate, Time delay)
{
    auto link = CreateObject<Link>();
    auto portA = MakePort(a, b, rate);
    auto portB = MakePort(b, a, rate);
    if (IsScaleUpPort(portA) || IsScaleUpPort(portB))
    {
        const auto mtu = static_cast<uint16_t>(std::max(m_mtu, m_scaleUp.mtu));
        portA->SetMtu(mtu);
        portB->SetMtu(mtu);
    }
    link->Connect(portA, portB, delay);
    return m_cabling.AddLink(link);
}

void
Fabric::SetPlace(HostId host, const Place& place)
{
    m_places.at(host.value) = place;
}

void
Fabric::ComputeRoutes()
{
    ComputeEcmpRoutes(m_switches, m_nics, m_scaleUpPorts);
    m_routed = true;
}

void
Fabric::InstallStack()
{
    InternetStackHelper internet;
    internet.SetIpv6StackInstall(false);
    internet.SetRoutingHelper(HostRoutingHelper());
    for (uint32_t host = 0; host < m_hosts.size(); ++host)
    {
        if (!m_nics[host])
        {
            throw InputError("host " + std::to_string(host) + " has no link");
        }
        internet.Install(m_hosts[host]);
        auto ipv4 = m_hosts[host]->GetObject<Ipv4>();
        const uint32_t interface = ipv4->AddInterface(m_nics[host]);
        ipv4->AddAddress(interface, {HostToAddress(host), Ipv4Mask("255.0.0.0")});
        ipv4->SetUp(interface);
        if (m_scaleUpPorts[host])
        {
            ipv4->SetUp(ipv4->AddInterface(m_scaleUpPorts[host]));
            std::set<Ipv4Address> neighbours;
            for (const HostId neighbour : ListNeighbours(HostId{host}))
            {
                neighbours.insert(GetAddress(neighbour));
            }
            DynamicCast<HostRouting>(ipv4->GetRoutingProtocol())->SetNeighbours(neighbours);
        }
    }
}

std::set<HostId>
Fabric::ListNeighbours(HostId host) const
{
    std::set<HostId> neighbours;
    const Ptr<HostPort> own = GetScaleUpPort(host);
    const Ptr<Node> node = own ? own->GetPeer()->GetNode() : nullptr;
    for (uint32_t i = 0; node && i < node->GetNDevices(); ++i)
    {
        const auto port = DynamicCast<Port>(node->GetDevice(i));
        const auto far = port ? DynamicCast<HostPort>(port->GetPeer()) : nullptr;
        if (far && IsScaleUp(host, far->GetHost()))
        {
            neighbours.insert(far->GetHost());
        }
    }
    return neighbours;
}

void
Fabric::ChangeLinks(std::vector<uint32_t> links, bool up)
{
    for (const uint32_t link : links)
    {
        NS_LOG_INFO("link " << link << (up ? " comes up" : " falls"));
        m_cabling.GetLinks().at(link)->SetUp(up);
    }
    if (m_routed)
    {
        ComputeRoutes();
    }
}

void
Fabric::SetLinkUp(uint32_t link, bool up)
{
    if (link >= GetLinks())
    {
        throw InputError("no link " + std::to_string(link));
    }
    ChangeLinks({link}, up);
}

void
Fabric::SetLinkUp(const std::string& a, const std::string& b, bool up)
{
    ChangeLinks(m_cabling.FindLinks(a, b), up);
}

void
Fabric::ScheduleLinkUp(Time delay, const std::string& a, const std::string& b, bool up)
{
    Simulator::Schedule(delay,
                        &Fabric::ChangeLinks,
                        Ptr<Fabric>(this),
                        m_cabling.FindLinks(a, b),
                        up);
}

Ptr<Port>
Fabric::GetPort(const std::string& node, const std::string& peer, uint32_t n) const
{
    return m_cabling.GetPort(node, peer, n);
}

std::vector<NamedPort>
Fabric::GetPorts() const
{
    std::vector<Ptr<Node>> nodes = m_hosts;
    nodes.insert(nodes.end(), m_switches.begin(), m_switches.end());
    return m_cabling.ListPorts(nodes);
}

std::vector<Ptr<Port>>
Fabric::ListPortsBetween(HostId from, HostId to) const
{
    std::vector<Ptr<Port>> ports;
    for (const PathHop& hop : ListHopsBetween(from, to))
    {
        ports.push_back(hop.port);
    }
    return ports;
}

std::vector<PathHop>
Fabric::ListHopsBetween(HostId from, HostId to) const
{
    std::vector<PathHop> hops;
    if (IsJoinedByPorts(from, to))
    {
        hops.push_back({GetHostPort(from, to)});
    }
    for (std::size_t next = 0; next < hops.size(); ++next)
    {
        const PathHop last = hops[next]; // its part is known: paths are equally long
        const auto node = DynamicCast<Switch>(last.port->GetPeer()->GetNode());
        const auto ways = node ? node->ListRoutes(to.value) : std::vector<Ptr<SwitchPort>>();
        for (const auto& way : ways)
        {
            const auto known = std::find_if(hops.begin(), hops.end(), [&way](const auto& hop) {
                return hop.port == way;
            });
            const double part = last.part / static_cast<double>(ways.size());
            known == hops.end() ? hops.push_back({way, last.hop + 1, part})
                                : static_cast<void>(known->part += part);
        }
    }
    return hops;
}

std::vector<Ptr<Port>>
Fabric::TracePath(HostId from, HostId to, uint32_t flowHash) const
{
    std::vector<Ptr<Port>> path;
    Ptr<Port> port = from == to ? nullptr : m_nics.at(from.value);
    while (port && port->IsLinkUp())
    {
        path.push_back(port);
        const Ptr<Node> far = port->GetPeer()->GetNode();
        if (far == m_hosts.at(to.value))
        {
            return path;
        }
        const auto hop = DynamicCast<Switch>(far);
        port = hop ? hop->GetRoute(to.value, flowHash) : nullptr;
    }
    return {};
}

Ptr<Node>
Fabric::GetHost(HostId host) const
{
    return m_hosts.at(host.value);
}

std::vector<DataRate>
Fabric::GetHostRates() const
{
    std::vector<DataRate> rates;
    for (const auto& nic : m_nics)
    {
        rates.push_back(nic->GetDataRate());
    }
    return rates;
}

Ptr<HostPort>
Fabric::GetHostPort(HostId host) const
{
    return m_nics.at(host.value);
}

Ptr<HostPort>
Fabric::GetScaleUpPort(HostId host) const
{
    return m_scaleUpPorts.at(host.value);
}

Ptr<HostPort>
Fabric::GetHostPort(HostId from, HostId to) const
{
    const bool isScaleUp = m_scaleUp.kind == ScaleUpSpec::Kind::SWITCH && IsScaleUp(from, to);
    return isScaleUp ? GetScaleUpPort(from) : GetHostPort(from);
}

Ipv4Address
Fabric::GetAddress(HostId host) const
{
    return m_nics.at(host.value) ? HostToAddress(host.value) : Ipv4Address::GetAny();
}

HostId
Fabric::GetHostIndex(Ipv4Address address) const
{
    const uint32_t host = AddressToHost(address);
    if (host >= m_hosts.size())
    {
        throw InputError("no host has the address " + std::to_string(address.Get()));
    }
    return HostId{host};
}

Ptr<Switch>
Fabric::GetSwitch(uint32_t i) const
{
    return m_switches.at(i);
}

Ptr<Link>
Fabric::GetLink(uint32_t link) const
{
    return m_cabling.GetLinks().at(link);
}

std::string
Fabric::GetName(Ptr<Node> node) const
{
    return m_cabling.GetName(node);
}

std::vector<DataRate>
Fabric::EnableTelemetry()
{
    std::vector<DataRate> rates;
    const auto ports = m_cabling.ListPorts({m_switches.begin(), m_switches.end()});
    for (const auto& port : ports)
    {
        rates.push_back(port.device->GetDataRate());
    }
    std::sort(rates.begin(), rates.end());
    rates.erase(std::unique(rates.begin(), rates.end()), rates.end());
    const std::string problem = PathTelemetry::FindProblem(rates.size());
    if (!problem.empty())
    {
        throw InputError(problem);
    }
    m_pool->UseLongFrames();
    for (std::size_t i = 0; i < ports.size(); ++i)
    {
        const Ptr<Port> port = ports[i].device;
        const auto rate = std::lower_bound(rates.begin(), rates.end(), port->GetDataRate());
        port->EnableTelemetry(static_cast<uint32_t>(rate - rates.begin()),
                              static_cast<uint32_t>(i));
    }
    return rates;
}

void
Fabric::UseLongFrames()
{
    m_pool->UseLongFrames();
}

uint64_t
Fabric::GetFramesInUse() const
{
    return m_pool->GetInUse();
}

void
Fabric::DoDispose()
{
    m_hosts.clear();
    m_nics.clear();
    m_scaleUpPorts.clear();
    m_places.clear();
    m_switches.clear();
    m_cabling.Clear();
    Object::DoDispose();
}

} // namespace ns3::ddl
