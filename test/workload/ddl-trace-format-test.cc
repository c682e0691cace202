// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scratch-folder.h"

#include "ns3/ddl-content-hash.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-trace-format.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/stat.h>
#include <thread>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

Trace
ParseText(const std::string& format, const std::string& text)
{
    std::istringstream input(text);
    return CreatePolicy<TraceFormat>(format)->Read(input, "t");
}

/** \return all that is said about a text, a complaint a line */
std::string
Complaints(const std::string& format, const std::string& text)
{
    try
    {
        ParseText(format, text);
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

const std::string TIRESIAS = "job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n";

} // namespace

TEST(TraceFormat, EachFormatKnowsItsOwnFirstLineAlone)
{
    const std::vector<std::pair<std::string, std::string>> headers = {
        {"coflows", "150 526"},
        {"jobs", "job_id,num_gpu,submit_time,iterations,model_name,duration,interval"},
        {"jobs", "interval,num_gpu"},
        {"philly", "timestamp,duration,num_gpus,gpu_time,cluster"},
        {"helios", "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time"},
        {"acme", "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time"},
        {"alibaba2020", "j,worker,1.0,Terminated,1.0,2.0,600.0,29.3,100.0,T4"},
        {"alibaba2020", "job_name,task_name,inst_num,status,start_time,end_time,plan_gpu"},
        {"alibaba2023", "name,num_gpu,gpu_milli,pod_phase,creation_time,deletion_time"},
        {"", "hello"},
        {"", "150 526 3"},
        {"", "a,b"},
    };
    for (const auto& [wanted, header] : headers)
    {
        for (const auto& name : ListPolicies(TraceFormat::GetTypeId()))
        {
            const auto format = CreatePolicy<TraceFormat>(name);
            EXPECT_EQ(format->Recognises(header), name == wanted) << name << ": " << header;
            EXPECT_FALSE(format->GetSummary().empty());
        }
    }
}

using TraceFiles = ScratchFolder;

TEST_F(TraceFiles, APipeIsReadOnceAndHashedAsItWasRead)
{
    const std::string text = TIRESIAS + "1,2,0,10,VGG19,0,0\n2,4,5,20,VGG19,0,0\n";
    const std::string pipe = m_folder / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(pipe) << text; });
    const Trace trace = ReadTrace(pipe);
    writer.join();
    EXPECT_EQ(trace.jobs.size(), 2U);
    EXPECT_EQ(trace.hash, HashText(text));
    EXPECT_THROW(ReadTrace(Write("empty", "")), InputError);
}

TEST(JobsTrace, ColumnsOfTiresiasInAnyOrder)
{
    const Trace trace = ParseText("jobs",
                                  "\xEF\xBB\xBFmodel_name,num_gpu,job_id,iterations,submit_time\r\n"
                                  "vgg16, 2 ,0,100,30\r\n"
                                  "# a comment\n"
                                  "\n"
                                  "\"resnet50\",1,1,7,12.5\n"
                                  "vgg16,1,2,8,12.5");
    ASSERT_EQ(trace.jobs.size(), 3U);
    // By arrival, then by line; numbered from 1 since the file numbers from 0.
    EXPECT_EQ(trace.jobs[0].id, 2U);
    EXPECT_EQ(trace.jobs[0].submit, MilliSeconds(12500));
    EXPECT_EQ(trace.models[trace.jobs[0].model], "resnet50");
    EXPECT_EQ(trace.jobs[1].id, 3U);
    EXPECT_EQ(trace.jobs[2].id, 1U);
    EXPECT_EQ(trace.jobs[2].line, 2U);
    EXPECT_EQ(trace.jobs[2].gpus, 2U);
    EXPECT_EQ(trace.jobs[2].iterations, 100U);
    EXPECT_EQ(trace.jobs[2].cojob, NOT_GIVEN);
    EXPECT_EQ(trace.models.size(), 2U);
}

TEST(JobsTrace, IntervalsAndDurationsInThePlaceOfTimesAndIterations)
{
    const Trace trace = ParseText("jobs", "num_gpu,interval,duration\n1,5,60\n2,7,0.5\n");
    EXPECT_EQ(trace.jobs[0].submit, Seconds(5));
    EXPECT_EQ(trace.jobs[1].submit, Seconds(12));
    EXPECT_EQ(trace.jobs[0].duration, Seconds(60));
    EXPECT_EQ(trace.jobs[1].iterations, NOT_GIVEN);
    EXPECT_EQ(trace.jobs[1].id, 2U);
}

