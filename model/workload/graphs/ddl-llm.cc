// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-llm.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace ns3::ddl
{

namespace
{

struct NamedLlm
{
    const char* name;
    LlmSpec model;
};

/** \return a model; parallelism is left as it is */
LlmSpec
Model(uint32_t layers,
      uint32_t hidden,
      uint32_t heads,
      uint32_t kvHeads,
      uint32_t ffn,
      bool gated,
      uint32_t vocabulary,
      uint32_t sequence,
      uint32_t experts = 0,
      uint32_t topk = 1)
{
    LlmSpec spec;
    spec.layers = layers;
    spec.hidden = hidden;
    spec.heads = heads;
    spec.kvHeads = kvHeads;
    spec.ffn = ffn;
    spec.gated = gated;
    spec.vocabulary = vocabulary;
    spec.sequence = sequence;
    spec.experts = experts;
    spec.topk = topk;
    return spec;
}

/** GPT-3: Brown et al. 2020, Table 2.1, with the vocabulary as Megatron-LM pads it. Llama 2:
 * Touvron et al. 2023, and its public configurations. Mixtral: Jiang et al. 2024, Table 1, with the
 * sequence of its base model, Mistral. */
const std::vector<NamedLlm>&
GetModels()
{
    static const std::vector<NamedLlm> models{
        {"gpt3-175b", Model(96, 12288, 96, 96, 49152, false, 51200, 2048)},
        {"llama-7b", Model(32, 4096, 32, 32, 11008, true, 32000, 4096)},
        {"llama-13b", Model(40, 5120, 40, 40, 13824, true, 32000, 4096)},
        {"llama-70b", Model(80, 8192, 64, 8, 28672, true, 32000, 4096)},
        {"mixtral-8x7b", Model(32, 4096, 32, 8, 14336, true, 32000, 4096, 8, 2)},
        {"tiny", LlmSpec()}};
    return models;
}

/** Collects sentences about numbers that do not divide others. */
class Divisions
{
  public:
    void Check(const std::string& what, uint64_t number, const std::string& by, uint64_t divisor)
    {
        if (divisor == 0 || number % divisor != 0)
        {
            m_sentences.push_back(what + " " + std::to_string(number) + " cannot be divided by " +
                                  by + " " + std::to_string(divisor));
        }
    }

    void Say(bool isSo, const std::string& sentence)
    {
        if (isSo)
        {
            m_sentences.push_back(sentence);
        }
    }

    const std::vector<std::string>& Get() const
    {
        return m_sentences;
    }

  private:
    std::vector<std::string> m_sentences;
};

} // namespace

std::vector<std::string>
ListLlms()
{
    std::vector<std::string> names;
    for (const NamedLlm& each : GetModels())
    {
        names.emplace_back(each.name);
    }
    return names;
}

LlmSpec
FindLlm(const std::string& name)
{
    std::string menu;
    for (const NamedLlm& each : GetModels())
    {
        if (each.name == name)
        {
            return each.model;
        }
        menu += (menu.empty() ? "" : ", ") + std::string(each.name);
    }
    throw InputError("there is no language model \"" + name + "\" (" + menu + ")");
}

std::vector<std::string>
CheckLlm(const LlmSpec& spec)
{
    Divisions divisions;
    const uint32_t sizes[] = {spec.layers,
                              spec.hidden,
                              spec.heads,
                              spec.kvHeads,
                              spec.ffn,
                              spec.sequence,
                              spec.topk,
                              spec.tensor,
                              spec.pipeline,
                              spec.data,
                              spec.expert,
                              spec.microBatch,
                              spec.globalBatch,
                              spec.paramBytes,
                              spec.gradBytes};
    if (std::find(std::begin(sizes), std::end(sizes), 0U) != std::end(sizes))
    {
        return {"sizes and degrees of a language model are at least 1"};
    }
    divisions.Check("layers", spec.layers, "pipeline", spec.pipeline);
    divisions.Check("hidden", spec.hidden, "heads", spec.heads);
    divisions.Check("heads", spec.heads, "kvHeads", spec.kvHeads);
    divisions.Check("heads", spec.heads, "tensor", spec.tensor);
    divisions.Check("ffn", spec.ffn, "tensor", spec.tensor);
    divisions.Check("vocabulary", spec.vocabulary, "tensor", spec.tensor);
    if (spec.sequenceParallel)
    {
        divisions.Check("sequence", spec.sequence, "tensor", spec.tensor);
    }
    divisions.Check("globalBatch",
                    spec.globalBatch,
                    "microBatch x data",
                    uint64_t{spec.microBatch} * spec.data);
    divisions.Check("data", spec.data, "expert", spec.expert);
    if (spec.experts > 0)
    {
        divisions.Check("experts", spec.experts, "expert", spec.expert);
    }
    divisions.Say(spec.experts == 0 && spec.expert > 1, "expert parallelism needs experts");
    divisions.Say(spec.topk > std::max(spec.experts, 1U), "topk is more than there are experts");
    divisions.Say(spec.zero > 3, "zero is a stage from 0 to 3");
    divisions.Say(spec.zero > 1 && spec.pipeline > 1,
                  "zero 2 and 3 keep no gradients or parameters between micro-batches, which a "
                  "pipeline needs (zero 0 or 1)");
    divisions.Say(spec.CountRanks() > 65536, "tensor x pipeline x data is more than 65,536 GPUs");
    divisions.Say(!(spec.flops > 0 && spec.efficiency > 0 && spec.efficiency <= 1),
                  "flops is above 0, and efficiency above 0 and at most 1");
    const double samples = static_cast<double>(spec.globalBatch) * spec.sequence;
    const double weights = static_cast<double>(spec.hidden) *
                           (4.0 * spec.hidden + 3.0 * spec.topk * spec.ffn + spec.sequence);
    divisions.Say(
        6 * samples *
                (2 * spec.layers * weights + static_cast<double>(spec.hidden) * spec.vocabulary) >=
            1.8e19,
        "an iteration has more than 1.8e19 FLOPs (a smaller globalBatch)");
    return divisions.Get();
}

LlmCounts
CountLlm(const LlmSpec& spec)
{
    const uint64_t h = spec.hidden;
    const uint64_t t = spec.tensor;
    const uint64_t s = spec.sequence;
    const uint64_t matrices = spec.gated ? 3 : 2;
    LlmCounts counts;
    counts.tensorBytes = spec.paramBytes * spec.microBatch * s * h;
    counts.pipelineBytes = counts.tensorBytes / (spec.sequenceParallel ? t : 1);
    counts.expertBytes = spec.experts > 0 ? counts.tensorBytes * spec.topk / t : 0;
    counts.tokenBytes = spec.experts > 0 ? counts.tensorBytes * spec.topk : 0;
    counts.attentionWeights = (2 * h * h + 2 * h * h * spec.kvHeads / spec.heads) / t;
    counts.ffnWeights = matrices * h * spec.ffn / t * std::max(spec.experts, 1U) / spec.expert;
    counts.stageWeights =
        spec.layers / spec.pipeline * (counts.attentionWeights + counts.ffnWeights);
    counts.embeddingWeights = spec.vocabulary / t * h;
    const uint64_t samples = spec.globalBatch * s;
    counts.flops =
        samples * (12 * spec.layers * (h * h + h * h * spec.kvHeads / spec.heads + s * h) +
                   6 * spec.layers * matrices * spec.topk * h * spec.ffn + 6 * h * spec.vocabulary);
    return counts;
}

namespace
{

using Nodes = std::vector<uint32_t>;

/** Groups of a rank, as indices into RankGraph::groups. */
enum Group : uint32_t
{
    TENSOR,
    DATA,
    EXPERT,
    EXPERT_DATA //!< ranks that hold the same experts
};

/** Peers of a rank, as indices into RankGraph::peers. */
enum Peer : uint32_t
{
    PREVIOUS,
    NEXT
};

/** Builds the program of the ranks of a stage. */
class StageBuilder
{
  public:
    StageBuilder(const LlmSpec& spec, uint32_t stage)
        : m_spec(spec),
          m_counts(CountLlm(spec)),
          m_stage(stage),
          m_layers(spec.layers / spec.pipeline),
          m_gpu(m_builder.AddLane(LaneKind::GPU)),
          m_wire(m_builder.AddLane(LaneKind::COMMUNICATION))
    {
    }

    std::shared_ptr<const GraphProgram> Build()
    {
        const uint32_t all = m_spec.CountMicroBatches();
        const uint32_t ahead = std::min(all, m_spec.pipeline - 1 - m_stage);
        for (uint32_t i = 0; i < ahead; ++i)
        {
            PassForward(i);
        }
        for (uint32_t i = ahead; i < all; ++i)
        {
            PassForward(i);
            PassBackward(i - ahead);
        }
        for (uint32_t i = all - ahead; i < all; ++i)
        {
            PassBackward(i);
        }
        GatherParameters();
        return m_builder.Build();
    }

  private:
    bool IsFirst() const
    {
        return m_stage == 0;
    }

    bool IsLast() const
    {
        return m_stage + 1 == m_spec.pipeline;
    }

    bool IsSplit() const
    {
        return m_spec.tensor > 1;
    }

    /** Compute after the present chain of nodes. \param flops on all GPUs of a tensor group */
    void Compute(double flops, const Nodes& others = {})
    {
        const double seconds = flops / m_spec.tensor / (m_spec.flops * m_spec.efficiency);
        GraphNode node;
        node.amount = static_cast<uint64_t>(std::llround(seconds * 1e9));
        node.lane = m_gpu;
        Nodes after = others;
        after.insert(after.end(), m_chain.begin(), m_chain.end());
        m_lastCompute = m_builder.Add(node, after);
        m_chain = {*m_lastCompute};
    }

    /** \return a collective that begins after those nodes */
    uint32_t AddCollective(Collective what, Group group, uint64_t bytes, const Nodes& after)
    {
        GraphNode node;
        node.kind = GraphNode::Kind::COLLECTIVE;
        node.collective = what;
        node.peer = group;
        node.amount = bytes;
        node.lane = m_wire;
        return m_builder.Add(node, after);
    }

    /** The chain goes on after a collective. */
    void Together(Collective what, Group group, uint64_t bytes)
    {
        m_chain = {AddCollective(what, group, bytes, m_chain)};
    }

    /** A collective beside the chain, after the one before of its kind. */
    uint32_t Beside(Collective what, Group group, uint64_t bytes, Nodes after)
    {
        std::optional<uint32_t>& before = m_beside[group == EXPERT_DATA ? 1 : 0];
        if (before)
        {
            after.push_back(*before);
        }
        before = AddCollective(what, group, bytes, after);
        return *before;
    }

    uint32_t AddMessage(GraphNode::Kind kind, Peer peer, uint32_t tag, const Nodes& after)
    {
        GraphNode node;
        node.kind = kind;
        node.peer = peer;
        node.tag = tag;
        node.amount = m_counts.pipelineBytes;
        node.lane = m_wire;
        return m_builder.Add(node, after);
    }

    double GetAttentionFlops() const
    {
        const double h = m_spec.hidden;
        return 4.0 * m_spec.microBatch * m_spec.sequence *
               (h * h * (1 + static_cast<double>(m_spec.kvHeads) / m_spec.heads) +
                h * m_spec.sequence);
    }

    double GetFfnFlops() const
    {
        return 2.0 * m_spec.microBatch * m_spec.sequence * m_spec.hidden * m_spec.ffn *
               m_spec.topk * (m_spec.gated ? 3 : 2);
    }

    double GetHeadFlops() const
    {
        return 2.0 * m_spec.microBatch * m_spec.sequence * m_spec.hidden * m_spec.vocabulary;
    }

    /** With ZeRO 3: gather the parameters of a layer's matrices. They may come while the layer
     * before is computed. */
    Nodes GatherLayer()
    {
        Nodes gathered;
        if (m_spec.zero < 3 || m_spec.data == 1)
        {
            return gathered;
        }
        const Nodes begin =
            std::exchange(m_prefetch, m_lastCompute ? Nodes{*m_lastCompute} : Nodes());
        const uint64_t square = uint64_t{m_spec.hidden} * m_spec.hidden / m_spec.tensor;
        const uint64_t keys = square * m_spec.kvHeads / m_spec.heads;
        for (const uint64_t weights : {square, keys, keys, square})
        {
            gathered.push_back(
                Beside(Collective::ALL_GATHER, DATA, m_spec.paramBytes * weights, begin));
        }
        const Group group = GetFfnGroup();
        const uint32_t matrices = m_spec.gated ? 3 : 2;
        for (uint32_t i = 0; i < matrices && CountMembers(group) > 1; ++i)
        {
            const uint64_t weights = m_counts.ffnWeights / matrices;
            gathered.push_back(
                Beside(Collective::ALL_GATHER, group, m_spec.paramBytes * weights, begin));
        }
        return gathered;
    }

    Group GetFfnGroup() const
    {
        return m_spec.experts > 0 ? EXPERT_DATA : DATA;
    }

    uint32_t CountMembers(Group group) const
    {
        return group == EXPERT_DATA ? m_spec.data / m_spec.expert : m_spec.data;
    }

    /** Tokens go to their experts, or back. */
    void Exchange()
    {
        if (m_spec.expert > 1)
        {
            Together(Collective::ALL_TO_ALL, EXPERT, m_counts.expertBytes);
        }
    }

    /** One half of a layer, forwards. */
    void HalfForward(double flops, uint64_t bytes, const Nodes& parameters)
    {
        const bool isScattered = IsSplit() && m_spec.sequenceParallel;
        if (isScattered)
        {
            Together(Collective::ALL_GATHER, TENSOR, bytes);
        }
        Compute(flops, parameters);
        if (isScattered)
        {
            Together(Collective::REDUCE_SCATTER, TENSOR, bytes);
        }
        else if (IsSplit())
        {
            Together(Collective::ALL_REDUCE, TENSOR, bytes);
        }
    }

    /** One half of a layer, backwards: gradients of its inputs and of its parameters. With a split
     * sequence, inputs are gathered again for the latter, unless they are tokens of experts. */
    void HalfBackward(double flops, uint64_t bytes, bool gathersInputs, const Nodes& parameters)
    {
        const bool isScattered = IsSplit() && m_spec.sequenceParallel;
        if (isScattered)
        {
            Together(Collective::ALL_GATHER, TENSOR, bytes);
            if (gathersInputs)
            {
                Together(Collective::ALL_GATHER, TENSOR, bytes);
            }
        }
        Compute((m_spec.recompute ? 3 : 2) * flops, parameters);
        if (isScattered)
        {
            Together(Collective::REDUCE_SCATTER, TENSOR, bytes);
        }
        else if (IsSplit())
        {
            Together(Collective::ALL_REDUCE, TENSOR, bytes);
        }
    }

    uint64_t GetFfnBytes() const
    {
        return m_spec.experts > 0 ? m_counts.tokenBytes : m_counts.tensorBytes;
    }

    void PassForward(uint32_t batch)
    {
        if (!IsFirst())
        {
            m_chain.push_back(AddMessage(GraphNode::Kind::RECEIVE, PREVIOUS, 2 * batch, {}));
        }
        for (uint32_t layer = 0; layer < m_layers; ++layer)
        {
            const Nodes parameters = GatherLayer();
            HalfForward(GetAttentionFlops(), m_counts.tensorBytes, parameters);
            Exchange();
            HalfForward(GetFfnFlops(), GetFfnBytes(), {});
            Exchange();
        }
        if (IsLast())
        {
            Compute(GetHeadFlops());
        }
        else
        {
            AddMessage(GraphNode::Kind::SEND, NEXT, 2 * batch, m_chain);
        }
    }

    void PassBackward(uint32_t batch)
    {
        const bool isLastBatch = batch + 1 == m_spec.CountMicroBatches() || m_spec.zero > 1;
        if (!IsLast())
        {
            m_chain.push_back(AddMessage(GraphNode::Kind::RECEIVE, NEXT, 2 * batch + 1, {}));
        }
        else
        {
            Compute(2 * GetHeadFlops());
            ReduceEmbedding(isLastBatch && !IsFirst());
        }
        for (uint32_t layer = 0; layer < m_layers; ++layer)
        {
            const Nodes parameters = GatherLayer();
            const bool isMoe = m_spec.experts > 0;
            Exchange();
            HalfBackward(GetFfnFlops(), GetFfnBytes(), !isMoe, parameters);
            Exchange();
            HalfBackward(GetAttentionFlops(), m_counts.tensorBytes, true, {});
            if (isLastBatch)
            {
                Reduce(DATA, m_counts.attentionWeights + (isMoe ? 0 : m_counts.ffnWeights));
                Reduce(EXPERT_DATA, isMoe ? m_counts.ffnWeights : 0);
            }
        }
        if (!IsFirst())
        {
            AddMessage(GraphNode::Kind::SEND, PREVIOUS, 2 * batch + 1, m_chain);
        }
        else
        {
            ReduceEmbedding(isLastBatch);
        }
    }

    void ReduceEmbedding(bool isDue)
    {
        if (isDue)
        {
            Reduce(DATA, m_counts.embeddingWeights);
        }
    }

    /** Sum up gradients of so many parameters, while the backward pass goes on. */
    void Reduce(Group group, uint64_t weights)
    {
        if (weights == 0 || CountMembers(group) == 1)
        {
            return;
        }
        const auto how = m_spec.zero == 0 ? Collective::ALL_REDUCE : Collective::REDUCE_SCATTER;
        m_reduced.push_back(Beside(how, group, m_spec.gradBytes * weights, m_chain));
        m_toGather.emplace_back(group, weights);
    }

    /** With ZeRO 1 and 2: after all gradients, everybody gets what the others have updated. */
    void GatherParameters()
    {
        if (m_spec.zero == 0 || m_spec.zero == 3)
        {
            return;
        }
        const std::size_t count =
            m_spec.zero == 1 ? m_toGather.size() : m_toGather.size() / m_spec.CountMicroBatches();
        for (std::size_t i = 0; i < count; ++i)
        {
            const auto& [group, weights] = m_toGather[i];
            Beside(Collective::ALL_GATHER, group, m_spec.paramBytes * weights, m_reduced);
        }
    }

    const LlmSpec& m_spec;
    LlmCounts m_counts;
    uint32_t m_stage;
    uint32_t m_layers;
    GraphProgramBuilder m_builder;
    uint16_t m_gpu;
    uint16_t m_wire;
    Nodes m_chain;                         //!< nodes after which the present pass goes on
    std::optional<uint32_t> m_lastCompute; //!< the last node that computes
    Nodes m_prefetch;                      //!< nodes after which parameters may be gathered
    std::optional<uint32_t> m_beside[2];   //!< last collectives of data groups, and of experts
    Nodes m_reduced;                       //!< reductions of gradients
    std::vector<std::pair<Group, uint64_t>> m_toGather; //!< parameters whose gradients these were
};

/** \return groups of ranks with stride, `count` of them from each beginning */
void
AddGroups(TaskGraph& graph,
          const LlmSpec& spec,
          const std::string& name,
          uint32_t members,
          uint32_t stride)
{
    const auto ranks = static_cast<uint32_t>(spec.CountRanks());
    std::vector<uint32_t> groupOf(ranks);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        const uint32_t place = rank / stride % members;
        if (place == 0)
        {
            groupOf[rank] = graph.groups.size();
            graph.groups.push_back({name + " " + std::to_string(rank), {}});
        }
        else
        {
            groupOf[rank] = groupOf[rank - stride];
        }
        graph.groups[groupOf[rank]].ranks.push_back(rank);
        graph.ranks[rank].groups.push_back(groupOf[rank]);
    }
}

} // namespace

TaskGraph
MakeLlmGraph(const LlmSpec& spec)
{
    TaskGraph graph;
    graph.source = "a language model";
    const auto ranks = static_cast<uint32_t>(spec.CountRanks());
    const uint32_t perStage = spec.tensor * spec.data;
    std::vector<std::shared_ptr<const GraphProgram>> programs;
    GraphProgramPool pool;
    for (uint32_t stage = 0; stage < spec.pipeline; ++stage)
    {
        programs.push_back(pool.Share(StageBuilder(spec, stage).Build()));
    }
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        RankGraph own;
        own.program = programs[rank / perStage];
        own.peers = {(rank + ranks - perStage) % ranks, (rank + perStage) % ranks};
        graph.ranks.push_back(own);
    }
    AddGroups(graph, spec, "tensor", spec.tensor, 1);
    AddGroups(graph, spec, "data", spec.data, spec.tensor);
    AddGroups(graph, spec, "expert", spec.expert, spec.tensor);
    AddGroups(graph, spec, "expert data", spec.data / spec.expert, spec.tensor * spec.expert);
    return graph;
}

} // namespace ns3::ddl
