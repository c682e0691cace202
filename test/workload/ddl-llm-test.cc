// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-error.h"
#include "ns3/ddl-llm.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <tuple>

using namespace ns3::ddl;

namespace
{

/** GPT-3 175B as in Megatron-LM's public example: t = p = d = 8, 16 micro-batches. */
LlmSpec
MakeGpt3()
{
    LlmSpec spec = FindLlm("gpt3-175b");
    spec.tensor = 8;
    spec.pipeline = 8;
    spec.data = 8;
    spec.zero = 1;
    spec.globalBatch = 128;
    return spec;
}

/** Mixtral on 16 GPUs, experts over 8 of them. */
LlmSpec
MakeMixtral()
{
    LlmSpec spec = FindLlm("mixtral-8x7b");
    spec.sequence = 2048;
    spec.tensor = 2;
    spec.data = 8;
    spec.expert = 8;
    spec.globalBatch = 8;
    return spec;
}

/** Numbers and bytes of what a rank does, by kind, or by group and collective. */
struct Sums
{
    std::map<std::pair<uint32_t, Collective>, std::map<uint64_t, uint32_t>> collectives;
    std::map<uint64_t, uint32_t> sends;
    uint64_t computing{0}; //!< ns
};

Sums
SumUp(const TaskGraph& graph, uint32_t rank)
{
    Sums sums;
    for (const GraphNode& node : graph.ranks[rank].program->nodes)
    {
        if (node.kind == GraphNode::Kind::COMPUTE)
        {
            sums.computing += node.amount;
        }
        else if (node.kind == GraphNode::Kind::SEND)
        {
            ++sums.sends[node.amount];
        }
        else if (node.kind == GraphNode::Kind::COLLECTIVE)
        {
            ++sums.collectives[{node.peer, node.collective}][node.amount];
        }
    }
    return sums;
}

/** \return when the last node ends if communication takes no time; each GPU does one node at a time
 * in the order of the program, ns */
uint64_t
GetLongestPath(const TaskGraph& graph)
{
    using Key = std::pair<uint32_t, uint32_t>; // rank, node
    std::map<Key, uint64_t> ends;
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::vector<uint64_t>> sent;
    std::vector<uint32_t> next(graph.ranks.size(), 0);
    std::vector<uint64_t> free(graph.ranks.size(), 0);
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> taken;
    std::map<std::pair<uint32_t, uint32_t>, std::map<uint32_t, uint64_t>> met; // group, instance
    std::map<Key, uint32_t> instances;                                         // rank, group
    uint64_t last = 0;
    for (bool moves = true; moves;)
    {
        moves = false;
        for (uint32_t rank = 0; rank < graph.ranks.size(); ++rank)
        {
            const RankGraph& own = graph.ranks[rank];
            for (; next[rank] < own.program->nodes.size(); ++next[rank], moves = true)
            {
                const uint32_t node = next[rank];
                const GraphNode& work = own.program->nodes[node];
                uint64_t start = 0;
                for (uint32_t i = own.program->GetFirst(node); i < own.program->startedEnds[node];
                     ++i)
                {
                    start = std::max(start, ends.at({rank, own.program->before[i]}));
                }
                if (work.kind == GraphNode::Kind::COMPUTE)
                {
                    start = std::max(start, free[rank]) + work.amount;
                    free[rank] = start;
                }
                else if (work.kind == GraphNode::Kind::SEND)
                {
                    sent[{rank, own.peers[work.peer], work.tag}].push_back(start);
                }
                else if (work.kind == GraphNode::Kind::RECEIVE)
                {
                    const auto key = std::make_tuple(own.peers[work.peer], rank, work.tag);
                    if (sent[key].size() <= taken[key])
                    {
                        break;
                    }
                    start = std::max(start, sent[key][taken[key]++]);
                }
                else
                {
                    const uint32_t group = own.groups[work.peer];
                    auto& members = met[{group, instances[{rank, group}]}];
                    members[rank] = start;
                    if (members.size() < graph.groups[group].ranks.size())
                    {
                        break;
                    }
                    ++instances[{rank, group}];
                    for (const auto& [member, time] : members)
                    {
                        start = std::max(start, time);
                    }
                }
                ends[{rank, node}] = start;
                last = std::max(last, start);
            }
        }
    }
    for (uint32_t rank = 0; rank < graph.ranks.size(); ++rank)
    {
        EXPECT_EQ(next[rank], graph.ranks[rank].program->nodes.size()) << "rank " << rank;
    }
    return last;
}

uint64_t
GetSum(const std::map<uint64_t, uint32_t>& counts)
{
    uint64_t sum = 0;
    for (const auto& [bytes, count] : counts)
    {
        sum += bytes * count;
    }
    return sum;
}

} // namespace

