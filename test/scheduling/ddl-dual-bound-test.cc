// SPDX-License-Identifier: GPL-2.0-only
// Lower bounds on the sum of stage completion times, and what an order promises.
#include "ddl-unit-views.h"

#include "ns3/ddl-dual-bound.h"
#include "ns3/ddl-ordered-completion.h"
#include "ns3/ddl-primal-dual-order.h"
#include "ns3/ddl-unit-order.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;
using test::LinkChains;
using test::MakeStage;

namespace
{

constexpr uint32_t A = 1;
constexpr uint32_t B = 2;

/** Grouper Fig. 3 with the loads that really run: A1 2, A2 2, B1 4, B2 4 on one port. */
SchedulerView
MakeFigure3()
{
    SchedulerView view;
    view.ports = 1;
    view.units = {MakeStage(A, 1, 2, 2),
                  MakeStage(A, 2, 2, 2),
                  MakeStage(B, 1, 2, 4),
                  MakeStage(B, 2, 2, 4)};
    LinkChains(view);
    return view;
}

/** \return the dual value that Algorithm 1 builds with the weights of Eq. 46 */
double
GetEquation46Value(const SchedulerView& view)
{
    std::vector<double> weights;
    double value = 0;
    for (const auto& unit : view.units)
    {
        const double half = std::ldexp(1.0, -static_cast<int>(unit.stage)); // 2^-k
        weights.push_back(1 + half / 2);
        for (const auto& load : unit.load)
        {
            value += (1 - half) * load.seconds; // on one port
        }
    }
    return value + SumDualPass(view, weights);
}

TEST(DualBound, Figure3)
{
    const SctBound bound = ComputeSctBound(MakeFigure3());
    // w = 1: B2 1/4 and B1 1/4 last (rho 1/4 x f 92 = 23; A 1/2 left), then A 1/4 x f(A1, A2) 12
    // = 3.
    EXPECT_DOUBLE_EQ(bound.unitWeights, 26);
    // Line 10: alpha 1/2, 3/4 gives 1 + 1.5 + 2 + 3 = 7.5; w 5/4, 1/4. B2 1/16 x 92 = 5.75; A2 1/16
    // x 44 = 2.75; B1 0.75/4 x 28 = 5.25; A1 0.625/2 x 4 = 1.25: 15.
    EXPECT_DOUBLE_EQ(bound.literalLine10, 22.5);
    EXPECT_DOUBLE_EQ(bound.Get(), 26);
    EXPECT_DOUBLE_EQ(SumCompletions(MakeFigure3(), {0, 1, 2, 3}), 26); // 2 + 4 + 8 + 12
}

TEST(DualBound, TheValueOfEquation46IsNoBound)
{
    EXPECT_DOUBLE_EQ(GetEquation46Value(MakeFigure3()), 38); // more than the optimum, 26
    SchedulerView one;
    one.ports = 1;
    one.units = {MakeStage(A, 1, 1, 1)};
    // alpha 1/2 x 1 + w 5/4 x f 1 = 1.75, where the stage is over at 1.
    EXPECT_DOUBLE_EQ(GetEquation46Value(one), 1.75);
    EXPECT_DOUBLE_EQ(ComputeSctBound(one).unitWeights, 1);
    EXPECT_DOUBLE_EQ(ComputeSctBound(one).literalLine10, 1); // 1/2 + 1/2
}

TEST(DualBound, ALongChainIsWhereAlphaHelps)
{
    // Three stages of 1, each on a port of its own: they must follow each other, 1 + 2 + 3 = 6.
    // w = 1 does not see that: 1 each. Line 10: alpha 1/2 + 3/4 + 7/8, w 5/4 + 9/8 + 1/8: 4.625.
    SchedulerView view;
    view.ports = 3;
    for (uint32_t stage = 1; stage <= 3; ++stage)
    {
        view.units.push_back(MakeStage(A, stage, 3, 0));
        view.units.back().load = {{stage - 1, 1}};
    }
    LinkChains(view);
    EXPECT_DOUBLE_EQ(ComputeSctBound(view).unitWeights, 3);
    EXPECT_DOUBLE_EQ(ComputeSctBound(view).literalLine10, 4.625);
    EXPECT_DOUBLE_EQ(SumCompletions(view, {0, 1, 2}), 6);
}

TEST(DualBound, NothingToMove)
{
    EXPECT_EQ(ComputeSctBound(SchedulerView{}).Get(), 0);
    SchedulerView view;
    view.ports = 2;
    view.units = {MakeStage(A, 1, 1, 0)};
    EXPECT_EQ(ComputeSctBound(view).Get(), 0);
    EXPECT_FALSE(RateOrder(view, {{0}}).has_value());
}

TEST(DualBound, NoOrderBeatsIt)
{
    for (uint32_t seed = 1; seed <= 300; ++seed)
    {
        const SchedulerView view =
            test::MakeRandomView(UnitKind::STAGE, 1 + seed % 20, 1 + seed % 7, 0.6, seed);
        const double bound = ComputeSctBound(view).Get();
        for (const bool keepChainOrder : {false, true})
        {
            const std::vector<double> weights(view.units.size(), 1);
            const auto order = OrderByPrimalDual(view, weights, keepChainOrder);
            EXPECT_GE(SumCompletions(view, order), bound * (1 - 1e-9)) << "seed " << seed;
        }
    }
}

TEST(DualBound, RatesAnOrderOfSingles)
{
    const SchedulerView view = MakeFigure3();
    EXPECT_DOUBLE_EQ(RateOrder(view, {{0}, {1}, {2}, {3}}).value(), 1);
    // A1 at 2, then B1 at 6, A2 at 8, B2 at 12: 28.
    EXPECT_DOUBLE_EQ(RateOrder(view, {{0}, {2}, {1}, {3}}).value(), 28.0 / 26);
    EXPECT_FALSE(RateOrder(view, {{0, 1}, {2}, {3}}).has_value());
}

TEST(OrderedCompletion, PortsWorkByThemselvesAndChainsHoldStagesBack)
{
    // A1 2 on port 0 and 1 on port 1, A2 1 on port 1; B 3 on port 1. In the order A1 A2 B: A1 over
    // at 2; port 1 serves A1 to 1, B to 2, A2 (released at 2, before B) to 3, B to 5.
    SchedulerView view;
    view.ports = 2;
    view.units = {MakeStage(A, 1, 2, 0), MakeStage(A, 2, 2, 0), MakeStage(B, 1, 1, 0)};
    view.units[0].load = {{0, 2}, {1, 1}};
    view.units[1].load = {{1, 1}};
    view.units[2].load = {{1, 3}};
    LinkChains(view);
    EXPECT_EQ(CompleteInOrder(view, {0, 1, 2}), (std::vector<double>{2, 3, 5}));
    // A2 ordered before A1 has to wait for it all the same.
    EXPECT_EQ(CompleteInOrder(view, {1, 0, 2}), (std::vector<double>{2, 3, 5}));
    // B first: port 1 has B to 3, A1 to 4, A2 to 5.
    EXPECT_EQ(CompleteInOrder(view, {2, 0, 1}), (std::vector<double>{4, 5, 3}));
}

TEST(OrderedCompletion, StagesWithoutLoadEndWithTheOneBefore)
{
    SchedulerView view;
    view.ports = 1;
    view.units = {MakeStage(A, 1, 3, 2), MakeStage(A, 2, 3, 0), MakeStage(A, 3, 3, 1)};
    LinkChains(view);
    EXPECT_EQ(CompleteInOrder(view, {0, 1, 2}), (std::vector<double>{2, 2, 3}));
}

} // namespace
