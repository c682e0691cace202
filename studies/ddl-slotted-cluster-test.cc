// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-slotted-cluster.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace ns3::ddl;

namespace
{

const SlottedOptions AVOID_CONTENTION; //!< SRSF(1) on GPUs of 16 GB

double
Mean(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

TEST(SlottedCluster, GpusWorkAsLongAsTheJobsCompute)
{
    double work = 0; // GPU seconds; a slot of 1 ms is 0.1 s of the paper
    for (const auto& job : MakeSlottedJobs(3))
    {
        work += 0.1 * job.workers * job.iterations * static_cast<double>(job.task[0] + job.task[1]);
    }
    const SlottedResult result = RunSlotted(3, AVOID_CONTENTION);
    EXPECT_EQ(result.jct.size(), 160U);
    EXPECT_NEAR(result.utilisation * result.makespan * 64, work, 1e-6 * work);
}

TEST(SlottedCluster, WithoutContentionItsCostHasNoEffect)
{
    SlottedOptions free = AVOID_CONTENTION;
    free.eta = 0;
    const SlottedResult costly = RunSlotted(1, AVOID_CONTENTION);
    EXPECT_EQ(costly.jct, RunSlotted(1, free).jct);
    EXPECT_EQ(costly.jct, RunSlotted(1, AVOID_CONTENTION).jct);
}

TEST(SlottedCluster, WithContentionItsCostHas)
{
    SlottedOptions costly = AVOID_CONTENTION;
    costly.others = 2;
    costly.eta = 1;
    SlottedOptions free = costly;
    free.eta = 0;
    EXPECT_GT(Mean(RunSlotted(1, costly).jct), Mean(RunSlotted(1, free).jct));
}

TEST(SlottedCluster, AQuestionThatMovesBytesSavesTime)
{
    SlottedOptions asks = AVOID_CONTENTION;
    asks.others = 1;
    asks.isAdaDual = true;
    SlottedOptions moves = asks;
    moves.asksForFree = true;
    const double honest = Mean(RunSlotted(1, asks).jct);
    EXPECT_LT(Mean(RunSlotted(1, moves).jct), 0.8 * honest);
}

} // namespace
