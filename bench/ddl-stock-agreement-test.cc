// SPDX-License-Identifier: GPL-2.0-only
// TCP on our fabric against TCP on ns-3's own devices, flow by flow.
#include "ddl-bench-fabric.h"
#include "ddl-bench-stock.h"

#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr uint32_t MEAN_GAP = 400; // mean time between two starts, us
constexpr double LEAST = 10e3;     // least size of a flow, bytes
constexpr double MOST = 5e6;

Ptr<UniformRandomVariable>
MakeUniform(int64_t stream)
{
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(stream);
    return uniform;
}

/**
 * 2 leaves x 4 hosts, 2 spines; sizes log-uniform, pairs uniform, starts Poisson. The mean size is
 * (5 MB - 10 kB) / ln 500 = 803 kB, so that a flow each 400 us loads the links of the 8 hosts with
 * 803 kB * 8 / 400 us / (8 * 10 Gbps) = 20 %, and 4 / 7 of it those of the 2 spines, which are half
 * as many, with 23 %. With more, small differences in time decide which packets are marked, flows
 * that meet go separate ways, and the mean of 100 or 200 says little.
 */
BenchWork
MakeRandomWork(int64_t seed, uint32_t flows)
{
    BenchWork work;
    work.name = "random";
    work.leaves = 2;
    work.hostsPerLeaf = 4;
    work.spines = 2;
    work.mark = CONTROL_MARK; // TcpTransport's SYNs go first by this mark; not here
    const auto sizes = MakeUniform(3 * seed);
    const auto hosts = MakeUniform(3 * seed + 1);
    auto gaps = CreateObject<ExponentialRandomVariable>();
    gaps->SetStream(3 * seed + 2);
    Time start;
    for (uint32_t i = 0; i < flows; ++i)
    {
        start += MicroSeconds(gaps->GetInteger(MEAN_GAP, 0));
        const uint32_t source = hosts->GetInteger(0, 7);
        const uint32_t destination = (source + hosts->GetInteger(1, 7)) % 8;
        const auto bytes =
            static_cast<uint64_t>(std::exp(sizes->GetValue(std::log(LEAST), std::log(MOST))));
        work.flows.push_back({HostId{source}, HostId{destination}, bytes, start});
        work.bytes += bytes;
    }
    return work;
}

/** The queues of our ports on stock devices, which hold one more packet below the queue disc. */
StockOptions
MakeSameService(const BenchWork& work)
{
    StockOptions options;
    options.queueDisc.SetTypeId("ns3::ddl::PriorityQueueDisc");
    options.queueDisc.Set("Limit", UintegerValue(BENCH_LIMIT));
    options.queueDisc.Set("EcnThreshold", UintegerValue(BENCH_ECN_THRESHOLD - work.mtu));
    options.congestionControl = "ns3::ddl::DctcpFloor";
    return options;
}

double
GetCompletionTime(const BenchWork& work, const BenchMeasure& measure, std::size_t flow)
{
    return (measure.finish[flow] - work.flows[flow].start).GetSeconds();
}

} // namespace

TEST(StockAgreement, FlowCompletionTimes)
{
    double stockSum = 0;
    double oursSum = 0;
    double apart = 0;
    const bool isSlow = std::getenv("DDL_TEST_SLOW") != nullptr;
    const int64_t seeds = isSlow ? 3 : 1;
    const uint32_t each = isSlow ? 200 : 100; // flows of a seed
    for (int64_t seed = 1; seed <= seeds; ++seed)
    {
        const BenchWork work = MakeRandomWork(seed, each);
        const BenchMeasure stock = RunOnStock(work, MakeSameService(work));
        const BenchMeasure ours = RunOnFabric(work, "tcp");
        RequireDelivered(work, stock);
        RequireDelivered(work, ours);
        EXPECT_EQ(stock.drops, 0U);
        EXPECT_EQ(ours.drops, 0U);
        for (std::size_t i = 0; i < each; ++i)
        {
            const double theirs = GetCompletionTime(work, stock, i);
            const double here = GetCompletionTime(work, ours, i);
            stockSum += theirs;
            oursSum += here;
            apart += std::abs(here / theirs - 1);
        }
    }
    const double flows = static_cast<double>(each * seeds);
    std::cout << "mean FCT " << oursSum / flows * 1e6 << " us, stock " << stockSum / flows * 1e6
              << " us, difference " << (oursSum / stockSum - 1) * 100
              << " %; mean difference of a flow " << apart / flows * 100 << " %\n";
    EXPECT_NEAR(oursSum / stockSum, 1, 0.02);
    EXPECT_LT(apart / flows, 0.05);
}
