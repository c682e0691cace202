// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scratch-folder.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-log-time.h"
#include "ns3/ddl-trace-format.h"
#include "ns3/string.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

using Settings = std::vector<std::pair<std::string, std::string>>;

Trace
ParseLog(const std::string& format,
         const std::string& text,
         const Settings& settings = {},
         const std::string& name = "t")
{
    const auto reader = CreatePolicy<TraceFormat>(format);
    for (const auto& [attribute, value] : settings)
    {
        reader->SetAttribute(attribute, StringValue(value));
    }
    std::istringstream input(text);
    return reader->Read(input, name);
}

/** \return all that is said about a text, a complaint a line */
std::string
Complaints(const std::string& format, const std::string& text, const Settings& settings = {})
{
    try
    {
        ParseLog(format, text, settings);
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

/** \return lines, GPUs and seconds of arrival and duration of all jobs, by arrival */
std::string
Describe(const Trace& trace)
{
    std::ostringstream text;
    for (const auto& job : trace.jobs)
    {
        text << job.line << ":" << job.gpus << "@" << job.submit.GetSeconds() << "+"
             << job.duration.GetSeconds() << " ";
    }
    return text.str();
}

/** \return what is said of a trace that was read, a sentence a line */
std::string
Notes(const Trace& trace)
{
    std::string text;
    for (const auto& note : trace.notes)
    {
        text += note + "\n";
    }
    return text;
}

const std::string HELIOS = "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,"
                           "end_time,duration,queue\n";

/** All faults that are known of the Helios logs, one a job. */
const std::string HELIOS_FAULTS =
    HELIOS +
    "9,ua,vcX,8,64,1,COMPLETED,2020-09-02 00:00:00,2020-09-02 00:01:00,2020-09-02 00:02:00,60,60\n"
    "3,ua,vcX,1,6,1,FAILED,2020-09-01 23:59:30,2020-09-01 23:59:30,2020-09-02 00:00:00,30,0\n"
    "4,ub,vcX,0,6,1,COMPLETED,2020-09-01 10:00:00,2020-09-01 10:00:00,2020-09-01 10:00:09,9,0\n"
    "5,ub,vcY,2,6,1,CANCELLED,2020-09-01 10:00:00,,,,\n"
    "6,ub,vcY,2,6,1,RUNNING,2020-09-01 10:00:00,2020-09-01 10:00:00,None,nan,0\n"
    "7,ub,vcY,2,6,1,FAILED,2020-09-01 10:00:00,2020-09-01 10:00:05,2020-09-01 10:00:05,0,5\n"
    "8,ub,vcY,2,6,1,FAILED,2020-09-01 10:00:00,2020-09-01 10:00:05,2020-09-01 10:00:01,-4,5\n";

const std::string ACME =
    "job_id,gpu_num,type,state,submit_time,start_time,end_time,duration\n"
    "dlc1,64,Pretrain,FAILED,2023-05-17 11:00:58+00:00,2023-05-17 11:01:08+00:00,"
    "2023-05-17 11:01:16+00:00,18\n"
    "5778432,8,Other,FAILED,2023-05-17 19:00:00+08:00,2023-05-17 19:00:32+08:00,"
    "2023-05-17 19:02:29+08:00,117\n"
    "dlc2,8,Pretrain,COMPLETED,2023-05-17 11:05:00+00:00,,,40\n";

const std::string PODS =
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
    "deletion_time,scheduled_time\n"
    "a,1,1,1,460,,LS,Running,100,900,110\n"
    "b,1,1,8,1000,,LS,Succeeded,0,500,0\n"
    "c,1,1,0,0,,LS,Running,0,500,0\n"
    "d,1,1,1,1000,V100,BE,Pending,5,900,\n"
    "e,1,1,1,1000,,BE,Running,200,900,200\n";

const std::string TASKS = "j1,ps,2.0,Terminated,100.0,250.0,600.0,29.3,,\n"
                          "j1,worker,4.0,Terminated,110.0,300.0,600.0,29.3,100.0,T4\n"
                          "j2,tensorflow,3.0,Failed,50.0,90.0,600.0,29.3,25.0,T4\n"
                          "j1,evaluator,1.0,Failed,120.0,400.0,600.0,29.3,200.0,T4\n"
                          "j3,worker,1.0,Running,200.0,,600.0,29.3,100.0,P100\n"
                          "j3,worker2,1.0,Terminated,200.0,300.0,600.0,29.3,100.0,P100\n"
                          "j4,worker,1.0,Waiting,0.0,0.0,600.0,29.3,100.0,MISC\n"
                          "j5,cpu,1.0,Terminated,10.0,20.0,600.0,29.3,,\n";

} // namespace

TEST(LogTime, TimestampsWithZonesAndFractions)
{
    EXPECT_EQ(ParseTimestamp("1970-01-02 00:00:01"), 86401);
    EXPECT_EQ(ParseTimestamp("1970-01-02T00:00:01Z"), 86401);
    EXPECT_EQ(ParseTimestamp("1970-01-02 08:00:01+08:00"), 86401);
    EXPECT_EQ(ParseTimestamp("1970-01-01 20:30:01-0330"), 86401);
    EXPECT_EQ(ParseTimestamp("1970-01-02 00:00:01.25"), 86401.25);
    EXPECT_EQ(ParseTimestamp("2020-02-29 23:59:59"), 1583020799); // a leap year
    for (const char* wrong : {"2021-02-29 00:00:00",
                              "2020-13-01 00:00:00",
                              "2020-01-01",
                              "2020-01-01 24:00:00",
                              "2020-01-01 00:60:00",
                              "2020-01-01 00:00:00x",
                              "2020-01-01 00:00:00+1",
                              "2020-01-01 00:00:00+99:00",
                              "1969-01-01 00:00:00",
                              "2020-1-1 00:00:00",
                              ""})
    {
        EXPECT_FALSE(ParseTimestamp(wrong)) << wrong;
    }
    EXPECT_TRUE(ParseLogTime("2020-01-01")->isDate);
    EXPECT_EQ(ParseLogTime("12.5")->seconds, 12.5);
    EXPECT_FALSE(ParseLogTime("12.5")->isDate);
    EXPECT_FALSE(ParseLogTime("-1"));
    EXPECT_FALSE(ParseLogTime("inf"));
}

TEST(HeliosTrace, FaultsAreCountedAndTheRestIsReplayed)
{
    const Trace trace = ParseLog("helios", HELIOS_FAULTS + "\n");
    // by arrival, from the first one that is kept; numbers of jobs are those of lines
    EXPECT_EQ(Describe(trace), "3:1@0+30 2:8@30+60 ");
    EXPECT_EQ(trace.jobs[0].id, 3U);
    EXPECT_EQ(Notes(trace),
              "1 job left out: no GPU (line 4)\n"
              "1 job left out: no start, they never ran (line 5)\n"
              "1 job left out: no end, they still ran when the log ended (line 6)\n"
              "1 job left out: a duration of 0 (line 7)\n"
              "1 job left out: end before start (line 8)\n");
}

TEST(HeliosTrace, AttributesDecideWhoIsKept)
{
    const auto kept = [](const Settings& settings) {
        return Describe(ParseLog("helios", HELIOS_FAULTS, settings));
    };
    EXPECT_EQ(kept({{"From", "2020-09-02"}}), "2:8@0+60 ");
    EXPECT_EQ(kept({{"From", "2020-09-02 08:00:00+08:00"}}), "2:8@0+60 "); // the same time
    EXPECT_EQ(kept({{"To", "2020-09-01 23:59:31"}}), "3:1@0+30 ");
    EXPECT_EQ(kept({{"States", "completed, CANCELLED"}}), "2:8@0+60 ");
    EXPECT_EQ(kept({{"Only", "vc=vcX,vcZ;node_num=1"}, {"MostGpus", "7"}}), "3:1@0+30 ");
    EXPECT_EQ(Notes(ParseLog("helios", HELIOS_FAULTS, {{"States", "FAILED"}, {"Only", "user=ua"}})),
              "1 job left out: in other states than the attribute States names (line 2)\n"
              "5 jobs left out: other than the attribute Only names (the first: line 4)\n");
}

TEST(HeliosTrace, AttributesThatDoNotFitTheLogAreErrors)
{
    EXPECT_EQ(
        Complaints(
            "helios",
            HELIOS_FAULTS,
            {{"From", "12"}, {"Only", "vd=a;vc"}, {"Models", "a"}, {"ModelColumn", "modle"}}),
        "t:1: has no column \"modle\" (ModelColumn names it)\n"
        "t:1: has no column \"vd\" (Only names it)\n"
        "t:1: Only must be COLUMN=TEXT,TEXT;COLUMN=TEXT, is \"vd=a;vc\"\n"
        "t:1: Models must be TEXT=MODEL;TEXT=MODEL, is \"a\"\n"
        "t:2: From must be a time such as 2020-09-01 or 2020-09-01 18:00:00, is \"12\"\n"
        "t:8: no job is left: 7 jobs left out: other than the attribute Only names (the first: "
        "line 2)");
    EXPECT_EQ(Complaints("helios", HELIOS_FAULTS, {{"From", "2021-01-01"}}).substr(0, 58),
              "t:8: no job is left: 6 jobs left out: not between From and");
}

TEST(HeliosTrace, WhatIsNoFaultIsAnError)
{
    EXPECT_EQ(Complaints("helios",
                         HELIOS + "1,u,v,x,1,1,COMPLETED,2020-09-01 10:00:00,,,5,0\n"
                                  "1,u,v,-1,1,1,COMPLETED,2020-09-01 10:00:00,,,5,0\n"
                                  "1,u,v,1,1,1,COMPLETED,2020-09-31 10:00:00,,,5,0\n"
                                  "1,u,v,1,1,1,COMPLETED,1600000000,,,5,0\n"
                                  "1,u,v,1,1,1,COMPLETED,2020-09-01 10:00:00,,,5h,0\n"
                                  "1,u,v,1,1,1,COMPL"),
              "t:2: gpu_num must be a number, or empty, is \"x\"\n"
              "t:3: gpu_num must be a number, 0 or more, or empty, is \"-1\"\n"
              "t:4: submit_time must be a time such as 2020-06-09 18:41:01, or seconds, 0 or more, "
              "or empty, is \"2020-09-31 10:00:00\"\n"
              "t:5: submit_time must be a date, as above in the log, is \"1600000000\"\n"
              "t:6: duration must be a number, or empty, is \"5h\"\n"
              "t:7: 7 fields under 12 columns\n"
              "t:7: there is nothing behind the first line");
    EXPECT_EQ(Complaints("helios", "gpu_num,state\n1,x\n"),
              "t:1: has no column \"submit_time\" (gpu_num, submit_time are needed)\n"
              "t:1: there is nothing behind the first line");
}

TEST(AcmeTrace, ZonesModelsAndTheDurationOfKalos)
{
    const Trace trace = ParseLog("acme", ACME, {{"Models", "Other=ResNet-50"}});
    // In Kalos, duration is end - submission. 19:00 at +08:00 is 11:00 at +00:00.
    EXPECT_EQ(Describe(trace), "3:8@0+117 2:64@58+8 4:8@300+40 ");
    EXPECT_EQ(trace.models, (std::vector<std::string>{"Pretrain", "ResNet-50"}));
    EXPECT_EQ(trace.models[trace.jobs[0].model], "ResNet-50");
    EXPECT_EQ(Notes(trace),
              "1 job kept: duration is not end - start, see attribute Duration (line 2)\n");
    EXPECT_EQ(Describe(ParseLog("acme", ACME, {{"Duration", "column"}})),
              "3:8@0+117 2:64@58+18 4:8@300+40 ");
}

TEST(Alibaba2023Trace, PartsOfGpusAndPodsThatNeverRan)
{
    const Trace trace = ParseLog("alibaba2023", PODS);
    EXPECT_EQ(Describe(trace), "3:8@0+500 2:1@100+790 6:1@200+700 ");
    EXPECT_EQ(Notes(trace),
              "1 job kept: a part of a GPU counts as one, by attribute Fraction (line 2)\n"
              "1 job left out: no GPU (line 4)\n"
              "1 job left out: no start, they never ran (line 5)\n"
              "2 jobs kept: end with the log, they may have run longer (the first: line 2)\n");
    EXPECT_EQ(Describe(ParseLog("alibaba2023", PODS, {{"Fraction", "drop"}})),
              "3:8@0+500 6:1@200+700 ");
    const std::string timeless = "name,cpu_milli,memory_mib,num_gpu,gpu_milli";
    EXPECT_TRUE(CreatePolicy<TraceFormat>("alibaba2023")->Recognises(timeless));
    EXPECT_EQ(Complaints("alibaba2023", timeless + "\na,1,1,1,1000\n").substr(0, 38),
              "t:1: has no column \"creation_time\" (nu");
}

TEST(Alibaba2020Trace, TasksOfOneNameAreAJob)
{
    const std::string header = "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,"
                               "plan_mem,plan_gpu,gpu_type\n";
    const std::string jobs = "3:3@0+40 1:6@60+290 "; // 4 workers and 2 GPUs of the evaluator
    for (const std::string& text : {TASKS, header + TASKS})
    {
        const Trace trace = ParseLog("alibaba2020", text);
        EXPECT_EQ(trace.jobs.size(), 2U);
        EXPECT_EQ(trace.details[trace.jobs[1].details].servers, 2U);
        EXPECT_EQ(trace.jobs[0].details, NOT_GIVEN);
    }
    const Trace trace = ParseLog("alibaba2020", TASKS);
    EXPECT_EQ(Describe(trace), jobs);
    EXPECT_EQ(Notes(trace),
              "1 job kept: a part of a GPU counts as one, by attribute Fraction (line 3)\n"
              "1 job left out: no end, they still ran when the log ended (line 5)\n"
              "1 job left out: no time of arrival (line 7)\n"
              "1 job left out: no GPU (line 8)\n");
    // one of the job's tasks failed
    EXPECT_EQ(Describe(ParseLog("alibaba2020", TASKS, {{"States", "Failed"}})), "3:3@0+40 ");
    EXPECT_EQ(Describe(ParseLog("alibaba2020", TASKS, {{"From", "100"}})), "1:6@0+290 ");
}

using Alibaba2020Files = ScratchFolder;

TEST_F(Alibaba2020Files, AJobTableSaysWhenJobsWereSubmitted)
{
    const std::string tasks = Write("tasks.csv", TASKS);
    Write("jobs.csv", "j9,i,u,Terminated,1.0,2.0\nj1,i,u,Terminated,30.0,400.0\n");
    const Trace trace = ParseLog("alibaba2020", TASKS, {{"JobTable", "jobs.csv"}}, tasks);
    EXPECT_EQ(Describe(trace), "1:6@0+290 3:3@20+40 ");
    EXPECT_NE(Notes(trace).find("4 jobs not in JobTable: they arrive when they start"),
              std::string::npos)
        << Notes(trace);
    EXPECT_THROW(ParseLog("alibaba2020", TASKS, {{"JobTable", "none.csv"}}, tasks), InputError);
    Write("jobs.csv", "job_name,start_time\nj1,soon\n");
    try
    {
        ParseLog("alibaba2020", TASKS, {{"JobTable", "jobs.csv"}}, tasks);
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_NE(std::string(error.what()).find("jobs.csv:2: start_time must be a time"),
                  std::string::npos)
            << error.what();
    }
}

TEST_F(Alibaba2020Files, TheHashIsThatOfBothTables)
{
    ObjectFactory format("ns3::ddl::Alibaba2020TraceFormat", "JobTable", StringValue("jobs.csv"));
    const std::string tasks = Write("tasks.csv", TASKS);
    Write("jobs.csv", "j1,i,u,Terminated,30.0,400.0\n");
    const std::string first = ReadTrace(tasks, format).hash;
    Write("jobs.csv", "j1,i,u,Terminated,31.0,400.0\n");
    EXPECT_NE(ReadTrace(tasks, format).hash, first);
    EXPECT_NE(ReadTrace(tasks).hash, first);
}

TEST(Alibaba2020Trace, OtherTablesOfTheLogAreKnownAndRefused)
{
    for (const char* table :
         {"j1,i,u,Terminated,1.0,2.0\n",
          "job_name,inst_id,user,status,start_time,end_time\nj,i,u,Failed,1,2\n",
          "j1,w,n,wn,i,Terminated,1.0,2.0,m\n"})
    {
        EXPECT_EQ(Complaints("alibaba2020", table).substr(0, 51),
                  "t:1: is the first line of another table of this log");
        EXPECT_TRUE(CreatePolicy<TraceFormat>("alibaba2020")->Recognises(table));
    }
}

TEST(ClusterLogs, ChangedFilesAreReadOrRefusedByLine)
{
    const std::vector<std::pair<std::string, std::string>> logs{{"helios", HELIOS_FAULTS},
                                                                {"acme", ACME},
                                                                {"alibaba2020", TASKS},
                                                                {"alibaba2023", PODS}};
    std::mt19937 random(7);
    uint32_t refused = 0;
    for (uint32_t i = 0; i < 2000; ++i)
    {
        auto [format, text] = logs[i % logs.size()];
        for (std::size_t flips = 1 + random() % 6; flips > 0; --flips)
        {
            text[random() % text.size()] ^= static_cast<char>(1 << (random() % 8));
        }
        text.resize(random() % 3 == 0 ? random() % text.size() : text.size());
        try
        {
            ParseLog(format, text);
        }
        catch (const InputError& error)
        {
            ++refused;
            for (const auto& diagnostic : error.GetDiagnostics())
            {
                EXPECT_EQ(diagnostic.where.rfind("t", 0), 0U) << diagnostic.ToString();
                EXPECT_FALSE(diagnostic.what.empty());
            }
            EXPECT_EQ(error.GetDiagnostics()[0].where.rfind("t:", 0), 0U); // with a line
        }
    }
    EXPECT_GT(refused, 500U);
    EXPECT_LT(refused, 2000U);
}

TEST(ClusterLogs, SamplesAreReadByTheirFirstLine)
{
    const char* const home = std::getenv("DDL_HOME");
    ASSERT_NE(home, nullptr);
    const std::string folder = std::string(home) + "/traces/";
    for (const auto& [file, jobs] :
         std::vector<std::pair<std::string, std::size_t>>{{"helios-small.csv", 37},
                                                          {"acme-small.csv", 28},
                                                          {"alibaba2020-tasks-small.csv", 21},
                                                          {"alibaba2023-small.csv", 28}})
    {
        const Trace trace = ReadTrace(folder + file);
        EXPECT_EQ(trace.jobs.size(), jobs) << file;
        EXPECT_FALSE(trace.notes.empty()) << file; // each has faults
    }
}
