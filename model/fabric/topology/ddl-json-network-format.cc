// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-network-format.h"

#include "ns3/ddl-quantity.h"

#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace ns3::ddl
{

namespace
{

using Json = nlohmann::ordered_json;

/** Counts the lines of a text while the parser reads it. */
class LineIterator
{
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    LineIterator(const char* at, std::size_t* line)
        : m_at(at),
          m_line(line)
    {
    }

    reference operator*() const
    {
        return *m_at;
    }

    LineIterator& operator++()
    {
        *m_line += *m_at == '\n' ? 1 : 0;
        ++m_at;
        return *this;
    }

    bool operator==(const LineIterator& other) const
    {
        return m_at == other.m_at;
    }

    bool operator!=(const LineIterator& other) const
    {
        return m_at != other.m_at;
    }

  private:
    const char* m_at;
    std::size_t* m_line;
};

/** Reads one object of a list, and complains about what is wrong in it. */
class Element
{
  public:
    Element(const Json& json, const std::string& where, NetworkComplaints& complaints)
        : m_json(json),
          m_where(where),
          m_complaints(complaints)
    {
    }

    const Json* Find(const char* key)
    {
        m_known.insert(key);
        const auto found = m_json.find(key);
        return found == m_json.end() ? nullptr : &*found;
    }

    void Complain(const std::string& key, const std::string& what)
    {
        m_complaints.Add(m_where, key + ": " + what);
    }

    std::string Text(const char* key)
    {
        const Json* value = Find(key);
        if (value && value->is_number_unsigned())
        {
            return std::to_string(value->get<uint64_t>());
        }
        if (value && !value->is_string())
        {
            Complain(key, "must be a text");
        }
        return value && value->is_string() ? value->get<std::string>() : "";
    }

    uint32_t Count(const char* key, uint32_t least, uint32_t fallback)
    {
        const Json* value = Find(key);
        if (!value)
        {
            return fallback;
        }
        if (!value->is_number_unsigned() || value->get<uint64_t>() < least ||
            value->get<uint64_t>() > MOST_TOPOLOGY_CABLES)
        {
            Complain(key,
                     "must be a whole number from " + std::to_string(least) + " to " +
                         std::to_string(MOST_TOPOLOGY_CABLES));
            return fallback;
        }
        return static_cast<uint32_t>(value->get<uint64_t>());
    }

    /** \param parse ParseRate or ParseDuration \param example text of a right value */
    template <typename T>
    std::optional<T> Quantity(const char* key,
                              std::optional<T> (*parse)(const std::string&, std::string&),
                              const std::string& example)
    {
        const Json* value = Find(key);
        if (value && !value->is_string())
        {
            Complain(key, "must be a text like \"" + example + "\"");
        }
        if (!value || !value->is_string())
        {
            return std::nullopt;
        }
        std::string problem;
        const auto read = parse(value->get<std::string>(), problem);
        if (!read)
        {
            Complain(key, problem);
        }
        return read;
    }

    void RefuseOthers()
    {
        for (const auto& [key, value] : m_json.items())
        {
            if (m_known.count(key) == 0)
            {
                const std::vector<std::string> known(m_known.begin(), m_known.end());
                const std::string nearest = NearestName(key, known);
                Complain(key,
                         "is no key here (one of " + JoinNames(known) + ")" +
                             (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
            }
        }
    }

  private:
    const Json& m_json;
    std::string m_where;
    NetworkComplaints& m_complaints;
    std::set<std::string> m_known;
};

const char*
NameOf(NetworkNode::Kind kind)
{
    return kind == NetworkNode::Kind::HOST     ? "host"
           : kind == NetworkNode::Kind::SWITCH ? "switch"
                                               : "scale-up";
}

} // namespace

/**
 * `json`: an object with the lists `nodes` and `links`, as in a scenario's `cluster.topology` of
 * kind `graph`.
 */
class JsonNetworkFormat : public NetworkFormat
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::JsonNetworkFormat")
                                .SetParent<NetworkFormat>()
                                .SetGroupName("Ddl")
                                .AddConstructor<JsonNetworkFormat>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "nodes and links, as in a scenario (cluster.topology)";
    }

    bool Recognises(const std::string& text) const override
    {
        const auto begin = text.find_first_not_of(" \t\r\n");
        return begin != std::string::npos && text[begin] == '{' &&
               text.find("\"nodes\"") != std::string::npos &&
               text.find("\"links\"") != std::string::npos &&
               text.find("\"workload\"") == std::string::npos &&
               text.find("\"cluster\"") == std::string::npos;
    }

    bool CanWrite() const override
    {
        return true;
    }

  private:
    using Lines = std::vector<std::size_t>; // of the elements of a list

    void DoRead(const std::string& text,
                NetworkGraph& graph,
                NetworkComplaints& complaints) const override;
    void DoWrite(const NetworkGraph& graph, std::ostream& os) const override;

    static Json Parse(const std::string& text, Lines& nodes, Lines& links);
    /** Complain about keys and sizes. \return whether both lists can be read */
    static bool CheckRoot(const Json& root,
                          const NetworkGraph& graph,
                          NetworkComplaints& complaints);
    static void ReadNodes(const Json& list,
                          const Lines& lines,
                          NetworkGraph& graph,
                          NetworkComplaints& complaints);
    using Names = std::unordered_map<std::string, uint32_t>; // nodes by name

    /** Read the nodes that a link joins, or complain. \return whether they are known */
    static bool ReadEnds(const Json& json,
                         const std::string& where,
                         const Names& names,
                         NetworkLink& link,
                         NetworkComplaints& complaints);
    static void ReadLinks(const Json& list,
                          const Lines& lines,
                          NetworkGraph& graph,
                          NetworkComplaints& complaints);
};

NS_OBJECT_ENSURE_REGISTERED(JsonNetworkFormat);

/** \param nodes lines on which the elements of the root's "nodes" begin \param links the same */
Json
JsonNetworkFormat::Parse(const std::string& text, Lines& nodes, Lines& links)
{
    std::size_t line = 1;
    Lines* current = nullptr;
    const auto note = [&](int depth, Json::parse_event_t event, Json& value) {
        if (event == Json::parse_event_t::key && depth == 1)
        {
            current = value == "nodes" ? &nodes : value == "links" ? &links : nullptr;
        }
        if (event == Json::parse_event_t::object_start && depth == 2 && current)
        {
            current->push_back(line);
        }
        return true;
    };
    return Json::parse(LineIterator(text.data(), &line),
                       LineIterator(text.data() + text.size(), &line),
                       note,
                       true,
                       true);
}

void
JsonNetworkFormat::DoRead(const std::string& text,
                          NetworkGraph& graph,
                          NetworkComplaints& complaints) const
{
    Json root;
    Lines nodes;
    Lines links;
    try
    {
        root = Parse(text, nodes, links);
    }
    catch (const Json::exception& error)
    {
        complaints.Add(graph.source, error.what());
        return;
    }
    if (graph.source.empty())
    {
        nodes.clear();
        links.clear();
    }
    if (CheckRoot(root, graph, complaints))
    {
        ReadNodes(root["nodes"], nodes, graph, complaints);
        ReadLinks(root["links"], links, graph, complaints);
    }
}

bool
JsonNetworkFormat::CheckRoot(const Json& root,
                             const NetworkGraph& graph,
                             NetworkComplaints& complaints)
{
    const auto isList = [&root](const char* key) {
        const auto found = root.is_object() ? root.find(key) : root.end();
        return found != root.end() && found->is_array();
    };
    if (!root.is_object() || !isList("nodes") || !isList("links"))
    {
        complaints.Add(graph.source, "must be an object with the lists \"nodes\" and \"links\"");
        return false;
    }
    Element all(root, graph.source, complaints);
    for (const char* key : {"nodes", "links", "kind", "description"})
    {
        all.Find(key);
    }
    all.RefuseOthers();
    if (root.contains("kind") && root["kind"] != "graph")
    {
        all.Complain("kind", "must be \"graph\"");
    }
    if (root["nodes"].size() > MOST_TOPOLOGY_HOSTS + MOST_TOPOLOGY_SWITCHES ||
        root["links"].size() > MOST_TOPOLOGY_HOSTS + MOST_TOPOLOGY_CABLES)
    {
        complaints.Add(graph.source,
                       "has " + std::to_string(root["nodes"].size()) + " nodes and " +
                           std::to_string(root["links"].size()) + " links (at most " +
                           std::to_string(MOST_TOPOLOGY_HOSTS + MOST_TOPOLOGY_SWITCHES) + " and " +
                           std::to_string(MOST_TOPOLOGY_HOSTS + MOST_TOPOLOGY_CABLES) + ")");
        return false;
    }
    return true;
}

void
JsonNetworkFormat::ReadNodes(const Json& list,
                             const Lines& lines,
                             NetworkGraph& graph,
                             NetworkComplaints& complaints)
{
    for (std::size_t i = 0; i < list.size(); ++i)
    {
        NetworkNode node;
        node.line = lines.size() == list.size() ? lines[i] : 0;
        graph.nodes.push_back(node);
        if (!list[i].is_object())
        {
            complaints.Add(graph.WhereIsNode(i), "must be an object like {\"name\": \"h0\"}");
            continue;
        }
        Element json(list[i], graph.WhereIsNode(i), complaints);
        node.name = json.Text("name");
        const std::string kind = json.Find("kind") ? json.Text("kind") : "host";
        node.kind = kind == "switch"     ? NetworkNode::Kind::SWITCH
                    : kind == "scale-up" ? NetworkNode::Kind::SCALE_UP
                                         : NetworkNode::Kind::HOST;
        if (kind != NameOf(node.kind))
        {
            json.Complain("kind", QuoteText(kind) + " is none of host, switch, scale-up");
        }
        if (node.kind == NetworkNode::Kind::HOST)
        {
            node.server = json.Text("server");
            node.rack = json.Text("rack");
        }
        else
        {
            node.divisor = json.Count("divisor", 1, 1);
        }
        if (json.Find("tier"))
        {
            node.tier = json.Count("tier", 0, 0);
        }
        json.RefuseOthers();
        graph.nodes.back() = node;
    }
}

bool
JsonNetworkFormat::ReadEnds(const Json& json,
                            const std::string& where,
                            const Names& names,
                            NetworkLink& link,
                            NetworkComplaints& complaints)
{
    const auto found = json.is_object() ? json.find("between") : json.end();
    if (found == json.end() || !found->is_array() || found->size() != 2 ||
        !(*found)[0].is_string() || !(*found)[1].is_string())
    {
        complaints.Add(where, "must be an object like {\"between\": [\"h0\", \"leaf0\"]}");
        return false;
    }
    const std::string ends[] = {(*found)[0].get<std::string>(), (*found)[1].get<std::string>()};
    bool isKnown = true;
    for (const std::string& name : ends)
    {
        const auto node = names.find(name);
        if (node == names.end())
        {
            complaints.Add(where,
                           "link " + ends[0] + " - " + ends[1] + ": there is no node " +
                               QuoteText(name));
            isKnown = false;
            continue;
        }
        (&name == &ends[0] ? link.first : link.second) = node->second;
    }
    return isKnown;
}

void
JsonNetworkFormat::ReadLinks(const Json& list,
                             const Lines& lines,
                             NetworkGraph& graph,
                             NetworkComplaints& complaints)
{
    Names names;
    for (uint32_t i = 0; i < graph.nodes.size(); ++i)
    {
        names.emplace(graph.nodes[i].name, i);
    }
    for (std::size_t i = 0; i < list.size(); ++i)
    {
        NetworkLink link{0, 0};
        link.line = lines.size() == list.size() ? lines[i] : 0;
        const std::string where = link.line > 0 ? graph.source + ":" + std::to_string(link.line)
                                                : "/links/" + std::to_string(i);
        const bool isKnown = ReadEnds(list[i], where, names, link, complaints);
        if (!list[i].is_object())
        {
            continue;
        }
        Element json(list[i], where, complaints);
        json.Find("between");
        link.rate = json.Quantity<DataRate>("rate", ParseRate, "10Gbps");
        link.delay = json.Quantity<Time>("delay", ParseDuration, "1us");
        link.count = json.Count("count", 1, 1);
        json.RefuseOthers();
        if (isKnown)
        {
            graph.links.push_back(link);
        }
    }
}

void
JsonNetworkFormat::DoWrite(const NetworkGraph& graph, std::ostream& os) const
{
    os << "{\n  \"kind\": \"graph\",\n  \"nodes\": [";
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    {
        const NetworkNode& node = graph.nodes[i];
        Json json = {{"name", node.name}, {"kind", NameOf(node.kind)}};
        if (!node.server.empty())
        {
            json["server"] = node.server;
        }
        if (!node.rack.empty())
        {
            json["rack"] = node.rack;
        }
        if (node.tier)
        {
            json["tier"] = *node.tier;
        }
        if (node.divisor != 1)
        {
            json["divisor"] = node.divisor;
        }
        os << (i == 0 ? "\n    " : ",\n    ") << json.dump();
    }
    os << "\n  ],\n  \"links\": [";
    for (std::size_t i = 0; i < graph.links.size(); ++i)
    {
        const NetworkLink& link = graph.links[i];
        Json json = {{"between", {graph.nodes[link.first].name, graph.nodes[link.second].name}}};
        if (link.rate)
        {
            json["rate"] = FormatRate(*link.rate);
        }
        if (link.delay)
        {
            json["delay"] = FormatDuration(*link.delay);
        }
        if (link.count != 1)
        {
            json["count"] = link.count;
        }
        os << (i == 0 ? "\n    " : ",\n    ") << json.dump();
    }
    os << "\n  ]\n}\n";
}

} // namespace ns3::ddl
