// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-chakra-wire.h"
#include "ddl-graph-format.h"
#include "ddl-graph-matches.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"

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

constexpr uint64_t MOST_MICROSECONDS = GraphNode::MOST_NANOSECONDS / 1000;
constexpr double NANOSECONDS_OF_A_SECOND = 1e9; //!< nanoseconds per second
const std::string ALL;                          //!< name of the group of all ranks

/** Values of Node.type. */
struct ChakraType
{
    static constexpr uint64_t INVALID = 0; //!< does nothing; astra-sim skips it
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

/** The groups of a graph, by name. */
class ChakraGroups
{
  public:
    ChakraGroups(TaskGraph& graph, uint32_t ranks)
        : m_graph(graph),
          m_ranks(ranks)
    {
    }

    /** \return index of a group, if it is known; the one without a name has all ranks */
    std::optional<uint32_t> Find(const std::string& name)
    {
        if (name == ALL && m_indices.count(ALL) == 0)
        {
            Add(ALL, ListAll(), "");
        }
        const auto found = m_indices.find(name);
        return found == m_indices.end() ? std::nullopt : std::make_optional(found->second);
    }

    std::size_t CountMembers(uint32_t group) const
    {
        return m_graph.groups[group].ranks.size();
    }

    /** Add groups of a metadata node: `[{"pg_name": "0", "ranks": [0, 1]}]`, maybe in quotes.
     * PyTorch leaves the list empty if all ranks are members. */
    void AddMetadata(const std::string& values, const std::string& source)
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
                auto ranks = ReadRanks(group["ranks"]);
                Add(name.is_string() ? name.get<std::string>() : name.dump(),
                    ranks.empty() ? ListAll() : std::move(ranks),
                    source);
            }
        }
    }

    /** Add groups of a file `{"name": [ranks]}`. */
    void AddFile(std::istream& input, const std::string& source)
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
                auto members = ReadRanks(ranks);
                if (members.empty())
                {
                    throw GraphRefusal{"", "has no members"};
                }
                Add(name, std::move(members), source);
            }
            catch (const GraphRefusal& refusal)
            {
                throw GraphRefusal{"group " + QuoteText(name), refusal.what};
            }
        }
    }

  private:
    std::vector<uint32_t> ListAll() const
    {
        std::vector<uint32_t> ranks(m_ranks);
        std::iota(ranks.begin(), ranks.end(), 0);
        return ranks;
    }

    void Add(const std::string& name, std::vector<uint32_t> ranks, const std::string& source)
    {
        const auto [entry, isNew] =
            m_indices.emplace(name, static_cast<uint32_t>(m_graph.groups.size()));
        if (isNew)
        {
            m_graph.groups.push_back({name == ALL ? "all" : name, std::move(ranks), source});
        }
        else if (m_graph.groups[entry->second].ranks != ranks)
        {
            throw GraphRefusal{"",
                               "the group " + QuoteText(name) +
                                   " has other members than where it was defined first"};
        }
    }

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

/** What the file of a rank says. Nodes wait for others by id, and groups are known by name, until
 * all of them have been read. */
struct ChakraRank
{
    /** A group as its nodes name it. */
    struct NamedGroup
    {
        std::string name;
        uint32_t user; //!< the first node that does
    };

    std::string file;
    uint32_t rank;
    uint32_t ranks;
    GraphProgramBuilder builder{};
    GraphIndex peers{};
    std::vector<NamedGroup> groups{};               //!< by GraphNode::peer of collectives
    std::map<std::string, uint32_t> groupIndices{}; //!< index in `groups` by name
    std::map<LaneKind, uint16_t> lanes{};
    std::vector<GraphNode> nodes{};
    std::vector<std::string> names{};                 //!< by node, or empty
    std::unordered_map<uint64_t, uint32_t> indices{}; //!< nodes by id
    std::vector<uint64_t> dependencies{};             //!< ids, node by node
    std::vector<std::size_t> ends{};                  //!< index behind those of each node

    uint16_t Lane(LaneKind kind)
    {
        const auto [lane, isNew] = lanes.emplace(kind, 0);
        if (isNew)
        {
            lane->second = builder.AddLane(kind);
        }
        return lane->second;
    }

    uint32_t FindGroup(const std::string& name)
    {
        const auto [entry, isNew] =
            groupIndices.emplace(name, static_cast<uint32_t>(groups.size()));
        if (isNew)
        {
            groups.push_back({name, static_cast<uint32_t>(nodes.size())});
        }
        return entry->second;
    }

