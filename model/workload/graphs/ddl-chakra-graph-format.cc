// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-chakra-wire.h"
#include "ddl-graph-format.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_map>

namespace ns3::ddl
{

namespace
{

using Kind = GraphNode::Kind;

constexpr uint64_t MOST_MICROSECONDS = 1000000000000000; //!< of a node: 31 years
constexpr double NANOSECONDS_OF_A_SECOND = 1e9;          //!< of a second
const std::string ALL;                                   //!< name of the group of all ranks

/** Values of Node.type. */
struct ChakraType
{
    static constexpr uint64_t METADATA = 1;
    static constexpr uint64_t COMPUTE = 4;
    static constexpr uint64_t SEND = 5;
    static constexpr uint64_t RECEIVE = 6;
    static constexpr uint64_t COLLECTIVE = 7;
};

/** \return what CollectiveCommType stands for; none if it is not supported */
std::optional<Collective>
FindCollective(int64_t type)
{
    static const std::map<int64_t, Collective> types{{0, Collective::ALL_REDUCE},
                                                     {2, Collective::ALL_GATHER},
                                                     {5, Collective::BROADCAST},
                                                     {6, Collective::ALL_TO_ALL},
                                                     {7, Collective::REDUCE_SCATTER},
                                                     {9, Collective::BARRIER}};
    const auto found = types.find(type);
    return found == types.end() ? std::nullopt : std::make_optional(found->second);
}

bool
EndsWith(const std::string& text, const std::string& end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/** \return the rank in a name like `PREFIX.3.et` */
std::optional<uint64_t>
FindRank(const std::string& name)
{
    const std::string end = ".et";
    constexpr std::size_t MOST_DIGITS = 8;
    const std::size_t last = name.size() - std::min(name.size(), end.size());
    const std::size_t dot = name.rfind('.', last - std::min<std::size_t>(last, 1));
    const std::string digits = dot == std::string::npos ? "" : name.substr(dot + 1, last - dot - 1);
    if (!EndsWith(name, end) || digits.empty() || digits.size() > MOST_DIGITS ||
        digits.find_first_not_of("0123456789") != std::string::npos)
    {
        return std::nullopt;
    }
    return std::stoull(digits);
}

/** The groups of a graph, by name. */
class ChakraGroups
{
  public:
    ChakraGroups(TaskGraph& graph, uint32_t ranks)
        : m_graph(graph),
          m_ranks(ranks)
    {
    }

    /** \return index of a group; the one without a name has all ranks */
    uint32_t Find(const std::string& name)
    {
        if (name == ALL && m_indices.count(ALL) == 0)
        {
            Add(ALL, {});
        }
        const auto found = m_indices.find(name);
        if (found == m_indices.end())
        {
            throw GraphRefusal{"",
                               "there is no group " + QuoteText(name) +
                                   " (groups come from a JSON file {\"name\": [ranks]} beside the "
                                   "ranks' files, or from metadata nodes)"};
        }
        return found->second;
    }

    std::size_t CountMembers(uint32_t group) const
    {
        return m_graph.groups[group].ranks.size();
    }

    /** \param ranks members; none: all ranks */
    void Add(const std::string& name, std::vector<uint32_t> ranks)
    {
        if (ranks.empty())
        {
            ranks.resize(m_ranks);
            std::iota(ranks.begin(), ranks.end(), 0);
        }
        const auto [entry, isNew] =
            m_indices.emplace(name, static_cast<uint32_t>(m_graph.groups.size()));
        if (isNew)
        {
            m_graph.groups.push_back({name == ALL ? "all" : name, std::move(ranks)});
        }
        else if (m_graph.groups[entry->second].ranks != ranks)
        {
            throw GraphRefusal{"",
                               "the group " + QuoteText(name) +
                                   " has other members than where it was defined first"};
        }
    }

    /** Add groups of a metadata node: `[{"pg_name": "0", "ranks": [0, 1]}]`, maybe in quotes. */
    void AddMetadata(const std::string& values)
    {
        const auto begin = values.find("[{");
        const auto end = values.rfind("}]");
        if (begin == std::string::npos || end == std::string::npos || end < begin)
        {
            return; // metadata of something else
        }
        const auto json =
            nlohmann::json::parse(values.substr(begin, end + 2 - begin), nullptr, false);
        if (!json.is_array())
        {
            throw GraphRefusal{"", "its list of process groups is no JSON"};
        }
        for (const auto& group : json)
        {
            if (group.is_object() && group.contains("pg_name") && group.contains("ranks"))
            {
                const auto& name = group["pg_name"];
                Add(name.is_string() ? name.get<std::string>() : name.dump(),
                    ReadRanks(group["ranks"]));
            }
        }
    }

    /** Add groups of a file `{"name": [ranks]}`. */
    void AddFile(std::istream& input)
    {
        const std::string wanted = "is no JSON of groups: {\"name\": [ranks]}";
        nlohmann::json json;
        try
        {
            json = nlohmann::json::parse(input);
        }
        catch (const nlohmann::json::parse_error& error)
        {
            throw GraphRefusal{"byte " + std::to_string(error.byte), wanted};
        }
        if (!json.is_object())
        {
            throw GraphRefusal{"byte 1", wanted};
        }
        for (const auto& [name, ranks] : json.items())
        {
            try
            {
                Add(name, ReadRanks(ranks));
            }
            catch (const GraphRefusal& refusal)
            {
                throw GraphRefusal{"group " + QuoteText(name), refusal.what};
            }
        }
    }

  private:
    static std::vector<uint32_t> ReadRanks(const nlohmann::json& json)
    {
        std::vector<uint32_t> ranks;
        if (!json.is_array())
        {
            throw GraphRefusal{"", "the members of a group are no list"};
        }
        for (const auto& rank : json)
        {
            if (!rank.is_number_unsigned() || rank.get<uint64_t>() > UINT32_MAX)
            {
                throw GraphRefusal{"", "a member of a group is no rank"};
            }
            ranks.push_back(rank.get<uint32_t>());
        }
        return ranks;
    }

    TaskGraph& m_graph;
    const uint32_t m_ranks;
    std::map<std::string, uint32_t> m_indices;
};

/** The program of one rank in the making. */
struct ChakraRank
{
    uint32_t rank;
    uint32_t ranks;
    GraphProgramBuilder builder{};
    GraphIndex peers{};
    GraphIndex groups{};
    std::map<LaneKind, uint16_t> lanes{};
    std::vector<ChakraNode> nodes{}; //!< without their attributes
    std::vector<GraphNode> works{};

    uint16_t Lane(LaneKind kind)
    {
        const auto [lane, isNew] = lanes.emplace(kind, 0);
        if (isNew)
        {
            lane->second = builder.AddLane(kind);
        }
        return lane->second;
    }
};

/** \return a whole number of at least 0; none if the node has no such attribute */
std::optional<uint64_t>
FindCount(const ChakraNode& node, const std::string& name)
{
    const auto* attribute = node.Find(name);
    if (!attribute)
    {
        return std::nullopt;
    }
    if (!attribute->whole || *attribute->whole < 0)
    {
        throw GraphRefusal{"", "its " + name + " is no whole number of 0 or more"};
    }
    return static_cast<uint64_t>(*attribute->whole);
}

uint64_t
GetCount(const ChakraNode& node, const std::string& name)
{
    const auto count = FindCount(node, name);
    if (!count)
    {
        throw GraphRefusal{"", "has no " + name};
    }
    return *count;
}

} // namespace

/**
 * `chakra`: execution traces of MLCommons' Chakra, schema 1.0.0 (et_def.proto); one file per rank,
 * `PREFIX.RANK.et`, as they are or packed by gzip, and maybe a JSON file of groups.
 *
 * Each file is a list of messages behind their lengths: GlobalMetadata, then nodes, in any order.
 * A node waits for its data dependencies, as Chakra's own feeder has it. Computing takes
 * `duration_micros`, or where that is 0 the time of `num_ops` and `tensor_size` on a roofline. CPU
 * wrappers of collectives, which have no `comm_size`, compute. Refused are nodes that load or store
 * memory, collectives that this module does not know, unknown groups, dependencies on nodes that
 * there are not, two nodes of one id, and missing ranks.
 */
class ChakraGraphFormat : public GraphFormat
{
  public:
    static TypeId GetTypeId()
    {
        using SizeValue = decltype(EnumValue(INPUT)); // a template from ns-3.41 on
        static TypeId tid =
            TypeId("ns3::ddl::ChakraGraphFormat")
                .SetParent<GraphFormat>()
                .SetGroupName("Ddl")
                .AddConstructor<ChakraGraphFormat>()
                .AddAttribute("AllGatherSize",
                              "what comm_size of an all-gather is: input (what one rank has before "
                              "it, as astra-sim reads it) or total (what each rank has after it)",
                              SizeValue(INPUT),
                              MakeAccessorHelper<SizeValue>(&ChakraGraphFormat::m_allGatherSize),
                              MakeEnumChecker(INPUT, "input", TOTAL, "total"))
                .AddAttribute("ControlDependencies",
                              "whether nodes wait for their control dependencies, too",
                              BooleanValue(false),
                              MakeBooleanAccessor(&ChakraGraphFormat::m_waitsForControl),
                              MakeBooleanChecker())
                .AddAttribute("Flops",
                              "FLOP/s, for computing that has operations and no duration; 0: "
                              "there must be none",
                              DoubleValue(0),
                              MakeDoubleAccessor(&ChakraGraphFormat::m_flops),
                              MakeDoubleChecker<double>(0, 1e30))
                .AddAttribute("MemoryRate",
                              "bytes per second of the GPU's memory, for the same; 0: memory takes "
                              "no time",
                              DoubleValue(0),
                              MakeDoubleAccessor(&ChakraGraphFormat::m_memoryRate),
                              MakeDoubleChecker<double>(0, 1e30));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "execution traces of MLCommons' Chakra, PREFIX.RANK.et, and a JSON file of groups";
    }

