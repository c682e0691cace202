// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scenario-parts.h"

#include "ns3/ddl-priority.h"
#include "ns3/ddl-queue-service.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr uint64_t MOST_SWITCHES = 4096; //!< of a tier
constexpr uint64_t MOST_HOSTS = 65536;   //!< addresses in use, by far enough
constexpr uint64_t MOST_LINKS = 1000000; //!< between switches
constexpr uint64_t LEAST_BUFFER = 10000; //!< bytes: room for the largest packet

/** One number for all leaves, or a list with one for each. */
void
ReadHostsPerLeaf(const JsonObject& json, TopologySpec& spec)
{
    const JsonValue value = json.At("hostsPerLeaf");
    if (!value.IsArray())
    {
        spec.hostsPerLeaf = value.Unsigned({1, MOST_SWITCHES}, spec.hostsPerLeaf);
        return;
    }
    for (const auto& hosts : value.Array())
    {
        spec.leafHosts.push_back(hosts.Unsigned({1, MOST_SWITCHES}, 1));
    }
    if (spec.leafHosts.size() != spec.leaves)
    {
        value.Report(std::to_string(spec.leafHosts.size()) + " numbers for " +
                     std::to_string(spec.leaves) + " leaves (one number for all, or one a leaf)");
        spec.leafHosts.clear();
    }
}

void
ReadLeafSpine(const JsonObject& json, TopologySpec& spec)
{
    spec.leaves = json.Unsigned("leaves", {1, MOST_SWITCHES}, spec.leaves);
    ReadHostsPerLeaf(json, spec);
    spec.spines = json.Unsigned("spines", {1, MOST_SWITCHES}, spec.spines);
    spec.parallel = json.Unsigned("parallel", {1, 64}, spec.parallel);
    spec.fabricRate = json.Rate("fabricRate", spec.fabricRate);
    if (CountHosts(spec) > MOST_HOSTS)
    {
        json.Report("leaves x hostsPerLeaf is more than " + std::to_string(MOST_HOSTS));
    }
    if (uint64_t{spec.leaves} * spec.spines * spec.parallel > MOST_LINKS)
    {
        json.Report("leaves x spines x parallel is more than " + std::to_string(MOST_LINKS));
    }
}

TopologySpec
ReadTopology(const JsonObject& json)
{
    TopologySpec spec;
    spec.kind = json.OneOf("kind", ListTopologies(), spec.kind);
    spec.hostRate = json.Rate("hostRate", spec.hostRate);
    spec.delay = json.Duration("delay", spec.delay, {Time(0), Hours(1)});
    spec.framingBytes = json.Unsigned("framingBytes", {0, 1000}, spec.framingBytes);
    if (spec.kind == "leaf-spine")
    {
        ReadLeafSpine(json, spec);
    }
    else if (spec.kind == "single-switch")
    {
        spec.hosts = json.Unsigned("hosts", {1, MOST_HOSTS}, spec.hosts);
    }
    else
    {
        spec.leftHosts = json.Unsigned("leftHosts", {1, MOST_HOSTS / 2}, spec.leftHosts);
        spec.rightHosts = json.Unsigned("rightHosts", {1, MOST_HOSTS / 2}, spec.rightHosts);
        spec.bottleneckRate = json.Rate("bottleneckRate", spec.bottleneckRate);
    }
    return spec;
}

bool
TakesWeights(TypeId service)
{
    TypeId::AttributeInformation info;
    return service.LookupAttributeByName("Weights", &info);
}

/** \return "dwrr, mixed, wrr" */
std::string
ListWeightedServices()
{
    const TypeId family = QueueScheduler::GetTypeId();
    std::vector<std::string> names;
    for (const auto& name : ListPolicies(family))
    {
        if (TakesWeights(FindPolicy(family, name)))
        {
            names.push_back(name);
        }
    }
    return JoinNames(names);
}

