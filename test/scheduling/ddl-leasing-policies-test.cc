// SPDX-License-Identifier: GPL-2.0-only
// `gavel` and `themis` without a simulator: shares that rounds reach, and auctions beside all
// outcomes there are.
#include "ns3/boolean.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-leasing-job-queue-policy.h"
#include "ns3/ddl-max-min-share.h"
#include "ns3/double.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

Ptr<LeasingJobQueuePolicy>
CreateLeasing(const std::string& name)
{
    return DynamicCast<LeasingJobQueuePolicy>(CreatePolicy<JobQueuePolicy>(name));
}

LeaseCandidate
MakeLeaseCandidate(uint32_t id, uint32_t gpus, const std::vector<double>& speeds)
{
    LeaseCandidate candidate;
    candidate.group.id = {id};
    candidate.group.gpus = gpus;
    candidate.group.remaining = Hours(10);
    candidate.speeds = speeds;
    candidate.received.resize(speeds.size());
    return candidate;
}

/** \return pool by group */
std::map<uint32_t, uint32_t>
AskLeases(Ptr<LeasingJobQueuePolicy> policy, const LeaseQuestion& question)
{
    std::map<uint32_t, uint32_t> pools;
    for (const LeaseGrant& grant : policy->Grant(question))
    {
        pools[grant.group.value] = grant.pool;
    }
    return pools;
}

TEST(GavelJobQueuePolicy, RoundsGiveTheSharesOfTheLinearProgram)
{
    if (!HasShareSolver())
    {
        GTEST_SKIP() << "built without lp_solve";
    }
    std::mt19937 random(7);
    for (int instance = 0; instance < 20; ++instance)
    {
        const auto policy = CreateLeasing("gavel");
        LeaseQuestion question;
        question.pools = {{"a", 1 + uint32_t(random() % 4)}, {"b", 1 + uint32_t(random() % 4)}};
        std::vector<ShareDemand> demands;
        for (uint32_t id = 1; id <= 2U + instance % 8; ++id)
        {
            const std::vector<double> speeds{1, 0.1 * (1 + random() % 10)};
            question.groups.push_back(MakeLeaseCandidate(id, 1, speeds));
            demands.push_back({1, 1, speeds});
        }
        const uint32_t rounds = 2000;
        for (uint32_t round = 0; round < rounds; ++round)
        {
            for (const auto& [group, pool] : AskLeases(policy, question))
            {
                question.groups[group - 1].received[pool] += policy->GetLease();
            }
            question.now += policy->GetLease();
        }
        const std::vector<uint32_t> gpus{question.pools[0].gpus, question.pools[1].gpus};
        const double least = SolveMaxMinShares(gpus, demands).least;
        for (const LeaseCandidate& each : question.groups)
        {
            double throughput = 0;
            for (std::size_t j = 0; j < 2; ++j)
            {
                throughput += each.speeds[j] * each.received[j].GetSeconds();
            }
            throughput /= question.now.GetSeconds() * GetEqualShareThroughput(gpus, each.speeds);
            EXPECT_GT(throughput, 0.9 * least) << instance << ", group " << each.group.id;
        }
    }
}

TEST(GavelJobQueuePolicy, TwoEqualJobsTakeTurnsOnTheFastGpu)
{
    if (!HasShareSolver())
    {
        GTEST_SKIP() << "built without lp_solve";
    }
    const auto policy = CreateLeasing("gavel");
    LeaseQuestion question;
    question.pools = {{"V100", 1}, {"K80", 1}};
    question.groups = {MakeLeaseCandidate(1, 1, {1, 0.2}), MakeLeaseCandidate(2, 1, {1, 0.2})};
    uint32_t fast = 0;
    for (int round = 0; round < 20; ++round)
    {
        const auto pools = AskLeases(policy, question);
        ASSERT_EQ(pools.size(), 2u);
        EXPECT_NE(pools.at(1), pools.at(2));
        fast += pools.at(1) == 0 ? 1 : 0;
        for (const auto& [group, pool] : pools)
        {
            question.groups[group - 1].received[pool] += policy->GetLease();
        }
        question.now += policy->GetLease();
    }
    EXPECT_EQ(fast, 10u);
}

