// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport-fixture.h"

#include "ns3/config.h"
#include "ns3/ddl-congestion-control.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-mltcp-rdma-congestion-control.h"
#include "ns3/ddl-mltcp.h"
#include "ns3/double.h"
#include "ns3/tcp-socket-state.h"

#include <algorithm>
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

/** \return the other control's names, of those of ns-3's TCP that have an additive increase */
std::vector<std::string>
ListScaledControls()
{
    std::vector<std::string> names;
    for (const std::string& name : ListCongestionControls())
    {
        if (name != "bbr" && name != "mltcp")
        {
            names.push_back(name);
        }
    }
    return names;
}

/** MLTCP around each control of ns-3's TCP. */
class MltcpOnTcp : public ::testing::TestWithParam<std::string>
{
  protected:
    /** Acknowledge a segment 200 times, each time with a window of 100 segments.
     * \return what the control has added, bytes, where it added something */
    int64_t Add(TcpCongestionOps& control, uint32_t threshold) const
    {
        constexpr uint32_t SEGMENT = 1460;
        const auto state = CreateObject<TcpSocketState>();
        state->m_segmentSize = SEGMENT;
        state->m_initialCWnd = 10 * SEGMENT;
        state->m_cWnd = 100 * SEGMENT;
        state->m_ssThresh = threshold;
        control.Init(state);
        int64_t added = 0;
        for (uint32_t i = 0; i < 200; ++i)
        {
            state->m_cWnd = 100 * SEGMENT;
            state->m_ssThresh = threshold;
            state->m_lastAckedSeq = SequenceNumber32(1 + i * SEGMENT);
            state->m_nextTxSequence = state->m_lastAckedSeq + 100 * SEGMENT;
            if (GetParam().find("westwood") == std::string::npos) // it needs time to pass
            {
                control.PktsAcked(state, 1, MicroSeconds(100));
            }
            control.IncreaseWindow(state, 1);
            added += std::max<int64_t>(0, int64_t{state->m_cWnd} - 100 * SEGMENT);
        }
        return added;
    }

    Ptr<Mltcp> Make(std::optional<double> share) const
    {
        const auto control = CreateObject<Mltcp>();
        control->SetAttribute("Control", StringValue(GetParam()));
        control->SetShareSource([share] { return share; });
        return control;
    }

    Ptr<TcpCongestionOps> MakeOther() const
    {
        ObjectFactory factory;
        factory.SetTypeId(FindCongestionControl(GetParam()));
        return factory.Create<TcpCongestionOps>();
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    static constexpr uint32_t AVOIDANCE = 50 * 1460;
    static constexpr uint32_t SLOW_START = 1000 * 1460;
};

TEST_P(MltcpOnTcp, LeavesTheOtherAloneWhereTheShareIsUnknown)
{
    for (const uint32_t threshold : {AVOIDANCE, SLOW_START})
    {
        EXPECT_EQ(Add(*Make(std::nullopt), threshold), Add(*MakeOther(), threshold)) << threshold;
    }
    EXPECT_EQ(Add(*Make(0.5), SLOW_START), Add(*MakeOther(), SLOW_START)) << "no slow start";
}

/** The factor is 1.75 r + 0.25; parts of a byte are kept for the next acknowledgement. */
TEST_P(MltcpOnTcp, ScalesWhatTheOtherAdds)
{
    const auto once = static_cast<double>(Add(*MakeOther(), AVOIDANCE));
    for (const double share : {0.0, 0.25, 1.0})
    {
        EXPECT_NEAR(Add(*Make(share), AVOIDANCE), once * (1.75 * share + 0.25), 1.0) << share;
    }
}

TEST_P(MltcpOnTcp, LossesAreTheOthersAffair)
{
    const auto state = CreateObject<TcpSocketState>();
    state->m_segmentSize = 1460;
    state->m_cWnd = 100 * 1460;
    const auto control = Make(0.5);
    const auto other = MakeOther();
    control->Init(state);
    other->Init(state);
    EXPECT_EQ(control->GetSsThresh(state, 100 * 1460), other->GetSsThresh(state, 100 * 1460));
    const auto copy = control->Fork();
    EXPECT_EQ(copy->GetSsThresh(state, 100 * 1460), other->GetSsThresh(state, 100 * 1460));
    EXPECT_FALSE(control->HasCongControl());
}

INSTANTIATE_TEST_SUITE_P(Controls,
                         MltcpOnTcp,
                         testing::ValuesIn(ListScaledControls()),
                         [](const auto& info) { return info.param; });

TEST(MltcpTest, TakesOnlyTcpControlsWithAnAdditiveIncrease)
{
    for (const std::string name : {"bbr", "mltcp", "newrneo"})
    {
        const auto control = CreateObject<Mltcp>();
        control->SetAttribute("Control", StringValue(name));
        EXPECT_THROW(control->GetSsThresh(CreateObject<TcpSocketState>(), 0), InputError) << name;
    }
}

/** Two jobs on one link of 10 Gbps: each sends, computes, and so on. */
class MltcpNetwork : public TransportFixture
{
  protected:
    static constexpr double ALONE = 0.3; //!< time that an iteration's bytes take alone, s

