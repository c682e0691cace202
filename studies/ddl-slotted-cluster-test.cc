// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-slotted-cluster.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace ns3::ddl;

namespace
{

/** \return SRSF(1) on GPUs of 16 GB */
SlottedOptions
AvoidContention()
{
    return SlottedOptions();
}

double
Mean(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

TEST(SlottedCluster, GpusWorkAsLongAsTheJobsCompute)
{
    double work = 0; // seconds of all GPUs; a slot of 1 ms is 0.1 s of the paper
    for (const auto& job : MakeSlottedJobs(3))
    {
        work += 0.1 * job.workers * job.iterations * static_cast<double>(job.task[0] + job.task[1]);
    }
    const SlottedResult result = SlottedCluster(3, AvoidContention()).Run();
    EXPECT_EQ(result.jct.size(), 160U);
    EXPECT_NEAR(result.utilisation * result.makespan * 64, work, 1e-6 * work);
}

TEST(SlottedCluster, WithoutContentionItsCostHasNoEffect)
{
    SlottedOptions free = AvoidContention();
    free.eta = 0;
    const SlottedResult costly = SlottedCluster(1, AvoidContention()).Run();
    EXPECT_EQ(costly.jct, SlottedCluster(1, free).Run().jct);
    EXPECT_EQ(costly.jct, SlottedCluster(1, AvoidContention()).Run().jct);
}

TEST(SlottedCluster, WithContentionItsCostHas)
{
    SlottedOptions costly = AvoidContention();
    costly.others = 2;
    costly.eta = 1;
    SlottedOptions free = costly;
    free.eta = 0;
    EXPECT_GT(Mean(SlottedCluster(1, costly).Run().jct), Mean(SlottedCluster(1, free).Run().jct));
}

TEST(SlottedCluster, AQuestionThatMovesBytesSavesTime)
{
    SlottedOptions asks = AvoidContention();
    asks.others = 1;
    asks.isAdaDual = true;
    SlottedOptions moves = asks;
    moves.asksForFree = true;
    const double honest = Mean(SlottedCluster(1, asks).Run().jct);
    EXPECT_LT(Mean(SlottedCluster(1, moves).Run().jct), 0.8 * honest);
}

} // namespace
