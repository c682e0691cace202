// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scenario-writer.h"

#include "ddl-json-text.h"
#include "ddl-policy-json.h"
#include "ddl-quantity.h"

#include "ns3/ddl-communication-pattern.h"
#include "ns3/ddl-control-plane.h"
#include "ns3/ddl-job-queue-policy.h"
#include "ns3/ddl-network-scheduler.h"
#include "ns3/ddl-placement-policy.h"
#include "ns3/ddl-search-algorithm.h"
#include "ns3/ddl-transport.h"
#include "ns3/random-variable-stream.h"

#include <cctype>

namespace ns3
{
namespace ddl
{

namespace
{

Json
TopologyJson(const TopologySpec& topology)
{
    Json json = {{"kind", topology.kind}};
    if (topology.kind == "leaf-spine")
    {
        json["leaves"] = topology.leaves;
        json["hostsPerLeaf"] = topology.hostsPerLeaf;
        json["spines"] = topology.spines;
        json["parallel"] = topology.parallel;
        json["fabricRate"] = FormatRate(topology.fabricRate);
    }
    else if (topology.kind == "single-switch")
    {
        json["hosts"] = topology.hosts;
    }
    else
    {
        json["leftHosts"] = topology.leftHosts;
        json["rightHosts"] = topology.rightHosts;
        json["bottleneckRate"] = FormatRate(topology.bottleneckRate);
    }
    json["hostRate"] = FormatRate(topology.hostRate);
    json["delay"] = FormatDuration(topology.delay);
    json["framingBytes"] = topology.framingBytes;
    return json;
}

Json
PortsJson(const PortSpec& ports)
{
    Json json = {{"queues", ports.queues}};
    if (ports.serviceAttributes.empty())
    {
        json["service"] = ports.service;
    }
    else
    {
        json["service"] = {{"type", ports.service}};
        for (const auto& [attribute, value] : ports.serviceAttributes)
        {
            json["service"][attribute] = value;
        }
    }
    if (!ports.weights.empty())
    {
        json["weights"] = ports.weights;
    }
    json["limit"] = FormatBytes(ports.limit);
    json["ecnThreshold"] = FormatBytes(ports.ecnThreshold);
    json["sharedBuffer"] = FormatBytes(ports.sharedBuffer);
    json["alpha"] = ports.alpha;
    json["pfc"] = ports.pfc;
    json["pfcThreshold"] = FormatBytes(ports.pfcThreshold);
    json["pfcHeadroom"] = FormatBytes(ports.pfcHeadroom);
    return json;
}

Json
ClusterJson(const ClusterSpec& cluster)
{
    Json json = {{"topology", TopologyJson(cluster.topology)},
                 {"ports", PortsJson(cluster.ports)},
                 {"hosts",
                  {{"gpus", cluster.gpus},
                   {"gpuType", cluster.gpuType},
                   {"bands", cluster.hosts.bands},
                   {"ecnThreshold", FormatBytes(cluster.hosts.ecnThreshold)}}}};
    json["links"] = Json::array();
    for (const auto& event : cluster.links)
    {
        json["links"].push_back({{"at", FormatDuration(event.at)},
                                 {"between", {event.first, event.second}},
                                 {"up", event.up}});
    }
    return json;
}

Json
TransportJson(const Scenario& scenario)
{
    Json json = {{"kind", GetShortName(Transport::GetTypeId(), scenario.transport.GetTypeId())}};
    for (auto [attribute, value] : AttributesOf(scenario.transport))
    {
        attribute[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(attribute[0])));
        json[attribute] = value;
    }
    json["mtu"] = scenario.cluster.topology.mtu;
    return json;
}

Json
SchedulingJson(const SchedulingSpec& scheduling)
{
    return {{"network", PolicyJson(NetworkScheduler::GetTypeId(), scheduling.network)},
            {"period", FormatDuration(scheduling.period)},
            {"gate", "none"},
            {"jobs", PolicyJson(JobQueuePolicy::GetTypeId(), scheduling.jobs)},
            {"placement", PolicyJson(PlacementPolicy::GetTypeId(), scheduling.placement)},
            {"control", PolicyJson(ControlPlane::GetTypeId(), scheduling.control)},
            {"acks", scheduling.controlAcks ? "control" : "ranked"},
            {"coordinator", scheduling.coordinator.value}};
}

Json
ModelJson(const ModelProfile& model)
{
    return {{"name", model.name},
            {"bytes", FormatBytes(model.bytes)},
            {"forward", FormatDuration(model.forward)},
            {"backward", FormatDuration(model.backward)}};
}

Json
PlacementJson(const Placement& placement)
{
    Json workers = Json::array();
    for (const auto& gpu : placement.workers)
    {
        workers.push_back(Json::array({gpu.host.value, gpu.index}));
    }
    Json servers = Json::array();
    for (const auto& server : placement.servers)
    {
        servers.push_back(server.value);
    }
    return {{"workers", workers}, {"servers", servers}};
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
    for (const auto& flow : workload.background)
    {
        json["background"].push_back(BackgroundJson(flow));
    }
    return json;
}

} // namespace

std::string
FormatScenario(const Scenario& scenario)
{
    const OutputSpec& output = scenario.output;
    Json json = {
        {"name", scenario.name},
        {"description", scenario.description},
        {"seed", scenario.seed},
        {"cluster", ClusterJson(scenario.cluster)},
        {"transport", TransportJson(scenario)},
        {"scheduler", SchedulingJson(scenario.scheduling)},
        {"workload", WorkloadJson(scenario.workload)},
        {"scale", {{"model", scenario.scale.model}, {"iterations", scenario.scale.iterations}}}};
    json["stop"] = {{"stall", FormatDuration(scenario.stop.stall)}};
    if (scenario.stop.time)
    {
        json["stop"]["time"] = FormatDuration(*scenario.stop.time);
    }
    json["output"] = {{"alone", output.alone},
                      {"iterations", output.iterations},
                      {"pcap", output.pcap},
                      {"figures", output.figures}};
    return DumpJson(json);
}

} // namespace ddl
} // namespace ns3
