// SPDX-License-Identifier: GPL-2.0-only
// The Gittins index of Tiresias, its definition by hand, and the jobs of its Figure 7.
#include "ns3/attribute-container.h"
#include "ns3/boolean.h"
#include "ns3/ddl-gittins-index.h"
#include "ns3/ddl-job-queue-policy.h"
#include "ns3/double.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

std::vector<Time>
InSeconds(const std::vector<int>& services)
{
    std::vector<Time> times;
    for (const int each : services)
    {
        times.push_back(Seconds(each));
    }
    return times;
}

/** \return P(S - a <= delta | S > a) / E[min(S - a, delta) | S > a], term by term, in halves of a
 * second: services, a and delta are twice the seconds. Of `countsWhole` see GittinsRule */
double
DivideByHand(const std::vector<int>& services, int attained, int delta, bool countsWhole)
{
    double alive = 0;
    double ended = 0;
    double spent = 0;
    for (const int service : services)
    {
        if (service > attained)
        {
            alive += 1;
            ended += service - attained <= delta ? 1 : 0;
            spent += service - attained > delta ? delta
                     : countsWhole              ? service
                                                : service - attained;
        }
    }
    return alive > 0 ? (ended / alive) / (0.5 * spent / alive) : 0;
}

TEST(GittinsIndex, RandomServicesByTheDefinition)
{
    for (uint32_t seed = 1; seed <= 300; ++seed)
    {
        std::mt19937 random(seed);
        const auto draw = [&random](int least, int most) {
            return std::uniform_int_distribution<int>(least, most)(random);
        };
        std::vector<int> services(draw(1, 12)); // in seconds; some are equal
        const int longest = draw(1, 40);
        std::generate(services.begin(), services.end(), [&] { return draw(1, longest); });
        std::vector<int> halves;
        std::transform(services.begin(), services.end(), std::back_inserter(halves), [](int each) {
            return 2 * each;
        });
        const int quantum = draw(0, 1) * draw(1, 45);
        const bool countsWhole = draw(0, 1) == 1;
        const GittinsIndex index(InSeconds(services), {Seconds(quantum), countsWhole});
        ASSERT_FALSE(index.IsEmpty());
        int reached = 0; // the last service of a past job
        for (int attained = 0; attained <= longest + 2; ++attained)
        {
            if (std::count(services.begin(), services.end(), attained) > 0)
            {
                reached = attained;
            }
            double expected = 0;
            for (int delta = 1; delta <= 2 * longest + 2 && quantum == 0; ++delta)
            {
                expected =
                    std::max(expected, DivideByHand(halves, 2 * reached, delta, countsWhole));
            }
            if (quantum > 0)
            {
                expected = DivideByHand(halves, 2 * reached, 2 * quantum, countsWhole);
            }
            EXPECT_NEAR(index.Get(Seconds(attained)), expected, 1e-12 + 1e-12 * expected)
                << "case " << seed << ", " << attained << " s";
        }
    }
}

TEST(GittinsIndex, RanksAreThoseOfItsValues)
{
    for (uint32_t seed = 1; seed <= 100; ++seed)
    {
        std::mt19937 random(seed);
        std::vector<int> services(1 + random() % 20);
        std::generate(services.begin(), services.end(), [&] { return 1 + int(random() % 50); });
        const GittinsIndex index(InSeconds(services), {Seconds(random() % 2 * 10), false});
        for (int first = 0; first <= 52; ++first)
        {
            const Time attained = Seconds(first);
            EXPECT_LT(index.GetRank(attained), index.CountRanks());
            for (int second = 0; second <= 52; ++second)
            {
                EXPECT_EQ(index.Get(attained) > index.Get(Seconds(second)),
                          index.GetRank(attained) < index.GetRank(Seconds(second)));
            }
            const Time change = index.GetNextChange(attained);
            EXPECT_GT(change, attained);
            EXPECT_EQ(index.Get(change - TimeStep(1)), index.Get(attained));
            if (change < Time::Max())
            {
                EXPECT_NE(index.Get(change), index.Get(attained));
            }
        }
    }
}

