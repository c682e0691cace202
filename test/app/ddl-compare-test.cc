// SPDX-License-Identifier: GPL-2.0-only
#include "app/compare/ddl-comparison.h"
#include "app/process/ddl-folder.h"
#include "ddl-sample-results.h"
#include "ddl-scratch-folder.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <map>

namespace ns3::ddl
{
namespace
{

/**
 * Comparisons with a ddl-run of shell. The run takes its results from
 * samples/NETWORK-SEED.json and notes its start in `started`; network `bad` fails.
 */
class CompareTest : public ScratchFolder
{
  protected:
    void SetUp() override
    {
        ScratchFolder::SetUp();
        m_options.scenario = Write("two.json", "{}\n");
        Write("program", "first");
        m_options.variations = ParseVariations({"scheduler.network=sptf,grouper"});
        m_options.seeds = 2;
        m_options.jobs = 2;
        m_options.folder = m_folder / "results";
        m_options.runProgram = WriteScript("ddl-run", MakeRunScript());
        m_options.isChecked = true; // the scenario is none
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
        return "home=" + m_folder.string() + R"(
for a in "$@"; do
  case "$a" in
  --set=scheduler.network=*) network=${a##*=}; sets="$sets $a" ;;
  --set=*) sets="$sets $a" ;;
  --seed=*) seed=${a#*=} ;;
  --out=*) out=${a#*=} ;;
  --identity=*) file=${a#*=} ;;
  esac
done
is='"versions": {}, "identity": "'$(cat $home/program)'",
    "scenario": "'$seed$sets' '$(cksum <$1)'"'
if [ -n "$file" ]; then echo "{$is}" >$file; exit; fi
echo "$network-$seed $*" >>$home/started
case $network in bad) echo first; echo last >&2; exit 1 ;; esac
if [ $network = slow ]; then
  kill -INT $PPID; trap 'exit 130' INT; while :; do sleep 0.05; done
fi
cp $home/stages.csv $home/jobs.csv $out
{ echo "{$is, \"files\": {\"jobs.csv\": $(stat -c %s $out/jobs.csv)},"
  cut -c 2- $home/samples/$network-$seed.json; } >$out/summary.json
)";
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

    /** Three rows by a rule: `grouper` is soon known, and `noisy` not with 20 seeds. */
    void AskForARule()
    {
        m_options.variations = ParseVariations({"scheduler.network=sptf,grouper,noisy"});
        m_options.until = ParseSeedRule("sct_s<=2%");
        m_options.until->most = 20;
        for (int seed = 1; seed <= 40; ++seed)
        {
            const double sign = seed % 2 == 0 ? 1 : -1;
            const std::string end = "-" + std::to_string(seed) + ".json";
            Write("samples/sptf" + end, MakeSummary(8));
            Write("samples/grouper" + end, MakeSummary(4 + 0.04 * sign));
            Write("samples/noisy" + end, MakeSummary(8 + 0.8 * sign));
        }
    }

    /** \return how many runs of a network the last comparison started */
    std::size_t StartedOf(const std::string& network) const
    {
        std::istringstream lines(Read("started"));
        std::string line;
        std::size_t count = 0;
        while (std::getline(lines, line))
        {
            count += line.compare(0, network.size() + 1, network + "-") == 0 ? 1 : 0;
        }
        return count;
    }

    CompareOptions m_options;
    std::ostringstream m_out;
    std::ostringstream m_err;
};

const std::string HEADER = "run,seed,scheduler.network,sct_s,jct_s,cojct_s,stage_slowdown,"
                           "job_slowdown,makespan_s,gpu_utilisation,tta90_s,cojob_tta90_s,"
                           "sct_s_mean,sct_s_ci95,jct_s_mean,jct_s_ci95,cojct_s_mean,cojct_s_ci95,"
                           "stage_slowdown_mean,stage_slowdown_ci95,job_slowdown_mean,"
                           "job_slowdown_ci95,makespan_s_mean,makespan_s_ci95,"
                           "gpu_utilisation_mean,gpu_utilisation_ci95,tta90_s_mean,tta90_s_ci95,"
                           "cojob_tta90_s_mean,cojob_tta90_s_ci95\n";

