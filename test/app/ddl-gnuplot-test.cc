// SPDX-License-Identifier: GPL-2.0-only
#include "app/plot/ddl-figure.h"
#include "app/plot/ddl-gnuplot-chart.h"
#include "app/plot/ddl-gnuplot.h"
#include "app/process/ddl-child-process.h"
#include "ddl-figures-fixture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace ns3::ddl
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
        const auto drawn = DrawFigures({name}, sets, m_folder / "out", {PICTURE_FORMATS});
        EXPECT_EQ(drawn.warnings, Strings{});
        if (name == "load-sweep" || name == "growth" || name == "communication")
        {
            EXPECT_EQ(drawn.empty.size(), 1U) << "of other results";
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
    std::string summary = MakeSummary(4);
    summary.insert(summary.find("\"makespan_s\""), "\"tta90_s\": {\"mean\": 2}, ");
    Write("slow/summary.json", summary);
    const std::string script =
        FormatForGnuplot("bars", CreatePolicy<Figure>("bars")->Make(Both())).script;
    EXPECT_NE(script.find("'90 %% accuracy' 3"), std::string::npos) << script;
}

TEST_F(GnuplotTest, PicturesAreAsWideAsAPageOrAColumn)
{
    if (FindProgram("gnuplot").empty())
    {
        GTEST_SKIP() << "gnuplot is not installed";
    }
    // A png has 200 pixels an inch: 17.4 / 2.54 * 200 = 1370.08, 8.5 / 2.54 * 200 = 669.29.
    // A pdf has 72 points an inch: 17.4 / 2.54 * 72 = 493.2, 8.5 / 2.54 * 72 = 240.9.
    for (const auto& [width, pixels, points] :
         {std::make_tuple("page", 1370, "[ 0 0 493"), std::make_tuple("column", 669, "[ 0 0 24")})
    {
        const auto drawn = DrawFigures({"bars"}, Both(), m_folder / "out", {{"png", "pdf"}, width});
        EXPECT_EQ(drawn.warnings, Strings{});
        const std::string png = Read("out/bars.png");
        ASSERT_GT(png.size(), 20U);
        const auto byte = [&png](std::size_t i) { return static_cast<unsigned char>(png[i]); };
        EXPECT_EQ(byte(18) * 256 + byte(19), pixels) << width; // IHDR: width in bytes 16 to 19
        EXPECT_NE(Read("out/bars.pdf").find(std::string("/MediaBox ") + points), std::string::npos)
            << width;
    }
}

TEST_F(GnuplotTest, TitlesCanBeLeftOutAndTheLineOnTheRunsStays)
{
    if (FindProgram("gnuplot").empty())
    {
        GTEST_SKIP() << "gnuplot is not installed";
    }
    const auto draw = [this](bool isTitled) {
        const auto drawn =
            DrawFigures({"bars"}, Both(), m_folder / "out", {{"svg"}, "page", isTitled});
        EXPECT_EQ(drawn.warnings, Strings{});
        return Read("out/bars.svg");
    };
    const auto getHeight = [](const std::string& svg) {
        return std::stod(svg.substr(svg.find(" height=\"") + 9));
    };
    const std::string with = draw(true);
    const std::string without = draw(false);
    EXPECT_NE(with.find("Means relative to slow"), std::string::npos);
    EXPECT_EQ(without.find("Means relative to slow"), std::string::npos);
    EXPECT_NE(without.find("scenario sample, 1 seed"), std::string::npos);
    EXPECT_LT(getHeight(without), getHeight(with)) << "no gap stays in its place";
}

