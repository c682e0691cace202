// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-error.h"
#include "ns3/ddl-job-queue-policy.h"
#include "ns3/ddl-stage-book.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

JobQueueView
MakeView(const std::vector<double>& submits)
{
    JobQueueView view;
    view.now = Seconds(100);
    view.freeGpus = 4;
    uint32_t id = 0;
    for (const double submit : submits)
    {
        view.waiting.push_back({{++id}, Seconds(submit), 1, 2});
    }
    return view;
}

class JobQueueConformance : public testing::TestWithParam<std::string>
{
  protected:
    Ptr<JobQueuePolicy> m_policy{CreatePolicy<JobQueuePolicy>(GetParam())};
};

TEST_P(JobQueueConformance, HasNothingToSayOfAnEmptyQueue)
{
    EXPECT_FALSE(m_policy->SelectNext(JobQueueView{}));
    EXPECT_GT(m_policy->GetSummary().size(), 10u);
}

TEST_P(JobQueueConformance, ServesAllThatFitOneAfterTheOther)
{
    JobQueueView view = MakeView({5, 1, 3, 1, 9});
    while (!view.waiting.empty())
    {
        const auto next = m_policy->SelectNext(view);
        ASSERT_TRUE(next);
        EXPECT_EQ(next, CreatePolicy<JobQueuePolicy>(GetParam())->SelectNext(view));
        view.waiting.erase(view.waiting.begin() + *next);
    }
}

TEST_P(JobQueueConformance, NamesNobodyWhoWasRefused)
{
    // Nothing fits: each is named at most once, then nobody.
    JobQueueView view = MakeView({5, 1, 3, 1, 9});
    uint32_t named = 0;
    while (const auto next = m_policy->SelectNext(view))
    {
        ASSERT_FALSE(view.waiting[*next].refused);
        view.waiting[*next].refused = true;
        ASSERT_LE(++named, view.waiting.size());
    }
    for (auto& group : view.waiting)
    {
        group.refused = true;
    }
    EXPECT_FALSE(m_policy->SelectNext(view));
}

INSTANTIATE_TEST_SUITE_P(All,
                         JobQueueConformance,
                         testing::ValuesIn(ListPolicies(JobQueuePolicy::GetTypeId())),
                         [](const testing::TestParamInfo<std::string>& info) {
                             std::string name = info.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(FifoJobQueuePolicy, TakesTheFirstToArriveAndOfEqualsTheFirstInLine)
{
    const auto fifo = CreatePolicy<JobQueuePolicy>("fifo");
    EXPECT_EQ(fifo->SelectNext(MakeView({5, 1, 3, 1})), 1u);
    EXPECT_EQ(fifo->SelectNext(MakeView({2, 2})), 0u);
}

TEST(FifoJobQueuePolicy, TheFirstHoldsUpTheOthers)
{
    const auto fifo = CreatePolicy<JobQueuePolicy>("fifo");
    JobQueueView view = MakeView({5, 1, 3});
    view.waiting[1].refused = true;
    EXPECT_FALSE(fifo->SelectNext(view));
}

/** Three jobs: 10 s on 4 GPUs, 30 s on 1, 20 s on 1: service 40, 30, 20 GPU seconds. */
JobQueueView
MakeSizedView()
{
    JobQueueView view = MakeView({1, 2, 3});
    const std::vector<std::pair<int, uint32_t>> sizes = {{10, 4}, {30, 1}, {20, 1}};
    for (std::size_t i = 0; i < sizes.size(); ++i)
    {
        view.waiting[i].remaining = Seconds(sizes[i].first);
        view.waiting[i].gpus = sizes[i].second;
        view.waiting[i].service = Seconds(sizes[i].first * sizes[i].second);
    }
    return view;
}

std::vector<uint32_t>
OrderOf(const std::string& name, JobQueueView view)
{
    std::vector<uint32_t> order;
    const auto policy = CreatePolicy<JobQueuePolicy>(name);
    while (const auto next = policy->SelectNext(view))
    {
        order.push_back(*next);
        view.waiting[*next].refused = true; // which lets the next one pass
    }
    return order;
}

TEST(SrtfJobQueuePolicy, ShortestTimeFirst)
{
    EXPECT_EQ(OrderOf("srtf", MakeSizedView()), (std::vector<uint32_t>{0, 2, 1}));
    EXPECT_EQ(OrderOf("srtf", MakeView({5, 1})), (std::vector<uint32_t>{0, 1})); // equals
}

TEST(SrsfJobQueuePolicy, ShortestServiceFirst)
{
    EXPECT_EQ(OrderOf("srsf", MakeSizedView()), (std::vector<uint32_t>{2, 1, 0}));
}

class WrongJobQueuePolicy : public JobQueuePolicy
{
  public:
    std::string GetSummary() const override
    {
        return "names a group that is not there";
    }

  private:
    std::optional<uint32_t> DoSelectNext(const JobQueueView& view) override
    {
        return view.waiting.size();
    }
};

TEST(JobQueuePolicy, RefusesAGroupThatIsNotThere)
{
    EXPECT_THROW(CreateObject<WrongJobQueuePolicy>()->SelectNext(MakeView({1})), RunError);
}

class StubbornJobQueuePolicy : public JobQueuePolicy
{
  public:
    std::string GetSummary() const override
    {
        return "names the same group again and again";
    }

  private:
    std::optional<uint32_t> DoSelectNext(const JobQueueView& /* view */) override
    {
        return 0;
    }
};

TEST(JobQueuePolicy, RefusesAGroupThatWasRefused)
{
    JobQueueView view = MakeView({1});
    EXPECT_EQ(CreateObject<StubbornJobQueuePolicy>()->SelectNext(view), 0u);
    view.waiting[0].refused = true;
    EXPECT_THROW(CreateObject<StubbornJobQueuePolicy>()->SelectNext(view), RunError);
}

TEST(StageBook, TracesTheFirstStartAndTheLastEnd)
{
    StageBook book({3}, Seconds(1));
    book.Begin(1, {{{1}, 100}, {{2}, 0}});
    const auto first = book.NoteStart(Seconds(2));
    ASSERT_TRUE(first);
    EXPECT_EQ(first->start, Seconds(2));
    EXPECT_FALSE(book.NoteStart(Seconds(3)));
    EXPECT_TRUE(book.IsIn({1}));
    EXPECT_FALSE(book.NoteEnd({1}, 150, Seconds(5)));
    EXPECT_FALSE(book.IsIn({1}));
    const auto last = book.NoteEnd({2}, 70, Seconds(8));
    ASSERT_TRUE(last);
    EXPECT_EQ(last->cojob, CojobId{3});
    EXPECT_EQ(last->stage, 1u);
    EXPECT_EQ(last->jobs, 2u);
    EXPECT_EQ(last->release, Seconds(1));
    EXPECT_EQ(last->start, Seconds(2));
    EXPECT_EQ(last->end, Seconds(8));
    EXPECT_EQ(last->bytes, (150u - 100) + (70 - 0));
    book.Begin(2, {{{2}, 70}});
    EXPECT_TRUE(book.NoteStart(Seconds(9)));
    EXPECT_EQ(book.NoteEnd({2}, 71, Seconds(10))->bytes, 1u);
}

} // namespace
