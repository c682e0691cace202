// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-policy-variants.h"

#include "ns3/boolean.h"
#include "ns3/ddl-communication-gate.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr double B = 1e-9; //!< seconds a byte: 8 Gbps
constexpr uint64_t MB = 1'000'000;

/** Job 100 of `bytes` on servers 1 and 2 asks; nothing runs. */
GateView
Ask(uint64_t bytes, const std::vector<HostId>& servers = {{1}, {2}})
{
    GateView view;
    view.now = Seconds(10);
    view.model = {0, B, 0};
    view.ready = {{JobId{100}, servers, bytes, view.now, Seconds(5), {}}};
    for (const HostId host : servers)
    {
        view.servers.push_back({host, {}});
    }
    return view;
}

/** Add a task that runs since `since`, and note it at the servers that it shares. */
void
AddRunning(GateView& view, uint64_t bytes, Time since, const std::vector<HostId>& servers)
{
    const auto index = static_cast<uint32_t>(view.running.size());
    view.running.push_back({JobId{index + 1}, servers, bytes, since, Seconds(1), {}});
    for (auto& server : view.servers)
    {
        if (std::count(servers.begin(), servers.end(), server.host) > 0)
        {
            server.tasks.push_back(index);
        }
    }
}

Ptr<CommunicationGate>
Srsf(uint32_t n)
{
    const auto gate = CreatePolicy<CommunicationGate>("srsf-n");
    gate->SetAttribute("N", UintegerValue(n));
    return gate;
}

/** \return whether `fresh` bytes may join an old task of which `left` are left, by the model */
bool
MayJoin(double fresh, double left, double eta, const Ptr<CommunicationGate>& gate)
{
    GateView view = Ask(static_cast<uint64_t>(fresh));
    view.model.eta = eta;
    AddRunning(view, static_cast<uint64_t>(left), view.now, {{1}, {2}});
    return bool(gate->MayStart(view));
}

} // namespace

TEST(NoneGate, LetsEverythingPassAndIsNotAsked)
{
    const auto gate = CreatePolicy<CommunicationGate>("none");
    EXPECT_FALSE(gate->IsAsked());
    GateView view = Ask(MB);
    AddRunning(view, MB, view.now, {{1}, {2}});
    AddRunning(view, MB, view.now, {{1}, {2}});
    EXPECT_TRUE(gate->MayStart(view));
}

TEST(SrsfN, CountsTasksAtEveryServer)
{
    GateView view = Ask(MB);
    AddRunning(view, MB, view.now, {{2}, {3}});
    EXPECT_FALSE(Srsf(1)->MayStart(view)); // server 1 carries 0, server 2 carries 1
    EXPECT_TRUE(Srsf(2)->MayStart(view));
    AddRunning(view, MB, view.now, {{2}, {4}});
    EXPECT_FALSE(Srsf(2)->MayStart(view)); // server 2 carries 2
    EXPECT_TRUE(Srsf(3)->MayStart(view));
    AddRunning(view, MB, view.now, {{1}, {4}});
    EXPECT_TRUE(Srsf(3)->MayStart(view)); // at most 2 at one server, though there are 3 in all
}

TEST(SrsfN, TasksElsewhereDoNotCount)
{
    GateView view = Ask(MB);
    AddRunning(view, MB, view.now, {{3}, {4}});
    EXPECT_TRUE(Srsf(1)->MayStart(view));
}

TEST(AdaDual, StartsWhereNobodyElseIs)
{
    EXPECT_TRUE(CreatePolicy<CommunicationGate>("ada-dual")->MayStart(Ask(MB)));
}

/** Theorem 1: the new task is not smaller than what is left of the old one, so it goes second. */
TEST(AdaDual, Theorem1)
{
    const auto gate = CreatePolicy<CommunicationGate>("ada-dual");
    EXPECT_FALSE(MayJoin(100e6, 100e6, 0, gate));
    EXPECT_FALSE(MayJoin(100e6, 50e6, 0, gate));
    EXPECT_FALSE(MayJoin(100e6, 0, 0, gate)); // the end has not been heard of yet
}

