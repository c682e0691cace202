// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sample-results.h"
#include "ddl-scratch-folder.h"

#include "ns3/ddl-comparison.h"
#include "ns3/ddl-error.h"

#include <algorithm>
#include <map>

namespace ns3
{
namespace ddl
{
namespace
{

/**
 * Comparisons with a ddl-run and a ddl-check of shell. The run takes its results from
 * samples/NETWORK-SEED.json and notes its start in `started`; network `bad` fails.
 */
class CompareTest : public ScratchFolder
{
  protected:
    void SetUp() override
    {
        ScratchFolder::SetUp();
        m_options.scenario = Write("two.json", "{}\n");
        m_options.variations = ParseVariations({"scheduler.network=sptf,grouper"});
        m_options.seeds = 2;
        m_options.jobs = 2;
        m_options.folder = m_folder / "results";
        m_options.runProgram = WriteScript("ddl-run", MakeRunScript());
        m_options.checkProgram = WriteScript("ddl-check",
                                             "case \"$*\" in *typo*)\n"
                                             "echo '--set: /scheduler/network: unknown' >&2\n"
                                             "echo '--set: /scheduler/networks: other' >&2\n"
                                             "echo 'two.json:1: also wrong' >&2; exit 2;; esac\n");
        for (const auto& [name, sct] : std::map<std::string, double>{{"sptf-1", 8},
                                                                     {"sptf-2", 4},
                                                                     {"grouper-1", 6},
                                                                     {"grouper-2", 3}})
        {
            Write("samples/" + name + ".json", MakeSummary(sct));
        }
    }

    std::string MakeRunScript() const
    {
        const std::string home = m_folder.string();
        return "for a in \"$@\"; do case \"$a\" in\n"
               "--set=scheduler.network=*) network=${a##*=};;\n"
               "--seed=*) seed=${a#*=};; --out=*) out=${a#*=};; esac; done\n"
               "echo \"$network-$seed $*\" >> " +
               home +
               "/started\n"
               "case $network in bad) echo first; echo last >&2; exit 1;; esac\n"
               "if [ $network = slow ]; then\n"
               "  kill -INT $PPID; trap 'exit 130' INT; while :; do sleep 0.05; done; fi\n"
               "cp " +
               home + "/stages.csv " + home + "/jobs.csv $out\ncp " + home +
               "/samples/$network-$seed.json $out/summary.json\n";
    }

    int Run()
    {
        Write("stages.csv", MakeStages("1.5", "2"));
        Write("jobs.csv", MakeJobs("2"));
        std::filesystem::remove(m_folder / "started");
        m_out.str("");
        m_err.str("");
        return Compare(m_options, m_out, m_err);
    }

    /** \return how many runs the last comparison started */
    std::size_t Started() const
    {
        const std::string text = Read("started");
        return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }

