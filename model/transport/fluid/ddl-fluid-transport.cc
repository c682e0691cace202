// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fluid-transport.h"

#include "ddl-fluid-host.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlFluidTransport");
NS_OBJECT_ENSURE_REGISTERED(FluidTransport);

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
            .AddAttribute("RdmaPaths",
                          "Whether streams take the paths that rdma's packets would take among "
                          "equal ones, instead of tcp's.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FluidTransport::m_rdmaPaths),
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
                          MakeDoubleChecker<double>(0, 1000))
            .AddAttribute("Isolated",
                          "Whether each job has all ports for itself, as if no other job sent.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FluidTransport::m_isolated),
                          MakeBooleanChecker());
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
    options.hasRdmaPaths = m_rdmaPaths;
    options.isolatesJobs = m_isolated;
    m_engine = std::make_shared<FluidEngine>(GetFabric(), options);
    m_machines = std::make_shared<StreamCrossing::Machines>();
}

Ptr<StreamHost>
FluidTransport::DoMakeHost(HostId host, std::shared_ptr<StreamSettings> settings)
{
    const auto machine =
        CreateObject<FluidHost>(host, std::move(settings), m_engine, m_machines, m_rdmaPaths);
    m_machines->Add(PeekPointer(machine));
    return machine;
}

std::string
FluidTransport::FindPathProblem(const PathSelector& selector) const
{
    return selector.GetSpread() == PathSpread::STATE
               ? "fluids cannot follow it: it depends on packets and queues, which they do not have"
               : "";
}

std::optional<FlowKey>
FluidTransport::DoGetFlow(HostId destination, uint32_t flowLabel) const
{
    return FluidHost::MakeFlow(destination, flowLabel, m_rdmaPaths);
}

std::vector<Ptr<Port>>
FluidTransport::ListPorts(HostId source, HostId destination, uint32_t flowLabel) const
{
    if (!GetFabric()->IsJoinedByPorts(source, destination))
    {
        return {};
    }
    const FluidNetwork& network = m_engine->GetNetwork();
    const FlowKey flow = FluidHost::MakeFlow(destination, flowLabel, m_rdmaPaths);
    const FluidRoute route = network.FindRoute(source, destination, flow, Mark());
    std::vector<Ptr<Port>> ports;
    for (const FluidHop& hop : route.path)
    {
        ports.push_back(network.GetPort(hop.port));
    }
    return ports;
}

} // namespace ns3::ddl
