// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-nic-bytes.h"

#include "ns3/ddl-cluster.h"
#include "ns3/ddl-quantity.h"

#include <algorithm>
#include <map>

namespace ns3::ddl
{

namespace
{

constexpr double FORWARD_SHARE = 0.4;     //!< fraction of compute time, by Ada-SRSF Table III
constexpr double LONGEST_SECONDS = 3.2e9; //!< a century: ns-3 counts nanoseconds in 63 bits

} // namespace

std::vector<HostBytes>
CountHostBytes(const JobPlan& plan, const std::vector<HostId>& rankHosts, const Cluster& cluster)
{
    std::map<HostId, HostBytes> bytes;
    for (const HostId host : rankHosts)
    {
        bytes[host].host = host;
    }
    for (const JobPlan::Channel& channel : plan.channels)
    {
        const HostId source = rankHosts[channel.source];
        const HostId destination = rankHosts[channel.destination];
        if (cluster.PassesNics(source, destination))
        {
            bytes[source].sent += channel.bytes;
            bytes[destination].received += channel.bytes;
        }
    }
    std::vector<HostBytes> list;
    for (const auto& entry : bytes)
    {
        list.push_back(entry.second);
    }
    return list;
}

uint64_t
GetBusiestBytes(const std::vector<HostBytes>& bytes)
{
    uint64_t most = 0;
    for (const auto& moved : bytes)
    {
        most = std::max({most, moved.sent, moved.received});
    }
    return most;
}

std::vector<HostId>
ListNetworkHosts(const std::vector<HostBytes>& bytes)
{
    std::vector<HostId> hosts;
    for (const auto& moved : bytes)
    {
        if (moved.sent + moved.received > 0)
        {
            hosts.push_back(moved.host);
        }
    }
    return hosts;
}

double
GetNicSeconds(double bytes, DataRate rate)
{
    return 8 * bytes / static_cast<double>(rate.GetBitRate());
}

Time
GetUncontendedCommunication(const std::vector<HostBytes>& bytes, const Cluster& cluster)
{
    double seconds = 0;
    for (const auto& moved : bytes)
    {
        const auto most = static_cast<double>(std::max(moved.sent, moved.received));
        seconds = std::max(seconds, GetNicSeconds(most, cluster.GetRate(moved.host)));
    }
    return Seconds(seconds);
}

uint64_t
CountUncontendedBytes(const TransferPlan& plan)
{
    std::vector<std::size_t> roundOf(plan.size(), 0);
    std::vector<std::vector<HostBytes>> rounds; // bytes of each rank, by round
    for (std::size_t i = 0; i < plan.size(); ++i)
    {
        for (const uint32_t before : plan[i].after)
        {
            roundOf[i] = std::max(roundOf[i], roundOf[before] + 1);
        }
        rounds.resize(std::max(rounds.size(), roundOf[i] + 1));
        auto& round = rounds[roundOf[i]];
        const std::size_t ranks = std::max(plan[i].source, plan[i].destination) + std::size_t{1};
        round.resize(std::max(round.size(), ranks));
        round[plan[i].source].sent += plan[i].bytes;
        round[plan[i].destination].received += plan[i].bytes;
    }
    uint64_t total = 0;
    for (const auto& round : rounds)
    {
        total += GetBusiestBytes(round);
    }
    return total;
}

uint64_t
CountUncontendedBytes(const CommunicationPattern& pattern, const PatternView& view)
{
    const RotatedPlan plan = pattern.PlanRotated(view);
    if (plan.empty())
    {
        return CountUncontendedBytes(pattern.Plan(view));
    }
    std::vector<std::size_t> roundOf(plan.size(), 0);
    std::vector<std::vector<uint32_t>> rounds; // parts that rank 0 sends, by round
    for (std::size_t i = 0; i < plan.size(); ++i)
    {
        for (const uint32_t before : plan[i].after)
        {
            roundOf[i] = std::max(roundOf[i], roundOf[before] + 1);
        }
        rounds.resize(std::max(rounds.size(), roundOf[i] + 1));
        rounds[roundOf[i]].push_back(plan[i].part);
    }
    uint64_t total = 0;
    for (const auto& parts : rounds)
    {
        uint64_t most = 0;
        for (uint32_t rank = 0; rank < view.workers; ++rank)
        {
            uint64_t sent = 0;
            for (const uint32_t part : parts)
            {
                sent += SplitBytes(view.bytes, view.workers, (part + rank) % view.workers);
            }
            most = std::max(most, sent);
        }
        total += most;
    }
    return total;
}

Time
GetUncontendedTime(const JobSpec& job, DataRate rate)
{
    const uint64_t bytes = CountUncontendedBytes(*job.pattern.Create<CommunicationPattern>(),
                                                 {job.workers, job.servers, job.model.bytes});
    const double seconds = GetNicSeconds(static_cast<double>(bytes), rate);
    return Seconds(std::min(seconds, LONGEST_SECONDS));
}

Time
GetUncontendedIteration(const JobSpec& job, DataRate rate)
{
    return job.model.input + job.model.forward + job.model.backward + GetUncontendedTime(job, rate);
}

void
SetComputeByRatio(JobSpec& job, double ratio, DataRate rate)
{
    const double communication = GetUncontendedTime(job, rate).GetSeconds();
    const double compute = std::min(ratio * communication, LONGEST_SECONDS);
    SetSums(job.model,
            job.model.bytes,
            Seconds(compute * FORWARD_SHARE),
            Seconds(compute * (1 - FORWARD_SHARE)));
}

void
SetComputeByIteration(JobSpec& job, Time iteration, DataRate rate)
{
    const Time before = job.model.forward + job.model.backward;
    const double share =
        before.IsZero() ? FORWARD_SHARE : job.model.forward.GetSeconds() / before.GetSeconds();
    const Time others = job.model.input + GetUncontendedTime(job, rate);
    const Time compute = std::max(Time(), iteration - others);
    const Time forward = Min(compute, RoundSteps(compute.GetDouble() * share));
    SetSums(job.model, job.model.bytes, forward, compute - forward);
}

} // namespace ns3::ddl
