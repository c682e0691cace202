// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-path-book.h"

#include "ns3/ddl-job-hosts.h"

#include <algorithm>
#include <utility>

namespace ns3::ddl
{

/** Number the two directions of the link of host h 2 h and 2 h + 1, and then those of others. */
void
PathBook::NumberLinks(const std::vector<DataRate>& rates)
{
    m_rates.clear();
    for (const DataRate rate : rates)
    {
        m_rates.insert(m_rates.end(), 2, static_cast<double>(rate.GetBitRate()) / 8);
    }
    if (!m_transport)
    {
        return;
    }
    for (uint32_t host = 0; host < m_fabric->GetHosts(); ++host)
    {
        const Ptr<Port> nic = m_fabric->GetHostPort(HostId{host});
        m_numbers.emplace(nic, 2 * host);
        m_numbers.emplace(nic->GetPeer(), 2 * host + 1);
    }
    for (const NamedPort& named : m_fabric->GetPorts())
    {
        if (m_numbers.emplace(named.device, m_rates.size()).second)
        {
            m_rates.push_back(static_cast<double>(named.device->GetDataRate().GetBitRate()) / 8);
        }
    }
}

/** \return whether the state of a cable has changed since the last call */
bool
PathBook::NoteLinkStates()
{
    std::vector<bool> up(m_fabric->GetLinks());
    for (uint32_t link = 0; link < up.size(); ++link)
    {
        up[link] = m_fabric->GetLink(link)->IsUp();
    }
    const bool isNew = up != m_up;
    m_up = std::move(up);
    return isNew;
}

std::vector<uint32_t>
PathBook::ListLinks(const std::vector<Ptr<Port>>& ports) const
{
    std::vector<uint32_t> links;
    for (const Ptr<Port>& port : ports)
    {
        links.push_back(m_numbers.at(port));
    }
    return links;
}

const PathBook::Ways&
PathBook::FindWays(HostId source, HostId destination)
{
    const auto [entry, isNew] = m_ways.try_emplace({source, destination});
    Ways& ways = entry->second;
    if (!isNew)
    {
        return ways;
    }
    std::vector<std::vector<uint32_t>> links;
    if (m_transport)
    {
        for (const StreamPath& path : m_transport->ListPaths(source, destination))
        {
            ways.labels.push_back(path.flowLabel);
            links.push_back(ListLinks(path.ports));
        }
    }
    if (links.empty())
    {
        links.push_back({2 * source.value, 2 * destination.value + 1});
    }
    ways.links = std::make_shared<const std::vector<std::vector<uint32_t>>>(std::move(links));
    return ways;
}

/** \return index of the path that a stream with that label takes now */
uint32_t
PathBook::FindPath(const Ways& ways, HostId source, HostId destination, uint32_t label) const
{
    if (ways.labels.size() < 2)
    {
        return 0;
    }
    const auto links = ListLinks(m_transport->TracePath(source, destination, label));
    const auto path = std::find(ways.links->begin(), ways.links->end(), links);
    return path == ways.links->end() ? 0 : path - ways.links->begin();
}

bool
PathBook::UsesLinks(HostId source, HostId destination) const
{
    return m_fabric ? m_fabric->PassesNics(source, destination) : source != destination;
}

std::vector<PathBook::Flow>
PathBook::AddJobFlows(UnitView& unit, const RunSpec& run)
{
    std::vector<Flow> flows;
    std::map<StreamName, std::size_t> known; // a stream may carry several channels of a coflow
    const bool isCoflow = run.IsCoflow();
    for (uint32_t i = 0; run.plan && i < run.plan->channels.size(); ++i)
    {
        const JobPlan::Channel& channel = run.plan->channels[i];
        const HostId source = run.rankHosts.at(channel.source);
        const HostId destination = run.rankHosts.at(channel.destination);
        if (channel.bytes == 0 || !UsesLinks(source, destination))
        {
            continue;
        }
        const StreamName name = run.GetStreamName(i, isCoflow);
        const auto [place, isNew] = known.try_emplace(name, flows.size());
        if (!isNew)
        {
            unit.each.flows[place->second].bytes += static_cast<double>(channel.bytes);
            continue;
        }
        const Ways& ways = FindWays(source, destination);
        const auto pinned = m_labels.find(name);
        const uint32_t label =
            pinned != m_labels.end()
                ? pinned->second
                : MakeFlowLabel(run.GetId(), channel.source, channel.destination);
        flows.push_back({name, source, &ways});
        unit.each.flows.push_back({static_cast<double>(channel.bytes),
                                   ways.links,
                                   FindPath(ways, source, destination, label)});
    }
    return flows;
}

void
PathBook::AddFlows(SchedulerView& view, const JobTable& table, const std::vector<DataRate>& rates)
{
    if (m_rates.empty())
    {
        NumberLinks(rates);
    }
    if (m_transport && NoteLinkStates())
    {
        m_ways.clear();
    }
    view.linkRates = m_rates;
    m_flows.clear();
    std::map<StreamName, uint32_t> labels; // of the streams that still exist
    for (UnitView& unit : view.units)
    {
        m_flows.push_back(AddJobFlows(unit, *table.GetJob(unit.job).run));
        for (const Flow& flow : m_flows.back())
        {
            const auto pinned = m_labels.find(flow.name);
            if (pinned != m_labels.end())
            {
                labels.insert(*pinned);
            }
        }
    }
    m_labels = std::move(labels);
}

void
PathBook::Pin(SchedulerView& view, const PathChoice& choice)
{
    for (std::size_t unit = 0; unit < choice.size(); ++unit)
    {
        for (std::size_t i = 0; i < choice[unit].size(); ++i)
        {
            FlowView& flow = view.units[unit].each.flows[i];
            if (flow.path != choice[unit][i])
            {
                flow.path = choice[unit][i];
                const Flow& known = m_flows[unit][i];
                const uint32_t label = known.ways->labels.at(flow.path);
                m_labels[known.name] = label;
                m_changed[known.source][known.name] = label;
            }
        }
    }
}

PathBook::Changes
PathBook::TakeChanges()
{
    Changes changes;
    for (const auto& [machine, labels] : std::exchange(m_changed, {}))
    {
        for (const auto& [name, label] : labels)
        {
            changes[machine].push_back({name.job, name.source, name.destination, label});
        }
    }
    return changes;
}

} // namespace ns3::ddl
