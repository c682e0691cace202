// SPDX-License-Identifier: GPL-2.0-only
#include "app/page/ddl-page.h"
#include "app/plot/ddl-figure.h"
#include "app/plot/ddl-gnuplot-chart.h"
#include "app/process/ddl-child-process.h"
#include "ddl-figures-fixture.h"

#include "ns3/ddl-error.h"

#include <map>
#include <set>
#include <sstream>
#include <tuple>

namespace ns3::ddl
{
namespace
{

using Strings = std::vector<std::string>;

using FiguresTest = FiguresFixture;

/** A figure's chart, and the files that gnuplot draws it from. */
struct DrawnChart : GnuplotFiles
{
    Chart chart;
};

DrawnChart
Make(const std::string& name, const std::vector<ResultSet>& sets)
{
    const Chart chart = CreatePolicy<Figure>(name)->Make(sets);
    return {FormatForGnuplot(name, chart), chart};
}

TEST_F(FiguresTest, TheMenuHasEveryFigureWithALineAboutIt)
{
    for (const std::string name : {"bars", "cdf-jct", "cdf-slowdown", "ports"})
    {
        EXPECT_FALSE(CreatePolicy<Figure>(name)->GetSummary().empty());
    }
}

TEST_F(FiguresTest, BarsOfOneSetAreItsCompletionTimesInSeconds)
{
    EXPECT_EQ(Make("bars", {Set("slow", "slow")}).data,
              "panel,series,group,value_s,ci95,published,text,name,label\n"
              "0,0,0,4,,,4.00,stages (SCT) n = 4,mean\n"
              "0,0,1,8,,,8.00,jobs (JCT) n = 4,mean\n"
              "0,0,2,12,,,12.0,cojobs (CoJCT) n = 4,mean\n"
              "0,1,0,2,,,2.00,stages (SCT) n = 4,median\n"
              "0,1,1,4,,,4.00,jobs (JCT) n = 4,median\n"
              "0,1,2,6,,,6.00,cojobs (CoJCT) n = 4,median\n");
}

TEST_F(FiguresTest, PercentilesOfFewValuesAreNotDrawn)
{
    // One of 20 values is beyond the 95th percentile, one of 100 beyond the 99th.
    const auto find = [this](int count, const std::string& row) {
        Write("some/summary.json", MakeSummary(4, count));
        return Make("bars", {Set("some", "some")}).data.find(row) != std::string::npos;
    };
    const std::string p95 = "\n0,2,0,8,,,8.00,stages (SCT) n = ";
    const std::string p99 = "\n0,3,0,12,,,12.0,stages (SCT) n = 100,99th percentile\n";
    EXPECT_FALSE(find(19, "percentile"));
    EXPECT_TRUE(find(20, p95));
    EXPECT_FALSE(find(99, "99th"));
    EXPECT_TRUE(find(100, p95));
    EXPECT_TRUE(find(100, p99));
}

TEST_F(FiguresTest, EachSaysWhichRunsItShowsAndHowManyValues)
{
    const std::string runs = "'scenario sample, 1 seed; scale: model 1, iterations 0.5";
    for (const auto& name : ListPolicies(Figure::GetTypeId()))
    {
        if (name != "load-sweep" && name != "growth" && name != "communication") // of other results
        {
            EXPECT_NE(Make(name, Both()).script.find(runs), std::string::npos) << name;
        }
    }
    EXPECT_NE(Make("bars", Both()).script.find("'SCT' . \"\\n\" . 'n = 4' 0"), std::string::npos)
        << Make("bars", Both()).script;
    const std::string distribution = Make("cdf-slowdown", Both()).script;
    EXPECT_NE(distribution.find("'fraction of 2 stages'"), std::string::npos) << distribution;
    EXPECT_NE(distribution.find("'fraction of 1 jobs'"), std::string::npos) << distribution;
}

TEST_F(FiguresTest, ABoxForEachGpuOfEachRun)
{
    const DrawnChart gantt = Make("gantt", Both());
    EXPECT_EQ(gantt.data,
              "panel,row,from_s,to_s,colour,shade,hatching,label\n"
              "0,0,0,2,1,1,,\"h0, GPU 0: job 1, run 1: suspended\"\n"
              "0,1,0,2,1,1,,\"h1, GPU 0: job 1, run 1: suspended\"\n"
              "0,1,2.5,4,1,1,,\"h1, GPU 0: job 1, run 2: done\"\n"
              "0,2,2.5,4,1,1,,\"h2, GPU 1: job 1, run 2: done\"\n"
              "0,0,2,3,2,1,,\"h0, GPU 0: job 2, run 1: done\"\n"
              "0,3,2,2.5,1,1,0,\"job 1, suspended, waits for GPUs\"\n");
    EXPECT_NE(gantt.script.find("'h0' 0, 'h1' 1, 'h2' 2, 'waits'"), std::string::npos)
        << gantt.script;
    ASSERT_EQ(gantt.chart.panels.size(), 1U);
    EXPECT_EQ(gantt.chart.panels[0].names, (Strings{"h0", "h1", "h2", "waits"}));
    EXPECT_EQ(gantt.chart.panels[0].boxes.at(3).row, 2U);
    EXPECT_EQ(gantt.chart.panels[0].boxes.at(3).end, 4);
    EXPECT_EQ(gantt.chart.panels[0].boxes.at(5).hatching, 0U);
    // Results of an earlier version have no such file.
    std::filesystem::remove(m_folder / "slow/runs.csv");
    EXPECT_EQ(Make("gantt", Both()).nothing, "no job held a GPU");
}

TEST_F(FiguresTest, TimersOfSeveralResultsAreOfOneSize)
{
    // jobs.csv has one job, of two workers: the sizes shown are at most 2
    Write("fast/timers.csv", "time_s,gpus,machine_timer_s,rack_timer_s\n1800,2,0,7200\n");
    Write("fast/jobs.csv", "workers,end_s\n2,10800\n"); // the run goes on after the last change
    const DrawnChart timers = Make("timers", Both());
    EXPECT_EQ(timers.data,
              "panel,series,time_h,timer_h,label,panel_title\n"
              "0,0,0,12,slow,machine timer of jobs of 2 GPUs (h)\n"
              "0,0,1,2,slow,machine timer of jobs of 2 GPUs (h)\n"
              "0,0,2,2,slow,machine timer of jobs of 2 GPUs (h)\n"
              "0,0,2,,slow,machine timer of jobs of 2 GPUs (h)\n"
              "0,1,0.5,0,fast,machine timer of jobs of 2 GPUs (h)\n"
              "0,1,3,0,fast,machine timer of jobs of 2 GPUs (h)\n"
              "1,0,0,24,slow,rack timer of jobs of 2 GPUs (h)\n"
              "1,0,2,24,slow,rack timer of jobs of 2 GPUs (h)\n"
              "1,0,2,,slow,rack timer of jobs of 2 GPUs (h)\n"
              "1,1,0.5,2,fast,rack timer of jobs of 2 GPUs (h)\n"
              "1,1,3,2,fast,rack timer of jobs of 2 GPUs (h)\n");
    ASSERT_EQ(timers.chart.panels.size(), 2U);
    const auto& panel = timers.chart.panels[0];
    EXPECT_EQ(panel.y.label, "machine timer of jobs of 2 GPUs (h)");
    EXPECT_EQ(panel.times, (std::vector<double>{0.5, 1, 2, 3}));
    EXPECT_EQ(panel.series.at(0).y, (std::vector<std::optional<double>>{12, 12, 2, {}}));
    EXPECT_EQ(panel.series.at(1).y, (std::vector<std::optional<double>>{{}, 0, 0, 0}));
}

TEST_F(FiguresTest, TimersOfOneResultAreOfEachSize)
{
    const DrawnChart timers = Make("timers", {Set("slow", "slow")});
    ASSERT_EQ(timers.chart.panels.size(), 2U);
    const auto& rack = timers.chart.panels[1];
    EXPECT_EQ(rack.y.label, "rack timer (h)");
    ASSERT_EQ(rack.series.size(), 2U);
    EXPECT_EQ(rack.series[1].name, "4 GPUs");
    EXPECT_EQ(rack.times, (std::vector<double>{1, 2}));
    EXPECT_EQ(rack.series[0].y, (std::vector<std::optional<double>>{24, 24}));
    EXPECT_EQ(rack.series[1].y, (std::vector<std::optional<double>>{{}, 0.5}));
    Write("slow/timers.csv", "time_s,gpus,machine_timer_s,rack_timer_s\n");
    EXPECT_EQ(Make("timers", {Set("slow", "slow")}).nothing,
              "no run has timers (output.timers=true, and a placement with timers)");
    Write("slow/timers.csv", "time_s,gpus,machine_timer_s,rack_timer_s\n0,1,0,0\n");
    Write("fast/timers.csv", "time_s,gpus,machine_timer_s,rack_timer_s\n0,1,0,0\n");
    EXPECT_EQ(Make("timers", Both()).nothing, "all timers are 0");
}

TEST_F(FiguresTest, GpusThatJobsHeldAsMeansOfIntervals)
{
    // Two GPUs from 0 to 2 s, one from 2 to 2.5 s, three to 3 s, two to 4 s; 300 intervals.
    const DrawnChart held = Make("held-gpus", Both());
    ASSERT_EQ(held.chart.panels.size(), 1U);
    const auto& panel = held.chart.panels[0];
    EXPECT_EQ(panel.x.label, "simulated time (s)");
    ASSERT_EQ(panel.series.size(), 2U);
    ASSERT_EQ(panel.series[0].y.size(), 300U);
    EXPECT_NEAR(*panel.series[0].y[0], 2, 1e-9);
    EXPECT_NEAR(*panel.series[0].y[149], 2, 1e-9);
    EXPECT_NEAR(*panel.series[0].y[151], 1, 1e-9);
    EXPECT_NEAR(*panel.series[0].y[187], 0.5 * 1 + 0.5 * 3, 1e-9); // 2.4933 to 2.5067 s
    EXPECT_NEAR(*panel.series[0].y[200], 3, 1e-9);
    EXPECT_NEAR(*panel.series[0].y[299], 2, 1e-9);
    // Jobs that end after hours.
    Write("fast/runs.csv",
          "job_id,run,start_s,end_s,gpus,iterations,train_start_s,train_end_s\n"
          "1,1,0,36000,0:0 0:1,4,0,36000\n");
    const DrawnChart long10 = Make("held-gpus", Both());
    EXPECT_EQ(long10.chart.panels[0].x.label, "simulated time (h)");
    EXPECT_NE(long10.data.find("\n0,1,10,2,fast\n"), std::string::npos) << long10.data;
    EXPECT_EQ(long10.data.substr(0, long10.data.find('\n')), "panel,series,time_h,gpus,label");
    for (const std::string name : {"slow", "fast"})
    {
        std::filesystem::remove(m_folder / name / "runs.csv");
    }
    EXPECT_EQ(Make("held-gpus", Both()).nothing, "no job held a GPU");
}

TEST_F(FiguresTest, CommunicationOfAJobRunByRun)
{
    // Of m, job 2 communicated longest: 0.25 s of compute per iteration. Its first run does 4 in 2
    // s, the next one 2 in 2 s after a gap; one that did none does not count.
    Write("slow/jobs.csv",
          "job_id,model,comm_s,compute_s,iterations\n1,m,1,1,4\n2,m,2.5,1.5,6\n3,n,0,5,5\n4,k,9,9,"
          "9\n");
    Write("slow/runs.csv",
          "job_id,run,start_s,end_s,gpus,iterations,train_start_s,train_end_s\n"
          "1,1,0,2,0:0,4,0,2\n2,2,3,5,0:1,2,3,5\n2,1,0,2,0:1,4,0,2\n2,3,5,6,0:1,0,,\n3,1,1,6,0:2,5,"
          "1,6\n");
    const DrawnChart communication = Make("communication", Both());
    EXPECT_EQ(communication.data,
              "panel,series,time_s,communication_percent,label\n"
              "0,0,0,50,\"m, job 2\"\n"
              "0,0,2,50,\"m, job 2\"\n"
              "0,0,2,,\"m, job 2\"\n"
              "0,0,3,75,\"m, job 2\"\n"
              "0,0,5,75,\"m, job 2\"\n"
              "0,0,5,,\"m, job 2\"\n"
              "0,1,1,0,\"n, job 3\"\n"
              "0,1,6,0,\"n, job 3\"\n");
    Write("slow/runs.csv", "job_id,run,start_s,end_s,gpus,iterations,train_start_s,train_end_s\n");
    EXPECT_EQ(Make("communication", Both()).nothing, "no job has finished an iteration");
}

TEST_F(FiguresTest, FiguresOfOneRunPassOverThoseThatFailed)
{
    const ResultSet failed{"failed", {""}}; // as of a comparison, all of whose seeds failed
    for (const std::string name : {"gantt", "throughput", "gpus"})
    {
        SCOPED_TRACE(name);
        EXPECT_EQ(Make(name, {failed, Set("slow", "slow")}).data,
                  Make(name, {Set("slow", "slow")}).data);
        EXPECT_NE(Make(name, {failed}).nothing, "");
    }
}

TEST_F(FiguresTest, RunsAreCutWhereStagesStartAndSuspensionsStandBelow)
{
    Write("slow/stages.csv",
          "cojob_id,stage,jobs,release_s,start_s,end_s\n"
          "7,1,2,0,0.5,2\n" // the stages of cojob 7: to 2.2, to 5, to 9
          "7,2,1,0,2.2,4.9\n"
          "7,3,1,0,5,9\n");
    Write("slow/jobs.csv", "job_id,cojob_id\n1,7\n2,7\n3,\n");
    Write("slow/runs.csv",
          "job_id,run,start_s,end_s,reason,gpus\n"
          "2,1,0,2.3,stopped-early,1:0\n" // freed a little after stage 2 began
          "1,1,0,3,suspended,0:0\n"
          "3,1,3,4,killed,0:0\n"
          "3,2,6,7,migrated,1:0\n"
          "1,2,4,9.1,done,0:0\n");
    const DrawnChart gantt = Make("gantt", {Set("slow", "slow")});
    // shades 0.35, 0.35 + 0.65 / 2, 1; job 3 waits from 4 to 6, and from 7 to the end, at 9.1;
    // job 1 waits from 3 to 4, so that one lane is enough
    EXPECT_EQ(gantt.data,
              "panel,row,from_s,to_s,colour,shade,hatching,label\n"
              "0,0,0,2.2,1,0.35,,\"h0, GPU 0: job 1, run 1, stage 1: suspended\"\n"
              "0,0,2.2,3,1,0.675,,\"h0, GPU 0: job 1, run 1, stage 2: suspended\"\n"
              "0,0,4,5,1,0.675,,\"h0, GPU 0: job 1, run 2, stage 2: done\"\n"
              "0,0,5,9.1,1,1,,\"h0, GPU 0: job 1, run 2, stage 3: done\"\n"
              "0,1,0,2.3,2,0.35,,\"h1, GPU 0: job 2, run 1, stage 1: stopped-early\"\n"
              "0,0,3,4,3,1,,\"h0, GPU 0: job 3, run 1: killed\"\n"
              "0,1,6,7,3,1,,\"h1, GPU 0: job 3, run 2: migrated\"\n"
              "0,2,3,4,1,1,0,\"job 1, suspended, waits for GPUs\"\n"
              "0,2,4,6,3,1,2,\"job 3, killed, waits for GPUs\"\n"
              "0,2,7,9.1,3,1,1,\"job 3, migrated, waits for GPUs\"\n");
    for (const std::string entry :
         {"title 'job 1'",
          "title 'stage 1'",
          "title 'stage 3'",
          "linecolor rgb '#444444' fillstyle pattern 4 border title 'suspended'",
          "title 'killed'",
          "title 'migrated'",
          "lanes = 1 "})
    {
        EXPECT_NE(gantt.script.find(entry), std::string::npos) << entry << gantt.script;
    }
    EXPECT_EQ(gantt.script.find("title 'failed"), std::string::npos) << "no job failed";
    const auto& key = gantt.chart.panels.at(0).key; // jobs 1, 2, 3; stages; waits
    ASSERT_EQ(key.size(), 9U);
    EXPECT_EQ(key[3].name, "stage 1");
    EXPECT_EQ(key[3].shade, 0.35);
    EXPECT_EQ(key[8].name, "killed");
    EXPECT_EQ(key[8].hatching, 2U);
    Report report{"Run", "gantt"};
    report.Begin("Figures");
    report.Add(Report::Picture{gantt.chart});
    const std::string page = FormatPage(report);
    EXPECT_NE(page.find("[\"stage 1\",-1,0.35]"), std::string::npos);
    EXPECT_NE(page.find("[\"killed\",-1,0.0]"), std::string::npos);
}

TEST_F(FiguresTest, AStageUnderWayIsTheNextOne)
{
    // stage 1 is over, stage 2 not: a server failed, and the run was cut
    Write("slow/stages.csv", "cojob_id,stage,jobs,release_s,start_s,end_s\n7,1,2,0,0,2\n");
    Write("slow/jobs.csv", "job_id,cojob_id\n1,7\n");
    Write("slow/runs.csv",
          "job_id,run,start_s,end_s,reason,gpus\n"
          "1,1,0,3,failed,0:0\n"
          "1,2,4,5,failed,0:0\n");
    const std::string data = Make("gantt", {Set("slow", "slow")}).data;
    for (const std::string row : {"\n0,0,0,2,1,0.35,,", "\n0,0,2,3,1,1,,", "\n0,0,4,5,1,1,,"})
    {
        EXPECT_NE(data.find(row), std::string::npos) << row << data;
    }
}

TEST_F(FiguresTest, AreasOverTimeLieOneUponTheOther)
{
    EXPECT_EQ(Make("throughput", Both()).data,
              "panel,series,time_s,from_gbit_s,to_gbit_s,label\n"
              "0,0,0,0,2,job 1\n"
              "0,0,1,0,2,job 1\n"
              "0,0,1,0,2,job 1\n"
              "0,0,1.5,0,2,job 1\n"
              "0,1,0,2,2,job 2\n"
              "0,1,1,2,2,job 2\n"
              "0,1,1,2,3,job 2\n"
              "0,1,1.5,2,3,job 2\n");
    EXPECT_EQ(Make("priorities", Both()).data,
              "panel,series,time_s,from_gbit_s,to_gbit_s,label\n"
              "0,0,0,0,8e-06,queue 2\n"
              "0,0,1,0,8e-06,queue 2\n"
              "0,0,1,0,0,queue 2\n"
              "0,0,1.5,0,0,queue 2\n");
    const std::string gpus = Make("gpus", Both()).data;
    EXPECT_NE(gpus.find("\n0,0,0,0,3,computing\n0,0,1,0,3,computing\n0,0,1,0,0,computing\n"),
              std::string::npos)
        << gpus;
    EXPECT_NE(gpus.find("\n0,2,1.5,4,4,free\n"), std::string::npos) << gpus;
    const DrawnChart queues = Make("queues", Both());
    EXPECT_NE(queues.script.find("keyentry with lines "), std::string::npos)
        << "as the curves are drawn";
    EXPECT_EQ(queues.data,
              "panel,series,time_s,kb,label\n"
              "0,0,0,3,\"h0-0-switch0, queue 2\"\n"
              "0,0,1,0,\"h0-0-switch0, queue 2\"\n"
              "0,0,1.5,0,\"h0-0-switch0, queue 2\"\n")
        << "a row wherever it changes";
}

TEST_F(FiguresTest, TrafficOfAWorkerIsThatOfItsMachine)
{
    // job 1's first worker is on machine 10: 40 and 20 MB arrive in 0.5 s, 10 MB leave in 1 s
    std::string runs = MakeRuns();
    runs.replace(runs.find("0:0 1:0"), 7, "10:0 1:0");
    Write("slow/runs.csv", runs);
    Write("slow/series.csv",
          "time_s,kind,name,queue,quantity,value\n"
          "0.500000000,port,h1-0-switch0,2,bytes,70000000\n"
          "0.500000000,port,switch0-10-h1,2,bytes,70000000\n"
          "0.500000000,port,switch0-1-h10,1,bytes,40000000\n"
          "0.500000000,port,switch0-1-h10,2,bytes,20000000\n"
          "1.500000000,port,h10-0-switch0,2,bytes,10000000\n");
    EXPECT_EQ(Make("worker-traffic", Both()).data,
              "panel,series,time_s,mb_s,label\n"
              "0,0,0,120,received\n"
              "0,0,0.5,0,received\n"
              "0,0,1.5,0,received\n"
              "0,1,0,0,sent\n"
              "0,1,0.5,10,sent\n"
              "0,1,1.5,10,sent\n");
    EXPECT_NE(Make("worker-traffic", Both()).script.find("Traffic of one worker of job 1, on h10"),
              std::string::npos);
    runs.resize(runs.find('\n') + 1);
    Write("slow/runs.csv", runs);
    EXPECT_EQ(Make("worker-traffic", Both()).nothing, "no job held a GPU until it ended");
    std::filesystem::remove(m_folder / "slow/runs.csv");
    EXPECT_EQ(Make("worker-traffic", Both()).nothing, "there is no runs.csv");
}

TEST_F(FiguresTest, OfManyJobsTheLargestAreDrawnAndTheSumOfTheOthers)
{
    std::string series = "time_s,kind,name,queue,quantity,value\n";
    for (int job = 1; job <= 14; ++job)
    {
        series +=
            "1.0,job," + std::to_string(job) + ",,bytes," + std::to_string(job) + "25000000\n";
    }
    Write("slow/series.csv", series);
    const std::string data = Make("throughput", Both()).data;
    EXPECT_EQ(data.find("job 3\n"), std::string::npos) << data;
    EXPECT_NE(data.find("job 4\n"), std::string::npos) << data;
    // jobs 1, 2 and 3: 125, 225 and 325 MB in a second are 5.4 Gbit/s
    EXPECT_NE(data.find("0,11,0,81.4,86.8,3 others\n"), std::string::npos) << data;
    std::filesystem::remove(m_folder / "slow/series.csv");
    EXPECT_EQ(Make("throughput", Both()).nothing, "there is no series.csv (output.series=10ms)");
}

TEST_F(FiguresTest, EqualDistributionsAreMarkedAtDifferentHeights)
{
    std::string rows = "job_id,jct_s\n";
    for (int i = 1; i <= 100; ++i)
    {
        rows += std::to_string(i) + "," + std::to_string(i) + "\n";
    }
    Write("slow/jobs.csv", rows);
    const auto files = Make("cdf-jct", {Set("a", "slow"), Set("b", "slow")});
    EXPECT_NE(files.script.find("set xtics (1, 2, 5, 10, 20, 50, 100)\n"), std::string::npos)
        << files.script;
    std::istringstream lines(files.data);
    std::string line;
    std::map<std::string, std::set<std::string>> marked; // set: values and fractions
    while (std::getline(lines, line))
    {
        const auto end = line.rfind(','); // panel,series,value,fraction,published,marker,label
        if (line.substr(end - 2, 2) == ",1")
        {
            marked[line.substr(end + 1)].insert(line.substr(4, end - 4));
        }
    }
    ASSERT_EQ(marked["a"].size(), 5U);
    ASSERT_EQ(marked["b"].size(), 5U);
    for (const auto& place : marked["a"])
    {
        EXPECT_EQ(marked["b"].count(place), 0U) << place;
    }
}

TEST_F(FiguresTest, BarsOfSeveralAreRelativeToTheFirst)
{
    // SCT 3 / 4; JCT 6 / 8; CoJCT 9 / 12; slowdowns (1+3) / (1+4) and (2+3) / (2+4); makespan 12 /
    // 16
    const std::string data = Make("bars", Both()).data;
    EXPECT_NE(data.find("\n0,0,0,1,,,4.00 s,SCT n = 4,slow\n"), std::string::npos) << data;
    EXPECT_NE(data.find("\n0,1,0,0.75,,,3.00 s,SCT n = 4,fast\n"
                        "0,1,1,0.75,,,6.00 s,JCT n = 4,fast\n"
                        "0,1,2,0.75,,,9.00 s,CoJCT n = 4,fast\n"
                        "0,1,3,0.8,,,4.00,stage slowdown n = 4,fast\n"
                        "0,1,4,0.833333333,,,5.00,job slowdown n = 4,fast\n"
                        "0,1,5,0.75,,,12.0 s,makespan,fast\n"),
              std::string::npos)
        << data;
}

TEST_F(FiguresTest, BarsOfSeveralKeysAreRelativeToTheFirstValueOfTheLast)
{
    std::vector<ResultSet> sets;
    for (const auto& [network, period, sct] :
         std::vector<std::tuple<std::string, std::string, double>>{{"sptf", "1s", 4},
                                                                   {"sptf", "2s", 3},
                                                                   {"grouper", "1s", 8},
                                                                   {"grouper", "2s", 2}})
    {
        WriteResults(network + period, sct, "2");
        sets.push_back(Set(network + period, network + period));
        sets.back().values = {{"scheduler.network", network}, {"scheduler.period", period}};
    }
    // 3 / 4 of sptf at 1 s; 8 / 8 and 2 / 8 of grouper at 1 s, as in the table of ddl compare
    const auto files = Make("bars", sets);
    EXPECT_NE(files.data.find("\n0,1,0,0.75,,,3.00 s,SCT n = 4,sptf2s\n"), std::string::npos)
        << files.data;
    EXPECT_NE(files.data.find("\n0,2,0,1,,,8.00 s,SCT n = 4,grouper1s\n"), std::string::npos)
        << files.data;
    EXPECT_NE(files.data.find("\n0,3,0,0.25,,,2.00 s,SCT n = 4,grouper2s\n"), std::string::npos);
    EXPECT_NE(files.script.find("'Means relative to period=1s with the same other values"),
              std::string::npos)
        << files.script;
    const std::string models =
        Make("bars-by-model", sets).data; // SCT 3 in each folder's stages.csv
    EXPECT_NE(models.find("\n0,3,0,1,,,3.00 s,resnet50,grouper2s\n"), std::string::npos) << models;

    sets.erase(sets.begin() + 2); // grouper at 1 s was not run
    EXPECT_NE(Make("bars", sets).data.find("\n0,2,0,,,,2.00 s,SCT n = 4,grouper2s\n"),
              std::string::npos)
        << "nothing to compare it with: " << Make("bars", sets).data;
    sets[2].values = {{"load", "2"}};
    EXPECT_NE(Make("bars", sets).data.find("\n0,2,0,0.5,,,2.00 s,SCT n = 4,grouper2s\n"),
              std::string::npos)
        << "2 / 4: results of different comparisons are relative to the first";
}

TEST_F(FiguresTest, BarsOverSeedsHaveIntervals)
{
    // The seeds' ratios are 3/4 and 4/3: mean 25/24, half their distance 7/24 is s/sqrt(2), t(1) is
    // 12.7062, so the half width is 3.70598.
    ResultSet first{"first", {(m_folder / "slow").string(), (m_folder / "fast").string()}};
    ResultSet second{"second", {(m_folder / "fast").string(), (m_folder / "slow").string()}};
    const auto files = Make("bars", {first, second});
    EXPECT_NE(files.data.find("\n0,1,0,1.04166667,3.70597"), std::string::npos) << files.data;
    EXPECT_NE(files.script.find("95 % confidence intervals over seeds"), std::string::npos);
    EXPECT_EQ(Make("bars", Both()).script.find("confidence"), std::string::npos);
}

TEST_F(FiguresTest, DistributionStepsUpByOneOverN)
{
    EXPECT_EQ(Make("cdf-slowdown", {Set("slow", "slow")}).data,
              "panel,series,slowdown,fraction,published,marker,label,panel_title\n"
              "0,0,2,0,,0,slow,slowdown of stages (time / time alone)\n"
              "0,0,2,0.5,,1,slow,slowdown of stages (time / time alone)\n"
              "0,0,2,1,,1,slow,slowdown of stages (time / time alone)\n"
              "1,0,2,0,,0,slow,slowdown of jobs (time / time alone)\n"
              "1,0,2,1,,1,slow,slowdown of jobs (time / time alone)\n");
}

TEST_F(FiguresTest, DistributionOfCompletionTimesPutsSeedsTogether)
{
    for (const std::string folder : {"other", "none"})
    {
        WriteResults(folder, 1, "");
        Write(folder + "/jobs.csv",
              "job_id,jct_s\n" + std::string(folder == "other" ? "1,6\n2,2\n" : ""));
    }
    const ResultSet both{"both", {(m_folder / "slow").string(), (m_folder / "other").string()}};
    EXPECT_EQ(Make("cdf-jct", {both, Set("none", "none")}).data,
              "panel,series,jct_s,fraction,published,marker,label\n"
              "0,0,2,0,,0,both\n"
              "0,0,2,0.333333333,,1,both\n"
              "0,0,4,0.666666667,,1,both\n"
              "0,0,6,1,,1,both\n");
    EXPECT_EQ(Make("cdf-jct", {Set("none", "none")}).nothing, "no job was completed");
}

TEST_F(FiguresTest, PortsAreStackedByQueue)
{
    EXPECT_EQ(Make("ports", {Set("slow", "slow")}).data,
              "panel,series,bar,from_mb,to_mb,name,label\n"
              "0,0,0,0,0.0005,h0 to leaf0,queue 0 (control)\n"
              "0,1,0,0.0005,2.0005,h0 to leaf0,queue 1\n");
}

/** The stages that each result completed: a figure that knows nothing of how it is drawn. */
Chart
CountStages(const std::vector<ResultSet>& sets)
{
    Chart::Panel panel;
    panel.y = {"stages completed", "", "stages"};
    panel.names = {"all"};
    for (const auto& set : sets)
    {
        const auto slowdowns = ReadColumn(set, "stages.csv", "slowdown");
        panel.series.push_back({set.label, {}, {static_cast<double>(slowdowns.size())}});
    }
    return FindHighest({"", "", {panel}}) == 0 ? NothingToDraw("no stage was completed")
                                               : Chart{"Stages", DescribeRuns(sets), {panel}};
}

constexpr FigureEntry STAGE_COUNT{"ns3::ddl::StageCountFigure", "of a test", CountStages};
const TypeId STAGE_COUNT_FIGURE = FigureOf<STAGE_COUNT>::GetTypeId();

TEST_F(FiguresTest, ANewFigureIsAFunctionThatBothDraw)
{
    const auto drawn = DrawFigures({"stage-count"}, Both(), m_folder / "out");
    EXPECT_EQ(Read("out/stage-count-data.csv"),
              "panel,series,group,stages,ci95,published,text,name,label\n"
              "0,0,0,2,,,,all,slow\n"
              "0,1,0,2,,,,all,fast\n");
    EXPECT_NE(Read("out/stage-count.gp").find("set ylabel 'stages completed'"), std::string::npos);
    if (!FindProgram("gnuplot").empty())
    {
        EXPECT_EQ(drawn.warnings, Strings{});
        EXPECT_EQ(Read("out/stage-count.png").substr(1, 3), "PNG");
    }
    Report report{"Run", "two"};
    report.Begin("Figures");
    EXPECT_TRUE(AddFigure("stage-count", Both(), report));
    EXPECT_NE(FormatPage(report).find("\"yLabel\":\"stages completed\""), std::string::npos);
}

TEST_F(FiguresTest, AStepAtZeroIsTheLeastOne)
{
    Chart::Panel panel;
    panel.kind = Chart::Kind::STEPS;
    panel.series = {{"all", {0, 4, 400}, {0.3, 0.7, 1}}, {"more", {4}, {1}, {}, {}, {0.5}, {500}}};
    EXPECT_EQ(FindStepsRange(panel), std::make_pair(0.0, 500.0)) << "so the axis is linear";
    panel.series = {};
    EXPECT_EQ(FindStepsRange(panel), std::make_pair(0.0, 0.0));
}

TEST_F(FiguresTest, AChartOfMissingValuesIsNoPicture)
{
    Chart::Panel panel;
    panel.kind = Chart::Kind::CURVES;
    panel.times = {1, 2};
    panel.series = {{"all", {}, {std::nullopt, std::nullopt}}};
    EXPECT_EQ(FormatForGnuplot("none", {"t", "", {panel}}).nothing, "all values are missing");
    panel.series[0].y[1] = 3;
    EXPECT_EQ(FormatForGnuplot("one", {"t", "", {panel}}).nothing, "");
}

TEST_F(FiguresTest, TooManyBoxesOrIntervalsAreNoPicture)
{
    Chart::Panel panel;
    panel.kind = Chart::Kind::AREAS;
    panel.series.resize(1);
    for (int i = 1; i <= 100001; ++i) // two rows for each
    {
        panel.times.push_back(i);
        panel.series[0].y.emplace_back(i);
    }
    EXPECT_EQ(FormatForGnuplot("areas", {"", "", {panel}}).nothing,
              "100001 intervals are too many for one picture");
    panel.times.pop_back();
    EXPECT_EQ(FormatForGnuplot("areas", {"", "", {panel}}).nothing, "");
    panel.kind = Chart::Kind::BOXES;
    panel.names.resize(4097);
    EXPECT_EQ(FormatForGnuplot("boxes", {"", "", {panel}}).nothing,
              "0 boxes on 4097 rows are too many for one picture");
}

TEST_F(FiguresTest, NothingToDrawIsASentence)
{
    WriteResults("empty", 1, "");
    Write("empty/summary.json", "{\"metrics\": {\"sct_s\": {\"count\": 0}}}");
    Write("empty/ports.csv", MakePorts(0, 0));
    for (const std::string name : {"bars", "cdf-slowdown", "ports"})
    {
        const auto drawn = DrawFigures({name}, {Set("empty", "empty")}, m_folder / "out");
        EXPECT_TRUE(drawn.pictures.empty());
        EXPECT_TRUE(drawn.warnings.empty());
        ASSERT_EQ(drawn.empty.size(), 1U);
        EXPECT_EQ(drawn.empty[0].find("no figure " + name + ": "), 0U) << drawn.empty[0];
        EXPECT_FALSE(Exists("out/" + name + ".gp"));
    }
}

TEST_F(FiguresTest, FilesOfEqualResultsAreEqualWhereverTheyAre)
{
    WriteResults("elsewhere/deeper/slow", 4, "2");
    WriteResults("elsewhere/deeper/fast", 3, "1.5");
    const std::vector<ResultSet> others{Set("slow", "elsewhere/deeper/slow"),
                                        Set("fast", "elsewhere/deeper/fast")};
    for (const auto& name : ListPolicies(Figure::GetTypeId()))
    {
        const auto files = Make(name, Both());
        EXPECT_EQ(files.data, Make(name, others).data);
        EXPECT_EQ(files.script, Make(name, others).script);
        EXPECT_EQ(files.script.find(m_folder.string()), std::string::npos)
            << "the script knows no path but its own folder";
        // there is nothing to sweep over, and jobs.csv has none of the jobs of runs.csv
        const bool draws = name != "load-sweep" && name != "growth" && name != "communication";
        EXPECT_EQ(files.script.find("'" + name + "-data.csv'") != std::string::npos, draws);
    }
}

TEST_F(FiguresTest, UnknownNamesAreBadInputWithTheNearest)
{
    try
    {
        CheckFigures({"bars", "cdf-slodown"}, {{"jpeg"}, "colum"});
        FAIL();
    }
    catch (const InputError& error)
    {
        ASSERT_EQ(error.GetDiagnostics().size(), 3U);
        EXPECT_EQ(error.GetDiagnostics()[2].ToString(),
                  "--width: there is no \"colum\" (one of page, column); did you mean column?");
        EXPECT_EQ(error.GetDiagnostics()[0].ToString(),
                  "--figure: there is no \"cdf-slodown\" (one of " +
                      JoinNames(ListPolicies(Figure::GetTypeId())) +
                      "); did you mean cdf-slowdown?");
        EXPECT_EQ(error.GetDiagnostics()[1].ToString(),
                  "--format: there is no \"jpeg\" (one of png, svg, pdf)");
    }
}

TEST_F(FiguresTest, PlotDrawsWhatItCanUnlessOneIsAskedFor)
{
    FakeGnuplot("while read line; do name=${line##*load }; done; eval name=$name\n"
                "echo picture > ${name%.gp}.png");
    Write("slow/stages.csv", MakeStages("", ""));
    Write("slow/jobs.csv", MakeJobs(""));
    const auto plot = [this](const Strings& more) {
        auto arguments = MakePlotArguments();
        Strings given{(m_folder / "slow").string()};
        given.insert(given.end(), more.begin(), more.end());
        arguments.Parse(given);
        std::ostringstream out;
        std::ostringstream err;
        const int status = Plot(arguments, out, err);
        return std::make_pair(status, out.str());
    };
    const std::string folder = (m_folder / "slow").string();
    EXPECT_EQ(plot({}),
              std::make_pair(0,
                             folder + "/bars.png\n" + folder + "/cdf-jct.png\n" + folder +
                                 "/gantt.png\n" + folder + "/gpus.png\n" + folder +
                                 "/held-gpus.png\n" + folder + "/network.png\n" + folder +
                                 "/ports.png\n" + folder + "/priorities.png\n" + folder +
                                 "/queues.png\n" + folder + "/throughput.png\n" + folder +
                                 "/timers.png\n" + folder + "/worker-traffic.png\n"));
    EXPECT_EQ(plot({"--figure=cdf-slowdown"}).first, 1);
    EXPECT_EQ(plot({"--figure=bars,ports", "--out=" + folder + "/o"}).second,
              folder + "/o/bars.png\n" + folder + "/o/ports.png\n");
}

} // namespace
} // namespace ns3::ddl
