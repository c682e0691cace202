// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-graph-report.h"

#include "app/text/ddl-text-table.h"

#include "ns3/ddl-quantity.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t MOST_ROWS = 20; //!< collectives, before groups of one size share a row
constexpr double PER_SECOND = 1e9;    //!< nanoseconds

using Kind = GraphNode::Kind;

double
ToSeconds(double nanoseconds)
{
    return nanoseconds / PER_SECOND;
}

/** \return "12.50 us" */
std::string
FormatTime(double nanoseconds)
{
    for (const auto& [unit, size] :
         {std::pair<const char*, double>{" s", 1e9}, {" ms", 1e6}, {" us", 1e3}})
    {
        if (nanoseconds >= size)
        {
            return FormatNumber(nanoseconds / size) + unit;
        }
    }
    return FormatNumber(nanoseconds) + " ns";
}

/** Count what all ranks do. */
void
CountNodes(const TaskGraph& graph, GraphReport& report)
{
    std::set<const GraphProgram*> seen;
    for (const RankGraph& rank : graph.ranks)
    {
        uint64_t computing = 0;
        for (const GraphNode& node : rank.program->nodes)
        {
            report.computes += node.kind == Kind::COMPUTE ? 1 : 0;
            report.sends += node.kind == Kind::SEND ? 1 : 0;
            report.receives += node.kind == Kind::RECEIVE ? 1 : 0;
            report.collectives += node.kind == Kind::COLLECTIVE ? 1 : 0;
            report.messageBytes += node.kind == Kind::SEND ? node.amount : 0;
            computing += node.kind == Kind::COMPUTE ? node.amount : 0;
        }
        report.edges += rank.program->before.size();
        report.computing += static_cast<double>(computing);
        report.mostComputing = std::max(report.mostComputing, computing);
        seen.insert(rank.program.get());
    }
    report.programs = seen.size();
    report.memory = CountGraphMemory(graph);
}

/** \return the same collectives, those of groups of one size together */
std::vector<GraphReport::Transfers>
MergeBySize(const std::vector<GraphReport::Transfers>& transfers)
{
    std::map<std::pair<Collective, uint64_t>, std::pair<GraphReport::Transfers, uint64_t>> merged;
    for (const auto& row : transfers)
    {
        auto& [sum, groups] = merged[{row.type, row.ranks}];
        const uint64_t count = sum.count + row.count;
        const uint64_t bytes = sum.bytes + row.bytes;
        sum = {row.type, "", row.ranks, count, bytes};
        sum.group = std::to_string(++groups) + " groups";
    }
    std::vector<GraphReport::Transfers> rows;
    for (const auto& [key, row] : merged)
    {
        rows.push_back(row.first);
    }
    return rows;
}

} // namespace

GraphReport
DescribeGraph(const TaskGraph& graph, const std::string& format, const IdealNetwork& network)
{
    GraphReport report;
    report.source = graph.source;
    report.format = format;
    report.ranks = graph.ranks.size();
    CountNodes(graph, report);

    GraphComplaints none;
    const GraphMatches matches(graph, none);
    std::map<std::pair<uint32_t, Collective>, std::pair<uint64_t, uint64_t>> sums;
    for (const auto& instance : matches.GetInstances())
    {
        auto& [count, bytes] = sums[{instance.group, instance.type}];
        ++count;
        bytes += instance.bytes;
    }
    for (const auto& [key, sum] : sums)
    {
        const RankGroup& group = graph.groups[key.first];
        report.transfers.push_back(
            {key.second, group.name, group.ranks.size(), sum.first, sum.second});
    }
    const GraphSchedule schedule(graph, matches, network);
    report.criticalPath = schedule.GetLength();
    for (const uint64_t number : schedule.FindCriticalPath())
    {
        const auto [rank, node] = matches.Locate(number);
        const GraphNode& work = graph.ranks[rank].program->nodes[node];
        report.pathComputing += work.kind == Kind::COMPUTE ? work.amount : 0;
        ++report.pathNodes;
    }
    report.oneByOne =
        GraphSchedule(graph, matches, network, GraphSchedule::Lanes::ONE_BY_ONE).GetLength();
    return report;
}