TEST(JobsTrace, CojobsStandTogetherFromTheirFirstJobOn)
{
    const Trace trace =
        ParseText("jobs",
                  "job_id,num_gpu,submit_time,cojob_id,stages,servers,accuracy,loss\n"
                  "1,1,20,5,10;20,2,0:0.1;30:0.7,0:3;30:1\n"
                  "2,1,15,,40,,,\n"
                  "3,1,10,5,10;20,2,,\n");
    ASSERT_EQ(trace.jobs.size(), 3U);
    EXPECT_EQ(trace.jobs[0].id, 1U);
    EXPECT_EQ(trace.jobs[0].submit, Seconds(10)); // with its cojob
    EXPECT_EQ(trace.jobs[1].id, 3U);
    EXPECT_EQ(trace.jobs[2].id, 2U);
    const TraceDetails& details = trace.details[trace.jobs[0].details];
    EXPECT_EQ(details.stages, (std::vector<uint64_t>{10, 20}));
    EXPECT_EQ(details.servers, 2U);
    ASSERT_EQ(details.points.size(), 2U);
    EXPECT_EQ(details.points[1].iteration, 30);
    EXPECT_EQ(details.points[1].accuracy, 0.7);
    EXPECT_EQ(*details.points[1].loss, 1);
}

TEST(JobsTrace, AllBadLinesAtOnceByNumber)
{
    EXPECT_EQ(Complaints("jobs",
                         TIRESIAS + "0,1,0,606,vgg19,164,30\n"
                                    "1,0,30,133,vgg11,147,23\n"
                                    "2,x,53,157,inception4,127,26\n"
                                    "3,1,-79,513,vgg16,121,20\n"
                                    "4,4,99\n"
                                    "5,8,132,0,inception3,138,44\n"
                                    "6,1,nan,326,resnet152,121,28\n"
                                    "7,2,204,,resnet152,,23\n"
                                    "0,2,227,235,vgg16,155,25\n"),
              "t:3: num_gpu must be a whole number from 1 to 4096, is \"0\"\n"
              "t:4: num_gpu must be a whole number from 1 to 4096, is \"x\"\n"
              "t:5: submit_time must be seconds, 0 or more, is \"-79\"\n"
              "t:6: 3 fields under 7 columns\n"
              "t:7: iterations must be a whole number from 1 to 1000000000000000, is \"0\"\n"
              "t:8: submit_time must be seconds, 0 or more, is \"nan\"\n"
              "t:9: has no iterations, stages or duration (one of them is needed)\n"
              "t:10: the number 0 is that of line 2 already");
}

TEST(JobsTrace, ManyBadLinesAreCounted)
{
    std::string text = TIRESIAS;
    for (int i = 0; i < 50; ++i)
    {
        text += "a\n";
    }
    const std::string said = Complaints("jobs", text);
    EXPECT_NE(said.find("t:21: 1 fields under 7 columns\nt: there are 31 more complaints"),
              std::string::npos)
        << said; // 20 lines, and that there is nothing left
}

TEST(JobsTrace, WhatCannotBe)
{
    EXPECT_EQ(Complaints("jobs", "job_id,submit_time\n1,2\n"),
              "t:1: has no column \"num_gpu\" (num_gpu are needed)\n"
              "t:1: there is nothing behind the first line");
    EXPECT_EQ(Complaints("jobs", TIRESIAS), "t:1: there is nothing behind the first line");
    EXPECT_EQ(Complaints("jobs",
                         "num_gpu,submit_time,cojob_id,stages,accuracy,loss\n"
                         "1,0,1,10;20,,\n"
                         "1,0,1,10;30,,\n"
                         "1,0,,5;x,,\n"
                         "1,0,,5,1:2;1:3,\n"
                         "1,0,,5,1:2,2:3\n"
                         "1,0,,5,12,\n"),
              "t:4: stages must be iterations of each stage, \"500;1000\", is \"5;x\"\n"
              "t:5: accuracy must be \"iteration:value;iteration:value\" with increasing "
              "iterations, is \"1:2;1:3\"\n"
              "t:6: loss and accuracy must be given at the same iterations\n"
              "t:7: accuracy must be \"iteration:value;iteration:value\" with increasing "
              "iterations, is \"12\"\n"
              "t:3: has other stages than line 2 of the same cojob");
}

