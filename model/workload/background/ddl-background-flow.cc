// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-background-flow.h"

#include "ddl-constant-rate-flow.h"
#include "ddl-elastic-flow.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-fabric.h"
#include "ns3/ddl-transport.h"
#include "ns3/simulator.h"

namespace ns3::ddl
{

namespace
{

std::string
CheckConstantRate(const BackgroundFlowSpec& flow)
{
    if (flow.rate.GetBitRate() == 0)
    {
        return "the rate of a background flow must be above 0";
    }
    if (flow.packetSize <= ConstantRateFlow::HEADER_BYTES || flow.packetSize > 65535)
    {
        return "packets of a background flow have 29 to 65535 bytes";
    }
    return "";
}

/** Refuse packets above the MTU, and a flow that is faster than its NIC: a NIC's queues have no
 * limit, so it would fill the memory. */
void
CheckFits(const BackgroundFlowSpec& flow, const Ptr<Fabric>& fabric)
{
    if (!fabric->IsJoinedByPorts(flow.source, flow.destination))
    {
        throw InputError(
            "a background flow of constant rate is made of packets, which hosts of one "
            "server do not send each other with scaleUp \"streams\"");
    }
    const Ptr<HostPort> nic = fabric->GetHostPort(flow.source, flow.destination);
    if (flow.packetSize > nic->GetMtu())
    {
        throw InputError("a background flow's packets of " + std::to_string(flow.packetSize) +
                         " bytes are larger than the MTU, " + std::to_string(nic->GetMtu()));
    }
    if (flow.rate > nic->GetDataRate())
    {
        throw InputError("a background flow's rate is above that of its host's NIC");
    }
}

void
AddApplication(const BackgroundFlowSpec& flow, const Ptr<Node>& node, const Ptr<Application>& app)
{
    app->SetStartTime(flow.start - Simulator::Now());
    if (!flow.stop.IsZero())
    {
        app->SetStopTime(flow.stop - Simulator::Now());
    }
    node->AddApplication(app);
}

} // namespace

std::string
CheckBackgroundFlow(const BackgroundFlowSpec& flow, uint32_t hosts)
{
    if (flow.source.value >= hosts || flow.destination.value >= hosts)
    {
        return "a background flow's hosts are 0 to " + std::to_string(hosts - 1);
    }
    if (flow.source == flow.destination)
    {
        return "a background flow goes from one host to another";
    }
    if (flow.start.IsStrictlyNegative() || (!flow.stop.IsZero() && flow.stop <= flow.start))
    {
        return "a background flow stops after it has started";
    }
    if (flow.mark.band >= UNLIMITED_QUEUES || flow.mark.dscp > 63)
    {
        return "a background flow's band is 0 to 62 and its dscp 0 to 63";
    }
    if (flow.kind == BackgroundFlowSpec::Kind::CONSTANT_RATE)
    {
        return CheckConstantRate(flow);
    }
    return flow.bytes == 0 ? "a background flow's messages have at least 1 byte" : "";
}

Ptr<Application>
StartBackgroundFlow(const BackgroundFlowSpec& flow,
                    Ptr<Fabric> fabric,
                    Ptr<Transport> transport,
                    uint32_t flowLabel)
{
    const std::string complaint = CheckBackgroundFlow(flow, fabric->GetHosts());
    if (!complaint.empty())
    {
        throw InputError(complaint);
    }
    const Ptr<Node> source = fabric->GetHost(flow.source);
    const Ptr<Node> destination = fabric->GetHost(flow.destination);
    Ptr<Application> app;
    if (flow.kind == BackgroundFlowSpec::Kind::CONSTANT_RATE)
    {
        if (!transport->HasPackets())
        {
            throw InputError("a background flow of constant rate is made of packets, which this "
                             "transport has not");
        }
        CheckFits(flow, fabric);
        const auto sink = CreateObject<ConstantRateSink>(destination);
        AddApplication(flow, destination, sink);
        app = CreateObject<ConstantRateFlow>(flow,
                                             fabric->GetHostPort(flow.source, flow.destination),
                                             fabric->GetAddress(flow.destination),
                                             sink->GetPort());
    }
    else
    {
        // The number of applications at the destination makes the name unique.
        const StreamName name{BACKGROUND_STREAMS,
                              destination->GetNApplications(),
                              flow.source.value,
                              flow.destination.value};
        const auto sink = CreateObject<ElasticSink>(flow, transport->On(flow.destination), name);
        AddApplication(flow, destination, sink);
        app = CreateObject<ElasticFlow>(flow, transport->On(flow.source), name, flowLabel);
    }
    AddApplication(flow, source, app);
    return app;
}

} // namespace ns3::ddl
