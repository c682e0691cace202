// SPDX-License-Identifier: GPL-2.0-only
// What collectives compute, found by executing their plans on memories of symbols, and what they
// send where.
#include "ddl-slow.h"

#include "ns3/ddl-collective-layout.h"
#include "ns3/ddl-collective-plan.h"
#include "ns3/ddl-error.h"

#include <algorithm>
#include <bitset>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>
#include <set>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

using Algorithm = CollectiveAlgorithm;

constexpr uint32_t MOST_HOLDERS = 128;
using Holders = std::bitset<MOST_HOLDERS>; //!< the ranks whose data is in it, each once

/**
 * Executes a plan in place, as ranks with one memory each would: a transfer begins at some time
 * after those that it waits for have arrived, reads the memory of its source as it is then, and
 * writes to that of its destination when it arrives, at some later time. The order is random, so
 * that a wait that is missing shows.
 */
class MemoryExecution
{
  public:
    MemoryExecution(const TransferPlan& plan, uint64_t bytes, uint32_t ranks)
        : m_plan(plan),
          m_waiters(plan.size()),
          m_missing(plan.size())
    {
        std::set<uint64_t> cuts = {0, bytes};
        for (uint32_t i = 0; i < plan.size(); ++i)
        {
            cuts.insert({plan[i].offset, plan[i].offset + plan[i].bytes});
            m_missing[i] = plan[i].after.size();
            for (const uint32_t earlier : plan[i].after)
            {
                m_waiters[earlier].push_back(i);
            }
        }
        m_cuts.assign(cuts.begin(), cuts.end());
        m_memory.assign(ranks, std::vector<Holders>(m_cuts.size() - 1));
        EXPECT_EQ(m_cuts.back(), bytes) << "a transfer ends behind the buffer";
    }

    /** A rank begins with its own data in that range, which must begin and end at a cut. */
    void Give(uint32_t rank, const ByteRange& range)
    {
        ForEachPiece(range, [&](std::size_t piece) { m_memory[rank][piece].set(rank); });
    }

    /** \return the first thing that went wrong, or "" */
    std::string Run(uint32_t seed)
    {
        std::mt19937 random(seed);
        std::vector<uint32_t> ready; // to begin
        std::vector<uint32_t> flying;
        std::vector<std::vector<Holders>> carried(m_plan.size());
        for (uint32_t i = 0; i < m_plan.size(); ++i)
        {
            if (m_missing[i] == 0)
            {
                ready.push_back(i);
            }
        }
        std::size_t done = 0;
        while (!ready.empty() || !flying.empty())
        {
            const std::size_t pick = random() % (ready.size() + flying.size());
            const bool begins = pick < ready.size();
            auto& list = begins ? ready : flying;
            const std::size_t place = begins ? pick : pick - ready.size();
            const uint32_t i = list[place];
            list[place] = list.back();
            list.pop_back();
            if (begins)
            {
                carried[i] = Read(m_plan[i]);
                flying.push_back(i);
                continue;
            }
            ++done;
            if (!Write(m_plan[i], carried[i]))
            {
                return "transfer " + std::to_string(i) + " adds something twice, or copies nothing";
            }
            for (const uint32_t waiter : m_waiters[i])
            {
                if (--m_missing[waiter] == 0)
                {
                    ready.push_back(waiter);
                }
            }
        }
        return done == m_plan.size() ? "" : "it does not end";
    }

    /** \return whether a rank has that, everywhere in the range */
    bool Has(uint32_t rank, const ByteRange& range, const Holders& expected) const
    {
        bool has = true;
        ForEachPiece(range,
                     [&](std::size_t piece) { has = has && m_memory[rank][piece] == expected; });
        return has;
    }

  private:
    template <typename Do>
    void ForEachPiece(const ByteRange& range, Do what) const
    {
        const auto begin = std::lower_bound(m_cuts.begin(), m_cuts.end(), range.offset);
        for (auto cut = begin; cut != m_cuts.end() && *cut < range.offset + range.bytes; ++cut)
        {
            what(static_cast<std::size_t>(cut - m_cuts.begin()));
        }
    }

