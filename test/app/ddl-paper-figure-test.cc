// SPDX-License-Identifier: GPL-2.0-only
#include "app/reproduce/ddl-paper.h"
#include "ddl-process-state.h"
#include "ddl-scratch-folder.h"

#include "ns3/ddl-error.h"

#include <cstdlib>

namespace ns3::ddl
{
namespace
{

using Strings = std::vector<std::string>;

const std::string FIGURE = R"({
  "paper": "tiny", "figure": "Fig. 2", "title": "title", "claim": "claim",
  "comparisons": [
    {"name": "all", "vary": {"a": ["x", "y"], "b": [1, 2, 3]}, "set": {"c": {"type": "t", "K": 2}},
     "seeds": 5, "quick": {"seeds": 2, "vary": {"b": [1]}, "set": {"c": "s", "d": false}}}
  ],
  "values": [
    {"name": "change", "metric": "sct_s", "statistic": "p90", "of": {"a": "y", "b": 2}, "over": {"a": "x", "b": 2},
     "published": -0.31, "source": "here"},
    {"name": "best", "metric": "jct_s", "model": "VGG19", "of": {"a": "y"}, "over": {"a": "x"}, "sweep": "b",
     "pick": "greatest"},
    {"name": "itself", "metric": "sct_s", "of": {"a": "x", "b": 1}, "factor": 2, "unit": "units"}
  ],
  "orders": [{"name": "o", "metric": "sct_s", "key": "a", "of": {"b": 1}, "ascending": ["y", "x"], "source": "s"}],
  "pictures": ["bars", {"type": "load-sweep", "comparisons": ["all"]}]
})";

/** A home with folders of figures. */
class PaperFigureTest : public ScratchFolder
{
  protected:
    void SetUp() override
    {
        ScratchFolder::SetUp();
        setenv("DDL_HOME", m_folder.c_str(), 1);
    }

    void WriteFigure(const std::string& folder, const std::string& text)
    {
        Write("scenarios/" + folder + "/figure.json", text);
    }

    /** \return all complaints about a paper, as the user sees them, without the scratch folder */
    std::string Complaints(const std::string& paper, FigureVariant variant = FigureVariant::FULL)
    {
        try
        {
            OpenPaper(paper, variant);
        }
        catch (const InputError& error)
        {
            return error.what();
        }
        return "";
    }

    ProcessStateGuard m_guard;
};

/** \return \p text with one part replaced */
std::string
Replace(std::string text, const std::string& from, const std::string& to)
{
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST_F(PaperFigureTest, ReadsEveryKey)
{
    WriteFigure("tiny-2", FIGURE);
    const auto figures = OpenPaper("tiny", FigureVariant::FULL);
    ASSERT_EQ(figures.size(), 1U);
    const PaperFigure& figure = figures[0];
    EXPECT_EQ(figure.folder, "tiny-2");
    EXPECT_EQ(figure.number, "Fig. 2");
    ASSERT_EQ(figure.comparisons.size(), 1U);
    const FigureComparison& all = figure.comparisons[0];
    EXPECT_EQ(all.scenario, "tiny-2") << "that of its own folder";
    EXPECT_EQ(all.folder, "all");
    EXPECT_EQ(all.seeds, 5U);
    ASSERT_EQ(all.variations.size(), 2U);
    EXPECT_EQ(all.variations[0].path, "a") << "in the order of the file: the first is slowest";
    EXPECT_EQ(all.variations[1].values, (Strings{"1", "2", "3"}));
    EXPECT_EQ(all.settings[0].second, R"({"type":"t","K":2})");
    EXPECT_EQ(CountRuns(all), 2 * 3 * 5U);
    ASSERT_EQ(figure.values.size(), 3U);
    EXPECT_EQ(figure.values[0].published, -0.31);
    EXPECT_EQ(figure.values[0].measure.statistic, "p90");
    EXPECT_EQ(figure.values[0].of, (Selection{{"a", "y"}, {"b", "2"}}));
    EXPECT_TRUE(figure.values[1].isGreatest);
    EXPECT_EQ(figure.values[1].measure.model, "VGG19");
    EXPECT_FALSE(figure.values[1].published);
    EXPECT_EQ(figure.values[2].factor, 2);
    EXPECT_EQ(figure.orders[0].ascending, (Strings{"y", "x"}));
    EXPECT_EQ(figure.pictures[1].comparisons, (Strings{"all"}));
}

TEST_F(PaperFigureTest, NamesStandForLongValues)
{
    WriteFigure("tiny-3", R"({
  "paper": "tiny", "figure": "Fig. 3", "title": "t", "claim": "c",
  "names": {"near": {"workers": [[0, 0]]}, "far": {"workers": [[9, 0]]}, "forty": 40},
  "comparisons": [
    {"name": "all", "vary": {"place": ["near", "far"], "n": [4, "forty"]}, "set": {"c": "far"},
     "quick": {"vary": {"place": ["far"]}}}
  ],
  "values": [
    {"name": "v", "metric": "jct_s", "of": {"place": "far", "n": "forty"}, "over": {"place": "near", "n": 40},
     "program": 0.5, "source": "main.go"}
  ],
  "orders": [{"name": "o", "metric": "jct_s", "key": "place", "of": {"n": "forty"},
              "ascending": ["near", "far"], "source": "s"}],
  "pictures": [{"type": "bars", "panels": true}]
})");
    ASSERT_EQ(Complaints("tiny"), "");
    const PaperFigure figure = OpenPaper("tiny", FigureVariant::FULL)[0];
    const std::string near = R"({"workers":[[0,0]]})";
    const std::string far = R"({"workers":[[9,0]]})";
    const FigureComparison& all = figure.comparisons[0];
    EXPECT_EQ(all.variations[0].values, (Strings{near, far})) << "what the runs get";
    EXPECT_EQ(all.variations[1].values, (Strings{"4", "40"}));
    EXPECT_EQ(all.settings[0].second, far);
    EXPECT_EQ(figure.values[0].of, (Selection{{"place", far}, {"n", "40"}}));
    EXPECT_EQ(figure.values[0].over, (Selection{{"place", near}, {"n", "40"}}));
    EXPECT_EQ(figure.orders[0].ascending, (Strings{"near", "far"})) << "what the report says";
    EXPECT_EQ(NameValue(figure, far), "far");
    EXPECT_EQ(NameValue(figure, "4"), "4");
    EXPECT_TRUE(figure.values[0].isProgram);
    EXPECT_EQ(figure.values[0].published, 0.5);
    EXPECT_TRUE(figure.pictures[0].hasPanels);
    EXPECT_EQ(OpenPaper("tiny", FigureVariant::QUICK)[0].comparisons[0].variations[0].values,
              (Strings{far}));
}

