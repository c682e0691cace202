// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-network-format.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

namespace ns3::ddl
{

/**
 * `htsim`: csg-htsim's `.topo` (Broadcom/csg-htsim, `FatTreeTopology::load`), a folded Clos of two
 * or three tiers as counts: `Nodes`, `Tiers`, `Podsize`, and for each `Tier` from the hosts up
 * `Downlink_speed_Gbps`, `Downlink_Latency_ns`, `Radix_Down`, `Radix_Up`, `Oversubscribed`,
 * `Bundle` (parallel links downwards), `Switch_Latency_ns`, `Queue_Up`, `Queue_Down`.
 *
 * Switches have no processing delay here: half of a switch's latency is added to the delay of each
 * of its links, so that every way between hosts takes as long. Queues are the scenario's own
 * (`cluster.ports`). A rack is a `tor` with its hosts.
 */
class HtsimNetworkFormat : public NetworkFormat
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::HtsimNetworkFormat")
                                .SetParent<NetworkFormat>()
                                .SetGroupName("Ddl")
                                .AddConstructor<HtsimNetworkFormat>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "csg-htsim's .topo: a folded Clos by its radices";
    }

    bool Recognises(const std::string& text) const override
    {
        const auto words = SplitWords(text);
        return !words.empty() && MakeLower(words[0].text) == "nodes";
    }

  private:
    static constexpr std::size_t MOST_TIERS = 3;
    static constexpr uint64_t MOST_VALUE = 1000000000; //!< largest number of the file

    /** The keys of the whole, or of a tier, with their lines. */
    struct Section
    {
        std::map<std::string, uint64_t> values{};
        std::size_t line{1};

        uint64_t Get(const std::string& key, uint64_t fallback = 0) const
        {
            const auto found = values.find(key);
            return found == values.end() ? fallback : found->second;
        }
    };

    struct File
    {
        Section head;
        std::map<uint64_t, Section> tiers;
    };

    struct Sizes
    {
        uint64_t hosts{0};
        uint64_t tors{0}; //!< switches of each tier, in all pods
        uint64_t aggs{0};
        uint64_t cores{0};
        uint64_t pods{1};
        uint64_t torDown{1}; //!< links of a tor to hosts
        uint64_t torUp{1};   //!< links of a tor upwards
        bool hasCores{false};
    };

    static std::string MakeLower(std::string_view word);
    static File ReadFile(const std::string& text,
                         const NetworkGraph& graph,
                         NetworkComplaints& complaints);
    static void CheckFile(const File& file,
                          const NetworkGraph& graph,
                          NetworkComplaints& complaints);
    static std::optional<Sizes> CountSwitches(const File& file,
                                              const NetworkGraph& graph,
                                              NetworkComplaints& complaints);
    static void Build(const File& file, const Sizes& sizes, NetworkGraph& graph);
    static NetworkLink MakeLink(const File& file, uint64_t tier, uint32_t lower, uint32_t upper);
    void DoRead(const std::string& text,
                NetworkGraph& graph,
                NetworkComplaints& complaints) const override;
};

NS_OBJECT_ENSURE_REGISTERED(HtsimNetworkFormat);

std::string
HtsimNetworkFormat::MakeLower(std::string_view word)
{
    std::string lower(word);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return lower;
}

HtsimNetworkFormat::File
HtsimNetworkFormat::ReadFile(const std::string& text,
                             const NetworkGraph& graph,
                             NetworkComplaints& complaints)
{
    static const std::vector<std::string> heads = {"nodes", "tiers", "podsize"};
    static const std::vector<std::string> keys = {"downlink_speed_gbps",
                                                  "downlink_latency_ns",
                                                  "radix_down",
                                                  "radix_up",
                                                  "oversubscribed",
                                                  "bundle",
                                                  "switch_latency_ns",
                                                  "queue_up",
                                                  "queue_down"};
    File file;
    Section* section = &file.head;
    const auto words = SplitWords(text);
    for (std::size_t i = 0; i < words.size(); i += 2)
    {
        const std::string key = MakeLower(words[i].text);
        const std::string where = graph.source + ":" + std::to_string(words[i].line);
        const auto value = i + 1 < words.size() && words[i + 1].line == words[i].line
                               ? ReadCount(words[i + 1].text)
                               : std::nullopt;
        if (!value || *value > MOST_VALUE)
        {
            complaints.Add(where,
                           key + " must have a whole number from 0 to " +
                               std::to_string(MOST_VALUE) + " behind it, on its line");
            return file;
        }
        if (key == "tier")
        {
            section = &file.tiers[*value];
            section->line = words[i].line;
            continue;
        }
        const auto& known = section == &file.head ? heads : keys;
        if (std::find(known.begin(), known.end(), key) == known.end())
        {
            complaints.Add(where,
                           QuoteText(key) + " is no key here (one of " + JoinNames(known) + ")");
        }
        else if (!section->values.emplace(key, *value).second)
        {
            complaints.Add(where, key + " is given twice");
        }
    }
    return file;
}

