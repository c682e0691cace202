// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-hare-models.h"

#include <cmath>
#include <string>

namespace ns3::ddl
{

namespace
{

constexpr double FORWARD_OF_TASK = 0.4;

ModelProfile
MakeHareModel(const std::string& name,
              double megabytes,
              uint32_t batch,
              double taskMs,
              double switchMs)
{
    const auto nanoseconds = [](double ms) { return NanoSeconds(std::llround(ms * 1e6)); };
    ModelProfile model;
    model.name = "Hare-" + name;
    model.bytes = static_cast<uint64_t>(std::llround(megabytes * 1e6));
    model.forward = nanoseconds(taskMs * FORWARD_OF_TASK);
    model.backward = nanoseconds(taskMs) - model.forward;
    model.switching = nanoseconds(switchMs);
    model.batch = batch;
    model.source = "Hare Tables II and III";
    return model;
}

} // namespace

std::vector<ModelProfile>
MakeHareModels()
{
    // The columns are MB, batch, ms of a task on a V100, ms of a switch.
    return {MakeHareModel("BERT-base", 440, 32, 440, 5.03),
            MakeHareModel("DeepSpeech", 160, 8, 337, 4.27),
            MakeHareModel("FastGCN", 0.1, 128, 39, 1.83),
            MakeHareModel("GraphSAGE", 1.5, 16, 28, 0.96),
            MakeHareModel("InceptionV3", 103, 32, 170, 2.46),
            MakeHareModel("ResNet50", 95, 64, 53, 2.04),
            MakeHareModel("Transformer", 260, 128, 420, 5.79),
            MakeHareModel("VGG19", 80, 128, 149, 2.77)};
}

} // namespace ns3::ddl
