// SPDX-License-Identifier: GPL-2.0-only
// Gates in whole runs: who asks, who waits for whom, what it costs, and that nothing hangs.
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-summary.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Refuses everybody. */
class StubbornCommunicationGate : public CommunicationGate
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::test::StubbornCommunicationGate")
                                .SetParent<CommunicationGate>()
                                .AddConstructor<StubbornCommunicationGate>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "for tests: never";
    }

  private:
    GateAnswer DoMayStart(const GateView&) override
    {
        return false;
    }
};

class GateRunTest : public SimulationFixture
{
  protected:
    /**
     * \param id of the job
     * \param megabytes of its model
     * \param milliseconds that it computes an iteration
     * \param gpu that it has on machines 0 and 1
     * \param more keys
     * \return a ring of two workers, on machines 0 and 1
     */
    static std::string RingJob(uint32_t id,
                               uint32_t megabytes,
                               uint32_t milliseconds,
                               uint32_t gpu,
                               const std::string& more = R"("iterations": 1)")
    {
        const std::string g = std::to_string(gpu);
        return R"({"id": )" + std::to_string(id) + R"(, "model": {"name": "m", "bytes": ")" +
               std::to_string(megabytes) + R"(MB", "forward": ")" + std::to_string(milliseconds) +
               R"(ms"}, "workers": 2, "pattern": "ring", "placement": {"workers": [[0, )" + g +
               "], [1, " + g + "]]}, " + more + "}";
    }

    /** \return what jobs measure on two machines of four GPUs, rdma at 10 Gbps */
    RunResult RunJobs(const std::string& jobs, const Settings& settings)
    {
        Settings all = {"transport.kind=rdma"};
        all.insert(all.end(), settings.begin(), settings.end());
        return Run(OnSwitch(2, 4, R"({"jobs": [)" + jobs + "]}"), all);
    }
};

} // namespace

TEST_F(GateRunTest, WithoutAGateNobodyAsks)
{
    const auto result = RunJobs(RingJob(1, 1, 1, 0), {"scheduler.control=in-band"});
    EXPECT_FALSE(result.gate);
    EXPECT_EQ(RowOf(result, 1).gateWait, Time(0));
    const auto asked =
        RunJobs(RingJob(1, 1, 1, 0), {"scheduler.control=in-band", "scheduler.gate=srsf-1"});
    ASSERT_TRUE(asked.gate);
    // One iteration: a request and an end from the leader, a grant to each of two machines; and the
    // other machine says to the leader that it is ready.
    EXPECT_EQ(asked.gate->messages, 5u);
    EXPECT_EQ(asked.controlMessages, result.controlMessages + 5);
    EXPECT_EQ(asked.gate->bytes, 32u + 2 * 24 + 24 + 32);
    EXPECT_EQ(asked.controlBytes, result.controlBytes + asked.gate->bytes);
    EXPECT_GT(RowOf(asked, 1).gateWait, Time(0)); // the answer takes its way
    EXPECT_LT(RowOf(asked, 1).gateWait, MicroSeconds(100));
    EXPECT_EQ(asked.gate->held, 0u);
}

TEST_F(GateRunTest, TotalsAreAllThatAGateAdds)
{
    const std::string job = RingJob(1, 1, 1, 0, R"("iterations": 3)");
    const auto without = RunJobs(job, {"scheduler.control=in-band"});
    const auto with = RunJobs(job, {"scheduler.control=in-band", "scheduler.gate=srsf-1"});
    // Each iteration as above, and the other machine has finished it; of the last one it says so
    // without a gate, too.
    EXPECT_EQ(with.gate->messages, 3u * 5 + 2);
    EXPECT_EQ(with.controlMessages, without.controlMessages + with.gate->messages);
    EXPECT_EQ(with.controlBytes, without.controlBytes + with.gate->bytes);
}

TEST_F(GateRunTest, DirectControlHasNoDelay)
{
    const auto without = RunJobs(RingJob(1, 1, 1, 0), {});
    const auto with = RunJobs(RingJob(1, 1, 1, 0), {"scheduler.gate=ada-dual"});
    EXPECT_EQ(with.gate->requests, 1u);
    EXPECT_EQ(with.gate->grants, 1u);
    EXPECT_EQ(RowOf(with, 1).gateWait, Time(0));
    EXPECT_EQ(RowOf(with, 1).end, RowOf(without, 1).end);
}

TEST_F(GateRunTest, AJobOnOneMachineAsksNobody)
{
    const std::string job = R"({"id": 1, "model": {"name": "m", "bytes": "1MB", "forward": "1ms"},
        "workers": 2, "pattern": "ring", "iterations": 3,
        "placement": {"workers": [[0, 0], [0, 1]]}})";
    const auto result = RunJobs(job, {"scheduler.gate=srsf-1"});
    EXPECT_EQ(result.gate->requests, 0u);
    EXPECT_EQ(RowOf(result, 1).iterations, 3u);
}