TEST_F(CompareTest, WritesARowARunInTheOrderOfTheCrossProduct)
{
    EXPECT_EQ(Run(), 0) << m_err.str();
    // each metric of a sample follows from its SCT s: 2s, 3s, 1+s, 2+s, 4s, 0.5
    // over two seeds a and b, the mean is (a+b)/2, and half its interval t |a-b|/2 with t = 12.7062
    const std::string sptf = ",6,25.4124095,12,50.8248189,18,76.2372284,7,25.4124095,8,25.4124095,"
                             "24,101.649638,0.5,0,,,,\n";
    const std::string grouper = ",4.5,19.0593071,9,38.1186142,13.5,57.1779213,5.5,19.0593071,6.5,"
                                "19.0593071,18,76.2372284,0.5,0,,,,\n";
    EXPECT_EQ(Read("results/compare.csv"),
              HEADER + "network=sptf_seed=1,1,sptf,8,16,24,9,10,32,0.5,," + sptf +
                  "network=sptf_seed=2,2,sptf,4,8,12,5,6,16,0.5,," + sptf +
                  "network=grouper_seed=1,1,grouper,6,12,18,7,8,24,0.5,," + grouper +
                  "network=grouper_seed=2,2,grouper,3,6,9,4,5,12,0.5,," + grouper);
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
    // half the intervals: 12.71 x 4/2 = 25.4 and 12.71 x 3/2 = 19.1
    EXPECT_NE(table.find(" 6.000 ±25 (1.000)  "), std::string::npos) << table;
    EXPECT_NE(table.find("grouper  4.500 ±19 (0.7500 ±0)"), std::string::npos) << table;
    EXPECT_NE(table.find("ratio to scheduler.network=sptf;"), std::string::npos) << table;
    EXPECT_NE(table.find("over 2 seeds"), std::string::npos) << table;
    EXPECT_NE(table.find("scale: model 1, iterations 0.5"), std::string::npos) << table;
}

TEST_F(CompareTest, OneSeedHasNoIntervals)
{
    m_options.seeds = 1;
    ASSERT_EQ(Run(), 0);
    EXPECT_NE(m_out.str().find("6.000 (0.7500)"), std::string::npos) << m_out.str();
    EXPECT_EQ(m_out.str().find("±"), std::string::npos) << m_out.str();
    EXPECT_NE(m_out.str().find("1 seed: any difference may be chance"), std::string::npos)
        << m_out.str();
    EXPECT_NE(
        Read("results/compare.csv").find(",6,12,18,7,8,24,0.5,,,6,,12,,18,,7,,8,,24,,0.5,,,,,\n"),
        std::string::npos)
        << "no interval from one seed: " << Read("results/compare.csv");
}

TEST_F(CompareTest, RowsThatDifferLookDifferent)
{
    m_options.seeds = 1;
    Write("samples/sptf-1.json", MakeSummary(0.0211));
    Write("samples/grouper-1.json", MakeSummary(0.0211003));
    ASSERT_EQ(Run(), 0);
    // 6 digits tell 0.0211 from 0.0211003, and 1 from 0.0211003 / 0.0211 = 1.0000142
    EXPECT_NE(m_out.str().find(" 0.0211000 (1.00000) "), std::string::npos) << m_out.str();
    EXPECT_NE(m_out.str().find(" 0.0211003 (1.00001) "), std::string::npos) << m_out.str();
}

TEST_F(CompareTest, RoundingIsNoInterval)
{
    Write("samples/sptf-1.json", MakeSummary(3));
    Write("samples/sptf-2.json", MakeSummary(3.00000001)); // the ninth digit
    Write("samples/grouper-1.json", MakeSummary(1));
    Write("samples/grouper-2.json", MakeSummary(1));
    ASSERT_EQ(Run(), 0);
    EXPECT_NE(m_out.str().find("grouper  1.000 ±0 (0.3333 ±0)"), std::string::npos) << m_out.str();
    EXPECT_EQ(m_out.str().find("e-"), std::string::npos) << m_out.str();
    EXPECT_EQ(m_out.str().find("may be chance"), std::string::npos) << m_out.str();
}

