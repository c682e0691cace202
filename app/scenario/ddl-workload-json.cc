// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-workload-json.h"

#include "app/json/ddl-policy-json.h"

#include "ns3/ddl-communication-pattern.h"
#include "ns3/ddl-curve-shape.h"
#include "ns3/ddl-quantity.h"
#include "ns3/ddl-search-algorithm.h"
#include "ns3/random-variable-stream.h"

namespace ns3
{
namespace ddl
{

namespace
{

Json
ModelJson(const ModelProfile& model)
{
    return {{"name", model.name},
            {"bytes", FormatBytes(model.bytes)},
            {"forward", FormatDuration(model.forward)},
            {"backward", FormatDuration(model.backward)},
            {"gpuMemory", FormatBytes(model.gpuMemory)}};
}

Json
PlacementJson(const Placement& placement)
{
    Json workers = Json::array();
    for (const auto& gpu : placement.workers)
    {
        workers.push_back(Json::array({gpu.host.value}));
        if (gpu.index != NO_GPU)
        {
            workers.back().push_back(gpu.index);
        }
    }
    Json servers = Json::array();
    for (const auto& server : placement.servers)
    {
        servers.push_back(server.value);
    }
    return {{"workers", workers}, {"servers", servers}};
}

Json
CurveJson(const LearningCurve& curve)
{
    if (curve.points.empty())
    {
        Json json = {{"shape", PolicyJson(CurveShape::GetTypeId(), curve.shape)},
                     {"half", curve.half},
                     {"accuracy", {curve.startAccuracy, curve.endAccuracy}}};
        if (curve.startLoss && curve.endLoss)
        {
            json["loss"] = {*curve.startLoss, *curve.endLoss};
        }
        return json;
    }
    Json points = Json::array();
    for (const auto& point : curve.points)
    {
        points.push_back(Json::array({point.iteration, point.accuracy}));
        if (point.loss)
        {
            points.back().push_back(*point.loss);
        }
    }
    return {{"points", points}};
}

Json
JobJson(const JobSpec& job)
{
    Json json = {{"id", job.id.value},
                 {"model", ModelJson(job.model)},
                 {"workers", job.workers},
                 {"servers", job.servers},
                 {"pattern", PolicyJson(CommunicationPattern::GetTypeId(), job.pattern)}};
    if (!job.accuracy.empty())
    {
        json["accuracy"] = job.accuracy;
    }
    if (job.stopAfter != NEVER_STOPPED)
    {
        json["stopAfter"] = job.stopAfter;
    }
    if (job.weight != 1)
    {
        json["weight"] = job.weight;
    }
    if (job.curve)
    {
        json["curve"] = CurveJson(*job.curve);
    }
    if (job.placement)
    {
        json["placement"] = PlacementJson(*job.placement);
    }
    return json;
}

Json
CojobJson(const CojobSpec& group)
{
    Json json = {{"id", group.id.value},
                 {"submit", FormatDuration(group.submit)},
                 {"stages", group.iterations},
                 {"search", PolicyJson(SearchAlgorithm::GetTypeId(), group.search)},
                 {"jobs", Json::array()}};
    for (const auto& job : group.jobs)
    {
        json["jobs"].push_back(JobJson(job));
    }
    return json;
}

Json
PlainJobJson(const CojobSpec& group)
{
    Json json = JobJson(group.jobs.front());
    json["submit"] = FormatDuration(group.submit);
    json["stages"] = group.iterations;
    return json;
}

Json
BackgroundJson(const BackgroundFlowSpec& flow)
{
    Json json = {{"source", flow.source.value}, {"destination", flow.destination.value}};
    if (flow.kind == BackgroundFlowSpec::Kind::ELASTIC)
    {
        json["kind"] = "elastic";
        json["bytes"] = FormatBytes(flow.bytes);
        json["repeat"] = flow.repeat;
    }
    else
    {
        json["kind"] = "constant-rate";
        json["rate"] = FormatRate(flow.rate);
        json["packetSize"] = flow.packetSize;
    }
    json["start"] = FormatDuration(flow.start);
    json["stop"] = FormatDuration(flow.stop);
    json["band"] = flow.mark.band;
    json["dscp"] = flow.mark.dscp;
    return json;
}

} // namespace

Json
WorkloadJson(const WorkloadSpec& workload)
{
    Json json = {{"cojobs", Json::array()}, {"jobs", Json::array()}, {"background", Json::array()}};
    for (const auto& group : workload.groups)
    {
        if (group.plain)
        {
            json["jobs"].push_back(PlainJobJson(group));
        }
        else
        {
            json["cojobs"].push_back(CojobJson(group));
        }
    }
    for (const auto& [key, factory] : {std::make_pair("jitter", workload.noise.jitter),
                                       std::make_pair("straggler", workload.noise.straggler)})
    {
        if (factory.IsTypeIdSet())
        {
            json["compute"][key] = PolicyJson(RandomVariableStream::GetTypeId(), factory);
        }
    }
    if (workload.buckets > 1)
    {
        json["overlap"]["buckets"] = workload.buckets;
    }
    if (workload.generator)
    {
        json["generator"] = GeneratorJson(*workload.generator);
        json["compute"]["ratio"] = workload.generator->computeRatio;
        json["compute"]["all"] = workload.generator->ratioForAll;
    }
    if (workload.trace)
    {
        json["trace"] = workload.traceFile;
        json["traceFormat"] = workload.traceFormat;
        json["replay"] = ReplayJson(workload.replay);
        json["compute"]["ratio"] = workload.replay.computeRatio;
        json["compute"]["all"] = workload.replay.ratioForAll;
    }
    for (const auto& flow : workload.background)
    {
        json["background"].push_back(BackgroundJson(flow));
    }
    return json;
}

} // namespace ddl
} // namespace ns3