    CompareOptions m_options;
    std::ostringstream m_out;
    std::ostringstream m_err;
};

const std::string HEADER = "run,seed,scheduler.network,sct_s,jct_s,cojct_s,stage_slowdown,"
                           "job_slowdown,makespan_s,gpu_utilisation,tta90_s,cojob_tta90_s\n";

TEST_F(CompareTest, WritesARowARunInTheOrderOfTheCrossProduct)
{
    EXPECT_EQ(Run(), 0) << m_err.str();
    // each metric of a sample follows from its SCT s: 2s, 3s, 1+s, 2+s, 4s, 0.5
    EXPECT_EQ(Read("results/compare.csv"),
              HEADER + "network=sptf_seed=1,1,sptf,8,16,24,9,10,32,0.5,,\n"
                       "network=sptf_seed=2,2,sptf,4,8,12,5,6,16,0.5,,\n"
                       "network=grouper_seed=1,1,grouper,6,12,18,7,8,24,0.5,,\n"
                       "network=grouper_seed=2,2,grouper,3,6,9,4,5,12,0.5,,\n");
    EXPECT_EQ(Started(), 4U);
    EXPECT_NE(Read("started").find("grouper-2 " + m_options.scenario +
                                   " --set=scheduler.network=grouper --seed=2 --out=" +
                                   (m_folder / "results/runs/network=grouper_seed=2").string() +
                                   " --quiet\n"),
              std::string::npos)
        << Read("started");
}

TEST_F(CompareTest, TableShowsMeansAndRatiosToTheFirst)
{
    ASSERT_EQ(Run(), 0);
    // SCT: sptf (8+4)/2 = 6; grouper (6+3)/2 = 4.5, ratios 6/8 and 3/4, so 0.75 exactly
    const std::string table = m_out.str();
    EXPECT_NE(table.find(" 6.000 (1.000)  "), std::string::npos) << table;
    EXPECT_NE(table.find("grouper  4.500 (0.750 ±0.000)"), std::string::npos) << table;
    EXPECT_NE(table.find("ratio to the first row (sptf)"), std::string::npos) << table;
    EXPECT_NE(table.find("over 2 seeds"), std::string::npos) << table;
    EXPECT_NE(table.find("scale: model 1, iterations 0.5"), std::string::npos) << table;
}

TEST_F(CompareTest, OneSeedHasNoIntervals)
{
    m_options.seeds = 1;
    ASSERT_EQ(Run(), 0);
    EXPECT_NE(m_out.str().find("6.000 (0.750)"), std::string::npos) << m_out.str();
    EXPECT_EQ(m_out.str().find("±"), std::string::npos) << m_out.str();
}

TEST_F(CompareTest, QuietSaysNothingWhenAllIsWell)
{
    m_options.quiet = true;
    ASSERT_EQ(Run(), 0);
    EXPECT_EQ(m_out.str(), "");
    EXPECT_EQ(m_err.str(), "");
}

TEST_F(CompareTest, EqualComparisonsAreEqualWhereverTheyAre)
{
    ASSERT_EQ(Run(), 0);
    m_options.folder = m_folder / "elsewhere/results";
    m_options.jobs = 1;
    ASSERT_EQ(Run(), 0);
    for (const std::string file : {"compare.csv",
                                   "bars.gp",
                                   "bars-data.csv",
                                   "cdf-slowdown.gp",
                                   "cdf-slowdown-data.csv",
                                   "runs/network=sptf_seed=1/request.json"})
    {
        EXPECT_NE(Read("results/" + file), "") << file;
        EXPECT_EQ(Read("results/" + file), Read("elsewhere/results/" + file)) << file;
    }
}

TEST_F(CompareTest, AFailedRunDoesNotLoseTheOthers)
{
    m_options.variations = ParseVariations({"scheduler.network=bad,grouper"});
    m_options.seeds = 1;
    EXPECT_EQ(Run(), 1);
    EXPECT_EQ(Read("results/compare.csv"),
              HEADER + "network=bad_seed=1,1,bad,,,,,,,,,\n"
                       "network=grouper_seed=1,1,grouper,6,12,18,7,8,24,0.5,,\n");
    EXPECT_NE(m_err.str().find("run network=bad_seed=1 failed: exit status 1"), std::string::npos)
        << m_err.str();
    EXPECT_NE(m_err.str().find("    first\n    last\n"), std::string::npos)
        << "the end of its log: " << m_err.str();
}

TEST_F(CompareTest, ARunThatLeavesNoSummaryFailed)
{
    std::filesystem::remove(m_folder / "samples/sptf-1.json");
    m_options.runProgram = WriteScript("ddl-run", MakeRunScript() + "exit 0\n");
    EXPECT_EQ(Run(), 1);
    EXPECT_NE(m_err.str().find("network=sptf_seed=1 failed: no complete summary.json"),
              std::string::npos)
        << m_err.str();
}

TEST_F(CompareTest, ResumeRunsOnlyWhatIsNotFinished)
{
    ASSERT_EQ(Run(), 0);
    const std::string before = Read("results/compare.csv");
    std::filesystem::remove(m_folder / "results/runs/network=sptf_seed=2/summary.json");
    Write("results/runs/network=grouper_seed=1/summary.json",
          "{\"status\": \"interrupted\", \"metrics\": {}}");
    m_options.resume = true;
    EXPECT_EQ(Run(), 0);
    EXPECT_EQ(Started(), 2U) << Read("started");
    EXPECT_EQ(Read("results/compare.csv"), before);
    EXPECT_EQ(Run(), 0);
    EXPECT_EQ(Started(), 0U) << "now all are finished";
}

TEST_F(CompareTest, ResumeRunsAgainWhatWasAskedForDifferently)
{
    ASSERT_EQ(Run(), 0);
    m_options.resume = true;
    m_options.settings = {"scheduler.period=1s"};
    EXPECT_EQ(Run(), 0);
    EXPECT_EQ(Started(), 4U) << "another setting";
    Write("two.json", "{\"seed\": 1}\n");
    EXPECT_EQ(Run(), 0);
    EXPECT_EQ(Started(), 4U) << "another scenario";
    m_options.variations = ParseVariations({"scheduler.network=sptf,grouper,bad"});
    EXPECT_EQ(Run(), 1);
    EXPECT_EQ(Started(), 2U) << "a value more: its two seeds";
}

TEST_F(CompareTest, ResumeRunsAgainWhenAPluginIsNewer)
{
    const std::string plugin = Write("mine.so", "");
    const auto hour = std::chrono::hours(1);
    using FileClock = std::filesystem::file_time_type::clock;
    m_options.plugins = {plugin};
    std::filesystem::last_write_time(plugin, FileClock::now() - hour);
    ASSERT_EQ(Run(), 0);
    m_options.resume = true;
    EXPECT_EQ(Run(), 0);
    EXPECT_EQ(Started(), 0U);
    std::filesystem::last_write_time(plugin, FileClock::now() + hour);
    EXPECT_EQ(Run(), 0);
    EXPECT_EQ(Started(), 4U);
}

TEST_F(CompareTest, WithoutResumeEverythingRunsAgain)
{
    ASSERT_EQ(Run(), 0);
    ASSERT_EQ(Run(), 0);
    EXPECT_EQ(Started(), 4U);
}

TEST_F(CompareTest, BadInputIsFoundBeforeAnythingRuns)
{
    m_options.variations = ParseVariations({"scheduler.network=sptf,typo1,typo2"});
    try
    {
        Run();
        FAIL();
    }
    catch (const InputError& error)
    {
        // each line once, though two combinations have it; the second is of a --set
        EXPECT_STREQ(error.what(),
                     "--vary: /scheduler/network: unknown\n"
                     "--set: /scheduler/networks: other\n"
                     "two.json:1: also wrong");
    }
    EXPECT_EQ(Started(), 0U);
    EXPECT_FALSE(Exists("results"));
}

TEST_F(CompareTest, AnUnwritableFolderIsFoundBeforeAnythingRuns)
{
    m_options.folder = Write("file", "") + "/results";
    EXPECT_THROW(Run(), RunError);
    EXPECT_EQ(Started(), 0U);
}

TEST_F(CompareTest, MissingProgramsAndBrokenChecksAreFailures)
{
    m_options.checkProgram = WriteScript("broken", "echo oh; exit 9");
    EXPECT_THROW(Run(), RunError);
    m_options.checkProgram = (m_folder / "none").string();
    EXPECT_THROW(Run(), RunError);
    EXPECT_EQ(Started(), 0U);
}

TEST_F(CompareTest, InterruptKeepsTheFinishedRuns)
{
    // One at a time: grouper is finished when slow interrupts us; sptf never starts.
    m_options.variations = ParseVariations({"scheduler.network=grouper,slow,sptf"});
    m_options.seeds = 1;
    m_options.jobs = 1;
    EXPECT_EQ(Run(), 130);
    EXPECT_EQ(Read("results/compare.csv"),
              HEADER + "network=grouper_seed=1,1,grouper,6,12,18,7,8,24,0.5,,\n");
    EXPECT_EQ(Started(), 2U) << Read("started");
}

} // namespace
} // namespace ddl
} // namespace ns3
