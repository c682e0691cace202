// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-fluid-agenda.h"
#include "ns3/ddl-fluid-fifo.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace ns3::ddl
{
namespace
{

TEST(FluidAgendaTest, HasNothingAtFirst)
{
    EXPECT_EQ(FluidAgenda().GetFirstDue(), FluidAgenda::NEVER);
}

TEST(FluidAgendaTest, ADateMayComeForwardGoBackOrBeCancelled)
{
    FluidAgenda agenda;
    agenda.Set(3, 30);
    agenda.Set(0, 20);
    EXPECT_EQ(agenda.GetFirst(), 0U);
    agenda.Set(0, 40);
    EXPECT_EQ(agenda.GetFirst(), 3U);
    agenda.Set(0, 10);
    EXPECT_EQ(agenda.GetFirst(), 0U);
    agenda.Set(0, FluidAgenda::NEVER);
    EXPECT_EQ(agenda.GetFirst(), 3U);
    EXPECT_EQ(agenda.GetFirstDue(), 30);
    agenda.Set(7, FluidAgenda::NEVER); // was never there
    agenda.Set(3, FluidAgenda::NEVER);
    EXPECT_EQ(agenda.GetFirstDue(), FluidAgenda::NEVER);
}

/** 20,000 random changes of 300 keys: the first date is the least of all. */
TEST(FluidAgendaTest, TheFirstIsTheLeast)
{
    std::mt19937 random(1);
    FluidAgenda agenda;
    std::vector<int64_t> dates(300, FluidAgenda::NEVER);
    for (int i = 0; i < 20000; ++i)
    {
        const uint32_t key = random() % dates.size();
        dates[key] = random() % 4 == 0 ? FluidAgenda::NEVER : static_cast<int64_t>(random() % 1000);
        agenda.Set(key, dates[key]);
        ASSERT_EQ(agenda.GetFirstDue(), *std::min_element(dates.begin(), dates.end()));
        if (agenda.GetFirstDue() != FluidAgenda::NEVER)
        {
            ASSERT_EQ(dates[agenda.GetFirst()], agenda.GetFirstDue());
        }
    }
}

TEST(FluidFifoTest, GivesWhatItGotInThatOrder)
{
    FluidFifo<int> fifo;
    int next = 0;
    int first = 0;
    for (int round = 0; round < 50; ++round)
    {
        for (int i = 0; i < round; ++i)
        {
            fifo.Push(next++);
        }
        for (int i = 0; i < round - round / 8; ++i)
        {
            EXPECT_EQ(fifo.GetFront(), first);
            fifo.Pop();
            ++first;
        }
        ASSERT_EQ(fifo.GetSize(), static_cast<std::size_t>(next - first));
        if (!fifo.IsEmpty())
        {
            EXPECT_EQ(fifo.GetBack(), next - 1);
            EXPECT_EQ(fifo.Get(fifo.GetSize() - 1), next - 1);
        }
    }
    fifo.Clear();
    EXPECT_TRUE(fifo.IsEmpty());
}

} // namespace
} // namespace ns3::ddl
