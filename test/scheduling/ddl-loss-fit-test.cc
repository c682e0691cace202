// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-loss-fit.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3::ddl;

namespace
{

std::vector<LossPoint>
FollowLaw(const LossLaw& law, uint64_t rounds)
{
    std::vector<LossPoint> losses;
    for (uint64_t k = 1; k <= rounds; ++k)
    {
        losses.push_back({k, 1 / (law.b0 * static_cast<double>(k) + law.b1) + law.b2});
    }
    return losses;
}

TEST(LossFit, FindsTheLawOfExactLosses)
{
    for (const LossLaw& law : {LossLaw{0.02, 0.5, 0.3}, {0.2, 0.1, 0}, {0.001, 2, 1.5}})
    {
        const auto fit = FitLoss(FollowLaw(law, 50));
        ASSERT_TRUE(fit);
        EXPECT_NEAR(fit->b0, law.b0, 1e-3 * law.b0);
        EXPECT_NEAR(fit->b1, law.b1, 1e-3 * law.b1);
        EXPECT_NEAR(fit->b2, law.b2, 1e-3);
    }
}

TEST(LossFit, ConvergesWhereAHundredthIsLeft)
{
    // After round 1: 1 / 0.52. A hundredth: 0.02 k + 0.5 = 52, k = 2575
    EXPECT_EQ(FindConvergence({0.02, 0.5, 0.3}, 1), 2575u);
    // From round 11 on: 1 / 0.72; 0.02 k + 0.5 = 72, k = 3575
    EXPECT_EQ(FindConvergence({0.02, 0.5, 0.3}, 11), 3575u);
}

TEST(LossFit, NothingFromFewPointsNorWithoutFall)
{
    EXPECT_FALSE(FitLoss({}));
    EXPECT_FALSE(FitLoss(FollowLaw({0.02, 0.5, 0.3}, LEAST_LOSSES - 1)));
    EXPECT_TRUE(FitLoss(FollowLaw({0.02, 0.5, 0.3}, LEAST_LOSSES)));
    std::vector<LossPoint> rising;
    for (uint64_t k = 1; k <= 20; ++k)
    {
        rising.push_back({k, 1 + 0.1 * static_cast<double>(k)});
    }
    EXPECT_FALSE(FitLoss(rising));
    EXPECT_FALSE(FitLoss(std::vector<LossPoint>(20, {1, 1.0}))); // one round only
}

TEST(LossFit, NoiseMovesTheEndLittleOnceMostIsSeen)
{
    const LossLaw law{0.05, 0.5, 0.4};
    std::mt19937 random(3);
    std::normal_distribution<double> noise(0, 0.002);
    auto losses = FollowLaw(law, 600);
    for (LossPoint& point : losses)
    {
        point.loss += noise(random);
    }
    const auto fit = FitLoss(losses);
    ASSERT_TRUE(fit);
    const auto truth = static_cast<double>(FindConvergence(law, 1));
    EXPECT_NEAR(static_cast<double>(FindConvergence(*fit, 1)), truth, 0.1 * truth);
}

} // namespace
