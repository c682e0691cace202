// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-hyperband-brackets.h"
#include "ns3/ddl-hyperband-search-algorithm.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** \return how many jobs run each stage of a bracket */
std::vector<uint64_t>
CountByStage(const CojobShape& shape, uint32_t eta)
{
    CojobSpec cojob;
    cojob.iterations = shape.iterations;
    cojob.search.SetTypeId(HyperbandSearchAlgorithm::GetTypeId());
    cojob.search.Set("Eta", UintegerValue(eta));
    for (uint32_t i = 1; i <= shape.jobs; ++i)
    {
        JobSpec job;
        job.id = JobId{i};
        cojob.jobs.push_back(job);
    }
    std::vector<uint64_t> counts(shape.iterations.size());
    for (const uint32_t last : PlanLastStages(cojob))
    {
        for (uint32_t stage = 0; stage < last; ++stage)
        {
            ++counts[stage];
        }
    }
    return counts;
}

using Counts = std::vector<uint64_t>;

} // namespace

TEST(Hyperband, TheBracketsOfThePaper)
{
    // Li et al. 2018, Table 1: R = 81, eta = 3; rows n_i and r_i. Stages are differences of r_i.
    const auto brackets = MakeHyperbandBrackets(81, 3);
    ASSERT_EQ(brackets.size(), 5U);
    EXPECT_EQ(CountByStage(brackets[0], 3), (Counts{81, 27, 9, 3, 1}));
    EXPECT_EQ(brackets[0].iterations, (Counts{1, 2, 6, 18, 54})); // 1, 3, 9, 27, 81 in all
    EXPECT_EQ(CountByStage(brackets[1], 3), (Counts{34, 11, 3, 1}));
    EXPECT_EQ(brackets[1].iterations, (Counts{3, 6, 18, 54}));
    EXPECT_EQ(CountByStage(brackets[2], 3), (Counts{15, 5, 1}));
    EXPECT_EQ(brackets[2].iterations, (Counts{9, 18, 54}));
    EXPECT_EQ(CountByStage(brackets[3], 3), (Counts{8, 2}));
    EXPECT_EQ(brackets[3].iterations, (Counts{27, 54}));
    EXPECT_EQ(CountByStage(brackets[4], 3), (Counts{5}));
    EXPECT_EQ(brackets[4].iterations, (Counts{81}));
}

TEST(Hyperband, OddBudgets)
{
    // floor(log_4 100) = 3: 100 / 64 = 1, 100 / 16 = 6, 100 / 4 = 25, 100
    const auto brackets = MakeHyperbandBrackets(100, 4);
    ASSERT_EQ(brackets.size(), 4U);
    EXPECT_EQ(brackets[0].iterations, (Counts{1, 5, 19, 75}));
    EXPECT_EQ(brackets[0].jobs, 64U);
    EXPECT_EQ(brackets[1].jobs, 22U); // ceil(4 / 3 x 16)
    const auto one = MakeHyperbandBrackets(1, 2);
    ASSERT_EQ(one.size(), 1U);
    EXPECT_EQ(one[0].jobs, 1U);
    EXPECT_EQ(one[0].iterations, (Counts{1}));
    // No overflow at the ends: log_2 10^9 is 29.9.
    EXPECT_EQ(MakeHyperbandBrackets(1000000000, 2).front().jobs, 536870912U);
}

TEST(Hyperband, TheBestOfEtaGoOnAndTiesGoToTheLowerId)
{
    const auto search = CreatePolicy<SearchAlgorithm>("hyperband");
    const auto stops = search->SelectStops(
        {1, 2, {{JobId{1}, 0.5}, {JobId{2}, 0.7}, {JobId{3}, 0.7}, {JobId{4}, 0.1}}});
    EXPECT_EQ(stops,
              (std::vector<JobId>{JobId{1}, JobId{3}, JobId{4}})); // floor(4 / 3) = 1 goes on
    EXPECT_TRUE(search->SelectStops({1, 2, {{JobId{1}, 0.5}}}).empty());
}