/** Theorem 2: start iff M1 / M2 < b / (2 (b + eta)), strictly. */
TEST(AdaDual, Theorem2)
{
    const auto gate = CreatePolicy<CommunicationGate>("ada-dual");
    EXPECT_TRUE(MayJoin(49e6, 100e6, 0, gate)); // threshold 1 / 2
    EXPECT_FALSE(MayJoin(50e6, 100e6, 0, gate));
    EXPECT_FALSE(MayJoin(51e6, 100e6, 0, gate));
    EXPECT_TRUE(MayJoin(39e6, 100e6, 0.25 * B, gate)); // 1 / (2 x 1.25) = 0.4
    EXPECT_FALSE(MayJoin(41e6, 100e6, 0.25 * B, gate));
    EXPECT_TRUE(MayJoin(24e6, 100e6, B, gate)); // 1 / (2 x 2) = 0.25
    EXPECT_FALSE(MayJoin(26e6, 100e6, B, gate));
}

/** The averages of the two choices, Eq. 14: start now (3 b + 2 eta) M1 + b M2, wait b M1 + 2 b M2,
 * over the whole range. */
TEST(AdaDual, PicksTheSmallerOfTheTwoAverages)
{
    const auto gate = CreatePolicy<CommunicationGate>("ada-dual");
    for (const double eta : {0.0, 0.1 * B, 0.5 * B, 2 * B})
    {
        for (double ratio = 0.05; ratio <= 1; ratio += 0.0101)
        {
            const double m1 = ratio * 100e6;
            const double m2 = 100e6;
            const double now = (3 * B + 2 * eta) * m1 + B * m2;
            const double later = B * m1 + 2 * B * m2;
            EXPECT_EQ(MayJoin(m1, m2, eta, gate), now < later) << eta << " " << ratio;
        }
    }
}

TEST(AdaDual, WhatIsLeftIsReckonedFromTheReport)
{
    const auto gate = CreatePolicy<CommunicationGate>("ada-dual");
    // 100 MB reported 60 ms ago: 60 ms / 1 ns = 60 MB gone, 40 MB left, threshold 20 MB
    GateView view = Ask(19 * MB);
    AddRunning(view, 100 * MB, view.now - MilliSeconds(60), {{1}, {2}});
    EXPECT_TRUE(gate->MayStart(view));
    view.ready[0].bytes = 21 * MB;
    EXPECT_FALSE(gate->MayStart(view));
    // with a = 10 ms nothing moved in the first 10 ms: 50 MB left, threshold 25 MB
    gate->SetAttribute("A", DoubleValue(0.01));
    EXPECT_TRUE(gate->MayStart(view));
    // with b = 2 ns: 50 ms / 2 ns = 25 MB gone, 75 MB left, threshold 37.5 MB
    gate->SetAttribute("B", DoubleValue(2 * B));
    view.ready[0].bytes = 37 * MB;
    EXPECT_TRUE(gate->MayStart(view));
    // with eta = b: threshold 75 MB / 4
    gate->SetAttribute("Eta", DoubleValue(2 * B));
    EXPECT_FALSE(gate->MayStart(view));
}

TEST(AdaDual, TheOracleKnowsWhatIsLeft)
{
    const auto gate = CreatePolicy<CommunicationGate>("ada-dual");
    GateView view = Ask(40 * MB);
    AddRunning(view, 100 * MB, view.now - MilliSeconds(60), {{1}, {2}});
    view.running[0].truth = 90 * MB; // it was slowed down: threshold 45 MB, not 20 MB
    EXPECT_FALSE(gate->WantsTruth());
    EXPECT_FALSE(gate->MayStart(view));
    gate->SetAttribute("Oracle", BooleanValue(true));
    EXPECT_TRUE(gate->WantsTruth());
    EXPECT_TRUE(gate->MayStart(view));
}

TEST(AdaDual, NeverAThird)
{
    const auto gate = CreatePolicy<CommunicationGate>("ada-dual");
    GateView view = Ask(1);
    AddRunning(view, 100 * MB, view.now, {{1}, {3}});
    AddRunning(view, 100 * MB, view.now, {{1}, {4}});
    EXPECT_FALSE(gate->MayStart(view)); // server 1 carries two
}

