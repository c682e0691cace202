// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-policy-variants.h"

#include "ns3/ddl-communication-pattern.h"
#include "ns3/ddl-error.h"
#include "ns3/double.h"

#include <gtest/gtest.h>
#include <map>
#include <numeric>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

uint64_t
SumPlanBytes(const TransferPlan& plan)
{
    return std::accumulate(plan.begin(), plan.end(), uint64_t{0}, [](uint64_t sum, const auto& t) {
        return sum + t.bytes;
    });
}

uint64_t
SumSent(const TransferPlan& plan, uint32_t rank)
{
    uint64_t sum = 0;
    for (const Transfer& transfer : plan)
    {
        sum += transfer.source == rank ? transfer.bytes : 0;
    }
    return sum;
}

TransferPlan
Plan(const std::string& name, uint32_t workers, uint32_t servers, uint64_t bytes)
{
    return CreatePolicy<CommunicationPattern>(name)->Plan({workers, servers, bytes});
}

} // namespace

TEST(ParameterServerPattern, TwoByTwo)
{
    // M = 101 over S = 2: 51 and 50 bytes. Pushes 2 x 101, pulls 2 x 101: 404 in all.
    const TransferPlan plan = Plan("parameter-server", 2, 2, 101);
    ASSERT_EQ(plan.size(), 8U);
    EXPECT_EQ(SumPlanBytes(plan), 404U);
    EXPECT_EQ(SumSent(plan, 0), 101U);
    EXPECT_EQ(SumSent(plan, 2), 102U); // server 0 answers 51 to each of 2
    EXPECT_EQ(SumSent(plan, 3), 100U);
    for (const Transfer& transfer : plan)
    {
        // a pull waits for both pushes to its server
        EXPECT_EQ(transfer.after.size(), transfer.source >= 2 ? 2U : 0U);
    }
}

TEST(ParameterServerPattern, PullRatioScalesThePullsOnly)
{
    auto pattern = CreatePolicy<CommunicationPattern>("parameter-server");
    pattern->SetAttribute("PullRatio", DoubleValue(0.5));
    // 4 workers, 1 server, 1000 bytes: 4 x 1000 pushed, 4 x 500 pulled
    EXPECT_EQ(SumPlanBytes(pattern->Plan({4, 1, 1000})), 6000U);
    pattern->SetAttribute("PullRatio", DoubleValue(0.0));
    const TransferPlan oneWay = pattern->Plan({4, 1, 1000});
    EXPECT_EQ(oneWay.size(), 4U);
    EXPECT_EQ(SumPlanBytes(oneWay), 4000U);
}

TEST(ParameterServerPattern, MoreServersThanBytes)
{
    // 3 bytes over 5 servers: three servers hold 1 byte, two hold nothing and are not heard of
    const TransferPlan plan = Plan("parameter-server", 2, 5, 3);
    EXPECT_EQ(plan.size(), 12U); // 2 workers x 3 servers x 2 ways
    EXPECT_EQ(SumPlanBytes(plan), 12U);
}

TEST(ParameterServerPattern, ExactPastThirtyTwoAndFiftyThreeBits)
{
    const uint64_t bytes = (uint64_t{1} << 60) + 1; // not representable as a double
    EXPECT_EQ(SumPlanBytes(Plan("parameter-server", 1, 1, bytes)), 2 * bytes);
}

TEST(ParameterServerPattern, NeedsAServer)
{
    EXPECT_THROW(Plan("parameter-server", 2, 0, 100), InputError);
}

TEST(RingPattern, FourWorkers)
{
    // M = 1000, N = 4: 6 steps of 250; each worker sends 1500 = 2 x 3/4 x 1000, all send 6000
    const TransferPlan plan = Plan("ring", 4, 0, 1000);
    EXPECT_EQ(plan.size(), 24U);
    EXPECT_EQ(SumPlanBytes(plan), 6000U);
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        EXPECT_EQ(SumSent(plan, rank), 1500U);
    }
    for (const Transfer& transfer : plan)
    {
        EXPECT_EQ(transfer.destination, (transfer.source + 1) % 4);
    }
}

TEST(RingPattern, ARemainderIsExact)
{
    // 1002 = 251 + 251 + 250 + 250; every chunk travels 2(N-1) = 6 links
    const TransferPlan plan = Plan("ring", 4, 0, 1002);
    EXPECT_EQ(SumPlanBytes(plan), 6U * 1002U);
}

TEST(RingPattern, EveryChunkReachesEveryWorkerReduced)
{
    // Follow what each worker's gradients have been added to: a chunk is complete at a worker once
    // the chain that brought it there has passed all N workers.
    const uint32_t n = 5;
    const TransferPlan plan = Plan("ring", n, 0, 5000);
    std::vector<uint32_t> links(plan.size(), 1); // length of the chain up to this transfer
    std::map<uint32_t, uint32_t> complete;       // chunks that arrived reduced, by worker
    for (uint32_t i = 0; i < plan.size(); ++i)
    {
        if (!plan[i].after.empty())
        {
            links[i] = links[plan[i].after[0]] + 1;
        }
        complete[plan[i].destination] += links[i] >= n - 1 ? 1 : 0;
    }
    for (uint32_t worker = 0; worker < n; ++worker)
    {
        EXPECT_EQ(complete[worker], n); // all N chunks: one by its own sum, N - 1 gathered
    }
}