    struct Job
    {
        std::vector<Ptr<StreamPair>> streams; //!< each sends an equal part
        std::vector<double> starts;           //!< start of sending in each iteration, s
        std::vector<double> ends;
        uint64_t bytes{0}; //!< bytes of each stream per iteration
        uint32_t left{0};  //!< streams that send in the present iteration
    };

    void Iterate(Job& job, int left)
    {
        if (left == 0)
        {
            return;
        }
        job.starts.push_back(Simulator::Now().GetSeconds());
        job.left = job.streams.size();
        for (const auto& stream : job.streams)
        {
            stream->GetSending()->Send(job.bytes,
                                       {job.starts.size() - 1, 0, 0},
                                       MakeCallback(&MltcpNetwork::Compute, this).Bind(&job, left));
        }
    }

    void Compute(Job* job, int left)
    {
        if (--job->left == 0)
        {
            job->ends.push_back(Simulator::Now().GetSeconds());
            At(Seconds(1.5 * ALONE), [this, job, left] { Iterate(*job, left - 1); });
        }
    }

    /** \param kind transport \param beside bytes of a packet beside data, framing included
     * \param x time between the starts, s */
    void RunJobs(const std::string& kind,
                 const std::string& control,
                 uint32_t beside,
                 double x,
                 int iterations)
    {
        TopologySpec topology = SingleSwitch(1 + 2 * m_streams);
        topology.mtu = m_mtu;
        Build(topology, {{"CongestionControl", control}}, m_ports, {}, kind);
        const double goodput = 10e9 / 8 * (m_mtu + 38 - beside) / (m_mtu + 38);
        for (uint32_t i = 0; i < 2; ++i)
        {
            At(Seconds(1 + i * x), [this, i, goodput, iterations] {
                Job& job = m_jobs[i];
                job.bytes = static_cast<uint64_t>(ALONE * goodput / m_streams);
                for (uint32_t j = 0; j < m_streams; ++j)
                {
                    job.streams.push_back(Open(1 + i * m_streams + j, 0));
                    job.streams.back()->GetReceiving()->SetReceiver([](const MessageTag&) {});
                    if (m_isKnown)
                    {
                        job.streams.back()->GetSending()->SetIterationBytes(job.bytes);
                    }
                }
                Iterate(job, iterations);
            });
        }
        Simulator::Run();
    }

    /** \return by how much of ALONE the second job moved away from the first in iteration 0 */
    double GetShift() const
    {
        return (m_jobs[1].ends[0] - m_jobs[0].ends[0] -
                (m_jobs[1].starts[0] - m_jobs[0].starts[0])) /
               ALONE;
    }

    /** \return time between the starts of the jobs by iteration, in ALONE */
    std::vector<double> GetOffsets() const
    {
        std::vector<double> offsets;
        for (std::size_t i = 0; i < m_jobs[0].starts.size(); ++i)
        {
            offsets.push_back((m_jobs[1].starts[i] - m_jobs[0].starts[i]) / ALONE);
        }
        return offsets;
    }

