// SPDX-License-Identifier: GPL-2.0-only
// Kinds of jobs in whole runs: those that there are, and one more, which is all in this file.
#include "app/scenario/ddl-scenario-writer.h"
#include "ddl-policy-variants.h"
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-cluster-clock.h"
#include "ns3/ddl-job-manager.h"
#include "ns3/ddl-machine.h"
#include "ns3/ddl-run-part.h"
#include "ns3/ddl-training-job.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** The part of a clockwork job on its machine: iterations of equal length, one after another. */
class ClockworkRun : public RunPart
{
  public:
    ClockworkRun(std::shared_ptr<const RunSpec> run, const RunSite& site, Time period)
        : RunPart(std::move(run), site),
          m_period(period),
          m_begun(m_run->first),
          m_finished(m_run->first)
    {
        m_machine->Claim(GetGpu(), GetId());
        Observe(RankEvent::Kind::LAUNCHED);
    }

    ~ClockworkRun() override
    {
        Stop();
    }

    void StartStage(uint32_t stage, uint64_t iterations) override
    {
        m_granted += iterations;
        Observe(RankEvent::Kind::STAGE, m_granted, stage);
        Begin();
    }

    uint64_t Pause() override
    {
        m_isPaused = true;
        return m_begun;
    }

    void StopBefore(uint64_t iteration) override
    {
        m_granted = iteration;
        if (m_finished == m_granted)
        {
            m_software.HandleFinished(*m_run, m_finished); // it was no last iteration before
        }
    }

    void Save(uint64_t iterations) override
    {
        m_software.HandleSaved(*m_run, iterations);
    }

    uint64_t GetFinished() const override
    {
        return m_finished;
    }

  private:
    uint32_t GetGpu() const
    {
        return m_run->GetGpu(0).index;
    }

    void Begin()
    {
        if (!m_isPaused && m_begun == m_finished && m_begun < m_granted)
        {
            Observe(RankEvent::Kind::BEGAN, m_begun++);
            m_tick = ClusterClock::Schedule(m_period, &ClockworkRun::Finish, this);
        }
    }

    void Finish()
    {
        Observe(RankEvent::Kind::COMPUTED, m_finished);
        Observe(RankEvent::Kind::FINISHED, m_finished++);
        if (m_finished == m_granted)
        {
            m_software.HandleFinished(*m_run, m_finished);
        }
        Begin();
    }

    void DoStop() override
    {
        ClusterClock::Cancel(m_tick);
        m_machine->Release(GetGpu(), GetId());
        m_isPaused = true;
    }

    Time m_period;
    uint64_t m_begun;    //!< iterations, over all stages
    uint64_t m_finished; //!< likewise
    EventId m_tick;
    bool m_isPaused{false};
};

/** `clockwork`: one worker, whose iterations all take the same time and send nothing. */
class ClockworkTrainingJob : public TrainingJob
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::ClockworkTrainingJob")
                                .SetParent<TrainingJob>()
                                .AddConstructor<ClockworkTrainingJob>()
                                .AddAttribute("Period",
                                              "Length of an iteration",
                                              TimeValue(MilliSeconds(1)),
                                              MakeTimeAccessor(&ClockworkTrainingJob::m_period),
                                              MakeTimeChecker(TimeStep(1)));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "iterations of equal length";
    }

    std::vector<std::string> Refuse(const RunSetting& setting) const override
    {
        return setting.samples ? std::vector<std::string>{"clockwork has no packets to sample"}
                               : std::vector<std::string>();
    }

    std::vector<std::string> Refuse(const JobSpec& job, const CojobSpec& /* group */) const override
    {
        return job.workers > 1 ? std::vector<std::string>{"is clockwork of more than one worker"}
                               : std::vector<std::string>();
    }

    std::shared_ptr<RunPart> MakePart(std::shared_ptr<const RunSpec> run,
                                      const RunSite& site) const override
    {
        return std::make_shared<ClockworkRun>(std::move(run), site, m_period);
    }

  private:
    RunSpec DoMakeRun(const JobSpec& job,
                      CojobId cojob,
                      const Placement& placement,
                      const Cluster& /* cluster */,
                      PlanMemo& /* plans */) const override
    {
        RunSpec run(job, cojob);
        run.placement = placement;
        run.rankHosts = {placement.workers.front().host};
        run.machines = run.rankHosts;
        run.parts[run.rankHosts.front()].ranks = {0};
        run.workerHosts = 1;
        run.plan = std::make_shared<const JobPlan>(); // nothing is sent
        run.cost = {m_period, Time(), 1};
        return run;
    }

    Time m_period;
};