/** Three equal tasks ready at once: srsf-1 sends one after the other, by remaining service. */
TEST_F(GateRunTest, OneAfterTheOther)
{
    const std::string jobs =
        RingJob(1, 8, 1, 0) + "," + RingJob(2, 4, 1, 1) + "," + RingJob(3, 2, 1, 2);
    const auto result = RunJobs(jobs, {"scheduler.gate=srsf-1"});
    EXPECT_LT(RowOf(result, 3).end, RowOf(result, 2).end);
    EXPECT_LT(RowOf(result, 2).end, RowOf(result, 1).end);
    EXPECT_EQ(RowOf(result, 3).gateWait, Time(0));
    // Job 2 waits while job 3 moves 2 MB each way, at least 2e6 x 8 / 10e9 = 1.6 ms
    EXPECT_GT(RowOf(result, 2).gateWait, MicroSeconds(1600));
    EXPECT_LT(RowOf(result, 2).gateWait, MicroSeconds(2000));
    // Job 1 waits for both: 6 MB
    EXPECT_GT(RowOf(result, 1).gateWait, MicroSeconds(4800));
    EXPECT_LT(RowOf(result, 1).gateWait, MicroSeconds(6000));
    EXPECT_EQ(result.gate->held, 2u);
    EXPECT_EQ(result.gate->heldTime, RowOf(result, 1).gateWait + RowOf(result, 2).gateWait);
    // Communication time has the wait in it.
    EXPECT_GT(RowOf(result, 1).communication, RowOf(result, 1).gateWait + MicroSeconds(6400));
    const auto together = RunJobs(jobs, {"scheduler.gate=srsf-3"});
    EXPECT_EQ(together.gate->held, 0u);
    EXPECT_GT(RowOf(together, 3).end, RowOf(result, 3).end);
}

/** A small task comes while a large one runs: ada-dual lets it join, below the threshold. */
TEST_F(GateRunTest, AdaDualJoinsOrWaits)
{
    const std::string large = RingJob(1, 20, 0, 0); // 16 ms and more on the wire
    const auto joined = RunJobs(large + "," + RingJob(2, 2, 1, 1), {"scheduler.gate=ada-dual"});
    EXPECT_EQ(RowOf(joined, 2).gateWait, Time(0)); // 2 MB against 19 MB
    const auto held = RunJobs(large + "," + RingJob(2, 12, 1, 1), {"scheduler.gate=ada-dual"});
    EXPECT_GT(RowOf(held, 2).gateWait, MilliSeconds(14)); // 12 MB against 19 MB
    for (const std::string oracle : {"false", "true"})
    {
        const auto told =
            RunJobs(large + "," + RingJob(2, 8, 9, 1),
                    {R"(scheduler.gate={"type": "ada-dual", "Oracle": )" + oracle + "}"});
        EXPECT_GT(RowOf(told, 2).gateWait, Time(0)); // 8 MB against about 9 MB
    }
}

/** Oracle and reckoning differ once a task was slowed down by another. */
TEST_F(GateRunTest, TheOracleSeesThatATaskWasSlowedDown)
{
    // 20 MB from 0 on; 5 MB join at 1 ms and take about 9 ms of sharing. At 13 ms the first has
    // 20 - 13 / 0.858 + 5 = 9.8 MB left, where reckoning says 4.8. 3 MB ask: less than 9.8 / 2, not
    // than 4.8 / 2.
    const std::string jobs =
        RingJob(1, 20, 0, 0) + "," + RingJob(2, 5, 1, 1) + "," + RingJob(3, 3, 13, 2);
    const auto reckons = RunJobs(jobs, {"scheduler.gate=ada-dual"});
    EXPECT_GT(RowOf(reckons, 3).gateWait, MilliSeconds(1));
    const auto knows = RunJobs(jobs, {R"(scheduler.gate={"type": "ada-dual", "Oracle": true})"});
    EXPECT_EQ(RowOf(knows, 3).gateWait, Time(0));
}

/** Every gate, many iterations, both control planes, both transports: all jobs leave. */
TEST_F(GateRunTest, NothingHangs)
{
    const std::string more = R"("iterations": 5)";
    const std::string ps = R"({"id": 4, "model": {"name": "m", "bytes": "1MB", "forward": "1ms"},
        "workers": 2, "servers": 1, "pattern": "parameter-server", "iterations": 4,
        "placement": {"workers": [[0, 3], [1, 3]], "servers": [1]}})";
    const std::string jobs = RingJob(1, 3, 1, 0, more) + "," + RingJob(2, 2, 1, 1, more) + "," +
                             RingJob(3, 1, 1, 2, more) + "," + ps;
    for (const auto& gate : {"srsf-1", "srsf-2", "ada-dual"})
    {
        for (const auto& control : {"direct", "in-band"})
        {
            for (const auto& transport : {"tcp", "rdma"})
            {
                const auto result = RunJobs(jobs,
                                            {std::string("scheduler.gate=") + gate,
                                             std::string("scheduler.control=") + control,
                                             std::string("transport.kind=") + transport,
                                             "transport.mtu=9000"});
                EXPECT_EQ(result.jobs.size(), 4u) << gate << " " << control << " " << transport;
                EXPECT_EQ(result.gate->requests, 19u);
                EXPECT_EQ(result.gate->grants, 19u);
            }
        }
    }
}

