// SPDX-License-Identifier: GPL-2.0-only
#include "app/json/ddl-policy-json.h"
#include "ddl-workload-json.h"

#include "ns3/ddl-arrival-process.h"
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
DistributionJson(const ObjectFactory& factory)
{
    return PolicyJson(RandomVariableStream::GetTypeId(), factory);
}

Json
CurveSpecJson(const CurveSpec& spec)
{
    Json json = {
        {"shape", PolicyJson(CurveShape::GetTypeId(), spec.shape)},
        {"half", DistributionJson(spec.half)},
        {"accuracy", {DistributionJson(spec.startAccuracy), DistributionJson(spec.endAccuracy)}}};
    if (spec.startLoss && spec.endLoss)
    {
        json["loss"] = {DistributionJson(*spec.startLoss), DistributionJson(*spec.endLoss)};
    }
    return json;
}

Json
GeneratorModelJson(const GeneratorModel& model)
{
    Json json = {{"name", model.profile.name},
                 {"bytes", FormatBytes(model.profile.bytes)},
                 {"gpuMemory", FormatBytes(model.profile.gpuMemory)}};
    if (!model.type.empty())
    {
        json["type"] = model.type;
    }
    if (model.timed)
    {
        json["forward"] = FormatDuration(model.profile.forward);
        json["backward"] = FormatDuration(model.profile.backward);
    }
    return json;
}

/** Adds the keys of its kind alone. */
void
AddKind(const GeneratorSpec& spec, Json& json)
{
    if (spec.kind == "jobs")
    {
        json["jobs"] = spec.jobs;
        json["iterations"] = DistributionJson(spec.iterations);
        json["sizes"] = Json::array();
        for (const auto& size : spec.sizes)
        {
            json["sizes"].push_back(Json::array({size.workers, size.jobs}));
        }
        return;
    }
    json["cojobs"] = spec.cojobs;
    json["successors"] = spec.successors;
    if (spec.until)
    {
        json["until"] = FormatDuration(*spec.until);
    }
    if (spec.kind == "hyperband")
    {
        json["maxIterations"] = spec.maxIterations;
        json["eta"] = spec.eta;
        return;
    }
    json["jobs"] = spec.jobs;
    json["stages"] = spec.stages;
    json["search"] = PolicyJson(SearchAlgorithm::GetTypeId(), spec.search);
}

} // namespace

Json
GeneratorJson(const GeneratorSpec& spec)
{
    Json json = {{"kind", spec.kind}, {"models", Json::array()}};
    for (const auto& model : spec.models)
    {
        json["models"].push_back(GeneratorModelJson(model));
        json["models"].back()["curve"] = CurveSpecJson(model.curve);
    }
    json["pick"] = spec.randomModels ? "random" : "round-robin";
    json["workers"] = spec.workers;
    json["servers"] = spec.servers;
    json["pattern"] = PolicyJson(CommunicationPattern::GetTypeId(), spec.pattern);
    AddKind(spec, json);
    json["arrivals"] = PolicyJson(ArrivalProcess::GetTypeId(), spec.arrivals);
    json["load"] = spec.load;
    return json;
}

Json
ReplayJson(const ReplaySpec& spec)
{
    Json json = {{"models", Json::array()}};
    for (const auto& model : spec.models)
    {
        json["models"].push_back(GeneratorModelJson(model));
    }
    json["servers"] = spec.servers;
    json["search"] = PolicyJson(SearchAlgorithm::GetTypeId(), spec.search);
    json["limit"] = spec.limit;
    json["load"] = spec.load;
    json["tooLarge"] = spec.skipTooLarge ? "skip" : "error";
    json["fold"] = spec.fold;
    return json;
}

} // namespace ddl
} // namespace ns3
