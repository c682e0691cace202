// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-policy-variants.h"

#include "ns3/ddl-arrival-process.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** \return the arrivals of a process, in seconds */
std::vector<double>
Draw(Ptr<ArrivalProcess> process, uint64_t count, int64_t stream)
{
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

/** The same with the process's defaults. */
std::vector<double>
Draw(const std::string& name, uint64_t count, int64_t stream = 100)
{
    return Draw(CreatePolicy<ArrivalProcess>(name), count, stream);
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

TEST(ArrivalProcess, TheMenu)
{
    EXPECT_EQ(ListPolicies(ArrivalProcess::GetTypeId()),
              (std::vector<std::string>{"at-once", "philly", "poisson", "uniform"}));
}

/** Every registered process, with every attribute at its extremes. */
class ArrivalConformance : public testing::TestWithParam<test::Variant>
{
};

TEST_P(ArrivalConformance, RepeatsItselfOnOneStreamAndNeverGoesBack)
{
    constexpr uint64_t COUNT = 200;
    const auto process = GetParam().Create<ArrivalProcess>();
    EXPECT_GT(process->GetSummary().size(), 10U);
    const auto times = Draw(process, COUNT, 100);
    EXPECT_EQ(times, Draw(GetParam().Create<ArrivalProcess>(), COUNT, 100));
    // All come at one time where they are told to; else another stream gives other times.
    const bool isAtOnce = GetParam().policy == "at-once" ||
                          (GetParam().attribute == "Window" && GetParam().value == "+0ns");
    EXPECT_EQ(times.front() == times.back(), isAtOnce);
    EXPECT_EQ(times == Draw(GetParam().Create<ArrivalProcess>(), COUNT, 101), isAtOnce);
}

INSTANTIATE_TEST_SUITE_P(All,
                         ArrivalConformance,
                         testing::ValuesIn(test::ListVariants(ArrivalProcess::GetTypeId())),
                         test::NameOf);

/** A process that answers with the gap that it was built with. */
class WrongArrivalProcess : public ArrivalProcess
{
  public:
    explicit WrongArrivalProcess(Time gap)
        : m_gap(gap)
    {
    }

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("test::WrongArrivalProcess").SetParent<ArrivalProcess>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "wrong";
    }

  private:
    Time DoGetGap(const ArrivalView& /* view */) override
    {
        return m_gap;
    }

    Time m_gap;
};

TEST(WrongArrivalProcess, IsTheirError)
{
    const auto draw = [](Time gap) {
        return test::RunErrorOf([&] {
            CreateObject<WrongArrivalProcess>(gap)->GetGap({3, 5, Seconds(1)});
        });
    };
    EXPECT_EQ(draw(Time(0)), "");
    EXPECT_EQ(
        draw(Seconds(-2)),
        "test::WrongArrivalProcess: the gap before arrival 3 is -2.000000 s (0 s or more, and "
        "within the simulator's time)");
    EXPECT_EQ(draw(Time::Max() - Seconds(1)), "");
    EXPECT_NE(draw(Time::Max()), "");
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