TEST_F(CompareTest, SaysWhatSoFewSeedsCannotTell)
{
    Write("samples/sptf-1.json", MakeSummary(10));
    Write("samples/sptf-2.json", MakeSummary(10));
    Write("samples/grouper-1.json", MakeSummary(9.8));
    Write("samples/grouper-2.json", MakeSummary(10));
    ASSERT_EQ(Run(), 0);
    // ratios 0.98 and 1: mean 0.99, half the interval 12.706 x 0.02 / 2 = 0.127, which includes 1
    EXPECT_NE(m_out.str().find("9.900 ±1.3 (0.9900 ±0.13)"), std::string::npos) << m_out.str();
    EXPECT_NE(m_out.str().find("With 2 seeds, differences below 13 % in SCT [s], 13 % in JCT [s]"),
              std::string::npos)
        << m_out.str();
}

TEST_F(CompareTest, RunsWithoutStagesAreRunsToo)
{
    const std::string key = "\"sct_s\"";
    for (const std::string run : {"sptf-1", "sptf-2", "grouper-1", "grouper-2"})
    {
        std::string summary = MakeSummary(run.back() == '1' ? 10 : 9);
        summary.replace(summary.find(key), key.size(), "\"none\"");
        Write("samples/" + run + ".json", summary);
    }
    ASSERT_EQ(Run(), 0);
    EXPECT_EQ(m_out.str().find("SCT"), std::string::npos) << m_out.str();
    EXPECT_NE(m_out.str().find("interval over 2 seeds"), std::string::npos) << m_out.str();
    EXPECT_EQ(m_out.str().find("1 seed"), std::string::npos) << m_out.str();
}

TEST_F(CompareTest, RatiosAreToTheFirstValueOfTheLastVaryWithinEachCombination)
{
    m_options.seeds = 1;
    m_options.variations =
        ParseVariations({"scheduler.network=sptf,grouper", "scheduler.period=1s,2s"});
    Write("samples/grouper-1.json", MakeSummary(6));
    ASSERT_EQ(Run(), 0);
    // The samples do not depend on the period: each is 1 of the first period's, not 6/8 of sptf's.
    EXPECT_NE(m_out.str().find("network=grouper, period=2s  6.000 (1.000)"), std::string::npos)
        << m_out.str();
    EXPECT_NE(m_out.str().find("ratio to scheduler.period=1s with the same other values"),
              std::string::npos)
        << m_out.str();
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
    for (const std::string file :
         {"compare.csv", "bars.gp", "bars-data.csv", "cdf-slowdown.gp", "cdf-slowdown-data.csv"})
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
              HEADER + "network=bad_seed=1,1,bad" + std::string(27, ',') +
                  "\nnetwork=grouper_seed=1,1,grouper,6,12,18,7,8,24,0.5,,,6,,12,,18,,7,,8,,24,,0."
                  "5,,,,,\n");
    EXPECT_NE(m_err.str().find("run network=bad_seed=1 failed: exit status 1"), std::string::npos)
        << m_err.str();
    EXPECT_NE(m_err.str().find("    first\n    last\n"), std::string::npos)
        << "the end of its log: " << m_err.str();
}

TEST_F(CompareTest, JobsThatEndedCountThoughARunAloneFailed)
{
    m_options.seeds = 1;
    m_options.runProgram = WriteScript("ddl-run", MakeRunScript() + R"(
sed -i 's/^{/{"failures": [{"what": "alone runs", "state": "broken"}], /' $out/summary.json
echo "error: alone runs: broken"; exit 1
)");
    EXPECT_EQ(Run(), 1);
    EXPECT_NE(Read("results/compare.csv").find("network=grouper_seed=1,1,grouper,6,12,18,"),
              std::string::npos)
        << Read("results/compare.csv");
    EXPECT_NE(m_err.str().find("run network=sptf_seed=1 failed: exit status 1, but its jobs ended "
                               "and count; the end of "),
              std::string::npos)
        << m_err.str();
    EXPECT_NE(m_err.str().find("    error: alone runs: broken\n"), std::string::npos);

    m_options.resume = true; // tries again what failed
    EXPECT_EQ(Run(), 1);
    EXPECT_EQ(Started(), 2U);
}

