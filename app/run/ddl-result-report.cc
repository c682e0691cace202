// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-result-report.h"

#include "app/text/ddl-text-table.h"

#include "ns3/ddl-communication-gate.h"
#include "ns3/ddl-metric.h"
#include "ns3/ddl-network-scheduler.h"

#include <algorithm>
#include <set>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t MOST_LISTED = 20; //!< most unfinished jobs that are printed

/** \return number of data queues that carried something at some port */
std::size_t
CountDataQueues(const RunResult& result)
{
    std::set<uint32_t> queues;
    for (const auto& row : result.ports)
    {
        if (row.queue != 0 && row.bytes > 0)
        {
            queues.insert(row.queue);
        }
    }
    return queues.size();
}

/** \return text of drops: "3 drops (2 queue full, 1 no route)" */
std::string
DescribeDrops(const DropCounts& drops)
{
    std::string reasons;
    for (std::size_t i = 0; i < DROP_REASONS; ++i)
    {
        const auto reason = static_cast<DropReason>(i);
        const uint64_t packets = drops.Get(reason).packets;
        if (packets > 0)
        {
            std::string name = GetName(reason);
            std::replace(name.begin(), name.end(), '_', ' ');
            reasons += (reasons.empty() ? "" : ", ") + std::to_string(packets) + " " + name;
        }
    }
    return std::to_string(drops.GetSum().packets) + " drops" +
           (reasons.empty() ? "" : " (" + reasons + ")");
}

void
PrintTraffic(std::ostream& os, const Scenario& scenario, const RunResult& result)
{
    uint64_t bytes = 0;
    for (const auto& row : result.jobs)
    {
        bytes += row.bytes;
    }
    os << "traffic: " << FormatNumber(static_cast<double>(bytes) / 1e6)
       << " MB of jobs that ended, ";
    if (result.network)
    {
        const StreamCounters& streams = result.network->streams;
        os << result.network->packetHops << " packet-hops in " << CountDataQueues(result)
           << " data queues, " << result.network->marks << " marks, "
           << DescribeDrops(result.network->drops) << ", " << streams.retransmissions
           << " retransmissions, " << streams.timeouts << " timeouts\n";
    }
    else
    {
        os << "fluids in " << CountDataQueues(result) << " data queues, no packets\n";
    }
    os << "control: " << result.schedulerRuns << " scheduler runs, " << result.controlMessages
       << " messages, " << FormatNumber(static_cast<double>(result.controlBytes) / 1e3) << " kB, "
       << result.remarkCount << " remarks";
    const uint32_t queues = std::min(scenario.cluster.hosts.bands, scenario.cluster.ports.queues);
    if (result.mostPriorities >= std::max(queues, 2U))
    {
        os << "; up to " << result.mostPriorities << " priorities share "
           << std::max(queues, 2U) - 1 << " data queues";
    }
    os << "\n";
}

void
PrintCost(std::ostream& os, const RunResult& result)
{
    if (result.leaps && result.leaps->byMean > 0)
    {
        os << "leaps:   " << result.leaps->iterations << " iterations, " << result.leaps->byMean
           << " times those of jobs that contend by their mean; ±: how far that may be off (95 "
              "%)\n";
    }
    if (result.sampling)
    {
        const SamplingTotals& sampling = *result.sampling;
        os << "sampled: " << sampling.windows << " windows, "
           << FormatNumber(100 * sampling.packetShare, 3)
           << " % of the iterations; ±: half of the interval in which packets are expected (95 %)\n"
           << "cost:    " << FormatNumber(result.cpuSeconds + sampling.cpuSeconds)
           << " CPU s (all packets: about " << FormatNumber(sampling.packetsCpuSeconds, 2) << "), ";
    }
    else
    {
        os << "cost:    " << FormatNumber(result.cpuSeconds) << " CPU s, ";
    }
    os << FormatNumber(static_cast<double>(result.peakBytes) / 1e6) << " MB at the peak\n";
}

