// SPDX-License-Identifier: GPL-2.0-only
// What a run offers so that it can leap, without anybody who decides: each test says when.
#include "ddl-job-bench.h"

#include "ns3/ddl-leaping-run.h"

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/**
 * A ring of four with 4000 B at 1000 B/s: 1 s of computing and 6 s of transfers, so that iteration
 * i of ten, from 1, ends at 7 i s, and the stage at 70 s.
 */
class LeapingRunTest : public JobBench, public RunLeap
{
  protected:
    void HandleHeld(JobId /* job */) override
    {
        m_held.push_back(Simulator::Now());
        if (m_held.size() == 4)
        {
            Repeat({m_most, Simulator::Now(), Seconds(7)});
        }
    }

    void Wake(JobId /* job */) override
    {
        Skip(m_passed);
    }

    /** \param silent as in LeapingRun::Hold: nothing is sent in the first iteration */
    void Start(std::optional<Time> silent = {})
    {
        m_job = Make(Spec("ring", 4, 0, 4000, Seconds(1)));
        Simulator::ScheduleNow([this, silent]() {
            Launch(m_job);
            if (silent)
            {
                Hold(0, silent);
            }
            StartAll(m_job, 1, 10);
        });
    }

    void Hold(uint64_t iteration, std::optional<Time> silent = {})
    {
        m_isSilent = silent.has_value();
        for (uint32_t host = 0; host < 4; ++host)
        {
            m_job->On(HostId{host}).FindLeap()->Hold(iteration, silent, *this);
        }
    }

    void Repeat(const Repetition& iterations)
    {
        m_repetition = iterations;
        m_job->Repeat(iterations);
        for (uint32_t host = 0; host < 4; ++host)
        {
            m_job->On(HostId{host}).FindLeap()->Repeat(iterations);
        }
    }

    void Skip(uint64_t count)
    {
        m_repetition.count = count;
        m_job->Skip(m_repetition, std::nullopt, m_isSilent);
        for (uint32_t host = 0; host < 4; ++host)
        {
            m_job->On(HostId{host}).FindLeap()->Skip(m_repetition);
        }
    }

    void At(double seconds, std::function<void()> act)
    {
        Simulator::Schedule(Seconds(seconds), std::move(act));
    }

    /** The job has come out as if each iteration had been simulated. */
    void ExpectWhole()
    {
        EXPECT_EQ(m_ends, (std::vector<StageEvent>{{1, 1, Seconds(70)}}));
        EXPECT_EQ(m_job->GetIterationsDone(), 10U);
        EXPECT_EQ(m_job->GetBytes(), 240000U);
        EXPECT_EQ(m_job->GetDeliveredBytes(), 240000U);
        EXPECT_EQ(m_job->GetTraining()->end, Seconds(70));
        EXPECT_EQ(m_cluster->GetBusyTime(), Seconds(40)); // 1 s an iteration on each of 4 GPUs
    }

    Ptr<LoneJob> m_job;
    std::vector<Time> m_held; //!< when HandleHeld was called
    uint64_t m_most{5};       //!< iterations that pass unless somebody says otherwise
    uint64_t m_passed{0};     //!< iterations to skip if the run changes
    bool m_isSilent{false};
    Repetition m_repetition;
};

} // namespace

TEST_F(LeapingRunTest, IterationsThatAreSkippedCount)
{
    Start();
    At(8, [this]() { Hold(1); });
    std::vector<uint64_t> done;
    for (const double time : {13.0, 14.5, 21.5, 27.0, 30.0})
    {
        At(time, [this, &done]() {
            done.push_back(m_job->GetIterationsDone());
            EXPECT_EQ(m_job->On(HostId{2}).GetFinished(), m_job->GetIterationsDone());
        });
    }
    // Iterations 2 to 4 are over, at 14, 21 and 28 s; the fifth is to end at 35 s.
    At(30.5, [this]() { Skip(3); });
    At(34.5, [this, &done]() { done.push_back(m_job->GetIterationsDone()); });
    At(35.5, [this, &done]() { done.push_back(m_job->GetIterationsDone()); });
    Simulator::Run();
    EXPECT_EQ(m_held, std::vector<Time>(4, Seconds(14)));
    EXPECT_EQ(done, (std::vector<uint64_t>{1, 2, 3, 3, 4, 4, 5}));
    EXPECT_EQ(m_job->GetLog().GetComputeTime(), Seconds(10));
    EXPECT_EQ(m_job->GetLog().GetCommunicationTime(), Seconds(60));
    EXPECT_EQ(m_iterations.size(), 7U); // of which the second has the number 5
    EXPECT_EQ(m_transport->GetMessages().size(), 7U * 24);
    ExpectWhole();
}