void
HtsimNetworkFormat::CheckFile(const File& file,
                              const NetworkGraph& graph,
                              NetworkComplaints& complaints)
{
    const auto where = [&graph](const Section& section) {
        return graph.source + ":" + std::to_string(section.line);
    };
    const uint64_t tiers = file.head.Get("tiers");
    const uint64_t nodes = file.head.Get("nodes");
    const uint64_t pod = file.head.Get("podsize");
    if (tiers < 2 || tiers > MOST_TIERS)
    {
        complaints.Add(where(file.head), "has " + std::to_string(tiers) + " tiers (2 or 3)");
        return;
    }
    if (nodes == 0 || nodes > MOST_TOPOLOGY_HOSTS || pod == 0 || nodes % pod != 0)
    {
        complaints.Add(where(file.head),
                       "has " + std::to_string(nodes) + " nodes in pods of " + std::to_string(pod) +
                           " (1 to " + std::to_string(MOST_TOPOLOGY_HOSTS) +
                           " nodes, a multiple of the pod's)");
        return;
    }
    for (uint64_t tier = 0; tier < tiers; ++tier)
    {
        const auto found = file.tiers.find(tier);
        const std::string name = "tier " + std::to_string(tier);
        if (found == file.tiers.end())
        {
            complaints.Add(where(file.head), name + " is missing");
            continue;
        }
        for (const char* key :
             {"downlink_speed_gbps", "downlink_latency_ns", "radix_down", "radix_up"})
        {
            if (found->second.Get(key) == 0 &&
                !(tier + 1 == tiers && key == std::string("radix_up")))
            {
                complaints.Add(where(found->second), name + ": " + key + " is missing or 0");
            }
        }
        if (found->second.Get("switch_latency_ns") % 2 != 0)
        {
            complaints.Add(where(found->second), name + ": switch_latency_ns must be even");
        }
        if (found->second.Get("bundle", 1) == 0)
        {
            complaints.Add(where(found->second), name + ": bundle is 0");
        }
    }
}

/** \return links of a switch of that tier to one node below */
NetworkLink
HtsimNetworkFormat::MakeLink(const File& file, uint64_t tier, uint32_t lower, uint32_t upper)
{
    const Section& section = file.tiers.at(tier);
    constexpr uint64_t GIGA = 1000000000;
    NetworkLink link{lower, upper, DataRate(section.Get("downlink_speed_gbps") * GIGA)};
    uint64_t delay = section.Get("downlink_latency_ns") + section.Get("switch_latency_ns") / 2;
    if (tier > 0)
    {
        delay += file.tiers.at(tier - 1).Get("switch_latency_ns") / 2;
    }
    link.delay = NanoSeconds(delay);
    link.count = static_cast<uint32_t>(section.Get("bundle", 1));
    link.line = section.line;
    return link;
}

