// SPDX-License-Identifier: GPL-2.0-only
// Levels of a contention graph, against all levels that there are.
#include "ns3/ddl-max-k-cut.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

using namespace ns3::ddl;

namespace
{

std::vector<uint32_t>
CountUp(std::size_t jobs)
{
    std::vector<uint32_t> order(jobs);
    std::iota(order.begin(), order.end(), 0);
    return order;
}

std::vector<uint32_t>
Cut(const ContentionGraph& graph, uint32_t levels, uint32_t orders = 10)
{
    std::mt19937_64 random(1);
    return CutIntoLevels(graph, CountUp(graph.GetSize()), levels, orders, random);
}

/** \return weight of the cut, -1 if an edge leads upwards; by the definition */
double
Weigh(const ContentionGraph& graph, const std::vector<uint32_t>& levels)
{
    double weight = 0;
    for (std::size_t a = 0; a < graph.GetSize(); ++a)
    {
        for (std::size_t b = 0; b < graph.GetSize(); ++b)
        {
            if (graph.lower[a][b] && levels[a] > levels[b])
            {
                return -1;
            }
            weight += graph.lower[a][b] && levels[a] < levels[b] ? graph.weights[a] : 0;
        }
    }
    return weight;
}

/** \return the largest weight of all divisions */
double
FindBest(const ContentionGraph& graph, uint32_t levels)
{
    std::vector<uint32_t> tried(graph.GetSize(), 0);
    double best = -1;
    for (;;)
    {
        best = std::max(best, Weigh(graph, tried));
        std::size_t digit = 0;
        while (digit < tried.size() && ++tried[digit] == levels)
        {
            tried[digit++] = 0;
        }
        if (digit == tried.size())
        {
            return best;
        }
    }
}

ContentionGraph
DrawGraph(std::mt19937& random, std::size_t jobs, double density)
{
    ContentionGraph graph(jobs);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (std::size_t a = 0; a < jobs; ++a)
    {
        graph.weights[a] = uniform(random);
        for (std::size_t b = a + 1; b < jobs; ++b)
        {
            graph.lower[a][b] = uniform(random) < density;
        }
    }
    return graph;
}

// Crux Fig. 13: jobs 1 and 2 share a link, 3 and 4 another; two levels. A cut by intensity alone
// (1 2 | 3 4) would cut nothing.
TEST(MaxKCut, Figure13)
{
    ContentionGraph graph(4);
    graph.weights = {4, 3, 2, 1};
    graph.lower[0].set(1);
    graph.lower[2].set(3);
    EXPECT_EQ(Cut(graph, 2), (std::vector<uint32_t>{0, 1, 0, 1}));
    EXPECT_EQ(GetCutWeight(graph, {0, 1, 0, 1}), 6);
    EXPECT_EQ(GetCutWeight(graph, {0, 0, 1, 1}), 0);
}

// A chain of four jobs, each edge cut or not: of weights 1, 5, 2 the two heaviest.
TEST(MaxKCut, CutsTheHeaviestEdgesOfAChain)
{
    ContentionGraph graph(4);
    graph.weights = {1, 5, 2, 0};
    for (std::size_t i = 0; i < 3; ++i)
    {
        graph.lower[i].set(i + 1);
    }
    EXPECT_EQ(Cut(graph, 1), (std::vector<uint32_t>{0, 0, 0, 0}));
    EXPECT_EQ(Cut(graph, 2), (std::vector<uint32_t>{0, 0, 1, 1}));
    EXPECT_EQ(Cut(graph, 3), (std::vector<uint32_t>{0, 0, 1, 2}));
    EXPECT_EQ(Cut(graph, 4), (std::vector<uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(Cut(graph, 0), (std::vector<uint32_t>{0, 1, 2, 3}));
}

TEST(MaxKCut, JobsWithoutEdgesAreAtTheTop)
{
    EXPECT_EQ(Cut(ContentionGraph(3), 2), (std::vector<uint32_t>{0, 0, 0}));
    EXPECT_TRUE(Cut(ContentionGraph(0), 2).empty());
    ContentionGraph graph(5);
    graph.weights = {5, 4, 3, 2, 1};
    graph.lower[0].set(2);
    graph.lower[2].set(4);
    EXPECT_EQ(Cut(graph, 2), (std::vector<uint32_t>{0, 0, 1, 0, 1}));
}

// 1,000 graphs of up to 8 jobs: no edge upwards, no more levels than wanted, and at least 97 % of
// the largest cut in the mean. Only graphs that need more levels than they get can be cut badly.
TEST(MaxKCut, IsNearlyTheBestOfAll)
{
    std::mt19937 random(1);
    double ratios = 0;
    double least = 1;
    uint32_t best = 0;
    uint32_t cases = 0;
    while (cases < 1000)
    {
        const auto graph = DrawGraph(random, 4 + random() % 5, 0.2 + 0.1 * (random() % 8));
        const uint32_t levels = 2 + random() % 2;
        const auto all = Cut(graph, 0);
        if (*std::max_element(all.begin(), all.end()) < levels)
        {
            continue;
        }
        ++cases;
        const auto cut = Cut(graph, levels);
        EXPECT_LT(*std::max_element(cut.begin(), cut.end()), levels);
        const double weight = Weigh(graph, cut);
        EXPECT_GE(weight, 0);
        EXPECT_NEAR(weight, GetCutWeight(graph, cut), 1e-12);
        const double ratio = weight / FindBest(graph, levels);
        EXPECT_LE(ratio, 1 + 1e-12);
        ratios += ratio;
        least = std::min(least, ratio);
        best += ratio > 1 - 1e-9 ? 1 : 0;
    }
    RecordProperty("mean", std::to_string(ratios / cases));
    RecordProperty("least", std::to_string(least));
    RecordProperty("best", std::to_string(best));
    EXPECT_GE(ratios / cases, 0.97);
}

// Moving up never loses an edge that was cut.
TEST(MaxKCut, MovingUpKeepsTheCut)
{
    std::mt19937 random(3);
    for (int i = 0; i < 300; ++i)
    {
        const auto graph = DrawGraph(random, 8, 0.4);
        std::vector<uint32_t> levels; // ascending: no edge leads upwards
        for (uint32_t job = 0; job < 8; ++job)
        {
            levels.push_back((job == 0 ? 0 : levels.back()) + random() % 2);
        }
        const auto moved = MoveUp(graph, CountUp(8), levels);
        EXPECT_GE(Weigh(graph, moved), Weigh(graph, levels));
        for (uint32_t job = 0; job < 8; ++job)
        {
            EXPECT_LE(moved[job], levels[job]);
        }
    }
}

} // namespace
