// SPDX-License-Identifier: GPL-2.0-only
#include "app/run/ddl-alone-runs.h"
#include "app/scenario/ddl-scenario-writer.h"
#include "ddl-scenario-fixture.h"

#include "ns3/ddl-scenario.h"

#include <boost/algorithm/string/predicate.hpp>
#include <iostream>
#include <optional>
#include <set>
#include <unistd.h>

using namespace ns3;
using namespace ns3::ddl;
namespace fs = std::filesystem;

/** A cojob of jobs 1 and 2, plain jobs 3, 4 and 5 of which 3 and 4 are alike, and what they did. */
class AloneRuns : public ScenarioFixture
{
  protected:
    Scenario ReadSample(const std::string& compute = "{}")
    {
        const std::string plain =
            R"({"model": {"name": "m", "bytes": "1MB"}, "iterations": 40, "submit": "3s"},)";
        return ReadText(
            R"({"name": "s", "seed": 9, "cluster": {"topology": {"kind": "single-switch",
                "hosts": 4}, "links": [{"at": "1s", "between": ["h0", "switch0"], "up": false}]},
                "scheduler": {"network": "grouper", "period": "50ms"},
                "scale": {"model": 0.5, "iterations": 0.2}, "stop": {"time": "9s"},
                "workload": {"cojobs": [{"id": 6, "submit": "2s", "stages": [10, 20],
                  "search": "list", "jobs": [{"model": {"bytes": "2MB"}, "workers": 2},
                  {"model": {"bytes": "2MB"}, "workers": 2, "stopAfter": 1}]}],
                "jobs": [)" +
            plain + plain +
            R"({"model": {"name": "n", "bytes": "1MB"}, "iterations": 40}],
                "background": [{"source": 0, "destination": 1}], "compute": )" +
            compute + "}}");
    }

    static JobRow MakeRow(uint32_t id, uint32_t iterations, std::vector<GpuId> workers)
    {
        JobRow row;
        row.job = JobId{id};
        row.iterations = iterations;
        row.end = Seconds(2);
        row.placement.workers = std::move(workers);
        return row;
    }

    static RunResult MakeResult()
    {
        RunResult result;
        result.stages = {{CojobId{6}, 1, 2, Time(0), Time(0), Seconds(3), 0, std::nullopt},
                         {CojobId{6}, 2, 1, Time(0), Time(0), Seconds(5), 0, std::nullopt}};
        result.jobs = {MakeRow(2, 2, {{HostId{2}, 0}, {HostId{3}, 1}}),
                       MakeRow(3, 8, {{HostId{0}, 2}}),
                       MakeRow(1, 6, {{HostId{0}, 0}, {HostId{1}, 1}}),
                       MakeRow(4, 8, {{HostId{0}, 2}}),
                       MakeRow(5, 8, {{HostId{0}, 2}})};
        return result;
    }

    /** \return the scenario of a job alone */
    static Scenario MakeAlone(const Scenario& scenario, const JobRow& row)
    {
        for (const auto& group : scenario.workload.groups)
        {
            for (const auto& job : group.jobs)
            {
                if (job.id == row.job)
                {
                    return JobsAlone(scenario).Make(job, row.placement, row.iterations);
                }
            }
        }
        throw std::out_of_range("no such job");
    }

    /** Notes that it was called, and says how the process goes on; see MakeOptions. */
    using Behaviour = std::function<std::optional<int>(uint32_t iterations)>;

    /**
     * Runs that note that they were called, and leave a cojob's stages at 1.5 s and 2.5 s and a job
     * at so many seconds as it has iterations.
     */
    AloneOptions MakeOptions(const Behaviour& behaviour = nullptr)
    {
        AloneOptions options;
        options.run = [this, behaviour](const Scenario& scenario, const fs::path& folder) {
            const CojobSpec& group = scenario.workload.groups.at(0);
            std::ofstream(m_folder / "calls", std::ios::app) << getpid() << std::endl;
            const auto status = behaviour ? behaviour(group.iterations.at(0)) : std::nullopt;
            if (status)
            {
                return *status;
            }
            std::ofstream(folder / "stages.csv") << "stage,sct_s\n2,2.5\n1,1.5\n";
            std::ofstream(folder / "jobs.csv")
                << "job_id,jct_s\n1," << group.iterations.at(0) << "\n";
            return 0;
        };
        options.folder = m_folder / "alone";
        options.processes = 2;
        return options;
    }

    /** \return how many runs were made, each in a process of its own */
    std::size_t CountCalls() const
    {
        std::istringstream calls(Read("calls"));
        std::set<std::string> processes{std::to_string(getpid())};
        std::size_t count = 0;
        for (std::string call; std::getline(calls, call); ++count)
        {
            EXPECT_TRUE(processes.insert(call).second) << call;
        }
        return count;
    }
};

