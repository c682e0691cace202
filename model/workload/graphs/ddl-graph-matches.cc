// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-graph-matches.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <tuple>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t MOST_LINKS = 12;        //!< nodes of a cycle that a message names
constexpr uint64_t MOST_TIME = 1ULL << 62;    //!< longest computing of a rank, ns: 146 years
constexpr uint64_t MOST_TRAFFIC = 1ULL << 62; //!< most bytes of all ranks; all-reduces count twice

using Kind = GraphNode::Kind;

/** \return `node 17 "name"` */
std::string
NameNode(uint32_t node, const std::string& name)
{
    const std::string text = "node " + std::to_string(node);
    return name.empty() ? text : text + " " + QuoteText(name);
}

/** \return the same, for a node of a program */
std::string
NameNode(const GraphProgram& program, uint32_t node)
{
    return NameNode(node, node < program.names.size() ? program.names[node] : "");
}

/** Report the cycles of a rank. \param order what is on no cycle, nor behind one */
void
ReportCycles(const TaskGraph& graph,
             uint32_t rank,
             const std::vector<uint32_t>& order,
             GraphComplaints& complaints)
{
    const GraphProgram& program = *graph.ranks[rank].program;
    constexpr uint32_t FREE = UINT32_MAX;
    std::vector<uint32_t> seenFrom(program.nodes.size(), 0); // 0, or 1 + where the walk began
    for (const uint32_t node : order)
    {
        seenFrom[node] = FREE;
    }
    for (uint32_t begin = 0; begin < program.nodes.size(); ++begin)
    {
        std::vector<uint32_t> path;
        uint32_t node = begin;
        while (seenFrom[node] == 0)
        {
            seenFrom[node] = begin + 1;
            path.push_back(node);
            const auto first = program.before.begin() + program.GetFirst(node);
            node = *std::find_if(first, program.before.end(), [&seenFrom](uint32_t before) {
                return seenFrom[before] != FREE;
            });
        }
        if (path.empty() || seenFrom[node] != begin + 1)
        {
            continue;
        }
        const auto loop = std::find(path.begin(), path.end(), node);
        std::string text = "waits for itself: ";
        for (auto i = loop; i != path.end() && i - loop < static_cast<int>(MOST_LINKS); ++i)
        {
            text += NameNode(program, *i) + " waits for ";
        }
        const bool isLong = static_cast<std::size_t>(path.end() - loop) > MOST_LINKS;
        text += isLong ? "..." : NameNode(program, node);
        complaints.Add(GetSource(graph, rank), DescribeNode(graph, rank, node), text);
    }
}

/** Report indices of a program that point to nothing in it. \return whether there are none */
bool
CheckProgram(const TaskGraph& graph, uint32_t rank, GraphComplaints& complaints)
{
    const GraphProgram& program = *graph.ranks[rank].program;
    const auto size = program.nodes.size();
    const auto refuse = [&](uint32_t node, const std::string& what) {
        complaints.Add(GetSource(graph, rank), DescribeNode(graph, rank, node), what);
    };
    if (size >= UINT32_MAX || program.endedEnds.size() != size ||
        program.startedEnds.size() != size ||
        (!program.names.empty() && program.names.size() != size) ||
        program.before.size() != (size == 0 ? 0 : program.startedEnds.back()))
    {
        complaints.Add(GetSource(graph, rank),
                       "rank " + std::to_string(rank),
                       "its arrays of nodes, names and edges differ in length");
        return false;
    }
    bool isRight = true;
    for (uint32_t node = 0; node < size; ++node)
    {
        const uint32_t first = program.GetFirst(node);
        const uint32_t middle = program.endedEnds[node];
        const uint32_t last = program.startedEnds[node];
        if (first > middle || middle > last || last > program.before.size())
        {
            refuse(node, "its edges end before they begin");
            return false;
        }
        for (uint32_t i = first; i < last; ++i)
        {
            if (program.before[i] >= size)
            {
                isRight = false;
                refuse(node,
                       "waits for node " + std::to_string(program.before[i]) + "; there are " +
                           std::to_string(size));
            }
        }
        if (program.nodes[node].lane >= program.lanes.size())
        {
            isRight = false;
            refuse(node, "there is no lane " + std::to_string(program.nodes[node].lane));
        }
    }
    return isRight;
}