    bool Recognises(const std::string& name, const std::string& beginning) const override
    {
        const bool isGzip =
            beginning.size() > 2 && beginning[0] == '\x1f' && beginning[1] == '\x8b';
        return EndsWith(name, ".et") || isGzip;
    }

  private:
    /** What a size in a file means. */
    enum Size
    {
        INPUT,
        TOTAL
    };

    void DoRead(const std::vector<GraphFile>& files,
                TaskGraph& graph,
                GraphComplaints& complaints) const override
    {
        const auto isGroups = [](const GraphFile& file) { return EndsWith(file.name, ".json"); };
        std::vector<GraphFile> rankFiles;
        std::copy_if(files.begin(),
                     files.end(),
                     std::back_inserter(rankFiles),
                     std::not_fn(isGroups));
        rankFiles = SortByRank(rankFiles, complaints);
        const auto ranks = static_cast<uint32_t>(rankFiles.size());
        ChakraGroups groups(graph, ranks);
        for (const auto& file : files)
        {
            if (isGroups(file))
            {
                Guard(file, complaints, [&] { groups.AddFile(*file.open()); });
            }
        }
        if (!complaints.IsEmpty())
        {
            return;
        }
        if (ranks == 0)
        {
            throw GraphRefusal{"rank 0", "has no file"};
        }
        graph.ranks.resize(ranks);
        GraphProgramPool pool;
        uint64_t nodes = 0;
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            graph.ranks[rank].source = rankFiles[rank].name;
            Guard(rankFiles[rank], complaints, [&] {
                ChakraRank made{rank, ranks};
                ReadRank(rankFiles[rank], groups, GetMostNodes() - nodes, made);
                nodes += made.nodes.size();
                Link(made);
                graph.ranks[rank].program = pool.Share(made.builder.Build());
                graph.ranks[rank].peers = made.peers.GetAll();
                graph.ranks[rank].groups = made.groups.GetAll();
            });
        }
    }

