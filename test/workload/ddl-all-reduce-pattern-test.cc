// SPDX-License-Identifier: GPL-2.0-only
// The plans of the all-reduce patterns, transfer by transfer and in sums.
#include "ns3/ddl-communication-pattern.h"
#include "ns3/ddl-error.h"
#include "ns3/string.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <tuple>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Source, destination, offset, bytes, copy. */
using Row = std::tuple<uint32_t, uint32_t, uint64_t, uint64_t, bool>;

/** \return what carries something of the model */
std::vector<Row>
Rows(const TransferPlan& plan)
{
    std::vector<Row> rows;
    for (const Transfer& t : plan)
    {
        if (!t.clear)
        {
            rows.emplace_back(t.source, t.destination, t.offset, t.bytes, t.copy);
        }
    }
    return rows;
}

TransferPlan
Plan(const std::string& pattern, uint32_t workers, uint64_t bytes)
{
    return CreatePolicy<CommunicationPattern>(pattern)->Plan({workers, 0, bytes});
}

/** \return bytes of the model */
uint64_t
SumBytes(const TransferPlan& plan)
{
    uint64_t sum = 0;
    for (const Transfer& transfer : plan)
    {
        sum += transfer.clear ? 0 : transfer.bytes;
    }
    return sum;
}

/** \return most bytes of the model that one rank sends */
uint64_t
MostSent(const TransferPlan& plan, uint32_t ranks)
{
    std::vector<uint64_t> sent(ranks, 0);
    for (const Transfer& transfer : plan)
    {
        sent[transfer.source] += transfer.clear ? 0 : transfer.bytes;
    }
    return *std::max_element(sent.begin(), sent.end());
}

} // namespace

TEST(BinaryTreePattern, FourWorkers)
{
    // up: 1 -> 0 and 3 -> 2, then 2 -> 0; down: 0 -> 2 first, the larger subtree, then 0 -> 1
    const TransferPlan plan = Plan("binary-tree", 4, 100);
    EXPECT_EQ(Rows(plan),
              (std::vector<Row>{{1, 0, 0, 100, false},
                                {3, 2, 0, 100, false},
                                {2, 0, 0, 100, false},
                                {0, 2, 0, 100, true},
                                {0, 1, 0, 100, true},
                                {2, 3, 0, 100, true}}));
    EXPECT_EQ(plan[2].after, (std::vector<uint32_t>{1}));
    EXPECT_EQ(plan[3].after, (std::vector<uint32_t>{0, 2}));
    EXPECT_EQ(plan[4].after, (std::vector<uint32_t>{0, 2, 3})); // 3: when rank 2 has its own
}

TEST(BinaryTreePattern, Bytes)
{
    for (const uint32_t n : {1, 2, 3, 5, 8, 13})
    {
        EXPECT_EQ(SumBytes(Plan("binary-tree", n, 7)), 2 * (n - 1) * 7U) << n;
    }
}

TEST(RecursiveDoublingPattern, TwoAndThreeWorkers)
{
    EXPECT_EQ(Rows(Plan("recursive-doubling", 2, 100)),
              (std::vector<Row>{{0, 1, 0, 100, false}, {1, 0, 0, 100, false}}));
    // rank 2 gives a half each to 0 and 1, and gets the same halves of the sum
    EXPECT_EQ(Rows(Plan("recursive-doubling", 3, 101)),
              (std::vector<Row>{{2, 0, 0, 51, false},
                                {2, 1, 51, 50, false},
                                {0, 1, 0, 101, false},
                                {1, 0, 0, 101, false},
                                {0, 2, 0, 51, true},
                                {1, 2, 51, 50, true}}));
}

TEST(RecursiveDoublingPattern, Bytes)
{
    // P log2 P + 2 (N - P) times M: 8 x 3 = 24; N = 6: 4 x 2 + 2 x 2 = 12; N = 11: 24 + 6 = 30
    EXPECT_EQ(SumBytes(Plan("recursive-doubling", 8, 1001)), 24U * 1001U);
    EXPECT_EQ(SumBytes(Plan("recursive-doubling", 6, 1001)), 12U * 1001U);
    EXPECT_EQ(SumBytes(Plan("recursive-doubling", 11, 1001)), 30U * 1001U);
    EXPECT_EQ(MostSent(Plan("recursive-doubling", 8, 1000), 8), 3000U);
}

