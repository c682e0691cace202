// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LLM_H
#define DDL_LLM_H

#include "ddl-task-graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * A decoder-only transformer, and how its training is spread over GPUs. Its ranks are numbered as
 * Megatron-LM does: tensor index + t (data index + d x pipeline index), with degrees t and d.
 */
struct LlmSpec
{
    uint32_t layers{4};
    uint32_t hidden{256}; //!< size of a token's state (h)
    uint32_t heads{4};    //!< attention heads (a)
    uint32_t kvHeads{4};  //!< heads of keys and values (g); fewer than `heads`: grouped queries
    uint32_t ffn{1024};   //!< inner size of the feed-forward network (f)
    bool gated{false};    //!< whether that has a third matrix (SwiGLU)
    uint32_t vocabulary{1024}; //!< tokens, padded (V)
    uint32_t sequence{128};    //!< tokens of a sample (s)
    uint32_t experts{0};       //!< feed-forward networks of each layer; 0: one, without a router
    uint32_t topk{1};          //!< experts that a token goes to

    uint32_t tensor{1};          //!< degree of tensor parallelism (t)
    uint32_t pipeline{1};        //!< stages (p)
    uint32_t data{1};            //!< degree of data parallelism (d)
    uint32_t expert{1};          //!< degree of expert parallelism, which divides `data` (e)
    bool sequenceParallel{true}; //!< whether activations between layers are split over t
    uint32_t zero{0};            //!< stage of ZeRO: 0 to 3
    bool recompute{false};       //!< whether the backward pass computes activations again
    uint32_t microBatch{1};      //!< samples that pass through together (b)
    uint32_t globalBatch{8};     //!< samples of an iteration (B)
    uint32_t paramBytes{2};      //!< bytes of a parameter, and of an activation
    uint32_t gradBytes{4};       //!< bytes of a gradient when it is reduced
    double flops{312e12};        //!< FLOP/s of a GPU
    double efficiency{0.5};      //!< share of these that is reached

    /** \return number of GPUs */
    uint64_t CountRanks() const
    {
        return uint64_t{tensor} * pipeline * data;
    }

    /** \return passes of each rank in an iteration (m); only if CheckLlm finds nothing */
    uint32_t CountMicroBatches() const
    {
        return globalBatch / (microBatch * data);
    }
};

/** \return names of models: "tiny", "gpt3-175b", ... */
std::vector<std::string> ListLlms();

/** \return a model without parallelism \throws InputError with the menu if there is none of that
 * name */
LlmSpec FindLlm(const std::string& name);

/** \return sentences about what cannot be: degrees that do not divide what they split, ... */
std::vector<std::string> CheckLlm(const LlmSpec& spec);

/**
 * Bytes of buffers as GraphNode::amount counts them, and FLOPs. Formulas of Megatron-LM
 * (Korthikanti et al., "Reducing Activation Recomputation in Large Transformer Models", 2022) and
 * of ZeRO (Rajbhandari et al., 2020).
 */
struct LlmCounts
{
    uint64_t tensorBytes{0};      //!< activations of a micro-batch: paramBytes x b s h
    uint64_t pipelineBytes{0};    //!< message between stages
    uint64_t expertBytes{0};      //!< all-to-all of tokens
    uint64_t tokenBytes{0};       //!< all-gather of tokens to a tensor group before experts
    uint64_t attentionWeights{0}; //!< parameters of a layer and rank, feed-forward apart
    uint64_t ffnWeights{0};       //!< its other parameters; those of experts, if there are any
    uint64_t stageWeights{0};     //!< parameters of a rank of a middle stage
    uint64_t embeddingWeights{0}; //!< further ones of a rank of the first, or the last stage
    uint64_t flops{0};            //!< of an iteration on all GPUs, without recomputation
};

/** \return counts of a spec in which CheckLlm has found nothing */
LlmCounts CountLlm(const LlmSpec& spec);

/**
 * An iteration: micro-batches pass forwards and backwards in the order 1F1B (Narayanan et al.,
 * "Efficient Large-Scale Language Model Training on GPU Clusters", 2021, Fig. 4). Collectives of a
 * tensor group stand between the computations of a layer's two halves, attention and feed-forward.
 * Gradients are reduced layer by layer during the last backward pass.
 *
 * Ranks of a stage share a program.
 *
 * \param spec a spec in which CheckLlm has found nothing
 */
TaskGraph MakeLlmGraph(const LlmSpec& spec);

} // namespace ns3::ddl

#endif // DDL_LLM_H