TEST(PhillyTrace, TimesAreTakenFromTheFirstJobOnWhereverItStands)
{
    const std::string header = "timestamp,duration,num_gpus,gpu_time,cluster\n";
    const Trace trace = ParseText("philly",
                                  header + "2017-10-09 07:01:55,66.0,1,66.0,11cb48\n"
                                           "2017-10-08 07:01:50,2951.0,8,2951.0,6214e9\n");
    ASSERT_EQ(trace.jobs.size(), 2U);
    EXPECT_EQ(trace.jobs[0].id, 2U);
    EXPECT_EQ(trace.jobs[0].submit, Time(0));
    EXPECT_EQ(trace.jobs[0].gpus, 8U);
    EXPECT_EQ(trace.jobs[1].submit, Seconds(86405)); // a day and 5 s
    EXPECT_EQ(trace.jobs[1].duration, Seconds(66));
    EXPECT_EQ(Complaints("philly",
                         header + "2017-10-09,66.0,1,66.0,a\n"
                                  "2017-10-09 07:01:55x,66.0,1,66.0,a\n"
                                  "2017-10-09 07:01:55,,1,66.0,a\n"),
              "t:2: timestamp must be a time such as 2017-10-09 07:01:55, is \"2017-10-09\"\n"
              "t:3: timestamp must be a time such as 2017-10-09 07:01:55, is "
              "\"2017-10-09 07:01:55x\"\n"
              "t:4: duration must be seconds, 0 or more, is \"\"\n"
              "t:4: there is nothing behind the first line");
}

TEST(CoflowsTrace, LinesOfTheCoflowBenchmark)
{
    const Trace trace = ParseText("coflows",
                                  "150 3\n"
                                  "1 0 1 22 1 65:1.0\n"
                                  "24 132130 3 78 106 128 1 78:3.0\n"
                                  "54 2.5  2 0 149\t2 14:5.0 100:0.0000001\n");
    EXPECT_EQ(trace.ports, 150U);
    ASSERT_EQ(trace.coflows.size(), 3U);
    EXPECT_EQ(trace.coflows[1].id, 54U);
    EXPECT_EQ(trace.coflows[1].submit, MicroSeconds(2500));
    EXPECT_EQ(trace.coflows[1].mappers, (std::vector<uint32_t>{0, 149}));
    ASSERT_EQ(trace.coflows[1].reducers.size(), 2U);
    EXPECT_EQ(trace.coflows[1].reducers[0].port, 14U);
    EXPECT_EQ(trace.coflows[1].reducers[0].bytes, 5000000U);
    EXPECT_EQ(trace.coflows[1].reducers[1].bytes, 1U); // never nothing
    EXPECT_EQ(trace.coflows[2].mappers.size(), 3U);
}

TEST(CoflowsTrace, AllBadLinesAtOnceByNumber)
{
    EXPECT_EQ(Complaints("coflows",
                         "4 9\n"
                         "1 0 1 4 1 0:1\n"
                         "2 0 1 0 1 4:1\n"
                         "3 0 1 0 1 1:0\n"
                         "4 0 1 0 1 1\n"
                         "5 -1 1 0 1 1:1\n"
                         "6 0 9 0 1 1:1\n"
                         "7 0 1 0 1 1:1 2:1\n"
                         "8 0 1 0\n"),
              "t:2: the port of a mapper must be a whole number from 0 to 3, is \"4\"\n"
              "t:3: a reducer must be port:MB, with a port from 0 to 3 and more than 0 MB, is "
              "\"4:1\"\n"
              "t:4: a reducer must be port:MB, with a port from 0 to 3 and more than 0 MB, is "
              "\"1:0\"\n"
              "t:5: a reducer must be port:MB, with a port from 0 to 3 and more than 0 MB, is "
              "\"1\"\n"
              "t:6: the arrival must be milliseconds, 0 or more, is \"-1\"\n"
              "t:7: the number of mappers must be a whole number from 1 to 3, is \"9\"\n"
              "t:8: has 1 words behind the last reducer\n"
              "t:9: the number of reducers must be a whole number from 1 to 1, is \"\"\n"
              "t:9: the first line promises 9 coflows; there are 8\n"
              "t:9: there is nothing behind the first line");
}

TEST(ReadTrace, AFileThatNobodyKnows)
{
    EXPECT_THROW(ReadTrace("/nowhere/at/all"), InputError);
    EXPECT_THROW(ReadTrace("/dev/null"), InputError);
}
