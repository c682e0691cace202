// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scenario-writer.h"

#include "app/json/ddl-json-text.h"
#include "app/json/ddl-policy-json.h"
#include "ddl-workload-json.h"

#include "ns3/ddl-communication-gate.h"
#include "ns3/ddl-control-plane.h"
#include "ns3/ddl-job-queue-policy.h"
#include "ns3/ddl-network-scheduler.h"
#include "ns3/ddl-placement-policy.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-quantity.h"
#include "ns3/ddl-queue-scheduler.h"
#include "ns3/ddl-task-queue-policy.h"
#include "ns3/ddl-transport.h"
#include "ns3/string.h"

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
        json["hostsPerLeaf"] =
            topology.leafHosts.empty() ? Json(topology.hostsPerLeaf) : Json(topology.leafHosts);
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

/** \param queues of a port, or bands of a NIC */
Json
QueuesJson(uint32_t queues)
{
    return queues == UNLIMITED_QUEUES ? Json("unlimited") : Json(queues);
}

/** \return the policy; weights that are given have a key of their own */
Json
ServiceJson(const PortSpec& ports)
{
    ObjectFactory factory;
    factory.SetTypeId(FindPolicy(QueueScheduler::GetTypeId(), ports.service));
    for (const auto& [attribute, value] : ports.serviceAttributes)
    {
        factory.Set(attribute, StringValue(value));
    }
    Json json = PolicyJson(QueueScheduler::GetTypeId(), factory);
    if (json.is_object() && !ports.weights.empty())
    {
        json.erase("Weights");
    }
    return json;
}

Json
PortsJson(const PortSpec& ports)
{
    Json json = {{"queues", QueuesJson(ports.queues)}};
    json["service"] = ServiceJson(ports);
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
                   {"gpuType", cluster.gpuType.name},
                   {"gpuMemory", FormatBytes(cluster.gpuMemory)},
                   {"bands", QueuesJson(cluster.hosts.bands)},
                   {"ecnThreshold", FormatBytes(cluster.hosts.ecnThreshold)}}}};
    for (const MachineGroup& group : cluster.groups)
    {
        json["hosts"]["groups"].push_back(
            {{"count", group.count}, {"gpus", group.gpus}, {"gpuType", group.gpuType.name}});
    }
    for (const GpuType& type : cluster.gpuTypes)
    {
        json["gpuTypes"][type.name] = {{"speed", type.speed}, {"models", type.models}};
    }
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
            {"gate", PolicyJson(CommunicationGate::GetTypeId(), scheduling.gate)},
            {"jobs", PolicyJson(JobQueuePolicy::GetTypeId(), scheduling.jobs)},
            {"placement", PolicyJson(PlacementPolicy::GetTypeId(), scheduling.placement)},
            {"tasks", PolicyJson(TaskQueuePolicy::GetTypeId(), scheduling.tasks)},
            {"control", PolicyJson(ControlPlane::GetTypeId(), scheduling.control)},
            {"acks", scheduling.controlAcks ? "control" : "ranked"},
            {"coordinator", scheduling.coordinator.value}};
}

} // namespace

std::string
FormatScenario(const Scenario& scenario)
{
    const OutputSpec& output = scenario.output;
    Json json = {
        {"name", scenario.name},
        {"description", scenario.description},
        {"seed", GetSeed(scenario)},
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
                      {"coflows", output.coflows},
                      {"timeline", output.timeline},
                      {"pcap", output.pcap},
                      {"figures", output.figures}};
    return DumpJson(json);
}

} // namespace ddl
} // namespace ns3
