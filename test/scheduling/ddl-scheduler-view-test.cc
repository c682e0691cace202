// SPDX-License-Identifier: GPL-2.0-only
// What the coordinator knows, and what it makes of it for a policy.
#include "ddl-live-groups.h"

#include "ns3/ddl-live-jobs.h"
#include "ns3/simulator.h"

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
class SchedulerViewTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        Build({5, 10, 20}, {{{0}, 3, 0}, {{1}, 0, 3}});
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    /** \param iterations of each stage \param bytes that job 1 moves */
    void Build(const std::vector<uint64_t>& iterations, const std::vector<HostBytes>& bytes)
    {
        m_live.m_table = {};
        CojobSpec spec;
        spec.id = {4};
        spec.submit = Seconds(1);
        spec.iterations = iterations;
        JobSpec first;
        first.id = {1};
        JobSpec second;
        second.id = {2};
        second.weight = 5;
        second.stopAfter = 2;
        GroupRecord& group = m_live.Launch(
            spec,
            {{first, {{0}, {1}}, bytes}, {second, {{1}, {0}}, {{{0}, 0, 2}, {{1}, 2, 0}}}});
        group.NoteLive();
        group.BeginStage(group.GetCojob().Begin());
        Simulator::Schedule(Seconds(7) - Simulator::Now(), [&group] {
            group.GetCojob().FinishStage({1});
            group.BeginStage(*group.GetCojob().FinishStage({2}));
        });
        Simulator::Run();
        Get(1).live->iterations = 4;
    }

    JobRecord& Get(uint32_t job)
    {
        return m_live.m_table.GetJob({job});
    }

    const JobTable::Groups& GetLive() const
    {
        return m_live.m_table.GetLive();
    }

    void Leave(uint32_t job)
    {
        Get(job).group->NoteNotLive(Get(job));
    }

    SchedulerView Look(UnitKind kind, bool clairvoyant)
    {
        return BuildSchedulerView({kind, clairvoyant, Seconds(9)}, RATES, GetLive());
    }

    LiveGroups m_live;
};

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

