// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-gpu-grouping.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

using namespace ns3::ddl;

namespace
{

/** \return the spread of a partition, summed up GPU by GPU. \param groupOf group of each GPU */
double
SpreadOf(const GroupingProblem& problem,
         const std::vector<std::size_t>& typeOf,
         const std::vector<uint32_t>& groupOf)
{
    double spread = 0;
    for (const auto& speed : problem.speed)
    {
        std::vector<double> sums(problem.groups, 0);
        for (std::size_t gpu = 0; gpu < typeOf.size(); ++gpu)
        {
            sums[groupOf[gpu]] += speed[typeOf[gpu]];
        }
        const auto ends = std::minmax_element(sums.begin(), sums.end());
        spread = std::max(spread, *ends.second - *ends.first);
    }
    return spread;
}

/** \return the least spread of all assignments of single GPUs to groups */
double
LeastSpread(const GroupingProblem& problem)
{
    std::vector<std::size_t> typeOf;
    for (std::size_t type = 0; type < problem.gpus.size(); ++type)
    {
        typeOf.insert(typeOf.end(), problem.gpus[type], type);
    }
    std::vector<uint32_t> groupOf(typeOf.size(), 0);
    double least = std::numeric_limits<double>::infinity();
    for (;;)
    {
        least = std::min(least, SpreadOf(problem, typeOf, groupOf));
        std::size_t digit = 0;
        while (digit < groupOf.size() && ++groupOf[digit] == problem.groups)
        {
            groupOf[digit++] = 0;
        }
        if (digit == groupOf.size())
        {
            return least;
        }
    }
}

/** All GPUs dealt out, no group empty, and the spread is that of the groups. */
void
ExpectSound(const GroupingProblem& problem, const Grouping& grouping)
{
    ASSERT_EQ(grouping.gpus.size(), problem.groups);
    std::vector<uint32_t> dealt(problem.gpus.size(), 0);
    std::vector<std::size_t> typeOf;
    std::vector<uint32_t> groupOf;
    for (uint32_t group = 0; group < problem.groups; ++group)
    {
        uint32_t size = 0;
        for (std::size_t type = 0; type < dealt.size(); ++type)
        {
            const uint32_t count = grouping.gpus[group][type];
            dealt[type] += count;
            size += count;
            typeOf.insert(typeOf.end(), count, type);
            groupOf.insert(groupOf.end(), count, group);
        }
        EXPECT_GT(size, 0u);
    }
    EXPECT_EQ(dealt, problem.gpus);
    EXPECT_NEAR(grouping.spread, SpreadOf(problem, typeOf, groupOf), 1e-9);
}

GroupingProblem
DrawProblem(std::mt19937& random)
{
    const auto draw = [&random](uint32_t least, uint32_t most) {
        return std::uniform_int_distribution<uint32_t>(least, most)(random);
    };
    GroupingProblem problem;
    problem.gpus.resize(draw(1, 4));
    uint32_t total = 0;
    for (uint32_t& count : problem.gpus)
    {
        count = draw(1, 2);
        total += count;
    }
    problem.speed.resize(draw(1, 3), std::vector<double>(problem.gpus.size()));
    for (auto& ofModel : problem.speed)
    {
        for (double& speed : ofModel)
        {
            speed = draw(1, 70) / 10.0;
        }
    }
    problem.groups = draw(1, std::min(total, 3u));
    return problem;
}

/** GPUs 1 to 4 of Hare's Fig. 9: a task of A takes 3, 3, 1.8, 1.8 s, of B 1, 2, 2.5, 1 s. */
GroupingProblem
MakeFigure9()
{
    return {{1, 1, 1, 1}, {{1 / 3.0, 1 / 3.0, 1 / 1.8, 1 / 1.8}, {1, 1 / 2.0, 1 / 2.5, 1}}, 2};
}

TEST(GpuGrouping, Figure9)
{
    // {1,3}, {2,4}: A 1/3 + 1/1.8 in both; B 1 + 0.4 and 0.5 + 1
    const Grouping grouping = GroupGpus(MakeFigure9());
    EXPECT_NEAR(grouping.spread, 0.1, 1e-12);
    std::vector<std::vector<uint32_t>> groups = grouping.gpus;
    std::sort(groups.begin(), groups.end());
    EXPECT_EQ(groups, (std::vector<std::vector<uint32_t>>{{0, 1, 0, 1}, {1, 0, 1, 0}}));

    const GroupingProblem problem = MakeFigure9();
    const std::vector<std::size_t> types{0, 1, 2, 3};
    EXPECT_NEAR(SpreadOf(problem, types, {0, 0, 1, 1}), 2 / 1.8 - 2 / 3.0, 1e-12); // 0.444
    EXPECT_NEAR(SpreadOf(problem, types, {0, 1, 1, 0}), 1.1, 1e-12); // B 1 + 1, 0.5 + 0.4
}

TEST(GpuGrouping, TestbedWithResNet50)
{
    // 8 V100, 4 T4, 1 K80, 2 M60, in K80s: 7, 2, 1, 1.1. All: 56 + 8 + 1 + 2.2 = 67.2
    const GroupingProblem problem{{8, 4, 1, 2}, {{7, 2, 1, 1.1}}, 2};
    EXPECT_EQ(CountGroupings(problem, 1000), 9u * 5 * 2 * 3);
    const Grouping grouping = GroupGpus(problem);
    ExpectSound(problem, grouping);
    // 4 V100 and 3 T4: 34; 4 V100, T4, K80, 2 M60: 33.2
    EXPECT_NEAR(grouping.spread, 0.8, 1e-12);
}

TEST(GpuGrouping, LeastOfAllPartitions)
{
    std::mt19937 random(1);
    for (int i = 0; i < 300; ++i)
    {
        const GroupingProblem problem = DrawProblem(random);
        const Grouping grouping = GroupGpus(problem);
        ExpectSound(problem, grouping);
        EXPECT_NEAR(grouping.spread, LeastSpread(problem), 1e-9) << "instance " << i;
    }
}

TEST(GpuGrouping, ExchangesImproveAndNeverBeatTheLeast)
{
    std::mt19937 random(2);
    int improved = 0;
    for (int i = 0; i < 300; ++i)
    {
        const GroupingProblem problem = DrawProblem(random);
        const Grouping dealt = DealGpus(problem);
        ExpectSound(problem, dealt);
        const Grouping better = ImproveGrouping(problem, dealt);
        ExpectSound(problem, better);
        EXPECT_LE(better.spread, dealt.spread + 1e-12);
        EXPECT_GE(better.spread, LeastSpread(problem) - 1e-9);
        improved += better.spread < dealt.spread - 1e-9;
    }
    EXPECT_GT(improved, 0);
}

TEST(GpuGrouping, ManyGpusAreDealt)
{
    // 40 of each of four types in 40 groups: too many to enumerate, and one of each is the best.
    const GroupingProblem problem{{40, 40, 40, 40}, {{7, 2, 1, 1.1}, {2, 1.5, 1, 1.05}}, 40};
    EXPECT_EQ(CountGroupings(problem, MOST_ENUMERATED + 1), MOST_ENUMERATED + 1);
    const Grouping grouping = GroupGpus(problem);
    ExpectSound(problem, grouping);
    EXPECT_NEAR(grouping.spread, 0, 1e-9);
}

} // namespace
