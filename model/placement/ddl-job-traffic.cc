// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-traffic.h"

#include "ns3/ddl-fabric.h"
#include "ns3/ddl-run-spec.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace ns3::ddl
{

namespace
{

/** \return rate of a port in bytes per second */
double
GetByteRate(const Ptr<Port>& port)
{
    return static_cast<double>(port->GetDataRate().GetBitRate()) / 8;
}

} // namespace

LinkMap::LinkMap(const Fabric& fabric)
{
    std::map<uint32_t, uint32_t> numbers; // of racks, by Place::rack
    std::map<std::string, HostId> hosts;
    for (uint32_t host = 0; host < fabric.GetHosts(); ++host)
    {
        const auto next = static_cast<uint32_t>(numbers.size());
        m_racks.push_back(numbers.emplace(fabric.GetPlace(HostId{host}).rack, next).first->second);
        hosts.emplace(fabric.GetName(fabric.GetHost(HostId{host})), HostId{host});
        const double rate = GetByteRate(fabric.GetHostPort(HostId{host}));
        m_rates.insert(m_rates.end(), 2, rate);
    }
    m_rates.resize(m_rates.size() + 2 * numbers.size(), 0);
    const auto ports = fabric.GetPorts();
    std::map<std::string, std::set<uint32_t>> racks; // of each switch that joins NICs
    for (const NamedPort& port : ports)
    {
        const auto host = hosts.find(port.node);
        if (host != hosts.end() && port.device == fabric.GetHostPort(host->second))
        {
            racks[port.peer].insert(GetRack(host->second));
        }
    }
    for (const NamedPort& port : ports)
    {
        const auto own = racks.find(port.node);
        const auto other = racks.find(port.peer);
        if (own == racks.end() || hosts.count(port.peer) > 0)
        {
            continue;
        }
        for (const uint32_t rack : own->second)
        {
            if (other == racks.end() || other->second.count(rack) == 0)
            {
                const uint32_t link = 2 * (GetHosts() + rack);
                m_rates[link] += GetByteRate(port.device);
                m_rates[link + 1] = m_rates[link]; // links have the same rate both ways
            }
        }
    }
}

JobTraffic
ForeseeTraffic(const RunSpec& run, const LinkMap& links)
{
    std::map<uint32_t, double> bytes; // by link
    for (const HostBytes& moved : run.hostBytes)
    {
        bytes[2 * moved.host.value] += static_cast<double>(moved.sent);
        bytes[2 * moved.host.value + 1] += static_cast<double>(moved.received);
    }
    const std::size_t channels = run.plan ? run.plan->channels.size() : 0;
    for (std::size_t i = 0; i < channels; ++i)
    {
        const JobPlan::Channel& channel = run.plan->channels[i];
        const uint32_t from = links.GetRack(run.rankHosts[channel.source]);
        const uint32_t to = links.GetRack(run.rankHosts[channel.destination]);
        if (from != to)
        {
            bytes[2 * (links.GetHosts() + from)] += static_cast<double>(channel.bytes);
            bytes[2 * (links.GetHosts() + to) + 1] += static_cast<double>(channel.bytes);
        }
    }
    double up = 0; // seconds
    for (const auto& [link, amount] : bytes)
    {
        up = std::max(up, links.GetRate(link) > 0 ? amount / links.GetRate(link) : 0);
    }
    JobTraffic traffic{run.GetId(), run.cost.compute + Seconds(up), Seconds(up), {}};
    for (const auto& [link, amount] : bytes)
    {
        if (amount > 0 && links.GetRate(link) > 0)
        {
            traffic.links.push_back({link, std::min(1.0, amount / links.GetRate(link) / up)});
        }
    }
    return traffic;
}

} // namespace ns3::ddl
