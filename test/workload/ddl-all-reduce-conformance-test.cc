// SPDX-License-Identifier: GPL-2.0-only
// What patterns compute, found by executing their plans on symbols instead of gradients.
#include "ns3/ddl-communication-pattern.h"
#include "ns3/ddl-rank-plan.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** How often each worker's gradient is in a sum. */
using Sum = std::vector<uint32_t>;

/** Executes a plan; the model is cut where any transfer begins or ends. */
class PlanExecution
{
  public:
    PlanExecution(const PatternView& view, const TransferPlan& plan)
        : m_view(view),
          m_plan(plan)
    {
        std::set<uint64_t> cuts = {0, view.bytes};
        for (const Transfer& transfer : plan)
        {
            if (!transfer.clear)
            {
                cuts.insert({transfer.offset, transfer.offset + transfer.bytes});
            }
        }
        m_cuts.assign(cuts.begin(), cuts.end());
        for (uint32_t i = 0; i < plan.size(); ++i)
        {
            m_carried.push_back(Collect(plan[i].source, plan[i].after));
        }
    }

    /** \return what a rank has at the end, piece by piece */
    std::vector<Sum> GetResult(uint32_t rank) const
    {
        std::vector<uint32_t> all(m_plan.size());
        for (uint32_t i = 0; i < all.size(); ++i)
        {
            all[i] = i;
        }
        return Collect(rank, all);
    }

    uint64_t GetEnd() const
    {
        return m_cuts.back();
    }

  private:
    std::vector<Sum> Collect(uint32_t rank, std::vector<uint32_t> after) const
    {
        const bool worker = rank < m_view.workers;
        Sum own(m_view.workers, 0);
        if (worker)
        {
            own[rank] = 1;
        }
        std::vector<Sum> pieces(m_cuts.size() - 1, own);
        std::sort(after.begin(), after.end());
        for (const uint32_t i : after)
        {
            if (m_plan[i].destination == rank && !m_plan[i].clear)
            {
                Apply(pieces, i);
            }
        }
        return pieces;
    }

    void Apply(std::vector<Sum>& pieces, uint32_t i) const
    {
        const Transfer& transfer = m_plan[i];
        for (std::size_t piece = 0; piece < pieces.size(); ++piece)
        {
            if (m_cuts[piece] < transfer.offset ||
                m_cuts[piece] >= transfer.offset + transfer.bytes)
            {
                continue;
            }
            for (uint32_t w = 0; w < m_view.workers; ++w)
            {
                const uint32_t before = transfer.copy ? 0 : pieces[piece][w];
                pieces[piece][w] = before + m_carried[i][piece][w];
            }
        }
    }

    PatternView m_view;
    TransferPlan m_plan;
    std::vector<uint64_t> m_cuts;
    std::vector<std::vector<Sum>> m_carried; //!< by transfer
};

void
ExpectAllReduced(const std::string& pattern, const PatternView& view, const TransferPlan& plan)
{
    const PlanExecution execution(view, plan);
    EXPECT_EQ(execution.GetEnd(), view.bytes) << "a transfer ends behind the model";
    if (view.bytes == 0)
    {
        EXPECT_TRUE(plan.empty());
        return;
    }
    const Sum once(view.workers, 1);
    for (uint32_t worker = 0; worker < view.workers; ++worker)
    {
        for (const Sum& sum : execution.GetResult(worker))
        {
            ASSERT_EQ(sum, once) << pattern << ", worker " << worker << " of " << view.workers
                                 << ", " << view.bytes << " bytes";
        }
    }
}

void
ExpectAllReduced(const std::string& pattern, const PatternView& view)
{
    ExpectAllReduced(pattern, view, CreatePolicy<CommunicationPattern>(pattern)->Plan(view));
}

class AllReduceConformance : public testing::TestWithParam<std::string>
{
  protected:
    PatternView View(uint32_t workers, uint64_t bytes) const
    {
        PatternView view{workers, 0, bytes};
        const auto pattern = CreatePolicy<CommunicationPattern>(GetParam());
        view.servers = pattern->Refuse(view).empty() ? 0 : 3;
        return view;
    }
};

} // namespace

