// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sample-run.h"

#include "ns3/ddl-result-tables.h"

using namespace ns3;
using namespace ns3::ddl;

TEST(ResultTables, StagesCountFromTheCojobsRelease)
{
    // Released at 1 s, ended at 4 s: SCT 3 s, whenever it started; alone 2 s, so slowdown 1.5.
    EXPECT_EQ(FormatStages(MakeSampleRun()),
              "cojob_id,stage,jobs,release_s,start_s,end_s,sct_s,alone_s,slowdown,bytes\n"
              "7,1,2,1.000000000,1.500000000,4.000000000,3.000000000,2,1.5,123456789012\n"
              "7,2,1,1.000000000,4.250000000,6.000000000,5.000000000,,,10\n");
}

TEST(ResultTables, JobsCountFromSubmission)
{
    // Job 3 was submitted at 1 s and began at 1.5 s: it waited for 0.5 s. 5 s over 4 s alone: 1.25.
    EXPECT_EQ(
        FormatJobs(MakeSampleRun()),
        "job_id,cojob_id,model,workers,servers,pattern,submit_s,start_s,end_s,jct_s,"
        "queue_s,comm_s,compute_s,iterations,stopped_early,alone_s,slowdown,bytes,"
        "accuracy,loss,tta90_s,gate_wait_s,runs,waited_s,occupied_s,weight\n"
        "3,7,VGG19,4,2,parameter-server,1.000000000,1.500000000,6.000000000,5.000000000,"
        "0.500000000,2.000000000,1.000000000,30,0,4,1.25,100,0.5,1.25,3.000000000,0.250000000,"
        "2,1.500000000,3.500000000,3\n"
        "4,,\"a,b\",1,0,ring,0.000000000,0.000000001,0.000000002,0.000000002,"
        "0.000000001,0.000000000,0.000000001,1,1,,,0,,,,0.000000000,"
        "1,0.000000001,0.000000001,1\n");
}

TEST(ResultTables, IterationsPortsRemarksAndSchedule)
{
    const RunResult run = MakeSampleRun();
    EXPECT_EQ(FormatIterations(run),
              "job_id,iteration,start_s,compute_end_s,end_s,bytes\n"
              "3,1,1.500000000,1.600000000,2.000000000,50\n"
              "4,1,0.000000000,1.000000000,1.000000000,0\n");
    // From the moment at which the first worker had computed; what moves nothing is no coflow.
    EXPECT_EQ(FormatCoflows(run),
              "coflow_id,job_id,iteration,phase,start_s,end_s,cct_s,bytes,flows\n"
              "1,3,1,1,1.550000000,2.000000000,0.450000000,50,8\n");
    EXPECT_EQ(FormatRuns(run),
              "job_id,run,start_s,end_s,reason,servers,gpus,iterations,switch_s,bytes,"
              "checkpoints,state_bytes,repeated,lost_s,train_start_s,train_end_s\n"
              "3,2,1.500000000,6.000000000,suspended,h0 h5,0:1 0:2 "
              "5:0,7,2.500000000,90,3,4000,2,0.250000000,"
              "3.000000000,5.500000000\n");
    EXPECT_EQ(FormatWaits(run),
              "time_s,cojob_id,job_id,gpus,free_gpus,reason,until_s\n"
              "1.000000000,7,,8,3,no GPUs,\n"
              "2.000000000,,4,1,3,no rack,12.000000000\n");
    EXPECT_EQ(FormatPorts(run),
              "node,port,peer,queue,packets,bytes,dropped,marked,max_backlog_bytes,utilisation\n"
              "leaf0,4,spine1,2,1000,1500000,3,20,64000,0.123456789\n");
    EXPECT_EQ(FormatRemarks(run),
              "time_s,host,stream_id,job_id,stage,host_band,dscp\n"
              "2.500000000,h5,12,3,2,1,46\n");
    EXPECT_EQ(FormatSchedule(run),
              "time_s,units,order,sct_over_bound,messages,control_bytes\n"
              "2.250000000,2,7.2=7.1 8.1,1.25,5,320\n");
}

TEST(ResultTables, ARunInWhichNothingHappenedHasHeadersOnly)
{
    const RunResult nothing;
    for (const auto& text : {FormatStages(nothing),
                             FormatJobs(nothing),
                             FormatRuns(nothing),
                             FormatIterations(nothing),
                             FormatWaits(nothing),
                             FormatPorts(nothing),
                             FormatRemarks(nothing),
                             FormatSchedule(nothing)})
    {
        EXPECT_EQ(text.find('\n'), text.size() - 1) << text;
    }
}

TEST(ResultTables, AnAloneTimeOfNothingGivesNoSlowdown)
{
    RunResult run = MakeSampleRun();
    run.stages.resize(1);
    run.stages[0].alone = 0;
    const std::string text = FormatStages(run);
    EXPECT_NE(text.find(",3.000000000,0,,"), std::string::npos) << text;
}
