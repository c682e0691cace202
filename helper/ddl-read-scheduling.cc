// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scenario-parts.h"

#include "ns3/ddl-control-plane.h"
#include "ns3/ddl-job-queue-policy.h"
#include "ns3/ddl-network-scheduler.h"
#include "ns3/ddl-placement-policy.h"
#include "ns3/ddl-transport.h"

#include <cctype>

namespace ns3
{
namespace ddl
{

namespace
{

/** \return the value as ns-3 reads it: a string bare, anything else as JSON writes it */
std::string
AttributeText(const JsonValue& value)
{
    const Json& raw = value.Raw();
    if (raw.is_string())
    {
        return raw.get<std::string>();
    }
    if (!raw.is_number() && !raw.is_boolean())
    {
        value.Report("must be a string, a number, true or false");
    }
    return raw.dump();
}

ObjectFactory
ReadPolicyOf(TypeId family,
             const JsonObject& object,
             const std::string& key,
             const std::string& fallback,
             std::vector<Diagnostic>& diagnostics)
{
    return object.Policy(key, fallback).MakeFactory(family, diagnostics);
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
    for (const auto& key : transport.Keys())
    {
        if (key != "kind" && key != "mtu")
        {
            const JsonValue value = transport.At(key);
            std::string attribute = key;
            attribute[0] =
                static_cast<char>(std::toupper(static_cast<unsigned char>(attribute[0])));
            spec.attributes.push_back({attribute, AttributeText(value), value.Where()});
        }
    }
    return spec.MakeFactory(Transport::GetTypeId(), diagnostics);
}

SchedulingSpec
ReadScheduling(const JsonObject& scheduler, uint32_t hosts, std::vector<Diagnostic>& diagnostics)
{
    SchedulingSpec spec;
    const auto policy = [&](TypeId family, const std::string& key, const std::string& fallback) {
        return ReadPolicyOf(family, scheduler, key, fallback, diagnostics);
    };
    spec.network = policy(NetworkScheduler::GetTypeId(), "network", "fair-share");
    spec.jobs = policy(JobQueuePolicy::GetTypeId(), "jobs", "fifo");
    spec.placement = policy(PlacementPolicy::GetTypeId(), "placement", "first-fit");
    spec.control = policy(ControlPlane::GetTypeId(), "control", "in-band");
    scheduler.OneOf("gate", {"none"}, "none");
    spec.controlAcks = scheduler.OneOf("acks", {"ranked", "control"}, "ranked") == "control";
    spec.period = scheduler.Duration("period", Seconds(1), {NanoSeconds(1), Time::Max()});
    spec.coordinator = HostId{
        static_cast<uint32_t>(scheduler.Unsigned("coordinator", {0, uint64_t{hosts} - 1}, 0))};
    return spec;
}

} // namespace ddl
} // namespace ns3
