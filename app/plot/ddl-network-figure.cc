// SPDX-License-Identifier: GPL-2.0-only
#include "app/results/ddl-csv-table.h"
#include "ddl-figure.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t MOST_SINGLE_HOSTS = 128; //!< with more, hosts at one switch are drawn as one
constexpr std::size_t MOST_DRAWN_NODES = 2000; //!< most nodes of a drawing

/** An egress port in the files of results: one direction of a cable. */
struct PortTraffic
{
    std::size_t from{0}; //!< node of the port
    std::size_t to{0};   //!< node at the far end
    std::string name;    //!< name in ports.csv: NODE-PORT-PEER
    double rate{0};      //!< bits per second; 0: the file does not say
    double used{0};      //!< utilisation over the run
    double bytes{0};
    std::map<int, double> queues{}; //!< bytes by queue
    std::size_t wire{0};            //!< the wire that it is drawn in
};

/** The network as ports.csv has it. */
struct PortList
{
    std::vector<std::string> nodes; //!< names, in the order of the file
    std::vector<PortTraffic> ports;
    std::unordered_map<std::string, std::size_t> places; //!< index of each port, by its name
};

/** \return true for "h0", "h1", ...: the names of hosts in all results */
bool
IsHostName(const std::string& name)
{
    return name.size() > 1 && name[0] == 'h' &&
           std::all_of(name.begin() + 1, name.end(), [](char c) {
               return std::isdigit(static_cast<unsigned char>(c)) != 0;
           });
}

PortList
ReadPortList(const std::string& run)
{
    const CsvTable table(run + "/ports.csv");
    const bool hasRate = table.HasColumn("rate_bps"); // earlier versions wrote none
    PortList list;
    std::unordered_map<std::string, std::size_t> nodes;
    const auto find = [&](const std::string& name) {
        const auto [place, isNew] = nodes.emplace(name, list.nodes.size());
        if (isNew)
        {
            list.nodes.push_back(name);
        }
        return place->second;
    };
    for (std::size_t row = 0; row < table.GetRows(); ++row)
    {
        const std::string& node = table.GetText(row, "node");
        const std::string& peer = table.GetText(row, "peer");
        const std::string name = node + "-" + table.GetText(row, "port") + "-" + peer;
        const auto [place, isNew] = list.places.emplace(name, list.ports.size());
        if (isNew)
        {
            const double rate = hasRate ? table.GetNumber(row, "rate_bps").value_or(0) : 0;
            list.ports.push_back({find(node), find(peer), name, rate});
        }
        PortTraffic& port = list.ports[place->second];
        const double bytes = table.GetNumber(row, "bytes").value_or(0);
        port.used += table.GetNumber(row, "utilisation").value_or(0);
        port.bytes += bytes;
        if (bytes > 0)
        {
            port.queues[static_cast<int>(table.GetNumber(row, "queue").value_or(0))] += bytes;
        }
    }
    return list;
}

/** \return the neighbours of each node, in the order of its ports */
std::vector<std::vector<std::size_t>>
ListNeighbours(const PortList& list)
{
    std::vector<std::vector<std::size_t>> neighbours(list.nodes.size());
    for (const PortTraffic& port : list.ports)
    {
        neighbours[port.from].push_back(port.to);
    }
    return neighbours;
}

/**
 * \return the drawn node of each node. Where there are many hosts, those whose NICs are at one
 *         switch are one node
 */
std::vector<std::size_t>
DrawNodes(const PortList& list, std::vector<Chart::Node>& drawn)
{
    const auto neighbours = ListNeighbours(list);
    const auto hosts =
        static_cast<std::size_t>(std::count_if(list.nodes.begin(), list.nodes.end(), IsHostName));
    std::vector<std::size_t> places;
    std::map<std::size_t, std::size_t> racks; // drawn hosts, by their switch
    for (std::size_t i = 0; i < list.nodes.size(); ++i)
    {
        const bool isHost = IsHostName(list.nodes[i]);
        if (isHost && hosts > MOST_SINGLE_HOSTS && !neighbours[i].empty())
        {
            const auto [rack, isNew] = racks.emplace(neighbours[i].front(), drawn.size());
            places.push_back(rack->second);
            if (!isNew)
            {
                ++drawn[rack->second].hosts;
                continue;
            }
        }
        else
        {
            places.push_back(drawn.size());
        }
        drawn.push_back({list.nodes[i], 0, 0, isHost ? std::size_t{1} : std::size_t{0}});
    }
    for (const auto& [at, place] : racks)
    {
        Chart::Node& rack = drawn[place];
        rack.name = rack.hosts == 1 ? rack.name
                                    : std::to_string(rack.hosts) + " hosts of " + list.nodes[at];
    }
    return places;
}