TEST(GittinsIndex, WithoutPastJobs)
{
    for (const GittinsIndex& index :
         {GittinsIndex(), GittinsIndex({}, {}), GittinsIndex({Time(), Seconds(-1)}, {})})
    {
        EXPECT_TRUE(index.IsEmpty());
        EXPECT_EQ(index.Get(Seconds(1)), 0);
        EXPECT_EQ(index.GetNextChange(Time()), Time::Max());
    }
}

TEST(GittinsIndex, TheLongestServicesAreNumbers)
{
    const Time longest = Time::Max();
    const GittinsIndex index({longest, longest - TimeStep(1), NanoSeconds(1)}, {});
    EXPECT_GT(index.Get(Time()), 1e8); // a third ends within 1 ns of three
    EXPECT_GT(index.Get(longest - TimeStep(2)), 0);
    EXPECT_EQ(index.Get(longest), 0);
    const GittinsIndex quantum({longest, Seconds(1)}, {longest, true});
    EXPECT_GT(quantum.Get(Seconds(2)), 0);
}

/** A policy with attributes, which are the past jobs of Figure 7 and these. */
Ptr<JobQueuePolicy>
MakeGittins(const std::vector<int>& services, bool countsWhole, bool hasQueues)
{
    const auto policy = CreatePolicy<JobQueuePolicy>("2d-gittins");
    policy->SetAttribute("Services", AttributeContainerValue<TimeValue>(InSeconds(services)));
    policy->SetAttribute("WholeService", BooleanValue(countsWhole));
    policy->SetAttribute("Discretised", BooleanValue(hasQueues));
    return policy;
}

/** \return when the jobs of Figure 7 end on two GPUs, if they are ordered anew each second */
std::vector<int>
PlayFigure7(const Ptr<JobQueuePolicy>& policy)
{
    const std::vector<int> durations{2, 8, 6};
    std::vector<GroupView> groups;
    for (uint32_t i = 0; i < 3; ++i)
    {
        const uint32_t gpus = i == 1 ? 1 : 2;
        groups.push_back({{i + 1}, Time(), 1, gpus, Seconds(durations[i])});
        groups.back().service = Seconds(durations[i] * int(gpus));
    }
    std::vector<int> ends(3, 0);
    for (int now = 1; now <= 100; ++now)
    {
        const std::vector<double> priorities = policy->GetPriorities(groups);
        std::vector<std::size_t> order{0, 1, 2}; // "Job index is used to break ties"
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return priorities[a] < priorities[b];
        });
        uint32_t free = 2;
        for (const std::size_t i : order)
        {
            GroupView& group = groups[i];
            const bool runs = ends[i] == 0 && group.gpus <= free;
            group.running = runs;
            if (runs)
            {
                free -= group.gpus;
                group.occupied += Seconds(1);
                group.attained += Seconds(int(group.gpus));
                group.remaining -= Seconds(1);
                group.service -= Seconds(int(group.gpus));
                ends[i] = group.remaining.IsZero() ? now : 0;
            }
        }
    }
    return ends;
}

TEST(TwoDimensionalGittinsJobQueuePolicy, FigureSevenOfThePaper)
{
    // Jobs of 2, 1 and 2 GPUs for 2, 8 and 6 s: services of 4, 8 and 12 GPU seconds.
    using Ends = std::vector<int>;
    EXPECT_EQ(PlayFigure7(CreatePolicy<JobQueuePolicy>("srsf")), (Ends{2, 10, 16}));
    const auto las = CreatePolicy<JobQueuePolicy>("2d-las");
    las->SetAttribute("Discretised", BooleanValue(false));
    EXPECT_EQ(PlayFigure7(las), (Ends{5, 14, 16}));
    // Theirs is 1/8 at 0 (3 jobs, 24 GPU seconds) and 1/10 at 4 (2 jobs, 20 GPU seconds): who has
    // got 4 is behind who has got nothing.
    EXPECT_EQ(PlayFigure7(MakeGittins({4, 8, 12}, true, false)), (Ends{2, 12, 16}));
    // As printed it is 1/8 at 0 and 1/6 at 4 (2 jobs, 4 and 8 are left): nobody is suspended.
    EXPECT_EQ(PlayFigure7(MakeGittins({4, 8, 12}, false, false)), (Ends{2, 10, 16}));
}