/** A kind that forgets where its ranks are. */
class ForgetfulTrainingJob : public TrainingJob
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::ForgetfulTrainingJob")
                                .SetParent<TrainingJob>()
                                .AddConstructor<ForgetfulTrainingJob>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "forgets";
    }

    std::shared_ptr<RunPart> MakePart(std::shared_ptr<const RunSpec> /* run */,
                                      const RunSite& /* site */) const override
    {
        return nullptr;
    }

  private:
    RunSpec DoMakeRun(const JobSpec& job,
                      CojobId cojob,
                      const Placement& /* placement */,
                      const Cluster& /* cluster */,
                      PlanMemo& /* plans */) const override
    {
        return RunSpec(job, cojob);
    }
};

class TrainingJobTest : public SimulationFixture
{
  protected:
    void SetUp() override
    {
        SimulationFixture::SetUp();
        ClockworkTrainingJob::GetTypeId(); // not before: it is in no menu of other tests
        ForgetfulTrainingJob::GetTypeId();
    }

    /** \return a job of one worker whose model takes 1 ms an iteration, and which is of that kind
     */
    static std::string JobOf(const std::string& kind, uint32_t iterations)
    {
        return R"({"model": {"name": "m", "bytes": "1MB", "forward": "1ms"}, "workers": 1,
            "pattern": "ring", "iterations": )" +
               std::to_string(iterations) + R"(, "kind": )" + kind + "}";
    }

    static std::string Jobs(const std::vector<std::string>& jobs)
    {
        std::string text;
        for (const std::string& job : jobs)
        {
            text += (text.empty() ? "" : ", ") + job;
        }
        return R"({"jobs": [)" + text + "]}";
    }

    /** \return what is said when a scenario is read, and built */
    std::string Refusal(const std::string& text, const Settings& settings = {})
    {
        try
        {
            Run(text, settings);
        }
        catch (const InputError& error)
        {
            Simulator::Destroy(); // a cluster that was built
            return error.what();
        }
        return "";
    }
};

constexpr const char* CLOCKWORK = R"({"type": "clockwork", "Period": "4ms"})";

} // namespace

TEST_F(TrainingJobTest, AKindThatNobodyKnowsRuns)
{
    // One GPU: the second job begins when the first one has had 5 x 4 ms, and has 7 x 4 ms.
    const RunResult result = Run(OnSwitch(1, 1, Jobs({JobOf(CLOCKWORK, 5), JobOf(CLOCKWORK, 7)})));
    EXPECT_EQ(result.status, RunResult::Status::DONE) << result.reason;
    ASSERT_EQ(result.jobs.size(), 2U);
    EXPECT_EQ(RowOf(result, 1).end, MilliSeconds(20));
    EXPECT_EQ(RowOf(result, 2).end, MilliSeconds(48));
    EXPECT_EQ(RowOf(result, 2).iterations, 7U);
    EXPECT_EQ(RowOf(result, 2).compute, MilliSeconds(28));
    EXPECT_EQ(RowOf(result, 2).bytes, 0U);
}

TEST_F(TrainingJobTest, KindsShareACluster)
{
    const RunResult result =
        Run(OnSwitch(1, 2, Jobs({JobOf(CLOCKWORK, 5), JobOf(R"("gang")", 7)})));
    EXPECT_EQ(RowOf(result, 1).end, MilliSeconds(20));
    EXPECT_EQ(RowOf(result, 2).end, MilliSeconds(7));
}