TEST(HalvingDoublingPattern, FourWorkers)
{
    // Halving: 0 and 1 share 0..100; 0 keeps the left half, of which 0 and 2 then keep a quarter
    // each. Doubling is the same way back.
    const TransferPlan plan = Plan("halving-doubling", 4, 100);
    EXPECT_EQ(Rows(plan),
              (std::vector<Row>{{0, 1, 50, 50, false},
                                {1, 0, 0, 50, false},
                                {2, 3, 50, 50, false},
                                {3, 2, 0, 50, false},
                                {0, 2, 25, 25, false},
                                {2, 0, 0, 25, false},
                                {1, 3, 75, 25, false},
                                {3, 1, 50, 25, false},
                                {0, 2, 0, 25, true},
                                {2, 0, 25, 25, true},
                                {1, 3, 50, 25, true},
                                {3, 1, 75, 25, true},
                                {0, 1, 0, 50, true},
                                {1, 0, 50, 50, true},
                                {2, 3, 0, 50, true},
                                {3, 2, 50, 50, true}}));
}

TEST(Rendezvous, WhoSendsIsClearedByTheOtherWhoHasDoneAllStepsBefore)
{
    for (const std::string pattern : {"halving-doubling", "recursive-doubling"})
    {
        SCOPED_TRACE(pattern);
        const TransferPlan plan = Plan(pattern, 8, 800);
        const auto isAfter = [&plan](uint32_t i, uint32_t earlier) {
            const auto& after = plan[i].after;
            return std::count(after.begin(), after.end(), earlier) > 0;
        };
        std::vector<std::vector<uint32_t>> own(8); // data from and to each rank so far
        for (uint32_t i = 0; i < plan.size(); ++i)
        {
            const Transfer& t = plan[i];
            if (t.clear)
            {
                EXPECT_EQ(t.bytes, 1U);
                continue;
            }
            const auto clear = std::find_if(t.after.begin(), t.after.end(), [&](uint32_t c) {
                return plan[c].clear && plan[c].source == t.destination &&
                       plan[c].destination == t.source;
            });
            ASSERT_NE(clear, t.after.end()) << i;
            // Of each rank the data of the step before, its own and the other's, have arrived.
            const auto& ready = own[t.destination];
            const std::size_t step = ready.size() / 2; // the other half of this step may be there
            if (step > 0)
            {
                EXPECT_TRUE(isAfter(*clear, ready[2 * step - 2])) << i;
                EXPECT_TRUE(isAfter(*clear, ready[2 * step - 1])) << i;
            }
            own[t.source].push_back(i);
            own[t.destination].push_back(i);
        }
        EXPECT_EQ(own[0].size(), pattern == "halving-doubling" ? 12U : 6U); // 6 and 3 steps
    }
}

TEST(HalvingDoublingPattern, Bytes)
{
    // 2 (N - 1) M for every N; each of 8 sends 2 x 7/8 x 1000 = 1750
    for (const uint32_t n : {1, 2, 3, 6, 8, 12, 31})
    {
        EXPECT_EQ(SumBytes(Plan("halving-doubling", n, 100003)), 2 * (n - 1) * uint64_t{100003});
    }
    EXPECT_EQ(MostSent(Plan("halving-doubling", 8, 1000), 8), 1750U);
}

TEST(HierarchicalPattern, TwoMachinesOfTwo)
{
    // Leaders 0 and 2; ring of two: chunk 0 from 0 to 2 and back, chunk 1 the other way.
    PatternView view{4, 0, 100, {7, 7, 3, 3}};
    const auto pattern = CreatePolicy<CommunicationPattern>("hierarchical");
    const TransferPlan plan = pattern->Plan(view);
    EXPECT_EQ(Rows(plan),
              (std::vector<Row>{{1, 0, 0, 100, false},
                                {3, 2, 0, 100, false},
                                {0, 2, 0, 50, false},
                                {2, 0, 50, 50, false},
                                {0, 2, 50, 50, true},
                                {2, 0, 0, 50, true},
                                {0, 1, 0, 100, true},
                                {2, 3, 0, 100, true}}));
    EXPECT_EQ(plan[2].after, (std::vector<uint32_t>{0}));
    EXPECT_EQ(plan[6].after, (std::vector<uint32_t>{0, 3, 5}));
}

TEST(HierarchicalPattern, BetweenIsChosen)
{
    const auto pattern = CreatePolicy<CommunicationPattern>("hierarchical");
    pattern->SetAttribute("Between", StringValue("recursive-doubling"));
    // 4 machines of 2: 2 x 4 x 100 inside, 4 x 2 x 100 between
    PatternView view{8, 0, 100};
    for (uint32_t rank = 0; rank < 8; ++rank)
    {
        view.machines.push_back(rank / 2);
    }
    EXPECT_EQ(SumBytes(pattern->Plan(view)), 1600U);
}

TEST(HierarchicalPattern, RefusesABetweenThatCannotBe)
{
    const auto pattern = CreatePolicy<CommunicationPattern>("hierarchical");
    for (const std::string between : {"hierarchical", "parameter-server", "rings", ""})
    {
        pattern->SetAttribute("Between", StringValue(between));
        EXPECT_THROW(pattern->Plan({4, 0, 100}), InputError) << between;
    }
}