/** Lines 4 to 8 taken over all servers: the maximum is 1, and the set of old tasks has two. */
TEST(AdaDual, DifferentOldTasksAtDifferentServersAllHaveToAllowIt)
{
    const auto gate = CreatePolicy<CommunicationGate>("ada-dual");
    GateView view = Ask(30 * MB);
    AddRunning(view, 100 * MB, view.now, {{1}, {3}}); // threshold 50 MB: read alone it says yes
    EXPECT_TRUE(gate->MayStart(view));
    AddRunning(view, 40 * MB, view.now, {{2}, {4}}); // threshold 20 MB
    EXPECT_FALSE(gate->MayStart(view));
    view.ready[0].bytes = 19 * MB;
    EXPECT_TRUE(gate->MayStart(view));
    // A later server that carries two is found as well.
    AddRunning(view, 100 * MB, view.now, {{2}, {5}});
    EXPECT_FALSE(gate->MayStart(view));
}

namespace
{

/** Job 100 asks `after` the last start of job 1: iterations of 100 ms, `up` of which both send. */
GateView
AskBeside(Time after, Time up = MilliSeconds(40), Time iteration = MilliSeconds(100))
{
    GateView view = Ask(MB);
    const std::vector<LinkDemand> links{{2, 1}};
    view.jobs = {
        {std::make_shared<const JobTraffic>(JobTraffic{JobId{1}, iteration, up, links}),
         3,
         view.now - after},
        {std::make_shared<const JobTraffic>(JobTraffic{JobId{100}, iteration, up, links})}};
    return view;
}

/** \return time until the date of an answer; 0: at once */
Time
GetWait(const Ptr<CommunicationGate>& gate, const GateView& view)
{
    const GateAnswer answer = gate->MayStart(view);
    EXPECT_TRUE(answer || answer.GetDate());
    return answer ? Time() : *answer.GetDate() - view.now;
}

} // namespace

/** Half an iteration between the starts of the two: there both can send for 10 % longer. */
TEST(Cassini, AJobWaitsForItsPlaceOnTheCircle)
{
    const auto gate = CreatePolicy<CommunicationGate>("cassini");
    EXPECT_EQ(GetWait(gate, AskBeside(MilliSeconds(20))), MilliSeconds(30));
    EXPECT_EQ(GetWait(gate, AskBeside(MilliSeconds(49))), MilliSeconds(1));
    EXPECT_EQ(GetWait(gate, AskBeside(MilliSeconds(50))), Time());
    EXPECT_EQ(GetWait(gate, AskBeside(MilliSeconds(54))), Time()); // 4 % late
    EXPECT_EQ(GetWait(gate, AskBeside(MilliSeconds(57))), MilliSeconds(93));
    EXPECT_EQ(GetWait(gate, AskBeside(MilliSeconds(120))), MilliSeconds(30)); // job 1 is overdue
    gate->SetAttribute("Drift", DoubleValue(0.1));
    EXPECT_EQ(GetWait(gate, AskBeside(MilliSeconds(57))), Time());
}

TEST(Cassini, TheFirstJobAndJobsOnOtherLinksNeverWait)
{
    const auto gate = CreatePolicy<CommunicationGate>("cassini");
    GateView view = AskBeside(MilliSeconds(20));
    view.ready[0].job = JobId{1};
    EXPECT_EQ(GetWait(gate, view), Time());
    view = AskBeside(MilliSeconds(20));
    view.jobs[0].lastStart.reset(); // the first job has not started: there is no circle yet
    EXPECT_EQ(GetWait(gate, view), Time());
    view = AskBeside(MilliSeconds(20));
    view.jobs[0].traffic = std::make_shared<const JobTraffic>(
        JobTraffic{JobId{1}, MilliSeconds(100), MilliSeconds(40), {{3, 1}}});
    EXPECT_EQ(GetWait(gate, view), Time());
    EXPECT_EQ(GetWait(gate, AskBeside(MilliSeconds(20))), MilliSeconds(30)); // planned anew
    view = AskBeside(MilliSeconds(20));
    view.ready[0].gpu = GpuId{HostId{1}, 0}; // a task of rounds
    EXPECT_EQ(GetWait(gate, view), Time());
}