TEST_F(TrainingJobTest, AKindThatNobodyKnowsIsSuspendedAndGoesOn)
{
    // At 10 ms its third iteration runs, to 12 ms; the GPU is free, so it goes on at once.
    ClusterSimulation simulation(ReadText(OnSwitch(1, 1, Jobs({JobOf(CLOCKWORK, 5)}))));
    const auto manager = simulation.GetTrainingCluster()->GetJobManager();
    Simulator::Schedule(MilliSeconds(10), [manager]() { manager->Suspend(CojobId{1}); });
    const RunResult result = simulation.Run();
    EXPECT_EQ(RowOf(result, 1).end, MilliSeconds(20));
    EXPECT_EQ(RowOf(result, 1).iterations, 5U);
    ASSERT_EQ(result.runs.size(), 2U);
    EXPECT_EQ(result.runs[0].reason, "suspended");
    EXPECT_EQ(result.runs[0].iterations, 3U);
    EXPECT_EQ(result.runs[0].end, MilliSeconds(12));
    EXPECT_EQ(result.runs[1].iterations, 2U);
}

TEST_F(TrainingJobTest, AKindThatCannotLeapIsNotLeaptOver)
{
    // Hosts 0 and 1 have two GPUs each. Job 1 gets (0, 0), the gang, which leaps, (0, 1) and (1,
    // 0), and job 3 (1, 1). Job 1 is suspended in its 26th iteration, until 104 ms; job 4 has its
    // GPU then, for 50 x 4 ms. Job 3 ends after 60 x 4 ms = 240 ms; there job 1 does the other 74.
    const std::string gang = R"({"model": {"name": "m", "bytes": "1MB", "forward": "1ms"},
        "workers": 2, "pattern": "ring", "iterations": 200})";
    const std::string text =
        OnSwitch(2,
                 2,
                 Jobs({JobOf(CLOCKWORK, 100), gang, JobOf(CLOCKWORK, 60), JobOf(CLOCKWORK, 50)}));
    const auto run = [&text, this](const Settings& leap) {
        Settings settings{"transport.kind=fluid", "scheduler.switch.checkpointEvery=30"};
        settings.insert(settings.end(), leap.begin(), leap.end());
        ClusterSimulation simulation(ReadText(text, settings));
        const auto manager = simulation.GetTrainingCluster()->GetJobManager();
        Simulator::Schedule(MilliSeconds(102), [manager]() { manager->Suspend(CojobId{1}); });
        return simulation.Run();
    };
    const RunResult all = run({});
    EXPECT_EQ(RowOf(all, 1).end, MilliSeconds(240 + 74 * 4));
    EXPECT_EQ(RowOf(all, 3).end, MilliSeconds(240));
    EXPECT_EQ(RowOf(all, 4).end, MilliSeconds(104 + 50 * 4));
    for (const std::string leap : {"leap={}", R"(leap={"memo": true})"})
    {
        SCOPED_TRACE(leap);
        const RunResult leapt = run({leap});
        EXPECT_EQ(leapt.status, RunResult::Status::DONE) << leapt.reason;
        ASSERT_EQ(leapt.jobs.size(), all.jobs.size());
        EXPECT_EQ(leapt.runs.size(), all.runs.size());
        EXPECT_EQ(leapt.end, all.end);
        for (const JobRow& row : all.jobs)
        {
            SCOPED_TRACE(row.job.value);
            const JobRow other = RowOf(leapt, row.job.value);
            EXPECT_EQ(other.end, row.end);
            EXPECT_EQ(other.compute, row.compute);
            EXPECT_EQ(other.iterations, row.iterations);
            EXPECT_EQ(other.bytes, row.bytes);
            EXPECT_EQ(other.runs, row.runs);
        }
        EXPECT_EQ(leapt.runTotals.checkpoints, all.runTotals.checkpoints);
        // Of the gang's 200 iterations some are simulated: the first, and those at checkpoints.
        EXPECT_GE(leapt.leaps->iterations, 100U);
        EXPECT_LT(leapt.leaps->iterations, 200U);
    }
}

TEST_F(TrainingJobTest, WhatAKindRefusesIsSaid)
{
    const std::string text = OnSwitch(1, 2, Jobs({JobOf(CLOCKWORK, 5), JobOf(CLOCKWORK, 5)}));
    EXPECT_EQ(Refusal(text), "");
    const std::string samples = Refusal(text, {"fidelity=sampled"});
    EXPECT_EQ(samples, "clockwork has no packets to sample");
    const std::string workers = Refusal(text, {"workload.jobs.1.workers=2"});
    EXPECT_EQ(workers, "job 2 is clockwork of more than one worker");
}