TEST_F(GnuplotTest, SeriesDifferInMoreThanOneWay)
{
    constexpr std::size_t SERIES = 21;
    for (std::size_t a = 0; a < SERIES; ++a)
    {
        for (std::size_t b = 0; b < a; ++b)
        {
            const SeriesLook one = GetSeriesLook(a);
            const SeriesLook other = GetSeriesLook(b);
            if (one.colour == other.colour)
            {
                EXPECT_NE(one.dashes, other.dashes) << a << " and " << b;
                EXPECT_NE(one.marker, other.marker) << a << " and " << b;
                EXPECT_NE(one.filling, other.filling) << a << " and " << b;
            }
        }
        EXPECT_LT(GetLineWidth(a + 1, SERIES + 1), GetLineWidth(a, SERIES + 1))
            << "a later line does not hide an earlier one";
    }
}

using Vector = std::array<double, 3>;

Vector
Multiply(const std::array<Vector, 3>& matrix, const Vector& vector)
{
    Vector product{};
    for (std::size_t row = 0; row < 3; ++row)
    {
        for (std::size_t column = 0; column < 3; ++column)
        {
            product[row] += matrix[row][column] * vector[column];
        }
    }
    return product;
}

/** \return CIE L*a*b* (D65) of an sRGB colour as an eye sees it whose linear RGB goes through this
 */
