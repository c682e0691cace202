// SPDX-License-Identifier: GPL-2.0-only
#include "app/page/ddl-page.h"
#include "app/page/ddl-thin-chart.h"
#include "app/plot/ddl-figure.h"
#include "app/plot/ddl-gnuplot-chart.h"
#include "ddl-figures-fixture.h"

#include <numeric>
#include <set>

namespace ns3::ddl
{
namespace
{

const std::string PORTS_HEADER = "node,port,peer,queue,packets,bytes,dropped,marked,"
                                 "max_backlog_bytes,utilisation,rate_bps\n";

/** Tests with the figure `network` of hand-written results. */
class NetworkFigureTest : public FiguresFixture
{
  protected:
    /** A row of ports.csv. */
    static std::string Port(const std::string& ends,
                            int queue,
                            double bytes,
                            double used,
                            const std::string& rate = "1000000000")
    {
        return ends + "," + std::to_string(queue) + ",0," + std::to_string(bytes) + ",0,0,0," +
               std::to_string(used) + "," + rate + "\n";
    }

    /** Both ends of a cable without traffic. */
    static std::string Idle(const std::string& a, int portOfA, const std::string& b, int portOfB)
    {
        return Port(a + "," + std::to_string(portOfA) + "," + b, 0, 0, 0) +
               Port(b + "," + std::to_string(portOfB) + "," + a, 0, 0, 0);
    }

    Chart Draw(const std::string& ports, const std::string& series = "")
    {
        Write("net/summary.json", MakeSummary(1));
        Write("net/ports.csv", ports);
        if (!series.empty())
        {
            Write("net/series.csv", "time_s,kind,name,queue,quantity,value\n" + series);
        }
        return CreatePolicy<Figure>("network")->Make({Set("net", "net")});
    }

    static const Chart::Wire& Find(const Chart& chart, const std::string& name)
    {
        for (const auto& wire : chart.panels.at(0).wires)
        {
            if (wire.name == name)
            {
                return wire;
            }
        }
        throw std::runtime_error("no wire " + name);
    }

    static double Sum(const std::vector<double>& values)
    {
        return std::accumulate(values.begin(), values.end(), 0.0);
    }