    /** \return the place of a node for messages */
    std::string Describe(uint32_t node) const
    {
        return DescribeNode(rank, node, names.empty() ? "" : names[node]);
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
 * wrappers of collectives, which have no `comm_size`, compute; nodes of the type INVALID, which
 * astra-sim skips, take no time. Refused are nodes that load or store memory, collectives that this
 * module does not know, unknown groups, dependencies on nodes that there are not, two nodes of one
 * id, messages of another rank, and missing ranks.
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
                .AddAttribute("MostEdges",
                              "most dependencies of all ranks together; reading takes 8 bytes "
                              "for each of a rank, and the graph 4",
                              UintegerValue(100000000),
                              MakeUintegerAccessor(&ChakraGraphFormat::m_mostEdges),
                              MakeUintegerChecker<uint64_t>(1))
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
                Guard(file, complaints, [&] { groups.AddFile(*file.open(), file.name); });
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
        ReadRanks(rankFiles, groups, graph, complaints);
    }

    void ReadRanks(const std::vector<GraphFile>& files,
                   ChakraGroups& groups,
                   TaskGraph& graph,
                   GraphComplaints& complaints) const
    {
        GraphProgramPool pool;
        std::vector<ChakraRank> later; // their groups may be defined in files that follow
        uint64_t nodes = 0;
        uint64_t edges = 0;
        bool isRight = true;
        for (uint32_t rank = 0; rank < files.size(); ++rank)
        {
            const GraphFile& file = files[rank];
            graph.ranks[rank].source = file.name;
            ChakraRank made{file.name, rank, static_cast<uint32_t>(files.size())};
            bool isRead = false;
            Guard(file, complaints, [&] {
                const Room room{GetMostNodes() - nodes, m_mostEdges - edges};
                isRead = ReadRank(file, groups, room, made, complaints);
                nodes += made.nodes.size();
                edges += made.dependencies.size();
            });
            isRight = isRight && isRead;
            if (!isRight)
            {
                continue; // nothing comes of this graph: only look for what else is wrong
            }
            const bool isKnown =
                std::all_of(made.groups.begin(), made.groups.end(), [&groups](const auto& group) {
                    return groups.Find(group.name).has_value();
                });
            if (isKnown)
            {
                Link(made, groups, pool, graph, complaints);
            }
            else
            {
                later.push_back(std::move(made));
            }
        }
        for (auto made = later.begin(); isRight && made != later.end(); ++made)
        {
            Link(*made, groups, pool, graph, complaints);
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
            const auto rank = FindFileRank(file.name);
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
        uint64_t next = 0;
        for (const auto& [rank, file] : sorted)
        {
            if (rank != next)
            {
                complaints.Add(file.name,
                               "rank " + std::to_string(rank),
                               "rank " + std::to_string(next) + " has no file");
            }
            next = rank + 1;
            inOrder.push_back(file);
        }
        return inOrder;
    }

    /** Nodes and edges that may still be read. */
    struct Room
    {
        uint64_t nodes;
        uint64_t edges;
    };

    /** Read a file. What is wrong with one node does not keep others from being looked at.
     * \return whether nothing is wrong */
    bool ReadRank(const GraphFile& file,
                  ChakraGroups& groups,
                  const Room& room,
                  ChakraRank& made,
                  GraphComplaints& complaints) const
    {
        ChakraMessages messages(file.open());
        std::string message;
        std::size_t errors = 0;
        uint32_t read = 0; // nodes, those that are wrong, too
        try
        {
            if (messages.Next(message))
            {
                ReadMetadata(message);
            }
            while (errors < GraphComplaints::MOST && messages.Next(message))
            {
                if (read >= room.nodes || read == UINT32_MAX - 1)
                {
                    throw GraphRefusal{"", "there are more nodes than MostNodes"};
                }
                errors += ReadNode(message, read++, groups, made, complaints) ? 0 : 1;
                if (made.dependencies.size() > room.edges)
                {
                    throw GraphRefusal{"", "there are more dependencies than MostEdges"};
                }
            }
        }
        catch (const GraphRefusal& refusal)
        {
            throw GraphRefusal{
                "rank " + std::to_string(made.rank) + ", " +
                    (read == 0 ? "at its beginning" : "behind node " + std::to_string(read - 1)),
                refusal.what};
        }
        return errors == 0;
    }

    /** Read a node; what is wrong becomes a complaint. \return whether nothing is wrong */
    bool ReadNode(const std::string& message,
                  uint32_t index,
                  ChakraGroups& groups,
                  ChakraRank& made,
                  GraphComplaints& complaints) const
    {
        std::string name;
        try
        {
            const ChakraNode node = ReadChakraNode(message);
            name = std::to_string(node.id) + " " + node.name;
            AddNode(node, name, groups, made);
            return true;
        }
        catch (const GraphRefusal& refusal)
        {
            complaints.Add(made.file, DescribeNode(made.rank, index, name), refusal.what);
            return false;
        }
    }

    /** Add a node to its rank. \throws GraphRefusal without a place */
    void AddNode(const ChakraNode& node,
                 const std::string& name,
                 ChakraGroups& groups,
                 ChakraRank& made) const
    {
        if (!made.indices.emplace(node.id, static_cast<uint32_t>(made.nodes.size())).second)
        {
            throw GraphRefusal{"", "has the id of a node before it"};
        }
        made.nodes.push_back(MakeWork(node, groups, made));
        if (HasNames())
        {
            made.names.push_back(name);
        }
        auto& all = made.dependencies;
        all.insert(all.end(), node.dataDependencies.begin(), node.dataDependencies.end());
        if (m_waitsForControl)
        {
            all.insert(all.end(), node.controlDependencies.begin(), node.controlDependencies.end());
        }
        made.ends.push_back(all.size());
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
            groups.AddMetadata(node.inputs, made.file);
            [[fallthrough]];
        case ChakraType::INVALID:
            return {0, 0, 0, Kind::COMPUTE, Collective::ALL_REDUCE, made.Lane(LaneKind::CPU)};
        case ChakraType::COMPUTE:
            return MakeCompute(node, made);
        case ChakraType::SEND:
            return MakeMessage(node, Kind::SEND, made);
        case ChakraType::RECEIVE:
            return MakeMessage(node, Kind::RECEIVE, made);
        case ChakraType::COLLECTIVE: {
            const bool isWrapper = !node.Find("comm_size") && FindCount(node, "is_cpu_op") == 1U;
            return isWrapper ? MakeCompute(node, made) : MakeCollective(node, made);
        }
        default:
            throw GraphRefusal{
                "",
                "is of type " + std::to_string(node.type) +
                    " (0 invalid, 1 metadata, 4 compute, 5 send, 6 receive, 7 "
                    "collective; memory that is loaded and stored is not supported)"};
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

    static GraphNode MakeMessage(const ChakraNode& node, Kind kind, ChakraRank& made)
    {
        const bool isSend = kind == Kind::SEND;
        const std::string peerName = isSend ? "comm_dst" : "comm_src";
        const std::string ownName = isSend ? "comm_src" : "comm_dst";
        const uint64_t own = FindCount(node, ownName).value_or(made.rank);
        if (own != made.rank)
        {
            throw GraphRefusal{"",
                               "its " + ownName + " is " + std::to_string(own) +
                                   ", and it stands in the file of rank " +
                                   std::to_string(made.rank)};
        }
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

    /** \return a collective; the bytes of an all-gather are as in the file */
    static GraphNode MakeCollective(const ChakraNode& node, ChakraRank& made)
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
        const uint64_t bytes = *type == Collective::BARRIER ? 0 : GetCount(node, "comm_size");
        return {bytes,
                made.FindGroup(FindGroupName(node)),
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

    /** Build the program of a rank, whose groups and nodes are all known by now. */
    void Link(ChakraRank& made,
              ChakraGroups& groups,
              GraphProgramPool& pool,
              TaskGraph& graph,
              GraphComplaints& complaints) const
    {
        RankGraph& rank = graph.ranks[made.rank];
        rank.peers = made.peers.GetAll();
        bool isRight = true;
        for (const auto& [name, user] : made.groups)
        {
            const auto group = groups.Find(name);
            rank.groups.push_back(group.value_or(0));
            if (!group)
            {
                complaints.Add(made.file,
                               made.Describe(user),
                               "there is no group " + QuoteText(name) +
                                   " (groups come from a JSON file {\"name\": [ranks]} beside the "
                                   "ranks' files, or from metadata nodes)");
                isRight = false;
            }
        }
        std::size_t begin = 0;
        for (uint32_t i = 0; i < made.nodes.size() && isRight; ++i)
        {
            GraphNode& node = made.nodes[i];
            if (node.collective == Collective::ALL_GATHER && node.kind == Kind::COLLECTIVE &&
                m_allGatherSize == INPUT)
            {
                const uint64_t members = groups.CountMembers(rank.groups[node.peer]);
                node.amount = node.amount > GraphNode::MOST_BYTES / members
                                  ? GraphNode::MOST_BYTES + 1 // too many, as the check will find
                                  : node.amount * members;
            }
            const auto ended = FindNodes(made, i, begin, complaints);
            made.builder.Add(node, ended, {}, made.names.empty() ? "" : made.names[i]);
            begin = made.ends[i];
        }
        rank.program = pool.Share(made.builder.Build());
    }

    /** \return nodes for which a node waits. \param begin index of the first of its dependencies */
    static std::vector<uint32_t> FindNodes(const ChakraRank& made,
                                           uint32_t node,
                                           std::size_t begin,
                                           GraphComplaints& complaints)
    {
        std::vector<uint32_t> found;
        for (std::size_t i = begin; i < made.ends[node]; ++i)
        {
            const uint64_t id = made.dependencies[i];
            const auto place = made.indices.find(id);
            if (place == made.indices.end())
            {
                complaints.Add(made.file,
                               made.Describe(node),
                               "waits for the node of id " + std::to_string(id) +
                                   ", which does not exist");
                break; // the others would say the same
            }
            found.push_back(place->second);
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

    Size m_allGatherSize{INPUT};
    bool m_waitsForControl{false};
    uint64_t m_mostEdges{0};
    double m_flops{0};
    double m_memoryRate{0};
};

NS_OBJECT_ENSURE_REGISTERED(ChakraGraphFormat);

} // namespace ns3::ddl