TEST(RingPattern, AloneThereIsNothingToSend)
{
    EXPECT_TRUE(Plan("ring", 1, 0, 1000).empty());
}

TEST(RingPattern, RefusesServers)
{
    EXPECT_THROW(Plan("ring", 4, 1, 1000), InputError);
}

/** Every registered pattern, whatever it is. */
class PatternConformance : public testing::TestWithParam<test::Variant>
{
};

TEST_P(PatternConformance, PlansAreSoundAndRepeatable)
{
    const auto pattern = GetParam().Create<CommunicationPattern>();
    EXPECT_FALSE(pattern->GetSummary().empty());
    uint32_t plans = 0;
    for (const uint32_t workers : {1U, 2U, 3U, 4U, 7U, 8U, 16U})
    {
        for (const uint32_t servers : {0U, 1U, 3U})
        {
            for (const uint64_t bytes : {uint64_t{0}, uint64_t{1}, uint64_t{1000003}})
            {
                const PatternView view{workers, servers, bytes};
                if (!pattern->Refuse(view).empty())
                {
                    EXPECT_THROW(pattern->Plan(view), InputError);
                    continue;
                }
                const TransferPlan plan = pattern->Plan(view); // checked
                const TransferPlan again = pattern->Plan(view);
                ASSERT_EQ(plan.size(), again.size());
                EXPECT_TRUE(bytes > 0 || plan.empty());
                EXPECT_EQ(SumPlanBytes(plan), SumPlanBytes(again));
                ++plans;
            }
        }
    }
    EXPECT_GT(plans, 0U) << "refuses everything";
}

TEST_P(PatternConformance, EveryWorkerGetsTheWholeModelsWorth)
{
    // All-reduce lower bound: a worker that shares M bytes with others receives at least M (N-1)/N.
    const bool isLittlePulled =
        GetParam().attribute == "PullRatio" && std::stod(GetParam().value) < 1;
    if (GetParam().policy == "shuffle" || isLittlePulled)
    {
        GTEST_SKIP() << "one way: it trains nothing";
    }
    const auto pattern = GetParam().Create<CommunicationPattern>();
    const uint64_t bytes = 840000;
    for (const uint32_t workers : {2U, 4U, 8U})
    {
        PatternView view{workers, 0, bytes};
        view.servers = pattern->Refuse(view).empty() ? 0 : 2;
        std::vector<uint64_t> received(workers + view.servers, 0);
        for (const Transfer& transfer : pattern->Plan(view))
        {
            received[transfer.destination] += transfer.bytes;
        }
        for (uint32_t worker = 0; worker < workers; ++worker)
        {
            EXPECT_GE(received[worker], bytes / workers * (workers - 1));
        }
    }
}

TEST_P(PatternConformance, RefusesAJobWithoutWorkers)
{
    EXPECT_THROW(GetParam().Create<CommunicationPattern>()->Plan({0, 1, 10}), InputError);
}

INSTANTIATE_TEST_SUITE_P(All,
                         PatternConformance,
                         testing::ValuesIn(test::ListVariants(
                             CommunicationPattern::GetTypeId(),
                             {{"Between", {"ring", "halving-doubling"}}, {"PullRatio", {"1e-9"}}})),
                         test::NameOf);

/** A pattern that answers with what it was built with. */
class WrongPattern : public CommunicationPattern
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("test::WrongPattern").SetParent<CommunicationPattern>();
        return tid;
    }

    explicit WrongPattern(const TransferPlan& plan)
        : m_plan(plan)
    {
    }

    std::string GetSummary() const override
    {
        return "wrong";
    }

    std::string Refuse(const PatternView& /* view */) const override
    {
        return "";
    }

  private:
    TransferPlan DoPlan(const PatternView& /* view */) const override
    {
        return m_plan;
    }

    TransferPlan m_plan;
};

TEST(WrongPattern, IsTheirError)
{
    const PatternView view{2, 1, 100}; // ranks 0, 1 and server 2
    const auto plan = [&view](const TransferPlan& transfers) {
        return test::RunErrorOf([&] { CreateObject<WrongPattern>(transfers)->Plan(view); });
    };
    const std::string first = "test::WrongPattern: transfer 0 ";
    EXPECT_EQ(plan({{0, 2, 1, {}}}), ""); // a right one passes
    EXPECT_EQ(plan({{0, 3, 1, {}}}), first + "names a rank past 2");
    EXPECT_EQ(plan({{1, 1, 1, {}}}), first + "goes from rank 1 to itself");
    EXPECT_EQ(plan({{0, 2, 0, {}}}), first + "is empty");
    EXPECT_EQ(plan({{2, 0, 1, {}}}), first + "waits for nothing, and a server only answers");
    EXPECT_EQ(plan({{0, 2, 1, {0}}}), first + "waits for 0, not an earlier one");
    EXPECT_EQ(plan({{0, 2, 1, {}}, {1, 2, 1, {0}}}),
              "test::WrongPattern: transfer 1 waits for 0, which neither arrives at its source nor "
              "leaves it");
}
