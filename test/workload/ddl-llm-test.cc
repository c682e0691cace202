// SPDX-License-Identifier: GPL-2.0-only
// Large language models: bytes and FLOPs against published numbers, and graphs that agree with
// them.
#include "ns3/ddl-llm.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <tuple>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

using Kind = GraphNode::Kind;

/** What the ranks of a graph do, summed. */
struct Use
{
    std::map<std::tuple<char, Collective, uint64_t>, uint64_t> counts; //!< by group, type, bytes
    std::map<std::pair<char, Collective>, uint64_t> bytes;             //!< by kind of group
    uint64_t sent{0};
    uint64_t compute{0}; //!< ns
};

/** \return what a rank does; kinds of groups are the first letters of their names, 'x' for "edp" */
Use
Sum(const TaskGraph& graph, uint32_t rank)
{
    Use use;
    const RankGraph& own = graph.ranks[rank];
    for (const GraphNode& node : own.program->nodes)
    {
        if (node.kind == Kind::COLLECTIVE)
        {
            const std::string& name = graph.groups[own.groups[node.peer]].name;
            const char kind = name.compare(0, 3, "edp") == 0 ? 'x' : name[0];
            ++use.counts[{kind, node.collective, node.amount}];
            use.bytes[{kind, node.collective}] += node.amount;
        }
        use.sent += node.kind == Kind::SEND ? node.amount : 0;
        use.compute += node.kind == Kind::COMPUTE ? node.amount : 0;
    }
    return use;
}

/** Runs a graph on a network where only data-parallel collectives take time, if anything. Nodes of
 * a rank are looked at in their order, so that a rank that waits for a message or for other members
 * goes on in a later round. */
class IdealRun
{
  public:
    /** \param data ns a byte of the buffer of a data-parallel collective */
    explicit IdealRun(const TaskGraph& graph, uint64_t data = 0)
        : m_graph(graph),
          m_data(data),
          m_ends(graph.ranks.size()),
          m_instances(graph.ranks.size())
    {
    }

    /** \return when the last node ends, ns; 0 if ranks wait for each other for ever */
    uint64_t Run()
    {
        uint64_t end = 0;
        for (bool isMoving = true; isMoving;)
        {
            isMoving = false;
            for (uint32_t rank = 0; rank < m_ends.size(); ++rank)
            {
                while (m_ends[rank].size() < Get(rank).nodes.size() && Step(rank))
                {
                    isMoving = true;
                    end = std::max(end, m_ends[rank].back());
                }
            }
        }
        for (uint32_t rank = 0; rank < m_ends.size(); ++rank)
        {
            end = m_ends[rank].size() < Get(rank).nodes.size() ? 0 : end;
        }
        return end;
    }

    /** \return messages that nobody has received */
    std::size_t CountUnread() const
    {
        return m_messages.size();
    }

  private:
    const GraphProgram& Get(uint32_t rank) const
    {
        return *m_graph.ranks[rank].program;
    }

    bool Step(uint32_t rank)
    {
        const GraphProgram& program = Get(rank);
        std::vector<uint64_t>& ends = m_ends[rank];
        const auto index = static_cast<uint32_t>(ends.size());
        const GraphNode& node = program.nodes[index];
        uint64_t at = 0;
        for (uint32_t i = program.GetFirst(index); i < program.endedEnds[index]; ++i)
        {
            at = std::max(at, ends.at(program.before[i]));
        }
        if (node.kind == Kind::COLLECTIVE)
        {
            return Meet(rank, node, at);
        }
        if (node.kind == Kind::RECEIVE)
        {
            const auto found =
                m_messages.find({m_graph.ranks[rank].peers[node.peer], rank, node.tag});
            if (found == m_messages.end() || found->second.second != node.amount)
            {
                return false;
            }
            at = std::max(at, found->second.first);
            m_messages.erase(found);
        }
        if (node.kind == Kind::SEND)
        {
            const uint32_t peer = m_graph.ranks[rank].peers[node.peer];
            const bool isNew =
                m_messages.insert({{rank, peer, node.tag}, {at, node.amount}}).second;
            EXPECT_TRUE(isNew) << "a tag is used for one message at a time";
        }
        ends.push_back(at + (node.kind == Kind::COMPUTE ? node.amount : 0));
        return true;
    }

