// SPDX-License-Identifier: GPL-2.0-only
// The scheduler at packet level: TCP over a switch, control messages in queue 0.
#include "ddl-scheduling-fixture.h"

#include "ns3/ddl-tcp-transport.h"

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr uint32_t A = 1;
constexpr uint32_t B = 2;

class InBandTest : public test::SchedulingFixture
{
  protected:
    void BuildTcp(const std::string& scheduler, Time minRto = MilliSeconds(5))
    {
        test::SetUpSpec spec;
        spec.scheduler = scheduler;
        spec.control = "in-band";
        spec.period = MicroSeconds(100); // 1 % of a unit
        spec.transport = CreateObject<TcpTransport>();
        spec.transport->SetAttribute("MinRto", TimeValue(minRto));
        Build(spec);
    }

    /**
     * Grouper Fig. 3 on the sending port of machine 0. A unit is 10 ms of the wire at 10 Gbps:
     * frames of 1538 bytes carry 1460 bytes of payload.
     */
    static constexpr uint64_t UNIT = 11'866'000; // 12.5e6 bytes of wire x 1460 / 1538

    /** \param ends of A1, A2, B1, B2 in units */
    void ExpectFigure3(const std::vector<double>& ends)
    {
        m_manager->Submit(MakeFigure3(UNIT, 2));
        Run(Seconds(2));
        ASSERT_TRUE(m_allDone);
        const double unit = 0.01;
        const double got[] = {GetEnd(A, 1), GetEnd(A, 2), GetEnd(B, 1), GetEnd(B, 2)};
        double average = 0;
        double expected = 0;
        for (uint32_t i = 0; i < 4; ++i)
        {
            EXPECT_NEAR(got[i] / unit, ends[i], 0.03 * ends[i]) << "stage " << i;
            average += got[i] / unit / 4;
            expected += ends[i] / 4;
        }
        EXPECT_NEAR(average, expected, 0.02 * expected);
        RecordProperty("average", std::to_string(average));
        EXPECT_GT(m_plane->GetBytes(), 0u);
    }
};

TEST_F(InBandTest, Figure3Grouper)
{
    BuildTcp("grouper");
    ExpectFigure3({2, 4, 8, 12}); // average 6.5
}

TEST_F(InBandTest, Figure3Sptf)
{
    BuildTcp("sptf");
    ExpectFigure3({4, 6, 8, 12}); // average 7.5
}

TEST_F(InBandTest, Figure3FairShare)
{
    BuildTcp("fair-share");
    ExpectFigure3({4, 9, 7, 12}); // average 8
}

TEST_F(InBandTest, Figure3GrouperImmediate)
{
    BuildTcp("grouper-immediate");
    ExpectFigure3({2, 4, 8, 12});
    // When the first and the second cojob have been launched, and when A1, A2 and B1 end.
    EXPECT_EQ(m_schedules.size(), 5u);
}

TEST_F(InBandTest, Figure3GrouperOffline)
{
    BuildTcp("grouper-offline");
    ExpectFigure3({2, 4, 8, 12});
}

/** Two jobs of one iteration each that push from machine 0, 3 units and 1; ends in units. */
class TwoCoflowsTest : public InBandTest
{
  protected:
    void ExpectEnds(const std::string& scheduler, Time second, double first, double other)
    {
        // The first window of a job leaves before its coflow has a priority, with the last one, and
        // may starve there behind the other job until it is sent again: after 2 % of a unit.
        BuildTcp(scheduler, MicroSeconds(200));
        m_manager->Submit({MakeCojob(1, Time(), {1}, {MakePushJob(1, 3 * UNIT, {0}, 0, {1})}),
                           MakeCojob(2, second, {1}, {MakePushJob(2, UNIT, {0}, 1, {2})})});
        Run(Seconds(2));
        ASSERT_TRUE(m_allDone);
        EXPECT_NEAR(GetEnd(1, 1) / 0.01, first, 0.03 * first);
        EXPECT_NEAR(GetEnd(2, 1) / 0.01, other, 0.03 * other);
    }
};

TEST_F(TwoCoflowsTest, Sincronia)
{
    ExpectEnds("sincronia", Time(), 4, 1);
}

TEST_F(TwoCoflowsTest, Sebf)
{
    ExpectEnds("sebf", Time(), 4, 1);
}

TEST_F(TwoCoflowsTest, SebfKeepsTheOneThatIsNearlyOver)
{
    // At 2.5 units job 1 has 0.5 left: it goes on to 3, then job 2 to 4.
    ExpectEnds("sebf", MilliSeconds(25), 3, 4);
}

TEST_F(TwoCoflowsTest, Pias)
{
    // At 2 units job 1 has sent 23 MB and has priority 4; job 2 (11.9 MB) stays above it: 3,
    // then 4.
    ExpectEnds("pias", MilliSeconds(20), 4, 3);
    // Each job: launch, start and stop at 2 machines, which say when it is launched and has
    // stopped, and done.
    EXPECT_EQ(m_plane->GetMessages(), 22u);
}

} // namespace