// One GPU, and one more equal job in each round, so shares are computed anew and priorities are
// equal. Debts of jobs 1, 2, ... in rounds, when each of n jobs has been promised 1/n of a round:
//     n = 2:    0      0
//     n = 3:  -1/2    1/2     0
//     n = 4:  -1/6   -1/6    1/3     0
//     n = 5:  1/12   1/12   -5/12   1/4     0
//     n = 6: 17/60  17/60  -13/60 -33/60  12/60    0
//     n = 7: -33/60 27/60   -3/60 -23/60  22/60  10/60   0
TEST(GavelJobQueuePolicy, OfEqualJobsTheOneThatIsOwedMostIsFirst)
{
    if (!HasShareSolver())
    {
        GTEST_SKIP() << "built without lp_solve";
    }
    const auto policy = CreateLeasing("gavel");
    policy->SetAttribute("ResetAfter", TimeValue(Time()));
    LeaseQuestion question;
    question.pools = {{"a", 1}};
    question.groups = {MakeLeaseCandidate(1, 1, {1})};
    std::vector<uint32_t> winners;
    for (uint32_t jobs = 2; jobs <= 7; ++jobs)
    {
        question.groups.push_back(MakeLeaseCandidate(jobs, 1, {1}));
        const auto pools = AskLeases(policy, question);
        ASSERT_EQ(pools.size(), 1U);
        winners.push_back(pools.begin()->first);
        question.groups[winners.back() - 1].received[0] += policy->GetLease();
        question.now += policy->GetLease();
    }
    EXPECT_EQ(winners, (std::vector<uint32_t>{1, 2, 3, 4, 1, 2}));
}

// A job alone always has the fast GPU, unless types are filled in random order: then half the time.
TEST(GavelJobQueuePolicy, AgnosticTakesTypesByLot)
{
    if (!HasShareSolver())
    {
        GTEST_SKIP() << "built without lp_solve";
    }
    for (const bool isAgnostic : {false, true})
    {
        const auto policy = CreateLeasing("gavel");
        policy->SetAttribute("Agnostic", BooleanValue(isAgnostic));
        LeaseQuestion question;
        question.pools = {{"fast", 1}, {"slow", 1}};
        question.groups = {MakeLeaseCandidate(1, 1, {1, 0.2})};
        uint32_t fast = 0;
        for (int round = 0; round < 400; ++round)
        {
            const uint32_t pool = AskLeases(policy, question).at(1);
            fast += pool == 0 ? 1 : 0;
            question.groups[0].received[pool] += policy->GetLease();
            question.now += policy->GetLease();
        }
        EXPECT_NEAR(fast, isAgnostic ? 200 : 400, isAgnostic ? 50 : 0); // 5 standard deviations
    }
}

TEST(GavelJobQueuePolicy, WhoCannotRunOrNeedsNothingDisturbsNobody)
{
    if (!HasShareSolver())
    {
        GTEST_SKIP() << "built without lp_solve";
    }
    LeaseQuestion question;
    question.pools = {{"a", 2}, {"b", 0}}; // all machines of b have failed
    question.groups = {MakeLeaseCandidate(1, 0, {1, 1}),
                       MakeLeaseCandidate(2, 4, {1, 1}),
                       MakeLeaseCandidate(3, 1, {0, 1}),
                       MakeLeaseCandidate(4, 2, {1, 0})};
    const auto pools = AskLeases(CreateLeasing("gavel"), question);
    EXPECT_EQ(pools, (std::map<uint32_t, uint32_t>{{1, 0}, {4, 0}}));
    question.groups.clear();
    EXPECT_TRUE(AskLeases(CreateLeasing("gavel"), question).empty());
    EXPECT_TRUE(AskLeases(CreateLeasing("themis"), question).empty());
}

// Job 1 takes two GPUs, so it never gets the fast one, which counts for its equal share
// nevertheless: then both jobs have the same normalised throughput for the same time. Without it
// job 2 would get two of three rounds.
TEST(GavelJobQueuePolicy, AnEqualShareCountsTypesThatAreTooSmall)
{
    if (!HasShareSolver())
    {
        GTEST_SKIP() << "built without lp_solve";
    }
    const auto policy = CreateLeasing("gavel");
    LeaseQuestion question;
    question.pools = {{"fast", 1}, {"slow", 2}};
    question.groups = {MakeLeaseCandidate(1, 2, {1, 0.5}), MakeLeaseCandidate(2, 1, {0, 1})};
    std::map<uint32_t, uint32_t> rounds;
    for (int round = 0; round < 600; ++round)
    {
        for (const auto& [group, pool] : AskLeases(policy, question))
        {
            EXPECT_EQ(pool, 1u);
            ++rounds[group];
            question.groups[group - 1].received[pool] += policy->GetLease();
        }
        question.now += policy->GetLease();
    }
    EXPECT_NEAR(rounds[1], 300, 15);
    EXPECT_NEAR(rounds[2], 300, 15);
}