TEST(Llm, Gpt3HasTheBytesOfItsFormulas)
{
    const LlmSpec spec = MakeGpt3();
    ASSERT_TRUE(CheckLlm(spec).empty());
    const LlmCounts counts = CountLlm(spec);
    EXPECT_EQ(counts.tensorBytes, 50'331'648U);
    EXPECT_EQ(counts.pipelineBytes, 6'291'456U);
    EXPECT_EQ(counts.stageWeights, 2'717'908'992U);
    EXPECT_EQ(counts.flops, 282'183'062'198'943'744U);
    EXPECT_EQ(counts.flops / spec.CountRanks(), 551'138'793'357'312U);
}

TEST(Llm, Gpt3SendsThemInItsGraph)
{
    const TaskGraph graph = MakeLlmGraph(MakeGpt3());
    const Sums middle = SumUp(graph, 3 * 64 + 5);
    const auto gathers = middle.collectives.at({0, Collective::ALL_GATHER});
    const auto scatters = middle.collectives.at({0, Collective::REDUCE_SCATTER});
    const uint32_t each = 12 * 16; // layers of a stage, micro-batches
    EXPECT_EQ(gathers, (std::map<uint64_t, uint32_t>{{50'331'648, 6 * each}}));
    EXPECT_EQ(scatters, (std::map<uint64_t, uint32_t>{{50'331'648, 4 * each}}));
    EXPECT_EQ((GetSum(gathers) + GetSum(scatters)) / 8 * 7, 84'557'168'640U);
    EXPECT_EQ(middle.sends, (std::map<uint64_t, uint32_t>{{6'291'456, 2 * 16}}));
    EXPECT_EQ(GetSum(middle.collectives.at({1, Collective::ALL_GATHER})), 5'435'817'984U);
    EXPECT_EQ(GetSum(middle.collectives.at({1, Collective::REDUCE_SCATTER})), 10'871'635'968U);
    const std::set<const GraphProgram*> programs = [&graph]() {
        std::set<const GraphProgram*> all;
        for (const RankGraph& rank : graph.ranks)
        {
            all.insert(rank.program.get());
        }
        return all;
    }();
    EXPECT_EQ(programs.size(), 8U); // one a stage
}

TEST(Llm, MixtralHasTheBytesOfItsFormulas)
{
    const LlmSpec spec = MakeMixtral();
    ASSERT_TRUE(CheckLlm(spec).empty());
    const LlmCounts counts = CountLlm(spec);
    EXPECT_EQ(counts.expertBytes, 16'777'216U);
    EXPECT_EQ(counts.tokenBytes, 33'554'432U);
    EXPECT_EQ(counts.tensorBytes, 16'777'216U);
    EXPECT_EQ(counts.flops, 1'305'910'576'152'576U);
    const Sums rank = SumUp(MakeLlmGraph(spec), 0);
    const auto exchanges = rank.collectives.at({2, Collective::ALL_TO_ALL});
    EXPECT_EQ(exchanges, (std::map<uint64_t, uint32_t>{{16'777'216, 4 * 32}}));
    EXPECT_EQ(GetSum(exchanges) / 8 * 7, 1'879'048'192U);
    // Attention: 1 + 2 all-gathers; tokens: 1 + 1. Both: as many reduce-scatters as passes.
    EXPECT_EQ(rank.collectives.at({0, Collective::ALL_GATHER}),
              (std::map<uint64_t, uint32_t>{{16'777'216, 3 * 32}, {33'554'432, 2 * 32}}));
    EXPECT_EQ(rank.collectives.at({0, Collective::REDUCE_SCATTER}),
              (std::map<uint64_t, uint32_t>{{16'777'216, 2 * 32}, {33'554'432, 2 * 32}}));
}

TEST(Llm, CountsOfPublicWorkloads)
{
    // AICB, physical workloads. GPT 13B, tensor 8, sequence parallel, one micro-batch.
    LlmSpec gpt = FindLlm("gpt3-175b");
    gpt.layers = 40;
    gpt.hidden = 5120;
    gpt.heads = gpt.kvHeads = 40;
    gpt.ffn = 20480;
    gpt.tensor = 8;
    gpt.globalBatch = 1;
    const Sums thirteen = SumUp(MakeLlmGraph(gpt), 0);
    EXPECT_EQ(thirteen.collectives.at({0, Collective::ALL_GATHER}),
              (std::map<uint64_t, uint32_t>{{20'971'520, 80 + 160}}));
    EXPECT_EQ(thirteen.collectives.at({0, Collective::REDUCE_SCATTER}),
              (std::map<uint64_t, uint32_t>{{20'971'520, 80 + 80}}));
    // Llama 65B, tensor 2, 8 stages: 56 forward sends in 8 micro-batches.
    LlmSpec llama = FindLlm("llama-70b");
    llama.sequence = 2048;
    llama.tensor = 2;
    llama.pipeline = 8;
    llama.sequenceParallel = false;
    llama.globalBatch = 8;
    const TaskGraph graph = MakeLlmGraph(llama);
    uint32_t forward = 0;
    for (uint32_t stage = 0; stage < 8; ++stage)
    {
        for (const GraphNode& node : graph.ranks[2 * stage].program->nodes)
        {
            forward += node.kind == GraphNode::Kind::SEND && node.tag % 2 == 0 ? 1 : 0;
            EXPECT_TRUE(node.kind != GraphNode::Kind::SEND || node.amount == 33'554'432U);
        }
    }
    EXPECT_EQ(forward, 56U);
    // Llama 7B, ZeRO 3: 128 and 96 all-gathers, forwards and again backwards.
    LlmSpec zero = FindLlm("llama-7b");
    zero.data = 8;
    zero.zero = 3;
    zero.globalBatch = 8;
    EXPECT_EQ(SumUp(MakeLlmGraph(zero), 0).collectives.at({1, Collective::ALL_GATHER}),
              (std::map<uint64_t, uint32_t>{{33'554'432, 2 * 128}, {90'177'536, 2 * 96}}));
}

TEST(Llm, APipelineHasItsBubble)
{
    for (const uint32_t stages : {1U, 2U, 4U, 8U})
    {
        for (const uint32_t batches : {1U, 3U, 8U, 16U})
        {
            LlmSpec spec = FindLlm("llama-7b");
            spec.vocabulary = 0; // all stages are equally long
            spec.pipeline = stages;
            spec.globalBatch = batches;
            const TaskGraph graph = MakeLlmGraph(spec);
            const uint64_t busy = SumUp(graph, 0).computing;
            EXPECT_EQ(GetLongestPath(graph), busy / batches * (batches + stages - 1))
                << stages << " stages, " << batches << " micro-batches";
        }
    }
}

TEST(Llm, RandomOnesRunToTheirEnds)
{
    std::mt19937 random(1);
    const auto pick = [&random](std::vector<uint32_t> from) {
        return from[random() % from.size()];
    };
    uint32_t seen = 0;
    for (int i = 0; i < 300; ++i)
    {
        LlmSpec spec = FindLlm(pick({0, 1}) == 0 ? "tiny" : "mixtral-8x7b");
        spec.layers = 4;
        spec.sequence = 128;
        spec.tensor = pick({1, 2, 4});
        spec.pipeline = pick({1, 2, 4});
        spec.data = pick({1, 2, 4});
        spec.expert = spec.experts > 0 ? pick({1, 2, 4}) : 1;
        spec.zero = pick({0, 1, 2, 3});
        spec.sequenceParallel = pick({0, 1}) == 1;
        spec.recompute = pick({0, 1}) == 1;
        spec.microBatch = pick({1, 2});
        spec.globalBatch = spec.microBatch * spec.data * pick({1, 2, 5});
        if (!CheckLlm(spec).empty())
        {
            continue;
        }
        ++seen;
        const TaskGraph graph = MakeLlmGraph(spec);
        ASSERT_EQ(graph.ranks.size(), spec.CountRanks());
        GetLongestPath(graph); // all ranks come to their ends: messages and collectives match
        double computing = 0;
        for (uint32_t rank = 0; rank < graph.ranks.size(); ++rank)
        {
            computing += static_cast<double>(SumUp(graph, rank).computing) * 1e-9;
        }
        const LlmCounts counts = CountLlm(spec);
        const double expected = static_cast<double>(counts.flops) / (spec.flops * spec.efficiency);
        // Embedding's recomputation apart, a third more when activations are computed again.
        EXPECT_GT(computing, 0.99 * expected);
        EXPECT_LT(computing, (spec.recompute ? 4.0 / 3 : 1.0) * expected * 1.01 + 1e-4);
    }
    EXPECT_GT(seen, 100U);
}

TEST(Llm, SaysAllThatCannotBe)
{
    LlmSpec spec = FindLlm("llama-7b");
    spec.tensor = 3;
    spec.pipeline = 5;
    spec.data = 4;
    spec.globalBatch = 6;
    EXPECT_EQ(CheckLlm(spec),
              (std::vector<std::string>{"layers 32 cannot be divided by pipeline 5",
                                        "heads 32 cannot be divided by tensor 3",
                                        "ffn 11008 cannot be divided by tensor 3",
                                        "vocabulary 32000 cannot be divided by tensor 3",
                                        "sequence 4096 cannot be divided by tensor 3",
                                        "globalBatch 6 cannot be divided by microBatch x data 4"}));
    EXPECT_THROW(FindLlm("gpt-5"), InputError);
}
