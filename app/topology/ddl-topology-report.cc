// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-topology-report.h"

#include "app/json/ddl-json-policy.h"
#include "app/text/ddl-text-table.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-graph-topology.h"
#include "ns3/ddl-network-format.h"
#include "ns3/ddl-quantity.h"
#include "ns3/ddl-scenario-reader.h"
#include "ns3/pointer.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>

namespace ns3::ddl
{

namespace
{

constexpr uint32_t MOST_PAIR_HOSTS = 4096; //!< hosts of which all pairs are printed
constexpr uint64_t MOST_WORK = 2000000000; //!< most cables that lengths of paths are counted over
constexpr std::size_t MOST_UNUSED = 10;    //!< unused nodes and links that are named

/** Set attributes of a topology. \throws InputError with all that are wrong */
ObjectFactory
MakeShape(const std::string& kind, const std::vector<std::string>& settings)
{
    PolicySpec spec{kind, {}, "--set"};
    std::vector<Diagnostic> diagnostics;
    for (const auto& setting : settings)
    {
        const auto equals = setting.find('=');
        if (equals == std::string::npos || equals == 0)
        {
            diagnostics.push_back({"--set", "", "must be NAME=VALUE, is " + QuoteText(setting)});
            continue;
        }
        std::string name = setting.substr(0, equals);
        name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
        spec.attributes.push_back({name, setting.substr(equals + 1), "--set"});
    }
    ObjectFactory shape = spec.MakeFactory(Topology::GetTypeId(), diagnostics);
    if (!diagnostics.empty())
    {
        throw InputError(diagnostics);
    }
    return shape;
}

/** \throws InputError with what is wrong with a topology */
void
CheckShape(const std::string& name, const ObjectFactory& shape)
{
    std::vector<Diagnostic> diagnostics;
    for (const auto& problem : shape.Create<Topology>()->FindProblems())
    {
        const bool isPlaced = problem.what.rfind(name + ":", 0) == 0;
        diagnostics.push_back(
            {isPlaced ? "" : name,
             "",
             (problem.attribute.empty() ? "" : problem.attribute + ": ") + problem.what});
    }
    if (!diagnostics.empty())
    {
        throw InputError(diagnostics);
    }
}

/** \return the links between the cables of a plan: count of cables by rate and delay */
void
PrintCables(const TopologyPlan& plan, std::ostream& os)
{
    std::map<std::tuple<bool, uint64_t, Time>, uint64_t> counts; // hosts' cables first
    for (const TopologyPlan::Cable& cable : plan.GetCables())
    {
        const bool isHost = plan.IsHost(cable.first) || plan.IsHost(cable.second);
        ++counts[{!isHost, cable.rate.GetBitRate(), cable.delay}];
    }
    TextTable table({"cables", "number", "rate", "delay"});
    for (const auto& [key, count] : counts)
    {
        const auto& [isInner, rate, delay] = key;
        table.AddRow({isInner ? "between switches" : "of hosts",
                      std::to_string(count),
                      FormatRate(DataRate(rate)),
                      FormatDuration(delay)});
    }
    table.Print(os);
}

/** Print how many pairs of hosts are how many cables apart. */
void
PrintLengths(const TopologyPlan& plan, std::ostream& os)
{
    const NetworkPaths paths(plan);
    if (paths.GetRoots().size() * plan.GetCables().size() > MOST_WORK)
    {
        os << "paths:     not counted: the network is too large\n";
        return;
    }
    std::vector<uint64_t> hosts(plan.GetNodes().size(), 0); // at each switch
    for (const uint32_t root : paths.GetRoots())
    {
        hosts[root] = paths.ListHostsAt(root).size();
    }
    std::map<uint32_t, uint64_t> pairs; // by cables
    for (const uint32_t root : paths.GetRoots())
    {
        const NetworkPaths::Tree tree = paths.MeasureFrom(root);
        for (const uint32_t node : tree.order)
        {
            // Each pair is met from both sides.
            const uint64_t others = node == root ? hosts[root] - 1 : hosts[node];
            pairs[tree.distance[node] + 2] += hosts[root] * others;
        }
    }
    TextTable table({"links between two hosts", "pairs"});
    for (const auto& [length, count] : pairs)
    {
        if (count > 0)
        {
            table.AddRow({std::to_string(length), std::to_string(count / 2)});
        }
    }
    table.Print(os);
}

} // namespace

NamedNetwork
FindNetwork(const std::string& name,
            const std::string& format,
            const std::vector<std::string>& settings)
{
    NamedNetwork network;
    network.name = name;
    const auto kinds = ListPolicies(Topology::GetTypeId());
    const bool isKind = std::find(kinds.begin(), kinds.end(), name) != kinds.end();
    if (isKind && !std::filesystem::exists(name))
    {
        network.spec.shape = MakeShape(name, settings);
    }
    else if (format != "auto" || IsNetwork(name))
    {
        network.graph = ReadNetwork(name, format);
        network.spec.shape = MakeShape("graph", settings);
        network.spec.shape.Set("Network", PointerValue(network.graph));
        return network;
    }
    else
    {
        network.spec = ReadScenario({name, settings}).cluster.topology;
    }
    CheckShape(name, network.spec.shape);
    network.spec.scaleUp.reset(); // links of hosts beside their NICs are a key, not of the network
    network.graph = MakeNetworkGraph(MakePlan(network.spec));
    return network;
}

void
PrintNetwork(const NamedNetwork& network, std::ostream& os)
{
    CheckShape(network.name, network.spec.shape);
    const TopologyPlan plan = MakePlan(network.spec);
    std::set<uint32_t> servers;
    std::set<uint32_t> racks;
    for (const Place& place : plan.GetPlaces())
    {
        servers.insert(place.server);
        racks.insert(place.rack);
    }
    os << network.name << (network.graph->format.empty() ? "" : " (" + network.graph->format + ")")
       << "\n"
       << "hosts:     " << plan.GetHosts() << ", in " << servers.size() << " servers, in "
       << racks.size() << " racks\n"
       << "switches:  " << plan.GetNodes().size() - plan.GetHosts() << "\n"
       << "cables:    " << plan.GetCables().size() << "\n"
       << "uplinks:  ";
    const auto levels = ListOversubscriptions(plan);
    for (const Oversubscription& level : levels)
    {
        os << " " << level.level << " " << FormatSignificant(level.ratio, 3) << ":1";
    }
    os << (levels.empty() ? " none" : "") << "\n\n";
    PrintCables(plan, os);
    os << "\n";
    PrintLengths(plan, os);
    const std::vector<std::string> unused = network.graph->FindUnused();
    for (std::size_t i = 0; i < std::min(unused.size(), MOST_UNUSED); ++i)
    {
        os << (i == 0 ? "\n" : "") << "unused: " << unused[i] << "\n";
    }
    if (unused.size() > MOST_UNUSED)
    {
        os << "unused: " << unused.size() - MOST_UNUSED << " more\n";
    }
}

void
PrintPairs(const NamedNetwork& network, std::ostream& os)
{
    CheckShape(network.name, network.spec.shape);
    const TopologyPlan plan = MakePlan(network.spec);
    if (plan.GetHosts() > MOST_PAIR_HOSTS)
    {
        throw InputError("the network has " + std::to_string(plan.GetHosts()) +
                         " hosts; pairs are printed of at most " + std::to_string(MOST_PAIR_HOSTS));
    }
    const NetworkPaths paths(plan);
    os << "from,to,links,rate_bps\n";
    for (const uint32_t root : paths.GetRoots())
    {
        const NetworkPaths::Tree tree = paths.MeasureFrom(root);
        for (const uint32_t from : paths.ListHostsAt(root))
        {
            const uint64_t own = tree.rate[from];
            for (uint32_t to = 0; to < plan.GetNodes().size(); ++to)
            {
                if (plan.IsHost(to) && to != from)
                {
                    os << plan.GetNodes()[from] << "," << plan.GetNodes()[to] << ","
                       << tree.distance[to] + 1 << "," << std::min(own, tree.rate[to]) << "\n";
                }
            }
        }
    }
}

} // namespace ns3::ddl