    bool Meet(uint32_t rank, const GraphNode& node, uint64_t at)
    {
        const uint32_t group = m_graph.ranks[rank].groups[node.peer];
        const uint32_t instance = m_instances[rank][group];
        Meeting& meeting = m_meetings[{group, instance}];
        meeting.begun[rank] = at;
        meeting.what.insert({node.collective, node.amount});
        EXPECT_EQ(meeting.what.size(), 1U) << "members differ in " << m_graph.groups[group].name;
        if (meeting.begun.size() < m_graph.groups[group].ranks.size())
        {
            return false;
        }
        uint64_t end = 0;
        for (const auto& [member, begun] : meeting.begun)
        {
            end = std::max(end, begun);
        }
        end += m_graph.groups[group].name[0] == 'd' ? m_data * node.amount : 0;
        ++m_instances[rank][group];
        m_ends[rank].push_back(end);
        return true;
    }

    struct Meeting
    {
        std::map<uint32_t, uint64_t> begun; //!< by rank, ns
        std::set<std::pair<Collective, uint64_t>> what;
    };

    const TaskGraph& m_graph;
    const uint64_t m_data;
    std::vector<std::vector<uint64_t>> m_ends;
    std::vector<std::map<uint32_t, uint32_t>> m_instances; //!< collectives begun, by group
    std::map<std::pair<uint32_t, uint32_t>, Meeting> m_meetings;
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::pair<uint64_t, uint64_t>> m_messages;
};

std::size_t
CountPrograms(const TaskGraph& graph)
{
    std::set<const GraphProgram*> programs;
    for (const RankGraph& rank : graph.ranks)
    {
        programs.insert(rank.program.get());
    }
    return programs.size();
}

LlmSpec
Preset(const std::string& name)
{
    return GetLlmPresets().at(name);
}

/** GPT-3 on 512 GPUs. */
LlmSpec
MakeGpt3()
{
    LlmSpec spec = Preset("gpt3-175b");
    spec.tensor = spec.pipeline = spec.data = 8;
    spec.globalBatch = 128;
    spec.sequenceParallel = true;
    spec.zero = 1;
    return spec;
}

/** Mixtral on 16 GPUs, with short samples. */
LlmSpec
MakeMixtral()
{
    LlmSpec spec = Preset("mixtral-8x7b");
    spec.sequence = 2048;
    spec.tensor = 2;
    spec.data = spec.expert = spec.globalBatch = 8;
    spec.sequenceParallel = true;
    spec.zero = 1;
    return spec;
}

/** \return a valid specification: small, with everything drawn */
LlmSpec
DrawSpec(uint32_t seed)
{
    std::mt19937 random(seed);
    const auto draw = [&random](uint32_t first, uint32_t last) {
        return first + static_cast<uint32_t>(random() % (last - first + 1));
    };
    LlmSpec spec;
    spec.tensor = 1U << draw(0, 2);
    spec.pipeline = draw(1, 5);
    spec.expert = draw(1, 3);
    spec.data = spec.expert * draw(1, 3);
    spec.chunks = spec.pipeline > 1 ? draw(1, 3) : 1;
    spec.layers = spec.pipeline * spec.chunks * draw(1, 3);
    spec.kvHeads = spec.tensor * draw(1, 2);
    spec.heads = spec.kvHeads * draw(1, 3);
    spec.hidden = spec.heads * draw(1, 9);
    spec.ffn = spec.tensor * draw(1, 99);
    spec.gated = draw(0, 1) == 1;
    spec.vocabulary = spec.tensor * draw(0, 99);
    spec.sequence = spec.tensor * draw(1, 50);
    spec.experts = spec.expert * draw(1, 2);
    spec.topk = draw(1, spec.experts);
    spec.microBatch = draw(1, 3);
    const uint32_t micro = spec.chunks > 1 ? spec.pipeline * draw(1, 3) : draw(1, 9);
    spec.globalBatch = spec.microBatch * spec.data * micro;
    spec.sequenceParallel = spec.experts > 1 || draw(0, 1) == 1;
    spec.recompute = draw(0, 1) == 1;
    spec.zero = draw(0, 3);
    spec.flops = 1e9;
    return spec;
}

