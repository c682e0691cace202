// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-policy-variants.h"

#include "ns3/boolean.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-job-observer.h"
#include "ns3/ddl-job-queue-policy.h"
#include "ns3/ddl-waiting-queue.h"
#include "ns3/double.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Groups 1, 2, 3: 10 s on 4 GPUs, 30 s on 1, 20 s on 1; service 40, 30, 20 GPU seconds. */
std::vector<GroupView>
MakeGroups()
{
    return {{{1}, Seconds(7), 1, 4, Seconds(10), Seconds(40)},
            {{2}, Seconds(5), 1, 1, Seconds(30), Seconds(30)},
            {{3}, Seconds(6), 1, 1, Seconds(20), Seconds(20)}};
}

/** \return the ids of groups in the order in which they are offered GPUs */
std::vector<uint32_t>
OrderOf(const std::string& name, std::vector<GroupView> groups)
{
    const auto policy = CreatePolicy<JobQueuePolicy>(name);
    std::stable_sort(groups.begin(), groups.end(), [&policy](const auto& a, const auto& b) {
        return policy->GetPriority(a) < policy->GetPriority(b);
    });
    std::vector<uint32_t> order;
    for (const auto& group : groups)
    {
        order.push_back(group.id.value);
    }
    return order;
}

class JobQueueConformance : public testing::TestWithParam<test::Variant>
{
  protected:
    Ptr<JobQueuePolicy> m_policy{GetParam().Create<JobQueuePolicy>()};
};

TEST_P(JobQueueConformance, PrioritiesAreAFunctionOfTheGroup)
{
    EXPECT_GT(m_policy->GetSummary().size(), 10u);
    std::vector<GroupView> groups = MakeGroups();
    groups.push_back({{4}, Time(), 1, 1, Time(), Time()});
    groups.push_back({{5}, Time::Max(), 1000, UINT32_MAX, Time::Max() / 2, Time::Max() / 2});
    groups.back().attained = Time::Max() / 2;
    groups.back().occupied = Hours(100);
    groups.back().waited = Hours(50);
    groups.back().computed = Hours(40);
    groups.push_back(groups.back());
    groups.back().id = {6};
    groups.back().running = true;
    groups.back().lasted = Hours(1);
    groups.back().lastStart = Hours(200);
    std::vector<double> first;
    for (const auto& group : groups)
    {
        first.push_back(m_policy->GetPriority(group)); // checked: not NaN
        m_policy->GetNextChange(group);                // checked: in the future
    }
    std::reverse(groups.begin(), groups.end());
    std::reverse(first.begin(), first.end());
    const auto other = GetParam().Create<JobQueuePolicy>();
    for (std::size_t i = 0; i < groups.size(); ++i)
    {
        EXPECT_EQ(m_policy->GetPriority(groups[i]), first[i]);
        EXPECT_EQ(other->GetPriority(groups[i]), first[i]);
    }
    // No group stands for all: the one with nothing to do and the one with most differ.
    EXPECT_NE(first[2], first[1]);
}

// A coflow between machines that have no GPUs.
TEST_P(JobQueueConformance, AGroupMayNeedNoGpus)
{
    GroupView group{{1}, Seconds(1), 1, 0, Seconds(10), Time()};
    m_policy->GetPriority(group); // checked: not NaN
    m_policy->GetNextChange(group);
    group.running = true;
    group.lasted = group.occupied = Seconds(3);
    m_policy->GetPriority(group);
    m_policy->GetNextChange(group); // checked: in the future
}

TEST_P(JobQueueConformance, ChangesThatAreNamedAreAllThereAre)
{
    std::mt19937 random(5);
    const auto draw = [&random](int64_t most) {
        return NanoSeconds(std::uniform_int_distribution<int64_t>(0, most)(random));
    };
    for (int i = 0; i < 1000; ++i)
    {
        GroupView group{{1}, draw(1e12), 1, uint32_t(1 + random() % 16), draw(1e13), draw(1e14)};
        group.running = true;
        group.lasted = draw(4e12);
        group.occupied = group.lasted + draw(4e12);
        group.waited = draw(4e13);
        group.attained = group.occupied * int64x64_t(group.gpus);
        const double priority = m_policy->GetPriority(group);
        const auto named = m_policy->GetNextChange(group);
        if (!named)
        {
            continue; // the policy is asked whenever the group competes
        }
        const Time change = Min(*named, Seconds(1e5));
        for (const double part : {0.0, 0.3, 0.999, 1.0})
        {
            // Just before the change: a policy may name the nanosecond after it.
            const auto most = std::max<int64_t>(change.GetNanoSeconds() - 2, 0);
            const Time passed = NanoSeconds(std::llround(most * part));
            GroupView later = group;
            later.lasted += passed;
            later.occupied += passed;
            later.attained += passed * int64x64_t(group.gpus);
            EXPECT_EQ(m_policy->GetPriority(later), priority) << passed << " of " << change;
        }
    }
}

