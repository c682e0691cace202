// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-figures-fixture.h"

#include "ns3/ddl-bar-chart.h"
#include "ns3/ddl-child-process.h"
#include "ns3/ddl-figure.h"
#include "ns3/ddl-figures.h"
#include "ns3/ddl-gnuplot.h"

namespace ns3
{
namespace ddl
{
namespace
{

using Strings = std::vector<std::string>;
using GnuplotTest = FiguresFixture;

TEST_F(GnuplotTest, QuotesTextSoThatItStandsForItself)
{
    EXPECT_EQ(QuoteForGnuplot("a\"b$c`d\\"), "'a\"b$c`d\\'");
    EXPECT_EQ(QuoteForGnuplot("it's"), "'it''s'");
    EXPECT_EQ(QuoteForGnuplot("two\nlines"), "'two' . \"\\n\" . 'lines'");
}

TEST_F(GnuplotTest, EveryFigureIsDrawnInEveryFormat)
{
    if (FindProgram("gnuplot").empty())
    {
        GTEST_SKIP() << "gnuplot is not installed";
    }
    // Names that a careless script or data file would stumble over.
    const std::vector<ResultSet> sets{Set("it's {\"a\":1, \"b\":[2]}", "slow"),
                                      Set("50 % #1_x^2 \\n $HOME `id`", "fast")};
    for (const auto& name : ListPolicies(Figure::GetTypeId()))
    {
        const auto drawn = DrawFigure(name, sets, m_folder / "out", ListPictureFormats());
        EXPECT_EQ(drawn.warnings, Strings{});
        if (name == "load-sweep")
        {
            EXPECT_EQ(drawn.empty.size(), 1U) << "these results sweep over nothing";
            continue;
        }
        EXPECT_EQ(drawn.pictures.size(), 3U);
        EXPECT_EQ(Read("out/" + name + ".png").substr(1, 3), "PNG");
        EXPECT_EQ(Read("out/" + name + ".pdf").substr(0, 4), "%PDF");
        EXPECT_NE(Read("out/" + name + ".svg").find("</svg>"), std::string::npos);
    }
}

TEST_F(GnuplotTest, APercentSignBelowABarIsNoNumberFormat)
{
    BarChart bars;
    bars.groups = {{"tta90_s", "90 % accuracy", " s"}};
    bars.series = {{"fast", {Estimate{2, std::nullopt}}, {"2.00 s"}}};
    EXPECT_NE(FormatBarScript("bars", bars, "").find("('90 %% accuracy' 0)"), std::string::npos);
}

TEST_F(GnuplotTest, TheScriptDrawsTheSamePictureByItself)
{
    if (FindProgram("gnuplot").empty())
    {
        GTEST_SKIP() << "gnuplot is not installed";
    }
    DrawFigure("bars", Both(), m_folder / "out");
    const std::string picture = Read("out/bars.png");
    std::filesystem::remove(m_folder / "out/bars.png");
    EXPECT_EQ(ChildProcess({{"gnuplot", "bars.gp"}, (m_folder / "out").string(), -1, -1}).Wait(),
              0);
    EXPECT_FALSE(picture.empty());
    EXPECT_EQ(Read("out/bars.png"), picture);
}

TEST_F(GnuplotTest, WithoutGnuplotTheScriptIsThereAndAWarning)
{
    setenv("PATH", "/nowhere", 1);
    const auto drawn = DrawFigure("bars", Both(), m_folder / "out");
    ASSERT_EQ(drawn.warnings.size(), 1U);
    EXPECT_NE(drawn.warnings[0].find("gnuplot is not installed"), std::string::npos);
    EXPECT_TRUE(Exists("out/bars.gp"));
    EXPECT_TRUE(Exists("out/bars-data.csv"));
}

TEST_F(GnuplotTest, AGnuplotThatDiesAtOnceIsAWarning)
{
    Write("out/bars.png", "an old picture");
    FakeGnuplot("exit 3");
    const auto drawn = DrawFigure("bars", Both(), m_folder / "out");
    ASSERT_EQ(drawn.warnings.size(), 1U);
    EXPECT_NE(drawn.warnings[0].find("exit status 3"), std::string::npos) << drawn.warnings[0];
    EXPECT_FALSE(Exists("out/bars.png")) << "an old picture must not stand for new results";
}

TEST_F(GnuplotTest, AGnuplotThatEndsWellWithoutAPictureIsAWarning)
{
    FakeGnuplot("while read line; do :; done; echo 'line 1: undefined variable' >&2; exit 0");
    const auto drawn = DrawFigure("bars", Both(), m_folder / "out");
    ASSERT_EQ(drawn.warnings.size(), 1U);
    EXPECT_NE(drawn.warnings[0].find("undefined variable"), std::string::npos) << drawn.warnings[0];
}

TEST_F(GnuplotTest, AnEmptyPictureIsAWarning)
{
    FakeGnuplot("while read line; do :; done; : > bars.png");
    EXPECT_EQ(DrawFigure("bars", Both(), m_folder / "out").warnings.size(), 1U);
    EXPECT_FALSE(Exists("out/bars.png"));
}

TEST_F(GnuplotTest, DamagedResultsAndUnwritableFoldersAreWarnings)
{
    Write("file", "");
    EXPECT_EQ(DrawFigure("bars", Both(), m_folder / "file/out").warnings.size(), 1U);
    Write("fast/stages.csv", "cojob_id,slowdown\n1,fast\n");
    const auto drawn = DrawFigure("cdf-slowdown", Both(), m_folder / "out");
    ASSERT_EQ(drawn.warnings.size(), 1U);
    EXPECT_NE(drawn.warnings[0].find("stages.csv:2: \"fast\""), std::string::npos)
        << drawn.warnings[0];
}

} // namespace
} // namespace ddl
} // namespace ns3