    std::vector<Holders> Read(const Transfer& transfer) const
    {
        std::vector<Holders> sums;
        ForEachPiece({transfer.offset, transfer.bytes},
                     [&](std::size_t piece) { sums.push_back(m_memory[transfer.source][piece]); });
        return sums;
    }

    bool Write(const Transfer& transfer, const std::vector<Holders>& sums)
    {
        bool right = true;
        std::size_t next = 0;
        ForEachPiece({transfer.offset, transfer.bytes}, [&](std::size_t piece) {
            Holders& there = m_memory[transfer.destination][piece];
            const Holders& sum = sums[next++];
            right = right && sum.any() && (transfer.copy || (there & sum).none());
            there = transfer.copy ? sum : there | sum;
        });
        return right;
    }

    const TransferPlan& m_plan;
    std::vector<std::vector<uint32_t>> m_waiters;
    std::vector<uint32_t> m_missing;
    std::vector<uint64_t> m_cuts;
    std::vector<std::vector<Holders>> m_memory; //!< by rank, piece by piece
};

Holders
OneRank(uint32_t rank)
{
    Holders sum;
    sum.set(rank);
    return sum;
}

Holders
EveryRank(uint32_t ranks)
{
    Holders sum;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        sum.set(rank);
    }
    return sum;
}

/** What each rank has at first, and must have in the end, as MPI defines the collective. */
class Semantics
{
  public:
    Semantics(Collective collective,
              Algorithm algorithm,
              const PatternView& view,
              const CollectivePlan& plan)
        : m_collective(collective),
          m_n(view.workers),
          m_bytes(CountBytes(collective, algorithm, view)),
          m_plan(plan)
    {
        if (collective == Collective::ALL_GATHER || collective == Collective::REDUCE_SCATTER)
        {
            CheckParts();
        }
    }

    std::string Check(uint32_t seed) const
    {
        const bool isAllToAll = m_collective == Collective::ALL_TO_ALL;
        const uint64_t size = isAllToAll ? m_n * m_bytes : m_bytes;
        MemoryExecution execution(m_plan.transfers, size, m_n);
        for (uint32_t rank = 0; rank < m_n; ++rank)
        {
            execution.Give(rank, GetBeginning(rank));
        }
        const std::string wrong = execution.Run(seed);
        for (uint32_t rank = 0; rank < m_n && wrong.empty(); ++rank)
        {
            if (!IsRight(execution, rank))
            {
                return "rank " + std::to_string(rank) + " does not have its result";
            }
        }
        return wrong;
    }

  private:
    /** No rank of a barrier is without a byte, nor one of several that have parts. */
    static uint64_t CountBytes(Collective collective, Algorithm algorithm, const PatternView& view)
    {
        const bool isWhole = collective == Collective::BROADCAST || algorithm == Algorithm::TREE;
        return isWhole && collective != Collective::BARRIER
                   ? view.bytes
                   : std::max<uint64_t>(view.bytes, view.workers);
    }

    /** Parts are a division of the buffer, of the sizes of SplitBytes. */
    void CheckParts() const
    {
        std::map<uint64_t, uint64_t> parts;
        for (uint32_t rank = 0; rank < m_n; ++rank)
        {
            EXPECT_EQ(m_plan.parts[rank].bytes, SplitBytes(m_bytes, m_n, rank));
            if (m_plan.parts[rank].bytes > 0)
            {
                parts[m_plan.parts[rank].offset] = m_plan.parts[rank].bytes;
            }
        }
        uint64_t end = 0;
        for (const auto& [offset, bytes] : parts)
        {
            EXPECT_EQ(offset, end);
            end += bytes;
        }
        EXPECT_EQ(end, m_bytes);
    }

    ByteRange GetBeginning(uint32_t rank) const
    {
        switch (m_collective)
        {
        case Collective::ALL_GATHER:
            return m_plan.parts[rank];
        case Collective::ALL_TO_ALL:
            return {rank * m_bytes, m_bytes};
        case Collective::BROADCAST:
            return {0, rank == 0 ? m_bytes : 0};
        default:
            return {0, m_bytes};
        }
    }