std::optional<HtsimNetworkFormat::Sizes>
HtsimNetworkFormat::CountSwitches(const File& file,
                                  const NetworkGraph& graph,
                                  NetworkComplaints& complaints)
{
    const auto get = [&file](uint64_t tier, const char* key, uint64_t fallback = 0) {
        return file.tiers.at(tier).Get(key, fallback);
    };
    const auto complain = [&](uint64_t tier, const std::string& what) {
        complaints.Add(graph.source + ":" + std::to_string(file.tiers.at(tier).line), what);
    };
    Sizes sizes;
    sizes.hosts = file.head.Get("nodes");
    sizes.hasCores = file.head.Get("tiers") == MOST_TIERS;
    sizes.pods = sizes.hasCores ? sizes.hosts / file.head.Get("podsize") : 1;
    sizes.torDown = get(0, "radix_down");
    sizes.torUp = get(0, "radix_up");
    if (file.head.Get("podsize") % sizes.torDown != 0)
    {
        complain(0, "radix_down " + std::to_string(sizes.torDown) + " does not divide the podsize");
        return std::nullopt;
    }
    // A tier has as many links upwards as the tier above has downwards.
    const auto fit = [&](uint64_t tier, uint64_t below, uint64_t up, uint64_t groups) -> uint64_t {
        const uint64_t bundle = get(tier, "bundle", 1);
        const uint64_t count = up % bundle == 0 ? up / bundle * groups : 0;
        if (count == 0 || below * up != count * get(tier, "radix_down"))
        {
            complain(tier,
                     std::to_string(below) + " switches of tier " + std::to_string(tier - 1) +
                         " with radix_up " + std::to_string(up) + " and bundle " +
                         std::to_string(bundle) + " do not go with a radix_down of " +
                         std::to_string(get(tier, "radix_down")));
            return 0;
        }
        return count;
    };
    sizes.tors = sizes.hosts / sizes.torDown;
    sizes.aggs = fit(1, sizes.tors, sizes.torUp, sizes.pods);
    if (sizes.hasCores && sizes.aggs > 0)
    {
        sizes.cores = fit(2, sizes.aggs, get(1, "radix_up"), sizes.aggs / sizes.pods);
    }
    if (sizes.tors + sizes.aggs + sizes.cores > MOST_TOPOLOGY_SWITCHES ||
        sizes.tors * (sizes.aggs / sizes.pods) + sizes.aggs * get(1, "radix_up") >
            MOST_TOPOLOGY_CABLES)
    {
        complaints.Add(graph.source,
                       "has more than " + std::to_string(MOST_TOPOLOGY_SWITCHES) +
                           " switches, or more than " + std::to_string(MOST_TOPOLOGY_CABLES) +
                           " links");
    }
    return complaints.IsEmpty() ? std::optional<Sizes>(sizes) : std::nullopt;
}

void
HtsimNetworkFormat::Build(const File& file, const Sizes& sizes, NetworkGraph& graph)
{
    const auto add = [&graph](const std::string& name, uint64_t count, uint64_t divisor) {
        const uint64_t first = graph.nodes.size();
        for (uint64_t i = 0; i < count; ++i)
        {
            NetworkNode node;
            node.name = name + std::to_string(i);
            node.kind = name == "h" ? NetworkNode::Kind::HOST : NetworkNode::Kind::SWITCH;
            node.divisor = static_cast<uint32_t>(divisor);
            node.line = 1;
            graph.nodes.push_back(node);
        }
        return first;
    };
    const uint64_t host = add("h", sizes.hosts, 1);
    const uint64_t tor = add("tor", sizes.tors, 1);
    // A tor sends an agg packets to every torUp-th host only.
    const uint64_t agg = add("agg", sizes.aggs, sizes.torUp);
    const uint64_t core = add("core", sizes.cores, 1);
    const auto link = [&](uint64_t tier, uint64_t lower, uint64_t upper) {
        graph.links.push_back(
            MakeLink(file, tier, static_cast<uint32_t>(lower), static_cast<uint32_t>(upper)));
    };
    const uint64_t aggsOfPod = sizes.aggs / sizes.pods;
    for (uint64_t i = 0; i < sizes.hosts; ++i)
    {
        link(0, host + i, tor + i / sizes.torDown);
    }
    for (uint64_t i = 0; i < sizes.tors; ++i)
    {
        const uint64_t pod = i / (sizes.tors / sizes.pods);
        for (uint64_t j = 0; j < aggsOfPod; ++j)
        {
            link(1, tor + i, agg + pod * aggsOfPod + j);
        }
    }
    for (uint64_t i = 0; i < sizes.aggs && sizes.hasCores; ++i)
    {
        for (uint64_t j = 0; j < sizes.cores / aggsOfPod; ++j)
        {
            link(2, agg + i, core + i % aggsOfPod + aggsOfPod * j);
        }
    }
}

void
HtsimNetworkFormat::DoRead(const std::string& text,
                           NetworkGraph& graph,
                           NetworkComplaints& complaints) const
{
    const File file = ReadFile(text, graph, complaints);
    if (complaints.IsEmpty())
    {
        CheckFile(file, graph, complaints);
    }
    if (!complaints.IsEmpty())
    {
        return;
    }
    if (const auto sizes = CountSwitches(file, graph, complaints))
    {
        Build(file, *sizes, graph);
    }
}

} // namespace ns3::ddl
