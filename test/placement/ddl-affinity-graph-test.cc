// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-affinity-graph.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace ns3::ddl;

namespace
{

/** \return how far a time is from the nearest multiple of a second */
double
GetRest(double seconds)
{
    return std::abs(seconds - std::round(seconds));
}

} // namespace

/** Jobs 0 and 1 share link 0, jobs 1 and 2 link 1. */
TEST(AffinityGraph, ThreeJobsOnTwoLinks)
{
    AffinityGraph graph{3, 2, {{0, 0, 0}, {1, 0, 0.5}, {1, 1, 0.2}, {2, 1, 0.6}}};
    EXPECT_FALSE(HasLoop(graph));
    EXPECT_EQ(FindRoots(graph), (std::vector<uint32_t>{0, 0, 0}));
    auto shifts = FindTimeShifts(graph, {1, 1, 1});
    EXPECT_EQ(shifts[0].shift, 0);
    EXPECT_NEAR(shifts[1].shift, 0.5, 1e-12); // 0 - 0 + 0.5
    EXPECT_NEAR(shifts[2].shift, 0.9, 1e-12); // 0.5 - 0.2 + 0.6
    EXPECT_EQ(shifts[2].root, 0U);
    shifts = FindTimeShifts(graph, {1, 1, 0.5});
    EXPECT_NEAR(shifts[2].shift, 0.4, 1e-12); // 0.9 mod 0.5
    graph.edges[2].shift = 0.9;
    graph.edges[3].shift = 0.1;
    EXPECT_NEAR(FindTimeShifts(graph, {1, 1, 1})[2].shift, 0.7, 1e-12); // (0.5 - 0.9 + 0.1) mod 1
}

TEST(AffinityGraph, ComponentsHaveRootsOfTheirOwn)
{
    const AffinityGraph graph{5, 2, {{1, 0, 0.3}, {4, 0, 0}, {2, 1, 0}, {3, 1, 0.25}}};
    EXPECT_EQ(FindRoots(graph), (std::vector<uint32_t>{0, 1, 2, 2, 1}));
    const auto shifts = FindTimeShifts(graph, {1, 1, 1, 1, 1});
    EXPECT_EQ(shifts[1].shift, 0);
    EXPECT_NEAR(shifts[4].shift, 0.7, 1e-12); // 0 - 0.3 + 0
    EXPECT_EQ(shifts[4].root, 1U);
    EXPECT_NEAR(shifts[3].shift, 0.25, 1e-12);
    EXPECT_EQ(shifts[0].root, 0U);
    EXPECT_TRUE(FindTimeShifts({}, {}).empty());
}

TEST(AffinityGraph, FindsLoops)
{
    AffinityGraph graph{3, 3, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {2, 1, 0}, {2, 2, 0}}};
    EXPECT_FALSE(HasLoop(graph));
    graph.edges.push_back({0, 2, 0});
    EXPECT_TRUE(HasLoop(graph));
    EXPECT_TRUE(HasLoop({2, 2, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}}));
}

/** Theorem of the paper: without loops, jobs stand to each other as each link wants them to. */
TEST(AffinityGraph, ShiftsKeepTheDifferencesOfEveryLink)
{
    std::mt19937 random(4);
    std::uniform_real_distribution<double> shift(0, 1);
    for (int i = 0; i < 200; ++i)
    {
        AffinityGraph graph{2 + static_cast<uint32_t>(random() % 12), 0, {}};
        for (uint32_t job = 1; job < graph.jobs; ++job) // a tree: each job joins an earlier one
        {
            const auto other = static_cast<uint32_t>(random() % job);
            uint32_t link = graph.links;
            for (const auto& edge : graph.edges)
            {
                link = edge.job == other && random() % 2 == 0 ? edge.link : link;
            }
            if (link == graph.links)
            {
                graph.edges.push_back({other, graph.links++, shift(random)});
            }
            graph.edges.push_back({job, link, shift(random)});
        }
        ASSERT_FALSE(HasLoop(graph));
        const auto shifts = FindTimeShifts(graph, std::vector<double>(graph.jobs, 1));
        for (const auto& a : graph.edges)
        {
            EXPECT_GE(shifts[a.job].shift, 0);
            EXPECT_LT(shifts[a.job].shift, 1);
            for (const auto& b : graph.edges)
            {
                if (a.link == b.link)
                {
                    EXPECT_LT(
                        GetRest(shifts[a.job].shift - a.shift - shifts[b.job].shift + b.shift),
                        1e-9);
                }
            }
        }
    }
}
