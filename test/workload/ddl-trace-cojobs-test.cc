// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-communication-pattern.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-trace-cojobs.h"
#include "ns3/ddl-trace-format.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <set>
#include <sstream>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

std::shared_ptr<const Trace>
ReadText(const std::string& format, const std::string& text)
{
    std::istringstream input(text);
    return std::make_shared<const Trace>(CreatePolicy<TraceFormat>(format)->Read(input, "t"));
}

ReplaySpec
OnCluster(uint32_t hosts, uint32_t gpus)
{
    ReplaySpec spec;
    spec.hosts = hosts;
    spec.gpus = gpus;
    return spec;
}

std::vector<CojobSpec>
TakeAll(const std::shared_ptr<const Trace>& trace, const ReplaySpec& spec)
{
    TraceCojobs source(trace, spec);
    std::vector<CojobSpec> all;
    while (auto cojob = source.Next())
    {
        all.push_back(*cojob);
    }
    return all;
}

} // namespace

TEST(TraceCojobs, ModelsInAnyWritingAndIterationsFromDurations)
{
    const auto trace = ReadText("jobs",
                                "job_id,num_gpu,submit_time,model_name,iterations,duration\n"
                                "0,2,0,vgg16,50,999\n"
                                "1,1,1,Inception3,,10\n"
                                "2,1,2,resnet_50,,0.01\n"
                                "3,2,3,AlexNet,,2\n");
    const auto all = TakeAll(trace, OnCluster(4, 4));
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[0].id, CojobId{1}); // the trace numbers from 0
    EXPECT_EQ(all[0].jobs[0].id, JobId{1});
    EXPECT_TRUE(all[0].plain);
    EXPECT_EQ(all[0].jobs[0].model.bytes, 526400000U);
    EXPECT_EQ(all[0].jobs[0].workers, 2U);
    EXPECT_EQ(all[0].iterations, std::vector<uint64_t>{50});
    // Inception-V3 on one worker: 34.9 + 52.4 ms and nothing to send; 10 s / 87.3 ms = 114.5
    EXPECT_EQ(all[1].iterations, std::vector<uint64_t>{115});
    EXPECT_EQ(all[2].iterations, std::vector<uint64_t>{1}); // at least
    // AlexNet has no times: on a ring of 2, 250 MB at 10 Gbps are 200 ms, and as much to compute;
    // 2 s / 400 ms
    EXPECT_EQ(all[3].iterations, std::vector<uint64_t>{5});
    EXPECT_EQ(all[3].jobs[0].model.forward, MilliSeconds(80));
}

/** \return what jobs compute in an iteration, by rows of "GPUs,model,iterations,stages,duration" */
static std::vector<Time>
ListComputeTimes(const std::string& rows, ReplaySpec spec = OnCluster(4, 16))
{
    const auto trace =
        ReadText("jobs", "submit_time,num_gpu,model_name,iterations,stages,duration\n" + rows);
    std::vector<Time> times;
    for (const auto& group : TakeAll(trace, spec))
    {
        times.push_back(group.jobs[0].model.forward + group.jobs[0].model.backward);
    }
    return times;
}

TEST(TraceCojobs, AnIterationLastsTheDurationOverTheIterations)
{
    // Tiresias's job 0: 606 iterations of VGG19 in 164 s on one GPU, which sends nothing.
    // Two workers send 580 MB an iteration at 10 Gbps, 0.464 s of 164 / 200 = 0.82 s.
    // 900 iterations in 164 s leave 0.182 s, less than the transfer takes.
    // Stages are iterations: 164 s / (150 + 50).
    EXPECT_EQ(ListComputeTimes("0,1,vgg19,606,,164\n"
                               "1,2,vgg19,200,,164\n"
                               "2,2,vgg19,900,,164\n"
                               "3,2,vgg19,,150;50,164\n"),
              (std::vector<Time>{NanoSeconds(270627063),
                                 MilliSeconds(820 - 464),
                                 Time(),
                                 MilliSeconds(820 - 464)}));
}

