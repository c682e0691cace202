// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-steady-recorder.h"

#include "ns3/ddl-agent.h"
#include "ns3/ddl-fluid-host.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-link.h"
#include "ns3/ddl-rdma-transport.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr double SATURATED = 0.95;     //!< share of a window for which a saturated port sends
constexpr uint32_t ACK_BYTES = 64;     //!< about the size of an acknowledgement
const FluidWrapping ANY_WRAPPING = {}; //!< routes do not depend on it

} // namespace

SteadyRecorder::SteadyRecorder(Ptr<TrainingCluster> cluster, Time begin, StretchFinder& finder)
    : m_cluster(cluster),
      m_finder(finder),
      m_network(cluster->GetFabric(), ANY_WRAPPING),
      m_isRdma(DynamicCast<RdmaTransport>(cluster->GetTransport()) != nullptr),
      m_window(FindRoundTrip()),
      m_ports(cluster->GetFabric()->GetPorts().size())
{
    for (uint32_t host = 0; host < cluster->GetMachineCount(); ++host)
    {
        const Ptr<Agent> agent = cluster->GetAgent(host);
        agent->TraceConnectWithoutContext("StreamOpened",
                                          MakeCallback(&SteadyRecorder::NoteOpened, this));
        agent->TraceConnectWithoutContext("StreamAccepted",
                                          MakeCallback(&SteadyRecorder::NoteAccepted, this));
        agent->TraceConnectWithoutContext("Remark",
                                          MakeCallback(&SteadyRecorder::NoteRemark, this));
    }
    for (uint32_t link = 0; link < cluster->GetFabric()->GetLinks(); ++link)
    {
        cluster->GetFabric()->GetLink(link)->TraceConnectWithoutContext(
            "Up",
            MakeCallback(&SteadyRecorder::NoteLink, this));
    }
    Simulator::Schedule(begin, &SteadyRecorder::Begin, this);
}

Time
SteadyRecorder::FindRoundTrip() const
{
    Time longest;
    for (uint32_t host = 1; host < m_cluster->GetFabric()->GetHosts(); ++host)
    {
        const HostId to{host};
        const auto route = m_network.FindRoute({0}, to, FluidHost::MakeFlow(to, 0, m_isRdma), {});
        Time both = 2 * route.propagation;
        for (const FluidHop& hop : route.path)
        {
            const Ptr<Port> port = m_network.GetPort(hop.port);
            both += port->GetDataRate().CalculateBytesTxTime(port->GetMtu() + ACK_BYTES);
        }
        longest = std::max(longest, both);
    }
    return longest;
}

void
SteadyRecorder::SetPath(Watched& stream) const
{
    const StreamName& name = stream.sender->GetName();
    const HostId to = stream.sender->GetDestination();
    const uint32_t label = MakeFlowLabel(name.job, name.source, name.destination);
    const auto route = m_network.FindRoute(stream.sender->GetSource(),
                                           to,
                                           FluidHost::MakeFlow(to, label, m_isRdma),
                                           stream.sender->GetMark());
    stream.ports.clear();
    for (const FluidHop& hop : route.path)
    {
        stream.ports.push_back(hop.port);
    }
}

template <typename End>
SteadyRecorder::Watched*
SteadyRecorder::Watch(Ptr<End> stream, Ptr<End> Watched::*end)
{
    if (stream->GetSource() == stream->GetDestination())
    {
        return nullptr; // it does not touch the network
    }
    const auto known = m_names.find(stream->GetName());
    if (known == m_names.end() || m_streams[known->second].*end)
    {
        m_names[stream->GetName()] = static_cast<uint32_t>(m_streams.size());
        m_streams.emplace_back();
    }
    Watched& watched = m_streams[m_names.at(stream->GetName())];
    watched.*end = stream;
    return &watched;
}

void
SteadyRecorder::NoteOpened(JobId, Ptr<SendingStream> stream)
{
    if (Watched* watched = Watch(stream, &Watched::sender))
    {
        SetPath(*watched);
        stream->TraceConnectWithoutContext("MessageSent",
                                           MakeCallback(&SteadyRecorder::NoteSent, this));
    }
}

void
SteadyRecorder::NoteAccepted(JobId, Ptr<ReceivingStream> stream)
{
    if (Watch(stream, &Watched::receiver))
    {
        stream->TraceConnectWithoutContext("MessageDelivered",
                                           MakeCallback(&SteadyRecorder::NoteDelivered, this));
    }
}

