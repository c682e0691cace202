// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-network-format.h"

#include "ns3/ddl-quantity.h"

#include <algorithm>
#include <map>

namespace ns3::ddl
{

namespace
{

constexpr double STEP = 14;     //!< least distance of two nodes of a tier, pixels
constexpr double HEIGHT = 140;  //!< distance of two tiers, pixels
constexpr double MARGIN = 40;   //!< pixels around the drawing
constexpr double LETTER = 6.5;  //!< width of a letter of a name, pixels
constexpr double LEAST = 400;   //!< least width, pixels
constexpr uint64_t WIDEST = 20; //!< widest line, pixels, for many parallel cables

struct Point
{
    double x{0};
    double y{0};
};

std::string
Escape(const std::string& text)
{
    std::string escaped;
    for (const char c : text)
    {
        escaped += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    }
    return escaped;
}

/** \return the middle of each node. \param width gets that of the widest row \param height gets the
 * place of the lowest one */
std::vector<Point>
PlaceNodes(const NetworkGraph& graph, double& width, double& height)
{
    const std::vector<uint32_t> tiers = ListTiers(graph);
    std::map<uint32_t, std::vector<std::size_t>> rows; // nodes of each tier
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    {
        rows[tiers[i]].push_back(i);
    }
    width = LEAST;
    for (const auto& [tier, row] : rows)
    {
        width = std::max(width, static_cast<double>(row.size()) * STEP);
    }
    std::vector<Point> points(graph.nodes.size());
    height = MARGIN + HEIGHT * static_cast<double>(rows.size() - 1);
    double y = height;
    for (const auto& [tier, row] : rows)
    {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(row.size());
            points[row[i]] = {MARGIN + width * place, y};
        }
        y -= HEIGHT;
    }
    return points;
}

} // namespace

/** `svg`: a picture with a row for each tier, hosts below; written only. */
class SvgNetworkFormat : public NetworkFormat
{
  public:
    static constexpr std::size_t MOST_NODES = 2000; //!< of a picture

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::SvgNetworkFormat")
                                .SetParent<NetworkFormat>()
                                .SetGroupName("Ddl")
                                .AddConstructor<SvgNetworkFormat>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "a picture, a row for each tier; written only";
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
        complaints.Add(graph.source, "svg can only be written");
    }

    void DoWrite(const NetworkGraph& graph, std::ostream& os) const override;
};

NS_OBJECT_ENSURE_REGISTERED(SvgNetworkFormat);

void
SvgNetworkFormat::DoWrite(const NetworkGraph& graph, std::ostream& os) const
{
    if (graph.nodes.size() > MOST_NODES)
    {
        throw InputError("the network has " + std::to_string(graph.nodes.size()) +
                         " nodes; a picture holds " + std::to_string(MOST_NODES));
    }
    double width = 0;
    double height = 0;
    const std::vector<Point> points = PlaceNodes(graph, width, height);
    std::size_t longest = 1; // letters of a name
    for (const NetworkNode& node : graph.nodes)
    {
        longest = std::max(longest, node.name.size());
    }
    const double below = MARGIN + LETTER * static_cast<double>(longest);
    os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width + 2 * MARGIN
       << "\" height=\"" << height + below << "\" font-family=\"sans-serif\" font-size=\"11\">\n";
    for (const NetworkLink& link : graph.links)
    {
        const Point& a = points[link.first];
        const Point& b = points[link.second];
        os << "<line x1=\"" << a.x << "\" y1=\"" << a.y << "\" x2=\"" << b.x << "\" y2=\"" << b.y
           << "\" stroke=\"#888\" stroke-width=\"" << std::min<uint64_t>(link.count, WIDEST)
           << "\"><title>" << Escape(graph.NameLink(link)) << ": "
           << (link.count > 1 ? std::to_string(link.count) + " x " : "")
           << (link.rate ? FormatRate(*link.rate) : "")
           << (link.delay ? ", " + FormatDuration(*link.delay) : "") << "</title></line>\n";
    }
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        const bool isHost = graph.nodes[i].kind == NetworkNode::Kind::HOST;
        const std::string name = Escape(graph.nodes[i].name);
        os << "<circle cx=\"" << points[i].x << "\" cy=\"" << points[i].y << "\" r=\"5\" fill=\""
           << (isHost ? "#1f77b4" : "#d62728") << "\"><title>" << name << "</title></circle>\n"
           << "<text transform=\"translate(" << points[i].x + 4 << " " << points[i].y + 12
           << ") rotate(90)\">" << name << "</text>\n";
    }
    os << "</svg>\n";
}

} // namespace ns3::ddl