TEST_P(AllReduceConformance, EveryWorkerEndsWithEverySumOnce)
{
    for (uint32_t workers = 1; workers <= 19; ++workers)
    {
        for (const uint64_t bytes : {0, 1, 3, 16, 1000, 1003})
        {
            ExpectAllReduced(GetParam(), View(workers, bytes));
        }
    }
    for (const uint32_t workers : {32, 33, 47})
    {
        ExpectAllReduced(GetParam(), View(workers, 100003));
    }
}

TEST_P(AllReduceConformance, WhateverTheMachines)
{
    const std::vector<std::vector<uint32_t>> layouts = {{0, 0, 0, 0},
                                                        {0, 0, 0, 0, 1, 1, 1, 1},
                                                        {3, 1, 3, 2, 1, 3},
                                                        {0, 1, 2, 3, 4, 4, 4},
                                                        {5}};
    for (const auto& layout : layouts)
    {
        PatternView view = View(layout.size(), 1003);
        for (const uint32_t machine : layout)
        {
            view.machines.push_back(machine);
        }
        ExpectAllReduced(GetParam(), view);
    }
}

TEST_P(AllReduceConformance, WhateverTheRacks)
{
    const std::vector<uint32_t> servers = {0, 0, 1, 1, 2, 2, 3, 3};
    const std::vector<std::vector<uint32_t>> layouts = {{0, 0, 0, 0, 0, 0, 0, 0},
                                                        {0, 0, 0, 0, 1, 1, 1, 1},
                                                        {0, 0, 1, 1, 1, 1, 0, 0},
                                                        {0, 0, 1, 1, 1, 1, 1, 1},
                                                        {4, 4, 3, 3, 2, 2, 1, 1}};
    for (const auto& racks : layouts)
    {
        for (const uint64_t bytes : {5, 1003})
        {
            PatternView view = View(racks.size(), bytes);
            view.racks = racks;
            ExpectAllReduced(GetParam(), view);
            view.machines = servers;
            ExpectAllReduced(GetParam(), view);
            view.machines = {0, 0, 0, 1, 1, 1, 1, 2};
            ExpectAllReduced(GetParam(), view);
        }
    }
}

TEST_P(AllReduceConformance, InUnequalBuckets)
{
    const std::vector<std::vector<uint64_t>> layouts = {{1000, 1, 0, 7, 100003},
                                                        {0, 5},
                                                        {3, 0},
                                                        {16, 16, 17}};
    const auto pattern = CreatePolicy<CommunicationPattern>(GetParam());
    for (const auto& buckets : layouts)
    {
        for (const uint32_t workers : {1, 2, 3, 6, 8})
        {
            const uint64_t bytes = std::accumulate(buckets.begin(), buckets.end(), uint64_t{0});
            const PatternView view = View(workers, bytes);
            const TransferPlan plan = PlanInBuckets(*pattern, view, buckets);
            ExpectAllReduced(GetParam(), view, plan);
            for (const Transfer& transfer : plan)
            {
                const auto begin = std::accumulate(buckets.begin(),
                                                   buckets.begin() + transfer.bucket,
                                                   uint64_t{0});
                EXPECT_TRUE(transfer.clear ||
                            (transfer.offset >= begin &&
                             transfer.offset + transfer.bytes <= begin + buckets[transfer.bucket]));
            }
        }
    }
}

TEST_P(AllReduceConformance, AloneThereIsNobodyToSendTo)
{
    const PatternView view = View(1, 1000);
    if (view.servers == 0)
    {
        EXPECT_TRUE(CreatePolicy<CommunicationPattern>(GetParam())->Plan(view).empty());
    }
}

/** \return all patterns but those that carry data one way and sum nothing */
std::vector<std::string>
ListAllReduces()
{
    auto names = ListPolicies(CommunicationPattern::GetTypeId());
    names.erase(std::remove(names.begin(), names.end(), "shuffle"), names.end());
    return names;
}

INSTANTIATE_TEST_SUITE_P(All,
                         AllReduceConformance,
                         testing::ValuesIn(ListAllReduces()),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });
