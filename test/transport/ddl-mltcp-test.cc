// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport-fixture.h"

#include "ns3/config.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-mltcp-rdma-congestion-control.h"
#include "ns3/double.h"

#include <cmath>

namespace ns3::ddl
{
namespace
{

constexpr double SLOPE = 1.75;
constexpr double INTERCEPT = 0.25;

/** The paper's shift of a job's start, relative to the other's, in one iteration. \param x time
 * between the starts \param c time that an iteration's bytes take alone */
double
ShiftByHand(double x, double c)
{
    return SLOPE * x * (c - x) / (c * INTERCEPT + x * SLOPE);
}

/** The same by integration: two jobs share a link in proportion to a factor of what each has sent.
 */
double
IntegrateShift(double x, double c, const std::function<double(double)>& factor)
{
    constexpr double STEP = 1e-5;
    double first = x;
    double second = 0;
    double time = x;
    while (first < c)
    {
        const double share = factor(first / c) / (factor(first / c) + factor(second / c));
        first += share * STEP;
        second += (1 - share) * STEP;
        time += STEP;
    }
    const double firstEnd = time;
    const double secondEnd = time + (c - second);
    return secondEnd - firstEnd - x;
}

TEST(MltcpTest, TheShiftFollowsFromTheFactor)
{
    const auto control = CreateObject<MltcpRdmaCongestionControl>();
    EXPECT_NEAR(ShiftByHand(0.1, 1), 0.3706, 1e-4);
    for (const double x : {0.01, 0.1, 0.3, 0.5, 0.9})
    {
        const double integrated =
            IntegrateShift(x, 1, [&](double share) { return control->GetFactor(share); });
        EXPECT_NEAR(integrated, ShiftByHand(x, 1), 1e-3) << x;
        EXPECT_NEAR(IntegrateShift(x, 1, [](double) { return 1; }), 0, 1e-3) << "without it";
    }
}

RdmaAck
MakeMltcpAck(uint64_t acknowledged, std::optional<double> share)
{
    RdmaAck ack;
    ack.packets = 10;
    ack.acknowledged = acknowledged;
    ack.next = acknowledged + 10;
    ack.windowLimited = true;
    ack.share = share;
    return ack;
}

TEST(MltcpTest, ScalesWhatTheOtherControlAdds)
{
    const auto control = CreateObject<MltcpRdmaCongestionControl>();
    control->SetAttribute("Slope", DoubleValue(30));
    control->SetAttribute("Intercept", DoubleValue(10));
    RdmaCongestionControl::Path path;
    path.lineRate = DataRate("10Gbps");
    path.packetBytes = 1500;
    control->Start(path);
    control->OnLoss(Time()); // ends slow start: 5 packets
    EXPECT_EQ(control->GetWindow(), 5U);
    control->OnAck(MakeMltcpAck(10, 0.5)); // 5 + 10 / 5 x (30 x 0.5 + 10)
    EXPECT_EQ(control->GetWindow(), 55U);
    control->OnAck(MakeMltcpAck(20, 0)); // 55 + 10 / 55 x 10 = 56.8
    EXPECT_EQ(control->GetWindow(), 56U);
    control->OnAck(MakeMltcpAck(30, std::nullopt)); // 56.8 + 10 / 56.8 = 56.99
    EXPECT_EQ(control->GetWindow(), 56U);
}

TEST(MltcpTest, TakesOnlyControlsWithAnAdditiveIncrease)
{
    for (const std::string name : {"dctcp", "swift", "hpcc", "dcqcn"})
    {
        const auto control = CreateObject<MltcpRdmaCongestionControl>();
        control->SetAttribute("Control", StringValue(name));
        EXPECT_EQ(control->GetFeedback(), CreatePolicy<RdmaCongestionControl>(name)->GetFeedback());
        EXPECT_NE(control->Fork(), control);
    }
    for (const std::string name : {"fixed", "mltcp", "dctpc"})
    {
        const auto control = CreateObject<MltcpRdmaCongestionControl>();
        control->SetAttribute("Control", StringValue(name));
        EXPECT_THROW(control->GetFeedback(), InputError) << name;
    }
}

/** Two jobs on one link of 10 Gbps: each sends, computes, and so on. */
class MltcpNetwork : public TransportFixture
{
  protected:
    static constexpr double ALONE = 0.3; //!< time that an iteration's bytes take alone, s

    struct Job
    {
        Ptr<StreamPair> stream;
        std::vector<double> starts; //!< start of sending in each iteration, s
        std::vector<double> ends;
    };

