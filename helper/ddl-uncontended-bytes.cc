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

} // namespace ddl
} // namespace ns3