TEST_F(AloneRuns, ACojobAloneKeepsItsPlacementAndItsStops)
{
    const Scenario scenario = ReadSample();
    RunResult result = MakeResult();
    AloneOptions options = MakeOptions();
    options.run = [this, run = options.run](const Scenario& alone, const fs::path& folder) {
        if (!alone.workload.groups.at(0).plain)
        {
            Write("cojob.json", FormatScenario(alone));
        }
        return run(alone, folder);
    };
    ASSERT_TRUE(MeasureAlone(scenario, result, options));
    const Scenario alone = ReadText(Read("cojob.json"));
    ASSERT_EQ(alone.workload.groups.size(), 1U);
    const CojobSpec& cojob = alone.workload.groups[0];
    EXPECT_EQ(cojob.id, CojobId{6});
    EXPECT_EQ(cojob.submit, Time(0));
    EXPECT_EQ(cojob.iterations, (std::vector<uint64_t>{10, 20}));
    EXPECT_EQ(cojob.jobs[0].placement->workers[1], (GpuId{HostId{1}, 1}));
    EXPECT_EQ(cojob.jobs[1].placement->workers[0], (GpuId{HostId{2}, 0}));
    EXPECT_EQ(cojob.jobs[1].stopAfter, 1U);
    EXPECT_EQ(cojob.search.GetTypeId(), scenario.workload.groups[0].search.GetTypeId());
    EXPECT_EQ(alone.scale.iterations, 0.2);

    // Nothing disturbs it, nothing stops it, nothing but its times is wanted.
    EXPECT_TRUE(alone.cluster.links.empty());
    EXPECT_TRUE(alone.workload.background.empty());
    EXPECT_FALSE(alone.stop.time.has_value());
    EXPECT_FALSE(alone.output.alone);
    EXPECT_FALSE(alone.output.figures);
    EXPECT_EQ(alone.seed, 9U);
}

TEST_F(AloneRuns, AJobAloneDoesItsIterationsInOneStage)
{
    Scenario scenario = ReadSample();
    scenario.scheduling.switching.cost.launch = Seconds(1);
    scenario.scheduling.switching.checkpointEvery = 20;
    const Scenario alone = MakeAlone(scenario, MakeResult().jobs[0]);
    ASSERT_EQ(alone.workload.groups.size(), 1U);
    const CojobSpec& group = alone.workload.groups[0];
    EXPECT_TRUE(group.plain);
    EXPECT_EQ(group.submit, Time(0));
    EXPECT_EQ(group.jobs[0].model.bytes, 2000000U);
    EXPECT_EQ(group.jobs[0].stopAfter, NEVER_STOPPED);
    EXPECT_EQ(group.jobs[0].placement->workers[1], (GpuId{HostId{3}, 1}));

    // The main run does 10 x 0.2 = 2 iterations of 1 MB under a period of 50 ms x 0.5 x 0.2 = 5 ms.
    const Scenario scaled = ApplyScale(alone);
    EXPECT_EQ(scaled.workload.groups[0].iterations, std::vector<uint64_t>{2});
    EXPECT_EQ(scaled.workload.groups[0].jobs[0].model.bytes, 1000000U);
    EXPECT_EQ(scaled.scheduling.period, MilliSeconds(5));
    EXPECT_EQ(ApplyScale(scenario).scheduling.period, MilliSeconds(5));
    EXPECT_EQ(scaled.scheduling.switching.cost.launch, MilliSeconds(100));
    EXPECT_EQ(scaled.scheduling.switching.checkpointEvery, 4U);
}

TEST_F(AloneRuns, NobodyIsWaitedForAlone)
{
    // In company a batch may be about to close when the job arrives, so that a whole window alone
    // would be longer.
    Scenario scenario = ReadSample();
    scenario.scheduling.batchWindow = Seconds(10);
    EXPECT_EQ(MakeAlone(scenario, MakeResult().jobs[0]).scheduling.batchWindow, Time());
    EXPECT_EQ(ns3::ddl::MakeAlone(scenario, scenario.workload.groups[0]).scheduling.batchWindow,
              Time());
}

TEST_F(AloneRuns, EqualJobsMakeEqualScenariosUnlessChanceTellsThemApart)
{
    const RunResult result = MakeResult();
    const auto text = [&result](const Scenario& scenario, std::size_t row) {
        return FormatScenario(MakeAlone(scenario, result.jobs[row]));
    };
    const Scenario calm = ReadSample();
    EXPECT_EQ(text(calm, 1), text(calm, 3));
    EXPECT_NE(text(calm, 1), text(calm, 4)); // another model
    const Scenario noisy = ReadSample(R"({"jitter": "ns3::UniformRandomVariable"})");
    EXPECT_NE(text(noisy, 1), text(noisy, 3));
}

