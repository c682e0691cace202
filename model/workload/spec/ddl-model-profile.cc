// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-model-profile.h"

#include "ddl-dally-models.h"
#include "ddl-hare-models.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace ns3::ddl
{

namespace
{

/** \return a model of Grouper, which publishes sizes only */
ModelProfile
Grouper(const std::string& name, uint64_t megabytes)
{
    ModelProfile model;
    model.name = name;
    model.bytes = megabytes * 1000000;
    model.source = "Grouper Table III";
    return model;
}

/** \return a model of Ada-SRSF, measured on a V100: kilobytes, microseconds, megabytes, samples */
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

/**
 * Make a model that Liquid trains on one GPU; the paper says only that it takes less than half of
 * the GPU's time. All numbers are ours: with them it takes 45 % of a K80, of a seventh of a V100's
 * speed, and 29 % of a T4.
 *
 * \param kilobytes bytes of the model, in units of 1000
 * \param input time that the samples take on the CPU, milliseconds
 */
ModelProfile
Liquid(const std::string& name, uint64_t kilobytes, uint64_t input)
{
    constexpr double SHARE = 0.45; // fraction of an iteration in which a K80 computes
    constexpr double SPEED = 1.0 / 7;
    constexpr double FORWARD = 0.4; // fraction of both passes, as for other models without times
    const double both = static_cast<double>(input) * SHARE / (1 - SHARE) * SPEED;
    ModelProfile model;
    model.name = name;
    model.bytes = kilobytes * 1000;
    model.forward = MicroSeconds(static_cast<uint64_t>(both * FORWARD * 1000));
    model.backward = MicroSeconds(static_cast<uint64_t>(both * (1 - FORWARD) * 1000));
    model.input = MilliSeconds(input);
    model.source = "Liquid, assumed";
    model.gpuMemory = 6000000000;
    model.batch = 100;
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

double
ModelProfile::GetSkew() const
{
    uint64_t largest = 0;
    for (const Layer& layer : layers.Get())
    {
        largest = std::max(largest, layer.bytes);
    }
    return bytes == 0 ? 0 : static_cast<double>(largest) / static_cast<double>(bytes);
}

void
SetLayers(ModelProfile& model, const LayerTable& layers)
{
    model.layers = layers;
    model.bytes = layers.GetBytes();
    model.forward = layers.GetForward();
    model.backward = layers.GetBackward();
}

void
SetSums(ModelProfile& model, uint64_t bytes, Time forward, Time backward)
{
    model.bytes = bytes;
    model.forward = forward;
    model.backward = backward;
    if (!model.layers.IsEmpty())
    {
        model.layers = model.layers.WithSums(bytes, forward, backward);
    }
}

const std::vector<ModelProfile>&
ListModels()
{
    static const std::vector<ModelProfile> models = []() {
        std::vector<ModelProfile> all = {
            Grouper("AlexNet", 250),
            Liquid("CNN-MNIST", 13100, 55),
            Grouper("DeepSpeech2", 160),
            AdaSrsf("Inception-V3", 103000, 34900, 52400, 3291, 16),
            AdaSrsf("LSTM-PTB", 251800, 31500, 47300, 2751, 64),
            Liquid("NeuMF", 10000, 110),
            AdaSrsf("ResNet-50", 99200, 25000, 37400, 3213, 16),
            Grouper("ResNet152", 230),
            AdaSrsf("VGG-16", 526400, 35800, 53700, 4527, 16),
            Grouper("VGG19", 580),
        };
        for (const auto& more : {MakeDallyModels(), MakeHareModels()})
        {
            all.insert(all.end(), more.begin(), more.end());
        }
        std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
            return a.name < b.name;
        });
        return all;
    }();
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

namespace
{

/** \return the letters and digits of a name, in lower case */
std::string
Simplify(const std::string& name)
{
    std::string simple;
    for (const unsigned char c : name)
    {
        if (std::isalnum(c))
        {
            simple += static_cast<char>(std::tolower(c));
        }
    }
    return simple;
}

} // namespace

const ModelProfile*
FindTracedModel(const std::string& name)
{
    // These names are in use for networks that the papers name differently.
    static const std::map<std::string, std::string> others = {{"inception3", "inceptionv3"},
                                                              {"lstm", "lstmptb"}};
    const std::string simple = Simplify(name);
    const auto other = others.find(simple);
    const std::string& wanted = other != others.end() ? other->second : simple;
    const auto& models = ListModels();
    const auto found = std::find_if(models.begin(), models.end(), [&](const auto& model) {
        return Simplify(model.name) == wanted;
    });
    return found != models.end() ? &*found : nullptr;
}

} // namespace ns3::ddl