    bool IsRight(const MemoryExecution& execution, uint32_t rank) const
    {
        bool right = true;
        switch (m_collective)
        {
        case Collective::ALL_GATHER:
            for (uint32_t from = 0; from < m_n; ++from)
            {
                right = right && execution.Has(rank, m_plan.parts[from], OneRank(from));
            }
            return right;
        case Collective::REDUCE_SCATTER:
            return execution.Has(rank, m_plan.parts[rank], EveryRank(m_n));
        case Collective::ALL_TO_ALL:
            for (uint32_t from = 0; from < m_n; ++from)
            {
                const ByteRange message{from * m_bytes + SplitOffset(m_bytes, m_n, rank),
                                        SplitBytes(m_bytes, m_n, rank)};
                right = right && execution.Has(rank, message, OneRank(from));
            }
            return right;
        case Collective::BROADCAST:
            return execution.Has(rank, {0, m_bytes}, OneRank(0));
        default:
            return execution.Has(rank, {0, m_bytes}, EveryRank(m_n));
        }
    }

    const Collective m_collective;
    const uint32_t m_n;
    const uint64_t m_bytes;
    const CollectivePlan& m_plan;
};

/** \return what is wrong with a plan: indices, bytes, waits */
std::string
CheckTransfers(const TransferPlan& plan, uint32_t ranks)
{
    for (uint32_t i = 0; i < plan.size(); ++i)
    {
        const Transfer& t = plan[i];
        bool right =
            t.source < ranks && t.destination < ranks && t.source != t.destination && t.bytes > 0;
        for (const uint32_t earlier : t.after)
        {
            right = right && earlier < i &&
                    (plan[earlier].destination == t.source || plan[earlier].source == t.source);
        }
        if (!right)
        {
            return "transfer " + std::to_string(i) + " is no transfer";
        }
    }
    return "";
}

/** Ranks with rails, `perServer` a server; `servers` of unequal sizes if that is 0. */
PatternView
PlaceRanks(uint32_t n, uint32_t perServer, uint32_t perRack, bool shuffled, uint32_t seed)
{
    std::mt19937 random(seed);
    PatternView view;
    view.workers = n;
    std::vector<uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    if (shuffled)
    {
        std::shuffle(order.begin(), order.end(), random);
    }
    view.machines.resize(n);
    view.racks.resize(n);
    view.rails.resize(n);
    uint32_t server = 0;
    uint32_t rail = 0;
    uint32_t size = perServer > 0 ? perServer : 1 + random() % 5;
    for (const uint32_t rank : order)
    {
        if (rail == size)
        {
            ++server;
            rail = 0;
            size = perServer > 0 ? perServer : 1 + random() % 5;
        }
        view.machines[rank] = server;
        view.racks[rank] = server / perRack;
        view.rails[rank] = rail++;
    }
    return view;
}

constexpr Collective ALL_COLLECTIVES[] = {Collective::ALL_REDUCE,
                                          Collective::ALL_GATHER,
                                          Collective::REDUCE_SCATTER,
                                          Collective::ALL_TO_ALL,
                                          Collective::BROADCAST,
                                          Collective::BARRIER};

/** Check every algorithm of every collective in one place. */
void
ExpectAllRight(PatternView view, uint64_t bytes, uint32_t channels, uint32_t chunks)
{
    ObjectFactory ring;
    ring.SetTypeId("ns3::ddl::RingCommunicationPattern");
    view.bytes = bytes;
    for (const Collective collective : ALL_COLLECTIVES)
    {
        for (const Algorithm algorithm : ListAlgorithms(collective))
        {
            for (const bool pxn : {false, true})
            {
                if (pxn && algorithm != Algorithm::DIRECT)
                {
                    continue;
                }
                const CollectiveChoice choice{algorithm, channels, chunks, pxn};
                const CollectivePlan plan = PlanCollective(collective, view, choice, ring);
                std::string wrong = CheckTransfers(plan.transfers, view.workers);
                if (wrong.empty())
                {
                    wrong =
                        Semantics(collective, algorithm, view, plan).Check(view.workers + channels);
                }
                ASSERT_EQ(wrong, "")
                    << ddl::GetName(collective) << " by " << GetName(algorithm) << ", "
                    << view.workers << " ranks, " << bytes << " B, " << channels << " channels, "
                    << chunks << " chunks" << (pxn ? ", PXN" : "");
            }
        }
    }
}

