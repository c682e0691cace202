// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-arrival-process.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** \return the arrivals of a process with its defaults, in seconds */
std::vector<double>
Draw(const std::string& name, uint64_t count, int64_t stream = 100)
{
    const auto process = CreatePolicy<ArrivalProcess>(name);
    process->AssignStreams(stream);
    std::vector<double> times;
    Time last;
    for (uint64_t i = 0; i < count; ++i)
    {
        last += process->GetGap({i, count, last});
        times.push_back(last.GetSeconds());
    }
    return times;
}

std::vector<double>
Gaps(const std::vector<double>& times)
{
    std::vector<double> gaps;
    for (std::size_t i = 1; i < times.size(); ++i)
    {
        gaps.push_back(times[i] - times[i - 1]);
    }
    std::sort(gaps.begin(), gaps.end());
    return gaps;
}

} // namespace

TEST(ArrivalProcess, EveryProcessRepeatsItselfOnOneStreamAndNeverGoesBack)
{
    const auto names = ListPolicies(ArrivalProcess::GetTypeId());
    EXPECT_EQ(names, (std::vector<std::string>{"at-once", "philly", "poisson", "uniform"}));
    for (const auto& name : names)
    {
        const auto times = Draw(name, 200);
        EXPECT_EQ(times, Draw(name, 200)) << name;
        EXPECT_TRUE(std::is_sorted(times.begin(), times.end())) << name;
        EXPECT_GE(times.front(), 0) << name;
        EXPECT_EQ(times == Draw(name, 200, 101), name == "at-once") << name;
        EXPECT_FALSE(CreatePolicy<ArrivalProcess>(name)->GetSummary().empty());
    }
}

TEST(ArrivalProcess, PoissonGapsHaveTheirMeanAndSpread)
{
    const auto gaps = Gaps(Draw("poisson", 20001)); // mean 60 s by default
    double sum = 0;
    for (const double gap : gaps)
    {
        sum += gap;
    }
    EXPECT_NEAR(sum / gaps.size(), 60, 3 * 60 / std::sqrt(20000.0)); // 3 standard errors
    EXPECT_NEAR(gaps[gaps.size() / 2], 60 * std::log(2), 1.5);
}

TEST(ArrivalProcess, UniformArrivalsFillTheirWindowEvenly)
{
    const auto times = Draw("uniform", 10000); // 20 minutes by default
    EXPECT_LE(times.back(), 1200);
    // One in four before a quarter of the window: 2500, standard deviation sqrt(10^4 / 4 x 3 / 4).
    const auto early = std::count_if(times.begin(), times.end(), [](double t) { return t < 300; });
    EXPECT_NEAR(static_cast<double>(early), 2500, 3 * 43.3);
    const auto late = std::count_if(times.begin(), times.end(), [](double t) { return t > 900; });
    EXPECT_NEAR(static_cast<double>(late), 2500, 3 * 43.3);
}

TEST(ArrivalProcess, PhillyGapsHaveThePercentilesOfTheTrace)
{
    const auto gaps = Gaps(Draw("philly", 100001));
    const auto at = [&gaps](double percent) {
        return gaps[static_cast<std::size_t>(percent / 100 * gaps.size())];
    };
    EXPECT_NEAR(at(10), 1, 0.05);
    EXPECT_NEAR(at(50), 8, 0.3);
    EXPECT_NEAR(at(70), 26, 1);
    EXPECT_NEAR(at(80), 101, 5);
    EXPECT_NEAR(at(90), 361, 10);
    EXPECT_NEAR(at(98), 600, 1);
    EXPECT_LE(gaps.back(), 247199);
    EXPECT_LT(gaps.front(), 0.01);
}