    /** Do something with a file; its refusals become complaints about the file. */
    template <typename Work>
    static void Guard(const GraphFile& file, GraphComplaints& complaints, const Work& work)
    {
        try
        {
            work();
        }
        catch (const GraphRefusal& refusal)
        {
            complaints.Add(file.name, refusal.place, refusal.what);
        }
    }

    /** \return files by the ranks in their names; as they are if one has no rank in its name */
    static std::vector<GraphFile> SortByRank(const std::vector<GraphFile>& files,
                                             GraphComplaints& complaints)
    {
        std::map<uint64_t, GraphFile> sorted;
        for (const auto& file : files)
        {
            const auto rank = FindRank(file.name);
            if (!rank)
            {
                return files;
            }
            if (!sorted.emplace(*rank, file).second)
            {
                complaints.Add(file.name, "rank " + std::to_string(*rank), "has two files");
            }
        }
        std::vector<GraphFile> inOrder;
        for (const auto& [rank, file] : sorted)
        {
            if (rank != inOrder.size())
            {
                complaints.Add(file.name,
                               "rank " + std::to_string(rank),
                               "rank " + std::to_string(inOrder.size()) + " has no file");
                break;
            }
            inOrder.push_back(file);
        }
        return inOrder;
    }

    void ReadRank(const GraphFile& file,
                  ChakraGroups& groups,
                  uint64_t most,
                  ChakraRank& made) const
    {
        ChakraMessages messages(file.open());
        std::string message;
        std::string place = "metadata";
        try
        {
            if (messages.Next(message))
            {
                ReadMetadata(message);
            }
            while (place = "message " + std::to_string(made.nodes.size() + 1),
                   messages.Next(message))
            {
                auto node = ReadChakraNode(message);
                place = "node " + std::to_string(node.id) + " " + QuoteText(node.name);
                if (made.nodes.size() >= most)
                {
                    throw GraphRefusal{"", "there are more nodes than MostNodes"};
                }
                made.works.push_back(MakeWork(node, groups, made));
                node.attributes = {};
                node.inputs = {};
                made.nodes.push_back(std::move(node));
            }
        }
        catch (const GraphRefusal& refusal)
        {
            throw GraphRefusal{"rank " + std::to_string(made.rank) + ", " + place, refusal.what};
        }
    }

