// SPDX-License-Identifier: GPL-2.0-only
// Layers, and the buckets that they become.
#include "ns3/ddl-bucket-plan.h"
#include "ns3/ddl-rank-plan.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** \return a model of such layers, in forward order: bytes, and milliseconds of the backward pass
 */
ModelProfile
MakeModel(const std::vector<std::pair<uint64_t, int>>& layers)
{
    std::vector<Layer> table;
    for (const auto& [bytes, milliseconds] : layers)
    {
        table.push_back({"", bytes, MilliSeconds(1), MilliSeconds(milliseconds)});
    }
    ModelProfile model;
    SetLayers(model, LayerTable(table));
    return model;
}

/** \return bytes of the buckets */
std::vector<uint64_t>
Cut(const ModelProfile& model, uint32_t buckets, uint64_t bucketSize)
{
    OverlapSpec overlap;
    overlap.buckets = buckets;
    overlap.bucketSize = bucketSize;
    const BucketPlan plan(model, overlap);
    uint64_t sum = 0;
    for (const uint64_t bytes : plan.GetBytes())
    {
        sum += bytes;
    }
    EXPECT_EQ(sum, model.bytes);
    return plan.GetBytes();
}

using Sizes = std::vector<uint64_t>;

} // namespace

TEST(LayerTable, AModelIsTheSumOfItsLayers)
{
    const ModelProfile model = MakeModel({{100, 4}, {0, 1}, {300, 2}});
    EXPECT_EQ(model.bytes, 400U);
    EXPECT_EQ(model.forward, MilliSeconds(3));
    EXPECT_EQ(model.backward, MilliSeconds(7));
}

TEST(LayerTable, OtherSumsKeepTheProportions)
{
    ModelProfile model = MakeModel({{100, 4}, {0, 1}, {300, 2}});
    SetSums(model, 100, MilliSeconds(6), NanoSeconds(70));
    const auto& layers = model.layers.Get();
    EXPECT_EQ(layers[0].bytes, 25U);
    EXPECT_EQ(layers[1].bytes, 0U);
    EXPECT_EQ(layers[2].bytes, 75U);
    EXPECT_EQ(layers[1].forward, MilliSeconds(2));
    EXPECT_EQ(layers[0].backward, NanoSeconds(40));
    EXPECT_EQ(layers[2].backward, NanoSeconds(20));
}

TEST(LayerTable, RoundedSumsAreExact)
{
    ModelProfile model = MakeModel({{1, 1}, {1, 1}, {1, 1}});
    SetSums(model, 1000, NanoSeconds(10), NanoSeconds(11));
    EXPECT_EQ(model.layers.GetBytes(), 1000U);
    EXPECT_EQ(model.layers.GetForward(), NanoSeconds(10));
    EXPECT_EQ(model.layers.GetBackward(), NanoSeconds(11));
}

TEST(LayerTable, TimesThatAreNotKnownGoByBytes)
{
    ModelProfile model;
    SetLayers(model, LayerTable({{"a", 100, Time(0), Time(0)}, {"b", 300, Time(0), Time(0)}}));
    SetSums(model, 400, MilliSeconds(4), MilliSeconds(8));
    EXPECT_EQ(model.layers.Get()[0].forward, MilliSeconds(1));
    EXPECT_EQ(model.layers.Get()[1].backward, MilliSeconds(6));
}

TEST(LayerTable, SharesOfLargeNumbersAreExactAtTheirEnds)
{
    const uint64_t large = (uint64_t{1} << 62) + 1;
    EXPECT_EQ(ShareByWeight(large, 7, 7), large);
    EXPECT_EQ(ShareByWeight(large, 0, 7), 0U);
    EXPECT_EQ(ShareByWeight(1000003, 123457, 1000003), 123457U);
}

TEST(BucketPlan, EachLayerIsOneTheLastLayerFirst)
{
    EXPECT_EQ(Cut(MakeModel({{100, 4}, {0, 1}, {300, 2}}), 0, 0), (Sizes{300, 0, 100}));
}

TEST(BucketPlan, LayersAreMergedIntoAboutEqualParts)
{
    // From the last one on, 40 20 20 10 10: middles at 20, 50, 70, 85, 95 of 100.
    const ModelProfile model = MakeModel({{10, 1}, {10, 1}, {20, 1}, {20, 1}, {40, 1}});
    EXPECT_EQ(Cut(model, 1, 0), (Sizes{100}));
    EXPECT_EQ(Cut(model, 2, 0), (Sizes{40, 60}));
    EXPECT_EQ(Cut(model, 3, 0), (Sizes{40, 20, 40}));
    EXPECT_EQ(Cut(model, 4, 0), (Sizes{40, 40, 20})); // nothing has its middle in 25 to 50
    EXPECT_EQ(Cut(model, 1000, 0), (Sizes{40, 20, 20, 10, 10})); // no layer is cut
}