TEST_P(JobQueueConformance, APriorityThatFallsWhileRunningNeverGrows)
{
    if (!m_policy->FallsWhileRunning())
    {
        return; // nothing is promised
    }
    std::mt19937 random(7);
    const auto draw = [&random](int64_t most) {
        return NanoSeconds(std::uniform_int_distribution<int64_t>(0, most)(random));
    };
    for (int i = 0; i < 1000; ++i)
    {
        GroupView group{{1}, draw(1e12), 1, uint32_t(1 + random() % 16), draw(1e13), draw(1e14)};
        group.running = true;
        group.lasted = draw(4e12);
        group.occupied = group.lasted + draw(4e12);
        group.attained = group.occupied * int64x64_t(group.gpus);
        group.computed = draw(group.occupied.GetNanoSeconds());
        const double priority = m_policy->GetPriority(group);
        const Time passed = Min(draw(4e12), group.remaining);
        group.lasted += passed;
        group.occupied += passed;
        group.attained += passed * int64x64_t(group.gpus);
        group.computed += passed; // without waiting for the network
        group.remaining -= passed;
        group.service -= Min(group.service, passed * int64x64_t(group.gpus));
        EXPECT_LE(m_policy->GetPriority(group), priority);
        EXPECT_EQ(m_policy->GetPriorities({group}).front(), m_policy->GetPriority(group));
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         JobQueueConformance,
                         testing::ValuesIn(test::ListVariants(JobQueuePolicy::GetTypeId(),
                                                              {{"Services", {"9s,9s,4000s,1h"}}})),
                         test::NameOf);

TEST(FifoJobQueuePolicy, FirstToArriveHoldsUpTheOthers)
{
    EXPECT_EQ(OrderOf("fifo", MakeGroups()), (std::vector<uint32_t>{2, 3, 1})); // 5, 6, 7 s
    EXPECT_FALSE(CreatePolicy<JobQueuePolicy>("fifo")->LetsOthersPass());
}

TEST(SrtfJobQueuePolicy, ShortestTimeFirst)
{
    EXPECT_EQ(OrderOf("srtf", MakeGroups()), (std::vector<uint32_t>{1, 3, 2})); // 10, 20, 30 s
    EXPECT_TRUE(CreatePolicy<JobQueuePolicy>("srtf")->LetsOthersPass());
}

TEST(SrsfJobQueuePolicy, ShortestServiceFirst)
{
    EXPECT_EQ(OrderOf("srsf", MakeGroups()), (std::vector<uint32_t>{3, 2, 1})); // 20, 30, 40
    EXPECT_TRUE(CreatePolicy<JobQueuePolicy>("srsf")->LetsOthersPass());
}

TEST(NwSensJobQueuePolicy, WhoWaitsMostForTheNetworkFirst)
{
    // 100 iterations of 1 s that take 1.5 s each, of 1000: 0.1 / (150 / 1000) = 2/3. And 100 that
    // take 1.1 s with 100 that take 2 s: 0.2 / (310 / 1000).
    const auto policy = CreatePolicy<JobQueuePolicy>("nw-sens");
    GroupView group{{1}, Time(), 1, 8, Seconds(900), Seconds(7200)};
    EXPECT_EQ(policy->GetPriority(group), 0); // has not run
    group.computed = Seconds(100);
    group.occupied = Seconds(150);
    group.waited = Seconds(5000); // does not count
    EXPECT_DOUBLE_EQ(policy->GetPriority(group), 2.0 / 3);
    group.computed = Seconds(200);
    group.occupied = Seconds(310);
    EXPECT_DOUBLE_EQ(policy->GetPriority(group), 0.2 / 0.31);
    // Of three iterations of 1 s two are done, and the third has begun 0.5 s ago: nothing but
    // computing took time. After 1.75 s it waits for communication.
    group.running = true;
    group.iteration = Seconds(1);
    group.computed = Seconds(2);
    group.occupied = Seconds(2.5);
    EXPECT_EQ(policy->GetPriority(group), 1);
    group.occupied = Seconds(3.75);
    EXPECT_EQ(policy->GetPriority(group), 0.8);
    policy->SetAttribute("Fresh", DoubleValue(1));
    EXPECT_EQ(policy->GetPriority({{1}, Time(), 1, 8}), 1);
}

TEST(NwSensJobQueuePolicy, SensitivityIsNotAttainedService)
{
    // 3 h of 1 GPU, without communication; 1 h of 8 GPUs, half of it communication.
    GroupView small{{1}, Time(), 1, 1, Hours(9), Hours(9)};
    small.occupied = small.computed = Hours(3);
    small.attained = Hours(3);
    GroupView large{{2}, Time(), 1, 8, Hours(9), Hours(72)};
    large.occupied = Hours(1);
    large.computed = Hours(0.5);
    large.attained = Hours(8);
    const auto las = CreatePolicy<JobQueuePolicy>("2d-las");
    las->SetAttribute("Discretised", BooleanValue(false));
    EXPECT_LT(las->GetPriority(small), las->GetPriority(large));
    const auto nw = CreatePolicy<JobQueuePolicy>("nw-sens");
    EXPECT_EQ(nw->GetPriority(small), 1);
    EXPECT_EQ(nw->GetPriority(large), 0.5);
}

class WrongJobQueuePolicy : public JobQueuePolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("test::WrongJobQueuePolicy").SetParent<JobQueuePolicy>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "answers with no number";
    }

  private:
    double DoGetPriority(const GroupView& /* group */) override
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
};