TEST(TraceCojobs, BothGivenOverrideTheTimesOfAModel)
{
    // ResNet-50 computes 25.0 + 37.4 ms on the paper's GPU, 126 s / 822 on the trace's.
    const auto trace = ReadText("jobs",
                                "submit_time,num_gpu,model_name,iterations,duration\n"
                                "0,1,resnet50,822,126\n");
    const auto all = TakeAll(trace, OnCluster(4, 4));
    const ModelProfile& model = all.at(0).jobs[0].model;
    EXPECT_EQ(model.forward + model.backward, NanoSeconds(153284672));
    EXPECT_NEAR(model.forward.GetSeconds() / model.backward.GetSeconds(), 25.0 / 37.4, 1e-6);
    EXPECT_EQ(all[0].iterations, std::vector<uint64_t>{822});
}

TEST(TraceCojobs, LayersShareTheTimeOfTheTrace)
{
    const auto trace = ReadText("jobs",
                                "submit_time,num_gpu,model_name,iterations,duration\n"
                                "0,1,Dally-VGG11,100,50\n");
    const auto all = TakeAll(trace, OnCluster(4, 4));
    Time sum;
    for (const Layer& layer : all.at(0).jobs[0].model.layers.Get())
    {
        sum += layer.forward + layer.backward;
    }
    EXPECT_EQ(sum, MilliSeconds(500));
}

TEST(TraceCojobs, ADurationOfZeroIsNoneAndTheRatioForAllWins)
{
    // Two workers by ratio 1: as much as the transfer of 0.464 s. A GPU alone: nothing to compare.
    EXPECT_EQ(ListComputeTimes("0,2,vgg19,606,,0\n1,1,vgg19,606,,0\n2,1,inception3,606,,0\n"),
              (std::vector<Time>{MilliSeconds(464), Time(), MicroSeconds(87300)}));
    ReplaySpec spec = OnCluster(4, 16);
    spec.ratioForAll = true;
    spec.computeRatio = 0.5;
    EXPECT_EQ(ListComputeTimes("0,2,vgg19,606,,164\n", spec), std::vector<Time>{MilliSeconds(232)});
}

TEST(TraceCojobs, AnIterationBelowANanosecondComputesNothing)
{
    EXPECT_EQ(ListComputeTimes("0,1,vgg16,1000000000000000,,1\n"), std::vector<Time>{Time()});
}

TEST(TraceCojobs, UnknownModelsAreDrawnByJob)
{
    std::string text = "job_id,num_gpu,submit_time,model_name,iterations\n";
    for (int i = 1; i <= 100; ++i)
    {
        text += std::to_string(i) + ",1,0,googlenet,1\n";
    }
    const auto trace = ReadText("jobs", text);
    const auto all = TakeAll(trace, OnCluster(4, 4));
    std::set<uint64_t> sizes;
    for (const auto& group : all)
    {
        EXPECT_EQ(group.jobs[0].model.name, "googlenet");
        sizes.insert(group.jobs[0].model.bytes);
    }
    EXPECT_EQ(sizes, (std::set<uint64_t>{99200000, 103000000, 251800000, 526400000}));
    const auto again = TakeAll(trace, OnCluster(4, 4));
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        EXPECT_EQ(all[i].jobs[0].model.bytes, again[i].jobs[0].model.bytes);
    }
}

TEST(TraceCojobs, CojobsPlainJobsAndTheirNumbers)
{
    const auto trace = ReadText("jobs",
                                "job_id,num_gpu,submit_time,cojob_id,stages,servers,accuracy\n"
                                "1,1,20,5,10;20,2,0:0.1;30:0.7\n"
                                "2,1,20,5,10;20,,\n"
                                "3,1,10,,40,,\n");
    ReplaySpec spec = OnCluster(4, 4);
    spec.firstCojob = 101;
    spec.firstJob = 11;
    spec.load = 2;
    const auto all = TakeAll(trace, spec);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_TRUE(all[0].plain);
    EXPECT_EQ(all[0].jobs[0].id, JobId{13});
    EXPECT_EQ(all[0].submit, Seconds(5));
    EXPECT_FALSE(all[1].plain);
    EXPECT_EQ(all[1].id, CojobId{105});
    EXPECT_NE(all[0].id, all[1].id);
    ASSERT_EQ(all[1].jobs.size(), 2U);
    EXPECT_EQ(all[1].iterations, (std::vector<uint64_t>{10, 20}));
    EXPECT_EQ(all[1].jobs[0].servers, 2U);
    EXPECT_EQ(all[1].jobs[1].servers, 0U);
    EXPECT_DOUBLE_EQ(*GetAccuracy(*all[1].jobs[0].curve, 15), 0.4);
    EXPECT_FALSE(all[1].jobs[1].curve);
    spec.limit = 1;
    EXPECT_EQ(TakeAll(trace, spec).size(), 1U);
}

