// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-network-format.h"

#include "ns3/ddl-quantity.h"

#include <map>

namespace ns3::ddl
{

namespace
{

/** \return a name in dot's quotes */
std::string
Quote(const std::string& name)
{
    std::string quoted = "\"";
    for (const char c : name)
    {
        quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    return quoted + "\"";
}

} // namespace

/** `dot`: for Graphviz, a rank a tier; written only. */
class DotNetworkFormat : public NetworkFormat
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::DotNetworkFormat")
                                .SetParent<NetworkFormat>()
                                .SetGroupName("Ddl")
                                .AddConstructor<DotNetworkFormat>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "Graphviz's dot, to draw with `dot -Tsvg`; written only";
    }

    bool Recognises(const std::string& /* text */) const override
    {
        return false;
    }

    bool CanWrite() const override
    {
        return true;
    }

  private:
    void DoRead(const std::string& /* text */,
                NetworkGraph& graph,
                NetworkComplaints& complaints) const override
    {
        complaints.Add(graph.source, "dot can only be written");
    }

    void DoWrite(const NetworkGraph& graph, std::ostream& os) const override
    {
        std::map<uint32_t, std::string> ranks; // nodes of each tier
        const std::vector<uint32_t> tiers = ListTiers(graph);
        os << "graph network {\n  rankdir=BT;\n  node [shape=box];\n";
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        {
            const NetworkNode& node = graph.nodes[i];
            ranks[tiers[i]] += " " + Quote(node.name) + ";";
            if (node.kind == NetworkNode::Kind::HOST)
            {
                os << "  " << Quote(node.name) << " [shape=ellipse];\n";
            }
        }
        for (const auto& [tier, names] : ranks)
        {
            os << "  { rank=same;" << names << " }\n";
        }
        for (const NetworkLink& link : graph.links)
        {
            const std::string label = (link.count > 1 ? std::to_string(link.count) + " x " : "") +
                                      (link.rate ? FormatRate(*link.rate) : "");
            os << "  " << Quote(graph.nodes[link.first].name) << " -- "
               << Quote(graph.nodes[link.second].name) << " [label=" << Quote(label) << "];\n";
        }
        os << "}\n";
    }
};

NS_OBJECT_ENSURE_REGISTERED(DotNetworkFormat);

} // namespace ns3::ddl
