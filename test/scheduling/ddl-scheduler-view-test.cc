// SPDX-License-Identifier: GPL-2.0-only
// What the coordinator knows, and what it makes of it for a policy.
#include "ns3/ddl-build-scheduler-view.h"
#include "ns3/ddl-live-cojobs.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** 1 byte takes 1 s at machine 0 and 1/2 s at machine 1. */
const std::vector<DataRate> RATES = {DataRate(8), DataRate(16)};

/**
 * Cojob 4 of jobs 1 and 2 in stage 2 of 3 (5, 10 and 20 iterations); job 2 will stop after stage 2.
 * Job 1 sends 3 bytes an iteration from machine 0 to machine 1 and has done 4 iterations; job 2
 * sends 2 bytes the other way and has done none.
 */
LiveCojob
MakeCojob()
{
    LiveCojob cojob;
    cojob.id = {4};
    cojob.arrival = Seconds(1);
    cojob.iterations = {5, 10, 20};
    cojob.stage = 2;
    cojob.release = Seconds(7);
    LiveJob first;
    first.job = {1};
    first.leader = {0};
    first.machines = {{0}, {1}};
    first.bytes = {{{0}, 3, 0}, {{1}, 0, 3}};
    first.lastStage = 3;
    first.iterationsDone = 4;
    LiveJob second = first;
    second.job = {2};
    second.leader = {1};
    second.bytes = {{{0}, 0, 2}, {{1}, 2, 0}};
    second.lastStage = 2;
    second.weight = 5;
    second.iterationsDone = 0;
    cojob.jobs = {first, second};
    return cojob;
}

SchedulerView
Build(UnitKind kind, bool clairvoyant)
{
    return BuildSchedulerView({kind, clairvoyant, Seconds(9)}, RATES, {{CojobId{4}, MakeCojob()}});
}

/** \return load of a unit by port, 0 where it has none */
std::vector<double>
LoadOf(const UnitView& unit)
{
    std::vector<double> loads(4, 0);
    for (const auto& load : unit.load)
    {
        loads[load.port] = load.seconds;
    }
    return loads;
}

using PortSeconds = std::vector<double>;

TEST(BuildSchedulerView, StagesWithAllThatJobsMayRun)
{
    const SchedulerView view = Build(UnitKind::STAGE, false);
    EXPECT_EQ(view.now, Seconds(9));
    EXPECT_EQ(view.ports, 4u);
    ASSERT_EQ(view.units.size(), 2u);
    // Stage 2: job 1 has 10 - 4 = 6 iterations of 3 bytes left, job 2 has 10 of 2 bytes.
    // Ports: 0 sends 18 at 1 byte/s, 0 receives 20, 1 sends 20 at 2 bytes/s, 1 receives 18.
    EXPECT_EQ(LoadOf(view.units[0]), (PortSeconds{18, 20, 10, 9}));
    EXPECT_EQ(view.units[0].stage, 2u);
    EXPECT_EQ(view.units[0].stages, 3u);
    EXPECT_TRUE(view.units[0].active);
    EXPECT_EQ(view.units[0].release, Seconds(7));
    EXPECT_EQ(view.units[0].predecessor, NO_PREDECESSOR);
    // Stage 3, 20 iterations each: 60, 40, 20, 30.
    EXPECT_EQ(LoadOf(view.units[1]), (PortSeconds{60, 40, 20, 30}));
    EXPECT_FALSE(view.units[1].active);
    EXPECT_EQ(view.units[1].release, Time::Max());
    EXPECT_EQ(view.units[1].predecessor, 0);
}

TEST(BuildSchedulerView, ClairvoyantStagesLeaveOutWhoWillStop)
{
    const SchedulerView view = Build(UnitKind::STAGE, true);
    ASSERT_EQ(view.units.size(), 2u);
    EXPECT_EQ(LoadOf(view.units[0]), (PortSeconds{18, 20, 10, 9}));
    EXPECT_EQ(LoadOf(view.units[1]), (PortSeconds{60, 0, 0, 30})); // job 1 alone
}

TEST(BuildSchedulerView, ClairvoyantViewsEndWithTheLastStageOfAnyJob)
{
    LiveCojob cojob = MakeCojob();
    cojob.jobs.erase(cojob.jobs.begin());
    const SchedulerView view =
        BuildSchedulerView({UnitKind::STAGE, true, Seconds(9)}, RATES, {{cojob.id, cojob}});
    EXPECT_EQ(view.units.size(), 1u);
}

TEST(BuildSchedulerView, JobsWithAllTheirStagesTogether)
{
    // Job 1: 6 + 20 iterations of 3 bytes = 78; job 2: 10 + 20 of 2 bytes = 60, or 10 = 20.
    const SchedulerView all = Build(UnitKind::JOB, false);
    ASSERT_EQ(all.units.size(), 2u);
    EXPECT_EQ(all.units[0].job, JobId{1});
    EXPECT_EQ(all.units[0].release, Seconds(1)); // arrival
    EXPECT_EQ(LoadOf(all.units[0]), (PortSeconds{78, 0, 0, 39}));
    EXPECT_EQ(LoadOf(all.units[1]), (PortSeconds{0, 60, 30, 0}));
    EXPECT_EQ(all.units[0].weight, 1);
    EXPECT_EQ(all.units[1].weight, 5);
    const SchedulerView real = Build(UnitKind::JOB, true);
    EXPECT_EQ(LoadOf(real.units[0]), (PortSeconds{78, 0, 0, 39}));
    EXPECT_EQ(LoadOf(real.units[1]), (PortSeconds{0, 20, 10, 0}));
}

