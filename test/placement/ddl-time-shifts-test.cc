// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-cassini-circle.h"
#include "ns3/ddl-time-shifts.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

JobTraffic
MakeTraffic(uint32_t job, int iteration, int up, const std::vector<LinkDemand>& links)
{
    return {JobId{job}, MilliSeconds(iteration), MilliSeconds(up), links};
}

/** \return the score of two jobs on a link that both want, with the shifts of a plan */
double
GetScore(const TimeShiftPlan& plan, const std::vector<JobTraffic>& jobs, uint32_t a, uint32_t b)
{
    const UnifiedCircle circle{plan.jobs[a].iteration.GetSeconds() * plan.jobs[a].iterations,
                               {plan.jobs[a].iterations, plan.jobs[b].iterations}};
    return GetCompatibility(circle,
                            {{jobs[a].up.GetSeconds(), 1}, {jobs[b].up.GetSeconds(), 1}},
                            {plan.jobs[a].shift.GetSeconds(), plan.jobs[b].shift.GetSeconds()});
}

} // namespace

TEST(TimeShifts, ThreeJobsOnTwoLinksSendInTurn)
{
    const std::vector<JobTraffic> jobs{MakeTraffic(1, 100, 40, {{7, 1}}),
                                       MakeTraffic(2, 100, 40, {{7, 1}, {8, 1}}),
                                       MakeTraffic(3, 100, 40, {{8, 1}})};
    const TimeShiftPlan plan = PlanTimeShifts(jobs, {});
    EXPECT_FALSE(plan.hasLoop);
    EXPECT_NEAR(plan.score, 1, 1e-9);
    // by hand: half an iteration between the two of each link, so the third is in step with the
    // first: (50 - 0 + 50) mod 100
    EXPECT_EQ(plan.jobs[0].shift, Time());
    EXPECT_EQ(plan.jobs[1].shift, MilliSeconds(50));
    EXPECT_NEAR(plan.jobs[2].shift.GetSeconds() < 0.05 ? plan.jobs[2].shift.GetSeconds()
                                                       : plan.jobs[2].shift.GetSeconds() - 0.1,
                0,
                1e-8);
    EXPECT_EQ(plan.jobs[2].root, 0U);
    EXPECT_NEAR(GetScore(plan, jobs, 0, 1), 1, 1e-6);
    EXPECT_NEAR(GetScore(plan, jobs, 1, 2), 1, 1e-6);
}

TEST(TimeShifts, IterationsOfDifferentLengthsShareACircle)
{
    const std::vector<JobTraffic> jobs{MakeTraffic(1, 100, 20, {{7, 1}}),
                                       MakeTraffic(2, 200, 40, {{7, 1}}),
                                       MakeTraffic(3, 198, 20, {{7, 1}})};
    const TimeShiftPlan plan = PlanTimeShifts(jobs, {});
    EXPECT_NEAR(plan.score, 1, 1e-9);
    EXPECT_EQ(plan.jobs[0].iterations, 2U);
    EXPECT_EQ(plan.jobs[1].iterations, 1U);
    EXPECT_EQ(plan.jobs[2].iteration, MilliSeconds(200)); // stretched by 1 %
    for (const auto& [a, b] : std::vector<std::pair<uint32_t, uint32_t>>{{0, 1}, {0, 2}, {1, 2}})
    {
        EXPECT_NEAR(GetScore(plan, jobs, a, b), 1, 1e-6) << a << " " << b;
    }
}

TEST(TimeShifts, TheScoreIsTheMeanOverContendedLinks)
{
    // Link 7: 60 % each, 0.8. Link 8: 40 % each, 1. On link 9 all demands fit at any time.
    const std::vector<JobTraffic> jobs{MakeTraffic(1, 100, 60, {{7, 1}, {9, 0.4}}),
                                       MakeTraffic(2, 100, 60, {{7, 1}, {9, 0.4}}),
                                       MakeTraffic(3, 100, 40, {{8, 1}, {9, 0.2}}),
                                       MakeTraffic(4, 100, 40, {{8, 1}})};
    const TimeShiftPlan plan = PlanTimeShifts(jobs, {});
    EXPECT_NEAR(plan.score, 0.9, 1e-9);
    EXPECT_FALSE(plan.hasLoop);
    EXPECT_EQ(plan.jobs[1].root, 0U);
    EXPECT_EQ(plan.jobs[3].root, 2U);
}

TEST(TimeShifts, LinksOfTheSameJobsCountOnce)
{
    std::vector<JobTraffic> jobs{MakeTraffic(1, 100, 40, {{1, 1}, {2, 0.9}, {3, 1}}),
                                 MakeTraffic(2, 100, 40, {{1, 1}, {2, 1}, {3, 0.8}})};
    EXPECT_FALSE(PlanTimeShifts(jobs, {}).hasLoop);
    jobs.push_back(MakeTraffic(3, 100, 10, {{3, 1}})); // link 1 and 2 are not within link 3: 0.8
    EXPECT_TRUE(PlanTimeShifts(jobs, {}).hasLoop);
    jobs[1].links[2].share = 1; // now they are
    EXPECT_FALSE(PlanTimeShifts(jobs, {}).hasLoop);
}

TEST(TimeShifts, ThreeJobsInALoop)
{
    const std::vector<JobTraffic> jobs{MakeTraffic(1, 100, 30, {{1, 1}, {3, 1}}),
                                       MakeTraffic(2, 100, 30, {{1, 1}, {2, 1}}),
                                       MakeTraffic(3, 100, 30, {{2, 1}, {3, 1}}),
                                       MakeTraffic(4, 100, 60, {{9, 1}}),
                                       MakeTraffic(5, 100, 60, {{9, 1}})};
    const TimeShiftPlan plan = PlanTimeShifts(jobs, {});
    EXPECT_TRUE(plan.hasLoop);
    for (uint32_t job = 0; job < 3; ++job)
    {
        EXPECT_EQ(plan.jobs[job].root, job); // shifted by nobody
        EXPECT_EQ(plan.jobs[job].shift, Time());
    }
    EXPECT_EQ(plan.jobs[4].root, 3U); // the other component has no loop
    EXPECT_NEAR(plan.score, 0.8, 1e-9);
}

TEST(TimeShifts, JobsThatSendOrTakeNothingStayWhereTheyAre)
{
    const std::vector<JobTraffic> jobs{MakeTraffic(1, 0, 0, {{1, 1}}),
                                       MakeTraffic(2, 100, 0, {{1, 1}}),
                                       MakeTraffic(3, 100, 60, {{1, 1}}),
                                       MakeTraffic(4, 100, 60, {})};
    const TimeShiftPlan plan = PlanTimeShifts(jobs, {});
    EXPECT_EQ(plan.score, 1);
    for (uint32_t job = 0; job < 4; ++job)
    {
        EXPECT_EQ(plan.jobs[job].root, job);
        EXPECT_EQ(plan.jobs[job].shift, Time());
    }
    EXPECT_TRUE(PlanTimeShifts({}, {}).jobs.empty());
}
