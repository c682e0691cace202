// SPDX-License-Identifier: GPL-2.0-only
#include "app/report/ddl-report-command.h"
#include "ddl-figures-fixture.h"
#include "ddl-full-disk.h"

#include "ns3/ddl-error.h"

#include <sstream>

namespace ns3::ddl
{
namespace
{

using ReportTest = FiguresFixture;

/** \return what the command printed: the path of the page, or the text */
std::string
RunReport(const std::vector<std::string>& words)
{
    auto arguments = MakeReportArguments();
    arguments.Parse(words);
    std::ostringstream out;
    EXPECT_EQ(WriteReport(arguments, out), 0);
    return out.str();
}

std::string
ReadWhole(const std::filesystem::path& path)
{
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

std::size_t
CountText(const std::string& text, const std::string& part)
{
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    {
        ++count;
    }
    return count;
}

TEST_F(ReportTest, ARunHasItsTableItsFiguresAndItsFiles)
{
    const auto folder = m_folder / "slow";
    Write("slow/cost.json", R"({"cpu_s": 12.5})");
    EXPECT_EQ(RunReport({folder.string()}), (folder / "report.html").string() + "\n");
    const std::string html = ReadWhole(folder / "report.html");
    for (const std::string part : {"<h1>sample</h1>",
                                   "<td>stage completion time, s</td><td>4.000</td>",
                                   "Throughput of jobs",
                                   "What GPUs did",
                                   "Jobs on GPUs over time",
                                   "Distribution of job completion times",
                                   "<td>jobs.csv</td>",
                                   "of CPU time"})
    {
        EXPECT_EQ(html.find(part) != std::string::npos, part != "What GPUs did") << part;
    }
    // job 1 moves 0.25 GB in the first second: 2 Gbit/s
    EXPECT_NE(html.find(R"("name":"job 1","y":[2.0,2.0])"), std::string::npos);
    EXPECT_EQ(html.find(m_folder.string()), std::string::npos) << "no path of this machine";
    RunReport({folder.string()});
    EXPECT_EQ(html, ReadWhole(folder / "report.html")) << "it does not count itself";
}

TEST_F(ReportTest, PlainTextIsPrintedAndNothingWritten)
{
    const std::string text = RunReport({(m_folder / "slow").string(), "--text"});
    for (const std::string part : {"\nsample\n======\n",
                                   "\nstage completion time, s  4.000",
                                   "\nChart: Distribution of job completion times",
                                   "\njobs.csv "})
    {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
    }
    EXPECT_FALSE(Exists("slow/report.html"));
    const std::string file = (m_folder / "mail.txt").string();
    EXPECT_EQ(RunReport({(m_folder / "slow").string(), "--text", "--out=" + file}), file + "\n");
    EXPECT_EQ(ReadWhole(file), text);
}

TEST_F(ReportTest, NamesOfScenariosAreTexts)
{
    Write(
        "evil/summary.json",
        R"({"name": "<script>alert(1)</script>", "status": "interrupted",)"
        R"( "warnings": ["</p><img src=x>"], "unfinished": [{"what": "<b>", "state": "</main>"}],)"
        R"( "metrics": {"makespan_s": 1}, "scenario": {"description": "</pre><script>"}})");
    Write("evil/jobs.csv", MakeJobs(""));
    Write("evil/stages.csv", MakeStages("", ""));
    Write("evil/ports.csv", "node,port,peer,queue,packets,bytes\n<i>,0,</script>,1,1,100\n");
    RunReport({(m_folder / "evil").string()});
    const std::string html = ReadWhole(m_folder / "evil/report.html");
    EXPECT_EQ(html.find("<script>alert"), std::string::npos);
    EXPECT_EQ(html.find("<img"), std::string::npos);
    EXPECT_EQ(CountText(html, "</main>"), 1U);
    EXPECT_EQ(CountText(html, "<script"), CountText(html, "</script>"));
    EXPECT_NE(html.find("The run is interrupted: not all of its work was done"), std::string::npos);
}

TEST_F(ReportTest, ResultsSideBySideAreRelativeToTheFirst)
{
    const std::string page = (m_folder / "new/both.html").string();
    RunReport({(m_folder / "slow").string(), (m_folder / "fast").string(), "--out=" + page});
    const std::string html = ReadWhole(page);
    EXPECT_NE(html.find("3.000 (0.7500)"), std::string::npos) << "3 s over 4 s";
    EXPECT_NE(html.find("In brackets the ratio to slow."), std::string::npos);
    EXPECT_NE(html.find("Jobs on GPUs over time: fast"), std::string::npos);
}

TEST_F(ReportTest, AllFoldersWithoutResultsAreNamed)
{
    std::filesystem::create_directory(m_folder / "empty");
    Write("writing/jobs.csv.part", "job_id\n");
    Write("file", "");
    const auto path = [this](const std::string& name) { return (m_folder / name).string(); };
    try
    {
        RunReport({path("slow"), path("empty"), path("writing"), path("file"), path("none")});
        FAIL() << "no complaint";
    }
    catch (const InputError& error)
    {
        const std::string text = error.what();
        EXPECT_EQ(error.GetDiagnostics().size(), 4U) << text;
        EXPECT_NE(text.find(path("empty") + ": has no results"), std::string::npos) << text;
        EXPECT_NE(text.find(path("writing") + ": a run is still writing here"), std::string::npos);
        EXPECT_NE(text.find(path("file") + ": is not a folder"), std::string::npos) << text;
        EXPECT_NE(text.find(path("none") + ": does not exist"), std::string::npos) << text;
    }
    EXPECT_THROW(RunReport({path("slow"), "--out=" + path("empty")}), InputError)
        << "a folder is no file";
    Write("bad/summary.json", "{\"metrics\": ");
    EXPECT_THROW(RunReport({path("bad")}), InputError);
}

TEST_F(ReportTest, DamagedFilesCostTheirFigureAlone)
{
    Write("slow/runs.csv", "job_id,run\n1\n");
    RunReport({(m_folder / "slow").string()});
    const std::string html = ReadWhole(m_folder / "slow/report.html");
    EXPECT_NE(html.find("No figure gantt: "), std::string::npos);
    EXPECT_NE(html.find("Throughput of jobs"), std::string::npos);
}

TEST_F(ReportTest, AFullDiskLeavesThePageThatWasThere)
{
    const auto page = m_folder / "slow/report.html";
    Write("slow/report.html", "old");
    {
        const FullDisk full(1000);
        EXPECT_THROW(RunReport({(m_folder / "slow").string()}), RunError);
    }
    EXPECT_EQ(ReadWhole(page), "old");
}

} // namespace
} // namespace ns3::ddl
