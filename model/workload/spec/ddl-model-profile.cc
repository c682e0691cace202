// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-model-profile.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <cctype>

namespace ns3
{
namespace ddl
{

namespace
{

/** A model of Grouper, which publishes sizes only. */
ModelProfile
Grouper(const std::string& name, uint64_t megabytes)
{
    ModelProfile model;
    model.name = name;
    model.bytes = megabytes * 1000000;
    model.source = "Grouper Table III";
    return model;
}

/** A row of Ada-SRSF, measured on a V100: kilobytes, microseconds, megabytes, samples. */
ModelProfile
AdaSrsf(const std::string& name,
        uint64_t kilobytes,
        uint64_t forward,
        uint64_t backward,
        uint64_t memory,
        uint32_t batch)
{
    ModelProfile model;
    model.name = name;
    model.bytes = kilobytes * 1000;
    model.forward = MicroSeconds(forward);
    model.backward = MicroSeconds(backward);
    model.source = "Ada-SRSF Table III";
    model.gpuMemory = memory * 1000000;
    model.batch = batch;
    return model;
}

std::string
ToLower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return text;
}

} // namespace

ModelProfile::ModelProfile() = default;

const std::vector<ModelProfile>&
ListModels()
{
    static const std::vector<ModelProfile> models = {
        Grouper("AlexNet", 250),
        Grouper("DeepSpeech2", 160),
        AdaSrsf("Inception-V3", 103000, 34900, 52400, 3291, 16),
        AdaSrsf("LSTM-PTB", 251800, 31500, 47300, 2751, 64),
        AdaSrsf("ResNet-50", 99200, 25000, 37400, 3213, 16),
        Grouper("ResNet152", 230),
        AdaSrsf("VGG-16", 526400, 35800, 53700, 4527, 16),
        Grouper("VGG19", 580),
    };
    return models;
}

const ModelProfile&
FindModel(const std::string& name)
{
    std::vector<std::string> names;
    std::vector<std::string> lower;
    for (const auto& model : ListModels())
    {
        if (ToLower(model.name) == ToLower(name))
        {
            return model;
        }
        names.push_back(model.name);
        lower.push_back(ToLower(model.name));
    }
    std::string hint;
    const std::string nearest = NearestName(ToLower(name), lower);
    const auto found = std::find(lower.begin(), lower.end(), nearest);
    if (!nearest.empty() && found != lower.end())
    {
        hint = "; did you mean \"" + names[found - lower.begin()] + "\"?";
    }
    throw InputError("unknown model \"" + name + "\" (one of " + JoinNames(names) + ")" + hint);
}

} // namespace ddl
} // namespace ns3
