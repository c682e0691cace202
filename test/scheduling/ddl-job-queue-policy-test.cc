// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-error.h"
#include "ns3/ddl-job-queue-policy.h"
#include "ns3/ddl-stage-book.h"

#include <algorithm>
#include <gtest/gtest.h>

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
