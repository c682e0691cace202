// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-path-recorder.h"

#include "ns3/ddl-agent.h"
#include "ns3/ddl-training-cluster.h"
#include "ns3/simulator.h"

namespace ns3::ddl
{

PathRecorder::PathRecorder(Ptr<TrainingCluster> cluster, ResultRows& rows)
    : m_fabric(cluster->GetFabric()),
      m_selector(m_fabric->GetPathSelector()),
      m_rows(rows)
{
    for (const NamedPort& port : m_fabric->GetPorts())
    {
        m_names.emplace(port.device, port);
    }
    for (const auto& agent : cluster->GetParts().agents)
    {
        for (const char* const source : {"StreamOpened", "StreamPinned"})
        {
            agent->TraceConnectWithoutContext(source,
                                              MakeCallback(&PathRecorder::NotifyPath, this));
        }
    }
}

void
PathRecorder::NotifyPath(JobId job, Ptr<SendingStream> stream)
{
    PathRow row;
    row.time = Simulator::Now();
    row.job = job;
    row.run = stream->GetName().run;
    row.stream = stream->GetId();
    row.source = stream->GetSource();
    row.destination = stream->GetDestination();
    std::vector<uint32_t> hashes; // of flows that switches keep to one path each
    if (m_selector->GetSpread() == PathSpread::FLOW &&
        m_fabric->PassesNics(row.source, row.destination))
    {
        for (const FlowKey& flow : stream->ListFlows())
        {
            hashes.push_back(flow.PathHash(m_fabric->GetAddress(row.source)));
        }
        if (!m_selector->SeparatesFlows())
        {
            hashes = {0}; // all of them take one path
        }
    }
    for (uint32_t i = 0; i < hashes.size(); ++i)
    {
        row.pair = hashes.size() > 1 ? std::make_optional(i) : std::nullopt;
        PathHop hop;
        for (const auto& port : m_fabric->TracePath(row.source, row.destination, hashes[i]))
        {
            hop.port = port;
            AddRow(row, hop);
            ++hop.hop;
        }
    }
    if (hashes.empty())
    {
        for (const PathHop& hop : m_fabric->ListHopsBetween(row.source, row.destination))
        {
            AddRow(row, hop);
        }
    }
}

void
PathRecorder::AddRow(PathRow row, const PathHop& hop)
{
    constexpr double ALL = 1 - 1e-9; // parts are sums of fractions
    const NamedPort& named = m_names.at(hop.port);
    row.hop = hop.hop;
    row.node = named.node;
    row.port = named.port;
    row.peer = named.peer;
    if (hop.part >= ALL || m_selector->GetSpread() == PathSpread::EVEN)
    {
        row.share = hop.part;
    }
    m_rows.Add(row);
}

} // namespace ns3::ddl