/** Takes the service, and asks it whether it can serve that many queues with those weights. */
void
ReadService(const JsonObject& json, PortSpec& spec, std::vector<Diagnostic>& diagnostics)
{
    const std::size_t before = diagnostics.size();
    const PolicySpec service = json.Policy("service", spec.service);
    const ObjectFactory factory = service.MakeFactory(QueueScheduler::GetTypeId(), diagnostics);
    const TypeId type = factory.GetTypeId();
    for (const auto& weight : json.Array("weights"))
    {
        spec.weights.push_back(weight.Unsigned({1, 1000000}, 1));
    }
    if (!spec.weights.empty() && spec.weights.size() != spec.queues)
    {
        json.At("weights").Report(std::to_string(spec.weights.size()) + " weights for " +
                                  std::to_string(spec.queues) + " queues (one a queue)");
    }
    if (factory.IsTypeIdSet() && !spec.weights.empty() && !TakesWeights(type))
    {
        json.At("weights").Report("\"" + service.name + "\" takes no weights (" +
                                  ListWeightedServices() + " do)");
    }
    if (diagnostics.size() > before)
    {
        return;
    }
    spec.service = GetShortName(QueueScheduler::GetTypeId(), type);
    for (const auto& attribute : service.attributes)
    {
        spec.serviceAttributes[attribute.name] = attribute.text;
    }
    try
    {
        CreateQueueService(spec)->Configure(spec.queues);
    }
    catch (const InputError& error)
    {
        json.At(spec.weights.empty() ? "service" : "weights").Report(error.what());
    }
}

PortSpec
ReadPorts(const JsonObject& json, std::vector<Diagnostic>& diagnostics)
{
    PortSpec spec;
    spec.queues = ReadQueues(json, "queues", spec.queues);
    ReadService(json, spec, diagnostics);
    spec.limit = json.Bytes("limit", spec.limit, {LEAST_BUFFER, MAX_BYTES});
    spec.ecnThreshold = json.Bytes("ecnThreshold", spec.ecnThreshold);
    spec.sharedBuffer = json.Bytes("sharedBuffer", spec.sharedBuffer);
    if (spec.sharedBuffer > 0 && spec.sharedBuffer < LEAST_BUFFER)
    {
        json.At("sharedBuffer").Report("must be 0B (none) or at least 10kB");
    }
    spec.alpha = json.Number("alpha", {ABOVE_ZERO, 1e6}, spec.alpha);
    spec.pfc = json.Bool("pfc", spec.pfc);
    spec.pfcThreshold = json.Bytes("pfcThreshold", spec.pfcThreshold, {LEAST_BUFFER, MAX_BYTES});
    spec.pfcHeadroom = json.Bytes("pfcHeadroom", spec.pfcHeadroom);
    if (spec.pfc && spec.sharedBuffer > 0)
    {
        json.At("sharedBuffer")
            .Report("goes with \"pfc\": false only: a queue that is full would "
                    "drop what flow control promises to keep");
    }
    return spec;
}

LinkEvent
ReadLinkEvent(const JsonObject& json,
              const std::vector<std::pair<std::string, std::string>>& cables)
{
    LinkEvent event;
    json.Require("at");
    json.Require("between");
    json.Require("up");
    event.at = json.Duration("at", Time(0), {Time(0), GetLongestTime()});
    event.up = json.Bool("up", false);
    const auto ends = json.Array("between");
    if (ends.size() == 2)
    {
        event.first = ends[0].String("");
        event.second = ends[1].String("");
    }
    const auto isIt = [&event](const auto& cable) {
        return cable == std::make_pair(event.first, event.second) ||
               cable == std::make_pair(event.second, event.first);
    };
    if (json.Has("between") && std::none_of(cables.begin(), cables.end(), isIt))
    {
        json.At("between").Report("there is no such link (two names of nodes that are joined, like "
                                  "[\"" +
                                  cables.front().first + "\", \"" + cables.front().second + "\"])");
    }
    return event;
}

} // namespace

ClusterSpec
ReadCluster(const JsonObject& cluster, std::vector<Diagnostic>& diagnostics)
{
    ClusterSpec spec;
    cluster.String("preset", ""); // what it says has been filled in
    spec.topology = ReadTopology(cluster.Object("topology"));
    spec.ports = ReadPorts(cluster.Object("ports"), diagnostics);
    ReadMachines(cluster, spec);
    const auto events = cluster.Array("links");
    if (!events.empty())
    {
        const auto cables = ListCables(spec.topology);
        for (const auto& event : events)
        {
            spec.links.push_back(ReadLinkEvent(event.Object(), cables));
        }
    }
    std::stable_sort(spec.links.begin(), spec.links.end(), [](const auto& a, const auto& b) {
        return a.at < b.at;
    });
    return spec;
}

} // namespace ddl
} // namespace ns3