    /** Two hosts at a switch: h0 sends in two queues, its cable falls in the last interval. */
    Chart DrawPair()
    {
        return Draw(PORTS_HEADER + Port("h0,0,s", 0, 100, 0.1) + Port("h0,0,s", 2, 900, 0.5) +
                        Port("s,0,h0", 0, 0, 0) + Idle("h1", 0, "s", 1),
                    "1,port,h0-0-s,0,bytes,100\n"
                    "1,port,h0-0-s,2,bytes,500\n"
                    "1,port,h0-0-s,0,utilisation,0.4\n"
                    "1,port,h0-0-s,2,utilisation,0.7\n"
                    "1,job,1,,bytes,77\n"
                    "3,port,h0-0-s,2,bytes,400\n"
                    "3,port,h0-0-s,2,utilisation,0.35\n"
                    "4,port,h0-0-s,,down,1\n"
                    "4,port,s-0-h0,,down,1\n"
                    "4,port,elsewhere-0-s,2,bytes,5\n");
    }
};

TEST_F(NetworkFigureTest, QueuesAndIntervalsAddUpToThePort)
{
    const Chart chart = DrawPair();
    EXPECT_EQ(chart.panels[0].times, (std::vector<double>{1, 3, 4}));
    const Chart::Wire& wire = Find(chart, "h0 to s");
    EXPECT_EQ(wire.cables, 1U);
    EXPECT_EQ(wire.rate, 1e9);
    EXPECT_DOUBLE_EQ(wire.used, 0.6);
    EXPECT_EQ(wire.bytes, 1000);
    EXPECT_EQ(wire.queues, (std::vector<std::pair<int, double>>{{0, 100}, {2, 900}}));
    EXPECT_EQ(wire.bytesOver, (std::vector<double>{600, 400, 0}));
    EXPECT_EQ(Sum(wire.bytesOver), wire.bytes);
    // 0.4 + 0.7: the last frame of the interval ends behind it
    EXPECT_EQ(wire.usedOver, (std::vector<double>{1, 0.35, 0}));
    EXPECT_EQ(wire.isDown, (std::vector<bool>{false, false, true}));
    EXPECT_EQ(Find(chart, "h1 to s").isDown, (std::vector<bool>{false, false, false}));
}

TEST_F(NetworkFigureTest, HostsStandBelowTheirSwitches)
{
    const Chart chart = DrawPair();
    const auto& nodes = chart.panels[0].nodes;
    ASSERT_EQ(nodes.size(), 3U); // h0, s, h1
    EXPECT_EQ(nodes[0].y, 0);
    EXPECT_EQ(nodes[1].y, 1);
    EXPECT_DOUBLE_EQ(nodes[0].x, 0.25);
    EXPECT_DOUBLE_EQ(nodes[2].x, 0.75);
    EXPECT_DOUBLE_EQ(nodes[1].x, 0.5);
    EXPECT_EQ(nodes[1].hosts, 0U);
}

TEST_F(NetworkFigureTest, ParallelCablesAreOneWireByTheirRates)
{
    const Chart chart = Draw(
        PORTS_HEADER + Idle("h0", 0, "a", 0) + Port("a,1,b", 1, 10, 0.8, "1000000000") +
            Port("a,2,b", 1, 20, 0.2, "3000000000") + Port("b,0,a", 0, 0, 0) +
            Port("b,1,a", 0, 0, 0),
        "1,port,a-1-b,1,utilisation,0.8\n1,port,a-2-b,1,utilisation,0.2\n1,port,a-1-b,,down,1\n");
    const Chart::Wire& wire = Find(chart, "a to b");
    EXPECT_EQ(wire.cables, 2U);
    EXPECT_EQ(wire.rate, 4e9);
    EXPECT_DOUBLE_EQ(wire.used, (0.8 * 1 + 0.2 * 3) / 4);
    EXPECT_DOUBLE_EQ(wire.usedOver.at(0), wire.used);
    EXPECT_EQ(wire.bytes, 30);
    EXPECT_DOUBLE_EQ(wire.busiestUsed, 0.8);
    EXPECT_FALSE(wire.isDown.at(0)) << "one of two cables is up";
}

TEST_F(NetworkFigureTest, ManyHostsAreDrawnByRack)
{
    std::string ports = PORTS_HEADER;
    for (int host = 0; host < 129; ++host)
    {
        const std::string leaf = host < 100 ? "a" : "b";
        const std::string name = "h" + std::to_string(host);
        ports += Port(name + ",0," + leaf, 1, 10, host == 7 ? 0.5 : 0) +
                 Port(leaf + "," + std::to_string(host) + "," + name, 0, 0, 0);
    }
    const Chart chart = Draw(ports + Idle("a", 200, "b", 200));
    EXPECT_EQ(chart.panels[0].nodes.size(), 4U);
    const Chart::Wire& wire = Find(chart, "100 hosts of a to a");
    EXPECT_EQ(wire.cables, 100U);
    EXPECT_EQ(wire.bytes, 1000);
    EXPECT_DOUBLE_EQ(wire.used, 0.005);
    EXPECT_EQ(wire.busiest, "h7 to a");
    EXPECT_EQ(chart.panels[0].wires.size(), 6U);
}

TEST_F(NetworkFigureTest, OddNetworks)
{
    EXPECT_EQ(Draw(PORTS_HEADER).nothing, "the network has no links");
    EXPECT_EQ(Draw(PORTS_HEADER + Idle("h0", 0, "s", 0)).panels[0].wires.size(), 2U);
    EXPECT_EQ(CreatePolicy<Figure>("network")->Make({{"failed", {""}}}).nothing,
              "no run has ended");
    // results of earlier versions have no rates: all cables weigh the same
    const Chart old = CreatePolicy<Figure>("network")->Make({Set("slow", "slow")});
    EXPECT_EQ(Find(old, "h0 to leaf0").rate, 0);
    EXPECT_DOUBLE_EQ(Find(old, "h0 to leaf0").used, 0.2);
    std::string many = PORTS_HEADER;
    for (int i = 0; i < 2001; ++i)
    {
        many += Idle("s" + std::to_string(i), 0, "s" + std::to_string(i + 1), 1);
    }
    EXPECT_NE(Draw(many).nothing.find("2002 nodes"), std::string::npos);
}

TEST_F(NetworkFigureTest, JobsHaveTheLinksOfTheirPaths)
{
    EXPECT_TRUE(DrawPair().panels[0].trails.empty()) << "no paths.csv";
    // job 10 was pinned to the other cable at 2 s; what the network does not have is left out
    Write("net/paths.csv",
          "time_s,job_id,run,stream_id,source,destination,queue_pair,hop,node,port,peer,share\n"
          "1,10,1,0,h0,h1,,1,h0,0,a,1\n1,10,1,0,h0,h1,,2,a,1,b,1\n1,10,1,0,h0,h1,,3,b,2,h1,1\n"
          "2,10,1,0,h0,h1,,1,h0,0,a,1\n2,10,1,0,h0,h1,,2,a,2,b,1\n2,10,1,0,h0,h1,,3,b,2,h1,1\n"
          "2,9,1,1,h1,h0,0,1,h1,0,b,\n2,9,1,1,h1,h0,1,1,h1,0,b,\n2,9,1,1,h1,h0,,2,c,0,d,\n");
    const Chart chart = Draw(PORTS_HEADER + Idle("h0", 0, "a", 0) + Idle("a", 1, "b", 0) +
                             Idle("a", 2, "b", 1) + Idle("h1", 0, "b", 2));
    const auto& panel = chart.panels[0];
    ASSERT_EQ(panel.trails.size(), 2U);
    const auto namesOf = [&panel](const Chart::Trail& trail) {
        std::set<std::string> names;
        for (const std::size_t wire : trail.wires)
        {
            names.insert(panel.wires.at(wire).name);
        }
        return names;
    };
    EXPECT_EQ(panel.trails[0].name, "job 9");
    EXPECT_EQ(panel.trails[0].links, 1U);
    EXPECT_EQ(namesOf(panel.trails[0]), std::set<std::string>{"h1 to b"});
    EXPECT_EQ(panel.trails[1].name, "job 10");
    EXPECT_EQ(panel.trails[1].links, 3U) << "one of two cables";
    EXPECT_EQ(namesOf(panel.trails[1]), (std::set<std::string>{"h0 to a", "a to b", "b to h1"}));
}

TEST_F(NetworkFigureTest, JobsThatAreTooManyCannotBeChosen)
{
    Chart chart = DrawPair();
    chart.panels[0].trails = {{"job 1", 3, std::vector<std::size_t>(300)},
                              {"job 2", 1, std::vector<std::size_t>(101)}};
    const auto [cut, note] = ThinChart(chart, 1);
    EXPECT_EQ(cut.panels[0].trails.size(), 1U);
    EXPECT_NE(note.find("1 of 2 jobs can be chosen."), std::string::npos) << note;
    EXPECT_EQ(ThinChart(chart, 2).chart.panels[0].trails.size(), 2U);
}

TEST_F(NetworkFigureTest, MergedIntervalsKeepBytesAndMeans)
{
    const Chart whole = DrawPair();
    const auto [chart, note] = ThinChart(whole, 2);
    const Chart::Wire& wire = Find(chart, "h0 to s");
    EXPECT_EQ(chart.panels[0].times, (std::vector<double>{3, 4}));
    EXPECT_EQ(wire.bytesOver, (std::vector<double>{1000, 0}));
    EXPECT_DOUBLE_EQ(wire.usedOver[0], (1 * 1 + 0.35 * 2) / 3);
    EXPECT_EQ(wire.isDown, (std::vector<bool>{false, true}));
    EXPECT_NE(note.find("Of 3 intervals, each 2 are shown as one"), std::string::npos) << note;
    EXPECT_EQ(ThinChart(whole, 100).note, "");
}

TEST_F(NetworkFigureTest, PageAndPictureHaveAllLinks)
{
    const Chart chart = DrawPair();
    Report report;
    report.Add(Report::Picture{chart});
    const std::string html = FormatPage(report);
    EXPECT_NE(
        html.find(
            "[0,1,\"h0 to s\",1,1000000000.0,0.6,1000.0,[[0,100.0],[2,900.0]],\"h0 to s\",0.6,"
            "[1000,350,-1],[600.0,400.0,0.0]]"),
        std::string::npos)
        << html.substr(html.find("\"wires\""), 400);
    const GnuplotFiles files = FormatForGnuplot("network", chart);
    EXPECT_EQ(files.nothing, "");
    // a row for each direction and each node, below the header
    EXPECT_EQ(std::count(files.data.begin(), files.data.end(), '\n'), 1 + 4 + 3);
    EXPECT_NE(files.data.find(",0.6,1000,,h0 to s\n"), std::string::npos) << files.data;
}

} // namespace
} // namespace ns3::ddl
