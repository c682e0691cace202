// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scenario-parts.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

namespace
{

using Kind = BackgroundFlowSpec::Kind;

constexpr uint64_t LEAST_PACKET = 29; //!< bytes: IPv4, UDP and one more

void
ReadConstantRate(const JsonObject& json, const TopologySpec& topology, BackgroundFlowSpec& spec)
{
    spec.rate = std::min(spec.rate, topology.hostRate);
    spec.rate = json.Rate("rate", spec.rate, {DataRate(1), topology.hostRate});
    spec.packetSize = json.Unsigned("packetSize",
                                    {LEAST_PACKET, topology.mtu},
                                    std::min(spec.packetSize, topology.mtu));
}

/** Numbers of a band or codepoint that does not exist would only be found out in mid-run. */
Mark
ReadMark(const JsonObject& json, uint32_t bands)
{
    Mark mark;
    const uint64_t last = bands - 1;
    mark.band = json.Unsigned("band", {0, last}, std::min<uint64_t>(mark.band, last));
    mark.dscp = json.Unsigned("dscp", {0, 63}, mark.dscp);
    return mark;
}

} // namespace

BackgroundFlowSpec
ReadBackgroundFlow(const JsonObject& json, const ClusterSpec& cluster)
{
    BackgroundFlowSpec spec;
    const uint32_t hosts = CountHosts(cluster.topology);
    const JsonRange<uint64_t> host{0, uint64_t{hosts} - 1};
    const JsonRange<Time> times{Time(0), GetLongestTime()};
    const bool hasSource = json.Require("source");
    const bool hasDestination = json.Require("destination");
    spec.source = HostId{static_cast<uint32_t>(json.Unsigned("source", host, 0))};
    spec.destination = HostId{static_cast<uint32_t>(json.Unsigned("destination", host, 0))};
    if (json.OneOf("kind", {"constant-rate", "elastic"}, "constant-rate") == "elastic")
    {
        spec.kind = Kind::ELASTIC;
        spec.bytes = json.Bytes("bytes", spec.bytes, {1, MAX_BYTES});
        spec.repeat = json.Bool("repeat", spec.repeat);
    }
    else
    {
        ReadConstantRate(json, cluster.topology, spec);
    }
    spec.start = json.Duration("start", spec.start, times);
    spec.stop = json.Duration("stop", spec.stop, times);
    spec.mark = ReadMark(json, cluster.hosts.bands);
    const auto complaint = CheckBackgroundFlow(spec, hosts);
    if (hasSource && hasDestination && !complaint.empty())
    {
        json.Report(complaint);
    }
    return spec;
}

} // namespace ddl
} // namespace ns3