/** \return bytes that leave servers, by server and rail */
std::map<std::pair<uint32_t, uint32_t>, uint64_t>
CountNics(const PatternView& view, const TransferPlan& plan)
{
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> sent;
    for (const Transfer& t : plan)
    {
        if (view.machines[t.source] != view.machines[t.destination])
        {
            sent[{view.machines[t.source], view.rails[t.source]}] += t.bytes;
        }
    }
    return sent;
}

/** \return number of transfers between servers that change the rail */
uint64_t
CountChanges(const PatternView& view, const TransferPlan& plan)
{
    return std::count_if(plan.begin(), plan.end(), [&](const Transfer& t) {
        return view.machines[t.source] != view.machines[t.destination] &&
               view.rails[t.source] != view.rails[t.destination];
    });
}

CollectivePlan
PlanBy(Collective collective, const PatternView& view, const CollectiveChoice& choice)
{
    return PlanCollective(collective, view, choice, ObjectFactory());
}

} // namespace

TEST(CollectivePlan, EveryRankEndsWithItsResult)
{
    const uint64_t sizes[] = {1, 7, 1003, 1000003, 1000000000};
    uint32_t i = 0;
    for (uint32_t n = 2; n <= 33; ++n)
    {
        for (uint32_t trial = 0; trial < HowOften(3U, 40U); ++trial, ++i)
        {
            const uint32_t perServer = std::vector<uint32_t>{0, 1, 2, 4, 8, n}[i % 6];
            const PatternView view = PlaceRanks(n, perServer, 1 + i % 3, i % 4 == 1, i);
            const uint32_t channels = std::vector<uint32_t>{1, 2, 3, 8}[i % 4];
            const uint32_t chunks = std::vector<uint32_t>{1, 3, 16}[i % 3];
            ExpectAllRight(view, sizes[i % 5], channels, chunks);
            if (HasFatalFailure())
            {
                return;
            }
        }
    }
    for (const uint32_t n : {47, 64, 99, 128})
    {
        ExpectAllRight(PlaceRanks(n, 8, 4, true, n), 123457, 2, 2);
    }
}

TEST(CollectivePlan, PlacesMayBeUnknown)
{
    PatternView view;
    for (const uint32_t n : {2, 3, 8, 11})
    {
        view.workers = n;
        ExpectAllRight(view, 1003, 2, 3);
    }
    view.workers = 1;
    view.bytes = 1003;
    EXPECT_TRUE(PlanBy(Collective::ALL_REDUCE, view, {}).transfers.empty());
    view.workers = 4;
    view.bytes = 0;
    EXPECT_TRUE(PlanBy(Collective::ALL_GATHER, view, {}).transfers.empty());
}

TEST(CollectiveLayout, RingsVisitServerByServerAndStayOnTheirRails)
{
    for (uint32_t servers = 2; servers <= 9; ++servers)
    {
        for (const uint32_t gpus : {2, 3, 4, 8})
        {
            const PatternView view = PlaceRanks(servers * gpus, gpus, 3, true, servers);
            const CollectiveLayout layout(view);
            std::set<std::pair<uint32_t, uint32_t>> exits;
            std::set<std::pair<uint32_t, uint32_t>> entries;
            for (uint32_t channel = 0; channel < gpus; ++channel)
            {
                const Ring ring = layout.ListRing(channel);
                EXPECT_EQ(std::set<uint32_t>(ring.begin(), ring.end()).size(), view.workers);
                uint32_t crossings = 0;
                uint32_t changes = 0;
                for (std::size_t i = 0; i < ring.size(); ++i)
                {
                    const uint32_t a = ring[i];
                    const uint32_t b = ring[(i + 1) % ring.size()];
                    if (view.machines[a] != view.machines[b])
                    {
                        ++crossings;
                        changes += view.rails[a] == view.rails[b] ? 0 : 1;
                        exits.emplace(view.machines[a], view.rails[a]);
                        entries.emplace(view.machines[b], view.rails[b]);
                    }
                }
                EXPECT_EQ(crossings, servers); // else some server is visited twice
                EXPECT_EQ(changes, gpus == 2 && servers % 2 == 1 ? 1U : 0U);
            }
            EXPECT_EQ(exits.size(), servers * gpus); // each channel by another NIC
            EXPECT_EQ(entries.size(), servers * gpus);
        }
    }
}

