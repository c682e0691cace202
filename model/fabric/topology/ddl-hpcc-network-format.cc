// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-hpcc-network-format.h"

#include "ns3/ddl-quantity.h"

#include <algorithm>
#include <cstdlib>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(HpccNetworkFormat);

namespace
{

constexpr std::size_t HEADER_WORDS = 3;
constexpr std::size_t LINK_WORDS = 5;

std::string
WhereIs(const NetworkGraph& graph, const NetworkWord& word)
{
    return graph.source + ":" + std::to_string(word.line);
}

} // namespace

TypeId
HpccNetworkFormat::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::HpccNetworkFormat")
                            .SetParent<NetworkFormat>()
                            .SetGroupName("Ddl")
                            .AddConstructor<HpccNetworkFormat>();
    return tid;
}

std::size_t
HpccNetworkFormat::CountHeaderWords(const std::string& text)
{
    const auto begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string::npos)
    {
        return 0;
    }
    const std::string line =
        text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
    const Words words = SplitWords(line);
    const std::size_t numbers = words.size() > HEADER_WORDS ? words.size() - 1 : words.size();
    for (std::size_t i = 0; i < numbers; ++i)
    {
        if (!ReadCount(words[i].text))
        {
            return 0;
        }
    }
    return words.size();
}

bool
HpccNetworkFormat::Recognises(const std::string& text) const
{
    return CountHeaderWords(text) == HEADER_WORDS;
}

bool
HpccNetworkFormat::CheckHeader(const Words& words,
                               const Header& header,
                               const NetworkGraph& graph,
                               NetworkComplaints& complaints)
{
    const std::string where = graph.source + ":1";
    const auto limit = [&](uint64_t count, uint64_t most, const std::string& what) {
        if (count > most)
        {
            complaints.Add(where,
                           "has " + std::to_string(count) + " " + what + " (at most " +
                               std::to_string(most) + ")");
        }
    };
    limit(header.nodes, MOST_TOPOLOGY_HOSTS + MOST_TOPOLOGY_SWITCHES, "nodes");
    limit(header.switches, std::min(header.nodes, MOST_TOPOLOGY_SWITCHES), "switches");
    limit(header.links, MOST_TOPOLOGY_HOSTS + MOST_TOPOLOGY_CABLES, "links");
    if (complaints.IsEmpty() &&
        words.size() < header.words + header.switches + header.links * LINK_WORDS)
    {
        complaints.Add(where,
                       "promises " + std::to_string(header.switches) + " switch ids and " +
                           std::to_string(header.links) + " links of " +
                           std::to_string(LINK_WORDS) + " words, but " +
                           std::to_string(words.size() - header.words) +
                           " words follow instead of " +
                           std::to_string(header.switches + header.links * LINK_WORDS));
    }
    return complaints.IsEmpty();
}

void
HpccNetworkFormat::AddNodes(const Header& header,
                            const std::map<uint64_t, std::size_t>& switches,
                            std::size_t line,
                            NetworkGraph& graph)
{
    uint64_t hosts = 0;
    for (uint64_t id = 0; id < header.nodes; ++id)
    {
        NetworkNode node;
        node.line = line;
        const auto found = switches.find(id);
        if (found == switches.end())
        {
            node.name = "h" + std::to_string(hosts);
            node.server = header.perServer > 0 ? std::to_string(hosts / header.perServer) : "";
            ++hosts;
        }
        else
        {
            const bool isInside = found->second < header.scaleUp;
            node.kind = isInside ? NetworkNode::Kind::SCALE_UP : NetworkNode::Kind::SWITCH;
            node.name = (isInside ? "nvswitch" : "switch") + std::to_string(id);
        }
        graph.nodes.push_back(node);
    }
}

