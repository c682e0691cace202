// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-flow-key.h"
#include "ns3/ddl-job-hosts.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

TEST(FlowLabel, SpreadsEvenlyOverAllLabels)
{
    // 128 jobs of 8 ranks, each of which sends to each other: 128 * 56 = 7168 streams, 7 a label.
    std::vector<uint32_t> count(FlowKey::PATH_LABELS, 0);
    for (uint32_t job = 0; job < 128; ++job)
    {
        for (uint32_t source = 0; source < 8; ++source)
        {
            for (uint32_t destination = 0; destination < 8; ++destination)
            {
                if (source != destination)
                {
                    ++count[MakeFlowLabel(JobId{job}, source, destination) % FlowKey::PATH_LABELS];
                }
            }
        }
    }
    double chiSquare = 0;
    for (const uint32_t streams : count)
    {
        chiSquare += (streams - 7.0) * (streams - 7.0) / 7.0;
    }
    // 1023 degrees of freedom: mean 1023, standard deviation sqrt(2 * 1023) = 45
    EXPECT_NEAR(chiSquare, 1023, 5 * 45);
}

TEST(FlowLabel, NamesJobAndBothRanksAndNothingElse)
{
    const uint32_t label = MakeFlowLabel(JobId{3}, 1, 2);
    EXPECT_EQ(MakeFlowLabel(JobId{3}, 1, 2), label);
    EXPECT_NE(MakeFlowLabel(JobId{4}, 1, 2), label);
    EXPECT_NE(MakeFlowLabel(JobId{3}, 2, 1), label);
    EXPECT_NE(MakeFlowLabel(JobId{3}, 1, 3), label);
}
