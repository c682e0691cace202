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
    void BuildTcp(const std::string& scheduler, uint32_t mtu = 9000, Time minRto = MilliSeconds(5))
    {
        test::SetUpSpec spec;
        spec.scheduler = scheduler;
        spec.control = "in-band";
        spec.period = MicroSeconds(100); // 1 % of a unit
        spec.transport = CreateObject<TcpTransport>();
        spec.transport->SetAttribute("MinRto", TimeValue(minRto));
        spec.mtu = mtu;
        m_unit = 12'500'000ULL * (mtu - 40) / (mtu + 38);
        Build(spec);
    }

    /**
     * Grouper Fig. 3 on the sending port of machine 0.
     *
     * \param ends of A1, A2, B1, B2 in units
     */
    void ExpectFigure3(const std::vector<double>& ends)
    {
        m_manager->Submit(MakeFigure3(m_unit, 2));
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

    /** Payload of 10 ms of the wire at 10 Gbps: headers take 40 bytes of a frame's MTU, framing 38.
     */
    uint64_t m_unit{0};
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
    BuildTcp("fair-share", 1500); // flows share in turns of packets: large ones share less evenly
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
        BuildTcp(scheduler, 9000, MicroSeconds(200));
        m_manager->Submit({MakeCojob(1, Time(), {1}, {MakePushJob(1, 3 * m_unit, {0}, 0, {1})}),
                           MakeCojob(2, second, {1}, {MakePushJob(2, m_unit, {0}, 1, {2})})});
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
    // At 2 units job 1 has sent 24 MB and has priority 4; job 2 (12.4 MB) stays above it: 3,
    // then 4.
    ExpectEnds("pias", MilliSeconds(20), 4, 3);
    // Each job: launch, start and stop at 2 machines, which say when it is launched and has
    // stopped, and done.
    EXPECT_EQ(m_plane->GetMessages(), 22u);
}

} // namespace
