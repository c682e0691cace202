// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scenario-parts.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-model-profile.h"
#include "ns3/ddl-priority.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr uint64_t MOST_GPUS = 1024; //!< of a machine
constexpr double MOST_SPEED = 1e6;

/** \return the name as a profile bears it, if it is a known model's */
std::string
GetModelName(const std::string& name)
{
    try
    {
        return FindModel(name).name;
    }
    catch (const InputError&)
    {
        return name; // a model of the user's own
    }
}

/** {"speed": 0.3, "models": {"ResNet-50": 0.4}}, of a known type or a new one */
GpuType
ReadGpuType(const JsonObject& json, const std::string& name)
{
    GpuType type;
    const auto& known = ListGpuTypes();
    const auto found = std::find_if(known.begin(), known.end(), [&name](const GpuType& candidate) {
        return candidate.name == name;
    });
    if (found != known.end())
    {
        type = *found;
    }
    else
    {
        json.Require("speed");
        type.name = name;
    }
    type.speed = json.Number("speed", {ABOVE_ZERO, MOST_SPEED}, type.speed);
    const JsonObject models = json.Object("models");
    for (const auto& model : models.Keys())
    {
        type.models[GetModelName(model)] = models.Number(model, {ABOVE_ZERO, MOST_SPEED}, 1);
    }
    return type;
}

/** \param described types that the user has described
 *  \return the type that is named: one of these, or a known one */
GpuType
PickGpuType(const JsonObject& json, const std::vector<GpuType>& described, const GpuType& fallback)
{
    std::vector<GpuType> types = described;
    types.insert(types.end(), ListGpuTypes().begin(), ListGpuTypes().end());
    std::vector<std::string> names;
    const std::string wanted = json.String("gpuType", fallback.name);
    for (const GpuType& type : types)
    {
        if (type.name == wanted)
        {
            return type;
        }
        names.push_back(type.name);
    }
    const std::string nearest = NearestName(wanted, names);
    json.At("gpuType").Report("unknown GPU type " + QuoteText(wanted) + " (one of " +
                              JoinNames(names) + ", or describe it in cluster.gpuTypes)" +
                              (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
    return fallback;
}

void
ReadGroups(const JsonObject& hosts, ClusterSpec& spec)
{
    const uint64_t machines = CountHosts(spec.topology);
    uint64_t described = 0;
    for (const auto& entry : hosts.Array("groups"))
    {
        const JsonObject json = entry.Object();
        MachineGroup group;
        group.count = json.Unsigned("count", {1, machines}, 1);
        group.gpus = json.Unsigned("gpus", {0, MOST_GPUS}, spec.gpus);
        group.gpuType = PickGpuType(json, spec.gpuTypes, spec.gpuType);
        described += group.count;
        spec.groups.push_back(group);
    }
    if (!spec.groups.empty() && described != machines)
    {
        hosts.At("groups").Report("describe " + std::to_string(described) + " machines of " +
                                  std::to_string(machines) + " (their counts add up to all)");
        spec.groups.clear();
    }
}

} // namespace

uint32_t
ReadQueues(const JsonObject& json, const std::string& key, uint32_t fallback)
{
    if (!json.At(key).IsString())
    {
        return json.Unsigned(key, {1, MAX_QUEUES}, fallback);
    }
    if (json.String(key, "") != "unlimited")
    {
        json.At(key).Report("must be a whole number from 1 to 8, or \"unlimited\"");
    }
    return UNLIMITED_QUEUES;
}

void
ReadMachines(const JsonObject& cluster, ClusterSpec& spec)
{
    const JsonObject types = cluster.Object("gpuTypes");
    for (const auto& name : types.Keys())
    {
        spec.gpuTypes.push_back(ReadGpuType(types.Object(name), name));
    }
    const JsonObject hosts = cluster.Object("hosts");
    spec.gpus = hosts.Unsigned("gpus", {0, MOST_GPUS}, spec.gpus);
    spec.gpuType = PickGpuType(hosts, spec.gpuTypes, spec.gpuType);
    ReadGroups(hosts, spec);
    spec.gpuMemory = hosts.Bytes("gpuMemory", spec.gpuMemory);
    spec.hosts.bands = ReadQueues(hosts, "bands", spec.hosts.bands);
    spec.hosts.ecnThreshold = hosts.Bytes("ecnThreshold", spec.hosts.ecnThreshold);
}

} // namespace ddl
} // namespace ns3
