// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fluid-offers.h"
#include "ddl-fluid-test-support.h"

#include "ns3/ddl-fluid-allocator.h"

#include <gtest/gtest.h>

namespace ns3::ddl
{
namespace
{

using Ports = std::vector<FluidPort>;
using Paths = std::vector<FluidPath>;
using Rates = std::vector<double>;

/** An allocator whose streams are given all at once, instead of those before. */
class AtOnce
{
  public:
    explicit AtOnce(const Ports& ports)
        : m_allocator(ports)
    {
    }

    Rates Allocate(const Paths& paths)
    {
        for (const auto stream : m_streams)
        {
            m_allocator.Remove(stream);
        }
        m_streams.clear();
        for (const FluidPath& path : paths)
        {
            m_streams.push_back(m_allocator.Add(path));
        }
        m_allocator.Update();
        Rates rates;
        for (const auto stream : m_streams)
        {
            rates.push_back(m_allocator.GetRate(stream));
        }
        return rates;
    }

    uint64_t GetIterated() const
    {
        return m_allocator.GetIterated();
    }

    uint64_t GetCompromises() const
    {
        return m_allocator.GetCompromises();
    }

  private:
    FluidAllocator m_allocator;
    std::vector<FluidAllocator::Stream> m_streams;
};

Rates
Allocate(const Ports& ports, const Paths& paths)
{
    return AtOnce(ports).Allocate(paths);
}

void
ExpectRates(const Rates& rates, const Rates& wanted)
{
    ASSERT_EQ(rates.size(), wanted.size());
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        EXPECT_NEAR(rates[i], wanted[i], 1e-9) << "stream " << i;
    }
}

TEST(FluidAllocatorTest, NobodyGetsNothing)
{
    EXPECT_TRUE(Allocate({}, {}).empty());
    EXPECT_TRUE(Allocate({StrictPort(1)}, {}).empty());
}

TEST(FluidAllocatorTest, OneStreamGetsTheSlowestPort)
{
    ExpectRates(Allocate({StrictPort(3), StrictPort(2), StrictPort(5)}, {{{0, 1}, {1, 4}, {2, 0}}}),
                {2});
}

TEST(FluidAllocatorTest, EqualsShareEqually)
{
    ExpectRates(Allocate({StrictPort(1)}, {{{0, 3}}, {{0, 3}}, {{0, 3}}, {{0, 3}}}),
                {0.25, 0.25, 0.25, 0.25});
}

TEST(FluidAllocatorTest, AHigherQueueTakesAll)
{
    ExpectRates(Allocate({StrictPort(1)}, {{{0, 2}}, {{0, 1}}, {{0, 7}}}), {0, 1, 0});
}

TEST(FluidAllocatorTest, ALowerQueueGetsWhatTheHigherCannotUse)
{
    // The first is held to 0.3 by port 1; the second gets 1 - 0.3.
    ExpectRates(Allocate({StrictPort(1), StrictPort(0.3)}, {{{0, 1}, {1, 1}}, {{0, 2}}}),
                {0.3, 0.7});
}

TEST(FluidAllocatorTest, QueuesShareByWeightAndStreamsOfAQueueEqually)
{
    // 1 : 3 : 4, two streams in the queue of weight 3: 1/8, 3/16, 3/16, 4/8.
    ExpectRates(Allocate({WeightedPort(1, {1, 3, 4})}, {{{0, 0}}, {{0, 1}}, {{0, 1}}, {{0, 2}}}),
                {0.125, 0.1875, 0.1875, 0.5});
}

TEST(FluidAllocatorTest, WhatAQueueLeavesTheOthersShareByWeight)
{
    // Port 1 holds the queue of weight 4 to 0.2; 0.8 is left for 1 : 3.
    ExpectRates(Allocate({WeightedPort(1, {1, 3, 4}), StrictPort(0.2)},
                         {{{0, 0}}, {{0, 1}}, {{0, 2}, {1, 0}}}),
                {0.2, 0.6, 0.2});
}

TEST(FluidAllocatorTest, MixedServiceServesItsStrictQueuesFirst)
{
    // Queue 0 strict, held to 0.4 by port 1; queues 1 and 2 share 0.6 by 1 : 2.
    ExpectRates(Allocate({WeightedPort(1, {1, 1, 2}, 1), StrictPort(0.4)},
                         {{{0, 0}, {1, 0}}, {{0, 1}}, {{0, 2}}}),
                {0.4, 0.2, 0.4});
}

TEST(FluidAllocatorTest, AParkingLotIsMaxMinFair)
{
    // Bertsekas and Gallager 1992, Fig. 6.11 in spirit: one long stream over three links of 1, 2
    // and 1; two more on the first link, one on each of the others. First link: 1/3 each. Second: 2
    // - 1/3. Third: 1 - 1/3.
    const Paths paths{{{0, 1}, {1, 1}, {2, 1}}, {{0, 1}}, {{0, 1}}, {{1, 1}}, {{2, 1}}};
    ExpectRates(Allocate({StrictPort(1), StrictPort(2), StrictPort(1)}, paths),
                {1.0 / 3, 1.0 / 3, 1.0 / 3, 5.0 / 3, 2.0 / 3});
}

TEST(FluidAllocatorTest, CrossTrafficOverTwoBottlenecks)
{
    // The long stream goes last at port 0 and first at port 1: 1 - 0.4 there is its bottleneck, and
    // the one below it at port 1 gets 1 - 0.6.
    const Paths paths{{{0, 2}, {1, 1}}, {{0, 1}, {2, 0}}, {{1, 2}}};
    ExpectRates(Allocate({StrictPort(1), StrictPort(1), StrictPort(0.4)}, paths), {0.6, 0.4, 0.4});
}

TEST(FluidAllocatorTest, AMateThatStarvesElsewhereDoesNotHoldItsShare)
{
    // Streams 0 and 1 share port 0; 1 is starved by 2 at port 1: 0 gets the whole port.
    const Paths paths{{{0, 1}}, {{0, 1}, {1, 2}}, {{1, 1}}};
    ExpectRates(Allocate({StrictPort(1), StrictPort(1)}, paths), {1, 0, 1});
}

TEST(FluidAllocatorTest, AFallenPortGivesNothing)
{
    ExpectRates(Allocate({StrictPort(0), StrictPort(1)}, {{{0, 1}, {1, 1}}, {{1, 2}}}), {0, 1});
}

TEST(FluidAllocatorTest, ACoarseNicBeforeFineSwitches)
{
    // Streams 0 and 1 share the one band of NIC 0; at switch port 1, 0 goes before 2 and 2
    // before 1. Alone with its mate 0 would have 1/2 at the NIC, but 1 is starved behind 2 and 0:
    // so 0 has all.
    const Paths paths{{{0, 0}, {1, 1}}, {{0, 0}, {1, 3}}, {{2, 0}, {1, 2}}};
    AtOnce allocator({StrictPort(1), StrictPort(1), StrictPort(1)});
    ExpectRates(allocator.Allocate(paths), {1, 0, 0});
    EXPECT_EQ(allocator.GetCompromises(), 0U);
}

TEST(FluidAllocatorTest, StreamsThatPrecedeEachOtherMeetInTheMiddle)
{
    // 0 goes first at port 0, 1 at port 1: (x, 1 - x) is stable for every x.
    const Paths paths{{{0, 1}, {1, 2}}, {{0, 2}, {1, 1}}};
    AtOnce allocator({StrictPort(1), StrictPort(1)});
    ExpectRates(allocator.Allocate(paths), {0.5, 0.5});
    EXPECT_EQ(allocator.GetIterated(), 2U);
    EXPECT_EQ(allocator.GetCompromises(), 0U);
}

TEST(FluidAllocatorTest, AnOddCircleIsStableToo)
{
    // Each goes before the next and behind the one before: x + y = 1 all around.
    const Paths paths{{{0, 1}, {2, 2}}, {{1, 1}, {0, 2}}, {{2, 1}, {1, 2}}};
    ExpectRates(Allocate({StrictPort(1), StrictPort(1), StrictPort(1)}, paths), {0.5, 0.5, 0.5});
}

TEST(FluidAllocatorTest, ForgetsTheLastCall)
{
    AtOnce allocator({StrictPort(1), StrictPort(1)});
    const Paths both{{{0, 1}}, {{0, 1}, {1, 1}}};
    const Paths one{{{1, 1}}};
    ExpectRates(allocator.Allocate(both), {0.5, 0.5});
    ExpectRates(allocator.Allocate(one), {1});
    ExpectRates(allocator.Allocate(both), {0.5, 0.5});
}

TEST(FluidAllocatorTest, NamesTheStreamsWhoseRatesChanged)
{
    // Two ports with two streams each; one of port 0 goes: only its mate is told of.
    FluidAllocator allocator({StrictPort(1), StrictPort(1)});
    const auto a = allocator.Add({{0, 1}});
    const auto b = allocator.Add({{0, 1}});
    const auto c = allocator.Add({{1, 1}});
    allocator.Add({{1, 1}});
    EXPECT_EQ(allocator.Update().size(), 4U);
    EXPECT_TRUE(allocator.Update().empty());
    allocator.Remove(a);
    EXPECT_EQ(allocator.Update(), std::vector<FluidAllocator::Stream>{b});
    EXPECT_DOUBLE_EQ(allocator.GetRate(b), 1);
    EXPECT_DOUBLE_EQ(allocator.GetRate(c), 0.5);
    EXPECT_EQ(allocator.GetComputed(), 5U); // four, and then one
}

TEST(FluidAllocatorTest, EarlierLevelsAreNotComputedAnew)
{
    // A stream of a later queue comes: the one before it keeps its rate without being asked.
    FluidAllocator allocator({StrictPort(1), StrictPort(0.3)});
    const auto first = allocator.Add({{0, 1}, {1, 1}});
    allocator.Update();
    const auto second = allocator.Add({{0, 2}});
    EXPECT_EQ(allocator.Update(), std::vector<FluidAllocator::Stream>{second});
    EXPECT_EQ(allocator.GetComputed(), 2U);
    EXPECT_DOUBLE_EQ(allocator.GetRate(first), 0.3);
    EXPECT_DOUBLE_EQ(allocator.GetRate(second), 0.7);
}

TEST(FluidAllocatorTest, AStreamMovesAndACapacityChanges)
{
    FluidAllocator allocator({StrictPort(1), StrictPort(2)});
    const auto a = allocator.Add({{0, 1}});
    const auto b = allocator.Add({{0, 1}});
    allocator.Update();
    allocator.Move(a, {{1, 3}});
    allocator.Update();
    EXPECT_DOUBLE_EQ(allocator.GetRate(a), 2);
    EXPECT_DOUBLE_EQ(allocator.GetRate(b), 1);
    allocator.SetCapacity(1, 0);
    EXPECT_EQ(allocator.Update(), std::vector<FluidAllocator::Stream>{a});
    EXPECT_EQ(allocator.GetRate(a), 0);
}

/** Random networks. */
class RandomFluids : public ::testing::TestWithParam<int>
{
  protected:
    double Real(double low, double high)
    {
        return std::uniform_real_distribution<double>(low, high)(m_random);
    }