    static void ReadMetadata(const std::string& message)
    {
        ProtoFields fields(message);
        ProtoField field;
        while (fields.Next(field))
        {
            if (field.wire != WireType::BYTES || field.number > 2)
            {
                throw GraphRefusal{"", "the file does not begin with Chakra's GlobalMetadata"};
            }
        }
    }

    GraphNode MakeWork(const ChakraNode& node, ChakraGroups& groups, ChakraRank& made) const
    {
        switch (node.type)
        {
        case ChakraType::METADATA:
            groups.AddMetadata(node.inputs);
            return {0, 0, 0, Kind::COMPUTE, Collective::ALL_REDUCE, made.Lane(LaneKind::CPU)};
        case ChakraType::COMPUTE:
            return MakeCompute(node, made);
        case ChakraType::SEND:
            return MakeMessage(node, Kind::SEND, "comm_dst", made);
        case ChakraType::RECEIVE:
            return MakeMessage(node, Kind::RECEIVE, "comm_src", made);
        case ChakraType::COLLECTIVE: {
            const bool isWrapper = !node.Find("comm_size") && FindCount(node, "is_cpu_op") == 1U;
            return isWrapper ? MakeCompute(node, made) : MakeCollective(node, groups, made);
        }
        default:
            throw GraphRefusal{"",
                               "is of type " + std::to_string(node.type) +
                                   " (1 metadata, 4 compute, 5 send, 6 receive, 7 collective; "
                                   "memory that is loaded and stored is not supported)"};
        }
    }

    GraphNode MakeCompute(const ChakraNode& node, ChakraRank& made) const
    {
        if (node.microseconds > MOST_MICROSECONDS)
        {
            throw GraphRefusal{"", "computes longer than 31 years"};
        }
        uint64_t nanoseconds = node.microseconds * 1000;
        const auto operations = FindCount(node, "num_ops");
        if (nanoseconds == 0 && operations && *operations > 0)
        {
            if (m_flops <= 0)
            {
                throw GraphRefusal{"", "has num_ops and no duration: set Flops"};
            }
            double seconds = static_cast<double>(*operations) / m_flops;
            const auto bytes = FindCount(node, "tensor_size");
            if (bytes && m_memoryRate > 0)
            {
                seconds = std::max(seconds, static_cast<double>(*bytes) / m_memoryRate);
            }
            const double most = static_cast<double>(MOST_MICROSECONDS) * 1e3;
            nanoseconds = static_cast<uint64_t>(
                std::min(most, std::round(seconds * NANOSECONDS_OF_A_SECOND)));
        }
        const bool isOnCpu = FindCount(node, "is_cpu_op").value_or(0) != 0;
        return {nanoseconds,
                0,
                0,
                Kind::COMPUTE,
                Collective::ALL_REDUCE,
                made.Lane(isOnCpu ? LaneKind::CPU : LaneKind::GPU)};
    }