TEST(TieredRingPattern, TwoServersOfTwo)
{
    // In the servers halves go round, then quarters between workers with the same half.
    const PatternView view{4, 0, 100, {7, 7, 3, 3}};
    const TransferPlan plan = CreatePolicy<CommunicationPattern>("tiered-ring")->Plan(view);
    EXPECT_EQ(Rows(plan),
              (std::vector<Row>{{0, 1, 0, 50, false},
                                {1, 0, 50, 50, false},
                                {2, 3, 0, 50, false},
                                {3, 2, 50, 50, false},
                                {0, 2, 50, 25, false},
                                {2, 0, 75, 25, false},
                                {1, 3, 0, 25, false},
                                {3, 1, 25, 25, false},
                                {0, 2, 75, 25, true},
                                {2, 0, 50, 25, true},
                                {1, 3, 25, 25, true},
                                {3, 1, 0, 25, true},
                                {0, 1, 50, 50, true},
                                {1, 0, 0, 50, true},
                                {2, 3, 50, 50, true},
                                {3, 2, 0, 50, true}}));
    EXPECT_EQ(plan[4].after, (std::vector<uint32_t>{1}));     // its half
    EXPECT_EQ(plan[8].after, (std::vector<uint32_t>{1, 5}));  // both sums of its quarter
    EXPECT_EQ(plan[12].after, (std::vector<uint32_t>{1, 5, 9})); // and the other quarter
}

TEST(TieredRingPattern, EachTierCarriesWhatTheOneBelowLeaves)
{
    // 2 racks of 3 servers of 4: 2 x 3/4 M within servers, 2 x 2/3 of M/4 within racks and 2 x 1/2
    // of M/12 between them, all from each worker.
    PatternView view{24, 0, 24000};
    for (uint32_t rank = 0; rank < view.workers; ++rank)
    {
        view.machines.push_back(rank / 4);
        view.racks.push_back(rank / 12);
    }
    const TransferPlan plan = CreatePolicy<CommunicationPattern>("tiered-ring")->Plan(view);
    std::map<std::string, uint64_t> bytes;
    std::map<std::string, uint64_t> messages;
    for (const Transfer& t : plan)
    {
        const std::string tier = view.racks[t.source] != view.racks[t.destination] ? "between racks"
                                 : view.machines[t.source] != view.machines[t.destination]
                                     ? "within racks"
                                     : "within servers";
        bytes[tier] += t.bytes;
        ++messages[tier];
    }
    EXPECT_EQ(bytes["within servers"], 24 * 36000U);
    EXPECT_EQ(bytes["within racks"], 24 * 8000U);
    EXPECT_EQ(bytes["between racks"], 24 * 2000U);
    EXPECT_EQ(messages["within servers"], 24 * 6U);
    EXPECT_EQ(messages["within racks"], 24 * 4U);
    EXPECT_EQ(messages["between racks"], 24 * 2U);
    EXPECT_EQ(SumBytes(plan), 2 * 23 * view.bytes); // as a ring
    EXPECT_EQ(MostSent(plan, 24), 46000U);
}

TEST(TieredRingPattern, ATierWithUnequalGroupsIsLeftToTheNextOne)
{
    const auto pattern = CreatePolicy<CommunicationPattern>("tiered-ring");
    const auto ring = CreatePolicy<CommunicationPattern>("ring");
    // Servers of 3 and 1: a ring of 4 in each rack.
    const PatternView servers{8, 0, 800, {0, 0, 0, 1, 2, 2, 2, 3}, {0, 0, 0, 0, 1, 1, 1, 1}};
    EXPECT_EQ(pattern->Plan(servers).size(), 8U * (2 * 3 + 2 * 1));
    // Racks of 1 and 3 servers: rings of 2 in the servers, of 4 between them.
    const PatternView racks{8, 0, 800, {0, 0, 1, 1, 2, 2, 3, 3}, {0, 0, 1, 1, 1, 1, 1, 1}};
    EXPECT_EQ(pattern->Plan(racks).size(), 8U * (2 * 1 + 2 * 3));
    // Nothing is equal: one ring, as in one server, as without places.
    const PatternView none{4, 0, 800, {0, 0, 0, 1}, {0, 0, 0, 1}};
    const PatternView one{4, 0, 800, {5, 5, 5, 5}};
    const PatternView unknown{4, 0, 800};
    for (const PatternView& view : {none, one, unknown})
    {
        EXPECT_EQ(Rows(pattern->Plan(view)), Rows(ring->Plan(view)));
        EXPECT_EQ(pattern->PlanRotated(view).size(), 6U);
    }
    EXPECT_TRUE(pattern->PlanRotated(racks).empty());
}