/** Count a cable as one of those that a wire stands for. */
void
AddCable(const PortTraffic& port, const PortList& list, Chart::Wire& wire)
{
    // means become so when all cables are there
    ++wire.cables;
    wire.rate += port.rate;
    wire.used += port.used * (port.rate > 0 ? port.rate : 1);
    wire.bytes += port.bytes;
    for (const auto& [queue, bytes] : port.queues)
    {
        const auto known =
            std::find_if(wire.queues.begin(), wire.queues.end(), [queue = queue](const auto& each) {
                return each.first == queue;
            });
        known == wire.queues.end() ? wire.queues.emplace_back(queue, bytes).second
                                   : known->second += bytes;
    }
    if (wire.cables == 1 || port.used > wire.busiestUsed)
    {
        wire.busiest = list.nodes[port.from] + " to " + list.nodes[port.to];
        wire.busiestUsed = port.used;
    }
}

/** \return the wires between drawn nodes, in the order of their first ports, whose
 * PortTraffic::wire is set */
std::vector<Chart::Wire>
DrawWires(const std::vector<std::size_t>& places,
          const std::vector<Chart::Node>& nodes,
          PortList& list)
{
    std::vector<Chart::Wire> wires;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> known;
    for (PortTraffic& port : list.ports)
    {
        const auto ends = std::make_pair(places[port.from], places[port.to]);
        const auto [place, isNew] = known.emplace(ends, wires.size());
        port.wire = place->second;
        if (isNew)
        {
            wires.push_back({ends.first,
                             ends.second,
                             nodes[ends.first].name + " to " + nodes[ends.second].name});
        }
        AddCable(port, list, wires[port.wire]);
    }
    for (Chart::Wire& wire : wires)
    {
        const double weight = wire.rate > 0 ? wire.rate : static_cast<double>(wire.cables);
        wire.used = std::min(1.0, wire.used / weight);
        std::sort(wire.queues.begin(), wire.queues.end());
    }
    return wires;
}

/** \return the level of each drawn node: the least number of wires to a host */
std::vector<std::size_t>
FindLevels(const std::vector<Chart::Node>& nodes,
           const std::vector<std::vector<std::size_t>>& neighbours)
{
    constexpr std::size_t FAR = SIZE_MAX;
    std::vector<std::size_t> levels(nodes.size(), FAR);
    std::vector<std::size_t> reached;
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        if (nodes[i].hosts > 0)
        {
            levels[i] = 0;
            reached.push_back(i);
        }
    }
    for (std::size_t i = 0; i < reached.size(); ++i)
    {
        for (const std::size_t next : neighbours[reached[i]])
        {
            if (levels[next] == FAR)
            {
                levels[next] = levels[reached[i]] + 1;
                reached.push_back(next);
            }
        }
    }
    std::replace(levels.begin(), levels.end(), FAR, std::size_t{1});
    return levels;
}

/** Place the nodes of one row side by side: above their neighbours below, where there is room for
 * that, else at equal distances in that order. */
void
PlaceRow(std::vector<std::size_t> row,
         const std::vector<double>& wanted,
         std::vector<Chart::Node>& nodes)
{
    std::stable_sort(row.begin(), row.end(), [&wanted](std::size_t a, std::size_t b) {
        return wanted[a] < wanted[b];
    });
    const double place = 1 / static_cast<double>(row.size());
    bool hasRoom = true;
    for (std::size_t i = 1; i < row.size(); ++i)
    {
        hasRoom = hasRoom && wanted[row[i]] - wanted[row[i - 1]] >= 0.5 * place;
    }
    for (std::size_t i = 0; i < row.size(); ++i)
    {
        nodes[row[i]].x = hasRoom ? wanted[row[i]] : (static_cast<double>(i) + 0.5) * place;
    }
}

