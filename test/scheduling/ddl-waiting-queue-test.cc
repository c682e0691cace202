// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-job-service.h"
#include "ns3/ddl-waiting-queue.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** A group that is waiting, in the plain list that the queue is compared with. */
struct Waiting
{
    uint32_t id{0};
    double priority{0};
    uint32_t gpus{0};
    uint32_t shape{0}; //!< groups of equal gpus and shape are alike
};

GroupDemand
DemandOf(const Waiting& group)
{
    JobDemand demand;
    demand.workers = group.gpus;
    demand.servers = group.shape;
    return {demand};
}

/** A queue, and how often it asked whether a group fits. */
class AskedQueue
{
  public:
    void Add(const Waiting& group)
    {
        m_queue.Add({group.id}, group.priority, group.gpus, DemandOf(group));
    }

    /** \return the first group in the order, 0 if none fits */
    uint32_t TakeFirst(uint32_t freeGpus, bool letsPass, const std::set<uint32_t>& fitting)
    {
        const auto taken = m_queue.OfferInTurn({freeGpus, 0}, letsPass, [&](CojobId id) {
            m_asked.push_back(id.value);
            return fitting.count(id.value) > 0 ? WaitingQueue::Reply::TAKES
                                               : WaitingQueue::Reply::NO_ROOM;
        });
        if (taken)
        {
            m_queue.Remove(*taken);
        }
        return taken ? taken->value : 0;
    }

    WaitingQueue m_queue;
    std::vector<uint32_t> m_asked;
};

} // namespace

TEST(WaitingQueue, LeastPriorityFirstOfEqualsTheFirstAdded)
{
    AskedQueue queue;
    EXPECT_TRUE(queue.m_queue.IsEmpty());
    queue.Add({1, 5, 2});
    queue.Add({2, 1, 2});
    queue.Add({3, 3, 1});
    queue.Add({4, 1, 4});
    const std::set<uint32_t> all = {1, 2, 3, 4};
    std::vector<uint32_t> order;
    while (const uint32_t next = queue.TakeFirst(4, true, all))
    {
        order.push_back(next);
    }
    EXPECT_EQ(order, (std::vector<uint32_t>{2, 4, 3, 1}));
    EXPECT_TRUE(queue.m_queue.IsEmpty());
}

TEST(WaitingQueue, OthersPassTheFirstOnlyWhereTheyMay)
{
    AskedQueue queue;
    queue.Add({1, 1, 4});
    queue.Add({2, 2, 1});
    EXPECT_EQ(queue.TakeFirst(1, false, {1, 2}), 0U); // the first one needs 4 of 1
    EXPECT_TRUE(queue.m_asked.empty());
    EXPECT_EQ(queue.TakeFirst(4, false, {2}), 0U); // there are 4, and its policy does not want them
    EXPECT_EQ(queue.TakeFirst(1, true, {1, 2}), 2U);
    EXPECT_EQ(queue.TakeFirst(4, false, {1}), 1U);
}

TEST(WaitingQueue, AThousandAlikeAreAskedOnce)
{
    AskedQueue queue;
    for (uint32_t id = 1; id <= 1000; ++id)
    {
        queue.Add({id, static_cast<double>(id % 10), 2, id % 2});
    }
    EXPECT_EQ(queue.TakeFirst(3, true, {}), 0U);
    EXPECT_EQ(queue.m_asked, (std::vector<uint32_t>{10, 1})); // the first of each shape
    queue.m_asked.clear();
    EXPECT_EQ(queue.TakeFirst(1, true, {}), 0U); // which needs 2
    EXPECT_TRUE(queue.m_asked.empty());
}

TEST(WaitingQueue, TakesWhatAPlainListWould)
{
    std::mt19937 random(7);
    for (const bool letsPass : {false, true})
    {
        AskedQueue queue;
        std::vector<Waiting> list; // in the order of arrival
        for (uint32_t id = 1; id <= 2000; ++id)
        {
            const Waiting group{id,
                                double(random() % 7),
                                uint32_t(1 + random() % 5),
                                uint32_t(random() % 3)};
            queue.Add(group);
            list.push_back(group);
            // A group fits when its shape is allowed now, whatever its number.
            const uint32_t free = random() % 6;
            const uint32_t allowed = random() % 4;
            const auto fits = [&](const Waiting& one) {
                return one.gpus <= free && one.shape <= allowed;
            };
            std::set<uint32_t> fitting;
            auto order = list;
            std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
                return a.priority < b.priority;
            });
            uint32_t expected = 0;
            for (const auto& one : order)
            {
                if (fits(one))
                {
                    expected = expected == 0 ? one.id : expected;
                    fitting.insert(one.id);
                }
                else if (!letsPass)
                {
                    break;
                }
            }
            ASSERT_EQ(queue.TakeFirst(free, letsPass, fitting), expected) << id;
            list.erase(std::remove_if(list.begin(),
                                      list.end(),
                                      [&](const auto& one) { return one.id == expected; }),
                       list.end());
        }
    }
}

TEST(GroupDemand, CountsWhatNobodyMayHold)
{
    CojobSpec group;
    group.iterations = {10};
    group.jobs.resize(3);
    group.jobs[0].workers = 2;
    group.jobs[1].workers = 3;
    group.jobs[1].model.gpuMemory = 5;
    group.jobs[2].workers = 2; // one of which computes nothing
    group.jobs[2].placement = Placement{{{HostId{0}, 0}, {HostId{1}, NO_GPU}}, {}};
    EXPECT_EQ(CountWholeGpus(GetDemand(group.jobs, CountIterations(group), true), false),
              2U + 3 + 1);
    EXPECT_EQ(CountWholeGpus(GetDemand(group.jobs, CountIterations(group), true), true),
              2U + 1); // the second job shares
}

TEST(GroupDemand, EqualWhereThePolicySeesTheSame)
{
    const auto demand = [](Time compute, std::vector<uint32_t> workers) {
        CojobSpec group;
        group.iterations = {1};
        for (const uint32_t each : workers)
        {
            JobSpec job;
            job.workers = each;
            job.model.forward = compute;
            group.jobs.push_back(job);
        }
        return GetDemand(group.jobs, CountIterations(group), true);
    };
    const auto areEqual = [](const GroupDemand& a, const GroupDemand& b) {
        return !(a < b) && !(b < a);
    };
    EXPECT_TRUE(areEqual(demand(Seconds(1), {4}), demand(Seconds(9), {4})));
    EXPECT_FALSE(areEqual(demand(Seconds(1), {4}), demand(Seconds(1), {5})));
    // The second job sees the load of the first one.
    EXPECT_FALSE(areEqual(demand(Seconds(1), {4, 1}), demand(Seconds(9), {4, 1})));
    auto given = demand(Seconds(1), {1});
    given[0].placement = Placement{{{HostId{0}, 0}}, {}};
    auto other = given;
    EXPECT_TRUE(areEqual(given, other));
    EXPECT_FALSE(areEqual(given, demand(Seconds(1), {1})));
    other[0].placement->workers[0].index = 1;
    EXPECT_FALSE(areEqual(given, other));
}
