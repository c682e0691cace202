// SPDX-License-Identifier: GPL-2.0-only
// Schedulers of coflows and flows, and the variants of grouper, through coordinator and agents on a
// network without packets: one sending port moves a unit a second.
#include "ddl-quantum-fixture.h"

#include "ns3/boolean.h"
#include "ns3/ddl-sebf-network-scheduler.h"

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr uint32_t A = 1;
constexpr uint32_t B = 2;

class CoflowRunTest : public test::QuantumFixture
{
  protected:
    /** A job of its own that pushes from machine 0: `units` an iteration. */
    static CojobSpec MakePush(uint32_t id, Time submit, double units, uint32_t iterations)
    {
        const auto bytes = static_cast<uint64_t>(units * UNIT);
        return MakeCojob(id, submit, {iterations}, {MakePushJob(id, bytes, {0}, id - 1, {id})});
    }

    void ExpectEnds(const std::vector<double>& ends)
    {
        Run(Seconds(50));
        EXPECT_TRUE(m_allDone);
        for (uint32_t i = 0; i < ends.size(); ++i)
        {
            EXPECT_NEAR(GetEnd(i + 1, 1), ends[i], 0.02) << "job " << i + 1;
        }
    }
};

TEST_F(CoflowRunTest, TheSmallerCoflowGoesFirst)
{
    for (const std::string scheduler : {"sincronia", "sebf"})
    {
        BuildQuantum(scheduler);
        m_manager->Submit({MakePush(1, Time(), 3, 1), MakePush(2, Time(), 1, 1)});
        ExpectEnds({4, 1});
        ASSERT_FALSE(m_schedules.empty());
        EXPECT_EQ(m_schedules.front().order, "2:1 1:1");
        TearDown();
        m_stages.clear();
        m_schedules.clear();
        m_parts = {};
    }
}

TEST_F(CoflowRunTest, WeightsOfJobsCountForSincronia)
{
    BuildQuantum("sincronia");
    auto heavy = MakePush(1, Time(), 3, 1);
    heavy.jobs[0].weight = 4; // 4/3 a unit against 1
    m_manager->Submit({heavy, MakePush(2, Time(), 1, 1)});
    ExpectEnds({3, 4});
}

TEST_F(CoflowRunTest, AJobsIterationsAreCoflowsEach)
{
    // Job 1 moves 4 x 1, job 2 1 x 1.5. Each coflow of job 1 is smaller than that of job 2, so the
    // longer job goes first and the shorter one waits: 4 and 5.5. (Grouper §II-C.)
    BuildQuantum("sincronia");
    m_manager->Submit({MakePush(1, Time(), 1, 4), MakePush(2, Time(), 1.5, 1)});
    ExpectEnds({4, 5.5});
}

TEST_F(CoflowRunTest, SebfCountsWhatIsLeft)
{
    // At 2 s job 1 has 1 of 3 left, less than the 1.5 of job 2: 3 and 4.5.
    BuildQuantum("sebf");
    m_manager->Submit({MakePush(1, Time(), 3, 1), MakePush(2, Seconds(2), 1.5, 1)});
    ExpectEnds({3, 4.5});
}

TEST_F(CoflowRunTest, SincroniaCountsSizesOrWhatIsLeft)
{
    BuildQuantum("sincronia");
    m_manager->Submit({MakePush(1, Time(), 3, 1), MakePush(2, Seconds(2), 1.5, 1)});
    ExpectEnds({4.5, 3.5}); // 1.5 < 3
    TearDown();
    m_stages.clear();
    m_parts = {};
    BuildQuantum("sincronia");
    m_scheduler->SetAttribute("Remaining", BooleanValue(true));
    m_manager->Submit({MakePush(1, Time(), 3, 1), MakePush(2, Seconds(2), 1.5, 1)});
    ExpectEnds({3, 4.5}); // 1 < 1.5
}

TEST_F(CoflowRunTest, PiasDemotesWhatHasSentMuch)
{
    // Default thresholds of 1, 4... MB, here 1, 4... units. Job 1 (4 units) is alone until 2 s,
    // then demoted; job 2 (0.5) goes before it: 2.5, and 4.5. Under fair share job 2 would need
    // until 3. No control messages but starts and stops.
    BuildQuantum("pias");
    m_manager->Submit({MakePush(1, Time(), 4, 1), MakePush(2, Seconds(2), 0.5, 1)});
    ExpectEnds({4.5, 2.5});
    EXPECT_TRUE(m_schedules.empty());
    std::vector<uint32_t> bands;
    for (const auto& remark : m_remarks)
    {
        if (remark.job == JobId{1} && !remark.acknowledgements)
        {
            bands.push_back(remark.mark.band);
            EXPECT_EQ(remark.mark.dscp, remark.mark.band);
        }
        EXPECT_TRUE(!remark.acknowledgements || remark.mark == (Mark{1, 1}));
    }
    EXPECT_EQ(bands, (std::vector<uint32_t>{1, 2, 1})); // with its last byte the message is over
}