/** \return where each node of a row would stand best: above the middle of its neighbours below;
 * hosts at equal distances, in the order of their switches */
std::vector<double>
FindWantedPlaces(const std::vector<std::size_t>& row,
                 const std::vector<Chart::Node>& nodes,
                 const std::vector<std::vector<std::size_t>>& neighbours)
{
    std::vector<double> wanted(nodes.size(), 0.5);
    if (nodes[row.front()].y == 0)
    {
        std::vector<std::size_t> sorted = row;
        const auto switchOf = [&neighbours](std::size_t host) {
            return neighbours[host].empty() ? host : neighbours[host].front();
        };
        std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
            return switchOf(a) < switchOf(b);
        });
        for (std::size_t n = 0; n < sorted.size(); ++n)
        {
            wanted[sorted[n]] = (static_cast<double>(n) + 0.5) / static_cast<double>(sorted.size());
        }
        return wanted;
    }
    for (const std::size_t node : row)
    {
        double sum = 0;
        double below = 0;
        for (const std::size_t next : neighbours[node])
        {
            const bool isBelow = nodes[next].y < nodes[node].y;
            sum += isBelow ? nodes[next].x : 0;
            below += isBelow ? 1 : 0;
        }
        wanted[node] = below > 0 ? sum / below : 0.5;
    }
    return wanted;
}

/** Place the nodes in rows, hosts below, from the lowest row on. */
void
PlaceNodes(const std::vector<Chart::Wire>& wires, std::vector<Chart::Node>& nodes)
{
    std::vector<std::vector<std::size_t>> neighbours(nodes.size());
    for (const Chart::Wire& wire : wires)
    {
        neighbours[wire.from].push_back(wire.to);
    }
    const auto levels = FindLevels(nodes, neighbours);
    std::map<std::size_t, std::vector<std::size_t>> rows;
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        nodes[i].y = static_cast<double>(levels[i]);
        rows[levels[i]].push_back(i);
    }
    for (const auto& [level, row] : rows)
    {
        PlaceRow(row, FindWantedPlaces(row, nodes, neighbours), nodes);
    }
}

/** \return weight of a cable in the mean of a wire */
double
GetWeight(const PortTraffic& port)
{
    return port.rate > 0 ? port.rate : 1;
}

/** Prepare the wires for the intervals of a series.csv. */
void
AddIntervals(const CsvTable& table, Chart::Panel& panel)
{
    for (std::size_t row = 0; row < table.GetRows(); ++row)
    {
        const double end = table.GetNumber(row, "time_s").value_or(0);
        if (panel.times.empty() || end > panel.times.back())
        {
            panel.times.push_back(end);
        }
    }
    for (Chart::Wire& wire : panel.wires)
    {
        wire.usedOver.assign(panel.times.size(), 0);
        wire.bytesOver.assign(panel.times.size(), 0);
        wire.isDown.assign(panel.times.size(), false);
    }
}

/** Read what the wires carried in each interval of series.csv, if there is one. */
void
ReadIntervals(const std::string& run, const PortList& list, Chart::Panel& panel)
{
    const auto table = OpenTable(run, "series");
    if (!table)
    {
        return;
    }
    AddIntervals(*table, panel);
    std::vector<double> weights(panel.wires.size());
    for (const PortTraffic& port : list.ports)
    {
        weights[port.wire] += GetWeight(port);
    }
    std::vector<std::size_t> down(panel.wires.size()); // cables that are down in the interval
    std::size_t interval = 0;
    for (std::size_t row = 0; row < table->GetRows(); ++row)
    {
        while (table->GetNumber(row, "time_s").value_or(0) > panel.times[interval])
        {
            ++interval;
            std::fill(down.begin(), down.end(), 0);
        }
        const auto known = table->GetText(row, "kind") == "port"
                               ? list.places.find(table->GetText(row, "name"))
                               : list.places.end();
        if (known == list.places.end())
        {
            continue;
        }
        const PortTraffic& port = list.ports[known->second];
        Chart::Wire& wire = panel.wires[port.wire];
        const std::string& quantity = table->GetText(row, "quantity");
        const double value = table->GetNumber(row, "value").value_or(0);
        const double part = value * GetWeight(port) / weights[port.wire];
        wire.bytesOver[interval] += quantity == "bytes" ? value : 0;
        // a frame counts whole when it begins: an interval may have a little more than all of it
        wire.usedOver[interval] =
            std::min(1.0, wire.usedOver[interval] + (quantity == "utilisation" ? part : 0));
        down[port.wire] += quantity == "down" ? 1 : 0;
        wire.isDown[interval] = down[port.wire] == wire.cables;
    }
}