/** \return queue of Tiresias, from 0; by hand */
int
FindQueueByHand(const GroupView& group, double starveLimit)
{
    const double before =
        (group.running ? group.occupied - group.lasted : group.occupied).GetSeconds();
    const bool hasStarved =
        starveLimit > 0 && before > 0 && group.waited.GetSeconds() >= starveLimit * before;
    const bool hasHadItsShare = group.lasted * int64_t{group.gpus} >= Seconds(3250);
    if (hasStarved && !(group.running && hasHadItsShare))
    {
        return 0;
    }
    return group.attained < Seconds(3250) ? 0 : group.attained < Seconds(7200) ? 1 : 2;
}

TEST(TwoDimensionalLasJobQueuePolicy, RandomGroupsInTheOrderOfTheBook)
{
    uint32_t promoted = 0;
    for (uint32_t seed = 1; seed <= 500; ++seed)
    {
        std::mt19937_64 generator(seed);
        const auto draw = [&generator](int64_t least, int64_t most) {
            return std::uniform_int_distribution<int64_t>(least, most)(generator);
        };
        const bool hasQueues = draw(0, 3) > 0;
        const double starveLimit = hasQueues && draw(0, 1) == 0 ? 0.5 * draw(1, 6) : 0;
        const auto policy = CreatePolicy<JobQueuePolicy>("2d-las");
        policy->SetAttribute("Discretised", BooleanValue(hasQueues));
        policy->SetAttribute("StarveLimit", DoubleValue(starveLimit));
        WaitingQueue queue;
        std::vector<std::pair<double, uint32_t>> order; // by queue, or by attained service; then
                                                        // who came first
        for (uint32_t id = 1; id <= 12; ++id)
        {
            GroupView group;
            group.id = CojobId{id};
            group.running = draw(0, 2) == 0;
            group.gpus = 1 << draw(0, 3);
            // Few different values, and those beside the thresholds.
            const std::vector<int64_t> services{0, 3250, 7200, 4 * draw(0, 3000)};
            group.attained = Seconds(services[draw(0, 3)]) + NanoSeconds(draw(0, 2));
            group.attained = Max(group.attained - NanoSeconds(1), Time());
            group.lasted = Seconds(2 * draw(0, 1000));
            group.occupied = (group.running ? group.lasted : Time()) + Seconds(2 * draw(0, 4));
            group.waited = Seconds(draw(0, 12));
            const int place = FindQueueByHand(group, starveLimit);
            promoted += place < FindQueueByHand(group, 0);
            const double priority = policy->GetPriority(group);
            EXPECT_EQ(priority, hasQueues ? place : group.attained.GetSeconds()) << seed;
            if (!group.running)
            {
                queue.Add(group.id, priority, 1, GroupDemand(1));
                order.emplace_back(hasQueues ? place : group.attained.GetSeconds(), id);
            }
        }
        std::sort(order.begin(), order.end());
        std::vector<std::pair<double, uint32_t>> visited;
        queue.Visit(1, [&visited](CojobId id, double priority) {
            visited.emplace_back(priority, id.value);
            return true;
        });
        EXPECT_EQ(visited, order) << "case " << seed;
    }
    EXPECT_GT(promoted, 100U);
}