TEST_F(PaperFigureTest, QuickIsPutOverTheFullRuns)
{
    WriteFigure("tiny-2", FIGURE);
    const FigureComparison all = OpenPaper("tiny", FigureVariant::QUICK)[0].comparisons[0];
    EXPECT_EQ(all.folder, "all-quick") << "kept apart";
    EXPECT_EQ(CountRuns(all), 2 * 1 * 2U);
    ASSERT_EQ(all.settings.size(), 2U);
    EXPECT_EQ(all.settings[0], (std::pair<std::string, std::string>{"c", "s"}));
    EXPECT_EQ(all.settings[1].second, "false");
}

TEST_F(PaperFigureTest, AllAddsSeedsAndValuesInTheSameFolder)
{
    // all: 2 x 4 combinations, 7 seeds each; the default set: 2 x 3, 5 seeds each
    const std::string all = R"("all": {"seeds": 7, "vary": {"b": [1, 2, 3, 4]}}, "price": 90, )";
    const std::string more = Replace(FIGURE, R"("quick")", all + R"("quick")");
    WriteFigure("tiny-2",
                Replace(more, R"("of": {"a": "x", "b": 1})", R"("of": {"a": "x", "b": 4})"));
    ASSERT_EQ(Complaints("tiny"), "") << "a value may be of runs that only --all has";
    const auto usual = OpenPaper("tiny", FigureVariant::FULL)[0].comparisons[0];
    EXPECT_EQ(CountRuns(usual), 2 * 3 * 5U);
    EXPECT_TRUE(usual.hasMore);
    EXPECT_EQ(usual.price, 90);
    const auto whole = OpenPaper("tiny", FigureVariant::ALL)[0].comparisons[0];
    EXPECT_EQ(CountRuns(whole), 2 * 4 * 7U);
    EXPECT_EQ(whole.folder, usual.folder) << "runs of the default set are kept";
    EXPECT_EQ(CountRuns(OpenPaper("tiny", FigureVariant::QUICK)[0].comparisons[0]), 2 * 1 * 2U);
    WriteFigure("tiny-2",
                Replace(more, R"("of": {"a": "x", "b": 1})", R"("of": {"a": "x", "b": 5})"));
    EXPECT_NE(
        Complaints("tiny").find("/values/2/of: no combination of the comparisons has a x, b 5"),
        std::string::npos)
        << Complaints("tiny");
    WriteFigure("tiny-2", FIGURE);
    EXPECT_EQ(CountRuns(OpenPaper("tiny", FigureVariant::ALL)[0].comparisons[0]), 2 * 3 * 5U)
        << "without all it is the default set";
    EXPECT_FALSE(OpenPaper("tiny", FigureVariant::ALL)[0].comparisons[0].hasMore);
}