/** \return indices of ports by job: of each stream, and each of its queue pairs, those of the path
 * that it took last. \param table a paths.csv */
std::map<uint64_t, std::set<std::size_t>>
ReadLastPaths(const CsvTable& table, const PortList& list)
{
    /** Ports of the path since a time. */
    struct Path
    {
        uint64_t job{0};
        std::string time{};
        std::set<std::size_t> ports{};
    };

    std::map<std::pair<std::string, std::string>, Path> paths; // by stream and queue pair
    for (std::size_t row = 0; row < table.GetRows(); ++row)
    {
        const auto port =
            list.places.find(table.GetText(row, "node") + "-" + table.GetText(row, "port") + "-" +
                             table.GetText(row, "peer"));
        Path& path = paths[{table.GetText(row, "stream_id"), table.GetText(row, "queue_pair")}];
        if (path.time != table.GetText(row, "time_s"))
        {
            const double job = table.GetNumber(row, "job_id").value_or(0);
            path = {static_cast<uint64_t>(job), table.GetText(row, "time_s")};
        }
        if (port != list.places.end())
        {
            path.ports.insert(port->second);
        }
    }
    std::map<uint64_t, std::set<std::size_t>> jobs;
    for (const auto& [stream, path] : paths)
    {
        jobs[path.job].insert(path.ports.begin(), path.ports.end());
    }
    return jobs;
}

/** Read which links each job uses from paths.csv, if there is one. */
void
ReadTrails(const std::string& run, const PortList& list, Chart::Panel& panel)
{
    const auto table = OpenTable(run, "paths");
    const auto jobs =
        table ? ReadLastPaths(*table, list) : std::map<uint64_t, std::set<std::size_t>>();
    for (const auto& [job, ports] : jobs)
    {
        std::set<std::size_t> wires;
        for (const std::size_t port : ports)
        {
            wires.insert(list.ports[port].wire);
        }
        panel.trails.push_back(
            {"job " + std::to_string(job), ports.size(), {wires.begin(), wires.end()}});
    }
}

/**
 * The network of a run: nodes in rows, and how busy each link was, over the run and, with
 * series.csv, in each interval.
 */
Chart
MakeNetwork(const std::vector<ResultSet>& sets)
{
    const ResultSet* const set = FindOneWithRuns(sets);
    if (!set)
    {
        return NothingToDraw("no run has ended");
    }
    const std::string run = set->ListRuns().front();
    PortList list = ReadPortList(run);
    if (list.ports.empty())
    {
        return NothingToDraw("the network has no links");
    }
    Chart::Panel panel;
    panel.kind = Chart::Kind::NETWORK;
    panel.x = {"", "s", "time_s"};
    panel.y = {"utilisation of links", "", "utilisation"};
    const auto places = DrawNodes(list, panel.nodes);
    if (panel.nodes.size() > MOST_DRAWN_NODES)
    {
        return NothingToDraw("the network has " + std::to_string(list.nodes.size()) +
                             " nodes, drawn as " + std::to_string(panel.nodes.size()) +
                             "; a drawing holds " + std::to_string(MOST_DRAWN_NODES));
    }
    panel.wires = DrawWires(places, panel.nodes, list);
    PlaceNodes(panel.wires, panel.nodes);
    ReadIntervals(run, list, panel);
    ReadTrails(run, list, panel);
    return {"Utilisation of links", DescribeRuns({*set}), {std::move(panel)}};
}

constexpr FigureEntry NETWORK{"ns3::ddl::NetworkFigure",
                              "the network, and how busy its links were over the run; on a page "
                              "also over time (output.series) and the links of a job "
                              "(output.paths); of several results, the first",
                              MakeNetwork};
const TypeId NETWORK_FIGURE = FigureOf<NETWORK>::GetTypeId();

} // namespace

} // namespace ns3::ddl