void
SteadyRecorder::NoteSent(const StreamName& name, uint64_t bytes)
{
    const uint32_t index = m_names.at(name);
    Watched& stream = m_streams[index];
    stream.changed |= stream.sent == stream.delivered;
    stream.sent += bytes;
    m_active.insert(index);
}

void
SteadyRecorder::NoteDelivered(const StreamName& name, uint64_t bytes)
{
    Watched& stream = m_streams[m_names.at(name)];
    stream.delivered += bytes;
    stream.changed |= stream.sent == stream.delivered;
}

void
SteadyRecorder::NoteRemark(const RemarkRecord& remark)
{
    const auto known = m_names.find(remark.name);
    if (known != m_names.end())
    {
        m_streams[known->second].changed = true;
    }
}

void
SteadyRecorder::NoteLink(bool)
{
    Simulator::ScheduleNow(
        +[](SteadyRecorder* self) { // routes are repaired after this
            for (Watched& stream : self->m_streams)
            {
                stream.changed = true;
                if (stream.sender)
                {
                    self->SetPath(stream);
                }
            }
        },
        this);
}

PacketCount
SteadyRecorder::CountAtPorts() const
{
    PacketCount sum;
    for (uint32_t i = 0; i < m_ports.size(); ++i)
    {
        const Ptr<Port> port = m_network.GetPort(i);
        for (uint32_t queue = 0; queue < port->GetQueues(); ++queue)
        {
            const QueueCounters counters = port->GetCounters(queue);
            sum += PacketCount{counters.packets, counters.bytes};
        }
    }
    return sum;
}

uint64_t
SteadyRecorder::GetPacketHops() const
{
    return CountAtPorts().packets - m_before.packets;
}

double
SteadyRecorder::GetCoverage(double byteHops) const
{
    return byteHops / static_cast<double>(CountAtPorts().bytes - m_before.bytes);
}

bool
SteadyRecorder::IsSaturated(uint32_t port)
{
    const Ptr<Port> device = m_network.GetPort(port);
    Time busy;
    for (uint32_t queue = 0; queue < device->GetQueues(); ++queue)
    {
        busy += device->GetBusyTime(queue);
    }
    WatchedPort& watched = m_ports[port];
    const bool wasRead = watched.read == m_windows;
    const Time inWindow = busy - watched.busy;
    watched.busy = busy;
    watched.read = m_windows + 1;
    return wasRead && inWindow.GetSeconds() >= SATURATED * m_window.GetSeconds();
}

void
SteadyRecorder::Begin()
{
    m_before = CountAtPorts();
    for (Watched& stream : m_streams)
    {
        stream.received = stream.receiver ? stream.receiver->GetReceivedBytes() : 0;
    }
    m_windows = 1;
    Simulator::Schedule(m_window, &SteadyRecorder::EndWindow, this);
}

void
SteadyRecorder::EndWindow()
{
    std::vector<StreamWindow> rows;
    std::set<uint32_t> used;
    for (const uint32_t index : m_active)
    {
        Watched& stream = m_streams[index];
        const uint64_t received = stream.receiver ? stream.receiver->GetReceivedBytes() : 0;
        rows.push_back({index,
                        static_cast<double>(stream.ports.size()),
                        static_cast<double>(received - std::exchange(stream.received, received)),
                        std::exchange(stream.changed, false),
                        stream.sent == stream.delivered});
        for (const uint32_t port : stream.ports)
        {
            m_ports[port].users.push_back(index);
            used.insert(port);
        }
    }
    std::vector<std::vector<uint32_t>> saturated;
    for (const uint32_t port : used)
    {
        const bool isSaturated = IsSaturated(port);
        auto users = std::exchange(m_ports[port].users, {});
        if (isSaturated && users.size() > 1)
        {
            saturated.push_back(std::move(users));
        }
    }
    m_finder.AddWindow(rows, saturated);
    for (const StreamWindow& row : rows)
    {
        if (row.ended)
        {
            m_active.erase(row.stream);
        }
    }
    ++m_windows;
    Simulator::Schedule(m_window, &SteadyRecorder::EndWindow, this);
}

} // namespace ns3::ddl