/** Compares what a rank does with the closed forms. */
void
ExpectEqual(const LlmSpec& spec, const LlmBytes& count, Use use, uint32_t stage)
{
    const auto get = [&use](char kind, Collective collective) {
        return use.bytes[{kind, collective}];
    };
    EXPECT_EQ(get('t', Collective::ALL_GATHER) + get('t', Collective::REDUCE_SCATTER) +
                  get('t', Collective::ALL_REDUCE),
              count.tensorBytes);
    EXPECT_EQ(get('e', Collective::ALL_TO_ALL), count.allToAllBytes);
    const bool isFirst = stage == 0;
    const bool isLast = stage + 1 == spec.pipeline;
    if (!isFirst && !isLast)
    {
        EXPECT_EQ(use.sent, count.pipelineSent);
    }
    const uint64_t more =
        spec.data > 1 ? count.embedding * ((isFirst ? 1 : 0) + (isLast ? 1 : 0)) : 0;
    const std::array<uint64_t, 4> gathers{0, 1, 1, 2 * count.microBatches};
    EXPECT_EQ(get('d', Collective::ALL_GATHER) + get('x', Collective::ALL_GATHER),
              count.dataGather + gathers[spec.zero] * spec.paramBytes * more);
    const Collective reduction =
        spec.zero == 0 ? Collective::ALL_REDUCE : Collective::REDUCE_SCATTER;
    EXPECT_EQ(get('d', reduction) + get('x', reduction),
              count.dataReduce + (spec.zero == 3 ? count.microBatches : 1) * spec.gradBytes * more);
    EXPECT_EQ(use.compute,
              count.microBatches * static_cast<uint64_t>((count.forward + count.backward +
                                                          count.output * (isLast ? 3 : 0))
                                                             .GetNanoSeconds()));
}

/** \return iteration time of a pipeline on a network without cost, ns */
uint64_t
GetPipelineTime(const LlmSpec& spec)
{
    const TaskGraph graph = MakeLlmGraph(spec);
    IdealRun path(graph);
    return path.Run();
}

/** \return passes of a rank in their order, by the first layer of each: "forward 3 layer 5"; layers
 * have two halves, and a pass two layers */
std::vector<std::string>
ListPasses(const TaskGraph& graph, uint32_t rank)
{
    const GraphProgram& program = *graph.ranks[rank].program;
    std::vector<std::string> passes;
    uint32_t halves = 0;
    for (std::size_t i = 0; i < program.nodes.size(); ++i)
    {
        if (program.nodes[i].kind == Kind::COMPUTE && halves++ % 4 == 0)
        {
            passes.push_back(program.names[i].substr(0, program.names[i].rfind(' ')));
        }
    }
    return passes;
}

/** \return number of forward passes before the first backward pass */
uint32_t
CountAhead(const std::vector<std::string>& passes)
{
    const auto first = std::find_if(passes.begin(), passes.end(), [](const std::string& pass) {
        return pass[0] == 'b';
    });
    return static_cast<uint32_t>(first - passes.begin());
}

/** A model without vocabulary, so that all stages are equal. */
LlmSpec
MakePipeline(uint32_t stages, uint32_t chunks, uint32_t microBatches)
{
    LlmSpec spec = Preset("tiny");
    spec.vocabulary = 0;
    spec.layers = 2 * stages * chunks;
    spec.pipeline = stages;
    spec.chunks = chunks;
    spec.data = 2;
    spec.globalBatch = 2 * microBatches;
    spec.zero = 1;
    return spec;
}

} // namespace