    uint32_t Whole(uint32_t low, uint32_t high)
    {
        return std::uniform_int_distribution<uint32_t>(low, high)(m_random);
    }

    Ports MakePorts(uint32_t count, bool weighted)
    {
        Ports ports;
        for (uint32_t i = 0; i < count; ++i)
        {
            const double capacity = Whole(0, 4) == 0 ? 1 : Real(0.1, 2);
            ports.push_back(StrictPort(capacity));
            if (weighted && Whole(0, 1) == 0)
            {
                ports.back() = WeightedPort(capacity, {1, 2, 3, 5, 8}, Whole(0, 3));
            }
        }
        return ports;
    }

    /** \param own whether a stream has a queue of its own at each hop, or one at all of them */
    Paths MakePaths(uint32_t ports, uint32_t count, bool own)
    {
        Paths paths;
        for (uint32_t i = 0; i < count; ++i)
        {
            std::vector<uint32_t> order(ports);
            for (uint32_t port = 0; port < ports; ++port)
            {
                order[port] = port;
            }
            std::shuffle(order.begin(), order.end(), m_random);
            FluidPath path;
            const uint32_t queue = Whole(0, 7);
            for (uint32_t hop = 0; hop < Whole(1, std::min(4U, ports)) || path.empty(); ++hop)
            {
                path.push_back({order[hop], own ? Whole(0, 7) : queue});
            }
            paths.push_back(path);
        }
        return paths;
    }

