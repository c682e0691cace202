// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-forecast.h"

#include "ddl-scale.h"
#include "ddl-scenario-parts.h"
#include "ddl-text-table.h"
#include "ddl-workload-source.h"

#include "ns3/ddl-communication-pattern.h"
#include "ns3/ddl-search-algorithm.h"
#include "ns3/ddl-transport.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <thread>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr uint32_t HEADER_BYTES = 40; //!< IPv4 and TCP

// Prices in CPU seconds, as doc/performance.md and doc/fluid.md have measured them.
constexpr double PER_FLUID_CHANGE = 10e-6;  //!< of rates, each time that a message begins or ends
constexpr double PER_FLUID_STREAM = 0.8e-6; //!< and this for each stream that sends then

/** \return of one data packet on one link, its acknowledgement on the way back included */
double
GetPricePerDataHop(const Scenario& scenario)
{
    static const std::map<std::string, double> prices = {{"rdma", 0.3e-6}, {"tcp", 3.5e-6}};
    const auto name = GetShortName(Transport::GetTypeId(), scenario.transport.GetTypeId());
    const auto price = prices.find(name);
    return price != prices.end() ? price->second : prices.at("tcp"); // the dearest one known
}

/** \return links on the longest path between two hosts */
uint64_t
LongestPath(const TopologySpec& topology)
{
    if (topology.kind == "leaf-spine")
    {
        return topology.leaves > 1 ? 4 : 2;
    }
    return topology.kind == "dumbbell" ? 3 : 2;
}

uint32_t
CountSwitches(const TopologySpec& topology)
{
    if (topology.kind == "leaf-spine")
    {
        return topology.leaves + topology.spines;
    }
    return topology.kind == "dumbbell" ? 2 : 1;
}

/** \return the nearest whole number, 2^64 - 1 if it is more */
uint64_t
Saturate(long double number)
{
    return number < static_cast<long double>(MAX_UNSIGNED) ? static_cast<uint64_t>(number)
                                                           : MAX_UNSIGNED;
}

/** Adds the bytes and messages of so many iterations, 2^64 - 1 if there are more. */
void
AddTraffic(const JobSpec& job, uint64_t iterations, Forecast& forecast)
{
    const auto plan = job.pattern.Create<CommunicationPattern>()->Plan(
        {job.workers, job.servers, job.model.bytes});
    const long double once =
        std::accumulate(plan.begin(), plan.end(), 0.0L, [](long double sum, const auto& transfer) {
            return sum + transfer.bytes;
        });
    std::set<std::pair<uint32_t, uint32_t>> pairs;
    for (const auto& transfer : plan)
    {
        pairs.emplace(transfer.source, transfer.destination);
    }
    forecast.streams += static_cast<double>(pairs.size());
    const auto rounds = static_cast<long double>(iterations);
    // 64 bits of mantissa: exact as long as it matters
    forecast.bytes = Saturate(static_cast<long double>(forecast.bytes) + once * rounds);
    forecast.messages =
        Saturate(static_cast<long double>(forecast.messages) + rounds * plan.size());
}

void
AddGroup(const CojobSpec& group, Forecast& forecast)
{
    const auto last = PlanLastStages(group);
    forecast.cojobs += group.plain ? 0 : 1;
    for (const auto& job : group.jobs)
    {
        forecast.workers += job.workers;
    }
    forecast.jobs += group.jobs.size();
    forecast.stages += *std::max_element(last.begin(), last.end());
    for (std::size_t i = 0; i < group.jobs.size(); ++i)
    {
        const auto iterations = std::accumulate(group.iterations.begin(),
                                                group.iterations.begin() + last[i],
                                                uint64_t{0});
        forecast.iterations += iterations;
        AddTraffic(group.jobs[i], iterations, forecast);
    }
}

/** What the bytes cost: packets, or the rates of so many messages. */
void
AddPackets(const Scenario& scenario, Forecast& forecast)
{
    const TopologySpec& topology = scenario.cluster.topology;
    forecast.hasPackets = scenario.transport.Create<Transport>()->HasPackets();
    if (!forecast.hasPackets)
    {
        const double changes = 2 * static_cast<double>(forecast.messages);
        forecast.cpuSeconds = changes * (PER_FLUID_CHANGE + PER_FLUID_STREAM * forecast.streams);
        return;
    }
    const uint64_t payload = topology.mtu - HEADER_BYTES;
    forecast.dataPackets = forecast.bytes / payload + (forecast.bytes % payload > 0 ? 1 : 0);
    forecast.packetHops = 2 * forecast.dataPackets * LongestPath(topology);
    forecast.cpuSeconds =
        static_cast<double>(forecast.packetHops) / 2 * GetPricePerDataHop(scenario);
}

/** \return minutes, to the tenth where there are few */
std::string
FormatMinutes(double seconds)
{
    return FormatNumber(std::max(0.1, seconds / 60), 2) + " minutes";
}

std::string
DescribePackets(const Forecast& forecast)
{
    return forecast.hasPackets
               ? std::to_string(forecast.dataPackets) + " data packets, at most " +
                     std::to_string(forecast.packetHops) +
                     " packet-hops with their acknowledgements"
               : "fluids of " + std::to_string(forecast.messages) + " messages, no packets";
}

} // namespace

Forecast
MakeForecast(const Scenario& unscaled)
{
    const Scenario scenario = ApplyScale(unscaled);
    const TopologySpec& topology = scenario.cluster.topology;
    Forecast forecast;
    forecast.hosts = CountHosts(topology);
    forecast.switches = CountSwitches(topology);
    forecast.cables = static_cast<uint32_t>(ListCables(topology).size());
    forecast.gpus = static_cast<uint32_t>(CountGpus(scenario.cluster));
    VisitWorkload(scenario, [&forecast](const CojobSpec& group) { AddGroup(group, forecast); });
    // Jobs that find no GPU wait, and do not send.
    const double part = forecast.gpus / std::max(1.0, static_cast<double>(forecast.workers));
    forecast.streams *= std::min(1.0, part);
    AddPackets(scenario, forecast);
    // Each cojob once more, and each job of it.
    const double again = forecast.cojobs > 0 ? 2 : 1;
    forecast.aloneCpuSeconds = scenario.output.alone ? again * forecast.cpuSeconds : 0;
    return forecast;
}

void
PrintForecast(std::ostream& os, const Scenario& scenario, const Forecast& forecast)
{
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const double seconds = forecast.cpuSeconds + forecast.aloneCpuSeconds / cores;
    os << scenario.name << (scenario.description.empty() ? "" : ": ") << scenario.description
       << "\n"
       << "topology: " << scenario.cluster.topology.kind << ", " << forecast.hosts << " hosts with "
       << forecast.gpus << " GPUs, " << forecast.switches << " switches, " << forecast.cables
       << " links between neighbours\n"
       << "work:     " << forecast.cojobs << " cojobs, " << forecast.jobs << " jobs, "
       << forecast.stages << " stages, " << forecast.iterations << " iterations of jobs\n"
       << "traffic:  " << FormatNumber(static_cast<double>(forecast.bytes) / 1e6) << " MB, "
       << DescribePackets(forecast) << "\n"
       << "scale:    model " << FormatNumber(scenario.scale.model) << ", iterations "
       << FormatNumber(scenario.scale.iterations) << " (applied above)\n"
       << "expected: " << FormatMinutes(seconds) << " at most on " << cores
       << " cores, runs alone included\n";
}

} // namespace ddl
} // namespace ns3
