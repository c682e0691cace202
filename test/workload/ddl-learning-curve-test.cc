// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-policy-variants.h"
#include "ddl-process-state.h"

#include "ns3/ddl-curve-shape.h"
#include "ns3/ddl-curve-spec.h"
#include "ns3/ddl-learning-curve.h"
#include "ns3/ddl-search-algorithm.h"
#include "ns3/ddl-successive-halving-search-algorithm.h"
#include "ns3/double.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

LearningCurve
Inverse(double half, double start, double end)
{
    LearningCurve curve;
    curve.shape.SetTypeId(InverseCurveShape::GetTypeId());
    curve.half = half;
    curve.startAccuracy = start;
    curve.endAccuracy = end;
    return curve;
}

} // namespace

TEST(CurveShape, TheMenu)
{
    EXPECT_EQ(ListPolicies(CurveShape::GetTypeId()),
              (std::vector<std::string>{"exponential", "inverse"}));
}

/** Every registered shape, with every attribute at its extremes. */
class CurveConformance : public testing::TestWithParam<test::Variant>
{
};

TEST_P(CurveConformance, RisesFromNothingOverHalfToAll)
{
    const auto shape = GetParam().Create<CurveShape>();
    EXPECT_DOUBLE_EQ(shape->GetProgress(0), 0);
    EXPECT_DOUBLE_EQ(shape->GetProgress(1), 0.5);
    double before = 0;
    for (double effort = 0.01; effort < 1e9; effort *= 1.5)
    {
        const double progress = shape->GetProgress(effort);
        EXPECT_GE(progress, before);
        before = progress;
    }
    EXPECT_GT(shape->GetProgress(1e9), 0.999);
    EXPECT_LE(shape->GetProgress(1e300), 1);
    EXPECT_GT(shape->GetSummary().size(), 10U);
}

INSTANTIATE_TEST_SUITE_P(All,
                         CurveConformance,
                         testing::ValuesIn(test::ListVariants(CurveShape::GetTypeId())),
                         test::NameOf);

/** A shape that makes the same progress everywhere. */
class WrongCurveShape : public CurveShape
{
  public:
    explicit WrongCurveShape(double progress)
        : m_progress(progress)
    {
    }

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("test::WrongCurveShape").SetParent<CurveShape>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "wrong";
    }

  private:
    double DoGetProgress(double /* effort */) const override
    {
        return m_progress;
    }

    double m_progress;
};

TEST(WrongCurveShape, IsTheirError)
{
    const auto progress = [](double value, double effort) {
        return test::RunErrorOf([&] { CreateObject<WrongCurveShape>(value)->GetProgress(effort); });
    };
    EXPECT_EQ(progress(0.5, 1), "");
    EXPECT_EQ(progress(0, 0), "");
    EXPECT_EQ(progress(1, 7), "");
    const std::string rule = " (0 at 0, 0.5 at 1, from 0 to 1 everywhere)";
    EXPECT_EQ(progress(0.5, 0),
              "test::WrongCurveShape: the progress at 0.000000 is 0.500000" + rule);
    EXPECT_NE(progress(0.6, 1), "");
    EXPECT_NE(progress(1.1, 7), "");
    EXPECT_NE(progress(-0.1, 7), "");
    EXPECT_NE(progress(std::nan(""), 7), "");
}

TEST(LearningCurve, InverseIsTheLawThatOptimusFits)
{
    // loss(k) = 1 / (b0 k + b1) + b2 with b2 = 0.5, b1 = 1 / (2.5 - 0.5) = 0.5, h = 100:
    // b0 = b1 / h = 0.005. At k = 300: 1 / (1.5 + 0.5) + 0.5 = 1.
    LearningCurve curve = Inverse(100, 0, 0.8);
    EXPECT_FALSE(GetLoss(curve, 300));
    curve.startLoss = 2.5;
    curve.endLoss = 0.5;
    EXPECT_DOUBLE_EQ(*GetLoss(curve, 300), 1);
    EXPECT_DOUBLE_EQ(*GetLoss(curve, 0), 2.5);
    // Accuracy goes the same part of its way: 0.8 x 300 / 400.
    EXPECT_DOUBLE_EQ(*GetAccuracy(curve, 300), 0.6);
}

TEST(LearningCurve, FindsTheFirstIterationThatIsGoodEnough)
{
    const LearningCurve curve = Inverse(100, 0, 0.8);
    // 0.8 k / (k + 100) >= 0.6 from k = 300 on
    EXPECT_EQ(FindAccuracy(curve, 0.6, 1000), 300U);
    EXPECT_EQ(FindAccuracy(curve, 0.6, 300), 300U);
    EXPECT_FALSE(FindAccuracy(curve, 0.6, 299));
    EXPECT_FALSE(FindAccuracy(curve, 0.8, 1000000000)); // never quite
    EXPECT_EQ(FindAccuracy(curve, 0, 5), 1U);
    EXPECT_FALSE(FindAccuracy(curve, 0, 0));
    // A training that gets worse is best at its start.
    EXPECT_EQ(FindAccuracy(Inverse(100, 0.8, 0), 0.7, 1000), 1U);
    EXPECT_FALSE(FindAccuracy(Inverse(100, 0.8, 0), 0.9, 1000));
}

