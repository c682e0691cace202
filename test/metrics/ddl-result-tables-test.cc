// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sample-run.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-result-tables.h"

#include <set>

using namespace ns3;
using namespace ns3::ddl;

TEST(ResultTables, StagesCountFromTheCojobsRelease)
{
    // Released at 1 s, ended at 4 s: SCT 3 s, whenever it started; alone 2 s, so slowdown 1.5.
    EXPECT_EQ(FindTable("stages").Format(MakeSampleRun()),
              "cojob_id,stage,jobs,release_s,start_s,end_s,sct_s,alone_s,slowdown,bytes\n"
              "7,1,2,1.000000000,1.500000000,4.000000000,3.000000000,2,1.5,123456789012\n"
              "7,2,1,1.000000000,4.250000000,6.000000000,5.000000000,,,10\n");
}

TEST(ResultTables, JobsCountFromSubmission)
{
    // Job 3 was submitted at 1 s and began at 1.5 s: it waited for 0.5 s. 5 s over 4 s alone: 1.25.
    EXPECT_EQ(
        FindTable("jobs").Format(MakeSampleRun()),
        "job_id,cojob_id,model,workers,servers,pattern,submit_s,start_s,end_s,jct_s,"
        "queue_s,comm_s,compute_s,iterations,stopped_early,alone_s,slowdown,bytes,"
        "accuracy,loss,tta90_s,gate_wait_s,runs,waited_s,occupied_s,weight,leap_error_s\n"
        "3,7,VGG19,4,2,parameter-server,1.000000000,1.500000000,6.000000000,5.000000000,"
        "0.500000000,2.000000000,1.000000000,30,0,4,1.25,100,0.5,1.25,3.000000000,0.250000000,"
        "2,1.500000000,3.500000000,3,0.5\n"
        "4,,\"a,b\",1,0,ring,0.000000000,0.000000001,0.000000002,0.000000002,"
        "0.000000001,0.000000000,0.000000001,1,1,,,0,,,,0.000000000,"
        "1,0.000000001,0.000000001,1,\n");
}

TEST(ResultTables, IterationsPortsRemarksAndSchedule)
{
    const RunResult run = MakeSampleRun();
    EXPECT_EQ(FindTable("iterations").Format(run),
              "job_id,iteration,start_s,compute_end_s,end_s,bytes\n"
              "3,1,1.500000000,1.600000000,2.000000000,50\n"
              "4,1,0.000000000,1.000000000,1.000000000,0\n");
    // From the moment at which the first worker had computed; what moves nothing is no coflow.
    EXPECT_EQ(FindTable("coflows").Format(run),
              "coflow_id,job_id,iteration,phase,start_s,end_s,cct_s,bytes,flows\n"
              "1,3,1,1,1.550000000,2.000000000,0.450000000,50,8\n");
    EXPECT_EQ(FindTable("runs").Format(run),
              "job_id,run,start_s,end_s,reason,servers,gpus,iterations,switch_s,bytes,"
              "checkpoints,state_bytes,repeated,lost_s,train_start_s,train_end_s\n"
              "3,2,1.500000000,6.000000000,suspended,h0 h5,0:1 0:2 "
              "5:0,7,2.500000000,90,3,4000,2,0.250000000,"
              "3.000000000,5.500000000\n");
    EXPECT_EQ(FindTable("waits").Format(run),
              "time_s,cojob_id,job_id,gpus,free_gpus,reason,until_s\n"
              "1.000000000,7,,8,3,no GPUs,\n"
              "2.000000000,,4,1,3,no rack,12.000000000\n");
    EXPECT_EQ(FindTable("ports").Format(run),
              "node,port,peer,queue,packets,bytes,dropped,marked,max_backlog_bytes,utilisation,"
              "rate_bps\n"
              "leaf0,4,spine1,2,1000,1500000,3,20,64000,0.123456789,25000000000\n");
    EXPECT_EQ(FindTable("remarks").Format(run),
              "time_s,host,stream_id,job_id,stage,host_band,dscp\n"
              "2.500000000,h5,12,3,2,1,46\n");
    EXPECT_EQ(FindTable("schedule").Format(run),
              "time_s,units,order,sct_over_bound,messages,control_bytes\n"
              "2.250000000,2,7.2=7.1 8.1,1.25,5,320\n");
}

TEST(ResultTables, ARunInWhichNothingHappenedHasHeadersOnly)
{
    for (const auto& table : ListTables())
    {
        EXPECT_EQ(table->Format(RunResult()), table->GetHeader() + "\n");
    }
}

TEST(ResultTables, EachIsDescribedOnce)
{
    std::set<std::string> tables;
    for (const auto& table : ListTables())
    {
        SCOPED_TRACE(table->name);
        EXPECT_TRUE(tables.insert(table->name).second);
        EXPECT_EQ(&FindTable(table->name), table.get());
        std::set<std::string> columns;
        for (const ResultColumn& column : table->columns)
        {
            EXPECT_TRUE(columns.insert(column.name).second) << column.name;
            EXPECT_NE(column.GetTitle(), "") << column.name;
        }
    }
    EXPECT_EQ(Table<JobRow>::Find().GetFile(), "jobs.csv");
    EXPECT_THROW(FindTable("job"), InputError);
}

TEST(ResultTables, AColumnSaysItsTypeItsUnitAndWhenItIsEmpty)
{
    const auto find = [](const std::string& table, const std::string& name) {
        for (const ResultColumn& column : FindTable(table).columns)
        {
            if (column.name == name)
            {
                return column;
            }
        }
        return ResultColumn();
    };
    const ResultColumn jct = find("jobs", "jct_s");
    EXPECT_EQ(jct.type, "number");
    EXPECT_EQ(jct.GetUnit(), "s");
    EXPECT_EQ(jct.GetTitle(), "job completion time");
    EXPECT_EQ(jct.empty, "");
    EXPECT_EQ(find("jobs", "cojob_id").type, "integer");
    EXPECT_EQ(find("jobs", "cojob_id").empty, "for a plain job");
    EXPECT_EQ(find("jobs", "stopped_early").type, "boolean");
    EXPECT_EQ(find("ports", "max_backlog_bytes").GetUnit(), "bytes");
    EXPECT_EQ(find("ports", "utilisation").GetUnit(), "");
    EXPECT_EQ(find("remarks", "host").type, "string");
}

TEST(ResultTables, RowsThatAreNotWantedAreIgnored)
{
    const IterationRecord iteration = MakeSampleRun().iterations[0];
    RunResult result;
    ResultRows rows({"coflows"}, result);
    EXPECT_FALSE(rows.IsWanted<IterationRecord>());
    EXPECT_TRUE(rows.IsWanted<CoflowRow>());
    EXPECT_TRUE(rows.IsWanted<JobRow>());
    rows.Add(iteration);
    rows.Add(CoflowRow{iteration, 1});
    EXPECT_TRUE(result.iterations.empty());
    EXPECT_EQ(result.coflows.size(), 1U);
    EXPECT_THROW(ResultRows({"iteration"}, result), InputError);
}

TEST(ResultTables, AnAloneTimeOfNothingGivesNoSlowdown)
{
    RunResult run = MakeSampleRun();
    run.stages.resize(1);
    run.stages[0].alone = 0;
    const std::string text = FindTable("stages").Format(run);
    EXPECT_NE(text.find(",3.000000000,0,,"), std::string::npos) << text;
}
