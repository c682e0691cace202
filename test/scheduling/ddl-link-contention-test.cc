// SPDX-License-Identifier: GPL-2.0-only
// Two jobs on one link: Crux's examples, and closed forms against a clock that ticks.
#include "ns3/ddl-link-contention.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace ns3::ddl;

namespace
{

/** A job whose times are whole ticks, tick by tick. */
struct TickingJob
{
    int compute;
    int transfer;
    int sendsFrom; // ticks
    int age{0};    // ticks of this iteration
    int left{transfer};
    int sent{0};
    int computed{0};

    bool WantsLink() const
    {
        return age >= sendsFrom && left > 0;
    }

    void Tick(bool hasLink)
    {
        computed += age < compute ? 1 : 0;
        sent += hasLink ? 1 : 0;
        left -= hasLink ? 1 : 0;
        ++age;
        if (age >= compute && left == 0)
        {
            age = 0;
            left = transfer;
        }
    }

    LinkJob AsLinkJob() const
    {
        return {double(compute), double(transfer), compute == 0 ? 1 : double(sendsFrom) / compute};
    }
};

void
Play(TickingJob& first, TickingJob& second, int ticks)
{
    for (int tick = 0; tick < ticks; ++tick)
    {
        const bool isFirst = first.WantsLink();
        const bool isSecond = !isFirst && second.WantsLink();
        first.Tick(isFirst);
        second.Tick(isSecond);
    }
}

/** Play for so many ticks, and then count what is sent and computed in as many. */
void
PlayOn(TickingJob& first, TickingJob& second, int ticks)
{
    Play(first, second, ticks);
    first.sent = second.sent = first.computed = second.computed = 0;
    Play(first, second, ticks);
}

// Crux Example 1, ticks of 1 s: 10 GPUs each, compute 2 s and 1 s, send 2 s and 1 s. 12 s are a
// multiple of the time after which all repeats: 4 s with job 1 first, 6 s with job 2 first.
TEST(LinkContention, Example1)
{
    const TickingJob one{2, 2, 2};
    const TickingJob two{1, 1, 1};
    TickingJob a = one;
    TickingJob b = two;
    PlayOn(a, b, 12);
    EXPECT_EQ(a.sent, 6);
    EXPECT_EQ(b.sent, 3);
    EXPECT_EQ(100 * (a.computed + b.computed) / 24.0, 37.5);
    a = one;
    b = two;
    PlayOn(b, a, 12);
    EXPECT_EQ(a.sent, 4);
    EXPECT_EQ(b.sent, 6);
    EXPECT_NEAR(100 * (a.computed + b.computed) / 24.0, 41.7, 0.05);
    // Job 2 loses 6 - 3 of 12 s behind job 1, which loses 6 - 4 behind job 2.
    EXPECT_NEAR(GetLoss(one.AsLinkJob(), two.AsLinkJob()).rate, 3.0 / 12, 1e-9);
    EXPECT_NEAR(GetLoss(two.AsLinkJob(), one.AsLinkJob()).rate, 2.0 / 12, 1e-9);
    EXPECT_NEAR(GetCorrection(one.AsLinkJob(), two.AsLinkJob()), 1.5, 1e-9);
}

// Crux Example 2, ticks of 1 s: 2 GPUs compute 4 s and send 1 s, 12 GPUs compute 2 s and send 3 s;
// sending begins at half of the computing. For 13 s, in which job 1 ends three iterations.
TEST(LinkContention, Example2)
{
    const TickingJob one{4, 1, 2};
    const TickingJob two{2, 3, 1};
    TickingJob a = one;
    TickingJob b = two;
    Play(a, b, 13);
    EXPECT_EQ(13 - b.computed, 7); // seconds for which each of the 12 GPUs is idle
    a = one;
    b = two;
    Play(b, a, 13);
    EXPECT_EQ(13 - b.computed, 6);
    // Whoever is second is late once: job 1 by 1 s of 4, in which it sends 1, and job 2 by 2 s of
    // 4, in which it sends 3. In the long run nobody loses anything.
    const LinkLoss first = GetLoss(two.AsLinkJob(), one.AsLinkJob());
    const LinkLoss second = GetLoss(one.AsLinkJob(), two.AsLinkJob());
    EXPECT_EQ(first.rate, 0);
    EXPECT_EQ(second.rate, 0);
    EXPECT_NEAR(first.once, 0.25, 1e-9);
    EXPECT_NEAR(second.once, 1.5, 1e-9);
    EXPECT_NEAR(GetCorrection(two.AsLinkJob(), one.AsLinkJob()), 1.0 / 6, 1e-9);
}

TEST(LinkContention, AgreesWithAClock)
{
    std::mt19937 random(1);
    const auto draw = [&random](int least, int most) {
        return least + static_cast<int>(random() % (most - least + 1));
    };
    const auto make = [&draw]() {
        const int compute = draw(0, 12);
        return TickingJob{compute, draw(1, 12), draw(0, compute)};
    };
    constexpr int TICKS = 20000;
    for (int i = 0; i < 500; ++i)
    {
        TickingJob first = make();
        TickingJob second = make();
        const LinkJob higher = first.AsLinkJob();
        const LinkJob lower = second.AsLinkJob();
        Play(first, second, TICKS);
        const double alone = lower.transfer / lower.GetPeriod();
        const double lost = alone - double(second.sent) / TICKS;
        EXPECT_NEAR(GetLoss(higher, lower).rate, lost, 2 * lower.transfer / TICKS + 1e-3) << i;
        EXPECT_NEAR(double(first.sent) / TICKS,
                    higher.transfer / higher.GetPeriod(),
                    higher.transfer / TICKS)
            << i;
    }
}

// Every iteration ends when the ticking one does.
TEST(LinkContention, EndsIterationsWithAClock)
{
    std::mt19937 random(2);
    for (int i = 0; i < 300; ++i)
    {
        const int compute = 1 + random() % 9;
        TickingJob first{compute, static_cast<int>(1 + random() % 9), compute};
        const int other = 1 + random() % 9;
        TickingJob second{other, static_cast<int>(1 + random() % 20), other / 2};
        const SecondOnLink link(first.AsLinkJob(), second.AsLinkJob());
        double end = 0;
        for (int tick = 1, ended = 0; ended < 20; ++tick)
        {
            Play(first, second, 1);
            if (second.age == 0)
            {
                ++ended;
                end = link.GetEnd(end);
                ASSERT_NEAR(end, tick, 1e-6) << i;
            }
        }
    }
}

TEST(LinkContention, NeverFreeLinkTakesAll)
{
    const LinkJob greedy{1, 2, 0}; // sends without a pause
    const LinkJob other{1, 1, 1};
    EXPECT_TRUE(std::isinf(SecondOnLink(greedy, other).GetEnd(0)));
    EXPECT_EQ(GetLoss(greedy, other).rate, 0.5);
    EXPECT_GT(GetLoss(other, greedy).rate, 0);
}

TEST(LinkContention, FactorIsOneWhereNothingIsLostAndBoundedWhereOneLosesNothing)
{
    // Periods of 3 s; each sends while the other one computes.
    const LinkJob late{2, 1, 1};
    const LinkJob early{3, 1, 0};
    EXPECT_EQ(GetCorrection(late, early), 1);
    EXPECT_EQ(GetCorrection(early, late), 1);
    // The first has 8 s for 3 s of sending: half of the link is enough, but what it takes first
    // stops the second one.
    const LinkJob patient{10, 3, 0.2};
    const LinkJob hasty{1, 1, 1};
    EXPECT_EQ(GetLoss(hasty, patient).rate, 0);
    EXPECT_GT(GetLoss(patient, hasty).rate, 0);
    EXPECT_EQ(GetCorrection(patient, hasty), MOST_CORRECTION);
    EXPECT_EQ(GetCorrection(hasty, patient), 1 / MOST_CORRECTION);
}

// Periods whose ratio is no fraction: the rate is that of many iterations.
TEST(LinkContention, PeriodsWithoutACommonMultiple)
{
    const LinkJob first{1, 0.1, 1};
    const LinkJob second{0.5, 0.3 * std::sqrt(2.0), 1};
    const SecondOnLink link(first, second);
    constexpr int ITERATIONS = 200000;
    double end = 0;
    for (int i = 0; i < ITERATIONS; ++i)
    {
        end = link.GetEnd(end);
    }
    const double rate = second.transfer / second.GetPeriod();
    EXPECT_NEAR(GetLoss(first, second).rate,
                rate - ITERATIONS * second.transfer / end,
                rate * 2 / MOST_ITERATIONS_ON_LINK);
}

} // namespace