TEST(BuildSchedulerView, CoflowsUnderWayWithWhatIsLeftOfThem)
{
    LiveCojob cojob = MakeCojob();
    cojob.jobs[0].coflows = {{10, Seconds(8)}, {11, Seconds(9)}}; // the 5th of stage 2; one more
    // Job 1 moves 3 bytes an iteration: after 28 bytes, 27 of them of iterations 1 to 9, 2 are left
    // to send. Machine 1 has not reported.
    cojob.jobs[0].moved[{0}] = {28, 0};
    const SchedulerView view =
        BuildSchedulerView({UnitKind::COFLOW, false, Seconds(9)}, RATES, {{cojob.id, cojob}});
    ASSERT_EQ(view.units.size(), 1u); // job 2 has none
    EXPECT_EQ(view.units[0].job, JobId{1});
    EXPECT_EQ(view.units[0].iteration, 10u);
    EXPECT_EQ(view.units[0].release, Seconds(8));
    EXPECT_TRUE(view.units[0].active);
    EXPECT_EQ(LoadOf(view.units[0]), (PortSeconds{2, 0, 0, 1.5})); // 3 bytes at 2 bytes/s
    // A machine that is ahead has nothing left; one that is behind has not begun.
    cojob.jobs[0].moved = {{{0}, {31, 0}}, {{1}, {0, 20}}};
    const SchedulerView later =
        BuildSchedulerView({UnitKind::COFLOW, false, Seconds(9)}, RATES, {{cojob.id, cojob}});
    EXPECT_EQ(LoadOf(later.units[0]), (PortSeconds{0, 0, 0, 1.5}));
}

TEST(BuildSchedulerView, CountsPastFourGigabytes)
{
    LiveCojob cojob = MakeCojob();
    cojob.iterations = {1, 4'000'000'000, 1};
    cojob.jobs.resize(1);
    cojob.jobs[0].iterationsDone = 0;
    cojob.jobs[0].bytes = {{{0}, 1'000'000'000'000, 0}};
    const SchedulerView view =
        BuildSchedulerView({UnitKind::STAGE, false, Seconds(9)}, RATES, {{cojob.id, cojob}});
    EXPECT_DOUBLE_EQ(LoadOf(view.units[0])[0], 4e21); // 4e9 x 1e12 bytes at 1 byte/s
}

TEST(LiveCojobs, IgnoresStaleProgress)
{
    LiveCojobs live;
    live.Add(MakeCojob());
    const auto doneBy = [&live](uint32_t i) {
        return live.Get().at(CojobId{4}).jobs.at(i).iterationsDone;
    };
    live.NoteProgress({{1}, 2, 5 + 6}); // over all stages, of which the first has 5
    EXPECT_EQ(doneBy(0), 6u);
    live.NoteProgress({{1}, 2, 5 + 5}); // older than what is known
    live.NoteProgress({{1}, 1, 4});     // of the stage before
    live.NoteProgress({{99}, 2, 14});   // has left
    EXPECT_EQ(doneBy(0), 6u);
    live.NoteDone({{1}, 2});
    EXPECT_EQ(doneBy(0), 10u);
    live.StartStage({4}, 3, Seconds(20));
    EXPECT_EQ(doneBy(0), 0u);
    EXPECT_EQ(live.Get().at(CojobId{4}).release, Seconds(20));
}

TEST(LiveCojobs, AsksOnlyLeadersInTheMiddleOfAStage)
{
    LiveCojobs live;
    live.Add(MakeCojob());
    EXPECT_TRUE(live.ListBusyLeaders().empty());
    live.NoteStarted({1});
    live.NoteStarted({2});
    EXPECT_EQ(live.ListBusyLeaders(), (std::set<HostId>{{0}, {1}}));
    live.NoteDone({{1}, 2});
    EXPECT_EQ(live.ListBusyLeaders(), (std::set<HostId>{{1}}));
    EXPECT_EQ(live.Remove({4}, {2}).leader, HostId{1});
    EXPECT_TRUE(live.ListBusyLeaders().empty());
    live.Remove({4}, {1});
    EXPECT_TRUE(live.Get().empty());
}

TEST(LiveCojobs, KeepsCoflowsInOrderAndForgetsThoseOfJobsThatLeft)
{
    LiveCojobs live;
    live.Add(MakeCojob());
    EXPECT_TRUE(live.ListPresentJobs(UnitKind::COFLOW).empty());
    EXPECT_TRUE(live.ListCoflowMachines().empty());
    EXPECT_TRUE(live.NoteCoflow(CoflowStarted{{2}, 6}, Seconds(1)));
    EXPECT_TRUE(live.NoteCoflow(CoflowStarted{{2}, 7}, Seconds(2))); // workers may be apart
    EXPECT_FALSE(live.NoteCoflow(CoflowStarted{{99}, 1}, Seconds(2)));
    EXPECT_EQ(live.ListCoflowMachines(), (std::set<HostId>{{0}, {1}}));
    auto present = live.ListPresentJobs(UnitKind::COFLOW);
    ASSERT_EQ(present.size(), 1u);
    EXPECT_EQ(present[0].job, JobId{2});
    EXPECT_EQ(present[0].unit.iteration, 6u);
    EXPECT_TRUE(live.NoteCoflow(CoflowEnded{{2}, 6}));
    present = live.ListPresentJobs(UnitKind::COFLOW);
    ASSERT_EQ(present.size(), 1u);
    EXPECT_EQ(present[0].unit.iteration, 7u); // another coflow
    live.Remove({4}, {2});
    EXPECT_FALSE(live.NoteCoflow(CoflowEnded{{2}, 7})); // its message was under way
    live.NoteBytes({0}, {{2}, 5, 5});
    EXPECT_TRUE(live.ListCoflowMachines().empty());
}

} // namespace
