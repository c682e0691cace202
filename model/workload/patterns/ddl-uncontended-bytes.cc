// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-uncontended-bytes.h"

#include <algorithm>
#include <map>
#include <vector>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr double FORWARD_SHARE = 0.4;     //!< of compute time, in all models of Ada-SRSF Table III
constexpr double LONGEST_SECONDS = 3.2e9; //!< a century: ns-3 counts nanoseconds in 63 bits

/** What one rank moves in one round. */
struct RankBytes
{
    uint64_t sent{0};
    uint64_t received{0};
};

} // namespace

uint64_t
CountUncontendedBytes(const TransferPlan& plan)
{
    std::vector<std::size_t> roundOf(plan.size(), 0);
    std::vector<std::map<uint32_t, RankBytes>> rounds;
    for (std::size_t i = 0; i < plan.size(); ++i)
    {
        for (const uint32_t before : plan[i].after)
        {
            roundOf[i] = std::max(roundOf[i], roundOf[before] + 1);
        }
        rounds.resize(std::max(rounds.size(), roundOf[i] + 1));
        rounds[roundOf[i]][plan[i].source].sent += plan[i].bytes;
        rounds[roundOf[i]][plan[i].destination].received += plan[i].bytes;
    }
    uint64_t total = 0;
    for (const auto& round : rounds)
    {
        uint64_t most = 0;
        for (const auto& [rank, bytes] : round)
        {
            most = std::max({most, bytes.sent, bytes.received});
        }
        total += most;
    }
    return total;
}

Time
GetUncontendedTime(const JobSpec& job, DataRate rate)
{
    const auto plan = job.pattern.Create<CommunicationPattern>()->Plan(
        {job.workers, job.servers, job.model.bytes});
    const double seconds = static_cast<double>(CountUncontendedBytes(plan)) * 8 /
                           static_cast<double>(rate.GetBitRate());
    return Seconds(std::min(seconds, LONGEST_SECONDS));
}

void
SetComputeByRatio(JobSpec& job, double ratio, DataRate rate)
{
    const double communication = GetUncontendedTime(job, rate).GetSeconds();
    const double compute = std::min(ratio * communication, LONGEST_SECONDS);
    job.model.forward = Seconds(compute * FORWARD_SHARE);
    job.model.backward = Seconds(compute * (1 - FORWARD_SHARE));
}

} // namespace ddl
} // namespace ns3
