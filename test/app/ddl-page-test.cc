// SPDX-License-Identifier: GPL-2.0-only
#include "app/page/ddl-html.h"
#include "app/page/ddl-page.h"
#include "app/page/ddl-report-model.h"
#include "app/page/ddl-thin-chart.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <regex>
#include <set>

namespace ns3::ddl
{
namespace
{

/** What somebody may call a scenario who wishes the reader ill. */
const std::string HOSTILE = "</script><script>alert(1)</script><img src=x onerror=\"alert('2')\">"
                            "<!-- ]]> \xFF \x01 &amp; \u2028";

/** Find what is not closed, or closed twice, in a page. \return "" if all is well */
std::string
FindUnbalanced(const std::string& html)
{
    static const std::set<std::string> voids{"meta", "link", "br", "img"};
    std::vector<std::string> open;
    for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at))
    {
        const bool ends = html[at + 1] == '/';
        const std::size_t begin = at + (ends ? 2 : 1);
        const std::size_t end = html.find_first_of(" >\n", begin);
        const std::string name = html.substr(begin, end - begin);
        at = html.find('>', at);
        if (name[0] == '!' || voids.count(name) > 0)
        {
            continue;
        }
        if (!ends)
        {
            open.push_back(name);
            const bool isRaw = name == "script" || name == "style";
            at = isRaw ? html.find("</" + name + ">", at) : at;
            continue;
        }
        if (open.empty() || open.back() != name)
        {
            return "</" + name + "> after <" + (open.empty() ? "" : open.back()) + ">";
        }
        open.pop_back();
    }
    return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

/** A chart over time whose curves rise and fall, with a spike and a dip in each. */
Chart
MakeLong(std::size_t intervals, std::size_t curves)
{
    Chart::Panel panel;
    panel.kind = Chart::Kind::AREAS;
    for (std::size_t i = 0; i < intervals; ++i)
    {
        panel.times.push_back(0.001 * static_cast<double>(i + 1));
    }
    for (std::size_t c = 0; c < curves; ++c)
    {
        Chart::Series series{"job " + std::to_string(c), {}, {}, {}, {}};
        for (std::size_t i = 0; i < intervals; ++i)
        {
            series.y.emplace_back(2 + std::sin(static_cast<double>(i * (c + 1)) / 777));
        }
        series.y[(c + 1) * intervals / (curves + 2)] = 50;
        series.y[(c + 1) * intervals / (curves + 2) + 3] = 0;
        panel.series.push_back(series);
    }
    return {"long", "", {panel}};
}

TEST(PageTest, TextsAreShownAndNeverRead)
{
    EXPECT_EQ(EscapeHtml("a < b & \"c\" > 'd'"), "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;");
    EXPECT_EQ(EscapeHtml("\xFF\x01 \u00e4"), "\uFFFD\uFFFD \u00e4");
    const std::string json = DumpForScript({{"name", HOSTILE}});
    EXPECT_EQ(json.find('<'), std::string::npos);
    EXPECT_EQ(json.find('&'), std::string::npos);
    EXPECT_EQ(nlohmann::json::parse(json)["name"].get<std::string>().substr(0, 26),
              "</script><script>alert(1)<");
}

TEST(PageTest, APageIsWellFormedWhateverItSays)
{
    Report report{HOSTILE, HOSTILE, {{HOSTILE, Tone::BAD}}};
    report.Begin(HOSTILE);
    report.Add(Report::Heading{HOSTILE});
    report.Add(Report::Text{HOSTILE});
    report.Add(Report::Warning{{HOSTILE, HOSTILE}, true});
    report.Add(Report::Tiles{{{{HOSTILE, Tone::GOOD}, HOSTILE}}});
    report.Add(Report::Table{{HOSTILE, ""}, {{{HOSTILE, Tone::OPEN}, {HOSTILE}}}});
    report.Add(Report::Code{HOSTILE, HOSTILE});
    Chart chart = MakeLong(10, 2);
    chart.title = chart.note = chart.panels[0].series[0].name = chart.panels[0].y.label = HOSTILE;
    report.Add(Report::Picture{chart, HOSTILE});
    const std::string html = FormatPage(report);
    EXPECT_EQ(FindUnbalanced(html), "");
    EXPECT_EQ(html.find("<script>alert"), std::string::npos);
    EXPECT_EQ(html.find("<img"), std::string::npos);
    EXPECT_EQ(html.find("\xFF"), std::string::npos);
    EXPECT_EQ(FindUnbalanced("<p><b></p>"), "</p> after <b>") << "the test can fail";
    EXPECT_EQ(html, FormatPage(report));
}

TEST(PageTest, NothingIsLoaded)
{
    Report report{"Run", "quickstart"};
    report.Add(Report::Picture{MakeLong(10, 2)});
    const std::string html = FormatPage(report);
    const std::regex loads(R"re((src|href|action|data)\s*=\s*["']?\s*(https?:|//|ftp:)|)re"
                           R"re(url\(\s*["']?(https?:|//)|@import|\bfetch\(|XMLHttpRequest|)re"
                           R"re(\bimport\(|WebSocket|sendBeacon)re");
    std::smatch found;
    EXPECT_FALSE(std::regex_search(html, found, loads)) << found.str();
    EXPECT_NE(html.find("default-src 'none'"), std::string::npos) << "the browser holds it, too";
    EXPECT_TRUE(std::regex_search(std::string("<img src='https://x'>"), loads));
}

TEST(PageTest, ThinnedCurvesKeepTheirExtremesInEachSection)
{
    const std::size_t detail = 100;
    const Chart whole = MakeLong(20000, 3);
    const auto [chart, note] = ThinChart(whole, detail);
    const auto& all = whole.panels[0];
    const auto& kept = chart.panels[0];
    EXPECT_LE(kept.times.size(), 2 * 3 * detail + 2);
    EXPECT_EQ(note.find(std::to_string(kept.times.size()) + " of 20000 intervals are drawn"), 0U)
        << note;
    EXPECT_TRUE(std::is_sorted(kept.times.begin(), kept.times.end()));
    EXPECT_EQ(kept.times.front(), all.times.front());
    EXPECT_EQ(kept.times.back(), all.times.back());
    for (std::size_t c = 0; c < 3; ++c)
    {
        const auto& before = all.series[c].y;
        const auto& after = kept.series[c].y;
        ASSERT_EQ(after.size(), kept.times.size());
        for (std::size_t section = 0; section < detail; ++section)
        {
            const auto isInside = [&](double time) {
                const auto place = static_cast<std::size_t>(time / all.times.back() * detail);
                return std::min(place, detail - 1) == section;
            };
            const auto find = [&](const auto& panel, const auto& values) {
                std::pair<double, double> range{1e9, -1e9};
                for (std::size_t i = 0; i < values.size(); ++i)
                {
                    if (isInside(panel.times[i]))
                    {
                        range = {std::min(range.first, *values[i]),
                                 std::max(range.second, *values[i])};
                    }
                }
                return range;
            };
            EXPECT_EQ(find(all, before), find(kept, after)) << c << ", " << section;
        }
        EXPECT_EQ(*std::max_element(after.begin(), after.end()), 50.0);
        EXPECT_EQ(*std::min_element(after.begin(), after.end()), 0.0);
    }
}

TEST(PageTest, PlainTextHasNothingThatMovesACursor)
{
    Report report{"Run", "a\x1b[31mb"};
    report.Begin("Nothing in it");
    report.Begin("Table");
    report.Add(Report::Table{{"x"}, {{{"two\nlines"}}}});
    EXPECT_EQ(FormatText(report),
              "Run\na [31mb\n=======\n\nTable\n=====\n\nx\n---------\ntwo lines\n");
}

TEST(PageTest, WhatIsShortStaysWhole)
{
    const auto thinned = ThinChart(MakeLong(200, 2), 100);
    EXPECT_EQ(thinned.note, "");
    EXPECT_EQ(thinned.chart.panels[0].times.size(), 200U);
    Report report{"Run", "short"};
    report.Add(Report::Picture{MakeLong(200, 2)});
    EXPECT_EQ(FormatPage(report).find("class=\"thinned\""), std::string::npos);
}

TEST(PageTest, ThinnedStepsKeepTheirEnds)
{
    Chart::Panel panel;
    panel.kind = Chart::Kind::STEPS;
    panel.series.push_back({"all", {}, {}, {}, {}});
    for (int i = 1; i <= 10000; ++i)
    {
        panel.series[0].x.push_back(i * i);
        panel.series[0].y.emplace_back(i / 10000.0);
    }
    const auto [chart, note] = ThinChart({"", "", {panel}}, 50);
    const auto& kept = chart.panels[0].series[0];
    EXPECT_LE(kept.x.size(), 100U);
    EXPECT_EQ(kept.x.size(), kept.y.size());
    EXPECT_EQ(kept.x.front(), 1);
    EXPECT_EQ(kept.x.back(), 1e8);
    EXPECT_EQ(kept.y.back(), 1.0);
    EXPECT_NE(note.find("of 10000 steps"), std::string::npos) << note;
}

TEST(PageTest, ManyBoxesBecomeFewThatSayHowManyTheyAre)
{
    Chart::Panel panel;
    panel.kind = Chart::Kind::BOXES;
    panel.names = {"h0", ""};
    for (std::size_t i = 0; i < 5000; ++i)
    {
        const double start = static_cast<double>(i);
        panel.boxes.push_back({i % 2, start, start + 0.5, i % 7, "job", "text"});
    }
    panel.boxes.push_back({0, 0, 5000, 3, "long", "one long job"});
    const auto [chart, note] = ThinChart({"", "", {panel}}, 20);
    std::size_t count = 0;
    for (const auto& box : chart.panels[0].boxes)
    {
        count += box.colour ? 1 : std::stoul(box.name); // "50 runs"
    }
    EXPECT_EQ(count, 5001U);
    EXPECT_LE(chart.panels[0].boxes.size(), 400U);
    EXPECT_FALSE(note.empty());
    const bool hasLong = std::any_of(chart.panels[0].boxes.begin(),
                                     chart.panels[0].boxes.end(),
                                     [](const auto& box) { return box.name == "long"; });
    EXPECT_TRUE(hasLong) << "what is longer than a section stays as it is";
}

TEST(PageTest, OfManyRowsSomeAreDrawnAndMachinesKeepTheirNames)
{
    Chart::Panel panel;
    panel.kind = Chart::Kind::BOXES;
    for (std::size_t row = 0; row < 100; ++row)
    {
        panel.names.push_back(row % 4 == 1 ? "h" + std::to_string(row) : "");
        panel.boxes.push_back({row, 0, 1, 0, "job", ""});
    }
    const auto [chart, note] = ThinChart({"", "", {panel}}, 50);
    EXPECT_EQ(chart.panels[0].names.size(), 50U);
    EXPECT_EQ(chart.panels[0].boxes.size(), 50U);
    EXPECT_EQ(chart.panels[0].names[1], "h1") << "of the row before, which is left out";
    for (const auto& box : chart.panels[0].boxes)
    {
        EXPECT_LT(box.row, 50U);
    }
}

TEST(PageTest, NoPageIsLargerThanItMayBe)
{
    Report report{"Run", "long"};
    for (int i = 0; i < 4; ++i)
    {
        report.Add(Report::Picture{MakeLong(100000, 12), "time"});
    }
    Chart::Panel gantt;
    gantt.kind = Chart::Kind::BOXES;
    gantt.names.resize(4096);
    for (std::size_t i = 0; i < 200000; ++i)
    {
        const double start = static_cast<double>(i / 4096);
        gantt.boxes.push_back({i % 4096, start, start + 0.9, i % 7, "job", std::string(50, 'x')});
    }
    report.Add(Report::Picture{{"gantt", "", {gantt}}, "time"});
    report.Add(Report::Table{{"row"}, std::vector<Report::Row>(200000, {{std::string(100, 'y')}})});
    report.Add(Report::Code{"long", std::string(20000000, 'z')});
    report.Add(Report::Warning{std::vector<std::string>(100000, std::string(100, 'w'))});
    const std::string html = FormatPage(report);
    EXPECT_LE(html.size(), MOST_PAGE_BYTES);
    EXPECT_GE(html.size(), MOST_PAGE_BYTES / 4) << "no less is shown than need be";
    EXPECT_NE(html.find("are thinned on this page"), std::string::npos);
    EXPECT_EQ(FindUnbalanced(html), "");
    EXPECT_LE(FormatPage(report, 300000).size(), 300000U);
}

TEST(PageTest, PlainTextHasAllButTheCharts)
{
    Report report{"Run", "Größe", {{"./ddl run", Tone::NONE}}};
    report.Add(Report::Tiles{{{{"3", Tone::GOOD}, "met"}, {{"1 of 2"}, "orders"}}});
    report.Begin("Numbers");
    report.Add(Report::Text{"first"});
    report.Add(Report::Text{"second"});
    report.Add(Report::Table{{"", "s"}, {{{"a"}, {"10"}}, {{"bcd"}, {"9 ±1"}}}});
    report.Add(Report::Text{"of the table"});
    report.Add(Report::Warning{{"one", "two"}});
    report.Add(Report::Heading{"Charts"});
    report.Add(Report::Picture{{"my curves", "3 seeds", {}}, "", {"fig/c.png"}});
    report.Add(Report::Code{"scenario", "{\n}"});
    EXPECT_EQ(FormatText(report),
              "Run\nGröße\n=====\n./ddl run\n\n"
              "3 met, 1 of 2 orders\n\n"
              "Numbers\n=======\n\n"
              "first\nsecond\n\n"
              "        s\n---------\na      10\nbcd  9 ±1\nof the table\n\n"
              "! one\n! two\n\n"
              "Charts\n------\n\n"
              "Chart: my curves (3 seeds)\n    fig/c.png\n\n"
              "scenario:\n    {\n    }\n");
    const std::string html = FormatPage(report);
    EXPECT_EQ(html.find("my curves"), std::string::npos) << "a chart without panels is not drawn";
    EXPECT_NE(html.find("<a href=\"#s1\">Numbers</a>"), std::string::npos);
}

TEST(PageTest, PlainTextCutsLongBlocks)
{
    Report report{"Run", "long"};
    report.Add(Report::Table{{"row"}, std::vector<Report::Row>(2500, {{"y"}})});
    report.Add(Report::Warning{std::vector<std::string>(3, "w")});
    report.Add(Report::Code{"scenario", "a\nb\nc\nd\n"});
    EXPECT_EQ(FormatText(report, 100, 2),
              "Run\nlong\n====\n\n"
              "row\n---\ny\ny\nThe first 2 of 2500 rows.\n\n"
              "! w\n! w\n! The first 2 of 3 paragraphs.\n\n"
              "scenario:\n    a\n    b\n    The first 2 of 4 lines.\n");
    EXPECT_NE(FormatText(report).find("The first 1000 of 2500 rows."), std::string::npos);
}

} // namespace
} // namespace ns3::ddl
