// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fluid-transport.h"

#include "ddl-fluid-stream.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlFluidTransport");
NS_OBJECT_ENSURE_REGISTERED(FluidTransport);

namespace
{

constexpr uint8_t TCP = 6; // IANA protocol number

} // namespace

TypeId
FluidTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::FluidTransport")
            .SetParent<Transport>()
            .SetGroupName("Ddl")
            .AddConstructor<FluidTransport>()
            .AddAttribute("HeaderBytes",
                          "Bytes of a full packet, whose size is the least MTU, that are not data. "
                          "The default is IPv4 and TCP.",
                          UintegerValue(40),
                          MakeUintegerAccessor(&FluidTransport::m_headers),
                          MakeUintegerChecker<uint32_t>(0, 500))
            .AddAttribute("CountFraming",
                          "Whether the FramingBytes of the ports take their share of the wire.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&FluidTransport::m_hasFraming),
                          MakeBooleanChecker())
            .AddAttribute("StoreAndForward",
                          "Whether a message arrives later by the time of its last packet on all "
                          "wires but the first.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&FluidTransport::m_storesAndForwards),
                          MakeBooleanChecker())
            .AddAttribute("ExtraDelay",
                          "Added to each delivery, beside the delays of the links.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&FluidTransport::m_delay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ContentionCost",
                          "What a port loses when k streams share it: they move "
                          "k / (k + (k - 1) cost) of its capacity (eta over b of Ada-SRSF Eq. 5).",
                          DoubleValue(0),
                          MakeDoubleAccessor(&FluidTransport::m_contentionCost),
                          MakeDoubleChecker<double>(0, 1000));
    return tid;
}

FluidTransport::~FluidTransport()
{
    NS_LOG_FUNCTION(this);
    if (m_engine)
    {
        m_engine->Stop();
    }
}

QueueTraffic
FluidTransport::GetTraffic(Ptr<Port> port, uint32_t queue) const
{
    return m_engine->GetTraffic(port, queue);
}

uint64_t
FluidTransport::GetRecomputations() const
{
    return m_engine->GetRecomputations();
}

uint64_t
FluidTransport::GetComputed() const
{
    return m_engine->GetComputed();
}

uint64_t
FluidTransport::GetCompromises() const
{
    return m_engine->GetCompromises();
}

void
FluidTransport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    if (m_engine)
    {
        m_engine->Stop();
    }
    Transport::DoDispose();
}

void
FluidTransport::DoInstall()
{
    NS_LOG_FUNCTION(this);
    FluidEngine::Options options;
    options.wrapping = {m_headers, m_hasFraming};
    options.delay = m_delay;
    options.storesAndForwards = m_storesAndForwards;
    options.contentionCost = m_contentionCost;
    m_engine = std::make_shared<FluidEngine>(GetFabric(), options);
}

FlowKey
FluidTransport::MakeFlow(HostId destination, uint32_t flowLabel) const
{
    const auto port = static_cast<uint16_t>(FIRST_SOURCE_PORT + flowLabel % FlowKey::PATH_LABELS);
    return {GetFabric()->GetAddress(destination), TCP, port, LISTEN_PORT};
}

std::vector<Ptr<Port>>
FluidTransport::ListPorts(HostId source, HostId destination, uint32_t flowLabel) const
{
    if (source == destination)
    {
        return {};
    }
    const FluidNetwork& network = m_engine->GetNetwork();
    const FluidRoute route =
        network.FindRoute(source, destination, MakeFlow(destination, flowLabel), Mark());
    std::vector<Ptr<Port>> ports;
    for (const FluidHop& hop : route.path)
    {
        ports.push_back(network.GetPort(hop.port));
    }
    return ports;
}

/** A stream is known to switches as TcpTransport's would be, so that it takes the same way. */
Ptr<MessageStream>
FluidTransport::DoOpen(StreamId id,
                       HostId source,
                       HostId destination,
                       Mark sourceMark,
                       Mark destinationMark,
                       uint32_t flowLabel)
{
    NS_LOG_FUNCTION(this << id << source << destination);
    const FlowKey flow = MakeFlow(destination, flowLabel);
    const auto stream = CreateObject<FluidStream>(id, source, destination, flow, m_engine);
    stream->SetMark(MessageStream::End::SOURCE, sourceMark);
    stream->SetMark(MessageStream::End::DESTINATION, destinationMark);
    return stream;
}

} // namespace ns3::ddl