TEST_F(AloneRuns, EqualJobsThatMayTakeDifferentPathsAreRunEach)
{
    Scenario scenario = ReadSample();
    JobRow row = MakeRow(3, 8, {{HostId{0}, 2}});
    const auto text = [&](uint32_t id) {
        row.job = JobId{id};
        return FormatScenario(MakeAlone(scenario, row));
    };
    scenario.cluster.topology.shape.SetTypeId(
        "ns3::ddl::LeafSpineTopology"); // of two leaves and two spines
    EXPECT_EQ(text(3), text(4));        // on one machine
    row.placement.workers.push_back({HostId{1}, 2});
    EXPECT_NE(text(3), text(4)); // their flow labels are different
    scenario.cluster.topology.shape.Set("Spines", UintegerValue(1));
    EXPECT_EQ(text(3), text(4)); // one path
    scenario.cluster.topology.shape.Set("Parallel", UintegerValue(2));
    EXPECT_NE(text(3), text(4));
    scenario.cluster.topology.shape.SetTypeId("ns3::ddl::DumbbellTopology");
    EXPECT_EQ(text(3), text(4));
}

TEST_F(AloneRuns, WhatIsFasterInCompanyIsSaidAndWithoutAReasonItIsAnError)
{
    const auto judge = [](const Scenario& scenario, double alone) {
        RunResult result = MakeResult(); // job 2 took 2 s, stage 1 of cojob 6 took 3 s
        result.jobs[0].alone = alone;
        result.stages[0].alone = 3;
        CheckSlowdowns(scenario, result);
        return result;
    };
    Scenario scenario = ReadSample(); // over TCP
    scenario.cluster.links.clear();
    const RunResult warned = judge(scenario, 2.5);
    ASSERT_EQ(warned.warnings.size(), 1U);
    EXPECT_EQ(warned.warnings[0],
              "slowdowns below 0.99: 1, the lowest is 0.8 (job 2): packets meet other "
              "packets in company, so marks, losses and timeouts fall elsewhere; paths, placement "
              "and compute times are the same");
    EXPECT_EQ(warned.status, RunResult::Status::DONE);
    EXPECT_TRUE(judge(scenario, 2.0).warnings.empty());
    EXPECT_TRUE(judge(scenario, 2.0 / 0.991).warnings.empty());
    EXPECT_EQ(judge(scenario, 2.0 / 0.989).warnings.size(), 1U);

    scenario.transport.SetTypeId("ns3::ddl::FluidTransport");
    const RunResult wrong = judge(scenario, 2.5);
    EXPECT_TRUE(wrong.warnings.empty());
    EXPECT_EQ(wrong.status, RunResult::Status::DONE);
    EXPECT_TRUE(wrong.unfinished.empty());
    ASSERT_EQ(wrong.failures.size(), 1U);
    EXPECT_EQ(wrong.failures[0].what, "slowdowns");
    EXPECT_TRUE(judge(scenario, 2.0).failures.empty());

    scenario = ReadSample(R"({"jitter": "ns3::UniformRandomVariable"})");
    scenario.cluster.links.clear();
    scenario.transport.SetTypeId("ns3::ddl::FluidTransport");
    EXPECT_EQ(judge(scenario, 2.5).warnings.size(), 1U);
}

TEST_F(AloneRuns, WhereLinksFailWhatIsFasterInCompanyHasAReason)
{
    Scenario scenario = ReadSample(); // a link of it goes down, which it does not in runs alone
    scenario.transport.SetTypeId("ns3::ddl::FluidTransport");
    RunResult result = MakeResult();
    result.jobs[0].alone = 2.5; // it took 2 s
    CheckSlowdowns(scenario, result);
    EXPECT_EQ(result.status, RunResult::Status::DONE);
    ASSERT_EQ(result.warnings.size(), 1U);
    EXPECT_NE(result.warnings[0].find("links go down"), std::string::npos) << result.warnings[0];
}

TEST_F(AloneRuns, TasksMayHaveHadFasterGpusInCompany)
{
    Scenario scenario = ReadSample();
    scenario.cluster.links.clear();
    scenario.transport.SetTypeId("ns3::ddl::FluidTransport");
    scenario.workload.groups.back().jobs[0].kind.SetTypeId("ns3::ddl::TasksTrainingJob");
    RunResult result = MakeResult();
    result.jobs[4].alone = 2.5; // it took 2 s
    CheckSlowdowns(scenario, result);
    EXPECT_TRUE(result.failures.empty());
    ASSERT_EQ(result.warnings.size(), 1U);
    EXPECT_NE(result.warnings[0].find("tasks run on"), std::string::npos) << result.warnings[0];
}