/** Report peers and groups that a rank lists twice: nodes count those of each entry apart. */
void
CheckTables(const TaskGraph& graph, uint32_t rank, GraphComplaints& complaints)
{
    const RankGraph& self = graph.ranks[rank];
    for (const auto* const table : {&self.peers, &self.groups})
    {
        std::set<uint32_t> known;
        for (const uint32_t number : *table)
        {
            if (!known.insert(number).second)
            {
                complaints.Add(GetSource(graph, rank),
                               "rank " + std::to_string(rank),
                               std::string("lists ") + (table == &self.peers ? "peer " : "group ") +
                                   std::to_string(number) + " twice");
            }
        }
    }
}

/** Report nodes whose peers or groups there are not. */
void
CheckPeers(const TaskGraph& graph, uint32_t rank, GraphComplaints& complaints)
{
    const RankGraph& self = graph.ranks[rank];
    for (uint32_t node = 0; node < self.program->nodes.size(); ++node)
    {
        const GraphNode& work = self.program->nodes[node];
        const bool computes = work.kind == Kind::COMPUTE;
        const bool isGroup = work.kind == Kind::COLLECTIVE;
        const auto& table = isGroup ? self.groups : self.peers;
        const std::size_t count = isGroup ? graph.groups.size() : graph.ranks.size();
        std::string what;
        if (work.amount > (computes ? GraphNode::MOST_NANOSECONDS : GraphNode::MOST_BYTES))
        {
            what = computes ? "computes longer than 31 years" : "moves more than 2^50 bytes";
        }
        else if ((self.program->lanes[work.lane] == LaneKind::COMMUNICATION) == computes)
        {
            what = computes ? "computes in a lane of communication"
                            : "communicates in a lane that computes";
        }
        else if (!computes && (work.peer >= table.size() || table[work.peer] >= count))
        {
            what = isGroup ? "its group does not exist" : "its peer does not exist";
        }
        else if (!computes && !isGroup && table[work.peer] == rank)
        {
            what = "exchanges a message with its own rank";
        }
        if (!what.empty())
        {
            complaints.Add(GetSource(graph, rank), DescribeNode(graph, rank, node), what);
        }
    }
}

/**
 * Report a rank that computes longer than 64 bits can tell.
 *
 * \param bytes sum of the bytes of all nodes so far, or MOST_TRAFFIC + 1 if that is less; those of
 *        the rank are added
 */
void
CheckSums(const TaskGraph& graph, uint32_t rank, uint64_t& bytes, GraphComplaints& complaints)
{
    uint64_t time = 0;
    for (const GraphNode& node : graph.ranks[rank].program->nodes)
    {
        const bool computes = node.kind == Kind::COMPUTE;
        const uint64_t most = computes ? MOST_TIME : MOST_TRAFFIC;
        uint64_t& sum = computes ? time : bytes;
        sum = std::min(sum + std::min(node.amount, most), most + 1); // never wraps
    }
    if (time > MOST_TIME)
    {
        complaints.Add(GetSource(graph, rank),
                       "rank " + std::to_string(rank),
                       "computes for more than 2^62 ns altogether");
    }
}

/** Report groups with members that are not there, or are there twice. */
void
CheckGroups(const TaskGraph& graph, GraphComplaints& complaints)
{
    for (const RankGroup& group : graph.groups)
    {
        const std::string& source = group.source.empty() ? graph.source : group.source;
        const std::string place = "group " + QuoteText(group.name);
        std::set<uint32_t> members;
        for (const uint32_t rank : group.ranks)
        {
            if (rank >= graph.ranks.size())
            {
                complaints.Add(source,
                               place,
                               "its member " + std::to_string(rank) +
                                   " does not exist (ranks are 0 to " +
                                   std::to_string(graph.ranks.size() - 1) + ")");
            }
            else if (!members.insert(rank).second)
            {
                complaints.Add(source,
                               place,
                               "has rank " + std::to_string(rank) + " as a member twice");
            }
        }
        if (group.ranks.empty())
        {
            complaints.Add(source, place, "has no members");
        }
    }
}

