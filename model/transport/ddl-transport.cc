// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport.h"

#include "ns3/abort.h"
#include "ns3/ddl-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <map>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlTransport");
NS_OBJECT_ENSURE_REGISTERED(Transport);

namespace
{

/**
 * \param from a node
 * \param next nodes to which each node sends, one per port
 * \param known numbers of ways from nodes met so far
 * \return number of ways from a node to one that sends nothing on
 */
uint64_t
CountWays(Ptr<Node> from,
          const std::map<Ptr<Node>, std::vector<Ptr<Node>>>& next,
          std::map<Ptr<Node>, uint64_t>& known)
{
    const auto nodes = next.find(from);
    if (nodes == next.end())
    {
        return 1;
    }
    const auto [ways, isNew] = known.try_emplace(from, 0);
    for (const Ptr<Node>& node : isNew ? nodes->second : std::vector<Ptr<Node>>())
    {
        ways->second += CountWays(node, next, known);
    }
    return ways->second;
}

/** \return number of shortest paths from one host to another */
uint64_t
CountPaths(const Fabric& fabric, HostId source, HostId destination)
{
    std::map<Ptr<Node>, std::vector<Ptr<Node>>> next;
    for (const Ptr<Port>& port : fabric.ListPortsBetween(source, destination))
    {
        next[port->GetNode()].push_back(port->GetPeer()->GetNode());
    }
    std::map<Ptr<Node>, uint64_t> known;
    return CountWays(fabric.GetHost(source), next, known);
}

} // namespace

TypeId
Transport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::Transport")
            .SetParent<Policy>()
            .SetGroupName("Ddl")
            .AddAttribute("LocalRate",
                          "Rate of a stream whose ends are on one machine. The default is what "
                          "PCI Express 3.0 x16 carries: 16 lanes of 8 GT/s in 128b/130b code.",
                          DataRateValue(DataRate("126Gbps")),
                          MakeDataRateAccessor(&Transport::m_localRate),
                          MakeDataRateChecker())
            .AddAttribute("LocalDelay",
                          "Time from the end of a local message's transfer to its delivery.",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&Transport::m_localDelay),
                          MakeTimeChecker(Time(0)));
    return tid;
}

Transport::~Transport()
{
    NS_LOG_FUNCTION(this);
}

void
Transport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (const auto& host : m_hosts) // the hosts stay, for their counters
    {
        host->Dispose();
    }
    m_fabric = nullptr;
    Policy::DoDispose();
}

void
Transport::Install(Ptr<Fabric> fabric)
{
    NS_LOG_FUNCTION(this << fabric);
    NS_ABORT_MSG_IF(m_fabric, "a transport is installed once");
    NS_ABORT_MSG_UNLESS(fabric, "a transport needs a fabric");
    NS_ABORT_MSG_IF(m_localRate.GetBitRate() == 0, "Transport::LocalRate must be above 0");
    m_fabric = fabric;
    const auto selector = fabric->GetPathSelector();
    m_pinsPaths = CanPinPaths(*selector);
    const std::string problem = FindPathProblem(*selector);
    if (!problem.empty())
    {
        throw InputError(GetShortName(PathSelector::GetTypeId(), selector->GetInstanceTypeId()) +
                         ": " + problem);
    }
    DoInstall();
    const auto settings = std::make_shared<StreamSettings>();
    settings->hosts = fabric->GetHosts();
    settings->localRate = m_localRate;
    settings->localDelay = m_localDelay;
    SetScaleUp(settings->server);
    for (uint32_t host = 0; host < fabric->GetHosts(); ++host)
    {
        m_hosts.push_back(DoMakeHost(HostId{host}, settings));
        settings->server.machines.Add(PeekPointer(m_hosts.back()));
    }
}

/** Fill in the streams of servers, if the fabric's scale-up network is made of streams. */
void
Transport::SetScaleUp(StreamSettings::Server& server) const
{
    const ScaleUpSpec& scaleUp = m_fabric->GetScaleUp();
    if (scaleUp.kind != ScaleUpSpec::Kind::STREAMS)
    {
        return;
    }
    server.rate = scaleUp.rate;
    server.delay = 2 * scaleUp.delay; // to the middle of the server, and from there
    for (uint32_t host = 0; host < m_fabric->GetHosts(); ++host)
    {
        server.numbers.push_back(m_fabric->GetPlace(HostId{host}).server);
    }
}

Ptr<StreamHost>
Transport::On(HostId host) const
{
    NS_ABORT_MSG_UNLESS(m_fabric, "install the transport before opening a stream");
    NS_ABORT_MSG_IF(host.value >= m_hosts.size(),
                    "a stream of host " << host << ", but there are " << m_hosts.size()
                                        << " hosts");
    return m_hosts[host.value];
}

std::vector<Ptr<Port>>
Transport::TracePath(HostId source, HostId destination, uint32_t flowLabel) const
{
    const auto flow = m_pinsPaths ? DoGetFlow(destination, flowLabel) : std::nullopt;
    return flow ? m_fabric->TracePath(source,
                                      destination,
                                      flow->PathHash(m_fabric->GetAddress(source)))
                : std::vector<Ptr<Port>>();
}

std::vector<StreamPath>
Transport::ListPaths(HostId source, HostId destination) const
{
    std::vector<StreamPath> paths;
    if (!m_pinsPaths)
    {
        return paths;
    }
    const bool isOne = !m_fabric->GetPathSelector()->SeparatesFlows();
    const uint64_t all = isOne ? 1 : CountPaths(*m_fabric, source, destination);
    for (uint32_t label = 0; label < FlowKey::PATH_LABELS && paths.size() < all; ++label)
    {
        const auto ports = TracePath(source, destination, label);
        const bool isKnown = std::any_of(paths.begin(), paths.end(), [&](const StreamPath& path) {
            return path.ports == ports;
        });
        if (!ports.empty() && !isKnown)
        {
            paths.push_back({label, ports});
        }
    }
    return paths;
}

std::vector<Ptr<Port>>
Transport::ListPorts(HostId source, HostId destination, uint32_t /* flowLabel */) const
{
    std::vector<Ptr<Port>> ports = m_fabric->ListPortsBetween(source, destination);
    const auto back = m_fabric->ListPortsBetween(destination, source);
    ports.insert(ports.end(), back.begin(), back.end());
    return ports;
}

StreamCounters
Transport::GetCounters() const
{
    StreamCounters sum = m_credit;
    for (const auto& host : m_hosts)
    {
        sum += host->GetCounters();
    }
    return sum;
}

uint32_t
Transport::GetSendingCount() const
{
    uint32_t sum = 0;
    for (const auto& host : m_hosts)
    {
        sum += host->GetSendingCount();
    }
    return sum;
}

uint32_t
Transport::GetReceivingCount() const
{
    uint32_t sum = 0;
    for (const auto& host : m_hosts)
    {
        sum += host->GetReceivingCount();
    }
    return sum;
}

} // namespace ns3::ddl