TEST_F(SchedulerViewTest, StagesWithAllThatJobsMayRun)
{
    const SchedulerView view = Look(UnitKind::STAGE, false);
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

TEST_F(SchedulerViewTest, ClairvoyantStagesLeaveOutWhoWillStop)
{
    const SchedulerView view = Look(UnitKind::STAGE, true);
    ASSERT_EQ(view.units.size(), 2u);
    EXPECT_EQ(LoadOf(view.units[0]), (PortSeconds{18, 20, 10, 9}));
    EXPECT_EQ(LoadOf(view.units[1]), (PortSeconds{60, 0, 0, 30})); // job 1 alone
}

TEST_F(SchedulerViewTest, ClairvoyantViewsEndWithTheLastStageOfAnyJob)
{
    Leave(1);
    const SchedulerView view = Look(UnitKind::STAGE, true);
    EXPECT_EQ(view.units.size(), 1u);
}

TEST_F(SchedulerViewTest, JobsWithAllTheirStagesTogether)
{
    // Job 1: 6 + 20 iterations of 3 bytes = 78; job 2: 10 + 20 of 2 bytes = 60, or 10 = 20.
    const SchedulerView all = Look(UnitKind::JOB, false);
    ASSERT_EQ(all.units.size(), 2u);
    EXPECT_EQ(all.units[0].job, JobId{1});
    EXPECT_EQ(all.units[0].release, Seconds(1)); // arrival
    EXPECT_EQ(LoadOf(all.units[0]), (PortSeconds{78, 0, 0, 39}));
    EXPECT_EQ(LoadOf(all.units[1]), (PortSeconds{0, 60, 30, 0}));
    EXPECT_EQ(all.units[0].weight, 1);
    EXPECT_EQ(all.units[1].weight, 5);
    const SchedulerView real = Look(UnitKind::JOB, true);
    EXPECT_EQ(LoadOf(real.units[0]), (PortSeconds{78, 0, 0, 39}));
    EXPECT_EQ(LoadOf(real.units[1]), (PortSeconds{0, 20, 10, 0}));
}

TEST_F(SchedulerViewTest, CoflowsUnderWayWithWhatIsLeftOfThem)
{
    LiveRun& run = *Get(1).live;
    run.coflows = {{10, Seconds(8)}, {11, Seconds(9)}}; // the 5th of stage 2; one more
    // Job 1 moves 3 bytes an iteration: after 28 bytes, 27 of them of iterations 1 to 9, 2 are left
    // to send. Machine 1 has not reported.
    run.moved[{0}] = {28, 0};
    const SchedulerView view = Look(UnitKind::COFLOW, false);
    ASSERT_EQ(view.units.size(), 1u); // job 2 has none
    EXPECT_EQ(view.units[0].job, JobId{1});
    EXPECT_EQ(view.units[0].iteration, 10u);
    EXPECT_EQ(view.units[0].release, Seconds(8));
    EXPECT_TRUE(view.units[0].active);
    EXPECT_EQ(LoadOf(view.units[0]), (PortSeconds{2, 0, 0, 1.5})); // 3 bytes at 2 bytes/s
    // A machine that is ahead has nothing left; one that is behind has not begun.
    run.moved = {{{0}, {31, 0}}, {{1}, {0, 20}}};
    const SchedulerView later = Look(UnitKind::COFLOW, false);
    EXPECT_EQ(LoadOf(later.units[0]), (PortSeconds{0, 0, 0, 1.5}));
}

TEST_F(SchedulerViewTest, CountsPastFourGigabytes)
{
    Build({1, 4'000'000'000, 1}, {{{0}, 1'000'000'000'000, 0}});
    Leave(2);
    Get(1).live->iterations = 0;
    const SchedulerView view = Look(UnitKind::STAGE, false);
    EXPECT_DOUBLE_EQ(LoadOf(view.units[0])[0], 4e21); // 4e9 x 1e12 bytes at 1 byte/s
}

TEST_F(SchedulerViewTest, IgnoresStaleProgress)
{
    const JobTable& table = m_live.m_table;
    NoteProgress(table, {{1}, 2, 5 + 6}); // over all stages, of which the first has 5
    EXPECT_EQ(Get(1).live->iterations, 6u);
    NoteProgress(table, {{1}, 2, 5 + 5}); // older than what is known
    NoteProgress(table, {{1}, 1, 4});     // of the stage before
    NoteProgress(table, {{99}, 2, 14});   // has left
    EXPECT_EQ(Get(1).live->iterations, 6u);
    NoteDone(table, {{1}, 2});
    EXPECT_EQ(Get(1).live->iterations, 10u);
    GroupRecord& group = *Get(1).group;
    EXPECT_EQ(group.GetRelease(), Seconds(7));
    Simulator::Schedule(Seconds(13), [&group] {
        group.GetCojob().FinishStage({1});
        group.BeginStage(*group.GetCojob().FinishStage({2}));
    });
    Simulator::Run();
    EXPECT_EQ(Get(1).live->iterations, 0u);
    EXPECT_EQ(group.GetRelease(), Seconds(20));
}

TEST_F(SchedulerViewTest, AsksOnlyLeadersInTheMiddleOfAStage)
{
    EXPECT_TRUE(ListBusyLeaders(GetLive()).empty());
    Get(1).live->inProgress = true;
    Get(2).live->inProgress = true;
    EXPECT_EQ(ListBusyLeaders(GetLive()), (std::set<HostId>{{0}, {1}}));
    NoteDone(m_live.m_table, {{1}, 2});
    EXPECT_EQ(ListBusyLeaders(GetLive()), (std::set<HostId>{{1}}));
    Leave(2);
    EXPECT_TRUE(ListBusyLeaders(GetLive()).empty());
    Leave(1);
    EXPECT_TRUE(GetLive().empty());
}

TEST_F(SchedulerViewTest, KeepsCoflowsInOrderAndForgetsThoseOfJobsThatLeft)
{
    const JobTable& table = m_live.m_table;
    EXPECT_TRUE(ListPresentJobs(GetLive(), UnitKind::COFLOW).empty());
    EXPECT_TRUE(ListCoflowMachines(GetLive()).empty());
    EXPECT_TRUE(NoteCoflow(table, CoflowStarted{{2}, 6}, Seconds(1)));
    EXPECT_TRUE(NoteCoflow(table, CoflowStarted{{2}, 7}, Seconds(2))); // workers may be apart
    EXPECT_FALSE(NoteCoflow(table, CoflowStarted{{99}, 1}, Seconds(2)));
    EXPECT_EQ(ListCoflowMachines(GetLive()), (std::set<HostId>{{0}, {1}}));
    auto present = ListPresentJobs(GetLive(), UnitKind::COFLOW);
    ASSERT_EQ(present.size(), 1u);
    EXPECT_EQ(present[0].record->GetId(), JobId{2});
    EXPECT_EQ(present[0].unit.iteration, 6u);
    EXPECT_TRUE(NoteCoflow(table, CoflowEnded{{2}, 6}));
    present = ListPresentJobs(GetLive(), UnitKind::COFLOW);
    ASSERT_EQ(present.size(), 1u);
    EXPECT_EQ(present[0].unit.iteration, 7u); // another coflow
    Leave(2);
    EXPECT_FALSE(NoteCoflow(table, CoflowEnded{{2}, 7})); // its message was under way
    NoteBytes(table, {0}, {{2}, 5, 5});
    EXPECT_TRUE(ListCoflowMachines(GetLive()).empty());
}

} // namespace
