// SPDX-License-Identifier: GPL-2.0-only
// Grouper Fig. 3 through coordinator, agents and job manager, on a network without packets.
#include "ddl-quantum-fixture.h"

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr uint32_t A = 1;
constexpr uint32_t B = 2;

class Figure3Test : public test::QuantumFixture
{
  protected:
    void ExpectFigure3(double a1, double a2, double b1, double b2)
    {
        m_manager->Submit(MakeFigure3(UNIT, 10));
        Run(Seconds(20));
        EXPECT_TRUE(m_allDone);
        EXPECT_NEAR(GetEnd(A, 1), a1, 0.02 * a1);
        EXPECT_NEAR(GetEnd(A, 2), a2, 0.02 * a2);
        EXPECT_NEAR(GetEnd(B, 1), b1, 0.02 * b1);
        EXPECT_NEAR(GetEnd(B, 2), b2, 0.02 * b2);
    }
};

// Grouper Fig. 3(d), average 6.5: A1 is 2 units, then A2 2, B1 4, B2 4, one after the other.
TEST_F(Figure3Test, Grouper)
{
    BuildQuantum("grouper");
    ExpectFigure3(2, 4, 8, 12);
    ASSERT_FALSE(m_schedules.empty());
    EXPECT_EQ(m_schedules.front().order, "1.1 2.1 1.2 2.2");
    EXPECT_EQ(m_schedules.front().time, Time());
    for (const auto& record : m_schedules)
    {
        if (record.time > Seconds(2.1) && record.time < Seconds(3.9))
        {
            EXPECT_EQ(record.order, "1.2 2.1 2.2") << record.time;
        }
    }
    // A run at 0 and one each 10 ms until all is over at 12 s.
    EXPECT_NEAR(m_schedules.size(), 1 + 1200, 5);
    EXPECT_EQ(m_parts.coordinator->GetRuns(), m_schedules.size());
}

// Ordered once, at 0: A1 2, B1 then 4 more, A2 2, B2 4, so 2, 8, 6, 12: average 7.
TEST_F(Figure3Test, GrouperWithALongPeriod)
{
    test::SetUpSpec spec;
    spec.period = Seconds(100);
    BuildQuantum(spec);
    ExpectFigure3(2, 8, 6, 12);
    EXPECT_EQ(m_schedules.size(), 1u);
}

// Fig. 3(b), average 8. Four jobs at 1/4: A1 at 4. Three at 1/3, of which jobs 3 and 4 have 1 unit
// left: B1 at 7. Two at 1/2, job 1 has 1 unit left: A2 at 9. Job 3 has 4 - 1 left: B2 at 12.
TEST_F(Figure3Test, FairShare)
{
    BuildQuantum("fair-share");
    ExpectFigure3(4, 9, 7, 12);
    for (const auto& remark : m_remarks)
    {
        EXPECT_EQ(remark.mark, (Mark{1, 1}));
    }
}

// Fig. 3(c), average 7.5: job 2 to 1, job 4 to 3, job 1 to 4 (A1) and 6 (A2), job 3 to 8 (B1), 12.
TEST_F(Figure3Test, Sptf)
{
    BuildQuantum("sptf");
    ExpectFigure3(4, 6, 8, 12);
    EXPECT_EQ(m_schedules.front().order, "2 4 1 3");
}

// Stages in the order of release: A1 and B1 at 0 (A first by id), A2 at 2, B2 at 6: 2, 6, 8, 12.
TEST_F(Figure3Test, Baraat)
{
    BuildQuantum("baraat");
    ExpectFigure3(2, 8, 6, 12);
}

TEST_F(Figure3Test, StagesMoveUpWhenTheHighestEnds)
{
    BuildQuantum("grouper");
    m_manager->Submit(MakeFigure3(UNIT, 10));
    Run(Seconds(20));
    // Job 3 sends from machine 0 to machine 3. It is the only one at machine 3: codepoint 1 always.
    // At machine 0 the order is A1 B1, so band 2; when A1 ends at 2 s, B1 moves up, since the order
    // says B1 A2; at most 10 ms later the next run says A2 B1; at 4 s A2 ends and B1 moves up.
    std::vector<std::pair<double, uint32_t>> bands;
    for (const auto& remark : m_remarks)
    {
        if (remark.job.value == 3 && remark.host == HostId{0} && !remark.acknowledgements)
        {
            bands.emplace_back(remark.time.GetSeconds(), remark.mark.band);
            EXPECT_EQ(remark.mark.dscp, 1);
        }
    }
    ASSERT_EQ(bands.size(), 4u);
    const std::pair<double, uint32_t> expected[] = {{0, 2}, {2, 1}, {2.01, 2}, {4, 1}};
    for (uint32_t i = 0; i < 4; ++i)
    {
        EXPECT_NEAR(bands[i].first, expected[i].first, 0.04) << i;
        EXPECT_EQ(bands[i].second, expected[i].second) << i;
    }
    EXPECT_LE(bands[2].first - bands[1].first, 0.01);
}

TEST_F(Figure3Test, AcknowledgementsAreMarkedTheOtherWayRound)
{
    BuildQuantum("baraat");
    m_manager->Submit(MakeFigure3(UNIT, 10));
    Run(Seconds(1));
    // Jobs 3 and 4 have priority 2 at machine 0 and 1 at machines 3 and 4, which send their ACKs.
    uint32_t seen = 0;
    for (const auto& remark : m_remarks)
    {
        if (remark.acknowledgements && remark.job.value >= 3)
        {
            EXPECT_EQ(remark.host, HostId{remark.job.value});
            EXPECT_EQ(remark.mark, (Mark{1, 2}));
            EXPECT_EQ(remark.stage, 1u);
            ++seen;
        }
    }
    EXPECT_EQ(seen, 2u);
}

TEST_F(Figure3Test, SameRunTwiceIsTheSame)
{
    std::vector<std::string> first;
    for (int run = 0; run < 2; ++run)
    {
        BuildQuantum("sptf");
        m_manager->Submit(MakeFigure3(UNIT, 10));
        Run(Seconds(20));
        std::vector<std::string> text = m_events;
        for (const auto& record : m_schedules)
        {
            text.push_back(record.order + " " + std::to_string(record.time.GetNanoSeconds()));
        }
        if (run == 0)
        {
            first = text;
            TearDown();
            m_events.clear();
            m_schedules.clear();
            m_parts = {};
        }
        EXPECT_EQ(first, text);
    }
}

} // namespace
