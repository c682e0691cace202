// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-graph-training-job.h"

#include "ns3/boolean.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-llm.h"
#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace ns3::ddl
{

/**
 * `llm`: a large language model with tensor, pipeline, data and expert parallelism (ddl-llm.h). The
 * job has as many workers as these degrees multiply to.
 */
class LlmTrainingJob : public GraphTrainingJob
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::LlmTrainingJob")
                .SetParent<GraphTrainingJob>()
                .SetGroupName("Ddl")
                .AddConstructor<LlmTrainingJob>()
                .AddAttribute("Model",
                              "Name of the model: tiny, gpt3-175b, llama-7b, llama-13b, llama-70b, "
                              "mixtral-8x7b",
                              StringValue("tiny"),
                              MakeStringAccessor(&LlmTrainingJob::m_model),
                              MakeStringChecker())
                .AddAttribute("Layers",
                              "Layers of the model; 0: those of Model",
                              UintegerValue(0),
                              MakeUintegerAccessor(&LlmTrainingJob::m_layers),
                              MakeUintegerChecker<uint32_t>(0, 10'000'000))
                .AddAttribute("Hidden",
                              "Size of a token's state; 0: that of Model",
                              UintegerValue(0),
                              MakeUintegerAccessor(&LlmTrainingJob::m_hidden),
                              MakeUintegerChecker<uint32_t>(0, 10'000'000))
                .AddAttribute("Heads",
                              "Attention heads; 0: those of Model",
                              UintegerValue(0),
                              MakeUintegerAccessor(&LlmTrainingJob::m_heads),
                              MakeUintegerChecker<uint32_t>(0, 10'000'000))
                .AddAttribute("KvHeads",
                              "Heads of keys and values; 0: those of Model",
                              UintegerValue(0),
                              MakeUintegerAccessor(&LlmTrainingJob::m_kvHeads),
                              MakeUintegerChecker<uint32_t>(0, 10'000'000))
                .AddAttribute("Ffn",
                              "Inner size of the feed-forward network; 0: that of Model",
                              UintegerValue(0),
                              MakeUintegerAccessor(&LlmTrainingJob::m_ffn),
                              MakeUintegerChecker<uint32_t>(0, 10'000'000))
                .AddAttribute("Vocabulary",
                              "Tokens; 0: those of Model",
                              UintegerValue(0),
                              MakeUintegerAccessor(&LlmTrainingJob::m_vocabulary),
                              MakeUintegerChecker<uint32_t>(0, 10'000'000))
                .AddAttribute("Sequence",
                              "Tokens of a sample; 0: those of Model",
                              UintegerValue(0),
                              MakeUintegerAccessor(&LlmTrainingJob::m_sequence),
                              MakeUintegerChecker<uint32_t>(0, 10'000'000))
                .AddAttribute("Experts",
                              "Experts of a layer; 0: those of Model",
                              UintegerValue(0),
                              MakeUintegerAccessor(&LlmTrainingJob::m_experts),
                              MakeUintegerChecker<uint32_t>(0, 10'000'000))
                .AddAttribute("TopK",
                              "Experts that a token goes to; 0: as in Model",
                              UintegerValue(0),
                              MakeUintegerAccessor(&LlmTrainingJob::m_topk),
                              MakeUintegerChecker<uint32_t>(0, 10'000'000))
                .AddAttribute("Tensor",
                              "Degree of tensor parallelism",
                              UintegerValue(1),
                              MakeUintegerAccessor(&LlmTrainingJob::m_tensor),
                              MakeUintegerChecker<uint32_t>(1, 1'000'000))
                .AddAttribute("Pipeline",
                              "Stages of the pipeline",
                              UintegerValue(1),
                              MakeUintegerAccessor(&LlmTrainingJob::m_pipeline),
                              MakeUintegerChecker<uint32_t>(1, 1'000'000))
                .AddAttribute("Data",
                              "Degree of data parallelism",
                              UintegerValue(1),
                              MakeUintegerAccessor(&LlmTrainingJob::m_data),
                              MakeUintegerChecker<uint32_t>(1, 1'000'000))
                .AddAttribute("Expert",
                              "Degree of expert parallelism, which divides Data",
                              UintegerValue(1),
                              MakeUintegerAccessor(&LlmTrainingJob::m_expert),
                              MakeUintegerChecker<uint32_t>(1, 1'000'000))
                .AddAttribute("Zero",
                              "Stage of ZeRO: 0 to 3",
                              UintegerValue(0),
                              MakeUintegerAccessor(&LlmTrainingJob::m_zero),
                              MakeUintegerChecker<uint32_t>(0, 3))
                .AddAttribute("MicroBatch",
                              "Samples that pass through the model together",
                              UintegerValue(1),
                              MakeUintegerAccessor(&LlmTrainingJob::m_microBatch),
                              MakeUintegerChecker<uint32_t>(1, 1'000'000))
                .AddAttribute("GlobalBatch",
                              "Samples of an iteration",
                              UintegerValue(8),
                              MakeUintegerAccessor(&LlmTrainingJob::m_globalBatch),
                              MakeUintegerChecker<uint32_t>(1, 1'000'000))
                .AddAttribute("ParamBytes",
                              "Bytes of a parameter, and of an activation",
                              UintegerValue(2),
                              MakeUintegerAccessor(&LlmTrainingJob::m_paramBytes),
                              MakeUintegerChecker<uint32_t>(1, 1'000'000))
                .AddAttribute("GradBytes",
                              "Bytes of a gradient when it is reduced",
                              UintegerValue(4),
                              MakeUintegerAccessor(&LlmTrainingJob::m_gradBytes),
                              MakeUintegerChecker<uint32_t>(1, 1'000'000))
                .AddAttribute("Chunks",
                              "Pieces of the model on a stage; above 1: interleaved schedule",
                              UintegerValue(1),
                              MakeUintegerAccessor(&LlmTrainingJob::m_chunks),
                              MakeUintegerChecker<uint32_t>(1, 1'000'000))
                .AddAttribute("SequenceParallel",
                              "Whether activations between layers are split over Tensor",
                              BooleanValue(true),
                              MakeBooleanAccessor(&LlmTrainingJob::m_sequenceParallel),
                              MakeBooleanChecker())
                .AddAttribute("Recompute",
                              "Whether the backward pass computes activations again",
                              BooleanValue(false),
                              MakeBooleanAccessor(&LlmTrainingJob::m_recompute),
                              MakeBooleanChecker())
                .AddAttribute("Flops",
                              "FLOP/s of a GPU of speed 1",
                              DoubleValue(312e12),
                              MakeDoubleAccessor(&LlmTrainingJob::m_flops),
                              MakeDoubleChecker<double>(1))
                .AddAttribute("Efficiency",
                              "Share of Flops that is reached",
                              DoubleValue(0.45),
                              MakeDoubleAccessor(&LlmTrainingJob::m_efficiency),
                              MakeDoubleChecker<double>(1e-6, 1));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "a language model with tensor, pipeline, data and expert parallelism, and ZeRO";
    }

    std::vector<std::string> Refuse(const JobSpec& job, const CojobSpec& /* group */) const override
    {
        std::vector<std::string> sentences;
        try
        {
            const LlmSpec spec = GetSpec();
            for (const std::string& wrong : CheckLlm(spec))
            {
                sentences.push_back("is no such model: " + wrong);
            }
            return sentences.empty()
                       ? RefuseRanks(job, uint64_t{spec.tensor} * spec.pipeline * spec.data)
                       : sentences;
        }
        catch (const InputError& error)
        {
            return {std::string("is no such model: ") + error.what()};
        }
    }

    std::optional<uint32_t> CountWorkers(const JobSpec& /* job */) const override
    {
        const uint64_t workers = uint64_t{m_tensor} * m_pipeline * m_data;
        return static_cast<uint32_t>(std::min<uint64_t>(workers, UINT32_MAX));
    }

    /** Equal jobs share a graph while one of them runs. */
    std::shared_ptr<const TaskGraph> GetGraph(const JobSpec& job) const override
    {
        static std::map<std::string, std::weak_ptr<const TaskGraph>> graphs;
        std::ostringstream key;
        key << job.kind;
        std::shared_ptr<const TaskGraph> graph = graphs[key.str()].lock();
        if (!graph)
        {
            graph = std::make_shared<const TaskGraph>(MakeLlmGraph(GetSpec()));
            graphs[key.str()] = graph;
        }
        return graph;
    }

  private:
    /** \return the model of that name with the sizes that are given, and its parallelism
     * \throws InputError when there is no such model */
    LlmSpec GetSpec() const
    {
        const auto& models = GetLlmPresets();
        const auto known = models.find(m_model);
        if (known == models.end())
        {
            std::string menu;
            for (const auto& [name, model] : models)
            {
                menu += (menu.empty() ? "" : ", ") + name;
            }
            throw InputError("there is no language model \"" + m_model + "\" (" + menu + ")");
        }
        LlmSpec spec = known->second;
        const std::pair<uint32_t, uint32_t&> sizes[] = {{m_layers, spec.layers},
                                                        {m_hidden, spec.hidden},
                                                        {m_heads, spec.heads},
                                                        {m_kvHeads, spec.kvHeads},
                                                        {m_ffn, spec.ffn},
                                                        {m_vocabulary, spec.vocabulary},
                                                        {m_sequence, spec.sequence},
                                                        {m_experts, spec.experts},
                                                        {m_topk, spec.topk}};
        for (const auto& [given, size] : sizes)
        {
            size = given > 0 ? given : size;
        }
        spec.chunks = m_chunks;
        spec.tensor = m_tensor;
        spec.pipeline = m_pipeline;
        spec.data = m_data;
        spec.expert = m_expert;
        spec.zero = m_zero;
        spec.microBatch = m_microBatch;
        spec.globalBatch = m_globalBatch;
        spec.paramBytes = m_paramBytes;
        spec.gradBytes = m_gradBytes;
        spec.sequenceParallel = m_sequenceParallel;
        spec.recompute = m_recompute;
        spec.flops = m_flops;
        spec.efficiency = m_efficiency;
        return spec;
    }

    std::string m_model;
    uint32_t m_layers{0};
    uint32_t m_hidden{0};
    uint32_t m_heads{0};
    uint32_t m_kvHeads{0};
    uint32_t m_ffn{0};
    uint32_t m_vocabulary{0};
    uint32_t m_sequence{0};
    uint32_t m_experts{0};
    uint32_t m_topk{0};
    uint32_t m_chunks{0};
    uint32_t m_tensor{0};
    uint32_t m_pipeline{0};
    uint32_t m_data{0};
    uint32_t m_expert{0};
    uint32_t m_zero{0};
    uint32_t m_microBatch{0};
    uint32_t m_globalBatch{0};
    uint32_t m_paramBytes{0};
    uint32_t m_gradBytes{0};
    bool m_sequenceParallel{true};
    bool m_recompute{false};
    double m_flops{0};
    double m_efficiency{0};
};

NS_OBJECT_ENSURE_REGISTERED(LlmTrainingJob);

} // namespace ns3::ddl
