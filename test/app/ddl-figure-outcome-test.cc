// SPDX-License-Identifier: GPL-2.0-only
#include "app/page/ddl-page.h"
#include "app/plot/ddl-figure.h"
#include "app/plot/ddl-gnuplot-chart.h"
#include "app/plot/ddl-gnuplot.h"
#include "app/process/ddl-child-process.h"
#include "app/reproduce/ddl-figure-outcome.h"
#include "app/reproduce/ddl-figure-report.h"
#include "app/reproduce/ddl-outcome-text.h"
#include "app/reproduce/ddl-published-marks.h"
#include "app/reproduce/ddl-reproduce-forecast.h"
#include "app/reproduce/ddl-reproduce-report.h"
#include "ddl-process-state.h"
#include "ddl-sample-results.h"
#include "ddl-scratch-folder.h"

#include "ns3/ddl-error.h"

#include <map>
#include <regex>
#include <tuple>

namespace ns3::ddl
{
namespace
{

/** \return the plain text of a reproduction, on long lines and without the spaces that align it */
std::string
FormatLong(FigureVariant variant, const FigureReport& report)
{
    const Report made = MakeReproductionReport("tiny", variant, {report});
    return std::regex_replace(FormatText(made, 1000), std::regex(" +"), " ");
}

/** A figure of one comparison whose results are made up, three seeds each. */
class FigureOutcomeTest : public ScratchFolder
{
  protected:
    void SetUp() override
    {
        ScratchFolder::SetUp();
        m_figure.folder = "fig";
        m_figure.path = m_folder.string();
        m_figure.number = "Fig. 1";
        m_figure.title = "title";
        m_figure.claim = "claim";
        FigureComparison comparison;
        comparison.name = comparison.folder = "all";
        comparison.scenario = "s";
        comparison.variations = {{"network", {"slow", "fast", "same"}}};
        m_figure.comparisons = {comparison};
        WriteComparison({{"slow", {10, 10, 20}}, {"fast", {8, 9, 14}}, {"same", {11, 9, 20}}});
    }

    /** Write compare.csv, and a summary for each run: mean SCTs, by what was varied, by seed */
    void WriteComparison(const std::map<std::string, std::vector<double>>& scts)
    {
        std::string csv = "run,seed,network,sct_s,makespan_s\n";
        for (const auto& [network, values] : scts)
        {
            for (std::size_t i = 0; i < values.size(); ++i)
            {
                const std::string run = network + "_" + std::to_string(i + 1);
                const bool isDone = values[i] > 0;
                csv += run + "," + std::to_string(i + 1) + "," + network +
                       (isDone ? ",1,1\n" : ",,\n");
                if (isDone)
                {
                    Write("results/fig/all/runs/" + run + "/summary.json", MakeSummary(values[i]));
                }
            }
        }
        Write("results/fig/all/compare.csv", csv);
    }

    FigureOutcome Run() const
    {
        return Evaluate(m_figure, OpenFigureResults(m_folder / "results", m_figure));
    }

    /** Ask for the change of mean SCT of one network against another. */
    void AskChange(const std::string& of, const std::string& over, std::optional<double> published)
    {
        FigureValue value;
        value.name = of + " over " + over;
        value.of = {{"network", of}};
        value.over = {{"network", over}};
        value.published = published;
        m_figure.values.push_back(value);
    }