TEST(TwoDimensionalLasJobQueuePolicy, StartOrderIsThatOfTheAuthorsLists)
{
    // Their list of a queue: who runs, then who waits. Who loses GPUs stays where it was, so before
    // all that wait already; who arrives or falls is appended, and who falls runs on only if those
    // that wait leave it its GPUs. At 5000 s, thresholds 3250 and 7200 GPU seconds, from the first:
    const auto make = [](uint32_t id, int64_t submit, int64_t ran, int64_t waits, bool running) {
        GroupView group{{id}, Seconds(submit), 1, 1, Hours(9), Hours(9)};
        group.running = running;
        group.occupied = group.attained = Seconds(ran);
        group.lasted = running ? Seconds(ran) : Seconds(waits);
        group.waited = Seconds(5000 - submit - ran);
        group.iteration = MilliSeconds(100);
        return group;
    };
    const std::vector<GroupView> order{
        make(1, 0, 3000, 0, true),     // runs in the first queue
        make(2, 0, 1000, 100, false),  // lost its GPUs at 4900 s
        make(3, 0, 1000, 400, false),  // at 4600 s
        make(4, 4000, 0, 1000, false), // came at 4000 s
        make(5, 4500, 0, 500, false),  // came at 4500 s
        make(6, 0, 3251, 0, true),     // fell a second ago, and runs on
        make(7, 0, 4000, 300, false),  // lost its GPUs at 4700 s, in the second queue
        make(8, 0, 3250, 900, false),  // at 4100 s, when it fell into that queue
        make(9, 0, 3250, 200, false),  // likewise at 4800 s
        make(10, 0, 3250, 0, true),    // falls now
        make(11, 0, 7300, 0, true),    // runs in the third queue
    };
    const auto policy = CreatePolicy<JobQueuePolicy>("2d-las");
    policy->SetAttribute("StartOrder", BooleanValue(true));
    const std::vector<double> priorities = policy->GetPriorities(order);
    for (std::size_t i = 1; i < order.size(); ++i)
    {
        EXPECT_LT(priorities[i - 1], priorities[i]) << "group " << order[i].id;
    }
    EXPECT_EQ(policy->GetNextChange(order[9]), TimeStep(1)); // then it is one of those that run
    EXPECT_EQ(policy->GetPriority(make(10, 0, 3251, 0, true)), priorities[5]);
}

TEST(TwoDimensionalLasJobQueuePolicy, StartOrderPutsWhoIsPromotedBehindTheFirstQueue)
{
    const auto policy = CreatePolicy<JobQueuePolicy>("2d-las");
    policy->SetAttribute("StartOrder", BooleanValue(true));
    policy->SetAttribute("StarveLimit", DoubleValue(2));
    GroupView group{{1}, Time(), 1, 4, Hours(9), Hours(9)}; // ran for 1000 s: the second queue
    group.occupied = Seconds(1000);
    group.attained = Seconds(4000);
    group.waited = group.lasted = Seconds(1999);
    EXPECT_GT(policy->GetPriority(group), 1e11);
    EXPECT_EQ(policy->GetNextChange(group), Seconds(1));
    group.waited = group.lasted = Seconds(2500);
    EXPECT_DOUBLE_EQ(policy->GetPriority(group), 3000); // since 3000 s
}

TEST(JobQueuePolicy, APriorityThatIsNoNumberIsTheirError)
{
    try
    {
        CreateObject<WrongJobQueuePolicy>()->GetPriority(MakeGroups().front());
        FAIL() << "accepted";
    }
    catch (const RunError& error)
    {
        EXPECT_STREQ(error.what(),
                     "test::WrongJobQueuePolicy: the priority of group 1 is not a number");
    }
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
