// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-rdma-transport.h"

#include "ddl-base-round-trip.h"
#include "ddl-rdma-congestion-control.h"
#include "ddl-rdma-host.h"
#include "ddl-rdma-stream.h"
#include "ddl-roce-header.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-host-address.h"
#include "ns3/ddl-path-telemetry.h"
#include "ns3/ddl-topology.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlRdmaTransport");
NS_OBJECT_ENSURE_REGISTERED(RdmaTransport);

namespace
{

/** EnumValue is a class up to ns-3.40 and a template from 3.41 on. */
using RecoveryValue = decltype(EnumValue(GO_BACK_N));
using EntropyValue = decltype(EnumValue(ENTROPY_FLOW));

} // namespace

TypeId
RdmaTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::RdmaTransport")
            .SetParent<Transport>()
            .SetGroupName("Ddl")
            .AddConstructor<RdmaTransport>()
            .AddAttribute("CongestionControl",
                          "Short name (dctcp, dcqcn, hpcc, swift, mltcp, fixed) or full name of an "
                          "RdmaCongestionControl.",
                          StringValue("dctcp"),
                          MakeStringAccessor(&RdmaTransport::m_congestionControl),
                          MakeStringChecker())
            .AddAttribute(
                "Recovery",
                "What happens to packets behind a missing one: go-back-n throws them "
                "away and sends all of them again; selective-repeat keeps them and sends "
                "again only what was lost.",
                RecoveryValue(GO_BACK_N),
                MakeAccessorHelper<RecoveryValue>(&RdmaTransport::m_recovery),
                MakeEnumChecker(GO_BACK_N, "go-back-n", SELECTIVE_REPEAT, "selective-repeat"))
            .AddAttribute("AckInterval",
                          "Packets per acknowledgement. The last packet of the data at hand, and "
                          "the last that the window allows, also ask for one.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&RdmaTransport::m_ackInterval),
                          MakeUintegerChecker<uint32_t>(1, 1U << 16))
            .AddAttribute("InitialPsn",
                          "Packet sequence number of each queue pair's first packet.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RdmaTransport::m_initialPsn),
                          MakeUintegerChecker<uint32_t>(0, RoceHeader::NUMBERS - 1))
            .AddAttribute("Timeout",
                          "Time without progress after which the sender asks the receiver which "
                          "packet it expects.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&RdmaTransport::m_timeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute(
                "MaxTimeout",
                "Upper bound of the timeout, which doubles each time: the longest pause after "
                "all packets of a starved stream were dropped.",
                TimeValue(Seconds(1)),
                MakeTimeAccessor(&RdmaTransport::m_maxTimeout),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("QueuePairs",
                          "Queue pairs per stream, to which messages are dealt in turn: each has "
                          "its own path by hash.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RdmaTransport::m_queuePairs),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("Entropy",
                          "Which of several paths a packet takes, where switches choose by hash: "
                          "flow: that of its queue pair; random: any; reps: one that worked "
                          "lately (REPS). The latter two need selective-repeat.",
                          EntropyValue(ENTROPY_FLOW),
                          MakeAccessorHelper<EntropyValue>(&RdmaTransport::m_entropy),
                          MakeEnumChecker(ENTROPY_FLOW,
                                          "flow",
                                          ENTROPY_RANDOM,
                                          "random",
                                          ENTROPY_REPS,
                                          "reps"))
            .AddAttribute("Entropies",
                          "Number of source ports among which random and reps choose.",
                          UintegerValue(FlowKey::PATH_LABELS),
                          MakeUintegerAccessor(&RdmaTransport::m_entropies),
                          MakeUintegerChecker<uint32_t>(1, FlowKey::PATH_LABELS))
            .AddAttribute("Reordering",
                          "Where packets take several paths: least time by which a later packet "
                          "must have been sent before its arrival proves a loss, or four times "
                          "the longest round trip if that is more.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&RdmaTransport::m_reordering),
                          MakeTimeChecker(Time(0)));
    return tid;
}

void
RdmaTransport::DoInstall()
{
    NS_LOG_FUNCTION(this);
    m_options = ReadOptions();
    switch (m_options.feedback)
    {
    case RdmaFeedback::NONE:
        break;
    case RdmaFeedback::ROUND_TRIP:
        GetFabric()->UseLongFrames();
        break;
    case RdmaFeedback::PATH:
        AskForRecords();
        break;
    }
}