    void Iterate(Job& job, uint64_t bytes, int left)
    {
        if (left == 0)
        {
            return;
        }
        job.starts.push_back(Simulator::Now().GetSeconds());
        job.stream->GetSending()->Send(
            bytes,
            {job.starts.size() - 1, 0, 0},
            MakeCallback(&MltcpNetwork::Compute, this).Bind(&job, bytes, left));
    }

    void Compute(Job* job, uint64_t bytes, int left)
    {
        job->ends.push_back(Simulator::Now().GetSeconds());
        At(Seconds(1.5 * ALONE), [this, job, bytes, left] { Iterate(*job, bytes, left - 1); });
    }

    /** \param kind transport \param beside bytes of a packet beside data, framing included
     * \param x time between the starts, s */
    void RunJobs(const std::string& kind,
                 const std::string& control,
                 uint32_t beside,
                 double x,
                 int iterations)
    {
        TopologySpec topology = SingleSwitch(3);
        topology.mtu = m_mtu;
        PortSpec ports;
        ports.ecnThreshold = m_threshold;
        Build(topology, {{"CongestionControl", control}}, ports, {}, kind);
        const auto bytes =
            static_cast<uint64_t>(ALONE * 10e9 / 8 * (m_mtu + 38 - beside) / (m_mtu + 38));
        for (uint32_t i = 0; i < 2; ++i)
        {
            At(Seconds(1 + i * x), [this, i, bytes, iterations] {
                Job& job = m_jobs[i];
                job = Job{Open(i + 1, 0), {}, {}};
                job.stream->GetReceiving()->SetReceiver([](const MessageTag&) {});
                job.stream->GetSending()->SetIterationBytes(bytes);
                Iterate(job, bytes, iterations);
            });
        }
        Simulator::Run();
    }

    void TearDown() override
    {
        for (Job& job : m_jobs)
        {
            job = Job{};
        }
        TransportFixture::TearDown();
    }

    std::array<Job, 2> m_jobs;
    uint32_t m_mtu{1500};
    uint64_t m_threshold{100000};
};

TEST_F(MltcpNetwork, OneIterationOnRdmaShiftsAsPublished)
{
    RunJobs("rdma", "mltcp", 82, 0.1 * ALONE, 1);
    const double shift = (m_jobs[1].ends[0] - m_jobs[0].ends[0]) / ALONE - 0.1;
    RecordProperty("shift", std::to_string(shift));
    EXPECT_NEAR(shift, 0.3706, 0.1 * 0.3706);
    TearDown();
    RunJobs("rdma", "dctcp", 82, 0.1 * ALONE, 1);
    const double fair = (m_jobs[1].ends[0] - m_jobs[0].ends[0]) / ALONE - 0.1;
    RecordProperty("fair", std::to_string(fair));
    EXPECT_NEAR(fair, 0, 0.037);
}

TEST_F(MltcpNetwork, OneIterationOnTcpShiftsAsPublished)
{
    m_mtu = 9000; // a tenth of the time to compute
    m_threshold = 200000;
    RunJobs("tcp", "mltcp", 78, 0.1 * ALONE, 1);
    const double shift = (m_jobs[1].ends[0] - m_jobs[0].ends[0]) / ALONE - 0.1;
    RecordProperty("shift", std::to_string(shift));
    EXPECT_NEAR(shift, 0.3706, 0.15 * 0.3706);
}

/** x of the next iteration is x + shift(x): 0.1, 0.47, 0.88, 0.98. */
TEST_F(MltcpNetwork, JobsInterleaveAfterAsManyIterationsAsTheShiftSays)
{
    RunJobs("rdma", "mltcp", 82, 0.1 * ALONE, 6);
    int expected = 0;
    for (double x = 0.1; x < 0.95; x += ShiftByHand(x, 1))
    {
        ++expected;
    }
    int measured = 0;
    std::string offsets;
    for (std::size_t i = 0; i < m_jobs[0].starts.size(); ++i)
    {
        const double x = (m_jobs[1].starts[i] - m_jobs[0].starts[i]) / ALONE;
        offsets += std::to_string(x) + " ";
        measured += x < 0.95 ? 1 : 0;
    }
    RecordProperty("offsets", offsets);
    EXPECT_NEAR(measured, expected, 1) << offsets;
    // Interleaved, each sends alone.
    EXPECT_NEAR(m_jobs[0].ends[5] - m_jobs[0].starts[5], ALONE, 0.03 * ALONE);
    EXPECT_NEAR(m_jobs[1].ends[5] - m_jobs[1].starts[5], ALONE, 0.03 * ALONE);
}

} // namespace
} // namespace ns3::ddl
