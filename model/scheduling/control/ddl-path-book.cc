// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-path-book.h"

#include "ns3/ddl-job-hosts.h"

#include <utility>

namespace ns3::ddl
{

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
        if (channel.bytes == 0 || !m_map->UsesLinks(source, destination))
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
        const NetworkMap::Ways& ways = m_map->FindWays(source, destination);
        const auto pinned = m_labels.find(name);
        const uint32_t label =
            pinned != m_labels.end()
                ? pinned->second
                : MakeFlowLabel(run.GetId(), channel.source, channel.destination);
        const std::optional<uint32_t> way = m_map->FindWay(source, destination, label);
        flows.push_back({name, source, &ways.labels, way.has_value()});
        unit.each.flows.push_back(
            {static_cast<double>(channel.bytes), ways.links, way.value_or(0)});
    }
    return flows;
}

void
PathBook::AddFlows(SchedulerView& view, const JobTable& table)
{
    if (!m_map)
    {
        return;
    }
    m_map->Update();
    view.linkRates = m_map->GetRates();
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
            const Flow& known = m_flows[unit][i];
            if (flow.path != choice[unit][i] || !known.isListed)
            {
                flow.path = choice[unit][i];
                const uint32_t label = known.labels->at(flow.path);
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