/** \return "all-reduce of 5 B" */
std::string
DescribeCollective(const GraphNode& node)
{
    return std::string(GetName(node.collective)) + " of " + std::to_string(node.amount) + " B";
}

} // namespace

GraphFollowers::GraphFollowers(const GraphProgram& program)
    : needs(program.nodes.size()),
      after(program.before.size()),
      endedEnds(program.nodes.size()),
      startedEnds(program.nodes.size())
{
    const auto visit = [&program](auto&& edge) {
        for (uint32_t node = 0; node < program.nodes.size(); ++node)
        {
            for (uint32_t i = program.GetFirst(node); i < program.startedEnds[node]; ++i)
            {
                edge(program.before[i], node, i < program.endedEnds[node]);
            }
        }
    };
    visit([this](uint32_t from, uint32_t to, bool isEnd) {
        ++needs[to];
        ++(isEnd ? endedEnds : startedEnds)[from];
    });
    uint32_t next = 0;
    for (uint32_t node = 0; node < needs.size(); ++node)
    {
        // Where the two lists of the node begin; each edge then moves one behind itself.
        const uint32_t ended = endedEnds[node];
        const uint32_t started = startedEnds[node];
        endedEnds[node] = next;
        startedEnds[node] = next + ended;
        next += ended + started;
    }
    visit([this](uint32_t from, uint32_t to, bool isEnd) {
        after[(isEnd ? endedEnds : startedEnds)[from]++] = to;
    });
}

std::vector<uint32_t>
ListInOrder(const GraphProgram& program)
{
    const GraphFollowers followers(program);
    const auto size = static_cast<uint32_t>(program.nodes.size());
    std::vector<uint32_t> waits = followers.needs;
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
    for (uint32_t node = 0; node < size; ++node)
    {
        if (waits[node] == 0)
        {
            ready.push(node);
        }
    }
    std::vector<uint32_t> order;
    order.reserve(size);
    while (!ready.empty())
    {
        const uint32_t node = ready.top();
        ready.pop();
        order.push_back(node);
        for (uint32_t i = followers.GetFirst(node); i < followers.startedEnds[node]; ++i)
        {
            if (--waits[followers.after[i]] == 0)
            {
                ready.push(followers.after[i]);
            }
        }
    }
    return order;
}

std::string
DescribeNode(uint32_t rank, uint32_t node, const std::string& name)
{
    return "rank " + std::to_string(rank) + ", " + NameNode(node, name);
}

std::string
DescribeNode(const TaskGraph& graph, uint32_t rank, uint32_t node)
{
    return "rank " + std::to_string(rank) + ", " + NameNode(*graph.ranks[rank].program, node);
}

const std::string&
GetSource(const TaskGraph& graph, uint32_t rank)
{
    const auto& source = graph.ranks[rank].source;
    return source.empty() ? graph.source : source;
}

void
CheckGraphShape(const TaskGraph& graph, GraphComplaints& complaints)
{
    if (graph.ranks.empty())
    {
        complaints.Add(graph.source, "rank 0", "is not there: the graph has no ranks");
        return;
    }
    CheckGroups(graph, complaints);
    uint64_t bytes = 0;
    for (uint32_t rank = 0; rank < graph.ranks.size(); ++rank)
    {
        if (!graph.ranks[rank].program)
        {
            complaints.Add(GetSource(graph, rank),
                           "rank " + std::to_string(rank),
                           "has no program");
        }
        else if (CheckProgram(graph, rank, complaints))
        {
            CheckTables(graph, rank, complaints);
            CheckPeers(graph, rank, complaints);
            CheckSums(graph, rank, bytes, complaints);
            const auto order = ListInOrder(*graph.ranks[rank].program);
            if (order.size() < graph.ranks[rank].program->nodes.size())
            {
                ReportCycles(graph, rank, order, complaints);
            }
        }
    }
    if (bytes > MOST_TRAFFIC)
    {
        complaints.Add(graph.source, "", "moves more than 2^62 bytes altogether");
    }
}