/** A cojob stops a member at the end of a stage while others wait: it is forgotten. */
TEST_F(GateRunTest, AJobThatIsStoppedIsForgotten)
{
    const std::string cojob =
        R"({"cojobs": [{"id": 1, "stages": [1, 3], "search": "list", "jobs": [)" +
        RingJob(1, 4, 1, 0, R"("stopAfter": 1)") + "," + RingJob(2, 2, 1, 1, R"("stopAfter": 2)") +
        "]}]}";
    for (const auto& control : {"direct", "in-band"})
    {
        const auto result = Run(OnSwitch(2, 4, cojob),
                                {"transport.kind=rdma",
                                 "scheduler.gate=srsf-1",
                                 std::string("scheduler.control=") + control});
        EXPECT_EQ(result.status, RunResult::Status::DONE);
        EXPECT_EQ(result.gate->requests, 5u);
        EXPECT_EQ(result.gate->grants, 5u);
    }
}

TEST_F(GateRunTest, AGateThatNeverGrantsIsFound)
{
    StubbornCommunicationGate::GetTypeId();
    const auto result =
        RunJobs(RingJob(1, 1, 1, 0) + "," + RingJob(2, 1, 1, 1),
                {"scheduler.gate=ns3::ddl::test::StubbornCommunicationGate", "stop.stall=1s"});
    EXPECT_EQ(result.status, RunResult::Status::UNFINISHED);
    EXPECT_EQ(result.reason,
              "no job moved for 1s (stop.stall); the gate holds back 2 jobs (scheduler.gate)");
    ASSERT_EQ(result.unfinished.size(), 2u);
    EXPECT_EQ(result.unfinished[0].state, "stage 1, iteration 1 of 1, waits for the gate");
}

/** Two jobs send to machine 0 for 40 % of the time. Both begin at once, and fair shares keep them
 * in step: each iteration takes 6 + 2 x 4 ms. In turn it takes 10 ms. */
TEST_F(GateRunTest, CassiniLetsJobsSendInTurn)
{
    const auto job = [](uint32_t id) {
        return R"({"id": )" + std::to_string(id) + R"(, "model": {"name": "m", "bytes": "5MB",
            "forward": "6ms"}, "workers": 2, "pattern": "ring", "iterations": 40,
            "placement": {"workers": [[0, )" +
               std::to_string(id) + "], [" + std::to_string(id) + ", 0]]}}";
    };
    const std::string text = OnSwitch(3, 4, "{\"jobs\": [" + job(1) + "," + job(2) + "]}");
    const auto fair = Run(text, {"transport.kind=rdma"});
    const auto turns = Run(text, {"transport.kind=rdma", "scheduler.gate=cassini"});
    EXPECT_GT(fair.network->marks, 1000U);
    EXPECT_LT(10 * turns.network->marks, fair.network->marks);
    EXPECT_GT(RowOf(fair, 2).end, MilliSeconds(40 * 12));
    EXPECT_LT(RowOf(turns, 2).end, MilliSeconds(40 * 11));
    EXPECT_LT(RowOf(turns, 1).end, MilliSeconds(40 * 11));
    EXPECT_EQ(RowOf(turns, 1).gateWait, Time()); // the first job never waits
    EXPECT_GT(RowOf(turns, 2).gateWait, Time());
}

/** A job of 3 GPUs is on machines 0 and 1 of two GPUs each. First-fit puts the second one on 1 and
 * 2, where they share a NIC; the scorer finds a place beside the first. */
TEST_F(GateRunTest, CassiniPlacesJobsApart)
{
    const auto job = [](uint32_t id) {
        return R"({"id": )" + std::to_string(id) + R"(, "model": {"name": "m", "bytes": "5MB",
            "forward": "1ms"}, "workers": 3, "pattern": "ring", "iterations": 5})";
    };
    const std::string text = OnSwitch(4, 2, "{\"jobs\": [" + job(1) + "," + job(2) + "]}");
    const auto plain = Run(text, {"transport.kind=rdma"});
    const auto scored = Run(text, {"transport.kind=rdma", "scheduler.scorer=cassini"});
    EXPECT_EQ(RowOf(scored, 1).end, RowOf(scored, 2).end);
    EXPECT_LT(RowOf(scored, 2).end, RowOf(plain, 2).end);
    EXPECT_EQ(scored.network->marks, 0U);
}

TEST_F(GateRunTest, TheSummaryTellsTheCost)
{
    const std::string jobs = RingJob(1, 2, 1, 0) + "," + RingJob(2, 4, 1, 1);
    const RunIdentity identity{"s", 1, 1, 1, "{}"};
    const auto without = FormatSummary(identity, RunJobs(jobs, {}));
    EXPECT_EQ(without.find("\"gate\""), std::string::npos);
    const auto with = FormatSummary(identity, RunJobs(jobs, {"scheduler.gate=srsf-1"}));
    EXPECT_NE(with.find("\"gate\": {\n    \"requests\": 2,\n    \"grants\": 2,\n    \"held\": 1,"),
              std::string::npos)
        << with;
}
