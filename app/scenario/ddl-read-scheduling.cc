// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scenario-parts.h"

#include "ns3/ddl-attribute-check.h"
#include "ns3/ddl-communication-gate.h"
#include "ns3/ddl-congestion-control.h"
#include "ns3/ddl-control-plane.h"
#include "ns3/ddl-job-queue-policy.h"
#include "ns3/ddl-network-scheduler.h"
#include "ns3/ddl-placement-policy.h"
#include "ns3/ddl-rdma-congestion-control.h"
#include "ns3/ddl-rdma-transport.h"
#include "ns3/ddl-task-queue-policy.h"
#include "ns3/ddl-tcp-transport.h"

#include <algorithm>
#include <cctype>

namespace ns3
{
namespace ddl
{

namespace
{

/** \return the attribute that a key of "transport" sets: "minRto" sets MinRto */
std::string
AttributeOf(std::string key)
{
    if (!key.empty())
    {
        key[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(key[0])));
    }
    return key;
}

/** \return whether the kind lacks an attribute that another kind has; that one then is `owner` */
bool
IsForAnother(const std::string& kind, const std::string& attribute, TypeId& owner)
{
    TypeId::AttributeInformation info;
    const TypeId family = Transport::GetTypeId();
    const auto kinds = ListPolicies(family);
    if (std::count(kinds.begin(), kinds.end(), kind) == 0 ||
        FindPolicy(family, kind).LookupAttributeByName(attribute, &info))
    {
        return false;
    }
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const std::string& name) {
        return FindPolicy(family, name).LookupAttributeByName(attribute, &info);
    });
    owner = found == kinds.end() ? owner : FindPolicy(family, *found);
    return found != kinds.end();
}

/**
 * Takes a key as an attribute of the transport. One that only another kind has is passed over, so
 * that a scenario goes from kind to kind by `kind` alone; its value has to make sense all the same.
 */
void
ReadAttribute(const JsonObject& transport, const std::string& key, PolicySpec& spec)
{
    const JsonValue value = transport.At(key);
    const Json& raw = value.Raw();
    if (!raw.is_string() && !raw.is_number() && !raw.is_boolean())
    {
        value.Report("must be a string, a number, true or false");
        return;
    }
    const std::string text = raw.is_string() ? raw.get<std::string>() : raw.dump();
    TypeId owner;
    if (!IsForAnother(spec.name, AttributeOf(key), owner))
    {
        spec.attributes.push_back({AttributeOf(key), text, value.Where()});
        return;
    }
    const std::string problem = CheckAttribute(owner, AttributeOf(key), text);
    if (!problem.empty())
    {
        value.Report(problem);
    }
}

/** Complains about a congestion control that there is not; transports take any string. */
void
CheckCongestionControl(TypeId transport, const JsonValue& value)
{
    try
    {
        const std::string name = value.String("dctcp");
        if (transport == TcpTransport::GetTypeId())
        {
            FindCongestionControl(name);
        }
        else if (transport == RdmaTransport::GetTypeId())
        {
            FindPolicy(RdmaCongestionControl::GetTypeId(), name);
        }
    }
    catch (const InputError& error)
    {
        value.Report(error.what());
    }
}

/** Makes the factory; its complaints name the keys as they stand in the file. */
ObjectFactory
MakeTransport(const JsonObject& transport,
              const PolicySpec& spec,
              const std::vector<std::string>& keys,
              std::vector<Diagnostic>& diagnostics)
{
    std::vector<Diagnostic> complaints;
    auto factory = spec.MakeFactory(Transport::GetTypeId(), complaints);
    for (auto& complaint : complaints)
    {
        for (const auto& key : keys)
        {
            if (complaint.pointer == JsonPointer(spec.pointer, AttributeOf(key)))
            {
                complaint.pointer = JsonPointer(transport.GetPointer(), key);
                break;
            }
        }
        diagnostics.push_back(complaint);
    }
    return factory;
}

/** An attribute that is a list of numbers is text that only the scheduler itself can read. */
void
CheckNetworkScheduler(const ObjectFactory& network,
                      const JsonValue& value,
                      std::vector<Diagnostic>& diagnostics)
{
    if (!network.IsTypeIdSet())
    {
        return;
    }
    try
    {
        network.Create<NetworkScheduler>()->GetLadder();
    }
    catch (const InputError& error)
    {
        for (const auto& complaint : error.GetDiagnostics())
        {
            diagnostics.push_back({value.Where(), value.GetPointer(), complaint.what});
        }
    }
}

} // namespace

ObjectFactory
ReadTransport(const JsonObject& transport, uint32_t& mtu, std::vector<Diagnostic>& diagnostics)
{
    mtu = static_cast<uint32_t>(transport.Unsigned("mtu", {576, 9000}, mtu));
    const JsonValue kind = transport.At("kind");
    PolicySpec spec;
    spec.name = kind.String("tcp");
    spec.where = kind.Where();
    spec.pointer = kind.GetPointer();
    std::vector<std::string> keys;
    for (const auto& key : transport.Keys())
    {
        if (key != "kind" && key != "mtu")
        {
            ReadAttribute(transport, key, spec);
            keys.push_back(key);
        }
    }
    auto factory = MakeTransport(transport, spec, keys, diagnostics);
    for (const auto& key : keys)
    {
        if (factory.IsTypeIdSet() && AttributeOf(key) == "CongestionControl")
        {
            CheckCongestionControl(factory.GetTypeId(), transport.At(key));
        }
    }
    return factory;
}

SchedulingSpec
ReadScheduling(const JsonObject& scheduler, uint32_t hosts, std::vector<Diagnostic>& diagnostics)
{
    SchedulingSpec spec;
    const auto policy = [&](TypeId family, const std::string& key, const std::string& fallback) {
        return scheduler.Policy(key, fallback).MakeFactory(family, diagnostics);
    };
    spec.network = policy(NetworkScheduler::GetTypeId(), "network", "fair-share");
    CheckNetworkScheduler(spec.network, scheduler.At("network"), diagnostics);
    spec.gate = policy(CommunicationGate::GetTypeId(), "gate", "none");
    spec.jobs = policy(JobQueuePolicy::GetTypeId(), "jobs", "fifo");
    spec.placement = policy(PlacementPolicy::GetTypeId(), "placement", "first-fit");
    spec.tasks = policy(TaskQueuePolicy::GetTypeId(), "tasks", "fifo");
    spec.control = policy(ControlPlane::GetTypeId(), "control", "in-band");
    spec.controlAcks = scheduler.OneOf("acks", {"ranked", "control"}, "ranked") == "control";
    spec.period = scheduler.Duration("period", spec.period, {NanoSeconds(1), GetLongestTime()});
    spec.coordinator = HostId{
        static_cast<uint32_t>(scheduler.Unsigned("coordinator", {0, uint64_t{hosts} - 1}, 0))};
    return spec;
}

} // namespace ddl
} // namespace ns3
