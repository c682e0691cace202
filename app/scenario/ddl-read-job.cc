// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-read-job.h"

#include "ddl-read-curve.h"
#include "ddl-scenario-parts.h"

#include "ns3/ddl-communication-pattern.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-nic-bytes.h"
#include "ns3/ddl-quantity.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr uint64_t MOST_MEMBERS = 4096; //!< workers, or servers, of a job
constexpr double LEAST_WEIGHT = 1e-6;
constexpr double MOST_WEIGHT = 1e6;

/** \param json where the name stands, for complaints */
ReadModel
LookUpModel(const JsonValue& json, const std::string& name)
{
    ReadModel model;
    try
    {
        model.profile = FindModel(name);
        model.type = model.profile.name;
        model.isTimed = !(model.profile.forward + model.profile.backward).IsZero();
    }
    catch (const InputError& error)
    {
        json.Report(error.what());
    }
    return model;
}

uint32_t
ReadHost(const JsonValue& json, const ClusterSpec& cluster)
{
    return json.Unsigned({0, CountHosts(cluster.topology) - 1}, 0);
}

/** {"workers": [[host, gpu], ...], "servers": [host, ...]} */
Placement
ReadPlacement(const JsonObject& json, const JobSpec& job, const JobContext& context)
{
    Placement placement;
    const auto machines = ListMachines(context.cluster);
    for (const auto& worker : json.Array("workers"))
    {
        const auto pair = worker.Array();
        if (worker.IsArray() && pair.size() != 1 && pair.size() != 2)
        {
            worker.Report("must be [host, GPU], two numbers from 0, or [host]: without a GPU");
        }
        GpuId gpu{HostId{0}, 0}; // of a wrong pair, so that the pairs can still be counted
        if (pair.size() == 1)
        {
            gpu = GpuId{HostId{ReadHost(pair[0], context.cluster)}, NO_GPU};
        }
        if (pair.size() == 2)
        {
            gpu.host = HostId{ReadHost(pair[0], context.cluster)};
            const uint64_t gpus = machines[gpu.host.value].gpus;
            gpu.index = pair[1].Unsigned({0, std::max<uint64_t>(gpus, 1) - 1}, 0);
        }
        placement.workers.push_back(gpu);
    }
    for (const auto& server : json.Array("servers"))
    {
        placement.servers.push_back(HostId{ReadHost(server, context.cluster)});
    }
    const auto check = [&json](const char* what, std::size_t given, std::size_t wanted) {
        if (given != wanted)
        {
            json.Report("places " + std::to_string(given) + " " + what + " of " +
                        std::to_string(wanted));
        }
    };
    check("workers", placement.workers.size(), job.workers);
    check("servers", placement.servers.size(), job.servers);
    return placement;
}

/** Takes the pattern, and asks it whether it can serve such a job. */
void
ReadPattern(const JsonObject& json, JobSpec& job, std::vector<Diagnostic>& diagnostics)
{
    const std::string fallback = job.servers > 0 ? "parameter-server" : "ring";
    job.pattern = json.Policy("pattern", fallback)
                      .MakeFactory(CommunicationPattern::GetTypeId(), diagnostics);
    if (job.pattern.IsTypeIdSet())
    {
        const auto refusal = job.pattern.Create<CommunicationPattern>()->Refuse(
            {job.workers, job.servers, job.model.bytes});
        if (!refusal.empty())
        {
            json.At("pattern").Report(refusal);
        }
    }
}

void
ReadAccuracy(const JsonObject& json, JobSpec& job, std::size_t stages)
{
    for (const auto& accuracy : json.Array("accuracy"))
    {
        job.accuracy.push_back(accuracy.Number({-NO_LIMIT, NO_LIMIT}, 0));
    }
    if (!job.accuracy.empty() && job.accuracy.size() != stages)
    {
        json.At("accuracy")
            .Report(std::to_string(job.accuracy.size()) + " values for " + std::to_string(stages) +
                    " stages (one a stage)");
    }
}

void
ReadMembers(const JsonObject& json, JobSpec& job, const ClusterSpec& cluster)
{
    const uint64_t gpus = CountGpus(cluster);
    job.workers = json.Unsigned("workers", {1, MOST_MEMBERS}, 1);
    if (job.workers > gpus && !json.Has("placement"))
    {
        json.At("workers").Report(std::to_string(job.workers) + " workers on a cluster of " +
                                  std::to_string(gpus) + " GPUs (one GPU a worker)");
    }
    job.servers = json.Unsigned("servers", {0, MOST_MEMBERS}, 0);
}