    std::mt19937 m_random{static_cast<uint32_t>(GetParam())};
};

TEST_P(RandomFluids, OnePriorityAllTheWayNeedsNoIteration)
{
    for (int i = 0; i < 200; ++i)
    {
        const Ports ports = MakePorts(Whole(1, 12), false);
        const Paths paths = MakePaths(ports.size(), Whole(1, 40), false);
        AtOnce allocator(ports);
        const Rates rates = allocator.Allocate(paths);
        ASSERT_EQ(BottleneckCheck(ports, paths, rates, 1e-9).Run(), "") << "network " << i;
        ASSERT_EQ(allocator.GetIterated(), 0U);
    }
}

TEST_P(RandomFluids, WeightsKeepTheDefinition)
{
    for (int i = 0; i < 100; ++i)
    {
        const Ports ports = MakePorts(Whole(1, 8), true);
        const Paths paths = MakePaths(ports.size(), Whole(1, 20), false);
        AtOnce allocator(ports);
        const Rates rates = allocator.Allocate(paths);
        if (allocator.GetCompromises() == 0)
        {
            ASSERT_EQ(BottleneckCheck(ports, paths, rates, 1e-7).Run(), "") << "network " << i;
        }
    }
}

TEST_P(RandomFluids, AnyPrioritiesKeepTheDefinitionOrSayThatTheyDoNot)
{
    uint64_t compromises = 0;
    for (int i = 0; i < 100; ++i)
    {
        const Ports ports = MakePorts(Whole(1, 8), true);
        const Paths paths = MakePaths(ports.size(), Whole(1, 20), true);
        AtOnce allocator(ports);
        const Rates rates = allocator.Allocate(paths);
        const std::string wrong = BottleneckCheck(ports, paths, rates, 1e-7).Run();
        ASSERT_EQ(wrong.find("too much"), std::string::npos) << wrong;
        if (allocator.GetCompromises() == 0)
        {
            ASSERT_EQ(wrong, "") << "network " << i;
        }
        compromises += allocator.GetCompromises() > 0 ? 1 : 0;
    }
    RecordProperty("compromises", std::to_string(compromises));
    EXPECT_LE(compromises, 30U);
}

/** Where the queue is the same all the way, brute force finds one stable answer: this one. */
TEST_P(RandomFluids, AGridOfAllRatesHoldsNoOtherStableOnes)
{
    int found = 0;
    for (int i = 0; i < 20; ++i)
    {
        Ports ports;
        for (uint32_t port = 0; port < 3; ++port)
        {
            ports.push_back(StrictPort(0.5 * Whole(1, 2)));
        }
        const Paths paths = MakePaths(3, 3, false);
        const Rates rates = Allocate(ports, paths);
        for (int code = 0; code < 25 * 25 * 25; ++code) // multiples of 1/24 hold the likely answers
        {
            const Rates trial{code % 25 / 24.0, code / 25 % 25 / 24.0, code / 625 / 24.0};
            if (BottleneckCheck(ports, paths, trial, 1e-9).Run().empty())
            {
                ExpectRates(rates, trial);
                ++found;
            }
        }
    }
    EXPECT_GT(found, 10);
}

TEST_P(RandomFluids, OffersOfStableRatesAreTheRates)
{
    for (int i = 0; i < 100; ++i)
    {
        const Ports ports = MakePorts(Whole(1, 8), false);
        const Paths paths = MakePaths(ports.size(), Whole(1, 20), false);
        FluidPaths pointers;
        for (const FluidPath& path : paths)
        {
            pointers.push_back(&path);
        }
        const Rates rates = Allocate(ports, paths);
        ExpectRates(ReferenceOffers(ports, pointers).Compute(rates), rates);
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomFluids, ::testing::Range(1, 6));

} // namespace
} // namespace ns3::ddl
