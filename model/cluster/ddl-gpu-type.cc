// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-gpu-type.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-quantity.h"

namespace ns3::ddl
{

namespace
{

constexpr double V100_OVER_K80 = 7;  //!< speed of a V100 over a K80 (Hare §II-B, ResNet-50)
constexpr double T4_OVER_K80 = 2;    //!< speed of a T4 over a K80 (Hare §II-B, ResNet-50)
constexpr double M60_OVER_K80 = 1.1; //!< ratio of peak rates, 4.83 and 4.37 TFLOPS

/** Speeds of a V100, a T4 and an M60 over a K80, with one model. */
struct SpeedsOverK80
{
    const char* model;
    double v100;
    double t4;
    double m60;
};

constexpr SpeedsOverK80 HARE_SPEEDS[] = {
    {"Hare-BERT-base", 5.5, 1.8, 1.1},
    {"Hare-DeepSpeech", 5, 1.7, 1.1},
    {"Hare-FastGCN", 2, 1.5, 1.05},
    {"Hare-GraphSAGE", 2, 1.5, 1.05},
    {"Hare-Transformer", 5.5, 1.8, 1.1},
}; //!< other models are as ResNet-50

/** \return speeds of a type over a V100, by model. \param over the type's column; null: K80 */
std::map<std::string, double>
ListHareSpeeds(double SpeedsOverK80::*over)
{
    std::map<std::string, double> speeds;
    for (const SpeedsOverK80& of : HARE_SPEEDS)
    {
        speeds[of.model] = (over ? of.*over : 1) / of.v100;
    }
    return speeds;
}

} // namespace

double
GpuType::GetSpeed(const std::string& model) const
{
    const auto found = models.find(model);
    return found == models.end() ? speed : found->second;
}

Time
GpuType::GetTime(Time time, const std::string& model) const
{
    const double relative = GetSpeed(model);
    if (relative == 1)
    {
        return time;
    }
    return RoundSteps(time.GetDouble() / relative);
}

const std::vector<GpuType>&
ListGpuTypes()
{
    static const std::vector<GpuType> types = {
        {"K80", 1 / V100_OVER_K80, ListHareSpeeds(nullptr)},
        {"M60", M60_OVER_K80 / V100_OVER_K80, ListHareSpeeds(&SpeedsOverK80::m60)},
        {"T4", T4_OVER_K80 / V100_OVER_K80, ListHareSpeeds(&SpeedsOverK80::t4)},
        {"V100", 1, {}},
    };
    return types;
}

const GpuType&
FindGpuType(const std::string& name)
{
    std::vector<std::string> names;
    for (const auto& type : ListGpuTypes())
    {
        if (type.name == name)
        {
            return type;
        }
        names.push_back(type.name);
    }
    const std::string nearest = NearestName(name, names);
    throw InputError("unknown GPU type \"" + name + "\" (one of " + JoinNames(names) + ")" +
                     (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
}

} // namespace ns3::ddl