TEST_F(PaperFigureTest, AllHasTheRunsOfTheDefaultSet)
{
    WriteFigure(
        "a",
        Replace(FIGURE,
                R"("quick")",
                R"("all": {"seeds": 4, "vary": {"b": [1, 3], "e": [1]}, "set": {}}, "quick")"));
    for (const std::string part :
         {"/comparisons/0/all/seeds: must be a whole number from 5 to 1000",
          "/comparisons/0/all/vary/b: must have 2, which the default set has",
          "/comparisons/0/all/vary/e: is not varied in the default set",
          "/comparisons/0/all/set: unknown key"})
    {
        EXPECT_NE(Complaints("tiny").find(part), std::string::npos) << Complaints("tiny");
    }
}

TEST_F(PaperFigureTest, RowsOfTheDefaultSetAreExpectedOfAllWhereTheRunsAreTheSame)
{
    WriteFigure("a", R"({"paper": "tiny", "figure": "Fig. 1", "title": "t", "claim": "c",
        "comparisons": [{"name": "one", "vary": {"k": [1, 2]}, "seeds": 8},
                        {"name": "more", "vary": {"k": [3, 4]}, "seeds": 1, "all": {"seeds": 8}}],
        "values": [{"name": "one", "metric": "jct_s", "of": {"k": 1}},
                   {"name": "both", "metric": "jct_s", "of": {"k": 2}, "over": {"k": 3}},
                   {"name": "more", "metric": "jct_s", "of": {"k": 4}}]})");
    WriteFigure("b", R"({"paper": "tiny", "figure": "Fig. 2", "title": "t", "claim": "c",
        "comparisons": [{"name": "more", "from": "a"}],
        "values": [{"name": "more", "metric": "jct_s", "of": {"k": 4}}]})");
    const std::string header = "variant,value,expected,tolerance,source\n";
    Write("scenarios/a/expected.csv",
          header + "full,one,1,0,x\nfull,both,2,0,x\nfull,more,3,0,x\nall,more,4,0,x\n");
    Write("scenarios/b/expected.csv", header + "full,more,3,0,x\n");
    const auto expect = [](FigureVariant variant, std::size_t figure) {
        std::vector<double> numbers;
        const auto figures = OpenPaper("tiny", variant);
        for (const auto& row : figures[figure].expected)
        {
            numbers.push_back(row.expected);
        }
        return numbers;
    };
    EXPECT_EQ(expect(FigureVariant::FULL, 0), (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(expect(FigureVariant::ALL, 0), (std::vector<double>{1, 4}));
    EXPECT_EQ(expect(FigureVariant::FULL, 1), (std::vector<double>{3}));
    EXPECT_EQ(expect(FigureVariant::ALL, 1), (std::vector<double>{}));
}

TEST_F(PaperFigureTest, FiguresComeByNumber)
{
    WriteFigure("c", Replace(FIGURE, "Fig. 2", "Fig. 10"));
    WriteFigure("a", Replace(FIGURE, "Fig. 2", "Table 3"));
    WriteFigure("b", FIGURE);
    WriteFigure("other", Replace(FIGURE, "tiny", "huge"));
    Strings numbers;
    for (const auto& figure : OpenPaper("tiny", FigureVariant::FULL))
    {
        numbers.push_back(figure.number);
    }
    EXPECT_EQ(numbers, (Strings{"Fig. 2", "Table 3", "Fig. 10"}));
    EXPECT_EQ(ListPapers(), (Strings{"huge", "tiny"}));
}

TEST_F(PaperFigureTest, ComparisonsOfOtherFiguresAreCompleted)
{
    WriteFigure("a", FIGURE);
    WriteFigure("b", R"({"paper": "tiny", "figure": "Fig. 3", "title": "t", "claim": "c",
                         "comparisons": [{"name": "all", "from": "a"}]})");
    const auto figures = OpenPaper("tiny", FigureVariant::FULL);
    ASSERT_EQ(figures.size(), 2U);
    EXPECT_EQ(figures[1].comparisons[0].from, "a");
    EXPECT_EQ(figures[1].comparisons[0].scenario, "a");
    EXPECT_EQ(figures[1].comparisons[0].seeds, 5U);
    WriteFigure("b", R"({"paper": "tiny", "figure": "Fig. 3", "title": "t", "claim": "c",
                         "comparisons": [{"name": "none", "from": "a"}]})");
    EXPECT_NE(Complaints("tiny").find("/comparisons/0/from: the figure \"a\" of this paper has no "
                                      "comparison \"none\" of its own"),
              std::string::npos)
        << Complaints("tiny");
}

