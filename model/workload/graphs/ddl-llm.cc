// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-llm.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace ns3::ddl
{

namespace
{

bool
IsMixture(const LlmSpec& spec)
{
    return spec.experts > 1;
}

/** \return whether activations are divided along the sequence between blocks */
bool
IsSequenceParallel(const LlmSpec& spec)
{
    return spec.sequenceParallel && spec.tensor > 1;
}

uint64_t
CountMicroBatches(const LlmSpec& spec)
{
    return spec.globalBatch / (uint64_t{spec.microBatch} * spec.data);
}

/** A matrix of a layer, as far as a rank holds it. */
struct Matrix
{
    uint64_t parameters{0};
    bool isExpert{false};
};

/** \return the matrices of a layer: query, key, value, projection, then the feed-forward block */
std::vector<Matrix>
ListMatrices(const LlmSpec& spec)
{
    const uint64_t h = spec.hidden;
    const uint64_t square = h * h / spec.tensor;
    const uint64_t keys = h * (h / spec.heads) * spec.kvHeads / spec.tensor;
    const uint64_t held = spec.experts / spec.expert; // experts on a rank
    const Matrix wide{h * spec.ffn / spec.tensor * held, IsMixture(spec)};
    std::vector<Matrix> all{{square}, {keys}, {keys}, {square}};
    all.insert(all.end(), spec.gated ? 3 : 2, wide);
    return all;
}

uint64_t
CountSent(uint64_t bytes, uint64_t members)
{
    return bytes / members * (members - 1) + bytes % members * (members - 1) / members;
}

/** Finds what is wrong with a specification. */
class LlmCheck
{
  public:
    explicit LlmCheck(const LlmSpec& spec)
        : m_spec(spec)
    {
    }

    std::vector<std::string> Run()
    {
        CheckRanges();
        if (m_errors.empty()) // no division by zero below
        {
            CheckModel();
            CheckDivision();
            CheckSize();
        }
        return std::move(m_errors);
    }

  private:
    void Refuse(bool isWrong, const std::string& sentence)
    {
        if (isWrong)
        {
            m_errors.push_back(sentence);
        }
    }

    void Divide(const char* divisor, uint64_t by, const char* what, uint64_t value)
    {
        Refuse(value % by != 0,
               std::string(divisor) + " (" + std::to_string(by) + ") does not divide " + what +
                   " (" + std::to_string(value) + ").");
    }

    void CheckRanges()
    {
        const std::initializer_list<std::pair<const char*, uint32_t>> counts{
            {"Layers", m_spec.layers},
            {"Hidden", m_spec.hidden},
            {"Heads", m_spec.heads},
            {"KvHeads", m_spec.kvHeads},
            {"Ffn", m_spec.ffn},
            {"Sequence", m_spec.sequence},
            {"Experts", m_spec.experts},
            {"TopK", m_spec.topk},
            {"MicroBatch", m_spec.microBatch},
            {"GlobalBatch", m_spec.globalBatch},
            {"Tensor", m_spec.tensor},
            {"Pipeline", m_spec.pipeline},
            {"Data", m_spec.data},
            {"Expert", m_spec.expert},
            {"Chunks", m_spec.chunks},
            {"ParamBytes", m_spec.paramBytes},
            {"GradBytes", m_spec.gradBytes}};
        for (const auto& [name, value] : counts)
        {
            Refuse(value == 0, std::string(name) + " must be at least 1.");
        }
        Refuse(m_spec.zero > 3, "Zero must be 0, 1, 2 or 3.");
        Refuse(m_spec.paramBytes > 8, "ParamBytes must be at most 8.");
        Refuse(m_spec.gradBytes > 8, "GradBytes must be at most 8.");
        Refuse(!(m_spec.flops > 0) || !std::isfinite(m_spec.flops), "Flops must be above 0.");
        Refuse(!(m_spec.efficiency > 0 && m_spec.efficiency <= 1),
               "Efficiency must be above 0 and at most 1.");
    }

    void CheckModel()
    {
        Divide("Heads", m_spec.heads, "Hidden", m_spec.hidden);
        Divide("KvHeads", m_spec.kvHeads, "Heads", m_spec.heads);
        Refuse(m_spec.topk > m_spec.experts, "TopK must be at most Experts.");
        Divide("Expert", m_spec.expert, "Data", m_spec.data);
        Divide("Expert", m_spec.expert, "Experts", m_spec.experts);
        Refuse(IsMixture(m_spec) && m_spec.tensor > 1 && !m_spec.sequenceParallel,
               "Experts with Tensor above 1 need SequenceParallel.");
    }

    void CheckDivision()
    {
        const uint64_t tensor = m_spec.tensor;
        const uint64_t samples = uint64_t{m_spec.microBatch} * m_spec.data;
        Divide("Tensor", tensor, "Heads", m_spec.heads);
        Divide("Tensor", tensor, "KvHeads", m_spec.kvHeads);
        Divide("Tensor", tensor, "Ffn", m_spec.ffn);
        Divide("Tensor", tensor, "Vocabulary", m_spec.vocabulary);
        if (m_spec.sequenceParallel)
        {
            Divide("Tensor", tensor, "Sequence", m_spec.sequence);
        }
        Divide("Pipeline * Chunks",
               uint64_t{m_spec.pipeline} * m_spec.chunks,
               "Layers",
               m_spec.layers);
        Divide("MicroBatch * Data", samples, "GlobalBatch", m_spec.globalBatch);
        if (m_spec.chunks > 1)
        {
            Refuse(m_spec.pipeline == 1, "Chunks above 1 need Pipeline above 1.");
            Divide("Chunks above 1: Pipeline",
                   m_spec.pipeline,
                   "the number of micro-batches",
                   m_spec.globalBatch / samples);
        }
    }

    /** Counts must fit 64 bits, nodes the limits of a graph, and the graph the memory. */
    void CheckSize()
    {
        constexpr double MAX_RANKS = 1 << 20;
        const double h = m_spec.hidden;
        const double b = m_spec.globalBatch;
        const double s = m_spec.sequence;
        const double layer = 4 * h * h + 2.0 * s * h + 3.0 * h * m_spec.ffn * m_spec.experts;
        const double weights = m_spec.layers * layer + h * m_spec.vocabulary;
        if (8 * b * s * weights > 0x1p63)
        {
            Refuse(true, "The model is too large: a count would exceed 2^63.");
            return; // so would most of what follows
        }
        Refuse(double{1} * m_spec.tensor * m_spec.pipeline * m_spec.data > MAX_RANKS,
               "Tensor * Pipeline * Data must be at most 1048576.");
        Refuse(GetMicroBatches() * m_spec.layers > 0x1p31, // as tags of messages number them
               "There would be more than 2^31 layers times micro-batches.");
        CheckNodes();
        CheckTime();
        CheckBuffers();
    }

    double GetMicroBatches() const
    {
        return double{1} * m_spec.globalBatch / m_spec.microBatch / m_spec.data;
    }

    /** The programs of all stages are kept, one for each. */
    void CheckNodes()
    {
        constexpr double MAX_NODES = 1 << 24;
        const double passes = m_spec.recompute ? 3 : 2;
        const double inPass = // two halves, each with what tensor and expert parallelism add
            2 + (m_spec.tensor > 1 ? 6 : 0) + (m_spec.expert > 1 ? 2 : 0);
        const double matrices = m_spec.gated ? 7 : 6;
        const double inLayer =
            passes * inPass + (m_spec.zero == 3 && m_spec.data > 1 ? 3 * matrices : 0);
        Refuse(GetMicroBatches() * m_spec.layers * inLayer > MAX_NODES,
               "There would be more than 16777216 nodes.");
    }

    /** A rank computes as long as a node may at most. Stages may have the output matrix, too. */
    void CheckTime()
    {
        const double h = m_spec.hidden;
        const double attention = 4 * h * h + 2.0 * m_spec.sequence * h;
        const double block = h * m_spec.ffn * (m_spec.gated ? 3 : 2) * m_spec.topk;
        const double held = double{1} * m_spec.layers / m_spec.pipeline;
        const double perToken = held * (attention + block) + h * m_spec.vocabulary;
        const double flops = 8.0 * m_spec.globalBatch / m_spec.data * m_spec.sequence * perToken;
        const double seconds = flops / m_spec.tensor / (m_spec.flops * m_spec.efficiency);
        Refuse(!(seconds * 1e9 < static_cast<double>(GraphNode::MOST_NANOSECONDS)),
               "A rank would compute longer than 31 years: Flops or Efficiency is too low.");
    }

    void CheckBuffers()
    {
        const double h = m_spec.hidden;
        const double tokens = double{1} * m_spec.topk * m_spec.microBatch * m_spec.sequence * h;
        const double held = double{1} * m_spec.experts / m_spec.expert;
        const double layer = 4 * h * h + h * m_spec.ffn * (m_spec.gated ? 3 : 2) * held;
        const double parameters = (layer + 2 * h * m_spec.vocabulary) / m_spec.tensor;
        const double bytes = std::max(m_spec.paramBytes * tokens,
                                      std::max(m_spec.paramBytes, m_spec.gradBytes) * parameters);
        Refuse(bytes > static_cast<double>(GraphNode::MOST_BYTES),
               "A collective would have more than 2^50 bytes.");
        // Tensor and expert parallelism: CountTensor. Messages between stages, both ways.
        const double micro = GetMicroBatches();
        const double passes = (14 + 12 + 2) * m_spec.paramBytes * tokens * micro * m_spec.layers;
        const double weights =
            (2 * micro * m_spec.paramBytes + micro * m_spec.gradBytes) * parameters * m_spec.layers;
        Refuse((passes + weights) * m_spec.tensor * m_spec.data > 0x1p62,
               "All collectives together would have more than 2^62 bytes.");
    }

    const LlmSpec& m_spec;
    std::vector<std::string> m_errors;
};

void
CountTensor(const LlmSpec& spec, LlmBytes& count)
{
    const uint64_t t = spec.tensor;
    const uint64_t repeats = count.microBatches * (spec.layers / spec.pipeline);
    const uint64_t buffer =
        uint64_t{spec.paramBytes} * spec.microBatch * spec.sequence * spec.hidden;
    const bool isSequence = IsSequenceParallel(spec);
    count.tensorBuffer = buffer;
    count.pipelineMessage = isSequence ? buffer / t : buffer;
    count.pipelineSent =
        spec.pipeline > 1 ? 2 * count.microBatches * spec.chunks * count.pipelineMessage : 0;
    count.tokenBuffer = IsMixture(spec) && t > 1 ? spec.topk * buffer : 0;
    if (t > 1)
    {
        // A half of a layer: forward, then backward. An all-reduce sends twice what others do.
        const uint64_t again = spec.recompute ? 1 : 0;
        const uint64_t half = isSequence ? 2 + 3 + 2 * again : 1 + 1 + again;
        const uint64_t tokens = 2 + 2 + 2 * again;
        const uint64_t inLayer =
            IsMixture(spec) ? half * buffer + tokens * count.tokenBuffer : 2 * half * buffer;
        count.tensorSentOnce = CountSent(buffer, t);
        count.tensorSentLayer = CountSent((isSequence ? 1 : 2) * inLayer, t);
        count.tensorBytes = repeats * inLayer;
        count.tensorSent = repeats * count.tensorSentLayer;
    }
    if (spec.expert > 1)
    {
        const uint64_t times = repeats * (spec.recompute ? 6 : 4);
        count.allToAll = spec.topk * buffer / t;
        count.allToAllOnce = CountSent(count.allToAll, spec.expert);
        count.allToAllBytes = times * count.allToAll;
        count.allToAllSent = times * count.allToAllOnce;
    }
}

void
CountData(const LlmSpec& spec, LlmBytes& count)
{
    const uint64_t h = spec.hidden;
    const uint64_t held = spec.layers / spec.pipeline;
    const uint64_t attention = 2 * h * h + 2 * h * (h / spec.heads) * spec.kvHeads;
    const uint64_t block = h * spec.ffn * (spec.gated ? 3 : 2) * (spec.experts / spec.expert);
    count.denseWeights = held * (attention + (IsMixture(spec) ? 0 : block)) / spec.tensor;
    count.expertWeights = IsMixture(spec) ? held * block / spec.tensor : 0;
    count.weights = count.denseWeights + count.expertWeights;
    count.embedding = h * spec.vocabulary / spec.tensor;
    const uint64_t gathers = spec.zero == 0 ? 0 : spec.zero < 3 ? 1 : 2 * count.microBatches;
    const uint64_t reductions = spec.zero == 3 ? count.microBatches : 1;
    const auto add = [&](uint64_t parameters, uint64_t members) {
        const uint64_t gather = gathers * spec.paramBytes * parameters;
        const uint64_t reduce = reductions * spec.gradBytes * parameters;
        if (members > 1)
        {
            count.dataGather += gather;
            count.dataReduce += reduce;
            count.dataGatherSent += CountSent(gather, members);
            count.dataReduceSent += CountSent(spec.zero == 0 ? 2 * reduce : reduce, members);
        }
    };
    add(count.denseWeights, spec.data);
    add(count.expertWeights, spec.data / spec.expert);
}

void
CountCompute(const LlmSpec& spec, LlmBytes& count)
{
    const uint64_t h = spec.hidden;
    const uint64_t s = spec.sequence;
    // Parameters that see a token, twice; attention over the sequence counts as s h.
    const uint64_t attention = 2 * h * h + 2 * h * (h / spec.heads) * spec.kvHeads + 2 * s * h;
    const uint64_t block = h * spec.ffn * (spec.gated ? 3 : 2) * spec.topk;
    const uint64_t output = h * spec.vocabulary;
    const uint64_t tokens = spec.globalBatch * s;
    // Backward is twice forward. Layers are computed again; the logits are not, as nothing that
    // Megatron-LM keeps depends on them.
    const uint64_t passes = spec.recompute ? 8 : 6;
    count.flops = tokens * (passes * spec.layers * (attention + block) + 6 * output);
    count.flopsPerGpu = count.flops / (uint64_t{spec.tensor} * spec.pipeline * spec.data);
    count.bubble = (spec.pipeline - 1.0) / (static_cast<double>(count.microBatches) * spec.chunks);
    const auto time = [&](uint64_t perToken) {
        const double work = 2.0 * spec.microBatch * static_cast<double>(s) *
                            static_cast<double>(perToken) / spec.tensor;
        return NanoSeconds(std::llround(work / (spec.flops * spec.efficiency) * 1e9));
    };
    count.attention = time(attention);
    count.feedForward = time(block);
    count.output = time(output);
    count.forward = (count.attention + count.feedForward) * (spec.layers / spec.pipeline);
    count.backward = count.forward * (spec.recompute ? 3 : 2);
}

/** One micro-batch through one chunk of a stage. */
struct ModelPass
{
    bool isForward{true};
    uint32_t micro{0};
    uint32_t chunk{0};
};

/**
 * \return passes of a stage in their order: PipeDream-Flush (1F1B), and the interleaved schedule of
 *         Megatron-LM, which works on as many micro-batches per chunk in turn as there are stages
 */
std::vector<ModelPass>
OrderPasses(const LlmSpec& spec, uint32_t stage)
{
    const uint32_t p = spec.pipeline;
    const uint32_t v = spec.chunks;
    const auto m = static_cast<uint32_t>(CountMicroBatches(spec));
    const uint32_t all = m * v;
    const auto get = [p, v](bool isForward, uint32_t k) {
        const uint32_t chunk = k % (p * v) / p;
        return ModelPass{isForward, k / (p * v) * p + k % p, isForward ? chunk : v - 1 - chunk};
    };
    uint32_t ahead = p - 1 - stage;
    if (v > 1)
    {
        ahead = m == p ? all : 2 * ahead + (v - 1) * p;
    }
    ahead = std::min(ahead, all);
    std::vector<ModelPass> passes;
    for (uint32_t k = 0; k < all + ahead; ++k)
    {
        if (k < all)
        {
            passes.push_back(get(true, k));
        }
        if (k >= ahead)
        {
            passes.push_back(get(false, k - ahead));
        }
    }
    return passes;
}

/** Which groups a rank is a member of, in the order of RankGraph::groups. */
enum class Group : uint8_t
{
    TENSOR,
    EXPERT,
    DATA,
    EXPERT_DATA //!< ranks with the same experts, where these are fewer than those of DATA
};

std::vector<Group>
ListGroups(const LlmSpec& spec)
{
    std::vector<Group> groups;
    const auto add = [&groups](bool isThere, Group group) {
        if (isThere)
        {
            groups.push_back(group);
        }
    };
    add(spec.tensor > 1, Group::TENSOR);
    add(spec.expert > 1, Group::EXPERT);
    add(spec.data > 1, Group::DATA);
    add(spec.expert > 1 && spec.expert < spec.data, Group::EXPERT_DATA);
    return groups;
}

/** Writes the program that the ranks of a stage share. */
class StageWriter
{
  public:
    StageWriter(const LlmSpec& spec, const LlmBytes& count, uint32_t stage, bool hasNames)
        : m_spec(spec),
          m_count(count),
          m_stage(stage),
          m_hasNames(hasNames),
          m_groups(ListGroups(spec)),
          m_chains(m_groups.size())
    {
        m_gpu = m_builder.AddLane(LaneKind::GPU);
        m_network = m_builder.AddLane(LaneKind::COMMUNICATION);
    }

    std::shared_ptr<const GraphProgram> Write()
    {
        const std::vector<Step> steps = ListSteps();
        std::vector<uint32_t> gathered = Gather(steps.front(), {});
        for (std::size_t i = 0; i < steps.size(); ++i)
        {
            const Step& step = steps[i];
            Receive(step);
            m_parameters = std::move(gathered);
            if (i + 1 < steps.size())
            {
                gathered = Gather(steps[i + 1], m_head);
            }
            WriteLayer(step);
            Reduce(step);
            Send(step);
        }
        GatherAtEnd();
        return m_builder.Build();
    }

    /** \return stages with which messages are exchanged, in the order of RankGraph::peers */
    const std::vector<uint32_t>& GetPeers() const
    {
        return m_peers.GetAll();
    }

  private:
    /** A layer in a pass. */
    struct Step
    {
        ModelPass pass;
        uint32_t layer{0};
        bool isFirst{false}; //!< whether it is the first of its pass
        bool isLast{false};  //!< whether it is the last of its pass
    };

    std::vector<Step> ListSteps() const
    {
        const uint32_t size = m_spec.layers / (m_spec.pipeline * m_spec.chunks);
        std::vector<Step> steps;
        for (const ModelPass& pass : OrderPasses(m_spec, m_stage))
        {
            const uint32_t first = (pass.chunk * m_spec.pipeline + m_stage) * size;
            for (uint32_t i = 0; i < size; ++i)
            {
                const uint32_t layer = first + (pass.isForward ? i : size - 1 - i);
                steps.push_back({pass, layer, i == 0, i + 1 == size});
            }
        }
        return steps;
    }

    void WriteLayer(const Step& step)
    {
        m_label = (step.pass.isForward ? "forward " : "backward ") +
                  std::to_string(step.pass.micro) + " layer " + std::to_string(step.layer) + " ";
        const bool hasOutput = step.layer + 1 == m_spec.layers && m_spec.vocabulary > 0;
        if (step.pass.isForward)
        {
            WriteForward();
            if (hasOutput)
            {
                Compute(m_count.output, "output");
            }
            return;
        }
        if (hasOutput)
        {
            Compute(m_count.output * 2, "output");
        }
        if (m_spec.recompute)
        {
            WriteForward();
        }
        WriteFeedForward(2);
        WriteAttention(2);
    }

    void WriteForward()
    {
        WriteAttention(1);
        WriteFeedForward(1);
    }

    void WriteAttention(int64_t times)
    {
        WriteDense(m_count.attention * times, times > 1, "attention");
    }

    void WriteFeedForward(int64_t times)
    {
        const Time time = m_count.feedForward * times;
        if (!IsMixture(m_spec))
        {
            WriteDense(time, times > 1, "feed-forward");
            return;
        }
        const uint64_t tokens = m_count.tokenBuffer;
        Cooperate(Group::EXPERT, Collective::ALL_TO_ALL, m_count.allToAll, "dispatch");
        Cooperate(Group::TENSOR, Collective::ALL_GATHER, tokens, "tokens");
        Compute(time, "experts");
        Cooperate(Group::TENSOR, Collective::REDUCE_SCATTER, tokens, "tokens");
        Cooperate(Group::EXPERT, Collective::ALL_TO_ALL, m_count.allToAll, "combine");
    }

    /** A half of a layer between its tensor-parallel collectives. Backward with sequence
     * parallelism, gradients and then the stored input are gathered. */
    void WriteDense(Time time, bool isBackward, const char* name)
    {
        const uint64_t buffer = m_count.tensorBuffer;
        if (!IsSequenceParallel(m_spec))
        {
            Compute(time, name);
            Cooperate(Group::TENSOR, Collective::ALL_REDUCE, buffer, name);
            return;
        }
        for (int i = 0; i < (isBackward ? 2 : 1); ++i)
        {
            Cooperate(Group::TENSOR, Collective::ALL_GATHER, buffer, name);
        }
        Compute(time, name);
        Cooperate(Group::TENSOR, Collective::REDUCE_SCATTER, buffer, name);
    }

    uint32_t Add(const GraphNode& node, const std::vector<uint32_t>& ended, const std::string& name)
    {
        return m_builder.Add(node, ended, {}, m_hasNames ? name : "");
    }

    /** Compute on the critical path, once the parameters of the layer are there. */
    void Compute(Time time, const char* name)
    {
        GraphNode node;
        node.amount = static_cast<uint64_t>(time.GetNanoSeconds());
        node.lane = m_gpu;
        std::vector<uint32_t> ended = m_head;
        ended.insert(ended.end(), m_parameters.begin(), m_parameters.end());
        m_parameters.clear();
        m_computed = Add(node, ended, m_label + name);
        m_head = {m_computed};
    }

    /** \return index of a group in RankGraph::groups; their number: the rank is in no such group */
    uint32_t Find(Group group) const
    {
        const auto found = std::find(m_groups.begin(), m_groups.end(), group);
        return static_cast<uint32_t>(found - m_groups.begin());
    }

    GraphNode MakeCollective(uint32_t group, Collective collective, uint64_t bytes) const
    {
        GraphNode node;
        node.kind = GraphNode::Kind::COLLECTIVE;
        node.collective = collective;
        node.amount = bytes;
        node.peer = group;
        node.lane = m_network;
        return node;
    }

    /** A collective on the critical path; nothing if the group has one member. */
    void Cooperate(Group group, Collective collective, uint64_t bytes, const char* name)
    {
        const uint32_t index = Find(group);
        if (index < m_groups.size())
        {
            const GraphNode node = MakeCollective(index, collective, bytes);
            m_head = {Add(node, m_head, m_label + name)};
        }
    }

    /** A collective beside the critical path, behind the one before it in its group. */
    void Overlap(uint32_t group,
                 Collective collective,
                 uint64_t bytes,
                 std::vector<uint32_t> ended,
                 const std::string& name)
    {
        std::vector<uint32_t>& chain = m_chains[group];
        ended.insert(ended.end(), chain.begin(), chain.end());
        chain = {Add(MakeCollective(group, collective, bytes), ended, name)};
    }

    /** \return matrices that the rank holds for a layer, with embedding and output matrix */
    std::vector<Matrix> ListLayer(uint32_t layer) const
    {
        std::vector<Matrix> all = ListMatrices(m_spec);
        const int more = (layer == 0 ? 1 : 0) + (layer + 1 == m_spec.layers ? 1 : 0);
        if (m_count.embedding > 0)
        {
            all.insert(all.end(), more, Matrix{m_count.embedding, false});
        }
        return all;
    }

    /** \return group and parameters of each data-parallel collective for a layer */
    std::vector<std::pair<uint32_t, uint64_t>> ListShares(uint32_t layer) const
    {
        const Group experts = m_spec.expert > 1 ? Group::EXPERT_DATA : Group::DATA;
        std::vector<std::pair<uint32_t, uint64_t>> shares;
        for (const Matrix& matrix : ListLayer(layer))
        {
            const uint32_t group = Find(matrix.isExpert ? experts : Group::DATA);
            const auto same = std::find_if(shares.begin(), shares.end(), [group](const auto& s) {
                return s.first == group;
            });
            if (group == m_groups.size())
            {
                continue;
            }
            if (m_spec.zero == 3 || same == shares.end())
            {
                shares.emplace_back(group, matrix.parameters);
            }
            else
            {
                same->second += matrix.parameters;
            }
        }
        return shares;
    }

    /** ZeRO 3: gather the parameters of a layer. \return the collectives */
    std::vector<uint32_t> Gather(const Step& step, const std::vector<uint32_t>& ended)
    {
        std::vector<uint32_t> gathered;
        if (m_spec.zero == 3)
        {
            const std::string name = "parameters of layer " + std::to_string(step.layer);
            for (const auto& [group, parameters] : ListShares(step.layer))
            {
                const uint64_t bytes = parameters * m_spec.paramBytes;
                Overlap(group, Collective::ALL_GATHER, bytes, ended, name);
                gathered.push_back(m_chains[group].front());
            }
        }
        return gathered;
    }

    /** Reduce the gradients of a layer, if they are complete or nobody may keep them. */
    void Reduce(const Step& step)
    {
        const bool isComplete = step.pass.micro + 1 == m_count.microBatches;
        if (step.pass.isForward || !(isComplete || m_spec.zero == 3))
        {
            return;
        }
        const Collective collective =
            m_spec.zero == 0 ? Collective::ALL_REDUCE : Collective::REDUCE_SCATTER;
        for (const auto& [group, parameters] : ListShares(step.layer))
        {
            const std::string name = "gradients of layer " + std::to_string(step.layer);
            Overlap(group, collective, parameters * m_spec.gradBytes, {m_computed}, name);
        }
    }

    /** ZeRO 1 and 2: gather all parameters, when all gradients have been reduced. */
    void GatherAtEnd()
    {
        if (m_spec.zero != 1 && m_spec.zero != 2)
        {
            return;
        }
        std::vector<uint32_t> reduced;
        for (const std::vector<uint32_t>& chain : m_chains)
        {
            reduced.insert(reduced.end(), chain.begin(), chain.end());
        }
        const uint32_t size = m_spec.layers / (m_spec.pipeline * m_spec.chunks);
        for (uint32_t layer = 0; layer < m_spec.layers; ++layer)
        {
            if (layer / size % m_spec.pipeline != m_stage)
            {
                continue;
            }
            for (const auto& [group, parameters] : ListShares(layer))
            {
                const std::string name = "parameters of layer " + std::to_string(layer);
                const uint64_t bytes = parameters * m_spec.paramBytes;
                Overlap(group, Collective::ALL_GATHER, bytes, reduced, name);
            }
        }
    }

    /** \return piece of the model that a pass works on, from 0 in the order of layers */
    uint32_t GetPiece(const ModelPass& pass) const
    {
        return pass.chunk * m_spec.pipeline + m_stage;
    }

    /** \param piece the later of the two pieces between which a message goes */
    GraphNode MakeMessage(GraphNode::Kind kind,
                          uint32_t stage,
                          const ModelPass& pass,
                          uint32_t piece)
    {
        GraphNode node;
        node.kind = kind;
        node.amount = m_count.pipelineMessage;
        node.peer = m_peers.Add(stage);
        const uint32_t pieces = m_spec.pipeline * m_spec.chunks;
        node.tag = 2 * (pass.micro * pieces + piece) + (pass.isForward ? 0 : 1);
        node.lane = m_network;
        return node;
    }

    void Receive(const Step& step)
    {
        const uint32_t p = m_spec.pipeline;
        const ModelPass& pass = step.pass;
        const uint32_t piece = GetPiece(pass);
        const bool isEnd = pass.isForward ? piece == 0 : piece + 1 == p * m_spec.chunks;
        if (step.isFirst && !isEnd)
        {
            const uint32_t peer = (m_stage + (pass.isForward ? p - 1 : 1)) % p;
            const uint32_t later = pass.isForward ? piece : piece + 1;
            const auto node = MakeMessage(GraphNode::Kind::RECEIVE, peer, pass, later);
            m_head.push_back(Add(node, {}, "receive"));
        }
    }

    void Send(const Step& step)
    {
        const uint32_t p = m_spec.pipeline;
        const ModelPass& pass = step.pass;
        const uint32_t piece = GetPiece(pass);
        const bool isEnd = pass.isForward ? piece + 1 == p * m_spec.chunks : piece == 0;
        if (step.isLast && !isEnd)
        {
            const uint32_t peer = (m_stage + (pass.isForward ? 1 : p - 1)) % p;
            const uint32_t later = pass.isForward ? piece + 1 : piece;
            const auto node = MakeMessage(GraphNode::Kind::SEND, peer, pass, later);
            Add(node, m_head, "send");
        }
    }

    const LlmSpec& m_spec;
    const LlmBytes& m_count;
    const uint32_t m_stage;
    const bool m_hasNames;
    const std::vector<Group> m_groups;
    GraphProgramBuilder m_builder;
    GraphIndex m_peers; //!< stages
    uint16_t m_gpu{0};
    uint16_t m_network{0};
    std::string m_label;                //!< pass and layer, for names of nodes
    std::vector<uint32_t> m_head;       //!< for what the critical path waits
    std::vector<uint32_t> m_parameters; //!< gathers that the layer at hand has not waited for
    uint32_t m_computed{0};             //!< the last node that computes
    std::vector<std::vector<uint32_t>> m_chains; //!< last overlapped collective by group, if any
};

/** Writes the ranks and groups of a graph. */
class LlmWriter
{
  public:
    LlmWriter(const LlmSpec& spec, bool hasNames)
        : m_spec(spec),
          m_hasNames(hasNames),
          m_count(CountLlm(spec)),
          m_groups(ListGroups(spec))
    {
        m_graph.source = "llm";
        m_graph.tokens = static_cast<double>(spec.globalBatch) * spec.sequence;
        // What is computed again is no work of the model.
        m_graph.flops = static_cast<double>(m_count.flops) * (spec.recompute ? 0.75 : 1);
        m_graph.peak = spec.flops;
    }

    TaskGraph Write()
    {
        GraphProgramPool pool;
        for (uint32_t stage = 0; stage < m_spec.pipeline; ++stage)
        {
            StageWriter writer(m_spec, m_count, stage, m_hasNames);
            const auto program = pool.Share(writer.Write());
            for (uint32_t data = 0; data < m_spec.data; ++data)
            {
                for (uint32_t tensor = 0; tensor < m_spec.tensor; ++tensor)
                {
                    AddRank(program, writer.GetPeers(), {tensor, data, stage});
                }
            }
        }
        return std::move(m_graph);
    }

  private:
    struct Position
    {
        uint32_t tensor{0};
        uint32_t data{0};
        uint32_t stage{0};
    };

    uint32_t GetRank(const Position& at) const
    {
        return at.tensor + m_spec.tensor * (at.data + m_spec.data * at.stage);
    }

    void AddRank(const std::shared_ptr<const GraphProgram>& program,
                 const std::vector<uint32_t>& stages,
                 const Position& at)
    {
        RankGraph rank;
        rank.program = program;
        for (const uint32_t stage : stages)
        {
            rank.peers.push_back(GetRank({at.tensor, at.data, stage}));
        }
        const uint32_t number = GetRank(at);
        for (const Group kind : m_groups)
        {
            const std::string name = GetGroupName(kind, at);
            const auto [entry, isNew] =
                m_byName.emplace(name, static_cast<uint32_t>(m_graph.groups.size()));
            if (isNew)
            {
                m_graph.groups.push_back({name, {}});
            }
            m_graph.groups[entry->second].ranks.push_back(number);
            rank.groups.push_back(entry->second);
        }
        m_graph.ranks.push_back(std::move(rank)); // positions come in the order of ranks
    }

    std::string GetGroupName(Group kind, const Position& at) const
    {
        const std::string stage = " p" + std::to_string(at.stage);
        const std::string tensor = " t" + std::to_string(at.tensor) + stage;
        const uint32_t e = m_spec.expert;
        switch (kind)
        {
        case Group::TENSOR:
            return "tp d" + std::to_string(at.data) + stage;
        case Group::EXPERT:
            return "ep e" + std::to_string(at.data / e) + tensor;
        case Group::EXPERT_DATA:
            return "edp e" + std::to_string(at.data % e) + tensor;
        case Group::DATA:
            break;
        }
        return "dp" + tensor;
    }

    const LlmSpec& m_spec;
    const bool m_hasNames;
    const LlmBytes m_count;
    const std::vector<Group> m_groups;
    TaskGraph m_graph;
    std::map<std::string, uint32_t> m_byName;
};

} // namespace

std::vector<std::string>
CheckLlm(const LlmSpec& spec)
{
    return LlmCheck(spec).Run();
}

LlmBytes
CountLlm(const LlmSpec& spec)
{
    LlmBytes count;
    count.microBatches = CountMicroBatches(spec);
    CountTensor(spec, count);
    CountData(spec, count);
    CountCompute(spec, count);
    return count;
}

TaskGraph
MakeLlmGraph(const LlmSpec& spec, bool hasNames)
{
    return LlmWriter(spec, hasNames).Write();
}

} // namespace ns3::ddl