TEST(TraceCojobs, JobsThatNeverFit)
{
    const auto trace =
        ReadText("jobs",
                 "num_gpu,submit_time,iterations,cojob_id\n2,0,1,\n8,0,1,\n3,1,1,1\n3,1,1,1\n");
    ReplaySpec spec = OnCluster(2, 4);
    const auto complaints = CheckTrace(*trace, spec);
    ASSERT_EQ(complaints.size(), 2U);
    EXPECT_EQ(complaints[0].where, "t:3");
    EXPECT_EQ(complaints[0].what.substr(0, 58),
              "needs 8 GPUs at the same time; the cluster has 4 (a larger");
    EXPECT_EQ(complaints[1].where, "t:4"); // 3 + 3 of one cojob
    EXPECT_EQ(complaints[1].what.substr(0, 11), "needs 6 GPU");
    spec.skipTooLarge = true;
    EXPECT_TRUE(CheckTrace(*trace, spec).empty());
    const auto all = TakeAll(trace, spec);
    ASSERT_EQ(all.size(), 1U); // the cojob is left out as a whole
    EXPECT_EQ(all[0].jobs[0].workers, 2U);
    spec.gpus = 6;
    EXPECT_TRUE(CheckTrace(*trace, spec).empty());
    EXPECT_EQ(TakeAll(trace, spec).size(), 2U);
}

TEST(TraceCojobs, ACojobIsTooLargeWhicheverOfItsJobsIs)
{
    for (const std::string rows : {"2,0,1,1\n20,0,1,1\n", "20,0,1,1\n2,0,1,1\n"})
    {
        const auto trace =
            ReadText("jobs", "num_gpu,submit_time,iterations,cojob_id\n" + rows + "1,5,1,2\n");
        ReplaySpec spec = OnCluster(2, 8);
        const auto complaints = CheckTrace(*trace, spec);
        ASSERT_EQ(complaints.size(), 1U);
        EXPECT_EQ(complaints[0].where, "t:2");
        spec.skipTooLarge = true;
        EXPECT_TRUE(CheckTrace(*trace, spec).empty());
        const auto all = TakeAll(trace, spec);
        ASSERT_EQ(all.size(), 1U);
        EXPECT_EQ(all[0].jobs[0].workers, 1U);
    }
}

TEST(TraceCojobs, JobsThatShareGpusNeedNoMoreThanTheLargestOfThem)
{
    // Two jobs of 3 workers on 4 GPUs: each takes a part of a GPU's memory.
    const auto trace =
        ReadText("jobs", "num_gpu,submit_time,iterations,cojob_id\n3,1,1,1\n3,1,1,1\n");
    ReplaySpec spec = OnCluster(2, 4);
    EXPECT_EQ(CheckTrace(*trace, spec).size(), 1U);
    spec.gpuMemory = 1'000'000'000'000;
    EXPECT_TRUE(CheckTrace(*trace, spec).empty());
    spec.gpus = 2;
    EXPECT_EQ(CheckTrace(*trace, spec).size(), 1U);
}

TEST(TraceCojobs, ListsEachDemandOnce)
{
    const auto trace = ReadText("jobs",
                                "num_gpu,submit_time,iterations,cojob_id,model_name\n"
                                "1,0,1,,VGG-16\n1,0,9,,VGG-16\n2,0,1,,VGG-16\n1,0,1,,ResNet-50\n"
                                "1,1,1,7,VGG-16\n1,1,1,7,VGG-16\n8,2,1,,VGG-16\n");
    ReplaySpec spec = OnCluster(2, 4);
    spec.skipTooLarge = true;
    std::vector<uint64_t> lines;
    for (const auto& [line, group] : ListDemands(*trace, spec))
    {
        lines.push_back(line);
        EXPECT_EQ(group.jobs.size(), line == 6 ? 2U : 1U);
    }
    EXPECT_EQ(lines, (std::vector<uint64_t>{2, 4, 5, 6})); // line 3 is as 2, line 8 is skipped
}