/** Job 100 has iterations of 200 ms, so its place comes in every other iteration of job 1. */
TEST(Cassini, StartsOfTheFirstJobCountTheTurnsOfTheCircle)
{
    const auto gate = CreatePolicy<CommunicationGate>("cassini");
    GateView view = AskBeside(MilliSeconds(20), MilliSeconds(10));
    view.jobs[1].traffic = std::make_shared<const JobTraffic>(
        JobTraffic{JobId{100}, MilliSeconds(200), MilliSeconds(10), {{2, 1}}});
    const Time odd = GetWait(gate, view); // after start 3
    ++view.jobs[0].starts;
    const Time even = GetWait(gate, view);
    EXPECT_EQ(Max(odd, even) - Min(odd, even), MilliSeconds(100));
}

TEST(Cassini, PlansAnewWhenAnIterationIsShorterThanItSeemed)
{
    const auto gate = CreatePolicy<CommunicationGate>("cassini");
    const Time slow =
        GetWait(gate, AskBeside(MilliSeconds(20), MilliSeconds(40), MilliSeconds(140)));
    // The least multiple of 140 / 72 ms that is no less than 40 + 2 x 7 ms: 28 x 140 / 72 - 20
    EXPECT_NEAR(slow.GetSeconds(), 28 * 0.140 / 72 - 0.020, 1e-8);
    EXPECT_EQ(GetWait(gate, AskBeside(MilliSeconds(20))), MilliSeconds(30));
}

/** A gate that gives a date that has come. */
class LateCommunicationGate : public CommunicationGate
{
  public:
    std::string GetSummary() const override
    {
        return "late";
    }

  private:
    GateAnswer DoMayStart(const GateView& view) override
    {
        return GateAnswer::At(view.now);
    }
};

TEST(CommunicationGate, ADateHasToBeInTheFuture)
{
    const auto gate = CreateObject<LateCommunicationGate>();
    EXPECT_NE(test::RunErrorOf([&gate] {
                  gate->MayStart(Ask(MB));
              }).find("lets job 100 start at 10s, which is not in the future"),
              std::string::npos);
}

TEST(ContentionModel, Equation5)
{
    const ContentionModel model{1e-3, 1e-9, 0.2e-9};
    EXPECT_DOUBLE_EQ(model.Predict(1, 100 * MB), 1e-3 + 0.1);
    EXPECT_DOUBLE_EQ(model.Predict(3, 100 * MB), 1e-3 + 0.3 + 2 * 0.02);
    EXPECT_DOUBLE_EQ(model.GetRemaining(100e6, MilliSeconds(51)), 50e6);
    EXPECT_DOUBLE_EQ(model.GetRemaining(100e6, MicroSeconds(500)), 100e6);
    EXPECT_DOUBLE_EQ(model.GetRemaining(100e6, Seconds(1)), 0);
}

TEST(ContentionModel, CalibrationsScaleWithTheRate)
{
    const auto slow = GetCalibratedModel("tcp", "dctcp", DataRate("10Gbps"));
    const auto fast = GetCalibratedModel("tcp", "dctcp", DataRate("100Gbps"));
    EXPECT_GE(slow.b, 0.8e-9); // never better than the wire
    EXPECT_LE(slow.b, 1.0e-9);
    EXPECT_DOUBLE_EQ(fast.b, slow.b / 10);
    EXPECT_GT(slow.eta, 0.05 * slow.b); // doc/gates.md: 14 % of b
    EXPECT_DOUBLE_EQ(fast.eta, slow.eta / 10);
    const auto other = GetCalibratedModel("smoke-signals", "", DataRate("10Gbps"));
    EXPECT_DOUBLE_EQ(other.b, 0.8e-9);
    EXPECT_DOUBLE_EQ(other.eta, 0);
}