TEST_F(AloneRuns, AnInterruptionBeforeTheFirstRunAloneIsHeard)
{
    RunResult result = MakeResult();
    AloneOptions options = MakeOptions();
    int asked = 0;
    options.isStopped = [&asked] { return ++asked > 3; }; // while the third run is planned
    EXPECT_FALSE(MeasureAlone(ReadSample(), result, options));
    EXPECT_FALSE(Exists("calls"));
    EXPECT_FALSE(Exists("alone"));
    EXPECT_EQ(result.status, RunResult::Status::DONE) << "the caller says interrupted";
}

TEST_F(AloneRuns, FillsInEachRowAndRunsEqualJobsOnce)
{
    RunResult result = MakeResult();
    AloneOptions options = MakeOptions();
    std::string last;
    options.report = [&last](const std::string& line) { last = line; };
    EXPECT_TRUE(MeasureAlone(ReadSample(), result, options));
    EXPECT_EQ(result.stages[0].alone, 1.5);
    EXPECT_EQ(result.stages[1].alone, 2.5);
    EXPECT_EQ(result.jobs[0].alone, 2); // job 2
    EXPECT_EQ(result.jobs[1].alone, 8); // job 3
    EXPECT_EQ(result.jobs[2].alone, 6); // job 1
    EXPECT_EQ(result.jobs[3].alone, 8); // job 4, as job 3
    EXPECT_EQ(result.jobs[4].alone, 8); // job 5
    EXPECT_EQ(CountCalls(), 1U + 4);    // the cojob; jobs 2, 3 with 4, 1, 5
    EXPECT_EQ(last, "alone runs: 5 of 5");
    EXPECT_FALSE(Exists("alone"));
}

TEST_F(AloneRuns, ACojobThatIsNotOverIsNotRun)
{
    RunResult result = MakeResult();
    result.jobs.erase(result.jobs.begin() + 2); // job 1 has not left
    result.stages.pop_back();
    EXPECT_TRUE(MeasureAlone(ReadSample(), result, MakeOptions()));
    EXPECT_EQ(result.stages[0].alone, std::nullopt);
    EXPECT_EQ(result.jobs[0].alone, 2);
    EXPECT_EQ(CountCalls(), 3U);
}

TEST_F(AloneRuns, ARunThatFailsIsSaidAndCostsTheOthersNothing)
{
    RunResult result = MakeResult();
    // Of the job runs, only those of 8 iterations do not fail.
    const AloneOptions options = MakeOptions([](uint32_t iterations) -> std::optional<int> {
        if (iterations == 8 || iterations == 10)
        {
            return std::nullopt;
        }
        std::cout << "one\ntwo\n" << std::flush;
        std::cerr << "it is broken\n";
        return 3;
    });
    try
    {
        MeasureAlone(ReadSample(), result, options);
        FAIL() << "no error";
    }
    catch (const RunError& error)
    {
        EXPECT_TRUE(
            boost::ends_with(error.what(), ") failed with status 3:\none\ntwo\nit is broken\n"))
            << error.what();
    }
    EXPECT_EQ(result.stages[0].alone, 1.5);
    EXPECT_EQ(result.jobs[0].alone, std::nullopt);
    EXPECT_EQ(result.jobs[1].alone, 8);
    EXPECT_EQ(result.jobs[2].alone, std::nullopt);
    EXPECT_FALSE(Exists("alone"));
}

TEST_F(AloneRuns, ARunWithoutResultsIsSaid)
{
    RunResult result = MakeResult();
    EXPECT_THROW(MeasureAlone(ReadSample(), result, MakeOptions([](uint32_t) { return 0; })),
                 RunError);
    EXPECT_EQ(result.jobs[0].alone, std::nullopt);
}

TEST_F(AloneRuns, NothingToRunIsNothingToSay)
{
    RunResult nothing;
    EXPECT_TRUE(MeasureAlone(ReadSample(), nothing, MakeOptions()));
    EXPECT_FALSE(Exists("calls"));
}

TEST_F(AloneRuns, AnErrorOfARunIsSaid)
{
    RunResult result = MakeResult();
    const AloneOptions options =
        MakeOptions([](uint32_t) -> std::optional<int> { throw RunError("no room"); });
    try
    {
        MeasureAlone(ReadSample(), result, options);
        FAIL() << "no error";
    }
    catch (const RunError& error)
    {
        EXPECT_TRUE(boost::ends_with(error.what(), ") failed with status 1:\nno room\n"))
            << error.what();
    }
}