TEST(LearningCurve, AScaledRunWalksTheSameCurveInFewerIterations)
{
    LearningCurve curve = Inverse(100, 0, 0.8);
    curve.scale = 0.1;
    EXPECT_DOUBLE_EQ(*GetAccuracy(curve, 30), 0.6);
    EXPECT_EQ(FindAccuracy(curve, 0.6, 1000), 30U);
    curve = LearningCurve();
    curve.points = {{100, 0.5, {}}};
    curve.scale = 0.1;
    EXPECT_EQ(FindAccuracy(curve, 0.5, 1000), 1U); // which it had from the start on
}

TEST(LearningCurve, StraightLinesBetweenPoints)
{
    LearningCurve curve;
    curve.points = {{0, 0.1, 3.0}, {10, 0.5, 1.0}, {20, 0.4, {}}, {40, 0.8, 0.2}};
    EXPECT_DOUBLE_EQ(*GetAccuracy(curve, 5), 0.3);
    EXPECT_DOUBLE_EQ(*GetLoss(curve, 5), 2);
    EXPECT_FALSE(GetLoss(curve, 15)); // one end has none
    EXPECT_DOUBLE_EQ(*GetAccuracy(curve, 30), 0.6);
    EXPECT_DOUBLE_EQ(*GetAccuracy(curve, 1000), 0.8);
    EXPECT_EQ(FindAccuracy(curve, 0.3, 100), 5U);
    EXPECT_EQ(FindAccuracy(curve, 0.31, 100), 6U); // at 5.25
    EXPECT_EQ(FindAccuracy(curve, 0.5, 100), 10U); // the first time, not the second one
    EXPECT_EQ(FindAccuracy(curve, 0.6, 100), 30U);
    EXPECT_FALSE(FindAccuracy(curve, 0.6, 29));
    EXPECT_FALSE(FindAccuracy(curve, 0.81, 100));
}

TEST(CurveSpec, DrawsHangOnSeedAndJobAlone)
{
    const CurveSpec spec;
    const ProcessStateGuard guard;
    RngSeedManager::SetSeed(7);
    const auto first = DrawCurve(spec, JobId{3});
    const auto other = DrawCurve(spec, JobId{4});
    const auto again = DrawCurve(spec, JobId{3});
    EXPECT_EQ(first.half, again.half);
    EXPECT_EQ(first.endAccuracy, again.endAccuracy);
    EXPECT_NE(first.half, other.half);
    EXPECT_GE(first.half, 100);
    EXPECT_LE(first.half, 1500);
    EXPECT_GE(*first.endAccuracy, 0.5);
    EXPECT_LE(*first.endAccuracy, 0.95);
    EXPECT_FALSE(first.startLoss);
    RngSeedManager::SetSeed(8);
    EXPECT_NE(DrawCurve(spec, JobId{3}).half, first.half);
}

TEST(CurveSpec, AHalfBelowZeroIsNone)
{
    CurveSpec spec;
    spec.half = MakeConstant(-5);
    spec.startLoss = MakeConstant(3);
    spec.endLoss = MakeConstant(1);
    const auto curve = DrawCurve(spec, JobId{1});
    EXPECT_EQ(curve.half, 1e-6);
    EXPECT_EQ(*curve.startLoss, 3);
    EXPECT_NEAR(*GetLoss(curve, 1), 1, 1e-5);
}

TEST(PlanLastStages, TheWorstHalfByTheCurvesStops)
{
    // After 100 iterations a quick one, 0.6 x 100/110 = 0.55, is ahead of a thorough one,
    // 0.9 x 100/200 = 0.45; after 1100: 0.59 against 0.83. Job 3 never gets anywhere, job 4 knows
    // its accuracies instead.
    CojobSpec cojob;
    cojob.iterations = {100, 1000, 1000};
    cojob.search.SetTypeId(SuccessiveHalvingSearchAlgorithm::GetTypeId());
    cojob.jobs.resize(4);
    for (uint32_t i = 0; i < 4; ++i)
    {
        cojob.jobs[i].id = JobId{i + 1};
    }
    cojob.jobs[0].curve = Inverse(10, 0, 0.6);
    cojob.jobs[1].curve = Inverse(100, 0, 0.9);
    cojob.jobs[2].curve = Inverse(10, 0, 0.1);
    cojob.jobs[3].curve = Inverse(10, 0, 1);
    cojob.jobs[3].accuracy = {0.2, 0.2, 0.2};
    EXPECT_EQ(PlanLastStages(cojob), (std::vector<uint32_t>{2, 3, 1, 1}));
    cojob.iterations = {5, 1000, 1000}; // 0.6 x 5/15 = 0.2 and 0.9 x 5/105 = 0.04, under 0.2
    EXPECT_EQ(PlanLastStages(cojob), (std::vector<uint32_t>{3, 1, 1, 2}));
}
