// SPDX-License-Identifier: GPL-2.0-only
#include "app/plot/ddl-figure.h"
#include "app/plot/ddl-gnuplot-chart.h"
#include "app/results/ddl-sweep.h"
#include "ddl-figures-fixture.h"

namespace ns3::ddl
{
namespace
{

/** Results of two networks at two periods, and of one network without a period. */
class SweepTest : public FiguresFixture
{
  protected:
    ResultSet At(const std::string& network, const std::string& period, double sct)
    {
        const std::string name = network + period;
        WriteResults(name, sct, "2");
        ResultSet set = Set(name, name);
        set.values = {{"network", network}};
        if (!period.empty())
        {
            set.values.emplace_back("period", period);
        }
        return set;
    }
};

TEST_F(SweepTest, LinesAreRelativeToTheFirstAtTheSameValue)
{
    const Sweep sweep = MakeSweep(
        {At("base", "20min", 10), At("base", "90s", 5), At("new", "20min", 8), At("new", "90s", 2)},
        {"sct_s", "mean", ""});
    EXPECT_EQ(sweep.key, "period");
    EXPECT_EQ(sweep.texts, (std::vector<std::string>{"90s", "20min"})) << "ascending";
    EXPECT_EQ(sweep.numbers, (std::vector<double>{90, 1200})) << "in seconds";
    ASSERT_EQ(sweep.lines.size(), 2U);
    EXPECT_EQ(sweep.lines[0].label, "base");
    EXPECT_EQ(sweep.lines[0].points[1]->mean, 1);
    EXPECT_DOUBLE_EQ(sweep.lines[1].points[0]->mean, 0.4) << "2 / 5";
    EXPECT_DOUBLE_EQ(sweep.lines[1].points[1]->mean, 0.8) << "8 / 10";
}

TEST_F(SweepTest, LinesMayBeRelativeToTheirLeastValue)
{
    const std::vector<ResultSet> sets{At("base", "20min", 10),
                                      At("base", "90s", 5),
                                      At("new", "20min", 8),
                                      At("new", "90s", 2)};
    const Sweep sweep = MakeSweep(sets, {"sct_s", "mean", ""}, SweepBase::FIRST_VALUE);
    EXPECT_EQ(sweep.relativeTo, "90s");
    EXPECT_EQ(sweep.lines[0].points[0]->mean, 1);
    EXPECT_EQ(sweep.lines[0].points[1]->mean, 2) << "10 / 5";
    EXPECT_EQ(sweep.lines[1].points[1]->mean, 4) << "8 / 2";
    const std::string data =
        FormatForGnuplot("growth", CreatePolicy<Figure>("growth")->Make(sets)).data;
    EXPECT_NE(data.find("\n0,1,1200,4,"), std::string::npos) << data;
}

TEST_F(SweepTest, OneLineAloneIsNotRelativeToItself)
{
    const Sweep sweep =
        MakeSweep({At("base", "1s", 10), At("base", "2s", 5)}, {"sct_s", "mean", ""});
    EXPECT_EQ(sweep.relativeTo, "1s");
    ASSERT_EQ(sweep.lines.size(), 1U);
    EXPECT_EQ(sweep.lines[0].points[1]->mean, 0.5);
}

TEST_F(SweepTest, ResultsWithoutTheKeyAreLevel)
{
    const Sweep sweep =
        MakeSweep({At("base", "", 10), At("now", "", 5), At("new", "1s", 8), At("new", "2s", 9)},
                  {"sct_s", "mean", ""});
    ASSERT_EQ(sweep.lines.size(), 3U);
    EXPECT_EQ(sweep.lines[1].points[0]->mean, 0.5);
    EXPECT_EQ(sweep.lines[1].points[1]->mean, 0.5);
    EXPECT_EQ(sweep.lines[2].points[1]->mean, 0.9);
}

TEST_F(SweepTest, MissingPointsAndFailedRunsAreEmpty)
{
    ResultSet failed = At("new", "2s", 9);
    failed.folders = {""};
    const Sweep sweep =
        MakeSweep({At("base", "1s", 10), At("base", "2s", 10), failed}, {"sct_s", "mean", ""});
    EXPECT_FALSE(sweep.lines[1].points[0]);
    EXPECT_FALSE(sweep.lines[1].points[1]);
}

TEST_F(SweepTest, NothingThatIsANumberVaries)
{
    EXPECT_EQ(MakeSweep(Both(), {}).key, "");
    EXPECT_EQ(MakeSweep({At("base", "1s", 10), At("new", "1s", 8)}, {}).key, "")
        << "one value only";
    EXPECT_EQ(MakeSweep({At("base", "1s", 10), At("base", "never", 8)}, {}).key, "");
}

TEST_F(SweepTest, FigureDrawsBothMeansOrSaysWhyNot)
{
    FakeGnuplot("exit 0\n");
    const auto drawn = DrawFigures({"load-sweep"},
                                   {At("base", "1s", 10), At("base", "2s", 10), At("new", "1s", 8)},
                                   m_folder / "out");
    const std::string data = Read("out/load-sweep-data.csv");
    EXPECT_EQ(data.substr(0, data.find('\n')),
              "panel,series,x,ratio,ci95,published,name,label,panel_title");
    EXPECT_NE(data.find("\n0,1,1,0.8,,,1s,new,\"SCT, ratio\"\n"), std::string::npos) << data;
    EXPECT_NE(data.find("\n1,1,1,0.8,,,1s,new,\"JCT, ratio\"\n"), std::string::npos) << data;
    EXPECT_NE(Read("out/load-sweep.gp").find("with linespoints"), std::string::npos);
    const auto none = DrawFigures({"load-sweep"}, Both(), m_folder / "none");
    ASSERT_EQ(none.empty.size(), 1U);
    EXPECT_NE(none.empty[0].find("no key was varied over several numbers"), std::string::npos);
}

} // namespace
} // namespace ns3::ddl