TEST_F(CompareTest, ARunThatLeavesNoSummaryFailed)
{
    std::filesystem::remove(m_folder / "samples/sptf-1.json");
    m_options.runProgram = WriteScript("ddl-run", MakeRunScript() + "exit 0\n");
    EXPECT_EQ(Run(), 1);
    EXPECT_NE(m_err.str().find("network=sptf_seed=1 failed: no complete results"),
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

TEST_F(CompareTest, ResumeRunsAgainWhatAnotherProgramWouldRunOtherwise)
{
    ASSERT_EQ(Run(), 0);
    m_options.resume = true;
    EXPECT_EQ(Run(), 0);
    EXPECT_EQ(Started(), 0U);
    Write("program", "second");
    EXPECT_EQ(Run(), 0);
    EXPECT_EQ(Started(), 4U);
}

TEST_F(CompareTest, ResumeRunsAgainWhatHasLostAFileOrAPartOfOne)
{
    ASSERT_EQ(Run(), 0);
    m_options.resume = true;
    std::filesystem::remove(m_folder / "results/runs/network=sptf_seed=2/jobs.csv");
    std::filesystem::resize_file(m_folder / "results/runs/network=grouper_seed=1/jobs.csv", 10);
    EXPECT_EQ(Run(), 0);
    EXPECT_EQ(Started(), 2U) << Read("started");
}

TEST_F(CompareTest, AFolderInUseIsLeftAlone)
{
    ASSERT_EQ(Run(), 0);
    const std::string before = Read("results/compare.csv");
    const FolderLock held(m_options.folder);
    m_options.settings = {"scheduler.period=1s"};
    EXPECT_THROW(Run(), RunError);
    EXPECT_EQ(Started(), 0U);
    EXPECT_EQ(Read("results/compare.csv"), before);
}

TEST_F(CompareTest, FiguresOfAnEarlierCallAreRemoved)
{
    for (const std::string file : {"cdf-jct-data.csv", "cdf-jct.gp", "cdf-jct.png", "cdf-jct.svg"})
    {
        Write("results/" + file, "old");
    }
    Write("results/bars.pdf", "old");
    Write("results/bars.gp", "old");
    Write("results/bars-data.csv", "old");
    Write("results/mine.gp", "the user's own");
    ASSERT_EQ(Run(), 0);
    for (const std::string file :
         {"cdf-jct-data.csv", "cdf-jct.gp", "cdf-jct.png", "cdf-jct.svg", "bars.pdf"})
    {
        EXPECT_FALSE(Exists("results/" + file)) << file;
    }
    EXPECT_TRUE(Exists("results/mine.gp"));
    EXPECT_NE(Read("results/bars.gp"), "old");
}

TEST_F(CompareTest, ResultsThatAreGoneAreAFailureNotBadInput)
{
    // The last run removes what the first has left.
    m_options.jobs = 1;
    m_options.runProgram =
        WriteScript("ddl-run",
                    MakeRunScript() + "case $network-$seed in grouper-2)"
                                      " rm -r $home/results/runs/network=sptf_seed=1;; esac\n");
    EXPECT_THROW(Run(), RunError);
}

TEST_F(CompareTest, WithoutResumeEverythingRunsAgain)
{
    ASSERT_EQ(Run(), 0);
    ASSERT_EQ(Run(), 0);
    EXPECT_EQ(Started(), 4U);
}

TEST_F(CompareTest, SeedsAreAddedUntilTheRuleIsMet)
{
    AskForARule();
    ASSERT_EQ(Run(), 0) << m_err.str();
    EXPECT_EQ(StartedOf("grouper"), 8U);
    EXPECT_EQ(StartedOf("noisy"), 20U);
    EXPECT_EQ(StartedOf("sptf"), 20U) << "as many as any row that is compared with it";
    // ratios 0.495 and 0.505: s = 0.005 sqrt(8/7), so the interval is
    // 2.364624 x 0.005 / sqrt(7) x sqrt(1 + 3.5/8) = 0.0053578
    EXPECT_NE(Read("results/compare.csv").find("network=grouper_seed=8,8,grouper,4.04,"),
              std::string::npos);
    EXPECT_NE(Read("results/compare.csv").find(",sct_s<=2%,8,8,0.5,0.0053578"), std::string::npos)
        << Read("results/compare.csv");
    const std::string table = m_out.str();
    EXPECT_NE(table.find("grouper      8  0.5000 ±0.0054    settled"), std::string::npos) << table;
    EXPECT_NE(table.find("noisy       20    1.000 ±0.052  uncertain"), std::string::npos) << table;
    EXPECT_NE(table.find("over 8 to 20 seeds"), std::string::npos) << table;
    EXPECT_NE(table.find("until the ratio of sct_s is known to ±2 %."), std::string::npos) << table;
}

TEST_F(CompareTest, SeedsOfARuleDoNotDependOnHowManyRunAtATime)
{
    AskForARule();
    ASSERT_EQ(Run(), 0);
    const std::string csv = Read("results/compare.csv");
    const std::string table = m_out.str();
    m_options.jobs = 5;
    ASSERT_EQ(Run(), 0);
    EXPECT_EQ(Read("results/compare.csv"), csv);
    EXPECT_EQ(m_out.str(), table);
    m_options.resume = true;
    ASSERT_EQ(Run(), 0);
    EXPECT_EQ(Started(), 0U);
    EXPECT_EQ(Read("results/compare.csv"), csv);
    m_options.until->most = 25;
    ASSERT_EQ(Run(), 0);
    EXPECT_EQ(Started(), 10U) << "five seeds of two rows: " << Read("started");
}

TEST_F(CompareTest, ARowThatFailsDoesNotUseUpAllSeeds)
{
    AskForARule();
    m_options.variations = ParseVariations({"scheduler.network=sptf,bad,grouper"});
    EXPECT_EQ(Run(), 1);
    EXPECT_EQ(StartedOf("bad"), 8U);
    EXPECT_NE(m_out.str().find("uncertain, 8 without a ratio"), std::string::npos) << m_out.str();
}

TEST_F(CompareTest, TheSignTakesTheFirstMetricThatRunsHave)
{
    AskForARule();
    m_options.until = ParseSeedRule("sign");
    m_options.until->most = 12;
    ASSERT_EQ(Run(), 0) << m_err.str();
    EXPECT_EQ(StartedOf("grouper"), 8U);
    EXPECT_EQ(StartedOf("noisy"), 12U);
    EXPECT_NE(m_out.str().find("until the sign of the difference in sct_s is certain."),
              std::string::npos)
        << m_out.str();
}

TEST_F(CompareTest, BadInputIsFoundBeforeAnythingRuns)
{
    m_options.isChecked = false;
    m_options.scenario = "two-jobs-one-link";
    m_options.settings = {"scheduler.perriod=1s"};
    m_options.variations = ParseVariations({"scheduler.network=sptf,typo1,typo2"});
    try
    {
        Run();
        FAIL();
    }
    catch (const InputError& error)
    {
        const auto& complaints = error.GetDiagnostics();
        ASSERT_EQ(complaints.size(), 3U) << "that of --set once: " << error.what();
        EXPECT_EQ(complaints[0].where, "--set");
        EXPECT_EQ(complaints[0].pointer, "/scheduler/perriod");
        EXPECT_EQ(complaints[1].where, "--vary") << "as the user gave it";
        EXPECT_NE(complaints[1].what.find("typo1"), std::string::npos) << error.what();
        EXPECT_NE(complaints[2].what.find("typo2"), std::string::npos) << error.what();
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

TEST_F(CompareTest, AMissingProgramIsAFailure)
{
    m_options.runProgram = (m_folder / "none").string();
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
              HEADER + "network=grouper_seed=1,1,grouper,6,12,18,7,8,24,0.5,,,6,,12,,18,,7,,8,,24,,"
                       "0.5,,,,,\n");
    EXPECT_EQ(Started(), 2U) << Read("started");
}

} // namespace
} // namespace ns3::ddl