    PaperFigure m_figure;
};

TEST_F(FigureOutcomeTest, ChangesAreOfPairedSeeds)
{
    AskChange("fast", "slow", -0.31);
    const ValueOutcome outcome = Run().values.at(0);
    // ratios 0.8, 0.9, 0.7: mean 0.8, s = sqrt((0 + 0.01 + 0.01) / 2) = 0.1, t(2) = 4.302653,
    // half width 4.302653 * 0.1 / sqrt(3) = 0.248414
    ASSERT_TRUE(outcome.ours);
    EXPECT_NEAR(outcome.ours->mean, -0.2, 1e-12);
    EXPECT_NEAR(*outcome.ours->halfWidth, 0.248414, 1e-6);
    EXPECT_NEAR(*outcome.gap, 0.11, 1e-12) << "-0.2 less -0.31";
    EXPECT_EQ(outcome.ours->count, 3U);
    EXPECT_EQ(outcome.verdict, Verdict::UNDECIDED) << "-0.31 is from -0.448 to 0.048, and so is 0";
}

TEST_F(FigureOutcomeTest, VerdictsByInterval)
{
    AskChange("fast", "slow", -0.6); // -0.2 +- 0.25 includes 0, and not -0.6
    AskChange("fast", "slow", std::nullopt);
    AskChange("fast", "none", -0.1);
    WriteComparison({{"slow", {10, 10, 10}}, {"fast", {8, 8, 8.1}}, {"same", {12, 12, 12.1}}});
    AskChange("fast", "slow", -0.6);
    AskChange("same", "slow", -0.1);
    const auto values = Run().values;
    EXPECT_EQ(values[1].verdict, Verdict::NOT_PUBLISHED);
    EXPECT_EQ(values[2].verdict, Verdict::MISSING);
    EXPECT_EQ(values[3].verdict, Verdict::OUTSIDE) << "-0.197 +- 0.014";
    EXPECT_EQ(values[4].verdict, Verdict::OPPOSITE) << "+0.203 +- 0.014";
    WriteComparison({{"slow", {10, 10, 20}}, {"fast", {8, 9, 14}}});
    EXPECT_EQ(Run().values[0].verdict, Verdict::UNCERTAIN);
}

TEST_F(FigureOutcomeTest, VerdictsByTolerance)
{
    // -0.19667 +- 0.01434: a gap of 0.02 is beyond the interval
    WriteComparison({{"slow", {10, 10, 10}}, {"fast", {8, 8, 8.1}}, {"same", {12, 12, 12.1}}});
    for (const double published : {-0.21, -0.22, -0.204, 0.1})
    {
        AskChange("fast", "slow", published);
    }
    m_figure.values.push_back(m_figure.values[1]);
    m_figure.values.back().tolerance = 0.03;
    AskChange("slow", "slow", 0.009);
    const auto values = Run().values;
    EXPECT_EQ(values[0].verdict, Verdict::WITHIN) << "within 0.0143";
    EXPECT_EQ(values[1].verdict, Verdict::OUTSIDE) << "0.0233 is more than 0.0143 and than 0.01";
    EXPECT_EQ(values[2].verdict, Verdict::WITHIN);
    EXPECT_EQ(values[3].verdict, Verdict::OPPOSITE);
    EXPECT_EQ(values[4].verdict, Verdict::CLOSE) << "but not more than 0.03";
    EXPECT_EQ(values[5].verdict, Verdict::CLOSE) << "0 +- 0, published 0.009";
}

TEST_F(FigureOutcomeTest, OneSeedHasNoIntervalAndSaysSo)
{
    WriteComparison({{"slow", {10}}, {"fast", {8}}, {"same", {12}}});
    for (const double published : {-0.195, -0.31, 0.1})
    {
        AskChange("fast", "slow", published);
    }
    FigureValue number;
    number.name = "units";
    number.of = {{"network", "fast"}};
    number.published = 8.15;
    m_figure.values.push_back(number);
    m_figure.values.push_back(number);
    m_figure.values.back().published = 8.2;
    const FigureOutcome outcome = Run();
    std::vector<std::string> words;
    for (const auto& value : outcome.values)
    {
        words.push_back(FormatVerdict(value));
    }
    EXPECT_EQ(words,
              (std::vector<std::string>{"within the tolerance; one seed, no interval",
                                        "outside the tolerance; one seed, no interval",
                                        "OPPOSITE SIGN; one seed, no interval",
                                        "within the tolerance; one seed, no interval",
                                        "outside the tolerance; one seed, no interval"}))
        << "a point of a change, and 2 % of 8.15 and 8.2: 0.163 and 0.164";
}

TEST_F(FigureOutcomeTest, TheFirstScreenSumsUp)
{
    WriteComparison({{"slow", {10, 10, 10}}, {"fast", {8, 8, 8.1}}, {"same", {9, 10, 12}}});
    AskChange("fast", "slow", -0.2);
    AskChange("fast", "slow", -0.31);
    AskChange("same", "slow", 0.2); // 0.033 +- 0.38
    AskChange("fast", "none", -0.1);
    AskChange("fast", "slow", std::nullopt);
    m_figure.why = "The paper's links are twice as fast.";
    m_figure.orders = {{"SCT", {}, "network", {}, {"slow", "fast"}, "Fig. 1"}};
    FigureReport report;
    report.figure = &m_figure;
    report.outcome = Run();
    report.beside.chart = ChartPublished(m_figure, report.outcome);
    const std::string text = FormatLong(FigureVariant::FULL, report);
    for (const std::string part :
         {"1 published numbers met, 1 missed, 1 not decided, 1 not run, 0 of 1 published orders "
          "met, ",
          "1 of 4 published numbers are met, 1 missed, 1 not decided, 1 not run. "
          "0 of 1 published orders are met, 1 missed.\n",
          "Fig. 1 2 The paper's links are twice as fast.\n",
          "Fig. 1 fast over slow -31.0 % -19.7 ± 1.4 % (3 seeds) +11.3 points\n",
          "Fig. 1 order, SCT slow < fast (Fig. 1) fast"})
    {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
    }
    EXPECT_LT(text.find("published numbers are met"), text.find("\nAll numbers\n==="));
    const std::string page =
        FormatPage(MakeReproductionReport("tiny", FigureVariant::FULL, {report}));
    for (const std::string part : {"<b>1</b><span>missed</span>",
                                   "<td>+11.3 points</td>",
                                   "The paper&#39;s links are twice as fast.",
                                   R"("kind":"rows")",
                                   R"("y":[-19.6667,-19.6667,3.33333])",
                                   R"("marks":[-20.0,-31.0,20.0])"})
    {
        EXPECT_NE(page.find(part), std::string::npos) << part;
    }
}

TEST_F(FigureOutcomeTest, PublishedValuesAreMarkedAtBars)
{
    AskChange("fast", "slow", -0.31);
    for (const auto& [name, published] :
         std::vector<std::pair<std::string, double>>{{"slow", 8}, {"same", 6}})
    {
        FigureValue number;
        number.of = {{"network", name}};
        number.published = published;
        m_figure.values.push_back(number);
    }
    m_figure.values.push_back(m_figure.values[0]);
    m_figure.values.back().measure.statistic = "p90"; // bars are of means
    auto sets = OpenFigureResults(m_folder / "results", m_figure);
    AddPublished(m_figure, sets);
    const std::vector<ResultSet> turned{sets[2].set, sets[0].set, sets[1].set};
    const Chart chart = CreatePolicy<Figure>("bars")->Make(turned); // slow, fast, same
    const auto& series = chart.panels.at(0).series;
    EXPECT_FALSE(series[0].marks.at(0)) << "it is what the others are over";
    EXPECT_NEAR(series[1].marks.at(0).value_or(0), 0.69, 1e-12) << "31 % less";
    EXPECT_NEAR(series[2].marks.at(0).value_or(0), 0.75, 1e-12) << "6 over 8";
    EXPECT_FALSE(series[1].marks.at(1)) << "of JCT nothing is published";
    // the same in the file, at the same bars: (0.8 + 0.9 + 0.7) / 3 and (1.1 + 0.9 + 1) / 3
    const GnuplotFiles files = FormatForGnuplot("bars", chart);
    EXPECT_EQ(files.data.substr(0, files.data.find('\n')),
              "panel,series,group,ratio,ci95,published,text,name,label");
    for (const std::string row : {"\n0,0,0,1,0,,13.3 s,SCT n = 4,slow\n",
                                  "\n0,1,0,0.8,0.248413771,0.69,10.3 s,SCT n = 4,fast\n",
                                  "\n0,2,0,1,0.248413771,0.75,13.3 s,SCT n = 4,same\n"})
    {
        EXPECT_NE(files.data.find(row), std::string::npos) << row << files.data;
    }
    EXPECT_NE(files.script.find("(x($2, $3)):6 with points pointtype 12"), std::string::npos);
    EXPECT_NE(files.script.find("title 'published'"), std::string::npos);

    // relative to fast: its 8 is no published number, and nothing else is given over it
    const GnuplotFiles others = FormatForGnuplot(
        "bars",
        CreatePolicy<Figure>("bars")->Make({sets[0].set, sets[1].set, sets[2].set}));
    EXPECT_EQ(others.data.find("0.69"), std::string::npos) << others.data;
    EXPECT_EQ(others.script.find("'published'"), std::string::npos);
    EXPECT_EQ(others.script.find("pointtype"), std::string::npos) << "no mark";
}

TEST_F(FigureOutcomeTest, NumbersOfTheAuthorsProgramAreCalledSo)
{
    WriteComparison({{"slow", {10, 10, 10}}, {"fast", {8, 8, 8.1}}, {"same", {9, 10, 12}}});
    AskChange("fast", "slow", -0.2);
    AskChange("fast", "slow", 0.31);
    m_figure.values[1].isProgram = true;
    FigureReport report;
    report.figure = &m_figure;
    report.outcome = Run();
    const std::string text = FormatLong(FigureVariant::FULL, report);
    for (const std::string part :
         {"1 of 1 published numbers are met. 0 of 1 numbers of the authors' program (\"program\") "
          "are met, 1 missed.",
          "fast over slow +31.0 % (program) -19.7 ± 1.4 % (3 seeds) ",
          "is -19.7 ± 1.4 % (3 seeds), +31.0 % (program)."})
    {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
    }
    const std::string page =
        FormatPage(MakeReproductionReport("tiny", FigureVariant::FULL, {report}));
    EXPECT_NE(page.find("<b>0 of 1</b><span>numbers of the authors&#39; program met</span>"),
              std::string::npos);

    // a picture of them alone, and one of both
    m_figure.values.erase(m_figure.values.begin());
    auto sets = OpenFigureResults(m_folder / "results", m_figure);
    AddPublished(m_figure, sets);
    const std::vector<ResultSet> turned{sets[2].set, sets[0].set}; // slow, fast
    const Chart chart = CreatePolicy<Figure>("bars")->Make(turned);
    const std::string script = FormatForGnuplot("bars", chart).script;
    EXPECT_NE(script.find("title 'authors'' program'"), std::string::npos) << script;
    EXPECT_EQ(chart.mark, "authors' program");
    EXPECT_EQ(NameMarks(true, true), "published, or of the authors' program");
    EXPECT_EQ(NameMarks(false, false), "");
}

TEST_F(FigureOutcomeTest, PicturesShowNamesAndAPanelForEachComparison)
{
    const std::string near = R"({"workers":[[0,0]]})";
    const std::string far = R"({"workers":[[9,0]]})";
    m_figure.names = {{"near", near}, {"far", far}};
    m_figure.comparisons.clear();
    // JCT of "small": 10 and 12, of "large": 100 and 300
    for (const std::string model : {"small", "large"})
    {
        FigureComparison comparison;
        comparison.name = comparison.folder = model;
        comparison.scenario = "s";
        comparison.seeds = 1;
        comparison.variations = {{"place", {near, far}}};
        comparison.settings = {{"model", model}};
        m_figure.comparisons.push_back(comparison);
        FigureValue value;
        value.name = model;
        value.of = {{"place", far}, {"model", model}};
        value.over = {{"place", near}, {"model", model}};
        value.published = model == "small" ? 0.5 : 2.5;
        m_figure.values.push_back(value);
        const std::string folder = "results/fig/" + model;
        Write(folder + "/compare.csv",
              "run,seed,place,sct_s,makespan_s\nnear,1,\"{\"\"workers\"\":[[0,0]]}\",1,1\n"
              "far,1,\"{\"\"workers\"\":[[9,0]]}\",1,1\n");
        Write(folder + "/runs/near/summary.json", MakeSummary(model == "small" ? 10 : 100));
        Write(folder + "/runs/far/summary.json", MakeSummary(model == "small" ? 12 : 300));
    }
    m_figure.pictures = {{"bars", {}, true}};
    const FigureReport report = ReportFigure(m_folder / "results", m_figure, false);
    ASSERT_EQ(report.problems, std::vector<std::string>{});
    EXPECT_NE(report.notes[0].text.find(", place = near / far"), std::string::npos)
        << report.notes[0].text;
    const Chart& chart = report.pictures.at(0).chart;
    ASSERT_EQ(chart.panels.size(), 2U);
    EXPECT_EQ(chart.title, "Means relative to near (lower is better)");
    const std::vector<std::pair<std::string, double>> expected{{"small", 1.2}, {"large", 3}};
    for (std::size_t p = 0; p < 2; ++p)
    {
        const Chart::Panel& panel = chart.panels[p];
        EXPECT_EQ(panel.x.label, expected[p].first);
        ASSERT_EQ(panel.series.size(), 2U);
        EXPECT_EQ(panel.series[0].name, "near");
        EXPECT_EQ(panel.series[1].name, "far");
        EXPECT_EQ(panel.series[0].y.at(0), 1);
        EXPECT_NEAR(panel.series[1].y.at(0).value_or(0), expected[p].second, 1e-12)
            << "over near of the same panel: 12 / 10, 300 / 100";
        EXPECT_EQ(panel.series[1].marks.at(0), p == 0 ? 1.5 : 3.5);
    }
    EXPECT_EQ(FindHighest(chart), 3.5) << "one scale, up to the mark of 2.5 more";
}

TEST_F(FigureOutcomeTest, PublishedValuesAreMarkedAtBarsOfOneSetAndOnDistributions)
{
    for (const auto& [metric, statistic, published] :
         std::vector<std::tuple<std::string, std::string, double>>{{"sct_s", "p50", 9},
                                                                   {"jct_s", "p90", 24}})
    {
        FigureValue number;
        number.of = {{"network", "fast"}};
        number.measure = {metric, statistic};
        number.published = published;
        number.factor = 2;
        m_figure.values.push_back(number);
    }
    Write("results/fig/all/runs/fast_1/jobs.csv", "job_id,jct_s\n1,10\n2,20\n");
    auto sets = OpenFigureResults(m_folder / "results", m_figure);
    AddPublished(m_figure, sets);
    ResultSet one = sets[0].set;
    ASSERT_EQ(one.label, "fast");
    one.folders.resize(1);
    const Chart bars = CreatePolicy<Figure>("bars")->Make({one});
    const auto& medians = bars.panels.at(0).series.at(1);
    EXPECT_EQ(medians.name, "median");
    EXPECT_EQ(medians.marks.at(0), 4.5) << "9 of the paper's units are 4.5 s";
    const std::string data = FormatForGnuplot("bars", bars).data;
    EXPECT_NE(data.find("panel,series,group,value_s,ci95,published,text,name,label\n"),
              std::string::npos);
    EXPECT_NE(data.find("\n0,1,0,"), std::string::npos) << data;
    EXPECT_NE(data.find(",,4.5,"), std::string::npos) << data;

    const Chart cdf = CreatePolicy<Figure>("cdf-jct")->Make({one});
    const GnuplotFiles files = FormatForGnuplot("cdf-jct", cdf);
    EXPECT_NE(files.data.find("panel,series,jct_s,fraction,published,marker,label\n"),
              std::string::npos);
    EXPECT_NE(files.data.find("\n0,0,,0.9,12,0,fast\n"), std::string::npos) << files.data;
    EXPECT_NE(files.script.find("(is(0) ? $5 : NaN):4 with points pointtype 12"), std::string::npos)
        << files.script;
    EXPECT_EQ(cdf.panels.at(0).series.at(0).markXs, std::vector<double>{12});
}

TEST_F(FigureOutcomeTest, PublishedValuesAreMarkedOnLines)
{
    FigureComparison& comparison = m_figure.comparisons[0];
    comparison.variations = {{"load", {"1", "2"}}, {"network", {"slow", "fast"}}};
    std::string csv = "run,seed,load,network,sct_s,makespan_s\n";
    for (const std::string load : {"1", "2"})
    {
        for (const std::string network : {"slow", "fast"})
        {
            const std::string run = load + "-" + network;
            csv += run + ",1," + load + "," + network + ",1,1\n";
            Write("results/fig/all/runs/" + run + "/summary.json",
                  MakeSummary(network == "slow" ? 10 : 8));
        }
    }
    Write("results/fig/all/compare.csv", csv);
    FigureValue change;
    change.of = {{"network", "fast"}, {"load", "2"}};
    change.over = {{"network", "slow"}, {"load", "2"}};
    change.published = -0.31;
    m_figure.values = {change};
    auto sets = OpenFigureResults(m_folder / "results", m_figure);
    AddPublished(m_figure, sets);
    std::vector<ResultSet> plain;
    for (const auto& one : sets)
    {
        plain.push_back(one.set);
    }
    const Chart chart = CreatePolicy<Figure>("load-sweep")->Make(plain);
    const GnuplotFiles files = FormatForGnuplot("load-sweep", chart);
    EXPECT_NE(files.data.find("panel,series,x,ratio,ci95,published,name,label,panel_title\n"),
              std::string::npos);
    EXPECT_NE(files.data.find("\n0,1,2,0.8,,0.69,2,fast,"), std::string::npos) << files.data;
    EXPECT_NE(files.data.find("\n0,1,1,0.8,,,1,fast,"), std::string::npos)
        << "nothing is published at load 1";
    EXPECT_NE(files.script.find("dodge($3, 1) : NaN):6 with points"), std::string::npos);
    EXPECT_EQ(files.script.find("dodge($3, 0) : NaN):6"), std::string::npos);
    EXPECT_NEAR(chart.panels.at(0).series.at(1).marks.at(1).value_or(0), 0.69, 1e-12);
}

TEST_F(FigureOutcomeTest, PublishedPicturesHaveARowForEachNumber)
{
    AskChange("fast", "slow", -0.31);
    AskChange("fast", "slow", std::nullopt);
    FigureValue number;
    number.name = "SCT of fast, \"quoted\"";
    number.of = {{"network", "fast"}};
    number.factor = 0.5;
    number.unit = "10^6 s";
    number.published = 5;
    m_figure.values.push_back(number);
    const FigureOutcome outcome = Run();
    const Chart chart = ChartPublished(m_figure, outcome);
    ASSERT_EQ(chart.panels.size(), 2U) << "changes, and numbers of another unit";
    std::vector<GnuplotFiles> pictures;
    for (const auto& panel : chart.panels)
    {
        pictures.push_back(FormatForGnuplot("p", {chart.title, "", {panel}, chart.mark}));
    }
    EXPECT_EQ(pictures[0].data,
              "panel,series,row,ours_percent,ci95,published,name,label\n"
              "0,0,0,-20,24.8413771,-31,fast over slow,\"ours, with its 95 % interval\"\n");
    // 8, 9 and 14 halved: mean 31 / 6, s = sqrt(31 / 12), 4.302653 s / sqrt(3) = 3.992693
    EXPECT_EQ(pictures[1].data,
              "panel,series,row,ours_10_6_s,ci95,published,name,label\n"
              "0,0,0,5.16666667,3.99269276,5,\"SCT of fast, \"\"quoted\"\"\","
              "\"ours, with its 95 % interval\"\n");
    for (const auto& picture : pictures)
    {
        EXPECT_NE(picture.script.find("6:(is(0) ? $3 : NaN) with points pointtype 12"),
                  std::string::npos);
        EXPECT_NE(picture.script.find("title 'published'"), std::string::npos);
        EXPECT_NE(picture.script.find("4:(is(0) && valid(5) ? $3 : NaN):(atLeast($4 - $5))"),
                  std::string::npos)
            << "no trace of an interval where there is one seed";
    }
}

TEST_F(FigureOutcomeTest, PublishedPicturesAreDrawn)
{
    if (FindProgram("gnuplot").empty())
    {
        GTEST_SKIP() << "gnuplot is not installed";
    }
    AskChange("fast", "slow", -0.31);
    AskChange("same", "slow", 0.02);
    m_figure.pictures = {{"bars", {}}};
    const FigureReport report = ReportFigure(m_folder / "results", m_figure);
    EXPECT_EQ(report.problems, std::vector<std::string>{});
    EXPECT_EQ(report.pictures.at(0).files, std::vector<std::string>{"fig/bars.png"});
    EXPECT_EQ(report.beside.files, std::vector<std::string>{"fig/published.png"});
    for (const std::string name : {"bars", "published"})
    {
        for (const std::string width : {"page", "column"})
        {
            for (const std::string format : {"png", "svg", "pdf"})
            {
                EXPECT_EQ(DrawWithGnuplot(m_folder / "results/fig", name, format, width), "");
            }
        }
    }
    m_figure.values.clear();
    EXPECT_TRUE(ReportFigure(m_folder / "results", m_figure).beside.files.empty());
    EXPECT_FALSE(Exists("results/fig/published.png")) << "it would stand for new results";
}

TEST_F(FigureOutcomeTest, EqualLabelsAreToldApart)
{
    FigureComparison again = m_figure.comparisons[0];
    again.name = "again";
    m_figure.comparisons.push_back(again);
    std::vector<std::string> labels;
    for (const auto& one : OpenFigureResults(m_folder / "results", m_figure))
    {
        labels.push_back(one.set.label);
    }
    EXPECT_EQ(labels,
              (std::vector<std::string>{"all, fast",
                                        "all, same",
                                        "all, slow",
                                        "again, fast",
                                        "again, same",
                                        "again, slow"}));
}

TEST_F(FigureOutcomeTest, SeedsThatFailedAreLeftOut)
{
    WriteComparison({{"slow", {10, 0, 20}}, {"fast", {8, 9, 14}}});
    AskChange("fast", "slow", -0.2);
    const ValueOutcome outcome = Run().values.at(0);
    EXPECT_EQ(outcome.ours->count, 2U);
    EXPECT_NEAR(outcome.ours->mean, -0.25, 1e-12) << "0.8 and 0.7";
}

TEST_F(FigureOutcomeTest, ValuesOfTheirOwnHaveFactorAndUnit)
{
    FigureValue value;
    value.name = "units";
    value.of = {{"network", "fast"}};
    value.factor = 0.5;
    value.published = 5;
    m_figure.values = {value};
    const ValueOutcome outcome = Run().values.at(0);
    EXPECT_NEAR(outcome.ours->mean, 31 / 6.0, 1e-12) << "(8 + 9 + 14) / 3 / 2";
    EXPECT_NEAR(*outcome.gap, 31 / 30.0 - 1, 1e-12) << "over the published one";
}

TEST_F(FigureOutcomeTest, SweepsPickTheLeastOrGreatest)
{
    FigureValue value;
    value.name = "best";
    value.over = {{"network", "slow"}};
    value.sweep = "network";
    m_figure.values = {value, value};
    m_figure.values[1].isGreatest = true;
    const auto values = Run().values;
    EXPECT_EQ(values[0].at, "fast");
    EXPECT_NEAR(values[0].ours->mean, -0.2, 1e-12);
    // "same": 1.1, 0.9, 1.0, mean 1, as "slow" itself; the first that is no less counts
    EXPECT_NEAR(values[1].ours->mean, 0, 1e-12);
}

TEST_F(FigureOutcomeTest, OrdersTellCertainFromUncertain)
{
    FigureOrder order;
    order.name = "SCT";
    order.key = "network";
    order.ascending = {"fast", "same", "slow"};
    order.source = "Fig. 1";
    m_figure.orders = {order};
    WriteComparison({{"slow", {10, 10, 10}}, {"fast", {8, 8, 8}}, {"same", {9, 9, 9}}});
    auto outcome = Run().orders.at(0);
    EXPECT_EQ(outcome.verdict, OrderVerdict::SAME);
    EXPECT_NEAR(outcome.ascending[0].second.mean, 0.8, 1e-12) << "over the last";

    WriteComparison({{"slow", {9, 10, 11.1}}, {"fast", {8, 8, 8}}, {"same", {9, 9, 11}}});
    outcome = Run().orders.at(0);
    EXPECT_EQ(outcome.verdict, OrderVerdict::SAME_MEANS) << "9/9, 10/9, 11.1/11: 1.04 +- 0.15";

    WriteComparison({{"slow", {9, 10, 11}}, {"fast", {8, 8, 8}}, {"same", {10, 10, 11.1}}});
    outcome = Run().orders.at(0);
    EXPECT_EQ(outcome.verdict, OrderVerdict::TIED) << "9/10, 10/10, 11/11.1: 0.964 +- 0.14";
    EXPECT_EQ(outcome.swapped, (std::vector<std::string>{"slow before same"}));

    WriteComparison({{"slow", {9, 9, 9}}, {"fast", {10, 10, 10.1}}, {"same", {9.5, 9.5, 9.5}}});
    outcome = Run().orders.at(0);
    EXPECT_EQ(outcome.verdict, OrderVerdict::DIFFERENT);
    EXPECT_EQ(outcome.swapped.size(), 3U) << "all pairs";
    EXPECT_EQ(outcome.ascending[0].first, "slow");

    WriteComparison({{"slow", {9, 9, 9}}});
    EXPECT_EQ(Run().orders.at(0).verdict, OrderVerdict::MISSING);
}

TEST_F(FigureOutcomeTest, ModelsAreToldApart)
{
    const std::string run = "results/fig/all/runs/fast_1/";
    Write(run + "stages.csv", "cojob_id,stage,sct_s,slowdown\n1,1,2,\n1,2,4,\n2,1,10,\n");
    Write(run + "jobs.csv", "job_id,cojob_id,model,jct_s,slowdown\n1,1,A,5,\n2,1,A,7,\n3,2,B,9,\n");
    const auto sets = OpenFigureResults(m_folder / "results", m_figure);
    ResultSet one = sets[0].set;
    one.folders = {(m_folder / run).string(), ""};
    const auto mean = [&one](const std::string& metric, const std::string& model) {
        return ReadMeasure(one, {metric, "mean", model});
    };
    EXPECT_EQ(mean("sct_s", "A"), (std::vector<std::optional<double>>{3, std::nullopt}))
        << "(2 + 4) / 2, and nothing of a run that failed";
    EXPECT_EQ(mean("jct_s", "A")[0], 6);
    EXPECT_EQ(mean("sct_s", "B")[0], 10);
    EXPECT_FALSE(mean("sct_s", "C")[0]);
    EXPECT_FALSE(mean("stage_slowdown", "A")[0]) << "the column is empty";
    EXPECT_THROW(mean("makespan_s", "A"), InputError);
}

TEST_F(FigureOutcomeTest, ReportSaysLoudlyWhatDiffers)
{
    WriteComparison({{"slow", {10, 10, 10}}, {"fast", {8, 8, 8.1}}, {"same", {12, 12, 12.1}}});
    AskChange("fast", "slow", -0.31);
    AskChange("same", "slow", -0.1);
    m_figure.orders = {{"SCT", {}, "network", {}, {"same", "slow"}, "Fig. 1"}};
    FigureReport report;
    report.figure = &m_figure;
    report.outcome = Run();
    report.pictures = {{{}, "", {"fig/bars.png"}}};
    report.notes = {{"all", 9, 9, 1.5}};
    const std::string text = FormatLong(FigureVariant::QUICK, report);
    // 0.8, 0.8, 0.81: mean 0.80333, s = 0.0057735, half width 4.302653 * s / sqrt(3) = 0.014342
    for (const std::string part :
         {"\nFig. 1 fast over slow -31.0 % -19.7 ± 1.4 % (3 seeds) +11.3 points outside our "
          "interval\n",
          "\n! The sign differs: same over slow is +20.3 ± 1.4 % (3 seeds), published -10.0 %.\n",
          "\n! The order differs: SCT: slow before same.\n",
          "\norder, SCT same < slow (Fig. 1) slow 1.000 < same 1.203 ± 0.014 OTHER ORDER\n",
          "\nChart\n fig/bars.png\n",
          "\nall 9 of 9 1.50\n",
          "\nQuick: "})
    {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
    }
}

TEST_F(FigureOutcomeTest, TablesWithoutNumbersAreLeftOut)
{
    m_figure.comparisons[0].variations = {{"network", {"1", "2"}}};
    m_figure.pictures = {{"load-sweep", {}}};
    WriteComparison({{"1", {10}}, {"2", {8}}});
    const auto countTables = [this] {
        const auto text =
            FormatLong(FigureVariant::FULL, ReportFigure(m_folder / "results", m_figure));
        return std::make_pair(text.find("\nSCT, ratio, by network ") != std::string::npos,
                              text.find("\nJCT, ratio, by network ") != std::string::npos);
    };
    EXPECT_EQ(countTables(), std::make_pair(true, true));
    for (const std::string run : {"1_1", "2_1"})
    {
        const std::string jobs = R"({"name": "tasks", "status": "done", "seed": 1, "metrics":)"
                                 R"( {"jct_s": {"mean": 2, "count": 4}}})";
        Write("results/fig/all/runs/" + run + "/summary.json", jobs);
    }
    EXPECT_EQ(countTables(), std::make_pair(false, true)) << "jobs of tasks have no stages";
}

TEST_F(FigureOutcomeTest, ExpectationsAreHeld)
{
    AskChange("fast", "slow", -0.31);
    const auto find = [this](FigureVariant variant = FigureVariant::FULL) {
        std::vector<Diagnostic> diagnostics;
        m_figure.expected = ReadExpected(m_figure, variant, diagnostics);
        EXPECT_TRUE(diagnostics.empty()) << diagnostics[0].ToString();
        return FindMissed(m_figure, Run());
    };
    EXPECT_TRUE(find().empty()) << "no file";
    const std::string header = "variant,value,expected,tolerance,source\n";
    Write("expected.csv",
          header + "full,fast over slow,-0.21,0.02,ours\nquick,fast over slow,9,0,x\n");
    EXPECT_TRUE(find().empty()) << "-0.2 is within 0.02 of -0.21";
    EXPECT_EQ(m_figure.expected.size(), 1U);
    EXPECT_EQ(find(FigureVariant::QUICK).size(), 1U);
    Write("expected.csv", header + "full,fast over slow,-0.25,0.02,regression only\n");
    EXPECT_EQ(find(),
              (std::vector<std::string>{"fast over slow is -0.200, expected -0.250 within 0.020 "
                                        "(regression only)."}));
    AskChange("fast", "none", -0.3);
    Write("expected.csv", header + "full,fast over none,-0.3,9,what was not measured is missed\n");
    EXPECT_EQ(find().size(), 1U);
    Write("expected.csv", "run,metric,expected,tolerance\nx,sct_s,1,0\n");
    EXPECT_TRUE(find().empty()) << "of single runs, for tests";
}

TEST_F(FigureOutcomeTest, ReportsSayWhichSetRan)
{
    m_figure.comparisons.push_back(m_figure.comparisons[0]);
    m_figure.comparisons[0].hasMore = true;
    m_figure.comparisons[1].hasMore = true;
    m_figure.comparisons[1].from = "another figure";
    m_figure.comparisons.push_back(m_figure.comparisons[1]); // is the same comparison
    const FigureReport report = ReportFigure(m_folder / "results", m_figure, false);
    const auto expect =
        [&report](FigureVariant variant, const std::string& command, const std::string& set) {
            const std::string text = FormatLong(variant, report);
            EXPECT_NE(text.find("\n" + command + "\n" + set + "\n"), std::string::npos) << text;
            const std::string html = FormatPage(MakeReproductionReport("tiny", variant, {report}));
            EXPECT_NE(html.find(">" + command + "<"), std::string::npos);
            EXPECT_NE(html.find(set), std::string::npos) << set;
        };
    expect(FigureVariant::FULL,
           "./ddl reproduce tiny",
           "Default set: --all has more seeds or values of 2 comparisons");
    expect(FigureVariant::QUICK,
           "./ddl reproduce tiny --quick",
           "Quick: fewer seeds and values "
           "than the default set, so wider intervals");
    expect(FigureVariant::ALL,
           "./ddl reproduce tiny --all",
           "All: every seed and value that the figures declare");
}

TEST(ReproduceForecastTest, RunsCostWhatTheirCombinationHasCost)
{
    // a has cost 10 and 20, so 15 on average; b nothing yet: 40 as declared, else the 15 of all
    const std::vector<PlannedRun> runs{{{"a"}, true, 10},
                                       {{"a"}, false, 20}, // of another build
                                       {{"a"}, false, {}},
                                       {{"b"}, false, {}}};
    const auto declared = ForecastComparison("Fig. 1, x", runs, 40);
    EXPECT_EQ(declared.runs, 4U);
    EXPECT_EQ(declared.toRun, 3U);
    EXPECT_EQ(declared.unknown, 0U);
    EXPECT_EQ(declared.cpuSeconds, 15 + 15 + 40);
    EXPECT_TRUE(declared.isDeclared);
    const auto measured = ForecastComparison("Fig. 1, x", runs, std::nullopt);
    EXPECT_EQ(measured.cpuSeconds, 15 + 15 + 15);
    EXPECT_FALSE(measured.isDeclared);
    const auto unknown = ForecastComparison("Fig. 2, y", {{{"c"}, false, {}}}, std::nullopt);
    EXPECT_EQ(unknown.unknown, 1U);
    // 70 s are 1.2 minutes, 0.58 with two at a time
    const std::string text = FormatForecast({declared, unknown}, 2);
    EXPECT_NE(text.find("forecast: 5 runs, 1 of them finished; 4 to run, about 1.2 CPU minutes, "
                        "0.58 with 2 at a time; the cost of 1 run is not known\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("Fig. 1, x     4         1       3          1.2  figure.json\n"),
              std::string::npos)
        << text;
    EXPECT_EQ(FormatForecast({ForecastComparison("z", {{{"c"}, true, 1}}, 2)}, 2),
              "forecast: 1 runs, 1 of them finished; 0 to run\n");
}

TEST_F(FigureOutcomeTest, AllThatIsWrongWithExpectationsIsFoundBeforeAnythingRuns)
{
    AskChange("fast", "slow", -0.31);
    const auto complain = [this](const std::string& rows) {
        std::vector<Diagnostic> diagnostics;
        Write("expected.csv", rows);
        ReadExpected(m_figure, FigureVariant::FULL, diagnostics);
        std::string all;
        for (const auto& diagnostic : diagnostics)
        {
            all += diagnostic.ToString().substr(m_folder.string().size() + 1) + "\n";
        }
        return all;
    };
    const std::string header = "variant,value,expected,tolerance,source\n";
    EXPECT_EQ(complain(header + "full,fast over slow,1,0,x\nfast,fast over slow,1,0,x\n"
                                "quick,fast over slwo,1,0,x\nfull,fast over slow,,0,x\n"
                                "full,fast over slow,1,-1,x\n"),
              "expected.csv:3: the variant is \"fast\" (one of full, quick, all)\n"
              "expected.csv:4: figure.json has no value \"fast over slwo\"; did you mean "
              "\"fast over slow\"?\n"
              "expected.csv:5: \"fast over slow\" needs a number in expected, and none below 0 in "
              "tolerance and ci95\n"
              "expected.csv:6: \"fast over slow\" needs a number in expected, and none below 0 in "
              "tolerance and ci95\n");
    EXPECT_NE(complain("variant,value,expected,source\nfull,fast over slow,1,x\n"), "");
    EXPECT_NE(complain(header + "full,fast over slow,much,0,x\n"), "");
    EXPECT_NE(
        complain("variant,value,expected,tolerance,ci95,source\nfull,fast over slow,1,0,-1,x\n"),
        "");
}

TEST_F(FigureOutcomeTest, RecordedNumbersAreJudgedAsMeasuredOnes)
{
    WriteComparison({{"slow", {10, 10, 10}}, {"fast", {8, 8, 8.1}}, {"same", {12, 12, 12.1}}});
    AskChange("fast", "slow", -0.21);
    AskChange("same", "slow", -0.1);
    AskChange("same", "fast", std::nullopt);
    Write("expected.csv",
          "variant,value,expected,tolerance,source\nfull,same over slow,9,0.5,regression only\n"
          "full,same over fast,0.5,9,by hand\n");
    std::vector<Diagnostic> diagnostics;
    const auto read = [&]() {
        m_figure.expected = ReadExpected(m_figure, FigureVariant::FULL, diagnostics);
    };
    read();
    // 0.8, 0.8, 0.81: half width 0.014342; 1.2, 1.2, 1.21: the same
    const std::string text = FormatExpected(m_figure, FigureVariant::FULL, Run());
    EXPECT_EQ(text,
              "variant,value,expected,tolerance,ci95,source\n"
              "full,fast over slow,-0.1967,,0.014,measured\n"
              "full,same over slow,0.2033,0.5,0.014,regression only\n"
              "full,same over fast,0.5,9,,by hand\n");
    Write("expected.csv", text);
    read();
    EXPECT_TRUE(diagnostics.empty());
    EXPECT_TRUE(FindMissed(m_figure, Run()).empty());
    const auto measured = Run().values;
    const auto recorded = Recall(m_figure).values;
    for (std::size_t i = 0; i < 2; ++i)
    {
        EXPECT_EQ(recorded[i].verdict, measured[i].verdict) << m_figure.values[i].name;
        EXPECT_NEAR(recorded[i].ours->mean, measured[i].ours->mean, 0.001);
    }
    m_figure.values.push_back(m_figure.values[0]);
    EXPECT_EQ(Recall(m_figure).values.back().verdict, Verdict::MISSING);
}

/** A home with a figure, whose values' tables are made. */
class ValueTableTest : public ScratchFolder
{
  protected:
    void SetUp() override
    {
        ScratchFolder::SetUp();
        setenv("DDL_HOME", m_folder.c_str(), 1);
    }

    /** \return the page with the table of a figure that has these values and expected rows */
    std::string Renew(const std::string& values, const std::string& rows)
    {
        Write("scenarios/fig/figure.json",
              R"({"paper": "p", "figure": "1", "title": "t", "claim": "c",)"
              R"( "comparisons": [{"name": "all", "vary": {"n": [1, 2]}}], "values": [)" +
                  values + "]}");
        Write("scenarios/fig/expected.csv",
              "variant,value,expected,tolerance,ci95,source\n" + rows);
        return RenewValueTables("# x\n<!-- values of fig -->\nold\n<!-- end of values -->\ny\n");
    }

    ProcessStateGuard m_guard;
};

TEST_F(ValueTableTest, PublishedNumbersStandBesideOurs)
{
    const std::string change = R"("metric": "sct_s", "of": {"n": 1}, "over": {"n": 2})";
    const std::string number = R"("metric": "sct_s", "of": {"n": 1}, "unit": "s")";
    const auto value = [](const std::string& name, const std::string& rest) {
        return R"({"name": ")" + name + R"(", )" + rest + "}";
    };
    const std::string a = value("a", change + R"(, "published": -0.3, "source": "I")");
    const std::string b = value("b", change + R"(, "published": -0.3, "source": "II")");
    const std::string c = value("c", number + R"(, "published": 10, "source": "I")");
    const std::string d = value("d", number);
    const std::string rows = "full,a,-0.25,,0.06,measured\nquick,b,7,0,,x\nfull,c,12,1,0.5,x\n"
                             "full,d,3,1,,x\n";
    EXPECT_EQ(Renew(a + "," + b + "," + c + "," + d, rows),
              "# x\n<!-- values of fig -->\n"
              "| | published | where | ours | |\n|---|---|---|---|---|\n"
              "| a | -30.0 % | I | -25.0 ± 6.0 % | met |\n"
              "| b | -30.0 % | II | - | not recorded |\n"
              "| c | 10.00 s | I | 12.00 ± 0.5 s | missed |\n"
              "<!-- end of values -->\ny\n");
    const std::string opposite = "full,a,0.25,,0.06,x\nfull,d,3,1,,x\n";
    EXPECT_NE(Renew(a + "," + d, opposite)
                  .find("| | published (I) | ours | |\n|---|---|---|---|\n"
                        "| a | -30.0 % | +25.0 ± 6.0 % | missed, OPPOSITE SIGN |\n<!--"),
              std::string::npos);
    EXPECT_NE(
        Renew(a, "full,a,-0.295,,,x\n").find("| a | -30.0 % | -29.5 % | met; no interval |\n"),
        std::string::npos);
    EXPECT_THROW(RenewValueTables("<!-- values of fig -->\n<!-- values of fig -->\n"
                                  "<!-- end of values -->\n"),
                 InputError)
        << "the first one has no end";
    EXPECT_THROW(RenewValueTables("<!-- values of another -->\n<!-- end of values -->\n"),
                 InputError);
    EXPECT_THROW(RenewValueTables("<!-- values of fig -->\nthe rest\n"), InputError) << "no end";
}

} // namespace
} // namespace ns3::ddl