TEST_F(PaperFigureTest, AllComplaintsAreSaidAtOnce)
{
    WriteFigure("a", R"({
  "paper": "tiny", "figure": 7, "tittle": "t", "claim": "c",
  "comparisons": [
    {"name": "../up", "seeds": 0, "vary": {"seed": [1], "b": []}, "varry": {}},
    {"name": "x", "vary": {"k": [1, 1]}},
    {"name": "x"}
  ],
  "values": [{"name": "v", "metric": "makespan_s", "model": "VGG19"},
             {"metric": "sct_s", "statistic": "p42", "published": 1, "program": 1},
             {"name": "w", "metric": "makespan_s", "statistic": "p50", "within": -1}],
  "orders": [{}],
  "pictures": ["bar", {"type": "bars", "comparisons": ["y"]}, {"type": "cdf-jct", "panels": true}]
})");
    WriteFigure("c", R"({"paper": "tiny", "comparisons": []})");
    WriteFigure("b", "{\"paper\": \"tiny\", \"figure\": 1 2}");
    const std::string all = Complaints("tiny");
    for (const std::string part : {"figure.json:2: /figure: must be a string, is 7",
                                   "/title: is missing",
                                   "/tittle: unknown key",
                                   "did you mean \"title\"?",
                                   "/comparisons: is empty (a list of at least one)",
                                   "/comparisons/0/name: must do as the name of a folder",
                                   "/comparisons/0/seeds: must be a whole number from 1 to 1000",
                                   "/comparisons/0/vary/seed: the seed is varied with \"seeds\": N",
                                   "/comparisons/0/vary/b: must have a value at least",
                                   "/comparisons/0/varry: unknown key",
                                   "/comparisons/1/vary/k/1: is there twice",
                                   "/comparisons/2/name: another comparison has that name",
                                   "/values/0/metric: must be one of sct_s",
                                   "/values/1/name: is missing",
                                   "/values/1/source: is missing",
                                   "/values/1/statistic: must be one of mean",
                                   "/values/2/metric: must be one of sct_s",
                                   "/values/2/within: must be",
                                   "/values/2/statistic: has no meaning beside \"within\"",
                                   "/values/1/program: has no meaning beside \"published\"",
                                   "/pictures/2/panels: only bars can be drawn with a panel",
                                   "/orders/0/key: is missing",
                                   "/pictures/0: must be one of",
                                   "/pictures/1/comparisons/0: there is no comparison \"y\"",
                                   "/b/figure.json:1:"})
    {
        EXPECT_NE(all.find(part), std::string::npos) << part << "\nis not in\n" << all;
    }
}

TEST_F(PaperFigureTest, ValuesNameOneCombination)
{
    WriteFigure("a", Replace(FIGURE, R"("of": {"a": "y", "b": 2})", R"("of": {"a": "y"})"));
    EXPECT_NE(Complaints("tiny").find("/values/0/of: 3 combinations of the comparisons have a y"),
              std::string::npos)
        << Complaints("tiny");
    WriteFigure("a", Replace(FIGURE, R"("ascending": ["y", "x"])", R"("ascending": ["y", "z"])"));
    EXPECT_NE(Complaints("tiny").find("/orders/0/ascending/1: no combination of the comparisons "
                                      "has a z, b 1"),
              std::string::npos)
        << Complaints("tiny");
    WriteFigure("a", Replace(FIGURE, R"("sweep": "b")", R"("sweep": "q")"));
    EXPECT_NE(Complaints("tiny").find("/values/1/sweep: no comparison varies q"), std::string::npos)
        << Complaints("tiny");
    WriteFigure("a", FIGURE); // b 2 is not among the quick runs, which may be
    EXPECT_EQ(Complaints("tiny", FigureVariant::QUICK), "");
}

TEST_F(PaperFigureTest, UnknownPapersNameTheNearest)
{
    EXPECT_EQ(Complaints("tiny"),
              "there is no paper \"tiny\" (no folder below scenarios/ has a figure.json)");
    WriteFigure("a", FIGURE);
    EXPECT_EQ(Complaints("tinny"),
              "there is no paper \"tinny\" (one of tiny); did you mean \"tiny\"?");
}

} // namespace
} // namespace ns3::ddl
