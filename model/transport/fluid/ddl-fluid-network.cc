// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fluid-network.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-link.h"
#include "ns3/ddl-switch-port.h"
#include "ns3/ddl-switch.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::ddl
{

namespace
{

constexpr double BITS_PER_BYTE = 8;

double
StepsPerSecond()
{
    return static_cast<double>(Seconds(1).GetTimeStep());
}

/** \return time steps per byte on the wire of a port */
double
StepsPerByte(const Port& port)
{
    return StepsPerSecond() * BITS_PER_BYTE / static_cast<double>(port.GetDataRate().GetBitRate());
}

uint32_t
ReadFraming(const Port& port)
{
    UintegerValue framing;
    port.GetAttribute("FramingBytes", framing);
    return static_cast<uint32_t>(framing.Get());
}

QueueShares
ReadShares(const NamedPort& port)
{
    const auto service = port.device->GetService();
    const auto shares = service->GetShares();
    if (!shares)
    {
        throw InputError("the fluid transport cannot follow the queue service " +
                         service->GetInstanceTypeId().GetName() + " of " + port.node +
                         ": it does not tell levels and weights (QueueScheduler::GetShares)");
    }
    return *shares;
}

} // namespace

FluidNetwork::FluidNetwork(Ptr<Fabric> fabric, FluidWrapping wrapping)
    : m_fabric(fabric),
      m_wrapping(wrapping)
{
    m_isSprayed = fabric->GetPathSelector()->GetSpread() == PathSpread::EVEN;
    for (const NamedPort& port : fabric->GetPorts())
    {
        ReadShares(port);
        m_index[PeekPointer(port.device)] = static_cast<uint32_t>(m_ports.size());
        m_mtu = m_ports.empty() ? port.device->GetMtu()
                                : std::min<uint32_t>(m_mtu, port.device->GetMtu());
        m_framing = wrapping.hasFraming ? ReadFraming(*port.device) : 0;
        const Ptr<Port> peer = port.device->GetPeer();
        Egress egress;
        egress.device = port.device;
        egress.ofSwitch = dynamic_cast<const SwitchPort*>(PeekPointer(port.device));
        egress.far = DynamicCast<Switch>(peer->GetNode());
        egress.end = PeekPointer(peer->GetNode());
        egress.delay = DynamicCast<Link>(port.device->GetChannel())->GetDelay();
        egress.stepsPerByte = StepsPerByte(*port.device);
        m_ports.push_back(egress);
        m_traffic.emplace_back(port.device->GetQueues());
    }
}

std::vector<FluidPort>
FluidNetwork::ListPorts() const
{
    std::vector<FluidPort> ports;
    const double share = static_cast<double>(GetPayload()) / GetWireBytes(GetPayload());
    for (const Egress& port : m_ports)
    {
        ports.push_back({share / port.stepsPerByte, *port.device->GetService()->GetShares()});
    }
    return ports;
}

uint32_t
FluidNetwork::IndexOf(const Port* port) const
{
    return m_index.at(port);
}

uint32_t
FluidNetwork::FindQueue(uint32_t port, Mark mark) const
{
    const Egress& egress = m_ports[port];
    return egress.ofSwitch ? egress.ofSwitch->GetQueue(mark.dscp)
                           : std::min<uint32_t>(mark.band, egress.device->GetQueues() - 1);
}

bool
FluidNetwork::Cross(uint32_t port, Mark mark, FluidRoute& route, double part) const
{
    const Egress& egress = m_ports[port];
    if (!egress.device->IsLinkUp())
    {
        return false;
    }
    route.stepsPerByte += route.path.empty() ? 0 : part * egress.stepsPerByte;
    route.path.push_back({port, FindQueue(port, mark), part});
    route.propagation += part == 1 ? egress.delay
                                   : TimeStep(static_cast<uint64_t>(std::llround(
                                         part * static_cast<double>(egress.delay.GetTimeStep()))));
    return true;
}

FluidRoute
FluidNetwork::FindRoute(HostId from, HostId to, const FlowKey& flow, Mark mark) const
{
    if (m_isSprayed)
    {
        return FindSprayedRoute(from, to, mark);
    }
    const uint32_t hash = flow.PathHash(m_fabric->GetAddress(from));
    const Node* end = PeekPointer(m_fabric->GetHost(to));
    FluidRoute route;
    uint32_t port = IndexOf(PeekPointer(m_fabric->GetHostPort(from, to)));
    while (Cross(port, mark, route))
    {
        const Egress& egress = m_ports[port];
        if (egress.end == end)
        {
            return route;
        }
        const Ptr<SwitchPort> next = egress.far ? egress.far->GetRoute(to.value, hash) : nullptr;
        if (!next)
        {
            break;
        }
        port = IndexOf(PeekPointer(next));
    }
    return {};
}

FluidRoute
FluidNetwork::FindSprayedRoute(HostId from, HostId to, Mark mark) const
{
    const Node* end = PeekPointer(m_fabric->GetHost(to));
    FluidRoute route;
    // Paths are equally long, so ports are reached in turn by their distance from the source.
    std::vector<std::pair<uint32_t, double>> level{
        {IndexOf(PeekPointer(m_fabric->GetHostPort(from))), 1}};
    while (!level.empty())
    {
        std::vector<std::pair<uint32_t, double>> next; // ports and the parts that take them
        for (const auto& [port, part] : level)
        {
            if (!Cross(port, mark, route, part))
            {
                return {};
            }
            const Egress& egress = m_ports[port];
            const auto ways =
                egress.far ? egress.far->ListRoutes(to.value) : std::vector<Ptr<SwitchPort>>();
            if (ways.empty() && egress.end != end)
            {
                return {};
            }
            for (const auto& way : ways)
            {
                const uint32_t index = IndexOf(PeekPointer(way));
                const auto known =
                    std::find_if(next.begin(), next.end(), [index](const auto& each) {
                        return each.first == index;
                    });
                const double more = part / static_cast<double>(ways.size());
                if (known == next.end())
                {
                    next.emplace_back(index, more);
                }
                else
                {
                    known->second += more;
                }
            }
        }
        level = std::move(next);
    }
    return route;
}

bool
FluidNetwork::Remark(FluidRoute& route, Mark mark) const
{
    bool isOther = false;
    for (FluidHop& hop : route.path)
    {
        const uint32_t queue = FindQueue(hop.port, mark);
        isOther |= queue != hop.queue;
        hop.queue = queue;
    }
    return isOther;
}

void
FluidNetwork::CountTraffic(const FluidPath& path, FluidProgress::Amount amount)
{
    for (const FluidHop& hop : path)
    {
        m_traffic[hop.port][hop.queue] +=
            hop.part == 1
                ? amount
                : static_cast<FluidProgress::Amount>(static_cast<long double>(amount) * hop.part);
    }
}

QueueTraffic
FluidNetwork::GetTraffic(Ptr<Port> port, uint32_t queue) const
{
    const auto amount =
        static_cast<long double>(m_traffic.at(IndexOf(PeekPointer(port))).at(queue));
    const auto payload = static_cast<double>(std::ldexp(amount, -FluidProgress::FRACTION_BITS));
    const double packets = payload / GetPayload();
    const double steps = packets * GetWireBytes(GetPayload()) * StepsPerByte(*port);
    return {packets * (GetPayload() + m_wrapping.headers), TimeStep(std::llround(steps))};
}

uint32_t
FluidNetwork::GetWireBytes(uint32_t payload) const
{
    return payload + m_wrapping.headers + m_framing;
}

} // namespace ns3::ddl
