// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-network-format.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(NetworkFormat);

namespace
{

/** \throws InputError when the file cannot be read, or is too large */
std::string
ReadText(const std::string& path)
{
    std::error_code error;
    std::ifstream file(path, std::ios::binary);
    if (!std::filesystem::is_regular_file(path, error) || !file)
    {
        throw InputError({{path, "", "there is no such file, or it cannot be read"}});
    }
    if (std::filesystem::file_size(path, error) > MOST_NETWORK_BYTES)
    {
        throw InputError(
            {{path, "", "is larger than " + std::to_string(MOST_NETWORK_BYTES) + " bytes"}});
    }
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/** \return short name of the format that recognises a text; "" if none does */
std::string
FindFormat(const std::string& text)
{
    for (const auto& name : ListPolicies(NetworkFormat::GetTypeId()))
    {
        if (CreatePolicy<NetworkFormat>(name)->Recognises(text))
        {
            return name;
        }
    }
    return "";
}

} // namespace

TypeId
NetworkFormat::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::NetworkFormat").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

Ptr<NetworkGraph>
NetworkFormat::Read(const std::string& text, const std::string& source) const
{
    const auto graph = Create<NetworkGraph>();
    graph->source = source;
    graph->format = GetShortName(NetworkFormat::GetTypeId(), GetInstanceTypeId());
    NetworkComplaints complaints;
    DoRead(text, *graph, complaints);
    // What could be read of a file is checked as well, so that all errors are said at once.
    auto all = complaints.GetAll();
    if (complaints.IsEmpty() || (!source.empty() && !graph->links.empty()))
    {
        const auto& more = graph->FindProblems();
        all.insert(all.end(), more.begin(), more.end());
    }
    if (!all.empty())
    {
        throw InputError(all);
    }
    return graph;
}

void
NetworkFormat::Write(const NetworkGraph& graph, std::ostream& os) const
{
    if (!CanWrite())
    {
        throw InputError(GetShortName(NetworkFormat::GetTypeId(), GetInstanceTypeId()) +
                         " can only be read (" + JoinNames(ListWritableFormats()) +
                         " can be written)");
    }
    DoWrite(graph, os);
}

void
NetworkFormat::DoWrite(const NetworkGraph& /* graph */, std::ostream& /* os */) const
{
}

std::vector<std::string>
ListWritableFormats()
{
    std::vector<std::string> names;
    for (const auto& name : ListPolicies(NetworkFormat::GetTypeId()))
    {
        if (CreatePolicy<NetworkFormat>(name)->CanWrite())
        {
            names.push_back(name);
        }
    }
    return names;
}

Ptr<NetworkGraph>
ReadNetwork(const std::string& path, const std::string& format)
{
    const std::string text = ReadText(path);
    const std::string name = format == "auto" ? FindFormat(text) : format;
    if (name.empty())
    {
        throw InputError({{path,
                           "",
                           "is a network of no known format (one of " +
                               JoinNames(ListPolicies(NetworkFormat::GetTypeId())) + ")"}});
    }
    return CreatePolicy<NetworkFormat>(name)->Read(text, path);
}

bool
IsNetwork(const std::string& path)
{
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && std::ifstream(path) &&
           std::filesystem::file_size(path, error) <= MOST_NETWORK_BYTES &&
           !FindFormat(ReadText(path)).empty();
}

std::vector<NetworkWord>
SplitWords(const std::string& text)
{
    std::vector<NetworkWord> words;
    std::size_t line = 1;
    for (std::size_t i = 0; i < text.size();)
    {
        if (text[i] == '#')
        {
            i = std::min(text.find('\n', i), text.size());
            continue;
        }
        if (text[i] == '\n' || text[i] == ' ' || text[i] == '\t' || text[i] == '\r')
        {
            line += text[i] == '\n' ? 1 : 0;
            ++i;
            continue;
        }
        const std::size_t end = std::min(text.find_first_of(" \t\r\n#", i), text.size());
        words.push_back({std::string_view(text).substr(i, end - i), line});
        i = end;
    }
    return words;
}

std::optional<uint64_t>
ReadCount(std::string_view word)
{
    uint64_t number = 0;
    const auto result = std::from_chars(word.data(), word.data() + word.size(), number);
    return result.ec == std::errc() && result.ptr == word.data() + word.size() && !word.empty()
               ? std::optional<uint64_t>(number)
               : std::nullopt;
}

std::vector<uint32_t>
ListTiers(const NetworkGraph& graph)
{
    TopologyPlan plan({DataRate("1bps")});
    for (const NetworkNode& node : graph.nodes)
    {
        node.kind == NetworkNode::Kind::HOST ? plan.AddHost(Place{}) : plan.AddSwitch(node.name);
    }
    for (const NetworkLink& link : graph.links)
    {
        plan.Connect(link.first, link.second, DataRate("1bps"));
    }
    std::vector<uint32_t> tiers = MeasureHeights(plan);
    for (std::size_t i = 0; i < tiers.size(); ++i)
    {
        tiers[i] = graph.nodes[i].tier.value_or(tiers[i]);
    }
    return tiers;
}

} // namespace ns3::ddl