/** Reads one job, without its number. */
JobSpec
ReadJob(const JsonObject& json, const JobContext& context, std::vector<Diagnostic>& diagnostics)
{
    const std::size_t before = diagnostics.size();
    JobSpec job;
    json.Require("model");
    const ReadModel model = ReadModelProfile(json.At("model"));
    job.model = model.profile;
    ReadMembers(json, job, context.cluster);
    ReadPattern(json, job, diagnostics);
    ReadAccuracy(json, job, context.stages);
    if (json.Has("curve"))
    {
        job.curve = ReadCurve(json.Object("curve"), diagnostics);
    }
    if (json.Has("stopAfter"))
    {
        job.stopAfter = json.Unsigned("stopAfter", {1, context.stages}, context.stages);
    }
    job.weight = json.Number("weight", {LEAST_WEIGHT, MOST_WEIGHT}, 1);
    if (json.Has("placement"))
    {
        job.placement = ReadPlacement(json.Object("placement"), job, context);
    }
    if (!job.placement || !ListGpus(*job.placement).empty())
    {
        CheckGpuMemory(json.At("model"), job.model, context.cluster);
    }
    if ((!model.isTimed || context.ratioForAll) && diagnostics.size() == before)
    {
        SetComputeByRatio(job, context.computeRatio, context.cluster.topology.hostRate);
    }
    return job;
}

} // namespace

ReadModel
ReadModelProfile(const JsonValue& json)
{
    if (json.IsString() || !json.IsPresent())
    {
        return json.IsString() ? LookUpModel(json, json.String("")) : ReadModel{};
    }
    if (!json.IsObject())
    {
        json.Report("must be a model's name or an object, is " + DescribeJson(json.Raw()));
        return ReadModel{};
    }
    const JsonObject object = json.Object();
    const bool isKnown = object.Has("type");
    ReadModel model;
    if (isKnown)
    {
        model = LookUpModel(object.At("type"), object.String("type", ""));
    }
    else
    {
        object.Require("bytes");
        model.isTimed = true; // one's own model computes as long as one says, by default not
    }
    ModelProfile& profile = model.profile;
    const JsonRange<Time> times{Time(0), GetLongestTime()};
    profile.name = object.String("name", isKnown ? profile.name : "unnamed");
    profile.bytes = object.Bytes("bytes", profile.bytes, {1, MAX_BYTES});
    profile.forward = object.Duration("forward", profile.forward, times);
    profile.backward = object.Duration("backward", profile.backward, times);
    profile.gpuMemory = object.Bytes("gpuMemory", profile.gpuMemory);
    model.isTimed = model.isTimed || object.Has("forward") || object.Has("backward");
    return model;
}

void
CheckGpuMemory(const JsonValue& json, const ModelProfile& model, const ClusterSpec& cluster)
{
    if (cluster.gpuMemory > 0 && model.gpuMemory > cluster.gpuMemory)
    {
        json.Report("a worker of " + model.name + " takes " + FormatBytes(model.gpuMemory) +
                    " of its GPU, which has " + FormatBytes(cluster.gpuMemory) +
                    " (more in \"cluster.hosts.gpuMemory\", or 0B there: one job a GPU)");
    }
}

std::vector<JobSpec>
ReadJobs(const JsonObject& json, const JobContext& context, std::vector<Diagnostic>& diagnostics)
{
    const uint64_t count = json.Unsigned("count", {1, 100000}, 1);
    const uint64_t id = json.Unsigned("id", {1, MOST_ID}, NO_ID);
    std::vector<JobSpec> jobs(count, ReadJob(json, context, diagnostics));
    if (count > 1 && json.Has("placement"))
    {
        json.At("placement")
            .Report("cannot hold for each of " + std::to_string(count) +
                    " jobs (give it to jobs one by one)");
    }
    for (std::size_t i = 0; i < count && id != NO_ID; ++i)
    {
        jobs[i].id = JobId{static_cast<uint32_t>(id + i)};
    }
    return jobs;
}

} // namespace ddl
} // namespace ns3