/** One end of a message. */
struct GraphMatches::End
{
    uint32_t source;
    uint32_t destination;
    uint32_t tag;
    uint32_t node; //!< index among the nodes of the source, or the destination
    uint64_t bytes;

    auto Key() const
    {
        return std::tie(source, destination, tag);
    }
};

GraphMatches::GraphMatches(const TaskGraph& graph, GraphComplaints& complaints)
    : m_firsts{0}
{
    std::map<const GraphProgram*, uint32_t> known;
    for (const RankGraph& rank : graph.ranks)
    {
        m_firsts.push_back(m_firsts.back() + rank.program->nodes.size());
        const auto [entry, isNew] =
            known.emplace(rank.program.get(), static_cast<uint32_t>(m_orders.size()));
        m_orderOf.push_back(entry->second);
        if (isNew)
        {
            m_orders.push_back(ListInOrder(*rank.program));
        }
    }
    m_mates.assign(m_firsts.back(), NONE);
    MatchMessages(graph, complaints);
    MatchCollectives(graph, complaints);
}

std::pair<uint32_t, uint32_t>
GraphMatches::Locate(uint64_t number) const
{
    const auto next = std::upper_bound(m_firsts.begin(), m_firsts.end(), number);
    const auto rank = next - m_firsts.begin() - 1;
    return {static_cast<uint32_t>(rank), static_cast<uint32_t>(number - m_firsts[rank])};
}

void
GraphMatches::MatchMessages(const TaskGraph& graph, GraphComplaints& complaints)
{
    std::vector<End> sends;
    std::vector<End> receives;
    for (uint32_t rank = 0; rank < graph.ranks.size(); ++rank)
    {
        const RankGraph& self = graph.ranks[rank];
        for (const uint32_t index : m_orders[m_orderOf[rank]])
        {
            const GraphNode& node = self.program->nodes[index];
            if (node.kind == Kind::SEND)
            {
                sends.push_back({rank, self.peers[node.peer], node.tag, index, node.amount});
            }
            else if (node.kind == Kind::RECEIVE)
            {
                receives.push_back({self.peers[node.peer], rank, node.tag, index, node.amount});
            }
        }
    }
    const auto isBefore = [](const End& a, const End& b) { return a.Key() < b.Key(); };
    std::stable_sort(sends.begin(), sends.end(), isBefore);
    std::stable_sort(receives.begin(), receives.end(), isBefore);
    MatchPairs(graph, sends, receives, complaints);
}

void
GraphMatches::MatchPairs(const TaskGraph& graph,
                         const std::vector<End>& sends,
                         const std::vector<End>& receives,
                         GraphComplaints& complaints)
{
    auto send = sends.begin();
    auto receive = receives.begin();
    while (send != sends.end() || receive != receives.end())
    {
        const bool isSent =
            receive == receives.end() || (send != sends.end() && !(receive->Key() < send->Key()));
        const bool isReceived =
            send == sends.end() || (receive != receives.end() && !(send->Key() < receive->Key()));
        if (isSent && isReceived)
        {
            m_mates[GetNumber(send->source, send->node)] =
                GetNumber(receive->destination, receive->node);
            m_mates[GetNumber(receive->destination, receive->node)] =
                GetNumber(send->source, send->node);
        }
        if (!isSent || !isReceived || send->bytes != receive->bytes)
        {
            ReportPair(graph,
                       isSent ? &*send : nullptr,
                       isReceived ? &*receive : nullptr,
                       complaints);
        }
        send += isSent ? 1 : 0;
        receive += isReceived ? 1 : 0;
    }
}