/** \return what orders the traffic, as `fair-share` or `fair-share behind cassini` */
std::string
NameOrder(const SchedulingSpec& scheduling)
{
    const std::string gate =
        GetShortName(CommunicationGate::GetTypeId(), scheduling.gate.GetTypeId());
    return GetShortName(NetworkScheduler::GetTypeId(), scheduling.network.GetTypeId()) +
           (gate == "none" ? "" : " behind " + gate);
}

} // namespace

Report::Table
MakeMetricTable(const RunSummary& summary, bool isShort)
{
    std::vector<std::string> statistics = ListStatistics();
    if (isShort)
    {
        statistics.erase(std::find(statistics.begin(), statistics.end(), "p90"));
    }
    Report::Table table{{""}};
    table.header.insert(table.header.end(), statistics.begin(), statistics.end());
    table.header.emplace_back("count");
    for (const Metric& metric : ListMetrics())
    {
        if (!metric.values || (isShort && !metric.isCompared) ||
            !summary.GetMetric(metric.name, "mean"))
        {
            continue;
        }
        Report::Row row{{metric.GetAxisTitle()}};
        for (const std::string& statistic : statistics)
        {
            const auto value = summary.GetMetric(metric.name, statistic);
            const auto error = summary.GetError(metric.name, statistic);
            row.push_back({(value ? FormatNumber(*value) : "-") +
                           (error ? " ±" + FormatNumber(*error, 3) : "")});
        }
        row.push_back({FormatSignificant(summary.GetMetric(metric.name, "count").value_or(0), 1)});
        table.rows.push_back(std::move(row));
    }
    return table;
}

void
PrintReport(std::ostream& os,
            const Scenario& scenario,
            const RunResult& result,
            const std::string& folder,
            const DrawnFigures& drawn,
            bool isTerminal)
{
    os << scenario.name << ": " << FormatNumber(result.end.GetSeconds()) << " s simulated under "
       << NameOrder(scenario.scheduling) << ", seed " << GetSeed(scenario) << ", scale: model "
       << FormatNumber(scenario.scale.model) << ", iterations "
       << FormatNumber(scenario.scale.iterations) << "\n\n";
    Report metrics;
    metrics.Add(MakeMetricTable(RunSummary(folder), true));
    os << FormatText(metrics) << "\n";
    PrintTraffic(os, scenario, result);
    PrintCost(os, result);
    os << "results: " << folder
       << (isTerminal ? "  (a page of them: ./ddl report " + folder + ")\n" : "\n");
    for (const auto& picture : drawn.pictures)
    {
        os << "figure:  " << picture.string() << "\n";
    }
}

void
PrintComplaints(std::ostream& os, const RunResult& result, const DrawnFigures& drawn)
{
    for (const auto& warnings : {result.warnings, drawn.warnings})
    {
        for (const auto& warning : warnings)
        {
            os << "warning: " << warning << "\n";
        }
    }
    if (result.status == RunResult::Status::INTERRUPTED)
    {
        os << "interrupted; what was known by then has been written\n";
    }
    for (const auto& imbalance : result.imbalances)
    {
        os << "error: packets are not accounted for: " << imbalance.device << " " << imbalance.what
           << "\n";
    }
    for (const auto& failure : result.failures)
    {
        os << "error: " << failure.what << ": " << failure.state << "\n";
    }
    if (result.unfinished.empty())
    {
        return;
    }
    os << "work was left over" << (result.reason.empty() ? "" : ", " + result.reason) << ":\n";
    const std::size_t listed = std::min(MOST_LISTED, result.unfinished.size());
    for (std::size_t i = 0; i < listed; ++i)
    {
        os << "  " << result.unfinished[i].what << ": " << result.unfinished[i].state << "\n";
    }
    if (listed < result.unfinished.size())
    {
        os << "  and " << result.unfinished.size() - listed << " more (summary.json has them)\n";
    }
}

} // namespace ns3::ddl
