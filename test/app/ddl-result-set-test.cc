// SPDX-License-Identifier: GPL-2.0-only
#include "app/results/ddl-result-set.h"
#include "app/results/ddl-run-summary.h"
#include "app/results/ddl-sweep.h"
#include "ddl-sample-results.h"
#include "ddl-scratch-folder.h"

#include "ns3/ddl-error.h"

namespace ns3::ddl
{
namespace
{

using Strings = std::vector<std::string>;
using Values = std::vector<std::optional<double>>;

/** Tests with folders of results. */
class ResultSetTest : public ScratchFolder
{
  protected:
    std::string Path(const std::string& name) const
    {
        return (m_folder / name).string();
    }

    static Strings Labels(const std::vector<ResultSet>& sets)
    {
        Strings labels;
        for (const auto& set : sets)
        {
            labels.push_back(set.label);
        }
        return labels;
    }
};

TEST_F(ResultSetTest, SummaryGivesWhatItHas)
{
    Write("a/summary.json", MakeSummary(2));
    const RunSummary summary(Path("a"));
    EXPECT_EQ(summary.name, "sample");
    EXPECT_EQ(summary.status, "done");
    EXPECT_EQ(summary.scale, "model 1, iterations 0.5");
    EXPECT_EQ(summary.GetMetric("sct_s"), 2);
    EXPECT_EQ(summary.GetMetric("jct_s", "p95"), 8) << "mean 2 * 2, p95 twice that";
    EXPECT_EQ(summary.GetMetric("makespan_s"), 8) << "4 * 2";
    EXPECT_FALSE(summary.GetMetric("nothing"));
}

TEST_F(ResultSetTest, SummaryOfNothingHasNoMeans)
{
    Write("a/summary.json", "{\"metrics\": {\"sct_s\": {\"count\": 0}, \"makespan_s\": null}}");
    const RunSummary summary(Path("a"));
    EXPECT_FALSE(summary.GetMetric("sct_s"));
    EXPECT_FALSE(summary.GetMetric("makespan_s"));
}

TEST_F(ResultSetTest, SummaryGivesErrorsOfEstimates)
{
    Write("a/summary.json",
          R"({"metrics": {}, "estimates": {"x": {"r2": 0.5, "explained": null}}})");
    const RunSummary summary(Path("a"));
    EXPECT_EQ(summary.GetMetric("estimates.x.r2"), 0.5);
    EXPECT_FALSE(summary.GetMetric("estimates.x.explained"));
    Write("b/summary.json", R"({"metrics": {}, "estimates": 3})");
    EXPECT_FALSE(RunSummary(Path("b")).GetMetric("estimates.x.r2"));
}

TEST_F(ResultSetTest, DamagedSummariesAreBadInput)
{
    for (const std::string text : {"", "{", "[]", "{}", "{\"metrics\": 3}", "{\"metrics\": {}} x"})
    {
        Write("a/summary.json", text);
        EXPECT_THROW(RunSummary(Path("a")), InputError) << text;
    }
    EXPECT_THROW(RunSummary(Path("b")), InputError);
}

TEST_F(ResultSetTest, ASingleRunIsNamedAfterItsScenario)
{
    Write("a/summary.json", MakeSummary(1));
    EXPECT_EQ(Labels(OpenResults({Path("a")})), Strings{"sample"});
}

TEST_F(ResultSetTest, SeveralRunsAreNamedByAsMuchOfTheirPathAsTellsThemApart)
{
    Write("x/a/summary.json", MakeSummary(1));
    Write("x/b/summary.json", MakeSummary(1));
    Write("y/a/summary.json", MakeSummary(1));
    EXPECT_EQ(Labels(OpenResults({Path("x/a"), Path("x/b/")})), (Strings{"a", "b"}));
    EXPECT_EQ(Labels(OpenResults({Path("x/a"), Path("y/a")})), (Strings{"x/a", "y/a"}));
}

TEST_F(ResultSetTest, AllFoldersWithoutResultsAreReported)
{
    Write("a/summary.json", MakeSummary(1));
    try
    {
        OpenResults({Path("none"), Path("a"), Path("neither")});
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_EQ(error.GetDiagnostics().size(), 2U) << error.what();
    }
}

TEST_F(ResultSetTest, AComparisonIsASetForEachCombination)
{
    Write("c/compare.csv",
          "run,seed,scheduler.network,transport.kind,sct_s,makespan_s\n"
          "r1,1,sptf,tcp,2,8\nr2,2,sptf,tcp,4,16\nr3,1,grouper,tcp,,\nr4,2,grouper,tcp,3,12\n");
    Write("c/runs/r1/summary.json", MakeSummary(2));
    Write("c/runs/r2/summary.json", MakeSummary(4));
    Write("c/runs/r4/summary.json", MakeSummary(3));
    const auto sets = OpenResults({Path("c")});
    EXPECT_EQ(Labels(sets), (Strings{"network=sptf, kind=tcp", "network=grouper, kind=tcp"}));
    EXPECT_EQ(ReadMeasure(sets[0], {"sct_s"}), (Values{2, 4}));
    EXPECT_EQ(ReadMeasure(sets[1], {"sct_s"}), (Values{std::nullopt, 3}))
        << "seed 2 stays the second replication although seed 1 failed";
    EXPECT_EQ(DescribeScale(sets), "scale: model 1, iterations 0.5");
    EXPECT_EQ(DescribeRuns(sets), "scenario sample, 1 to 2 seeds; scale: model 1, iterations 0.5");
    EXPECT_EQ(DescribeRuns({sets[0]}), "scenario sample, 2 seeds; scale: model 1, iterations 0.5");
}

TEST_F(ResultSetTest, SamplesAreANumberOrARange)
{
    EXPECT_EQ(DescribeSamples({14, 14}), "n = 14");
    EXPECT_EQ(DescribeSamples({14, 12, 13}), "n = 12 to 14");
    EXPECT_EQ(DescribeSamples({}), "");
}

TEST_F(ResultSetTest, SeveralComparisonsAreToldApart)
{
    for (const std::string folder : {"x/c", "y/c"})
    {
        Write(folder + "/compare.csv", "run,seed,load,sct_s,makespan_s\nr1,1,1,2,8\nr2,1,2,4,16\n");
        Write(folder + "/runs/r1/summary.json", MakeSummary(2));
        Write(folder + "/runs/r2/summary.json", MakeSummary(4));
    }
    const auto sets = OpenResults({Path("x/c"), Path("y/c")});
    EXPECT_EQ(Labels(sets), (Strings{"x/c: load=1", "x/c: load=2", "y/c: load=1", "y/c: load=2"}));
    EXPECT_EQ(Labels(OpenResults({Path("x/c")})), (Strings{"load=1", "load=2"}));
    // A sweep over the load has a line for each.
    const Sweep sweep = MakeSweep(sets, {"sct_s", "mean", ""});
    EXPECT_EQ(sweep.key, "load");
    ASSERT_EQ(sweep.lines.size(), 2U);
    EXPECT_EQ(sweep.lines[0].label, "x/c");
    EXPECT_EQ(sweep.lines[1].label, "y/c");
    EXPECT_EQ(sweep.lines[1].points[1]->mean, 1) << "4 over 4";
}

TEST_F(ResultSetTest, ALabelNamesTheKeyOfABareValue)
{
    EXPECT_EQ(LabelValue("scheduler.rounds.Groups", "40", true), "Groups=40");
    EXPECT_EQ(LabelValue("transport.isolated", "true", true), "isolated=true");
    EXPECT_EQ(LabelValue("transport.kind", "tcp", true), "tcp");
    EXPECT_EQ(LabelValue("transport.kind", "tcp", false), "kind=tcp");
    EXPECT_EQ(LabelValue("cluster.topology.hostRate", "10Gbps", true), "10Gbps");
}

TEST_F(ResultSetTest, APartOfTheValuesIsAtMostALimit)
{
    Write("a/jobs.csv",
          "job_id,cojob_id,model,jct_s\n1,1,VGG19,1\n2,2,VGG19,3\n3,3,AlexNet,2\n4,4,VGG19,\n");
    const ResultSet set{"one", {Path("a"), ""}};
    EXPECT_EQ(ReadMeasure(set, {"jct_s", "mean", "", 2}), (Values{2.0 / 3, std::nullopt}))
        << "two of the three jobs that ended; at the limit counts";
    EXPECT_EQ(ReadMeasure(set, {"jct_s", "mean", "VGG19", 2})[0], 0.5) << "one of two";
    EXPECT_EQ(ReadMeasure(set, {"jct_s", "mean", "", 0.5})[0], 0) << "none";
    EXPECT_EQ(ReadMeasure(set, {"jct_s", "mean", "ResNet-50", 2})[0], std::nullopt)
        << "no job, so no part";
}

TEST_F(ResultSetTest, ColumnsOfAllReplicationsAreReadTogether)
{
    Write("a/stages.csv", MakeStages("1.5", "2.5"));
    Write("b/stages.csv", MakeStages("", ""));
    const ResultSet set{"both", {Path("a"), "", Path("b")}};
    EXPECT_EQ(ReadColumn(set, "stages.csv", "slowdown"), (std::vector<double>{1.5, 2.5}));
    EXPECT_EQ(ReadColumn(set, "stages.csv", "sct_s"), (std::vector<double>{2, 4, 2, 4}));
    EXPECT_THROW(ReadColumn(set, "jobs.csv", "slowdown"), InputError);
}

} // namespace
} // namespace ns3::ddl