TEST(CollectivePlan, NicsCarryTheClosedForms)
{
    // 6 servers of 4: N = 24, M = 24 x 4 x 1000 B.
    const PatternView places = PlaceRanks(24, 4, 3, true, 1);
    PatternView view = places;
    view.bytes = 96000;
    const auto expect = [&](Collective collective, const CollectiveChoice& choice, uint64_t bytes) {
        const TransferPlan plan = PlanBy(collective, view, choice).transfers;
        const auto nics = CountNics(view, plan);
        EXPECT_EQ(nics.size(), 24U);
        for (const auto& [nic, sent] : nics)
        {
            EXPECT_EQ(sent, bytes)
                << GetName(choice.algorithm) << ", server " << nic.first << ", rail " << nic.second;
        }
        EXPECT_EQ(CountChanges(view, plan), 0U);
    };
    expect(Collective::ALL_REDUCE, {Algorithm::RING, 4}, 2 * 23 * 96000 / 24 / 4);
    expect(Collective::ALL_GATHER, {Algorithm::RING, 4}, 23 * 96000 / 24 / 4);
    expect(Collective::REDUCE_SCATTER, {Algorithm::RING, 4}, 23 * 96000 / 24 / 4);
    expect(Collective::ALL_REDUCE, {Algorithm::HIERARCHICAL}, 2 * 5 * 96000 / 6 / 4);
    expect(Collective::ALL_GATHER, {Algorithm::HIERARCHICAL}, 5 * 96000 / 6 / 4);
    expect(Collective::REDUCE_SCATTER, {Algorithm::TIERED}, 5 * 96000 / 6 / 4);
    expect(Collective::ALL_TO_ALL, {Algorithm::DIRECT, 1, 1, true}, 20 * 96000 / 24);
}

TEST(CollectivePlan, PxnStaysOnRails)
{
    PatternView view = PlaceRanks(16, 4, 4, false, 1);
    view.bytes = 16000;
    const TransferPlan direct = PlanBy(Collective::ALL_TO_ALL, view, {Algorithm::DIRECT}).transfers;
    const TransferPlan pxn =
        PlanBy(Collective::ALL_TO_ALL, view, {Algorithm::DIRECT, 1, 1, true}).transfers;
    EXPECT_EQ(direct.size(), 16U * 15);
    EXPECT_EQ(CountChanges(view, direct), 16U * 3 * 3); // 3 other servers, 3 other rails
    EXPECT_EQ(CountChanges(view, pxn), 0U);
    EXPECT_EQ(pxn.size(), direct.size() + 16U * 3 * 3); // each in two
}

TEST(CollectivePlan, TreesSendTwiceTheBytesAtMost)
{
    for (uint32_t n = 2; n <= 33; ++n)
    {
        PatternView view;
        view.workers = n;
        view.bytes = 1000;
        std::vector<uint64_t> sent(n, 0);
        std::vector<uint64_t> got(n, 0);
        for (const Transfer& t :
             PlanBy(Collective::BROADCAST, view, {Algorithm::TREE, 1, 4}).transfers)
        {
            sent[t.source] += t.bytes;
            got[t.destination] += t.bytes;
        }
        EXPECT_LE(*std::max_element(sent.begin(), sent.end()), 1000U + (n % 2 == 0 ? 500 : 0));
        EXPECT_EQ(std::count(got.begin(), got.end(), 1000U), n - 1); // once to all but the first
        std::fill(sent.begin(), sent.end(), 0);
        for (const Transfer& t :
             PlanBy(Collective::ALL_REDUCE, view, {Algorithm::TREE, 1, 4}).transfers)
        {
            sent[t.source] += t.bytes;
        }
        EXPECT_EQ(std::accumulate(sent.begin(), sent.end(), 0U), 2 * (n - 1) * 1000U);
        EXPECT_LE(*std::max_element(sent.begin(), sent.end()), 2000U + (n % 2 == 1 ? 500 : 0));
    }
}