void
HpccNetworkFormat::ReadBody(const Words& words,
                            const Header& header,
                            NetworkGraph& graph,
                            NetworkComplaints& complaints) const
{
    if (!CheckHeader(words, header, graph, complaints))
    {
        return;
    }
    std::map<uint64_t, std::size_t> switches; // by id: place in the list of switches
    for (std::size_t i = 0; i < header.switches; ++i)
    {
        const NetworkWord& word = words[header.words + i];
        const auto id = ReadCount(word.text);
        if (!id || *id >= header.nodes || !switches.emplace(*id, i).second)
        {
            complaints.Add(
                WhereIs(graph, word),
                "switch id " + QuoteText(std::string(word.text)) +
                    (id && *id < header.nodes
                         ? " is given twice"
                         : " is no node (0 to " + std::to_string(header.nodes - 1) + ")"));
        }
    }
    AddNodes(header, switches, 1, graph);
    for (uint64_t link = 0; link < header.links; ++link)
    {
        ReadLink(&words[header.words + header.switches + link * LINK_WORDS], graph, complaints);
    }
}

void
HpccNetworkFormat::ReadLink(const NetworkWord* words,
                            NetworkGraph& graph,
                            NetworkComplaints& complaints)
{
    NetworkLink link{0, 0};
    link.line = words[0].line;
    const auto complain = [&](const std::string& what) {
        complaints.Add(WhereIs(graph, words[0]),
                       "link " + std::string(words[0].text) + " - " + std::string(words[1].text) +
                           ": " + what);
    };
    bool isSound = true;
    for (const std::size_t end : {0, 1})
    {
        const auto id = ReadCount(words[end].text);
        if (!id || *id >= graph.nodes.size())
        {
            complain("there is no node " + QuoteText(std::string(words[end].text)) + " (0 to " +
                     std::to_string(graph.nodes.size() - 1) + ")");
            isSound = false;
            continue;
        }
        (end == 0 ? link.first : link.second) = static_cast<uint32_t>(*id);
    }
    std::string problem;
    link.rate = ParseRate(std::string(words[2].text), problem);
    if (!link.rate)
    {
        complain(problem);
    }
    link.delay = ParseDuration(std::string(words[3].text), problem);
    if (!link.delay)
    {
        complain(problem);
    }
    const std::string error(words[4].text);
    char* end = nullptr;
    if (std::strtod(error.c_str(), &end) != 0 || *end != '\0')
    {
        complain("error rate " + QuoteText(error) + " (only 0: links lose nothing by themselves)");
    }
    if (!isSound || !link.rate || !link.delay)
    {
        return;
    }
    NetworkLink* last = graph.links.empty() ? nullptr : &graph.links.back();
    if (last && last->first == link.first && last->second == link.second &&
        last->rate == link.rate && last->delay == link.delay)
    {
        ++last->count;
        return;
    }
    graph.links.push_back(link);
}

void
HpccNetworkFormat::DoRead(const std::string& text,
                          NetworkGraph& graph,
                          NetworkComplaints& complaints) const
{
    const Words words = SplitWords(text);
    Header header;
    header.words = HEADER_WORDS;
    if (CountHeaderWords(text) != HEADER_WORDS)
    {
        complaints.Add(graph.source + ":1", "the first line must be NODES SWITCHES LINKS");
        return;
    }
    header.nodes = *ReadCount(words[0].text);
    header.switches = *ReadCount(words[1].text);
    header.links = *ReadCount(words[2].text);
    ReadBody(words, header, graph, complaints);
}

void
HpccNetworkFormat::DoWrite(const NetworkGraph& graph, std::ostream& os) const
{
    uint64_t cables = 0;
    std::string ids;
    for (const NetworkLink& link : graph.links)
    {
        cables += link.count;
    }
    uint64_t switches = 0;
    for (std::size_t id = 0; id < graph.nodes.size(); ++id)
    {
        const NetworkNode& node = graph.nodes[id];
        if (node.kind == NetworkNode::Kind::SCALE_UP)
        {
            throw InputError(node.name +
                             " is a switch inside a server, which hpcc has no word for");
        }
        if (node.kind == NetworkNode::Kind::SWITCH)
        {
            ids += (switches++ == 0 ? "" : " ") + std::to_string(id);
        }
    }
    os << graph.nodes.size() << " " << switches << " " << cables << "\n" << ids << "\n";
    for (const NetworkLink& link : graph.links)
    {
        for (uint32_t i = 0; i < link.count; ++i)
        {
            os << link.first << " " << link.second << " " << FormatRate(*link.rate) << " "
               << FormatDuration(*link.delay) << " 0\n";
        }
    }
}

} // namespace ns3::ddl