TEST(TraceCojobs, CoflowsAreJobsOfOneOneWayTransfer)
{
    const auto trace = ReadText("coflows", "8 2\n3 0 2 0 5 2 7:3.0 5:1.0\n4 1500 1 1 1 2:1\n");
    ReplaySpec spec = OnCluster(4, 0);
    EXPECT_EQ(CheckTrace(*trace, spec).size(), 1U);
    spec.fold = true;
    EXPECT_TRUE(CheckTrace(*trace, spec).empty());
    const auto all = TakeAll(trace, spec);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[1].submit, MilliSeconds(1500));
    EXPECT_EQ(all[0].iterations, std::vector<uint64_t>{1});
    const JobSpec& job = all[0].jobs[0];
    EXPECT_EQ(job.id, JobId{3});
    EXPECT_EQ(job.model.bytes, 4000000U);
    EXPECT_TRUE((job.model.forward + job.model.backward).IsZero());
    // Ports 0 and 5 on machines 0 and 1, 7 and 5 on 3 and 1; no GPU.
    EXPECT_EQ(job.placement->workers[1], (GpuId{HostId{1}, NO_GPU}));
    EXPECT_EQ(job.placement->servers, (std::vector<GpuId>{OnMachine({3}), OnMachine({1})}));
    const auto plan =
        job.pattern.Create<CommunicationPattern>()->Plan({job.workers, job.servers, 4000000});
    ASSERT_EQ(plan.size(), 4U);
    EXPECT_EQ(plan[0].bytes, 1500000U); // 3 MB from two mappers
    EXPECT_EQ(plan[0].destination, 2U);
    EXPECT_EQ(plan[3].bytes, 500000U);
    EXPECT_TRUE(plan[3].after.empty());
}

TEST(ShufflePattern, BytesAddUpWhateverTheWeights)
{
    const auto pattern = CreatePolicy<CommunicationPattern>("shuffle");
    uint64_t sum = 0;
    for (const auto& transfer : pattern->Plan({3, 2, 101}))
    {
        sum += transfer.bytes;
    }
    EXPECT_EQ(sum, 101U); // 50 and 51, each over three
    pattern->SetAttribute("Weights", StringValue("1, 0,2"));
    std::vector<uint64_t> received(4);
    for (const auto& transfer : pattern->Plan({1, 3, uint64_t{1} << 62}))
    {
        received[transfer.destination] += transfer.bytes;
    }
    EXPECT_EQ(received[1], (uint64_t{1} << 62) / 3);
    EXPECT_EQ(received[2], 0U);
    EXPECT_EQ(received[1] + received[3], uint64_t{1} << 62);
    EXPECT_EQ(pattern->Plan({5, 3, 2}).size(), 2U); // a byte a transfer, no empty ones
}

TEST(ShufflePattern, SaysWhatItCannotDo)
{
    const auto pattern = CreatePolicy<CommunicationPattern>("shuffle");
    EXPECT_EQ(pattern->Refuse({2, 0, 1}), "shuffle needs servers, who receive");
    pattern->SetAttribute("Weights", StringValue("1,2"));
    EXPECT_EQ(pattern->Refuse({2, 3, 1}), "shuffle has 2 Weights for 3 servers");
    for (const char* wrong : {"1,x", "1,-2", "1,", "1.5,2"})
    {
        pattern->SetAttribute("Weights", StringValue(wrong));
        EXPECT_EQ(pattern->Refuse({2, 2, 1}), "shuffle's Weights must be whole numbers, \"3,1,1\"")
            << wrong;
    }
    for (const char* wrong : {"0,0", "18446744073709551615,1"})
    {
        pattern->SetAttribute("Weights", StringValue(wrong));
        EXPECT_EQ(pattern->Refuse({2, 2, 1}),
                  "shuffle's Weights must add up to more than 0 and less than 2^64");
    }
}