void
GraphMatches::ReportPair(const TaskGraph& graph,
                         const End* send,
                         const End* receive,
                         GraphComplaints& complaints)
{
    const End& end = send ? *send : *receive;
    const uint32_t rank = send ? end.source : end.destination;
    const uint32_t peer = send ? end.destination : end.source;
    std::string text = (send ? "sends " : "receives ") + std::to_string(end.bytes) + " B " +
                       (send ? "to" : "from") + " rank " + std::to_string(peer) + " with tag " +
                       std::to_string(end.tag);
    if (send && receive)
    {
        text += ", where " + DescribeNode(graph, peer, receive->node) + " receives " +
                std::to_string(receive->bytes) + " B";
    }
    else
    {
        text += send ? ", which receives no such message" : ", which sends no such message";
    }
    complaints.Add(GetSource(graph, rank), DescribeNode(graph, rank, end.node), text);
}

void
GraphMatches::MatchCollectives(const TaskGraph& graph, GraphComplaints& complaints)
{
    std::vector<std::map<uint32_t, std::vector<uint32_t>>> nodes(graph.groups.size());
    for (uint32_t rank = 0; rank < graph.ranks.size(); ++rank)
    {
        const RankGraph& self = graph.ranks[rank];
        for (const uint32_t index : m_orders[m_orderOf[rank]])
        {
            const GraphNode& node = self.program->nodes[index];
            if (node.kind == Kind::COLLECTIVE)
            {
                nodes[self.groups[node.peer]][rank].push_back(index);
            }
        }
    }
    for (uint32_t group = 0; group < nodes.size(); ++group)
    {
        std::vector<std::vector<uint32_t>> sequences;
        for (const uint32_t rank : graph.groups[group].ranks)
        {
            const auto found = nodes[group].find(rank);
            sequences.emplace_back();
            if (found != nodes[group].end())
            {
                sequences.back() = std::move(found->second);
                nodes[group].erase(found);
            }
        }
        for (const auto& [rank, sequence] : nodes[group])
        {
            complaints.Add(GetSource(graph, rank),
                           DescribeNode(graph, rank, sequence.front()),
                           "takes part in a collective of group " +
                               QuoteText(graph.groups[group].name) +
                               ", of which its rank is no member");
        }
        MatchGroup(graph, group, sequences, complaints);
    }
}

void
GraphMatches::MatchGroup(const TaskGraph& graph,
                         uint32_t group,
                         const std::vector<std::vector<uint32_t>>& sequences,
                         GraphComplaints& complaints)
{
    const auto& ranks = graph.groups[group].ranks;
    const std::string name = QuoteText(graph.groups[group].name);
    const auto nodeOf = [&](std::size_t member, std::size_t i) -> const GraphNode& {
        return graph.ranks[ranks[member]].program->nodes[sequences[member][i]];
    };
    std::size_t common = sequences.front().size(); // how many are equal in all members
    for (std::size_t member = 1; member < ranks.size(); ++member)
    {
        const std::size_t least = std::min(sequences[0].size(), sequences[member].size());
        std::size_t same = 0;
        while (same < least && nodeOf(0, same).collective == nodeOf(member, same).collective &&
               nodeOf(0, same).amount == nodeOf(member, same).amount)
        {
            ++same;
        }
        common = std::min(common, same);
        const auto describe = [&](std::size_t of) {
            return same < sequences[of].size()
                       ? DescribeCollective(nodeOf(of, same)) + " (" +
                             DescribeNode(graph, ranks[of], sequences[of][same]) + ")"
                       : "missing";
        };
        if (same < std::max(sequences[0].size(), sequences[member].size()))
        {
            complaints.Add(GetSource(graph, ranks[member]),
                           "rank " + std::to_string(ranks[member]),
                           "collective number " + std::to_string(same + 1) + " of group " + name +
                               " is " + describe(member) + "; that of rank " +
                               std::to_string(ranks[0]) + " is " + describe(0));
        }
    }
    for (std::size_t i = 0; i < common; ++i)
    {
        const GraphNode& first = nodeOf(0, i);
        m_instances.push_back({group, first.collective, first.amount, m_members.size()});
        for (std::size_t member = 0; member < ranks.size(); ++member)
        {
            const uint64_t number = GetNumber(ranks[member], sequences[member][i]);
            m_members.push_back(number);
            m_mates[number] = m_instances.size() - 1;
        }
    }
}

} // namespace ns3::ddl