TEST(TwoDimensionalGittinsJobQueuePolicy, QueueThenIndexThenArrival)
{
    // Past jobs of 100, 100, 5000, 9000 s. G is 1/100 x 1/2 at most: at 0 s 0.5 / 100; at 100 s
    // 0.5 / 4900 or 1 / 6900, so 1/6900; at 5000 s 1/4000; at 9000 s 0.
    const auto policy = MakeGittins({9000, 100, 5000, 100}, false, true);
    const auto make = [](int64_t submit, int64_t attained, uint32_t gpus, bool running) {
        GroupView group{{1}, Seconds(submit), 1, gpus};
        group.attained = Seconds(attained);
        group.occupied = Seconds(double(attained) / gpus);
        group.running = running;
        group.lasted = running ? group.occupied : Time();
        return group;
    };
    const std::vector<GroupView> order{
        make(50, 0, 1, false),   // 0.005
        make(60, 99, 1, true),   // the same, and arrived later
        make(10, 100, 1, true),  // 1/6900
        make(0, 5000, 1, false), // the second queue, 1/4000
        make(0, 3250, 1, true),  // the second queue, 1/6900
        make(0, 8000, 1, true),  // the third, 1/4000
        make(0, 9000, 1, true),  // the third, 0
    };
    const std::vector<double> priorities = policy->GetPriorities(order);
    for (std::size_t i = 1; i < order.size(); ++i)
    {
        EXPECT_LT(priorities[i - 1], priorities[i]) << "group " << i;
    }
    EXPECT_EQ(policy->GetNextChange(make(0, 0, 8, true)), Seconds(12.5));   // at 100
    EXPECT_EQ(policy->GetNextChange(make(0, 3000, 2, true)), Seconds(125)); // the queue ends
    EXPECT_EQ(policy->GetNextChange(make(0, 4000, 4, true)), Seconds(250)); // at 5000
    EXPECT_EQ(policy->GetNextChange(make(0, 9000, 4, true)), Time::Max());  // never again
    EXPECT_EQ(policy->GetNextChange(make(0, 50, 1, false)), std::nullopt);  // it waits
    policy->SetAttribute("StarveLimit", DoubleValue(2));
    GroupView starved = make(0, 8000, 1, false);
    starved.waited = Seconds(16000);
    EXPECT_LT(policy->GetPriority(starved), priorities[3]); // back in the first queue
}

TEST(TwoDimensionalGittinsJobQueuePolicy, AGroupWithoutGpusKeepsItsPlace)
{
    GroupView group{{1}, Time(), 1, 0};
    group.running = true;
    for (const bool hasQueues : {false, true})
    {
        EXPECT_EQ(MakeGittins({4, 8}, false, hasQueues)->GetNextChange(group), Time::Max());
    }
}

TEST(TwoDimensionalGittinsJobQueuePolicy, WithoutServicesItIs2dLas)
{
    for (const bool hasQueues : {false, true})
    {
        const auto las = CreatePolicy<JobQueuePolicy>("2d-las");
        const auto gittins = MakeGittins({}, false, hasQueues);
        las->SetAttribute("Discretised", BooleanValue(hasQueues));
        EXPECT_TRUE(gittins->WantsServices());
        for (const int attained : {0, 3249, 3250, 7200, 100000})
        {
            GroupView group{{1}, Seconds(5), 1, 4};
            group.running = true;
            group.attained = Seconds(attained);
            group.occupied = group.lasted = Seconds(attained / 4.0);
            EXPECT_EQ(gittins->GetPriority(group), las->GetPriority(group));
            EXPECT_EQ(gittins->GetNextChange(group), las->GetNextChange(group));
        }
    }
}

TEST(TwoDimensionalGittinsJobQueuePolicy, TheJobsOfTheScenarioStandForPastOnes)
{
    const auto given = MakeGittins({4, 8, 12}, true, false);
    EXPECT_FALSE(given->WantsServices());
    const auto noted = MakeGittins({}, true, false);
    noted->NoteServices(InSeconds({12, 4, 8}));
    EXPECT_EQ(PlayFigure7(noted), PlayFigure7(given));
}

} // namespace