/** Let switches write records. \throws InputError where records cannot tell of all of them */
void
RdmaTransport::AskForRecords()
{
    const BaseRoundTrip longest = FindBaseRoundTrip(*GetFabric());
    if (longest.switches > PathTelemetry::MOST_HOPS)
    {
        throw InputError(m_congestionControl + ": a packet passes " +
                         std::to_string(longest.switches) + " switches, and " +
                         std::to_string(PathTelemetry::MOST_HOPS) +
                         " find room for a record: use swift or dctcp");
    }
    m_options.baseRtt = longest.time;
    try
    {
        m_options.rates = GetFabric()->EnableTelemetry();
    }
    catch (const InputError& error)
    {
        throw InputError(m_congestionControl + ": " + error.what());
    }
}

Ptr<StreamHost>
RdmaTransport::DoMakeHost(HostId host, std::shared_ptr<StreamSettings> settings)
{
    return CreateObject<RdmaHost>(host,
                                  std::move(settings),
                                  RdmaPorts{GetFabric()->GetHostPort(host),
                                            GetFabric()->GetScaleUpPort(host),
                                            GetFabric()->ListNeighbours(host)},
                                  m_options);
}

std::string
RdmaTransport::FindPathProblem(const PathSelector& selector) const
{
    const bool isSprayed = selector.BreaksOrder() || m_entropy != ENTROPY_FLOW;
    if (isSprayed && m_recovery == GO_BACK_N)
    {
        return "rdma with go-back-n sends again what was only overtaken: use the recovery "
               "selective-repeat where packets of a stream take several paths";
    }
    if (isSprayed && FindFeedback() == RdmaFeedback::PATH)
    {
        return m_congestionControl + " needs records of successive packets (hpcc), which must take "
                                     "one path: use swift or dctcp where they take several";
    }
    return "";
}

std::string
RdmaTransport::FindNetworkProblem(const TopologySpec& topology) const
{
    if (FindFeedback() != RdmaFeedback::PATH)
    {
        return "";
    }
    const TopologyPlan plan = MakePlan(topology);
    std::set<uint64_t> rates; // of cables with a port of a switch
    for (const TopologyPlan::Cable& cable : plan.GetCables())
    {
        if (!plan.IsHost(cable.first) || !plan.IsHost(cable.second))
        {
            rates.insert(cable.rate.GetBitRate());
        }
    }
    const std::string problem = PathTelemetry::FindProblem(rates.size());
    return problem.empty() ? "" : m_congestionControl + ": " + problem;
}

RdmaFeedback
RdmaTransport::FindFeedback() const
{
    try
    {
        return CreatePolicy<RdmaCongestionControl>(m_congestionControl)->GetFeedback();
    }
    catch (const InputError&)
    {
        return RdmaFeedback::NONE; // Install says which names there are
    }
}

std::optional<FlowKey>
RdmaTransport::DoGetFlow(HostId destination, uint32_t flowLabel) const
{
    if (m_entropy != ENTROPY_FLOW)
    {
        return std::nullopt; // the packets of a stream take many paths
    }
    const uint16_t port = RdmaSendingStream::GetPort(flowLabel, 0);
    return FlowKey{HostToAddress(destination.value), FlowKey::UDP, port, RoceHeader::UDP_PORT};
}

RdmaOptions
RdmaTransport::ReadOptions() const
{
    RdmaOptions options;
    options.congestionControl = CreatePolicy<RdmaCongestionControl>(m_congestionControl);
    options.feedback = options.congestionControl->GetFeedback();
    options.recovery = m_recovery;
    options.ackInterval = m_ackInterval;
    options.initialPsn = m_initialPsn;
    options.timeout = m_timeout;
    options.maxTimeout = m_maxTimeout;
    options.queuePairs = m_queuePairs;
    options.entropy = m_entropy;
    options.entropies = m_entropies;
    options.reordering = m_reordering;
    options.isReordered = m_recovery == SELECTIVE_REPEAT &&
                          (GetFabric()->GetPathSelector()->GetSpread() != PathSpread::FLOW ||
                           m_entropy != ENTROPY_FLOW);
    if (m_maxTimeout < m_timeout)
    {
        throw InputError("RdmaTransport::MaxTimeout is below Timeout");
    }
    uint32_t mtu = std::numeric_limits<uint16_t>::max();
    for (uint32_t i = 0; i < GetFabric()->GetHosts(); ++i)
    {
        mtu = std::min<uint32_t>(mtu, GetFabric()->GetHostPort(HostId{i})->GetMtu());
    }
    options.payload = GetRdmaPayload(mtu, options.feedback);
    return options;
}

} // namespace ns3::ddl