TEST_F(CoflowRunTest, PiasStartsAgainWithEachMessage)
{
    // Iterations of 0.9 units never reach the first threshold of 1.
    BuildQuantum("pias");
    m_manager->Submit({MakePush(1, Time(), 0.9, 3)});
    ExpectEnds({2.7});
    for (const auto& remark : m_remarks)
    {
        EXPECT_EQ(remark.mark, (Mark{1, 1}));
    }
}

/** What agents ask of a scheduler that orders coflows and has one demotion threshold. */
class DemotingNetworkScheduler : public SebfNetworkScheduler
{
  public:
    std::vector<uint64_t> GetDemotionThresholds() const override
    {
        return {1'000'000};
    }
};

TEST_F(CoflowRunTest, AnyPolicyMayDemote)
{
    // Job 2 (1 unit) goes before job 1 (3). From 1 s on job 1 has priority 1 alone; when its first
    // unit has arrived, at 2 s, its message falls to 2, and with its last byte it is over.
    BuildQuantum("sebf");
    for (const auto& agent : m_agents)
    {
        agent->SetScheduler(CreateObject<DemotingNetworkScheduler>());
    }
    m_manager->Submit({MakePush(1, Time(), 3, 1), MakePush(2, Time(), 1, 1)});
    ExpectEnds({4, 1});
    std::vector<uint32_t> bands;
    for (const auto& remark : m_remarks)
    {
        if (remark.job == JobId{1} && !remark.acknowledgements)
        {
            bands.push_back(remark.mark.band);
        }
    }
    // Not known, so the last of 7; at 0 s first, until job 2 is heard of, then behind it; first
    // from 1 s; one priority lower from 2 s; with the last byte the message is over.
    EXPECT_EQ(bands, (std::vector<uint32_t>{7, 1, 2, 1, 2, 1}));
}

// Fig. 3(d), whatever the period: it runs when A1 ends.
TEST_F(CoflowRunTest, GrouperImmediateOnFigure3)
{
    test::SetUpSpec spec;
    spec.scheduler = "grouper-immediate";
    spec.period = Seconds(100);
    BuildQuantum(spec);
    m_manager->Submit(MakeFigure3(UNIT, 10));
    Run(Seconds(20));
    EXPECT_NEAR(GetEnd(A, 1), 2, 0.04);
    EXPECT_NEAR(GetEnd(A, 2), 4, 0.08);
    EXPECT_NEAR(GetEnd(B, 1), 8, 0.16);
    EXPECT_NEAR(GetEnd(B, 2), 12, 0.24);
    std::vector<std::string> orders;
    for (const auto& record : m_schedules)
    {
        orders.push_back(record.order);
    }
    // At 0, and when A1, A2 and B1 end.
    EXPECT_EQ(orders,
              (std::vector<std::string>{"1.1 2.1 1.2 2.2", "1.2 2.1 2.2", "2.1 2.2", "2.2"}));
}

// It knows that jobs 2 and 4 will be stopped: A2 is 2, B2 4. Eq. 46: A1 5/4, A2 9/8, B1 5/4, B2
// 9/8. B2 9/32 < A2 9/16: last, rho 9/32: A1 11/16, A2 9/16, B1 1/8. B1 1/32: third. A2 second. So
// the order at 0 is right for good, and one run is enough: 2, 4, 8, 12.
TEST_F(CoflowRunTest, GrouperOfflineNeedsOneRunOnFigure3)
{
    test::SetUpSpec spec;
    spec.scheduler = "grouper-offline";
    spec.period = Seconds(100);
    BuildQuantum(spec);
    m_manager->Submit(MakeFigure3(UNIT, 10));
    Run(Seconds(20));
    ASSERT_EQ(m_schedules.size(), 1u);
    EXPECT_EQ(m_schedules.front().order, "1.1 1.2 2.1 2.2");
    EXPECT_NEAR(GetEnd(A, 1) + GetEnd(A, 2) + GetEnd(B, 1) + GetEnd(B, 2), 26, 0.3);
    // It promises 2 + 4 + 8 + 12 = 26, and no schedule does better.
    ASSERT_TRUE(m_schedules.front().sctOverBound.has_value());
    EXPECT_NEAR(*m_schedules.front().sctOverBound, 1, 1e-9);
}

} // namespace