TEST(BucketPlan, LayersAreMergedUpToASize)
{
    // From the last one on, 40 20 20 10 10: a bucket of 50 or more is closed.
    const ModelProfile model = MakeModel({{10, 1}, {10, 1}, {20, 1}, {20, 1}, {40, 1}});
    EXPECT_EQ(Cut(model, 0, 50), (Sizes{60, 40}));
    EXPECT_EQ(Cut(model, 0, 40), (Sizes{40, 40, 20}));
    EXPECT_EQ(Cut(model, 0, 1), (Sizes{40, 20, 20, 10, 10}));
    EXPECT_EQ(Cut(model, 0, 1000), (Sizes{100}));
}

TEST(BucketPlan, WithoutLayersPartsAreEqual)
{
    ModelProfile model;
    model.bytes = 10;
    EXPECT_EQ(Cut(model, 0, 0), (Sizes{10}));
    EXPECT_EQ(Cut(model, 4, 0), (Sizes{3, 3, 2, 2}));
    EXPECT_EQ(Cut(model, 0, 4), (Sizes{4, 3, 3}));
    EXPECT_EQ(Cut(model, 0, 5), (Sizes{5, 5}));
    model.bytes = 1000000;
    EXPECT_EQ(Cut(model, 0, 1).size(), MOST_BUCKETS);
}

TEST(BucketPlan, TasksTakeTheTimesOfTheirLayers)
{
    // Last layer first: 2, 1, 4 ms of 7.
    const ModelProfile model = MakeModel({{100, 4}, {0, 1}, {300, 2}});
    const BucketPlan plan(model, {});
    ASSERT_EQ(plan.GetTasks(), 3U);
    EXPECT_EQ(plan.GetTime(MilliSeconds(7), 0), MilliSeconds(2));
    EXPECT_EQ(plan.GetTime(MilliSeconds(7), 1), MilliSeconds(1));
    EXPECT_EQ(plan.GetTime(MilliSeconds(7), 2), MilliSeconds(4));
    // Noise, or another GPU, makes all of them longer.
    EXPECT_EQ(plan.GetTime(MilliSeconds(14), 2), MilliSeconds(8));
    Time sum;
    for (uint32_t task = 0; task < 3; ++task)
    {
        sum += plan.GetTime(NanoSeconds(1000001), task);
    }
    EXPECT_EQ(sum, NanoSeconds(1000001));
    OverlapSpec after;
    after.backward = false;
    EXPECT_EQ(BucketPlan(model, after).GetTasks(), 1U);
    EXPECT_EQ(BucketPlan(model, after).GetCount(), 3U);
    EXPECT_EQ(BucketPlan(model, after).GetTime(MilliSeconds(7), 0), MilliSeconds(7));
}

TEST(BucketPlan, LayersThatTakeNoTimeShareThePassEqually)
{
    const ModelProfile model = MakeModel({{100, 0}, {300, 0}});
    EXPECT_EQ(BucketPlan(model, {}).GetTime(NanoSeconds(5), 0), NanoSeconds(3));
    EXPECT_EQ(BucketPlan(model, {}).GetTime(NanoSeconds(5), 1), NanoSeconds(2));
}

/** Every pattern. */
class SerialPlan : public testing::TestWithParam<std::string>
{
};

TEST_P(SerialPlan, ABucketIsOverWhenAllOfItHasHappened)
{
    const auto pattern = CreatePolicy<CommunicationPattern>(GetParam());
    const std::vector<uint64_t> buckets = {1000, 0, 3, 70000};
    for (const uint32_t workers : {1, 2, 5, 8})
    {
        PatternView view{workers, 2, 71003};
        view.servers = pattern->Refuse(view).empty() ? 2 : 0;
        const uint32_t ranks = workers + view.servers;
        const TransferPlan transfers = PlanInBuckets(*pattern, view, buckets);
        const JobPlan free = CompilePlan(transfers, ranks, 4);
        const JobPlan serial = CompilePlan(transfers, ranks, 4, workers);
        EXPECT_EQ(serial.bytes, free.bytes);
        for (uint32_t r = 0; r < ranks; ++r)
        {
            const RankSteps& rank = *serial.ranks[r].steps;
            EXPECT_EQ(rank.inbound, free.ranks[r]->inbound);
            EXPECT_TRUE(free.ranks[r]->bucketNeeds.empty());
            if (r >= workers)
            {
                EXPECT_TRUE(rank.bucketNeeds.empty()) << "servers answer what comes";
                EXPECT_EQ(rank.needs, free.ranks[r]->needs);
                continue;
            }
            ASSERT_EQ(rank.bucketNeeds.size(), 4U);
            EXPECT_EQ(std::accumulate(rank.bucketNeeds.begin(), rank.bucketNeeds.end(), 0U),
                      rank.groupEnds.size() + rank.waiterEnds.size());
            const uint32_t first = rank.bucketEnds[0]; // groups of the first bucket
            for (uint32_t group = 0; group < rank.needs.size(); ++group)
            {
                EXPECT_EQ(rank.needs[group],
                          free.ranks[r]->needs[group] + (group >= first ? 1 : 0));
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         SerialPlan,
                         testing::ValuesIn(ListPolicies(CommunicationPattern::GetTypeId())),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });
