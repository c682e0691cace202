// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-job-service.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

TEST(RemainingService, IsComputeAndCommunicationTimesGpus)
{
    // (10 + 5) ms x 4 GPUs x 6 iterations = 360 ms
    EXPECT_EQ(GetRemainingService({MilliSeconds(10), MilliSeconds(5), 4}, 6), MilliSeconds(360));
    EXPECT_EQ(GetRemainingService({MilliSeconds(10), MilliSeconds(5), 4}, 0), Time(0));
}

TEST(RemainingService, OfAJobWithoutAPlaceHasNoCommunication)
{
    JobSpec job;
    job.model.bytes = 100000000;
    job.model.forward = MilliSeconds(3);
    job.model.backward = MilliSeconds(4);
    job.workers = 8;
    const IterationCost cost = EstimateIteration(job);
    EXPECT_EQ(cost.communication, Time(0));
    EXPECT_EQ(GetRemainingService(cost, 5), MilliSeconds(7 * 8 * 5));
}

TEST(RemainingService, NeverOverflows)
{
    const Time century = Seconds(3e9);
    const Time most = GetRemainingService({century, century, 1000}, uint64_t{1} << 40);
    EXPECT_EQ(most, Time::Max() / 2);
    EXPECT_TRUE((most + most).IsStrictlyPositive());
}
