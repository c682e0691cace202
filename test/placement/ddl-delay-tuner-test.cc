// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-delay-tuner.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

DelayTuner
MakeTuner()
{
    DelayTuner tuner;
    tuner.fallback = {Hours(12), Hours(24)};
    tuner.history = Hours(24);
    return tuner;
}

/** Waits of 4, 6 and 8 h for a server, of jobs of two GPUs that got theirs at 0, 1 and 2 h. */
WaitHistory
MakeThreeWaits()
{
    WaitHistory waits;
    waits.Add(Tier::SERVER, 2, {Hours(0), Hours(4)});
    waits.Add(Tier::SERVER, 2, {Hours(1), Hours(6)});
    waits.Add(Tier::SERVER, 2, {Hours(2), Hours(8)});
    return waits;
}

double
ToHours(Time time)
{
    return time.GetSeconds() / 3600;
}

TEST(DelayTuner, WithoutWaitsTimersAreWhatTheUserSays)
{
    const DelayTimers timers = MakeTuner().GetTimers(NO_WAITS, 2, Hours(100));
    EXPECT_EQ(timers.machine, Hours(12));
    EXPECT_EQ(timers.rack, Hours(24));
    const DelayTimers others = MakeTuner().GetTimers(MakeThreeWaits(), 4, Hours(2));
    EXPECT_EQ(others.machine, Hours(12)); // of another number of GPUs
}

TEST(DelayTuner, MeanAndTwiceTheDeviationOfWhatIsYoungEnough)
{
    // Mean 6, sample deviation sqrt((4 + 0 + 4) / 2) = 2: 6 + 4 = 10 h.
    DelayTuner tuner = MakeTuner();
    const WaitHistory waits = MakeThreeWaits();
    EXPECT_EQ(tuner.GetTimers(waits, 2, Hours(2)).machine, Hours(10));
    EXPECT_EQ(tuner.GetTimers(waits, 2, Hours(2)).rack, Hours(24)); // nobody has waited for one
    // At 24.5 h the first one is too old: mean 7, deviation sqrt((1 + 1) / 1) = 1.4142.
    EXPECT_NEAR(ToHours(tuner.GetTimers(waits, 2, Hours(24.5)).machine),
                7 + 2 * std::sqrt(2),
                1e-9);
    // At 25 h the second one has the window's length and does not count, either. One wait: 8 h.
    EXPECT_EQ(tuner.GetTimers(waits, 2, Hours(25)).machine, Hours(8));
    EXPECT_EQ(tuner.GetTimers(waits, 2, Hours(26)).machine, Hours(12)); // none is left
    // Of a population the deviation is sqrt(8 / 3): 6 + 2 x 1.63299.
    tuner.isSample = false;
    EXPECT_NEAR(ToHours(tuner.GetTimers(waits, 2, Hours(2)).machine), 9.26599, 1e-5);
}

TEST(DelayTuner, OneWaitHasNoDeviation)
{
    for (const bool isSample : {true, false})
    {
        DelayTuner tuner = MakeTuner();
        tuner.isSample = isSample;
        WaitHistory waits;
        waits.Add(Tier::RACK, 8, {Hours(0), Hours(6)});
        EXPECT_EQ(tuner.GetTimers(waits, 8, Hours(1)).rack, Hours(6));
    }
}

TEST(DelayTuner, WhatTheAuthorsDoOtherwise)
{
    const WaitHistory waits = MakeThreeWaits();
    DelayTuner literal = MakeTuner();
    literal.byLength = true; // however old, but shorter than 8 h: mean 5, deviation sqrt(2)
    literal.history = Hours(8);
    EXPECT_NEAR(ToHours(literal.GetTimers(waits, 2, Hours(1000)).machine),
                5 + 2 * std::sqrt(2),
                1e-9);
    DelayTuner bounded = MakeTuner();
    bounded.leastWait = Hours(7); // the wait of 8 h alone
    bounded.least.machine = Hours(9);
    EXPECT_EQ(bounded.GetTimers(waits, 2, Hours(2)).machine, Hours(9));
    bounded.mostRack = 0.01;
    EXPECT_EQ(bounded.GetTimers(waits, 2, Hours(2)).machine, Hours(9));
    bounded.mostMachine = 0.125; // of 24 h
    EXPECT_EQ(bounded.GetTimers(waits, 2, Hours(2)).machine, Hours(3));
    WaitHistory far;
    far.Add(Tier::RACK, 2, {Hours(0), Hours(2)});
    far.Add(Tier::NETWORK, 2, {Hours(0), Hours(4)});
    EXPECT_EQ(MakeTuner().GetTimers(far, 2, Hours(1)).rack, Hours(2));
    DelayTuner all = MakeTuner();
    all.addsNetwork = true; // mean 3, deviation sqrt(2)
    EXPECT_NEAR(ToHours(all.GetTimers(far, 2, Hours(1)).rack), 3 + 2 * std::sqrt(2), 1e-9);
}

