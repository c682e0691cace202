// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-llm.h"

namespace ns3::ddl
{

namespace
{

/** Brown et al., "Language Models are Few-Shot Learners", table 2.1; vocabulary as Megatron-LM pads
 * it. */
LlmSpec
MakeGpt3()
{
    LlmSpec spec;
    spec.layers = 96;
    spec.hidden = 12288;
    spec.heads = 96;
    spec.kvHeads = 96;
    spec.ffn = 4 * 12288;
    spec.vocabulary = 51200;
    spec.sequence = 2048;
    return spec;
}

/** Llama 2: Touvron et al., arXiv 2307.09288, and the configurations published with the weights. */
LlmSpec
MakeLlama(uint32_t layers, uint32_t hidden, uint32_t heads, uint32_t kvHeads, uint32_t ffn)
{
    LlmSpec spec;
    spec.layers = layers;
    spec.hidden = hidden;
    spec.heads = heads;
    spec.kvHeads = kvHeads;
    spec.ffn = ffn;
    spec.gated = true;
    spec.vocabulary = 32000;
    spec.sequence = 4096;
    return spec;
}

/** Jiang et al., "Mixtral of Experts", arXiv 2401.04088, table 1. */
LlmSpec
MakeMixtral()
{
    LlmSpec spec = MakeLlama(32, 4096, 32, 8, 14336);
    spec.sequence = 32768;
    spec.experts = 8;
    spec.topk = 2;
    return spec;
}

/** No published model: small enough for examples that run in a second. */
LlmSpec
MakeTiny()
{
    LlmSpec spec = MakeLlama(8, 512, 8, 8, 1408);
    spec.vocabulary = 4096;
    spec.sequence = 256;
    return spec;
}

} // namespace

const std::map<std::string, LlmSpec>&
GetLlmPresets()
{
    static const std::map<std::string, LlmSpec> presets{
        {"gpt3-175b", MakeGpt3()},
        {"llama-7b", MakeLlama(32, 4096, 32, 32, 11008)},
        {"llama-13b", MakeLlama(40, 5120, 40, 40, 13824)},
        {"llama-70b", MakeLlama(80, 8192, 64, 8, 28672)},
        {"mixtral-8x7b", MakeMixtral()},
        {"tiny", MakeTiny()}};
    return presets;
}

} // namespace ns3::ddl
