// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LLM_H
#define DDL_LLM_H

#include "ddl-task-graph.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * A large language model (a stack of equal transformer layers) and how its training is divided
 * among GPUs. Numbers of tokens and parameters are plain counts.
 *
 * The rank of tensor index i_t, data index i_d and pipeline stage i_p is i_t + t (i_d + d i_p),
 * with t = `tensor` and d = `data`, as Megatron-LM numbers them. Each data index works through
 * m = globalBatch / (microBatch * data) micro-batches in an iteration.
 */
struct LlmSpec
{
    uint32_t layers{1};
    uint32_t hidden{1};     //!< width of a token between layers
    uint32_t heads{1};      //!< attention heads
    uint32_t kvHeads{1};    //!< heads of keys and values; fewer than `heads`: grouped queries
    uint32_t ffn{1};        //!< width within the feed-forward block (of one expert)
    bool gated{false};      //!< three matrices in the feed-forward block instead of two
    uint32_t vocabulary{0}; //!< padded; 0: neither embedding nor output matrix
    uint32_t sequence{1};   //!< tokens of a sample
    uint32_t experts{1};    //!< experts of each layer; 1: a dense model
    uint32_t topk{1};       //!< experts that see a token

    uint32_t microBatch{1};  //!< samples that a pass works on
    uint32_t globalBatch{1}; //!< samples of an iteration, all data indices together
    uint32_t tensor{1};      //!< ranks that share the matrices of a layer
    uint32_t pipeline{1};    //!< stages
    uint32_t data{1};        //!< copies of the model
    uint32_t expert{1};      //!< data indices that share the experts of a layer; divides `data`
    uint32_t chunks{1};      //!< pieces of the model on a stage; above 1: interleaved schedule
    bool sequenceParallel{false}; //!< all-gather and reduce-scatter instead of tensor all-reduce
    bool recompute{false};        //!< each layer runs forward again before it runs backward
    uint32_t zero{0};             //!< ZeRO stage, 0 to 3

    uint32_t paramBytes{2};  //!< size of a parameter or an activation on the network
    uint32_t gradBytes{4};   //!< size of a gradient on the network
    double flops{312e12};    //!< peak of the reference GPU, FLOP/s (A100, BF16, dense)
    double efficiency{0.45}; //!< share of the peak that computing reaches
};

/**
 * What an iteration costs. "A middle rank" is one of a stage that is neither the first nor the
 * last: these also hold the embedding and the output matrix. A buffer is as GraphNode::amount
 * states it; what a rank sends is rounded down, and assumes rings and direct all-to-alls.
 */
struct LlmBytes
{
    uint64_t microBatches{0}; //!< m

    uint64_t tensorBuffer{0};    //!< T, the activations of a micro-batch, bytes
    uint64_t tensorSentOnce{0};  //!< sent by a rank in an all-gather or reduce-scatter of T
    uint64_t tensorSentLayer{0}; //!< sent by a rank for a layer and micro-batch, both passes
    uint64_t tensorSent{0};      //!< sent by a rank in an iteration
    uint64_t tensorBytes{0};     //!< buffers of all tensor-parallel collectives of a rank

    uint64_t pipelineMessage{0}; //!< from rank to rank, each direction
    uint64_t pipelineSent{0};    //!< sent by a middle rank in an iteration

    uint64_t tokenBuffer{0};    //!< all-gather and reduce-scatter around experts; 0: none
    uint64_t allToAll{0};       //!< buffer of an all-to-all of tokens; 0: none
    uint64_t allToAllOnce{0};   //!< sent by a rank in one
    uint64_t allToAllSent{0};   //!< sent by a rank in an iteration
    uint64_t allToAllBytes{0};  //!< buffers of all all-to-alls of a rank
    uint64_t denseWeights{0};   //!< parameters of a middle rank outside experts
    uint64_t expertWeights{0};  //!< parameters of a middle rank in experts
    uint64_t weights{0};        //!< sum of both
    uint64_t embedding{0};      //!< parameters more on a rank of the first, and of the last stage
    uint64_t dataGather{0};     //!< buffers of a middle rank's all-gathers of parameters
    uint64_t dataReduce{0};     //!< buffers of its reductions of gradients
    uint64_t dataGatherSent{0}; //!< sent by it
    uint64_t dataReduceSent{0}; //!< sent by it

    uint64_t flops{0};       //!< FLOPs in an iteration, all GPUs
    uint64_t flopsPerGpu{0}; //!< their mean
    double bubble{0};        //!< idle over busy time of a pipeline of equal stages
    Time attention;          //!< forward, a layer and micro-batch on one rank
    Time feedForward;        //!< as `attention`
    Time output;             //!< logits, forward, a micro-batch on a rank of the last stage
    Time forward;            //!< a micro-batch on a middle rank: all its layers
    Time backward;           //!< as `forward`, with the layers that are computed again
};

/** \return models by name, on one GPU: "gpt3-175b", "llama-7b", "mixtral-8x7b", "tiny", ... */
const std::map<std::string, LlmSpec>& GetLlmPresets();

/**
 * \return all that does not divide, is out of range or too large, a sentence each; names are those
 *         of the attributes of jobs of the kind `llm`. No node takes longer than
 *         GraphNode::MOST_NANOSECONDS or has more than GraphNode::MOST_BYTES, and all programs
 *         together have at most 2^24 nodes
 */
std::vector<std::string> CheckLlm(const LlmSpec& spec);

/**
 * \param spec without errors (CheckLlm)
 * \return bytes, FLOPs and times of an iteration in closed form, after Narayanan et al., "Efficient
 *         Large-Scale Language Model Training on GPU Clusters Using Megatron-LM" (SC 21), and
 *         Korthikanti et al., "Reducing Activation Recomputation in Large Transformer Models"
 */
LlmBytes CountLlm(const LlmSpec& spec);

/**
 * An iteration of the model. Each rank runs its passes in the 1F1B order, or interleaved as
 * Megatron-LM does. Within a pass, tensor-parallel and expert-parallel collectives are on the
 * critical path. Messages between stages and data-parallel collectives overlap with computing:
 *
 * - ZeRO 0: an all-reduce of each layer's gradients, once its last micro-batch has been backward;
 * - ZeRO 1, 2: a reduce-scatter instead, and all-gathers of the parameters when all are over;
 * - ZeRO 3: for each pass all-gathers of each matrix, one layer ahead, and a reduce-scatter of each
 *   matrix behind every backward pass, since nothing whole is kept between passes.
 *
 * Gradients of experts are reduced among the ranks that hold the same ones. Groups are named "tp",
 * "ep", "dp" and "edp" with the indices that their members share. Ranks of a stage share a program.
 * Left out: layer norms and biases, the optimizer, the tying of embedding and output matrix, the
 * collectives of a vocabulary that is divided among tensor ranks (the reduction behind the
 * embedding, the gather before the logits, the reductions of the cross-entropy), the split of a
 * layer into kernels.
 *
 * \param spec without errors (CheckLlm)
 * \param hasNames whether nodes get names ("forward 0 layer 6 attention"), which a run does not
 * read
 */
TaskGraph MakeLlmGraph(const LlmSpec& spec, bool hasNames = false);

} // namespace ns3::ddl

#endif // DDL_LLM_H
