// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scratch-folder.h"

#include "ns3/ddl-graph-format.h"
#include "ns3/ddl-graph-schedule.h"
#include "ns3/enum.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <sstream>
#include <tuple>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

using Kind = GraphNode::Kind;
using Settings = std::vector<std::pair<std::string, std::string>>;

/** Name and text of a file. */
using Text = std::pair<std::string, std::string>;

std::vector<GraphFile>
AsFiles(const std::vector<Text>& texts)
{
    std::vector<GraphFile> files;
    for (const auto& [name, text] : texts)
    {
        const std::string copy = text;
        files.push_back({name, [copy] { return std::make_unique<std::istringstream>(copy); }});
    }
    return files;
}

TaskGraph
ReadTexts(const std::string& format, const std::vector<Text>& texts, const Settings& settings = {})
{
    const auto reader = CreatePolicy<GraphFormat>(format);
    for (const auto& [name, value] : settings)
    {
        reader->SetAttribute(name, StringValue(value));
    }
    return reader->Read(AsFiles(texts));
}

/** \return all that is said about some files, a complaint a line */
std::string
Complaints(const std::string& format, const std::vector<Text>& texts, const Settings& settings = {})
{
    try
    {
        ReadTexts(format, texts, settings);
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

std::string
Complaints(const std::string& format, const std::string& text, const Settings& settings = {})
{
    return Complaints(format, std::vector<Text>{{"f", text}}, settings);
}

int64_t
Length(const TaskGraph& graph)
{
    GraphComplaints none;
    return GraphSchedule(graph, GraphMatches(graph, none)).GetLength();
}

// ---- GOAL

const std::string GOAL = "num_ranks 2 // two\n"
                         "rank 0 {\n"
                         "a: calc 100 cpu 1\n"
                         "/* then */ b: send 8b to 1 tag 3\n"
                         "b requires a\n"
                         "c: calc 30\n"
                         "c irequires b\n"
                         "}\n"
                         "rank 1 {\n"
                         "x: recv 8b from 0 tag 3\n"
                         "y: calc 50\n"
                         "y requires x\n"
                         "}\n";

/** Appends numbers as they lie in a GOAL file. */
template <typename T>
void
Append(std::string& bytes, T value)
{
    for (std::size_t i = 0; i < sizeof value; ++i)
    {
        bytes.push_back(static_cast<char>(static_cast<uint64_t>(value) >> (8 * i)));
    }
}

/** An operation of a binary file. */
struct Record
{
    uint8_t type;
    uint32_t peer;
    uint64_t size;
    uint32_t tag;
    uint8_t cpu;
    std::vector<uint32_t> followers{};
    std::vector<uint32_t> startFollowers{};
};

std::string
PackGoalRank(const std::vector<Record>& records)
{
    std::vector<uint32_t> waits(records.size());
    std::string appendix;
    uint32_t next = 0;
    for (const auto& record : records)
    {
        for (const auto* list : {&record.followers, &record.startFollowers})
        {
            for (const uint32_t follower : *list)
            {
                ++waits[follower];
                Append<uint32_t>(appendix, follower);
            }
        }
    }
    std::string roots;
    std::string body;
    for (uint32_t i = 0; i < records.size(); ++i)
    {
        const Record& record = records[i];
        if (waits[i] == 0)
        {
            Append<uint32_t>(roots, i);
        }
        Append<uint32_t>(body, waits[i]);
        Append<uint8_t>(body, record.type);
        Append<uint32_t>(body, record.peer);
        Append<uint64_t>(body, record.size);
        Append<uint32_t>(body, record.tag);
        Append<uint8_t>(body, record.cpu);
        Append<uint8_t>(body, 0);
        for (const auto* list : {&record.followers, &record.startFollowers})
        {
            Append<uint32_t>(body, static_cast<uint32_t>(list->size()));
            Append<uint32_t>(body, next);
            next += static_cast<uint32_t>(list->size());
        }
    }
    std::string rank;
    Append<uint32_t>(rank, static_cast<uint32_t>(records.size()));
    Append<uint32_t>(rank, static_cast<uint32_t>(roots.size() / 4));
    return rank + roots + body + appendix;
}

/** The graph of GOAL in binary. */
std::string
PackGoal()
{
    const std::vector<std::string> ranks{
        PackGoalRank({{3, 0, 100, 0, 1, {1}}, {1, 1, 8, 3, 0, {}, {2}}, {3, 0, 30, 0, 0}}),
        PackGoalRank({{2, 0, 8, 3, 0, {1}}, {3, 0, 50, 0, 0}})};
    std::string file;
    Append<uint64_t>(file, 4223);
    Append<uint32_t>(file, 2);
    Append<uint8_t>(file, 1);
    Append<uint8_t>(file, 0);
    uint64_t begin = 6 + 16 * ranks.size(); // counted from byte 8
    for (const auto& rank : ranks)
    {
        Append<uint64_t>(file, begin);
        Append<uint64_t>(file, begin + rank.size());
        begin += rank.size();
    }
    return file + ranks[0] + ranks[1];
}

/** Expect the graph of GOAL. */
void
ExpectGoalGraph(const TaskGraph& graph)
{
    ASSERT_EQ(graph.ranks.size(), 2U);
    const GraphProgram& first = *graph.ranks[0].program;
    ASSERT_EQ(first.nodes.size(), 3U);
    EXPECT_EQ(first.nodes[1].kind, Kind::SEND);
    EXPECT_EQ(first.nodes[1].amount, 8U);
    EXPECT_EQ(first.nodes[1].tag, 3U);
    EXPECT_EQ(graph.ranks[0].peers, std::vector<uint32_t>{1});
    EXPECT_NE(first.nodes[0].lane, first.nodes[2].lane); // cpu 1 and cpu 0
    EXPECT_EQ(first.before, (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(first.endedEnds, (std::vector<uint32_t>{0, 1, 1}));
    EXPECT_EQ(first.startedEnds, (std::vector<uint32_t>{0, 1, 2}));
    EXPECT_EQ(Length(graph), 100 + 50); // rank 0 computes and sends, rank 1 computes
}

// ---- Chakra

std::string
Varint(uint64_t value)
{
    std::string bytes;
    for (; value >= 0x80; value >>= 7)
    {
        bytes.push_back(static_cast<char>(value | 0x80));
    }
    bytes.push_back(static_cast<char>(value));
    return bytes;
}

std::string
NumberField(uint32_t number, uint64_t value)
{
    return Varint(number << 3) + Varint(value);
}

std::string
BytesField(uint32_t number, const std::string& bytes)
{
    return Varint(number << 3 | 2) + Varint(bytes.size()) + bytes;
}

std::string
Framed(const std::string& message)
{
    return Varint(message.size()) + message;
}

/** An attribute; by default an int64. */
std::string
WholeAttribute(const std::string& name, uint64_t value, uint32_t field = 9)
{
    return BytesField(10, BytesField(1, name) + NumberField(field, value));
}

std::string
TextAttribute(const std::string& name, const std::string& text)
{
    return BytesField(10, BytesField(1, name) + BytesField(29, text));
}

/** A node with data dependencies, packed. */
std::string
TraceNode(uint64_t id,
          uint64_t type,
          const std::string& more,
          const std::vector<uint64_t>& dependencies = {})
{
    std::string packed;
    for (const uint64_t dependency : dependencies)
    {
        packed += Varint(dependency);
    }
    return Framed((id == 0 ? "" : NumberField(1, id)) + BytesField(2, "n") + NumberField(3, type) +
                  (packed.empty() ? "" : BytesField(5, packed)) + more);
}

const std::string METADATA = Framed(BytesField(1, "0.0.4"));

std::string
ComputeNode(uint64_t id, uint64_t microseconds, const std::vector<uint64_t>& dependencies = {})
{
    return TraceNode(id, 4, NumberField(7, microseconds), dependencies);
}

std::string
CollectiveNode(uint64_t id, uint64_t type, uint64_t bytes, const std::string& more = "")
{
    return TraceNode(id,
                     7,
                     WholeAttribute("is_cpu_op", 0, 27) + WholeAttribute("comm_type", type) +
                         WholeAttribute("comm_size", bytes) + more);
}

/** Two ranks: computing, then a message, and an all-gather of both. */
std::vector<Text>
MakeChakra()
{
    return {{"t.0.et",
             METADATA + ComputeNode(0, 5, {7}) + // a node that follows
                 TraceNode(3,
                           5,
                           WholeAttribute("comm_size", 64) + WholeAttribute("comm_dst", 1, 7) +
                               WholeAttribute("comm_tag", 9, 11),
                           {0}) +
                 ComputeNode(7, 2) + CollectiveNode(8, 2, 100)},
            {"t.1.et",
             METADATA +
                 TraceNode(1,
                           6,
                           WholeAttribute("comm_size", 64) + WholeAttribute("comm_src", 0, 7) +
                               WholeAttribute("comm_tag", 9, 11)) +
                 ComputeNode(2, 4, {1}) + CollectiveNode(3, 2, 100)}};
}

std::string
Gzip(const std::string& text)
{
    std::ostringstream packed;
    boost::iostreams::filtering_ostream filter;
    filter.push(boost::iostreams::gzip_compressor());
    filter.push(packed);
    filter << text;
    filter.reset();
    return packed.str();
}

// ---- SimAI

const std::string SIMAI_HEADER = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: "
                                 "2 pp: 1 vpp: 1 ga: 1 all_gpus: "
                                 "8 checkpoints: 0 checkpoint_initiates: 0 pp_comm 6291456.0\n";
const std::string SIMAI = SIMAI_HEADER +
                          "2\n"
                          "a -1 10 ALLREDUCE 100 20 NONE 0 30 ALLREDUCE 200 5\n"
                          "b\t-1\t1 ALLTOALL_EP 64 2 ALLGATHER 32 3 REDUCESCATTER_DP_EP 16 0\n";
const Settings TOTAL{{"AllGatherSize", "total"}};

} // namespace

TEST(GraphFormat, EachFormatKnowsItsOwnFiles)
{
    const std::vector<std::tuple<std::string, std::string, std::string>> files{
        {"goal", "f", GOAL},
        {"goal-binary", "f", PackGoal()},
        {"chakra", "t.0.et", MakeChakra()[0].second},
        {"chakra", "f", Gzip("x")},
        {"simai", "f", SIMAI},
        {"", "f", "hello"}};
    for (const auto& [wanted, file, text] : files)
    {
        for (const auto& name : ListPolicies(GraphFormat::GetTypeId()))
        {
            const auto format = CreatePolicy<GraphFormat>(name);
            EXPECT_EQ(format->Recognises(file, text.substr(0, GraphFormat::RECOGNISED)),
                      name == wanted)
                << name << ": " << wanted;
            EXPECT_FALSE(format->GetSummary().empty());
        }
    }
    EXPECT_EQ(FindGraphFormat(AsFiles({{"f", GOAL}})), "goal");
    EXPECT_THROW(FindGraphFormat(AsFiles({{"f", "hello"}})), InputError);
}

TEST(GoalGraphFormat, TextAndBinaryGiveTheSameGraph)
{
    ExpectGoalGraph(ReadTexts("goal", {{"f", GOAL}}));
    ExpectGoalGraph(ReadTexts("goal-binary", {{"f", PackGoal()}}));
}

TEST(GoalGraphFormat, ErrorsHaveLines)
{
    EXPECT_EQ(Complaints("goal", "num_ranks 1\nrank 0 {\ncalc 5\n"),
              "f: line 4: the file ends within a rank: } is missing");
    EXPECT_EQ(Complaints("goal", "num_ranks 2\nrank 0 {\n}\n"),
              "f: line 4: num_ranks promises 2 ranks; there are 1");
    EXPECT_EQ(Complaints("goal", "num_ranks 1\nrank 0 {\na: calc 1\na requires b\n}\n"),
              "f: line 4: there is no operation \"b\" before this line in its rank");
    EXPECT_EQ(Complaints("goal", "num_ranks 1\nrank 0 {\nrecv 8b from -1\n}\n"),
              "f: line 3: any source is not supported");
    EXPECT_EQ(Complaints("goal", "num_ranks 1\nrank 0 {\ncalc 99999999999999999999\n}\n"),
              "f: line 3: the time must be a whole number up to 9223372036854775807, is "
              "\"99999999999999999999\"");
    EXPECT_EQ(
        Complaints("goal", "num_ranks 2\nrank 0 {\nsend 1b to 1 nic 1\n}\nrank 1 {\n}\n"),
        "f: rank 0, node 0: uses NIC 1, and the file does not say whether that is another "
        "GPU or another NIC of a rank that is one GPU (set IgnoreNics for the latter; the former "
        "is not supported)");
    EXPECT_EQ(Complaints("goal",
                         "num_ranks 2\nrank 0 {\ns: send 1b to 1 nic 1\n}\nrank 1 {\n}\n",
                         {{"IgnoreNics", "true"}}),
              "f: rank 0, node 0 \"s\": sends 1 B to rank 1 with tag 0, which receives no such "
              "message");
}

TEST(GoalGraphFormat, AllWrongLinesAreFoundAtOnce)
{
    EXPECT_EQ(Complaints("goal",
                         "num_ranks 2\n"
                         "rank 0 {\n"
                         "send 8b to 7\n"
                         "a: calk 5 tag 3 // a label that others wait for\n"
                         "b: calc x\n"
                         "b requires a\n"
                         "a irequires c }\n"
                         "rank 1 {\n"
                         "foo bar }\n"),
              "f: line 4: is no operation: \"calk\" (send, recv, calc, or LABEL requires LABEL)\n"
              "f: line 5: the time must be a whole number up to 9223372036854775807, is \"x\"\n"
              "f: line 7: there is no operation \"c\" before this line in its rank\n"
              "f: rank 0, node 0: its peer is 7 (ranks are 0 to 1; any source is not supported)\n"
              "f: line 9: is no operation: \"foo\" (send, recv, calc, or LABEL requires LABEL)");
}

TEST(GoalGraphFormat, TheUnitOfBytesMayStandApart)
{
    const TaskGraph graph =
        ReadTexts("goal",
                  {{"f", "num_ranks 2 rank 0 { send 8 b to 1 } rank 1 { recv 8b from 0 }"}});
    EXPECT_EQ(graph.ranks[0].program->nodes[0].amount, 8U);
    EXPECT_EQ(Complaints("goal", "num_ranks 2\nrank 0 {\nsend 8 to 1\n}\nrank 1 {\n}\n"),
              "f: line 3: expects \"b\" instead of \"to\"");
}

TEST(GoalGraphFormat, CommentsMayComeFirst)
{
    const std::string long1 = "// " + std::string(1000, 'x') + "\n";
    const std::string long2 = "/* " + std::string(1000, 'x') + " num_ranks */\n";
    EXPECT_EQ(FindGraphFormat(AsFiles({{"f", long1 + long2 + GOAL}})), "goal");
    EXPECT_THROW(FindGraphFormat(AsFiles({{"f", "a text about num_ranks"}})), InputError);
    EXPECT_THROW(FindGraphFormat(AsFiles({{"f", std::string(5000, 'x')}})), InputError);
}

TEST(GoalBinaryGraphFormat, RanksMayNotOverlap)
{
    // Both ranks point to the bytes of the first: a small file could be read thousands of times.
    std::string file = PackGoal();
    file.replace(14 + 16, 16, file, 14, 16);
    EXPECT_EQ(Complaints("goal-binary", file), "f: rank 1: begins at byte 46, before rank 0 ends");
    // The first rank begins within the table.
    file = PackGoal();
    file[14] = 0;
    EXPECT_EQ(Complaints("goal-binary", file),
              "f: rank 0: begins at byte 8, before the table of ranks ends");
}

TEST(GoalBinaryGraphFormat, AllWrongRanksAreFoundAtOnce)
{
    std::string file = PackGoal();
    file[46 + 8 + 4 + 4] = 9; // type of the first operation of rank 0
    const std::size_t second = 46 + 12 + 3 * 39 + 4 * 2;
    file[second + 8 + 4 + 4] = 9;
    EXPECT_EQ(Complaints("goal-binary", file),
              "f: rank 0, node 0: is of type 9 (1 send, 2 recv, 3 calc)\n"
              "f: rank 1, node 0: is of type 9 (1 send, 2 recv, 3 calc)");
}

TEST(GoalBinaryGraphFormat, DamageIsNamed)
{
    const std::string whole = PackGoal();
    EXPECT_EQ(Complaints("goal-binary", whole.substr(0, 10)), "f: header: is cut off");
    EXPECT_EQ(Complaints("goal-binary", whole.substr(0, 20)), "f: table of 2 ranks: is cut off");
    EXPECT_EQ(Complaints("goal-binary", whole.substr(0, whole.size() - 1)),
              "f: rank 1: is cut off, or its counts are wrong");
    std::string used = whole;
    used[0] = static_cast<char>(2342 & 0xFF);
    used[1] = static_cast<char>(2342 >> 8);
    EXPECT_EQ(Complaints("goal-binary", used),
              "f: header: was used up by a simulation, which changes the file");
}

TEST(ChakraGraphFormat, NodesWaitForDataDependencies)
{
    const TaskGraph graph = ReadTexts("chakra", MakeChakra());
    ASSERT_EQ(graph.ranks.size(), 2U);
    const GraphProgram& first = *graph.ranks[0].program;
    ASSERT_EQ(first.nodes.size(), 4U);
    EXPECT_EQ(first.nodes[0].amount, 5000U); // microseconds
    EXPECT_EQ(first.before, (std::vector<uint32_t>{2, 0}));
    EXPECT_EQ(first.names[1], "3 n");
    EXPECT_EQ(first.nodes[1].tag, 9U);
    EXPECT_EQ(first.nodes[3].collective, Collective::ALL_GATHER);
    EXPECT_EQ(first.nodes[3].amount, 200U); // one rank's 100 B, of 2
    EXPECT_EQ(graph.groups.size(), 1U);
    EXPECT_EQ(Length(graph), 2000 + 5000 + 4000);
    EXPECT_EQ(ReadTexts("chakra", MakeChakra(), TOTAL).ranks[0].program->nodes[3].amount, 100U);
}

TEST(ChakraGraphFormat, FilesCanBePackedAndInAnyOrder)
{
    auto texts = MakeChakra();
    texts[0].second = Gzip(texts[0].second);
    std::swap(texts[0], texts[1]);
    const TaskGraph graph = ReadTexts("chakra", texts);
    EXPECT_EQ(graph.ranks[0].source, "t.0.et");
    EXPECT_EQ(Length(graph), 2000 + 5000 + 4000);
    texts[1].second.resize(texts[1].second.size() / 2);
    EXPECT_EQ(Complaints("chakra", texts),
              "t.0.et: rank 0, at its beginning: its gzip packing is damaged or cut off");
}

TEST(ChakraGraphFormat, GroupsComeFromJsonOrMetadata)
{
    const std::string node = METADATA + CollectiveNode(1, 0, 50, TextAttribute("pg_name", "g"));
    const std::string json = R"({"g": [1, 0]})";
    EXPECT_EQ(
        ReadTexts("chakra", {{"t.0.et", node}, {"t.1.et", node}, {"g.json", json}}).groups[0].ranks,
        (std::vector<uint32_t>{1, 0}));
    const std::string metadata =
        METADATA +
        TraceNode(0, 1, BytesField(8, BytesField(1, R"('[{"pg_name": "g", "ranks": [0, 1]}]')"))) +
        CollectiveNode(1, 0, 50, TextAttribute("pg_name", "g"));
    EXPECT_EQ(ReadTexts("chakra", {{"t.0.et", metadata}, {"t.1.et", metadata}}).groups[0].ranks,
              (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(
        Complaints("chakra", std::vector<Text>{{"t.0.et", node}}),
        "t.0.et: rank 0, node 0 \"1 n\": there is no group \"g\" (groups come from a JSON file "
        "{\"name\": [ranks]} beside the ranks' files, or from metadata nodes)");
}

TEST(ChakraGraphFormat, MetadataOfGroupsMayFollowTheirUse)
{
    const std::string use = CollectiveNode(1, 0, 50, TextAttribute("pg_name", "g"));
    const auto define = [](const std::string& ranks) {
        return TraceNode(
            0,
            1,
            BytesField(8, BytesField(1, R"([{"pg_name": "g", "ranks": [)" + ranks + "]}]")));
    };
    const std::vector<uint32_t> both{0, 1};
    const auto read = [](const std::string& first, const std::string& second) {
        return ReadTexts("chakra", {{"t.0.et", METADATA + first}, {"t.1.et", METADATA + second}});
    };
    EXPECT_EQ(read(use + define("0, 1"), use).groups.at(0).ranks, both);
    // Only the last file defines the group; an all-gather needs its size before.
    const std::string gather = CollectiveNode(1, 2, 50, TextAttribute("pg_name", "g"));
    const TaskGraph graph = read(gather, gather + define("0, 1"));
    EXPECT_EQ(graph.groups.at(0).ranks, both);
    EXPECT_EQ(graph.ranks[0].program->nodes[0].amount, 100U);
    // PyTorch writes no ranks if all are members.
    EXPECT_EQ(read(use + define(""), use).groups.at(0).ranks, both);
    EXPECT_EQ(
        Complaints(
            "chakra",
            {{"t.0.et", METADATA + use}, {"t.1.et", METADATA + use}, {"g.json", R"({"g": []})"}}),
        "g.json: group \"g\": has no members");
    EXPECT_EQ(Complaints("chakra",
                         {{"t.0.et", METADATA + use},
                          {"t.1.et", METADATA + use},
                          {"g.json", R"({"g": [0, 99]})"}}),
              "g.json: group \"g\": its member 99 does not exist (ranks are 0 to 1)");
}

TEST(ChakraGraphFormat, MessagesBelongToTheRankOfTheirFile)
{
    const auto message = [](uint64_t type, uint64_t source, uint64_t destination) {
        return METADATA +
               TraceNode(1,
                         type,
                         WholeAttribute("comm_size", 8) + WholeAttribute("comm_src", source) +
                             WholeAttribute("comm_dst", destination));
    };
    EXPECT_EQ(Complaints("chakra", {{"t.0.et", message(5, 0, 1)}, {"t.1.et", message(6, 0, 1)}}),
              "");
    EXPECT_EQ(
        Complaints("chakra", {{"t.0.et", message(5, 1, 1)}, {"t.1.et", message(6, 0, 0)}}),
        "t.0.et: rank 0, node 0 \"1 n\": its comm_src is 1, and it stands in the file of rank "
        "0\n"
        "t.1.et: rank 1, node 0 \"1 n\": its comm_dst is 0, and it stands in the file of rank "
        "1");
}

TEST(ChakraGraphFormat, InvalidNodesTakeNoTime)
{
    const std::string nodes = TraceNode(1, 0, NumberField(7, 9)) + ComputeNode(2, 5, {1});
    EXPECT_EQ(Length(ReadTexts("chakra", {{"t.0.et", METADATA + nodes}})), 5000);
}

TEST(ChakraGraphFormat, SmallFilesDoNotTakeMuchMemory)
{
    // A million nodes without ids in 2 kB: the second has the id of the first.
    std::string many = METADATA;
    for (int i = 0; i < 1000000; ++i)
    {
        many += Framed(NumberField(3, 4));
    }
    const std::string twenty = Complaints("chakra", {{"t.0.et", Gzip(many)}});
    EXPECT_EQ(std::count(twenty.begin(), twenty.end(), '\n'), 19);
    EXPECT_EQ(twenty.substr(0, twenty.find('\n')),
              "t.0.et: rank 0, node 1 \"0 \": has the id of a node before it");
    // A dependency that a node repeats is one; different ones are limited.
    const std::vector<uint64_t> same(1000000, 1);
    const std::string nodes = ComputeNode(1, 1) + ComputeNode(2, 1, same);
    EXPECT_EQ(ReadTexts("chakra", {{"t.0.et", METADATA + nodes}}, {{"MostEdges", "1"}})
                  .ranks[0]
                  .program->before,
              std::vector<uint32_t>{0});
    EXPECT_EQ(Complaints("chakra",
                         {{"t.0.et", METADATA + nodes + ComputeNode(3, 1, {1})}},
                         {{"MostEdges", "1"}}),
              "t.0.et: rank 0, behind node 2: there are more dependencies than MostEdges");
}

TEST(ChakraGraphFormat, AllWrongNodesAreFoundAtOnce)
{
    EXPECT_EQ(Complaints("chakra",
                         {{"t.0.et",
                           METADATA + TraceNode(5, 2, "") + ComputeNode(6, 1) +
                               TraceNode(7, 5, WholeAttribute("comm_size", 1))},
                          {"t.1.et", METADATA + ComputeNode(6, 1) + TraceNode(5, 3, "")}}),
              "t.0.et: rank 0, node 0 \"5 n\": is of type 2 (0 invalid, 1 metadata, 4 compute, 5 "
              "send, 6 receive, 7 collective; memory that is loaded and stored is not supported)\n"
              "t.0.et: rank 0, node 2 \"7 n\": has no comm_dst\n"
              "t.1.et: rank 1, node 1 \"5 n\": is of type 3 (0 invalid, 1 metadata, 4 compute, 5 "
              "send, 6 receive, 7 collective; memory that is loaded and stored is not supported)");
    EXPECT_EQ(Complaints("chakra",
                         {{"t.0.et", METADATA + ComputeNode(5, 1, {8}) + ComputeNode(6, 1, {9})}}),
              "t.0.et: rank 0, node 0 \"5 n\": waits for the node of id 8, which does not exist\n"
              "t.0.et: rank 0, node 1 \"6 n\": waits for the node of id 9, which does not exist");
}

TEST(ChakraGraphFormat, RefusalsNameFileAndNode)
{
    const auto complain = [](const std::string& nodes, const Settings& settings = {}) {
        return Complaints("chakra", std::vector<Text>{{"t.0.et", METADATA + nodes}}, settings);
    };
    EXPECT_EQ(complain(ComputeNode(1, 1) + ComputeNode(1, 1)),
              "t.0.et: rank 0, node 1 \"1 n\": has the id of a node before it");
    EXPECT_EQ(complain(ComputeNode(1, 1, {4})),
              "t.0.et: rank 0, node 0 \"1 n\": waits for the node of id 4, which does not exist");
    EXPECT_EQ(
        complain(ComputeNode(1, 1, {2}) + ComputeNode(2, 1, {1})),
        "t.0.et: rank 0, node 0 \"1 n\": waits for itself: node 0 \"1 n\" waits for node 1 \"2 n\" "
        "waits for node 0 \"1 n\"");
    EXPECT_EQ(complain(TraceNode(1, 2, "")),
              "t.0.et: rank 0, node 0 \"1 n\": is of type 2 (0 invalid, 1 metadata, 4 compute, 5 "
              "send, 6 receive, 7 collective; memory that is loaded and stored is not supported)");
    EXPECT_EQ(complain(TraceNode(1, 5, WholeAttribute("comm_size", 1))),
              "t.0.et: rank 0, node 0 \"1 n\": has no comm_dst");
    EXPECT_EQ(complain(CollectiveNode(1, 3, 1)).substr(0, 51),
              "t.0.et: rank 0, node 0 \"1 n\": its comm_type is 3 (0");
    EXPECT_EQ(complain(TraceNode(1, 4, WholeAttribute("num_ops", 2000))),
              "t.0.et: rank 0, node 0 \"1 n\": has num_ops and no duration: set Flops");
    EXPECT_EQ(complain(TraceNode(1, 4, WholeAttribute("num_ops", 2000)), {{"Flops", "1e9"}}), "");
    EXPECT_EQ(Complaints("chakra", std::vector<Text>{{"t.0.et", METADATA}, {"t.2.et", METADATA}}),
              "t.2.et: rank 2: rank 1 has no file");
}

TEST(ChakraGraphFormat, ComputingTakesARoofline)
{
    const std::string node =
        TraceNode(1, 4, WholeAttribute("num_ops", 2000) + WholeAttribute("tensor_size", 500));
    const auto time = [&node](const Settings& settings) {
        return ReadTexts("chakra", {{"t.0.et", METADATA + node}}, settings)
            .ranks[0]
            .program->nodes[0]
            .amount;
    };
    EXPECT_EQ(time({{"Flops", "1e9"}}), 2000U);                        // 2000 op at 1 op/ns
    EXPECT_EQ(time({{"Flops", "1e9"}, {"MemoryRate", "1e8"}}), 5000U); // 500 B at 0.1 B/ns
}

TEST(SimaiGraphFormat, RowsRunForwardsAndThenBackwards)
{
    const TaskGraph graph = ReadTexts("simai", {{"f", SIMAI}}, TOTAL);
    ASSERT_EQ(graph.ranks.size(), 8U);
    const auto& names = graph.ranks[0].program->names;
    // forward a, b; backward b, a; each pass computes and then transfers
    EXPECT_EQ(names,
              (std::vector<std::string>{"a forward",
                                        "a forward",
                                        "b forward",
                                        "b forward",
                                        "b input gradient",
                                        "b input gradient",
                                        "b weight gradient",
                                        "b weight gradient",
                                        "a input gradient",
                                        "a weight gradient",
                                        "a weight gradient",
                                        "a update"}));
    // a 10, b 1, then b 2 and 3, a 20 and 30, and the update of a behind its transfer
    EXPECT_EQ(Length(graph), 10 + 1 + 2 + 3 + 20 + 30 + 5);
    for (const auto& rank : graph.ranks)
    {
        EXPECT_EQ(rank.program, graph.ranks[0].program);
    }
}

TEST(SimaiGraphFormat, GroupsFollowTheOrderOfRanks)
{
    // rank = tensor index + 2 * data index; 4 data indices, in 2 groups of experts
    const TaskGraph graph = ReadTexts("simai", {{"f", SIMAI}}, TOTAL);
    const auto members = [&graph](const std::string& name) {
        const auto found = std::find_if(graph.groups.begin(),
                                        graph.groups.end(),
                                        [&name](const auto& group) { return group.name == name; });
        return found == graph.groups.end() ? std::vector<uint32_t>{} : found->ranks;
    };
    EXPECT_EQ(members("tp1"), (std::vector<uint32_t>{2, 3}));
    EXPECT_EQ(members("dp1"), (std::vector<uint32_t>{1, 3, 5, 7}));
    EXPECT_EQ(members("ep0"), (std::vector<uint32_t>{0, 2}));
    EXPECT_EQ(members("ep2"), (std::vector<uint32_t>{4, 6}));
    EXPECT_EQ(members("dp-ep0"), (std::vector<uint32_t>{0, 4}));
}

TEST(SimaiGraphFormat, UnitsAndSizesAreAsked)
{
    EXPECT_EQ(Complaints("simai", SIMAI).substr(0, 55),
              "f: line 4: does not say whether the bytes of an all-gat");
    const std::string old = "HYBRID_TRANSFORMER model_parallel_NPU_group: 2\n1\n"
                            "a -1 10 NONE 0 20 NONE 0 30 ALLREDUCE 200 5\n";
    EXPECT_EQ(
        Complaints("simai", old),
        "f: line 1: has no all_gpus from 1 to 1048576: set Ranks\n"
        "f: line 1: has no ep from 1 to 1048576: set ExpertParallel\n"
        "f: line 1: has no pp from 1 to 1048576: set PipelineParallel\n"
        "f: line 1: 1 ranks are not divided by 2 (tensor) times 1 (pipeline), with a rest that "
        "1 (expert) divides\n"
        "f: line 1: does not say whether times are ns, as SimAI has them, or us, as chakra's "
        "converter does: set TimeUnit");
    const Settings given{{"Ranks", "4"},
                         {"ExpertParallel", "1"},
                         {"PipelineParallel", "1"},
                         {"TimeUnit", "us"}};
    EXPECT_EQ(Length(ReadTexts("simai", {{"f", old}}, given)), 65000);
    const auto input = ReadTexts("simai", {{"f", SIMAI}}, {{"AllGatherSize", "input"}});
    EXPECT_EQ(input.ranks[0].program->nodes[5].amount, 64U); // 32 B of each of 2
    const auto rounded = ReadTexts("simai",
                                   {{"f", SIMAI}},
                                   {{"AllGatherSize", "total"}, {"RoundUpForward", "true"}});
    EXPECT_EQ(rounded.ranks[0].program->nodes[1].amount, 4096U);
}

TEST(SimaiGraphFormat, RefusalsNameTheLine)
{
    EXPECT_EQ(Complaints("simai", SIMAI_HEADER + "3\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n"),
              "f: line 4: line 2 promises 3 rows; there are 1 (FewerRows reads these)");
    EXPECT_EQ(Complaints("simai", SIMAI_HEADER + "1\na -1 1 REDUCE 8 1 NONE 0 1 NONE 0 1\n"),
              "f: line 3: there is no transfer \"REDUCE\" (NONE, ALLREDUCE, ALLGATHER, "
              "REDUCESCATTER, ALLTOALL, BROADCAST, and these with _EP or _DP_EP)");
    EXPECT_EQ(Complaints("simai", SIMAI_HEADER + "1\na -1 1 NONE 0 1 NONE 0 1 NONE 0\n"),
              "f: line 3: has 11 columns instead of 12");
    EXPECT_EQ(Complaints("simai", "DLRM\n1\n").substr(0, 36),
              "f: line 1: its policy is \"DLRM\"; HYB");
    EXPECT_EQ(Complaints("simai", "MICRO\n1\n"),
              "f: line 1: has no all_gpus from 1 to 1048576: set Ranks");
    EXPECT_EQ(Complaints("simai",
                         "MICRO\n1\na -1 1 ALLREDUCE 8 1 NONE 0 1 ALLREDUCE 8 1\n",
                         {{"Ranks", "4"}}),
              "f: line 3: has a transfer in its first or second pass; the policy MICRO has one in "
              "the third alone");
}

TEST(SimaiGraphFormat, MicroIsAListOfCollectivesOfAllRanks)
{
    const TaskGraph graph = ReadTexts("simai",
                                      {{"f",
                                        "MICRO\n2\n"
                                        "a -1 1 NONE 0 1 NONE 0 1 ALLTOALL 4096 1\n"
                                        "a -1 1 NONE 0 1 NONE 0 1 BROADCAST 8192 1\n"}},
                                      {{"Ranks", "3"}});
    ASSERT_EQ(graph.ranks.size(), 3U);
    ASSERT_EQ(graph.groups.size(), 1U);
    EXPECT_EQ(graph.groups[0].ranks, (std::vector<uint32_t>{0, 1, 2}));
    const GraphProgram& program = *graph.ranks[0].program;
    ASSERT_EQ(program.nodes.size(), 2U); // the times of the rows do not count
    EXPECT_EQ(program.nodes[0].amount, 4096U);
    EXPECT_EQ(program.nodes[1].collective, Collective::BROADCAST);
    EXPECT_EQ(program.before, std::vector<uint32_t>{0}); // one after the other
}

TEST(SimaiGraphFormat, BroadcastsAndFilesThatAreCutShort)
{
    const auto graph =
        ReadTexts("simai",
                  {{"f", SIMAI_HEADER + "9\na -1 1 BROADCAST 16384 1 NONE 0 1 NONE 0 1\n"}},
                  {{"FewerRows", "true"}});
    const auto& nodes = graph.ranks[0].program->nodes;
    const auto found = std::find_if(nodes.begin(), nodes.end(), [](const auto& node) {
        return node.kind == Kind::COLLECTIVE;
    });
    ASSERT_NE(found, nodes.end());
    EXPECT_EQ(found->collective, Collective::BROADCAST);
    EXPECT_EQ(found->amount, 16384U);
    EXPECT_EQ(graph.groups[0].ranks, (std::vector<uint32_t>{0, 1})); // those of a tensor
}

// ---- Mutations

namespace
{

/** \return a text with some bits flipped, cut off, or its lines or pieces shuffled */
std::string
Mutate(std::string text, std::mt19937& random)
{
    const auto draw = [&random](std::size_t count) {
        return random() % std::max<std::size_t>(1, count);
    };
    switch (draw(3))
    {
    case 0:
        for (std::size_t i = 1 + draw(4); i > 0 && !text.empty(); --i)
        {
            text[draw(text.size())] ^= static_cast<char>(1 << draw(8));
        }
        return text;
    case 1:
        text.resize(draw(text.size()));
        return text;
    default:
        break;
    }
    std::vector<std::string> pieces;
    for (std::size_t begin = 0; begin < text.size();)
    {
        const auto line = text.find('\n', begin);
        const std::size_t end =
            line == std::string::npos ? std::min(text.size(), begin + 1 + draw(40)) : line + 1;
        pieces.push_back(text.substr(begin, end - begin));
        begin = end;
    }
    for (std::size_t i = 1 + draw(3); i > 0; --i)
    {
        std::swap(pieces[draw(pieces.size())], pieces[draw(pieces.size())]);
    }
    std::string shuffled;
    for (const auto& piece : pieces)
    {
        shuffled += piece;
    }
    return shuffled;
}

} // namespace

/** Runs a graph without times, node by node, as far as it goes. */
class Walk
{
  public:
    explicit Walk(const TaskGraph& graph)
        : m_graph(graph),
          m_states(graph.ranks.size())
    {
        for (uint32_t rank = 0; rank < m_states.size(); ++rank)
        {
            m_states[rank].resize(graph.ranks[rank].program->nodes.size());
        }
    }

    /** \return nodes that never end */
    std::size_t CountLeft()
    {
        std::size_t left = 0;
        for (bool isMoving = true; isMoving;)
        {
            isMoving = false;
            left = 0;
            for (uint32_t rank = 0; rank < m_states.size(); ++rank)
            {
                for (uint32_t node = 0; node < m_states[rank].size(); ++node)
                {
                    isMoving = Move(rank, node) || isMoving;
                    left += m_states[rank][node] == ENDED ? 0 : 1;
                }
            }
        }
        return left;
    }

  private:
    enum State : uint8_t
    {
        WAITING,
        STARTED,
        ENDED
    };

    bool Move(uint32_t rank, uint32_t node)
    {
        State& state = m_states[rank][node];
        const State before = state;
        if (state == WAITING && MayStart(rank, node))
        {
            state = STARTED;
            Start(rank, node);
        }
        if (state == STARTED && MayEnd(rank, node))
        {
            state = ENDED;
        }
        return state != before;
    }

    void Start(uint32_t rank, uint32_t node)
    {
        const RankGraph& own = m_graph.ranks[rank];
        const GraphNode& work = own.program->nodes[node];
        if (work.kind == Kind::SEND)
        {
            ++m_sent[{rank, own.peers.at(work.peer), work.tag}];
        }
        else if (work.kind == Kind::COLLECTIVE)
        {
            m_numbers[{rank, node}] = m_entered[{own.groups.at(work.peer), rank}]++;
        }
    }

    bool MayStart(uint32_t rank, uint32_t node) const
    {
        const GraphProgram& program = *m_graph.ranks[rank].program;
        for (uint32_t i = program.GetFirst(node); i < program.startedEnds[node]; ++i)
        {
            const State needed = i < program.endedEnds[node] ? ENDED : STARTED;
            if (m_states[rank].at(program.before[i]) < needed)
            {
                return false;
            }
        }
        return true;
    }

    bool MayEnd(uint32_t rank, uint32_t node)
    {
        const RankGraph& own = m_graph.ranks[rank];
        const GraphNode& work = own.program->nodes[node];
        if (work.kind == Kind::RECEIVE)
        {
            uint32_t& sent = m_sent[{own.peers.at(work.peer), rank, work.tag}];
            return sent > 0 && sent-- > 0;
        }
        if (work.kind != Kind::COLLECTIVE)
        {
            return true;
        }
        const uint32_t group = own.groups.at(work.peer);
        const auto& members = m_graph.groups.at(group).ranks;
        return std::all_of(members.begin(), members.end(), [&](uint32_t member) {
            return m_entered[{group, member}] > m_numbers[{rank, node}];
        });
    }

    const TaskGraph& m_graph;
    std::vector<std::vector<State>> m_states;
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> m_sent; //!< messages on their way
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_entered; //!< collectives by group, rank
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_numbers; //!< number of one in its group
};

TEST(GraphFormat, ChangedFilesAreReadOrRefusedWithNameAndPlace)
{
    auto packed = MakeChakra();
    packed[1].second = Gzip(packed[1].second);
    const std::vector<std::tuple<std::string, std::vector<Text>, Settings>> inputs{
        {"goal", {{"f", GOAL}}, {}},
        {"goal-binary", {{"f", PackGoal()}}, {}},
        {"chakra", MakeChakra(), {}},
        {"chakra", packed, {}},
        {"simai", {{"f", SIMAI}}, TOTAL}};
    std::mt19937 random(1);
    uint32_t refused = 0;
    for (uint32_t i = 0; i < 2000; ++i)
    {
        auto [format, texts, settings] = inputs[i % inputs.size()];
        auto& changed = texts[random() % texts.size()];
        changed.second = Mutate(changed.second, random);
        settings.emplace_back("MostNodes", "100000");
        try
        {
            const TaskGraph graph = ReadTexts(format, texts, settings);
            EXPECT_EQ(Walk(graph).CountLeft(), 0U) << format << ": " << i;
        }
        catch (const InputError& error)
        {
            ++refused;
            for (const auto& diagnostic : error.GetDiagnostics())
            {
                const bool isCount =
                    diagnostic.what.find("errors are not listed") != std::string::npos;
                EXPECT_TRUE(isCount || std::any_of(texts.begin(),
                                                   texts.end(),
                                                   [&](const auto& text) {
                                                       return diagnostic.where == text.first;
                                                   }))
                    << diagnostic.ToString();
                EXPECT_FALSE(diagnostic.what.empty());
                const bool isWhole = diagnostic.what.find("more complaints") != std::string::npos ||
                                     diagnostic.what == "is empty, or cannot be read";
                EXPECT_TRUE(isWhole || !diagnostic.pointer.empty()) << diagnostic.ToString();
            }
        }
    }
    EXPECT_GT(refused, 1000U); // most changes matter
    EXPECT_LT(refused, 2000U); // and some do not
}

using GraphFiles = ScratchFolder;

TEST_F(GraphFiles, APrefixStandsForAllRanks)
{
    for (const auto& [name, text] : MakeChakra())
    {
        Write(name, text);
    }
    const std::string prefix = (m_folder / "t").string();
    const auto files = OpenGraphFiles({prefix});
    ASSERT_EQ(files.size(), 2U);
    EXPECT_EQ(FindGraphFormat(files), "chakra");
    EXPECT_EQ(CreatePolicy<GraphFormat>("chakra")->Read(files).ranks.size(), 2U);
    EXPECT_THROW(OpenGraphFiles({prefix + "x"}), InputError);
}

TEST_F(GraphFiles, AMissingRankIsNamed)
{
    for (const std::string rank : {"0", "1", "3"})
    {
        Write("t." + rank + ".et", METADATA + ComputeNode(1, 1));
    }
    Write("t.more.et", "x");
    Write("tt.2.et", "x");
    const std::string prefix = (m_folder / "t").string();
    const auto files = OpenGraphFiles({prefix});
    ASSERT_EQ(files.size(), 3U);
    try
    {
        CreatePolicy<GraphFormat>("chakra")->Read(files);
        ADD_FAILURE() << "it was read";
    }
    catch (const InputError& error)
    {
        EXPECT_EQ(error.what(), prefix + ".3.et: rank 3: rank 2 has no file");
    }
}

TEST_F(GraphFiles, AFolderWithTheNameOfAPrefixIsNoFile)
{
    const std::string prefix = (m_folder / "t").string();
    std::filesystem::create_directory(prefix);
    const auto complain = [](const std::string& path) -> std::string {
        try
        {
            OpenGraphFiles({path});
        }
        catch (const InputError& error)
        {
            return error.what();
        }
        return "";
    };
    const std::string what = ": is no file that can be read, and there is no file of a rank that "
                             "begins with it: PREFIX.RANK.et";
    EXPECT_EQ(complain(prefix), prefix + what);
    const std::string endless(5000, 'x');
    EXPECT_EQ(complain(endless), endless + what);
    EXPECT_EQ(complain(prefix + "/" + endless), prefix + "/" + endless + what);
    Write("t.0.et", METADATA);
    EXPECT_EQ(OpenGraphFiles({prefix}).at(0).name, prefix + ".0.et");
}