TEST(CollectiveChoice, SmallOnesTakeTheTreeAndLargeOnesTheRing)
{
    CollectiveRules rules;
    rules.channels = 0;
    PatternView view = PlaceRanks(64, 8, 4, false, 1);
    const auto choose = [&](Collective collective, uint64_t bytes) {
        view.bytes = bytes;
        return ChooseAlgorithm(collective, view, rules);
    };
    EXPECT_EQ(choose(Collective::ALL_REDUCE, 8).algorithm, Algorithm::TREE);
    const CollectiveChoice large = choose(Collective::ALL_REDUCE, 10'000'000'000);
    EXPECT_EQ(large.algorithm, Algorithm::RING);
    EXPECT_EQ(large.channels, 8U);
    EXPECT_EQ(choose(Collective::ALL_GATHER, 1000).algorithm, Algorithm::HIERARCHICAL);
    EXPECT_EQ(choose(Collective::ALL_GATHER, 10'000'000'000).algorithm, Algorithm::RING);
    EXPECT_EQ(choose(Collective::ALL_TO_ALL, 1000).algorithm, Algorithm::DIRECT);
    EXPECT_EQ(choose(Collective::BROADCAST, 8).algorithm, Algorithm::TREE);
    EXPECT_EQ(choose(Collective::BARRIER, 0).algorithm, Algorithm::TREE);

    view.rails.assign(64, 0); // behind one NIC
    EXPECT_EQ(choose(Collective::ALL_GATHER, 10'000'000'000).channels, 1U);
    rules.channels = 3;
    EXPECT_EQ(choose(Collective::ALL_REDUCE, 8).channels, 3U);

    rules.channels = 64; // memory is bounded
    view = PlaceRanks(1024, 8, 4, false, 1);
    EXPECT_EQ(choose(Collective::ALL_REDUCE, 10'000'000'000).channels, 8U); // 2^24 / (2 x 1024^2)
}

TEST(CollectiveChoice, RulesComeFirst)
{
    CollectiveRules rules;
    rules.channels = 0;
    PatternView view = PlaceRanks(16, 4, 4, false, 1);
    rules.algorithms[Collective::ALL_REDUCE] = "tree<64KB, tiered<1MB, auto";
    EXPECT_TRUE(CheckRules(rules).empty());
    const auto choose = [&](uint64_t bytes) {
        view.bytes = bytes;
        return ChooseAlgorithm(Collective::ALL_REDUCE, view, rules).algorithm;
    };
    EXPECT_EQ(choose(63999), Algorithm::TREE);
    EXPECT_EQ(choose(64000), Algorithm::TIERED);
    EXPECT_EQ(choose(10'000'000'000), Algorithm::RING);
    rules.pattern.SetTypeId("ns3::ddl::RecursiveDoublingCommunicationPattern");
    EXPECT_EQ(choose(10'000'000'000), Algorithm::PATTERN);
    EXPECT_EQ(choose(1), Algorithm::TREE);
    view = PlaceRanks(15, 4, 4, false, 1); // unequal servers
    EXPECT_EQ(choose(64000), Algorithm::RING);
}

TEST(CollectiveChoice, WrongRulesAreRefused)
{
    for (const std::string text : {"",
                                   "auto,",
                                   "direct",
                                   "tree<64KB",
                                   "tree<64KB,ring<1KB,auto",
                                   "ring,tree",
                                   "tree<x,ring",
                                   "tree<-1B,ring",
                                   "tree<<1KB,ring",
                                   "Ring"})
    {
        CollectiveRules rules;
        rules.algorithms[Collective::ALL_REDUCE] = text;
        EXPECT_EQ(CheckRules(rules).size(), 1U) << text;
    }
}