/** \return rho of a group by the book: one pool, alone there since its arrival, all at date 0 */
double
GetThemisRho(const LeaseQuestion& question, std::size_t group, double delay)
{
    const LeaseCandidate& each = question.groups[group];
    const double alone = each.group.remaining.GetSeconds() + each.group.computed.GetSeconds();
    const double share =
        static_cast<double>(question.groups.size()) * each.group.gpus / question.pools.front().gpus;
    const double elapsed = (question.now - each.group.submit).GetSeconds();
    return (elapsed + each.group.remaining.GetSeconds() + delay) / (alone * std::max(1.0, share));
}

TEST(ThemisJobQueuePolicy, TheWinnersHaveTheGreatestProduct)
{
    std::mt19937 random(3);
    for (int instance = 0; instance < 300; ++instance)
    {
        const auto policy = CreateLeasing("themis");
        policy->SetAttribute("Fairness", DoubleValue(0)); // all bid
        LeaseQuestion question;
        question.now = Hours(5);
        question.pools = {{"a", 2 + uint32_t(random() % 9)}};
        const std::size_t groups = 1 + random() % 9;
        for (uint32_t id = 1; id <= groups; ++id)
        {
            question.groups.push_back(MakeLeaseCandidate(id, 1 + random() % 4, {1}));
            question.groups.back().group.remaining = Minutes(1 + random() % 600);
            question.groups.back().group.submit = Minutes(random() % 300);
        }
        double best = 0;
        double chosen = 0;
        const auto winners = AskLeases(policy, question);
        for (uint32_t set = 0; set < (1U << groups); ++set)
        {
            uint32_t gpus = 0;
            double product = 1;
            bool isChosen = true;
            for (std::size_t i = 0; i < groups; ++i)
            {
                const bool wins = (set >> i & 1) > 0;
                gpus += wins ? question.groups[i].group.gpus : 0;
                product /= GetThemisRho(question, i, wins ? 0 : 20 * 60);
                isChosen = isChosen && wins == (winners.count(i + 1) > 0);
            }
            best = gpus <= question.pools.front().gpus ? std::max(best, product) : best;
            chosen = isChosen ? product : chosen;
        }
        EXPECT_NEAR(chosen / best, 1, 1e-9) << instance;
    }
}

TEST(ThemisJobQueuePolicy, OnlyTheWorstOffBid)
{
    // Two GPUs; job 1 has waited 1 h for 1 h of work, five others have just come. With f = 0.8 two
    // of six bid; with f = 1 the first alone, though two jobs of one GPU would gain more.
    LeaseQuestion question;
    question.now = Hours(1);
    question.pools = {{"a", 2}};
    for (uint32_t id = 1; id <= 6; ++id)
    {
        question.groups.push_back(MakeLeaseCandidate(id, id == 1 ? 2 : 1, {1}));
        question.groups.back().group.remaining = id == 1 ? Hours(1) : Minutes(1);
        question.groups.back().group.submit = id == 1 ? Time() : Hours(1);
    }
    question.groups[0].group.submit = Hours(-10);
    const auto fair = CreateLeasing("themis");
    fair->SetAttribute("Fairness", DoubleValue(1));
    EXPECT_EQ(AskLeases(fair, question), (std::map<uint32_t, uint32_t>{{1, 0}}));
    const auto efficient = CreateLeasing("themis");
    efficient->SetAttribute("Fairness", DoubleValue(0));
    const auto winners = AskLeases(efficient, question);
    EXPECT_EQ(winners.size(), 2u);
    EXPECT_EQ(winners.count(1), 0u); // each of the small ones would wait for 20 times its length
}