/** A wait as the test remembers it. */
struct KnownWait
{
    Tier tier;
    uint32_t gpus;
    int64_t end;    //!< ns
    int64_t length; //!< ns
    bool isRenewal; //!< of a lease, in place
};

/** Algorithm 2 as the text describes it, by two passes over all that ever was. */
int64_t
Recompute(const std::vector<KnownWait>& known,
          Tier tier,
          uint32_t gpus,
          int64_t now,
          const DelayTuner& tuner)
{
    std::vector<long double> waits;
    for (const KnownWait& wait : known)
    {
        const bool isTier = wait.tier == tier ||
                            (tier == Tier::RACK && tuner.addsNetwork && wait.tier == Tier::NETWORK);
        const int64_t measured = tuner.byLength ? wait.length : now - wait.end;
        if (isTier && wait.gpus == gpus && (tuner.addsRenewals || !wait.isRenewal) &&
            measured < tuner.history.GetNanoSeconds() &&
            wait.length >= tuner.leastWait.GetNanoSeconds())
        {
            waits.push_back(wait.length);
        }
    }
    if (waits.empty())
    {
        return (tier == Tier::SERVER ? tuner.fallback.machine : tuner.fallback.rack)
            .GetNanoSeconds();
    }
    long double sum = 0;
    long double squares = 0;
    for (const long double wait : waits)
    {
        sum += wait;
    }
    const long double mean = sum / waits.size();
    for (const long double wait : waits)
    {
        squares += (wait - mean) * (wait - mean);
    }
    const long double freedom = tuner.isSample ? waits.size() - 1 : waits.size();
    const long double tuned = mean + (freedom > 0 ? 2 * std::sqrt(squares / freedom) : 0);
    const Time least = tier == Tier::SERVER ? tuner.least.machine : tuner.least.rack;
    const long double most = (tier == Tier::SERVER ? tuner.mostMachine : tuner.mostRack) *
                             static_cast<long double>(tuner.history.GetNanoSeconds());
    const long double raised = std::max<long double>(tuned, least.GetNanoSeconds());
    return std::llround(most > 0 ? std::min(raised, most) : raised);
}

TEST(DelayTuner, UnderRandomHistoriesAsByTheBook)
{
    for (uint32_t seed = 1; seed <= 500; ++seed)
    {
        std::mt19937_64 generator(seed);
        const auto draw = [&generator](int64_t least, int64_t most) {
            return std::uniform_int_distribution<int64_t>(least, most)(generator);
        };
        constexpr int64_t HOUR = 3600000000000;
        DelayTuner tuner = MakeTuner();
        tuner.history = NanoSeconds(draw(1, 100 * HOUR));
        tuner.byLength = draw(0, 3) == 0;
        tuner.isSample = draw(0, 1) == 0;
        tuner.addsNetwork = draw(0, 3) == 0;
        tuner.addsRenewals = draw(0, 3) == 0;
        tuner.leastWait = NanoSeconds(draw(0, 1) == 0 ? 0 : draw(0, 20 * HOUR));
        tuner.least.machine = NanoSeconds(draw(0, 1) == 0 ? 0 : draw(0, 30 * HOUR));
        tuner.least.rack = NanoSeconds(draw(0, 1) == 0 ? 0 : draw(0, 60 * HOUR));
        tuner.mostMachine = draw(0, 1) == 0 ? 0 : 0.01 * static_cast<double>(draw(1, 200));
        tuner.mostRack = draw(0, 1) == 0 ? 0 : 0.01 * static_cast<double>(draw(1, 200));
        WaitHistory waits;
        std::vector<KnownWait> known;
        int64_t now = 0;
        for (int i = 0; i < 50; ++i)
        {
            now += draw(0, 3) == 0 ? 0 : draw(0, 5 * HOUR);
            const Tier tier =
                std::vector<Tier>{Tier::SERVER, Tier::RACK, Tier::NETWORK}[draw(0, 2)];
            const auto gpus = static_cast<uint32_t>(draw(1, 3));
            const bool isRenewal = draw(0, 4) == 0;
            const int64_t length = isRenewal || draw(0, 2) == 0 ? 0 : draw(0, 40 * HOUR);
            isRenewal ? waits.AddRenewal(tier, gpus, NanoSeconds(now))
                      : waits.Add(tier, gpus, {NanoSeconds(now), NanoSeconds(length)});
            known.push_back({tier, gpus, now, length, isRenewal});
            const auto asked = static_cast<uint32_t>(draw(1, 3));
            const DelayTimers timers = tuner.GetTimers(waits, asked, NanoSeconds(now));
            // Equal, but for the rounding of sums of doubles: 1 ns in 1e13.
            const auto near = [](Time time, int64_t expected) {
                EXPECT_NEAR(static_cast<double>(time.GetNanoSeconds()),
                            static_cast<double>(expected),
                            1e-13 * expected + 1);
            };
            near(timers.machine, Recompute(known, Tier::SERVER, asked, now, tuner));
            near(timers.rack, Recompute(known, Tier::RACK, asked, now, tuner));
        }
    }
}

} // namespace
