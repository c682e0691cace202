// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-min-cost-matching.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>
#include <set>
#include <vector>

using namespace ns3::ddl;

namespace
{

using Matrix = std::vector<std::vector<double>>;

double
CostOf(const Matrix& cost, const std::vector<uint32_t>& columns)
{
    double sum = 0;
    for (std::size_t row = 0; row < cost.size(); ++row)
    {
        sum += cost[row][columns[row]];
    }
    return sum;
}

/** \return the least cost of all ways to give rows different columns */
double
LeastCostOfAll(const Matrix& cost)
{
    std::vector<uint32_t> order(cost.front().size());
    std::iota(order.begin(), order.end(), 0);
    double least = std::numeric_limits<double>::infinity();
    do
    {
        least = std::min(least, CostOf(cost, order)); // the first columns of the permutation
    } while (std::next_permutation(order.begin(), order.end()));
    return least;
}

TEST(MinCostMatching, SmallOnesByHand)
{
    EXPECT_TRUE(MatchAtLeastCost({}).empty());
    EXPECT_EQ(MatchAtLeastCost({{2, 1}}), (std::vector<uint32_t>{1}));
    // Both want column 0; it is worth 3 to the second row and 1 to the first.
    EXPECT_EQ(MatchAtLeastCost({{1, 2}, {1, 4}}), (std::vector<uint32_t>{1, 0}));
    EXPECT_EQ(MatchAtLeastCost({{-1, 5, 0}, {-3, 0, 0}}), (std::vector<uint32_t>{2, 0}));
}

TEST(MinCostMatching, LeastOfAllMatchings)
{
    std::mt19937 random(7);
    const auto draw = [&random](int least, int most) {
        return std::uniform_int_distribution<int>(least, most)(random);
    };
    for (int i = 0; i < 500; ++i)
    {
        const int columns = draw(1, 7);
        // Many equal costs in every other instance; some below 0.
        const int most = i % 2 ? 3 : 1000;
        Matrix cost(draw(1, columns), std::vector<double>(columns));
        for (auto& row : cost)
        {
            std::generate(row.begin(), row.end(), [&]() { return draw(-most, most) / 4.0; });
        }
        const std::vector<uint32_t> matched = MatchAtLeastCost(cost);
        ASSERT_EQ(matched.size(), cost.size());
        EXPECT_EQ(std::set<uint32_t>(matched.begin(), matched.end()).size(), cost.size());
        EXPECT_NEAR(CostOf(cost, matched), LeastCostOfAll(cost), 1e-9) << "instance " << i;
    }
}

} // namespace