    static GraphNode MakeMessage(const ChakraNode& node,
                                 Kind kind,
                                 const std::string& peerName,
                                 ChakraRank& made)
    {
        const uint64_t peer = GetCount(node, peerName);
        const uint64_t tag = FindCount(node, "comm_tag").value_or(0);
        if (peer >= made.ranks || tag > UINT32_MAX)
        {
            throw GraphRefusal{"",
                               "its " + peerName + " is " + std::to_string(peer) +
                                   " (ranks are 0 to " + std::to_string(made.ranks - 1) +
                                   "), or its tag has more than 32 bits"};
        }
        return {GetCount(node, "comm_size"),
                made.peers.Add(static_cast<uint32_t>(peer)),
                static_cast<uint32_t>(tag),
                kind,
                Collective::ALL_REDUCE,
                made.Lane(LaneKind::COMMUNICATION)};
    }

    GraphNode MakeCollective(const ChakraNode& node, ChakraGroups& groups, ChakraRank& made) const
    {
        const uint64_t number = GetCount(node, "comm_type");
        const auto type = FindCollective(static_cast<int64_t>(number));
        if (!type)
        {
            throw GraphRefusal{"",
                               "its comm_type is " + std::to_string(number) +
                                   " (0 all-reduce, 2 all-gather, 5 broadcast, 6 all-to-all, 7 "
                                   "reduce-scatter, 9 barrier; others are not supported)"};
        }
        const uint32_t group = groups.Find(FindGroupName(node));
        uint64_t bytes = *type == Collective::BARRIER ? 0 : GetCount(node, "comm_size");
        if (*type == Collective::ALL_GATHER && m_allGatherSize == INPUT)
        {
            const uint64_t members = groups.CountMembers(group);
            if (bytes > UINT64_MAX / members)
            {
                throw GraphRefusal{"", "its comm_size is too large"};
            }
            bytes *= members;
        }
        return {bytes,
                made.groups.Add(group),
                0,
                Kind::COLLECTIVE,
                *type,
                made.Lane(LaneKind::COMMUNICATION)};
    }

    static std::string FindGroupName(const ChakraNode& node)
    {
        for (const std::string name : {"pg_name", "comm_group"})
        {
            if (const auto* attribute = node.Find(name))
            {
                return attribute->text    ? *attribute->text
                       : attribute->whole ? std::to_string(*attribute->whole)
                                          : ALL;
            }
        }
        return ALL;
    }

    /** Build the program: dependencies are known by id, and may name nodes that follow. */
    void Link(ChakraRank& made) const
    {
        const std::string place = "rank " + std::to_string(made.rank) + ", node ";
        std::unordered_map<uint64_t, uint32_t> indices;
        for (uint32_t i = 0; i < made.nodes.size(); ++i)
        {
            const uint64_t id = made.nodes[i].id;
            if (!indices.emplace(id, i).second)
            {
                throw GraphRefusal{place + std::to_string(id), "is there twice"};
            }
        }
        for (uint32_t i = 0; i < made.nodes.size(); ++i)
        {
            const ChakraNode& node = made.nodes[i];
            std::vector<uint32_t> ended;
            const auto add = [&](const std::vector<uint64_t>& ids) {
                for (const uint64_t id : ids)
                {
                    const auto found = indices.find(id);
                    if (found == indices.end())
                    {
                        throw GraphRefusal{
                            place + std::to_string(node.id) + " " + QuoteText(node.name),
                            "waits for node " + std::to_string(id) + ", which does not exist"};
                    }
                    ended.push_back(found->second);
                }
            };
            add(node.dataDependencies);
            if (m_waitsForControl)
            {
                add(node.controlDependencies);
            }
            std::sort(ended.begin(), ended.end());
            ended.erase(std::unique(ended.begin(), ended.end()), ended.end());
            made.builder.Add(made.works[i],
                             ended,
                             {},
                             HasNames() ? std::to_string(node.id) + " " + node.name : "");
        }
    }

    Size m_allGatherSize{INPUT};
    bool m_waitsForControl{false};
    double m_flops{0};
    double m_memoryRate{0};
};

NS_OBJECT_ENSURE_REGISTERED(ChakraGraphFormat);

} // namespace ns3::ddl