// Jobs 2, 3 and 4 leave at 10 s; that is noted though nobody has to be asked then.
TEST(ThemisJobQueuePolicy, JobsThatHaveLeftDoNotCountInTheMean)
{
    for (const bool isNoted : {false, true})
    {
        const auto policy = CreateLeasing("themis");
        LeaseQuestion question;
        question.pools = {{"a", 8}};
        for (uint32_t id = 1; id <= 4; ++id)
        {
            question.groups.push_back(MakeLeaseCandidate(id, id == 1 ? 5 : 1, {1}));
            question.groups.back().group.remaining = Seconds(2000);
        }
        EXPECT_EQ(AskLeases(policy, question).size(), 4U);
        question.now = Seconds(10);
        question.groups.resize(1);
        if (isNoted)
        {
            policy->NoteGroups(question);
        }
        // Of 5 GPUs the first has rho 1 if it had the cluster alone since, and 1 / 2.5 among four;
        // the new one, among two, 1 / 1.25.
        question.now = Seconds(1200);
        question.groups.push_back(MakeLeaseCandidate(5, 5, {1}));
        question.groups[0].group.remaining = Seconds(800);
        question.groups[0].group.computed = Seconds(1200);
        question.groups[1].group.submit = question.now;
        const auto winners = AskLeases(policy, question);
        EXPECT_EQ(winners.size(), 1U);
        EXPECT_EQ(winners.count(isNoted ? 1 : 5), 1U);
    }
}

TEST(ThemisJobQueuePolicy, WhoHasALeaseKeepsItAndWhatIsLeftIsUsed)
{
    LeaseQuestion question;
    question.pools = {{"slow", 1}, {"fast", 1}};
    question.groups = {MakeLeaseCandidate(1, 1, {0.5, 1}), MakeLeaseCandidate(2, 1, {0.5, 1})};
    question.groups[0].pool = 1;
    question.groups[0].keeps = true;
    EXPECT_EQ(AskLeases(CreateLeasing("themis"), question),
              (std::map<uint32_t, uint32_t>{{1, 1}, {2, 0}}));
}

/** Gives what it is told to. */
class ToldJobQueuePolicy : public LeasingJobQueuePolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("test::ToldJobQueuePolicy").SetParent<LeasingJobQueuePolicy>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "gives what it is told to";
    }

    Time GetLease() const override
    {
        return Seconds(1);
    }

    bool HasRounds() const override
    {
        return true;
    }

    std::vector<LeaseGrant> grants;

  private:
    std::vector<LeaseGrant> DoGrant(const LeaseQuestion& /* question */) override
    {
        return grants;
    }
};

TEST(LeasingJobQueuePolicy, WrongGrantsAreRefusedByName)
{
    const auto policy = CreateObject<ToldJobQueuePolicy>();
    LeaseQuestion question;
    question.pools = {{"a", 2}, {"b", 4}};
    question.groups = {MakeLeaseCandidate(1, 2, {1, 0}), MakeLeaseCandidate(2, 1, {1, 1})};
    const auto complaint = [&](const std::vector<LeaseGrant>& grants) -> std::string {
        policy->grants = grants;
        try
        {
            policy->Grant(question);
        }
        catch (const RunError& error)
        {
            return error.what();
        }
        return "";
    };
    const std::string name = "told: group ";
    EXPECT_EQ(complaint({{{1}, 0}, {{2}, 1}}), "");
    EXPECT_EQ(complaint({{{3}, 0}}), name + "3 is not in question");
    EXPECT_EQ(complaint({{{2}, 0}, {{2}, 1}}), name + "2 gets GPUs twice");
    EXPECT_EQ(complaint({{{1}, 1}}), name + "1 gets GPUs of a type on which it cannot run");
    EXPECT_EQ(complaint({{{2}, 2}}), name + "2 gets GPUs of a type on which it cannot run");
    EXPECT_EQ(complaint({{{1}, 0}, {{2}, 0}}), name + "2 gets more GPUs than there are");
    question.groups[1].keeps = true;
    question.groups[1].pool = 1;
    EXPECT_EQ(complaint({{{2}, 0}}), name + "2 does not keep its GPUs");
    // A machine has failed: group 1 keeps more than there is, and group 2 takes none of it.
    question.pools = {{"a", 1}, {"b", 4}};
    question.groups = {MakeLeaseCandidate(1, 2, {1, 0}), MakeLeaseCandidate(2, 0, {1, 1})};
    question.groups[0].keeps = true;
    question.groups[0].pool = 0;
    EXPECT_EQ(complaint({{{1}, 0}, {{2}, 0}}), "");
}

} // namespace
