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
#include <numeric>
#include <thread>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr uint32_t HEADER_BYTES = 40;                  //!< IPv4 and TCP
constexpr double CPU_SECONDS_PER_PACKET_HOP = 2.5e-6;  //!< doc/performance.md
constexpr double CPU_SECONDS_PER_FLUID_MESSAGE = 1e-4; //!< a guess, see doc/fluid.md

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
        const auto messages = static_cast<double>(forecast.messages);
        forecast.cpuSeconds = messages * CPU_SECONDS_PER_FLUID_MESSAGE;
        return;
    }
    const uint64_t payload = topology.mtu - HEADER_BYTES;
    forecast.dataPackets = forecast.bytes / payload + (forecast.bytes % payload > 0 ? 1 : 0);
    forecast.packetHops = 2 * forecast.dataPackets * LongestPath(topology);
    forecast.cpuSeconds = static_cast<double>(forecast.packetHops) * CPU_SECONDS_PER_PACKET_HOP;
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