void
PrintGraphReport(const GraphReport& report, const IdealNetwork& network, std::ostream& os)
{
    os << report.source << ": " << report.format << ", " << report.ranks << " ranks, "
       << report.programs << " different; " << FormatSize(static_cast<double>(report.memory))
       << " of memory\n\n";
    TextTable nodes({"nodes", "count", "sum over ranks"});
    nodes.AddRow({"compute", std::to_string(report.computes), FormatTime(report.computing)});
    nodes.AddRow({"send",
                  std::to_string(report.sends),
                  FormatSize(static_cast<double>(report.messageBytes))});
    nodes.AddRow({"receive", std::to_string(report.receives), ""});
    nodes.AddRow({"collective", std::to_string(report.collectives), ""});
    nodes.AddRow({"edges", std::to_string(report.edges), ""});
    nodes.Print(os);
    if (!report.transfers.empty())
    {
        TextTable table({"collective", "group", "ranks", "count", "bytes", "size"});
        const bool isLong = report.transfers.size() > MOST_ROWS;
        for (const auto& row : isLong ? MergeBySize(report.transfers) : report.transfers)
        {
            table.AddRow({GetName(row.type),
                          row.group,
                          std::to_string(row.ranks),
                          std::to_string(row.count),
                          std::to_string(row.bytes),
                          FormatSize(static_cast<double>(row.bytes))});
        }
        os << "\n";
        table.Print(os);
    }
    const bool isTimed = network.rate.GetBitRate() > 0 || network.latency.IsStrictlyPositive();
    os << "\nOn " << (isTimed ? "an ideal network" : "a network that takes no time")
       << (network.rate.GetBitRate() > 0 ? " of " + FormatRate(network.rate) + " per rank" : "")
       << (network.latency.IsStrictlyPositive() ? ", " + FormatDuration(network.latency) + " a step"
                                                : "")
       << ":\n"
       << "  critical path           " << FormatTime(static_cast<double>(report.criticalPath))
       << ", " << report.pathNodes << " nodes, "
       << FormatTime(static_cast<double>(report.pathComputing)) << " of it computing\n"
       << "  one node a lane         " << FormatTime(static_cast<double>(report.oneByOne)) << "\n"
       << "  rank that computes most " << FormatTime(static_cast<double>(report.mostComputing))
       << "\n";
}

Json
ToJson(const GraphReport& report)
{
    Json json{{"source", report.source},
              {"format", report.format},
              {"ranks", report.ranks},
              {"programs", report.programs},
              {"memory_bytes", report.memory},
              {"nodes",
               {{"compute", report.computes},
                {"send", report.sends},
                {"receive", report.receives},
                {"collective", report.collectives}}},
              {"edges", report.edges},
              {"message_bytes", report.messageBytes},
              {"collectives", Json::array()},
              {"compute_s", ToSeconds(report.computing)},
              {"most_compute_s", ToSeconds(static_cast<double>(report.mostComputing))},
              {"critical_path_s", ToSeconds(static_cast<double>(report.criticalPath))},
              {"critical_path_compute_s", ToSeconds(static_cast<double>(report.pathComputing))},
              {"critical_path_nodes", report.pathNodes},
              {"one_by_one_s", ToSeconds(static_cast<double>(report.oneByOne))}};
    for (const auto& row : report.transfers)
    {
        json["collectives"].push_back({{"type", GetName(row.type)},
                                       {"group", row.group},
                                       {"ranks", row.ranks},
                                       {"count", row.count},
                                       {"bytes", row.bytes}});
    }
    return json;
}

} // namespace ns3::ddl