    void SetUp() override
    {
        m_ports.ecnThreshold = 100000;
    }

    void TearDown() override
    {
        for (Job& job : m_jobs)
        {
            job = Job{};
        }
        TransportFixture::TearDown();
        Config::SetDefault("ns3::ddl::Mltcp::Control", StringValue("dctcp"));
        Config::SetDefault("ns3::ddl::MltcpRdmaCongestionControl::Control", StringValue("dctcp"));
    }

    std::array<Job, 2> m_jobs;
    uint32_t m_mtu{1500};
    uint32_t m_streams{1}; //!< streams per job, each of another host
    bool m_isKnown{true};  //!< whether streams know their bytes per iteration
    PortSpec m_ports;
};

TEST_F(MltcpNetwork, OneIterationOnRdmaShiftsAsPublished)
{
    RunJobs("rdma", "mltcp", 82, 0.1 * ALONE, 1);
    RecordProperty("shift", std::to_string(GetShift()));
    EXPECT_NEAR(GetShift(), 0.3706, 0.1 * 0.3706);
    TearDown();
    RunJobs("rdma", "dctcp", 82, 0.1 * ALONE, 1);
    RecordProperty("fair", std::to_string(GetShift()));
    EXPECT_NEAR(GetShift(), 0, 0.037);
}

/** Two jobs on `tcp` with large packets: a tenth of the time to compute. */
class MltcpTcpNetwork : public MltcpNetwork
{
  protected:
    void SetUp() override
    {
        m_mtu = 9000;
        m_ports.ecnThreshold = 200000;
    }