TEST_F(LeapingRunTest, NoMoreIterationsPassThanWereAnnounced)
{
    Start();
    m_most = 2;
    At(8, [this]() { Hold(1); });
    At(30, [this]() { EXPECT_EQ(m_job->GetIterationsDone(), 3U); });
    At(30, [this]() { EXPECT_EQ(m_job->On(HostId{0}).GetFinished(), 3U); });
    At(31, [this]() { Skip(3); });
    Simulator::Run();
    ExpectWhole();
}

TEST_F(LeapingRunTest, WhoIsNotHeldYetGoesOnAsIfNothingHadBeen)
{
    Start();
    At(8, [this]() { Hold(1); });
    At(9, [this]() { Skip(0); });
    Simulator::Run();
    EXPECT_TRUE(m_held.empty());
    EXPECT_EQ(m_iterations.size(), 10U);
    ExpectWhole();
}

TEST_F(LeapingRunTest, NothingIsSentInASilentIteration)
{
    Start(Seconds(7));
    At(6.5, [this]() { EXPECT_TRUE(m_transport->GetMessages().empty()); });
    At(20, [this]() { Skip(4); }); // those that end at 7, 14, 21 and 28 s
    Simulator::Run();
    EXPECT_EQ(m_held, std::vector<Time>(4, Seconds(7)));
    EXPECT_EQ(m_iterations.size(), 6U);
    EXPECT_EQ(m_transport->GetMessages().size(), 5U * 24); // of iterations 6 to 10
    EXPECT_EQ(m_ends, (std::vector<StageEvent>{{1, 1, Seconds(70)}}));
    ExpectWhole();
}

TEST_F(LeapingRunTest, ARunThatStopsInALeapHasDoneWhatHasPassed)
{
    Start();
    m_passed = 3;
    At(8, [this]() { Hold(1); });
    At(30, [this]() { StopAll(m_job); });
    Simulator::Run();
    EXPECT_EQ(m_stops, std::vector<Time>{Seconds(30)});
    EXPECT_EQ(m_job->GetIterationsDone(), 4U);
    // Two were simulated on 4 GPUs. Of the 21 s until the end of the fifth 16 have passed: two.
    EXPECT_EQ(m_cluster->GetBusyTime(), Seconds(4 * (2 + 2)));
    EXPECT_TRUE(m_cluster->GetView().machines[0].gpus[0].free);
}

TEST_F(LeapingRunTest, ATransportCountsWhatIsCredited)
{
    m_transport->Credit({1, 2, 3, 4}, 5);
    m_transport->Credit({10, 0, 0, 0}, 2);
    const StreamCounters counters = m_transport->GetCounters();
    EXPECT_EQ(counters.dataPackets, 25U);
    EXPECT_EQ(counters.retransmissions, 10U);
    EXPECT_EQ(counters.timeouts, 15U);
    EXPECT_EQ(counters.reordered, 20U);
}

TEST(Repetition, CountsIterationsWhoseEndHasCome)
{
    const Repetition three{3, Seconds(10), Seconds(4)}; // they end at 10, 14 and 18 s
    EXPECT_EQ(three.GetLength(), Seconds(12));
    EXPECT_EQ(Repetition().CountOver(), 0U);
    std::vector<uint64_t> over;
    for (const double time : {10.0, 13.9, 14.0, 18.0, 30.0})
    {
        Simulator::Schedule(Seconds(time), [three, &over]() { over.push_back(three.CountOver()); });
    }
    Simulator::Run();
    Simulator::Destroy();
    EXPECT_EQ(over, (std::vector<uint64_t>{1, 1, 2, 3, 3}));
}