Vector
See(const std::string& colour, const std::array<Vector, 3>& eye)
{
    Vector rgb{};
    for (std::size_t i = 0; i < 3; ++i)
    {
        const double c = std::stoi(colour.substr(2 * i, 2), nullptr, 16) / 255.0;
        rgb[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    }
    rgb = Multiply(eye, rgb);
    Vector xyz = Multiply(
        {{{0.4124564, 0.3575761, 0.1804375},
          {0.2126729, 0.7151522, 0.0721750},
          {0.0193339, 0.1191920, 0.9503041}}},
        {std::clamp(rgb[0], 0.0, 1.0), std::clamp(rgb[1], 0.0, 1.0), std::clamp(rgb[2], 0.0, 1.0)});
    const Vector white{0.95047, 1, 1.08883};
    for (std::size_t i = 0; i < 3; ++i)
    {
        const double t = xyz[i] / white[i];
        xyz[i] = t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116;
    }
    return {116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
}

double
GetDistance(const Vector& a, const Vector& b)
{
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

TEST_F(GnuplotTest, ColoursDifferForTheColourBlindToo)
{
    // Machado, Oliveira, Fernandes 2009, severity 1: usual sight, protanopia, deuteranopia,
    // tritanopia. A difference of 2.3 is just noticeable.
    const std::vector<std::array<Vector, 3>> eyes{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                                  {{{0.152286, 1.052583, -0.204868},
                                                    {0.114503, 0.786281, 0.099216},
                                                    {-0.003882, -0.048116, 1.051998}}},
                                                  {{{0.367322, 0.860646, -0.227968},
                                                    {0.280085, 0.672501, 0.047413},
                                                    {-0.011820, 0.042940, 0.968881}}},
                                                  {{{1.255528, -0.076749, -0.178779},
                                                    {-0.078411, 0.930809, 0.147602},
                                                    {0.004733, 0.691367, 0.303900}}}};
    for (const auto& eye : eyes)
    {
        for (std::size_t a = 0; a < 7; ++a)
        {
            const Vector seen = See(GetSeriesLook(a).colour, eye);
            EXPECT_GT(GetDistance(seen, See("FFFFFF", eye)), 35) << "on white paper";
            for (std::size_t b = 0; b < a; ++b)
            {
                EXPECT_GT(GetDistance(seen, See(GetSeriesLook(b).colour, eye)), 15)
                    << GetSeriesLook(a).colour << " and " << GetSeriesLook(b).colour;
            }
        }
    }
}

TEST_F(GnuplotTest, TheScriptDrawsTheSamePictureByItself)
{
    if (FindProgram("gnuplot").empty())
    {
        GTEST_SKIP() << "gnuplot is not installed";
    }
    // We send it the rows, as they are; by itself it reads them from the CSV file. Two seeds, so
    // that there are confidence intervals: ratios 3/4 and 4/4. A run without a slowdown has empty
    // cells.
    const std::string slow = (m_folder / "slow").string();
    WriteResults("none", 4, "");
    Write("slow/runs.csv",
          MakeRuns() + "0,1,0,0.7,done,h0,0:0,4,0,10,0,0,0,0,0,0.7\n"
                       "0,2,1.3,4,done,h0,0:0 0:1,6,0,10,0,0,0,0,1.3,4\n");
    const std::vector<ResultSet> sets{{"it's \"first\"", {slow, slow}, {{"period", "1s"}}},
                                      {"second",
                                       {(m_folder / "fast").string(), (m_folder / "none").string()},
                                       {{"period", "2s"}}}};
    for (const auto& name : ListPolicies(Figure::GetTypeId()))
    {
        const std::string picture = "out/" + name + ".png";
        EXPECT_EQ(DrawFigures({name}, sets, m_folder / "out").pictures.size(), 1U) << name;
        const std::string sent = Read(picture);
        std::filesystem::remove(m_folder / picture);
        EXPECT_EQ(ChildProcess({{"gnuplot", name + ".gp"}, (m_folder / "out").string()}).Wait(), 0);
        EXPECT_FALSE(sent.empty());
        EXPECT_TRUE(Read(picture) == sent) << name;
    }
}

TEST_F(GnuplotTest, WithoutGnuplotTheScriptIsThereAndAWarning)
{
    setenv("PATH", "/nowhere", 1);
    const auto drawn = DrawFigures({"bars"}, Both(), m_folder / "out");
    ASSERT_EQ(drawn.warnings.size(), 1U);
    EXPECT_NE(drawn.warnings[0].find("gnuplot is not installed"), std::string::npos);
    EXPECT_TRUE(Exists("out/bars.gp"));
    EXPECT_TRUE(Exists("out/bars-data.csv"));
}

TEST_F(GnuplotTest, AGnuplotThatDiesAtOnceIsAWarning)
{
    Write("out/bars.png", "an old picture");
    FakeGnuplot("exit 3");
    const auto drawn = DrawFigures({"bars"}, Both(), m_folder / "out");
    ASSERT_EQ(drawn.warnings.size(), 1U);
    EXPECT_NE(drawn.warnings[0].find("exit status 3"), std::string::npos) << drawn.warnings[0];
    EXPECT_FALSE(Exists("out/bars.png")) << "an old picture must not stand for new results";
}

TEST_F(GnuplotTest, AGnuplotThatEndsWellWithoutAPictureIsAWarning)
{
    FakeGnuplot("while read line; do :; done; echo 'line 1: undefined variable' >&2; exit 0");
    const auto drawn = DrawFigures({"bars"}, Both(), m_folder / "out");
    ASSERT_EQ(drawn.warnings.size(), 1U);
    EXPECT_NE(drawn.warnings[0].find("undefined variable"), std::string::npos) << drawn.warnings[0];
}

TEST_F(GnuplotTest, AnEmptyPictureIsAWarning)
{
    FakeGnuplot("while read line; do :; done; : > bars.png");
    EXPECT_EQ(DrawFigures({"bars"}, Both(), m_folder / "out").warnings.size(), 1U);
    EXPECT_FALSE(Exists("out/bars.png"));
}

TEST_F(GnuplotTest, DamagedResultsAndUnwritableFoldersAreWarnings)
{
    Write("file", "");
    EXPECT_EQ(DrawFigures({"bars"}, Both(), m_folder / "file/out").warnings.size(), 1U);
    Write("fast/stages.csv", "cojob_id,slowdown\n1,fast\n");
    const auto drawn = DrawFigures({"cdf-slowdown"}, Both(), m_folder / "out");
    ASSERT_EQ(drawn.warnings.size(), 1U);
    EXPECT_NE(drawn.warnings[0].find("stages.csv:2: \"fast\""), std::string::npos)
        << drawn.warnings[0];
}

} // namespace
} // namespace ns3::ddl