    void RunOnTcp(const std::string& control)
    {
        RunJobs("tcp", control, 78, 0.1 * ALONE, 1);
        for (const Job& job : m_jobs)
        {
            ASSERT_EQ(job.ends.size(), 1U);
            for (const auto& stream : job.streams)
            {
                EXPECT_EQ(stream->GetDeliveredBytes(), job.bytes);
            }
        }
        RecordProperty("shift", std::to_string(GetShift()));
    }
};

TEST_F(MltcpTcpNetwork, OneIterationShiftsAsPublished)
{
    RunOnTcp("mltcp");
    EXPECT_NEAR(GetShift(), 0.3706, 0.15 * 0.3706);
}

TEST_F(MltcpTcpNetwork, SeveralConnectionsPerJobShiftAsOneDoes)
{
    m_streams = 4;
    m_ports.ecnThreshold = 400000; // leaves windows of more than the two segments of DctcpFloor
    RunOnTcp("mltcp");
    EXPECT_NEAR(GetShift(), 0.3706, 0.1 * 0.3706);
    TearDown();
    RunOnTcp("dctcp");
    EXPECT_NEAR(GetShift(), 0, 0.037);
}

/** Without marks windows shrink by losses, which do not meet all flows alike: shares are not those
 * of the increases, but the link stays busy and all arrives. */
TEST_F(MltcpTcpNetwork, LossesLeaveTheLinkBusy)
{
    m_ports.ecnThreshold = 0;
    m_ports.limit = 200000;
    Config::SetDefault("ns3::ddl::Mltcp::Control", StringValue("newreno"));
    RunOnTcp("mltcp");
    EXPECT_GT(CountDrops(), 100U);
    EXPECT_GE(m_transport->GetCounters().retransmissions, CountDrops());
    EXPECT_LE(m_transport->GetCounters().retransmissions, CountDrops() * 3 / 2);
    EXPECT_NEAR(std::max(m_jobs[0].ends[0], m_jobs[1].ends[0]), 1 + 2 * ALONE, 0.1 * ALONE);
}

TEST_F(MltcpTcpNetwork, StreamsThatDoNotKnowTheirBytesBehaveAsWithout)
{
    m_isKnown = false;
    RunOnTcp("mltcp");
    const auto ends = std::make_pair(m_jobs[0].ends, m_jobs[1].ends);
    TearDown();
    RunOnTcp("dctcp");
    EXPECT_EQ(ends, std::make_pair(m_jobs[0].ends, m_jobs[1].ends));
}

/** An iteration in which a stream has nothing to send is over for it when the next one begins. */
TEST_F(MltcpTcpNetwork, AnIterationWithoutBytesDoesNotCount)
{
    Build(SingleSwitch(2), {{"CongestionControl", "mltcp"}}, m_ports, {}, "tcp");
    constexpr uint64_t BYTES = 1460 * 1000;
    std::vector<double> shares;
    Ptr<StreamPair> stream;
    const auto note = [&] {
        shares.push_back(stream->GetSending()->GetIterationShare().value_or(-1));
    };
    At(Seconds(1), [&] {
        stream = Open(1, 0);
        stream->GetReceiving()->SetReceiver([](const MessageTag&) {});
        stream->GetSending()->SetIterationBytes(BYTES);
        note();
        stream->GetSending()->Send(BYTES, {0, 0, 0}, {});
    });
    At(Seconds(2), [&] {
        note();
        stream->GetSending()->Send(BYTES / 2, {2, 0, 0}, {}); // none of iteration 1
        note();
    });
    At(Seconds(3), [&] {
        note();
        stream->GetSending()->Send(BYTES / 2, {2, 0, 0}, {});
    });
    At(Seconds(4), note);
    Simulator::Run();
    EXPECT_EQ(shares, (std::vector<double>{-1, 1, 0, 0.5, 1}));
    stream = nullptr;
}

/** x of the next iteration is x + shift(x): 0.1, 0.47, 0.88, 0.98. */
TEST_F(MltcpNetwork, JobsInterleaveAfterAsManyIterationsAsTheShiftSays)
{
    RunJobs("rdma", "mltcp", 82, 0.1 * ALONE, 6);
    const std::vector<double> offsets = GetOffsets();
    int expected = 0;
    for (double x = 0.1; x < 0.95; x += ShiftByHand(x, 1))
    {
        ++expected;
    }
    const auto isBefore = [](double x) { return x < 0.95; };
    EXPECT_NEAR(std::count_if(offsets.begin(), offsets.end(), isBefore), expected, 1)
        << ::testing::PrintToString(offsets);
    // Interleaved, each sends alone.
    EXPECT_NEAR(m_jobs[0].ends[5] - m_jobs[0].starts[5], ALONE, 0.03 * ALONE);
    EXPECT_NEAR(m_jobs[1].ends[5] - m_jobs[1].starts[5], ALONE, 0.03 * ALONE);
}

/** The table of doc/transport.md: x / c by iteration. */
TEST_F(MltcpNetwork, OtherControlsShiftAsTheTableSays)
{
    struct Row
    {
        std::string control;
        std::vector<double> scaled;
        std::vector<double> alone;
    };

    const Row rows[] = {
        {"dctcp", {0.10, 0.45, 0.79, 0.94}, {0.10, 0.12, 0.15, 0.16}},
        {"dcqcn", {0.10, 0.39, 0.63, 0.78}, {0.10, 0.16, 0.16, 0.25}},
        {"swift", {0.10, 0.14, 0.20, 0.27}, {0.10, 0.17, 0.17, 0.07}},
        {"hpcc", {0.10, 0.60, 0.08, 0.71}, {0.10, 0.59, 1.03, 1.09}},
    };
    for (const Row& row : rows)
    {
        for (const bool isScaled : {true, false})
        {
            Config::SetDefault("ns3::ddl::MltcpRdmaCongestionControl::Control",
                               StringValue(row.control));
            RunJobs("rdma", isScaled ? "mltcp" : row.control, 82, 0.1 * ALONE, 4);
            const std::vector<double> offsets = GetOffsets();
            SCOPED_TRACE(row.control + ::testing::PrintToString(offsets));
            for (std::size_t i = 0; i < 4; ++i)
            {
                EXPECT_NEAR(offsets[i], (isScaled ? row.scaled : row.alone)[i], 0.005) << i;
            }
            TearDown();
        }
    }
}

} // namespace
} // namespace ns3::ddl