TEST(Llm, Gpt3On512Gpus)
{
    const LlmSpec spec = MakeGpt3();
    ASSERT_TRUE(CheckLlm(spec).empty());
    const LlmBytes count = CountLlm(spec);
    EXPECT_EQ(count.microBatches, 16U);
    EXPECT_EQ(count.tensorBuffer, 50'331'648U); // 2 * 2048 * 12288
    EXPECT_EQ(count.tensorSentOnce, 44'040'192U);
    EXPECT_EQ(count.tensorSentLayer, 440'401'920U);
    EXPECT_EQ(count.tensorSent, 84'557'168'640U);
    EXPECT_EQ(count.pipelineMessage, 6'291'456U);
    EXPECT_EQ(count.pipelineSent, 201'326'592U);
    EXPECT_EQ(count.weights, 2'717'908'992U); // 12 layers * 12 * 12288^2 / 8
    EXPECT_EQ(count.dataGather, 5'435'817'984U);
    EXPECT_EQ(count.dataReduce, 10'871'635'968U);
    EXPECT_EQ(count.dataGatherSent, 4'756'340'736U);
    EXPECT_EQ(count.dataReduceSent, 9'512'681'472U);
    EXPECT_EQ(count.flops, 282'183'062'198'943'744U);
    EXPECT_EQ(count.flopsPerGpu, 551'138'793'357'312U);
    EXPECT_DOUBLE_EQ(count.bubble, 7.0 / 16);
}

TEST(Llm, WeightsAndWhatAicbAdds)
{
    // AICB adds biases of 2 h a layer, the positions, and the
    // embedding fourfold and on every stage. It prints 2 bytes a parameter, 4 a gradient.
    const uint64_t h = 12288;
    const uint64_t gpt3 =
        CountLlm(MakeGpt3()).weights + 12 * 2 * h + 4 * 51200 * h / 8 + 2048 * h + 51200 * h / 8;
    EXPECT_EQ(2 * gpt3, 6'273'171'456U);
    EXPECT_EQ(4 * gpt3, 12'546'342'912U);
    // It has neither grouped queries nor the third matrix of a gated block.
    LlmSpec spec = MakeMixtral();
    spec.kvHeads = spec.heads;
    spec.gated = false;
    const uint64_t mixtral =
        CountLlm(spec).weights + 32 * 2 * 4096 + 4 * 16000 * 4096 + 2048 * 4096 + 16000 * 4096;
    EXPECT_EQ(2 * mixtral, 6'578'241'536U);
    // GPT 13B, 8 ranks a layer.
    spec = LlmSpec();
    spec.layers = 40;
    spec.hidden = 5120;
    spec.heads = spec.kvHeads = 40;
    spec.ffn = 4 * 5120;
    spec.tensor = 8;
    const uint64_t gpt13 = CountLlm(spec).weights + 2 * 4000 * 5120 + 2048 * 5120;
    EXPECT_EQ(2 * gpt13, 3'248'619'520U);
}

TEST(Llm, MixtralOn16Gpus)
{
    const LlmSpec spec = MakeMixtral();
    ASSERT_TRUE(CheckLlm(spec).empty());
    const LlmBytes count = CountLlm(spec);
    EXPECT_EQ(count.allToAll, 16'777'216U);
    EXPECT_EQ(count.tokenBuffer, 33'554'432U);
    EXPECT_EQ(count.tensorBuffer, 16'777'216U);
    EXPECT_EQ(count.allToAllOnce, 14'680'064U);
    EXPECT_EQ(count.allToAllSent, 1'879'048'192U);
    EXPECT_EQ(count.flops, 1'305'910'576'152'576U);
    Use use = Sum(MakeLlmGraph(spec), 0);
    const auto get = [&use](char kind, Collective collective, uint64_t bytes) {
        return use.counts[{kind, collective, bytes}];
    };
    EXPECT_EQ(get('e', Collective::ALL_TO_ALL, 16'777'216), 4U * 32);
    EXPECT_EQ(get('t', Collective::ALL_GATHER, 33'554'432), 2U * 32);
    EXPECT_EQ(get('t', Collective::REDUCE_SCATTER, 33'554'432), 2U * 32);
    EXPECT_EQ(get('t', Collective::ALL_GATHER, 16'777'216), 3U * 32);
    EXPECT_EQ(get('t', Collective::REDUCE_SCATTER, 16'777'216), 2U * 32);
}

TEST(Llm, FlopsWithRecomputationAreThoseOfThePaper)
{
    // Narayanan et al., section 5.1: 96 B s l h^2 (1 + s / 6h + V / 16lh)
    //     = 96 B s l h^2 + 16 B s^2 l h + 6 B s h V: the logits are not computed again.
    LlmSpec spec = MakeGpt3();
    spec.recompute = true;
    const uint64_t b = 128;
    const uint64_t s = 2048;
    const uint64_t l = 96;
    const uint64_t h = 12288;
    const uint64_t v = 51200;
    EXPECT_EQ(CountLlm(spec).flops,
              96 * b * s * l * h * h + 16 * b * s * s * l * h + 6 * b * s * h * v);
    // The same from the times of the nodes of all ranks, at 1 FLOP per ns.
    spec.flops = 1e9;
    spec.efficiency = 1;
    const TaskGraph graph = MakeLlmGraph(spec);
    double time = 0;
    for (uint32_t rank = 0; rank < graph.ranks.size(); ++rank)
    {
        time += static_cast<double>(Sum(graph, rank).compute);
    }
    EXPECT_NEAR(time, static_cast<double>(CountLlm(spec).flops), 1e-6 * time);
}

TEST(Llm, NamesAreMadeOnRequest)
{
    const LlmSpec spec = Preset("tiny");
    EXPECT_TRUE(MakeLlmGraph(spec).ranks[0].program->names.empty());
    const auto named = MakeLlmGraph(spec, true).ranks[0].program;
    EXPECT_EQ(named->names.size(), named->nodes.size());
    EXPECT_EQ(named->names[0], "forward 0 layer 0 attention");
}

TEST(Llm, MixtralPublishedSize)
{
    // 46.7 billion parameters (Jiang et al.), of which layer norms are 0.0003 billion.
    const LlmSpec spec = Preset("mixtral-8x7b");
    const LlmBytes count = CountLlm(spec);
    EXPECT_NEAR(static_cast<double>(count.weights + 2 * count.embedding), 46.7e9, 0.05e9);
}

TEST(Llm, LlamaPublishedSizes)
{
    // Parameters of the published weights, without layer norms: (2 L + 1) h.
    const std::map<std::string, uint64_t> sizes{{"llama-7b", 6'738'415'616},
                                                {"llama-13b", 13'015'864'320},
                                                {"llama-70b", 68'976'648'192}};
    for (const auto& [name, size] : sizes)
    {
        const LlmSpec spec = Preset(name);
        const LlmBytes count = CountLlm(spec);
        EXPECT_EQ(count.weights + 2 * count.embedding + (2 * spec.layers + 1) * spec.hidden, size)
            << name;
    }
}

TEST(Llm, CountsOfAicbForGpt13bWithSequenceParallelism)
{
    LlmSpec spec;
    spec.layers = 40;
    spec.hidden = 5120;
    spec.heads = spec.kvHeads = 40;
    spec.ffn = 4 * 5120;
    spec.sequence = 2048;
    spec.tensor = 8;
    spec.sequenceParallel = true;
    ASSERT_TRUE(CheckLlm(spec).empty());
    const TaskGraph graph = MakeLlmGraph(spec, true);
    const GraphProgram& program = *graph.ranks[0].program;
    std::map<std::tuple<bool, Collective, uint64_t>, int> counts;
    for (std::size_t i = 0; i < program.nodes.size(); ++i)
    {
        const GraphNode& node = program.nodes[i];
        if (node.kind == Kind::COLLECTIVE)
        {
            ++counts[{program.names[i][0] == 'f', node.collective, node.amount}];
        }
    }
    using Counts = std::map<std::tuple<bool, Collective, uint64_t>, int>;
    EXPECT_EQ(counts,
              (Counts{{{true, Collective::ALL_GATHER, 20'971'520}, 80},
                      {{true, Collective::REDUCE_SCATTER, 20'971'520}, 80},
                      {{false, Collective::ALL_GATHER, 20'971'520}, 160},
                      {{false, Collective::REDUCE_SCATTER, 20'971'520}, 80}}));
}

TEST(Llm, CountsOfAicbForLlama65bWithAPipeline)
{
    LlmSpec spec;
    spec.layers = 80;
    spec.hidden = 8192;
    spec.heads = spec.kvHeads = 64;
    spec.ffn = 22016;
    spec.gated = true;
    spec.sequence = 2048;
    spec.tensor = 2;
    spec.pipeline = 8;
    spec.globalBatch = 8;
    ASSERT_TRUE(CheckLlm(spec).empty());
    const TaskGraph graph = MakeLlmGraph(spec);
    int forward = 0;
    for (uint32_t rank = 0; rank < graph.ranks.size(); rank += 2) // tensor index 0
    {
        for (const GraphNode& node : graph.ranks[rank].program->nodes)
        {
            if (node.kind == Kind::SEND && graph.ranks[rank].peers[node.peer] > rank)
            {
                ++forward;
                EXPECT_EQ(node.amount, 33'554'432U);
            }
        }
    }
    EXPECT_EQ(forward, 56); // 7 boundaries, 8 micro-batches
}

TEST(Llm, CountsOfAicbForLlama7bWithZero3)
{
    LlmSpec spec = Preset("llama-7b");
    spec.sequence = 2048;
    spec.data = spec.globalBatch = 8;
    spec.zero = 3;
    ASSERT_TRUE(CheckLlm(spec).empty());
    Use use = Sum(MakeLlmGraph(spec), 0);
    // Forward and again backward.
    EXPECT_EQ((use.counts[{'d', Collective::ALL_GATHER, 33'554'432}]), 2U * 128);
    EXPECT_EQ((use.counts[{'d', Collective::ALL_GATHER, 90'177'536}]), 2U * 96);
}

TEST(Llm, RandomGraphsHaveTheBytesOfTheClosedForms)
{
    for (uint32_t seed = 1; seed <= 100; ++seed)
    {
        SCOPED_TRACE(seed);
        const LlmSpec spec = DrawSpec(seed);
        ASSERT_EQ(CheckLlm(spec), std::vector<std::string>());
        const TaskGraph graph = MakeLlmGraph(spec);
        ASSERT_EQ(graph.ranks.size(), spec.tensor * spec.data * spec.pipeline);
        EXPECT_EQ(CountPrograms(graph), spec.pipeline);
        const LlmBytes count = CountLlm(spec);
        for (uint32_t rank = 0; rank < graph.ranks.size(); ++rank)
        {
            ExpectEqual(spec, count, Sum(graph, rank), rank / (spec.tensor * spec.data));
        }
    }
}

TEST(Llm, RandomGraphsComputeTheFlopsOfTheClosedForm)
{
    for (uint32_t seed = 1; seed <= 100; ++seed)
    {
        const LlmSpec spec = DrawSpec(seed);
        const TaskGraph graph = MakeLlmGraph(spec);
        double time = 0; // ns
        double nodes = 0;
        for (uint32_t rank = 0; rank < graph.ranks.size(); ++rank)
        {
            time += static_cast<double>(Sum(graph, rank).compute);
            nodes += static_cast<double>(graph.ranks[rank].program->nodes.size());
        }
        const double perNs = spec.flops * spec.efficiency * 1e-9;
        // A time is rounded to 1 ns, and a backward pass is at most three times that.
        EXPECT_NEAR(time * perNs, static_cast<double>(CountLlm(spec).flops), 1.5 * nodes * perNs)
            << seed;
    }
}

TEST(Llm, RandomGraphsEnd)
{
    for (uint32_t seed = 1; seed <= 100; ++seed)
    {
        SCOPED_TRACE(seed);
        const TaskGraph graph = MakeLlmGraph(DrawSpec(seed));
        IdealRun path(graph);
        EXPECT_GT(path.Run(), 0U) << "every receive has its message, every collective its members";
        EXPECT_EQ(path.CountUnread(), 0U);
    }
}

TEST(Llm, RanksAndGroupsAreNumberedAsMegatronDoes)
{
    LlmSpec spec = MakeMixtral();
    spec.data = spec.globalBatch = 4;
    spec.expert = 2;
    spec.pipeline = 2;
    ASSERT_TRUE(CheckLlm(spec).empty());
    std::map<std::string, std::vector<uint32_t>> groups;
    for (const RankGroup& group : MakeLlmGraph(spec).groups)
    {
        groups[group.name] = group.ranks;
    }
    using Ranks = std::vector<uint32_t>;
    EXPECT_EQ(groups["tp d1 p1"], (Ranks{10, 11})); // t (i_d + d i_p) = 2 (1 + 4)
    EXPECT_EQ(groups["dp t1 p0"], (Ranks{1, 3, 5, 7}));
    EXPECT_EQ(groups["ep e1 t0 p1"], (Ranks{12, 14}));
    EXPECT_EQ(groups["edp e1 t0 p1"], (Ranks{10, 14}));
    EXPECT_EQ(groups.size(), 8U + 4 + 8 + 8);
}

TEST(Llm, PipelineWithoutNetworkTakesItsClosedForm)
{
    for (const uint32_t stages : {1U, 2U, 4U, 7U})
    {
        for (const uint32_t micro : {1U, 3U, 4U, 16U})
        {
            for (const bool recompute : {false, true})
            {
                LlmSpec spec = MakePipeline(stages, 1, micro);
                spec.recompute = recompute;
                const LlmBytes count = CountLlm(spec);
                const uint64_t pass = (count.forward + count.backward).GetNanoSeconds();
                EXPECT_EQ(GetPipelineTime(spec), (micro + stages - 1) * pass)
                    << stages << " stages, " << micro << " micro-batches";
            }
        }
    }
}

TEST(Llm, OutputMatrixMakesTheLastStageTheBottleneck)
{
    LlmSpec spec = MakePipeline(4, 1, 9);
    spec.vocabulary = 32000;
    const LlmBytes count = CountLlm(spec);
    const uint64_t pass = (count.forward + count.backward).GetNanoSeconds();
    const uint64_t last = pass + 3 * count.output.GetNanoSeconds();
    EXPECT_EQ(GetPipelineTime(spec), 3 * pass + 9 * last);
}

TEST(Llm, ChunksDivideTheBubble)
{
    for (const uint32_t chunks : {2U, 3U})
    {
        for (const uint32_t micro : {4U, 8U, 20U})
        {
            const LlmSpec spec = MakePipeline(4, chunks, micro);
            const LlmBytes count = CountLlm(spec);
            const uint64_t pass = (count.forward + count.backward).GetNanoSeconds();
            EXPECT_EQ(GetPipelineTime(spec), micro * pass + 3 * pass / chunks)
                << chunks << " chunks, " << micro << " micro-batches";
            EXPECT_DOUBLE_EQ(count.bubble, 3.0 / (micro * chunks));
        }
    }
}

TEST(Llm, ForwardPassesRunAheadAsInMegatron)
{
    // Before its first backward pass, a stage runs p - 1 - i forward passes and one more, or all.
    for (const uint32_t micro : {2U, 9U})
    {
        const TaskGraph graph = MakeLlmGraph(MakePipeline(4, 1, micro), true);
        for (uint32_t stage = 0; stage < 4; ++stage)
        {
            const auto passes = ListPasses(graph, 2 * stage);
            EXPECT_EQ(CountAhead(passes), std::min(micro, 4 - stage));
        }
    }
    // Interleaved: 2 (p - 1 - i) + (v - 1) p and one more; all of them if m = p.
    for (const uint32_t micro : {4U, 8U})
    {
        const TaskGraph graph = MakeLlmGraph(MakePipeline(4, 2, micro), true);
        for (uint32_t stage = 0; stage < 4; ++stage)
        {
            const auto passes = ListPasses(graph, 2 * stage);
            EXPECT_EQ(CountAhead(passes), micro == 4 ? 8 : 2 * (3 - stage) + 4 + 1);
        }
    }
    // The last stage of Narayanan et al., figure 4: four micro-batches of the first chunk, then of
    // the second in turn with their backward passes.
    const auto passes = ListPasses(MakeLlmGraph(MakePipeline(4, 2, 8), true), 6);
    const std::vector<std::string> first(passes.begin(), passes.begin() + 10);
    EXPECT_EQ(first,
              (std::vector<std::string>{"forward 0 layer 6",
                                        "forward 1 layer 6",
                                        "forward 2 layer 6",
                                        "forward 3 layer 6",
                                        "forward 0 layer 14",
                                        "backward 0 layer 15",
                                        "forward 1 layer 14",
                                        "backward 1 layer 15",
                                        "forward 2 layer 14",
                                        "backward 2 layer 15"}));
}

TEST(Llm, DataParallelCollectivesOverlapWithTheBackwardPass)
{
    LlmSpec spec = MakePipeline(1, 1, 3);
    spec.layers = 6;
    spec.efficiency = 1;
    for (const double flops : {1e8, 1e12}) // compute hides the network, and the other way round
    {
        spec.flops = flops;
        for (spec.zero = 0; spec.zero < 3; ++spec.zero)
        {
            const LlmBytes count = CountLlm(spec);
            const TaskGraph graph = MakeLlmGraph(spec);
            const uint64_t compute = 3 * (count.forward + count.backward).GetNanoSeconds();
            const uint64_t layer = count.backward.GetNanoSeconds() / 6;
            const uint64_t reduce = count.dataReduce / 6;
            // The first reduction begins after one layer; the last one after all of them.
            const uint64_t end =
                std::max(compute + reduce, compute - 5 * layer + 6 * reduce) + count.dataGather;
            IdealRun path(graph, 1);
            EXPECT_EQ(path.Run(), end) << "ZeRO " << spec.zero << ", " << flops;
        }
    }
}

TEST(Llm, Zero3GathersOneLayerAhead)
{
    LlmSpec spec = MakePipeline(1, 1, 3);
    spec.layers = 6;
    spec.zero = 3;
    spec.flops = 1e8; // a layer takes longer than gathering the next and reducing the last
    const LlmBytes count = CountLlm(spec);
    const uint64_t gather = count.dataGather / 6 / 6; // six passes
    const uint64_t reduce = count.dataReduce / 3 / 6;
    const TaskGraph graph = MakeLlmGraph(spec);
    IdealRun path(graph, 1);
    // Only the first gather and the last reduction are exposed.
    EXPECT_EQ(path.Run(), gather + 3 * (count.forward + count.backward).GetNanoSeconds() + reduce);
}

TEST(Llm, AllThatIsWrongIsSaidAtOnce)
{
    EXPECT_TRUE(CheckLlm(LlmSpec()).empty());
    for (const auto& [name, spec] : GetLlmPresets())
    {
        EXPECT_TRUE(CheckLlm(spec).empty()) << name;
    }
    LlmSpec spec = Preset("mixtral-8x7b");
    spec.tensor = 3;
    spec.data = 4;
    spec.expert = 3;
    spec.topk = 9;
    spec.globalBatch = 6;
    EXPECT_EQ(CheckLlm(spec),
              (std::vector<std::string>{"TopK must be at most Experts.",
                                        "Expert (3) does not divide Data (4).",
                                        "Expert (3) does not divide Experts (8).",
                                        "Experts with Tensor above 1 need SequenceParallel.",
                                        "Tensor (3) does not divide Heads (32).",
                                        "Tensor (3) does not divide KvHeads (8).",
                                        "Tensor (3) does not divide Ffn (14336).",
                                        "Tensor (3) does not divide Vocabulary (32000).",
                                        "MicroBatch * Data (4) does not divide GlobalBatch (6)."}));
    spec = LlmSpec();
    spec.heads = 0;
    spec.zero = 4;
    spec.efficiency = 1.5;
    EXPECT_EQ(CheckLlm(spec),
              (std::vector<std::string>{"Heads must be at least 1.",
                                        "Zero must be 0, 1, 2 or 3.",
                                        "Efficiency must be above 0 and at most 1."}));
    spec = MakePipeline(4, 2, 6);
    EXPECT_EQ(CheckLlm(spec),
              std::vector<std::string>{"Chunks above 1: Pipeline (4) does not divide the number of "
                                       "micro-batches (6)."});
    spec = MakeGpt3();
    spec.sequence = 1U << 31;
    EXPECT_EQ(CheckLlm(spec),
              std::vector<std::string>{"The model is too large: a count would exceed 2^63."});
}

TEST(Llm, TimesBuffersAndGraphsThatAreTooLargeAreRefused)
{
    const auto expect = [](const LlmSpec& spec, const std::vector<std::string>& sentences) {
        EXPECT_EQ(CheckLlm(spec), sentences);
    };
    const std::string slow =
        "A rank would compute longer than 31 years: Flops or Efficiency is too low.";
    LlmSpec spec = MakeGpt3();
    spec.flops = 1;
    expect(spec, {slow});
    // A rank of 512 does 5.5e14 FLOPs on average: 2.8e8 s at 2e6 FLOP/s.
    spec = MakeGpt3();
    spec.flops = 2e6;
    spec.efficiency = 1;
    expect(spec, {});
    uint64_t longest = 0;
    const TaskGraph graph = MakeLlmGraph(spec);
    for (uint32_t rank = 0; rank < graph.ranks.size(); ++rank)
    {
        longest = std::max(longest, Sum(graph, rank).compute);
    }
    EXPECT_GT(longest, GraphNode::MOST_NANOSECONDS / 5);
    EXPECT_LT(longest, GraphNode::MOST_NANOSECONDS);
    spec.flops = 1e5;
    expect(spec, {slow});
    // 2^31 tokens that go to 2^17 experts, 8 B each
    spec = LlmSpec();
    spec.microBatch = spec.globalBatch = 1U << 31;
    spec.experts = spec.topk = 1U << 17;
    spec.paramBytes = 8;
    spec.flops = 1e20;
    expect(spec, {"A collective would have more than 2^50 bytes."});
    spec = Preset("tiny");
    spec.globalBatch = 1'000'000;
    expect(spec, {"There would be more than 16777216 nodes."});
}