TEST_F(TrainingJobTest, AnIncompleteRunIsAnErrorOfItsKind)
{
    const std::string said =
        test::RunErrorOf([this]() { Run(OnSwitch(1, 1, Jobs({JobOf(R"("forgetful")", 1)}))); });
    EXPECT_NE(said.find("ForgetfulTrainingJob"), std::string::npos) << said;
}

TEST_F(TrainingJobTest, KindsAreKeys)
{
    const std::string clockwork = OnSwitch(1, 1, Jobs({JobOf(CLOCKWORK, 5)}));
    const Scenario read = ReadText(clockwork);
    const std::string written = FormatScenario(read);
    EXPECT_NE(written.find("clockwork"), std::string::npos);
    EXPECT_EQ(FormatScenario(ReadText(written)), written);
    // "tasks" is short for a kind.
    const std::string gang = OnSwitch(1, 1, Jobs({JobOf(R"("gang")", 5)}));
    const std::string tasks = OnSwitch(1, 1, Jobs({JobOf(R"("tasks")", 5)}));
    const Scenario byKind = ReadText(tasks);
    EXPECT_EQ(byKind.workload.groups[0].jobs[0].kind.GetTypeId().GetName(),
              "ns3::ddl::TasksTrainingJob");
    const std::string plain =
        OnSwitch(1,
                 1,
                 Jobs({R"({"model": {"name": "m", "bytes": "1MB", "forward": "1ms"}, "workers": 1,
            "pattern": "ring", "iterations": 5, "tasks": true})"}));
    EXPECT_EQ(FormatScenario(byKind), FormatScenario(ReadText(plain)));
    EXPECT_NE(Complaints(gang, {"workload.jobs.0.tasks=true"}).find("contradicts"),
              std::string::npos);
    // What is written says `tasks` false of a gang, and may get another kind.
    const std::string canonical = FormatScenario(ReadText(gang));
    EXPECT_EQ(Complaints(canonical, {"workload.jobs.0.kind=tasks"}).find("contradicts"),
              std::string::npos);
    EXPECT_NE(Complaints(OnSwitch(1, 1, Jobs({JobOf(R"("gnag")", 5)}))).find("gang"),
              std::string::npos);
}

/** By kind and transport. */
class KindTest : public TrainingJobTest,
                 public testing::WithParamInterface<std::tuple<std::string, std::string>>
{
};

/** \return all kinds whose jobs may have parameter servers; GraphRunTest is for the others */
std::vector<std::string>
ListKinds()
{
    auto kinds = ListPolicies(TrainingJob::GetTypeId());
    for (const char* const other : {"graph", "llm"})
    {
        kinds.erase(std::find(kinds.begin(), kinds.end(), other));
    }
    return kinds;
}

/** Each kind must run two jobs of two workers and a parameter server to their ends, with all of
 * their iterations, twice alike. */
TEST_P(KindTest, JobsRunToTheirEnds)
{
    const auto& [kind, transport] = GetParam();
    const std::string job = R"({"model": {"name": "m", "bytes": "100KB", "forward": "1ms"},
        "workers": 2, "servers": 1, "iterations": 3, "kind": ")" +
                            kind + "\"}";
    const std::string text = OnSwitch(2, 2, Jobs({job, job}));
    const Settings settings{"transport.kind=" + transport, "scheduler.control=in-band"};
    const RunResult result = Run(text, settings);
    EXPECT_EQ(result.status, RunResult::Status::DONE) << result.reason;
    ASSERT_EQ(result.jobs.size(), 2U);
    for (const JobRow& row : result.jobs)
    {
        EXPECT_EQ(row.iterations, 3U);
        EXPECT_EQ(row.bytes, 3U * 2 * 2 * 100'000); // each worker pulls and pushes the model
    }
    EXPECT_TRUE(result.imbalances.empty());
    EXPECT_EQ(Run(text, settings).end, result.end);
}

INSTANTIATE_TEST_SUITE_P(All,
                         KindTest,
                         testing::Combine(testing::ValuesIn(ListKinds()),
                                          testing::Values("fluid", "rdma", "tcp")),
                         [](const auto& info) {
                             return std::get<0>(info.param) + "_" + std::get<1>(info.param);
                         });
