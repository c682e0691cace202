// SPDX-License-Identifier: GPL-2.0-only
#include "app/sampling/ddl-workload-sample.h"
#include "ddl-scenario-fixture.h"

using namespace ns3;
using namespace ns3::ddl;

class WorkloadSampleTest : public ScenarioFixture
{
  protected:
    /** \return what is said of empty jobs, a sentence a line */
    std::string Find(const std::string& workload, const Settings& settings = {})
    {
        std::string text;
        for (const auto& sentence :
             FindEmptyJobs(WorkloadSample(ReadText(WithWorkload(workload), settings))))
        {
            text += sentence + "\n";
        }
        return text;
    }

    /** \return a workload of a trace with these rows */
    std::string Traced(const std::string& rows)
    {
        const auto file =
            Write("t.csv", "num_gpu,submit_time,model_name,iterations,duration\n" + rows);
        return "{\"trace\": \"" + file + "\"}";
    }
};

static constexpr const char* EMPTY =
    "takes no time: it computes nothing and sends nothing (forward and "
    "backward of the model; a duration beside iterations in a trace)\n";

TEST_F(WorkloadSampleTest, HasTheFirstJobsOfVeryMany)
{
    const WorkloadSample work(
        ReadText(WithWorkload(R"({"generator": {"kind": "jobs", "jobs": 10000000,
            "iterations": 8, "models": [{"name": "a", "bytes": "1MB"}], "servers": 0, "workers": 2},
            "jobs": [{"model": {"bytes": "1MB"}, "workers": 2, "iterations": 4}]})"),
                 {"scale.iterations=0.5"}));
    EXPECT_EQ(work.CountWritten(), 1U);
    EXPECT_EQ(work.GetGroups().size(), 1U + 10000);
    EXPECT_EQ(work.GetFactor(), 1000);
    EXPECT_TRUE(work.IsTrialPart());
    EXPECT_EQ(work.GetGroups().front().iterations, std::vector<uint64_t>{2}); // scaled
    EXPECT_EQ(work.GetGroups().back().iterations, std::vector<uint64_t>{4});
    const Scenario trial = work.MakeTrial();
    EXPECT_FALSE(trial.workload.generator);
    EXPECT_EQ(trial.workload.groups.size(), 1U + 10000);
    EXPECT_EQ(trial.scale.iterations, 1);
}

TEST_F(WorkloadSampleTest, IsAllOfAFewJobs)
{
    const WorkloadSample work(ReadText(WithWorkload(R"({"generator": {"kind": "jobs", "jobs": 100,
        "models": [{"name": "a", "bytes": "1MB"}], "servers": 0, "workers": 2}})")));
    EXPECT_EQ(work.GetGroups().size(), 100U);
    EXPECT_EQ(work.GetFactor(), 1);
    EXPECT_FALSE(work.IsTrialPart());
    EXPECT_TRUE(work.MakeTrial().workload.generator);
}

TEST_F(WorkloadSampleTest, AGroupOfManyJobsIsEnough)
{
    // 4 x 100,000 jobs share 16 GPUs by memory
    const WorkloadSample work(
        ReadText(WithWorkload(R"({"generator": {"kind": "cojobs", "cojobs": 4, "jobs": 20000,
            "stages": [1], "models": [{"name": "a", "bytes": "1kB", "gpuMemory": "1B"}],
            "servers": 0, "workers": 1}})"),
                 {"cluster.hosts.gpuMemory=16GB"}));
    EXPECT_EQ(work.GetGroups().size(), 1U);
    EXPECT_EQ(work.GetFactor(), 4);
}

TEST_F(WorkloadSampleTest, JobsThatDoNothingAreSaidWhereverTheyComeFrom)
{
    EXPECT_EQ(Find(R"({"jobs": [{"model": {"name": "m", "bytes": "1MB"}, "workers": 1,
                                 "iterations": 3, "count": 2},
                                {"model": {"bytes": "1MB"}, "workers": 2, "iterations": 3}]})"),
              std::string("an iteration of 2 jobs (the first: job 1, m) ") + EMPTY);
    EXPECT_EQ(Find(R"({"generator": {"kind": "jobs", "jobs": 3, "models": ["VGG19"], "servers": 0,
                                     "workers": 1}})"),
              std::string("an iteration of 3 jobs (the first: job 1, VGG19) ") + EMPTY);
    EXPECT_EQ(Find(Traced("2,0,vgg19,5,\n1,0,vgg19,5,\n1,0,vgg16,5,\n1,0,vgg19,5,20\n")),
              std::string("an iteration of 1 job (job 2, VGG19) ") + EMPTY);
    EXPECT_EQ(
        Find(R"({"generator": {"kind": "jobs", "jobs": 20000, "models": ["VGG19"],
                                     "servers": 0, "workers": 1}})"),
        std::string(
            "of the first 10000 jobs: an iteration of 10000 jobs (the first: job 1, VGG19) ") +
            EMPTY);
    // Work of any kind is enough.
    EXPECT_EQ(Find(R"({"jobs": [{"model": {"bytes": "1MB", "forward": "1ns"}, "workers": 1,
                                 "iterations": 3},
                                {"model": {"bytes": "1MB", "input": "1ns"}, "workers": 1,
                                 "iterations": 3},
                                {"model": {"bytes": "1MB"}, "workers": 1, "servers": 1,
                                 "iterations": 3}]})"),
              "");
}

TEST_F(WorkloadSampleTest, RowsThatLeaveNoTimeToComputeAreSaid)
{
    // VGG19 on a ring of two sends 580 MB at 10 Gbps in 0.464 s.
    const std::string rows = Traced("2,0,vgg19,100,47\n2,0,vgg19,100,46\n2,0,vgg19,100,1\n");
    const std::string said = "an iteration of 2 jobs (the first: " + m_folder.string() +
                             "/t.csv:3) computes nothing: what is sent in it takes longer than "
                             "duration / iterations of the trace\n";
    EXPECT_EQ(Find(rows), said);
    EXPECT_EQ(Find(rows, {"workload.compute.all=true", "workload.compute.ratio=0"}), "");
    EXPECT_EQ(Find(Traced("1,0,vgg19,1000000000000000,1\n")),
              std::string("an iteration of 1 job (job 1, VGG19) ") + EMPTY);
}

TEST_F(WorkloadSampleTest, CoflowsComputeNothingByNature)
{
    const auto file = Write("c.txt", "4 1\n1 0 1 0 1 1:3.0\n");
    EXPECT_EQ(Find("{\"trace\": \"" + file + "\"}"), "");
}