/** Every registered gate. */
class GateConformance : public testing::TestWithParam<test::Variant>
{
  protected:
    Ptr<CommunicationGate> m_gate{GetParam().Create<CommunicationGate>()};
};

TEST_P(GateConformance, SaysWhatItIs)
{
    EXPECT_FALSE(m_gate->GetSummary().empty());
}

/** Otherwise a task could wait for ever. */
TEST_P(GateConformance, LetsATaskPassWhenItsServersCarryNothing)
{
    for (const uint64_t bytes : {uint64_t{0}, uint64_t{1}, 100 * MB, uint64_t{1} << 62})
    {
        EXPECT_TRUE(m_gate->MayStart(Ask(bytes))) << bytes;
        EXPECT_TRUE(m_gate->MayStart(Ask(bytes, {}))) << bytes;
        GateView view = Ask(bytes);
        AddRunning(view, 100 * MB, view.now, {{3}, {4}});
        EXPECT_TRUE(m_gate->MayStart(view)) << bytes;
    }
}

TEST_P(GateConformance, AnswersTheSameTwice)
{
    GateView view = Ask(10 * MB);
    AddRunning(view, 100 * MB, view.now - MilliSeconds(1), {{1}, {2}});
    view.jobs = AskBeside(MilliSeconds(20)).jobs;
    const GateAnswer first = m_gate->MayStart(view);
    EXPECT_TRUE(m_gate->MayStart(view) == first);
    EXPECT_TRUE(GetParam().Create<CommunicationGate>()->MayStart(view) == first);
}

/** More to share with never opens a gate. */
TEST_P(GateConformance, AnotherTaskNeverHelps)
{
    for (const uint64_t fresh : {MB, 30 * MB, 100 * MB})
    {
        GateView view = Ask(fresh);
        bool before(m_gate->MayStart(view));
        for (uint32_t tasks = 0; tasks < 4; ++tasks)
        {
            AddRunning(view, 100 * MB, view.now, {{1}, {2}});
            const bool now(m_gate->MayStart(view));
            EXPECT_LE(now, before) << fresh << " beside " << tasks + 1;
            before = now;
        }
    }
}

TEST_P(GateConformance, TheOrderOfServersDoesNotMatter)
{
    GateView view = Ask(30 * MB);
    AddRunning(view, 100 * MB, view.now, {{1}, {3}});
    AddRunning(view, 40 * MB, view.now, {{2}, {4}});
    const GateAnswer answer = m_gate->MayStart(view);
    std::reverse(view.servers.begin(), view.servers.end());
    EXPECT_TRUE(m_gate->MayStart(view) == answer);
}

/** Less than two iterations, since an iteration may be stretched to twice its length at most. */
TEST_P(GateConformance, ATaskWhoseServersCarryNothingWaitsForALimitedTime)
{
    for (int after = 0; after <= 300; after += 7)
    {
        GateView view = AskBeside(MilliSeconds(after), MilliSeconds(60));
        const GateAnswer answer = m_gate->MayStart(view);
        ASSERT_TRUE(answer || answer.GetDate()) << after;
        if (answer.GetDate())
        {
            EXPECT_GT(*answer.GetDate(), view.now);
            EXPECT_LT(*answer.GetDate(), view.now + MilliSeconds(200));
            view.now = *answer.GetDate();
            EXPECT_TRUE(m_gate->MayStart(view)) << after; // the date was not early
        }
    }
}

TEST_P(GateConformance, RejectsAViewThatPointsNowhere)
{
    GateView view = Ask(MB);
    view.candidate = 1;
    EXPECT_DEATH(m_gate->MayStart(view), "task 1 of 1");
    view = Ask(MB);
    view.servers[1].tasks = {0};
    EXPECT_DEATH(m_gate->MayStart(view), "server 2 carries task 0 of 0");
}

INSTANTIATE_TEST_SUITE_P(All,
                         GateConformance,
                         testing::ValuesIn(test::ListVariants(CommunicationGate::GetTypeId())),
                         test::NameOf);
