// SPDX-License-Identifier: GPL-2.0-only
// What every network scheduler must hold, whoever wrote it: run over all registered ones.
#include "ddl-policy-variants.h"
#include "ddl-unit-views.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-network-scheduler.h"
#include "ns3/ddl-unit-order.h"

#include <ctime>
#include <gtest/gtest.h>
#include <numeric>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Names and labels do not matter here, only what Order() answers. */
class NetworkSchedulerConformance : public testing::TestWithParam<test::Variant>
{
  protected:
    void SetUp() override
    {
        m_scheduler = GetParam().Create<NetworkScheduler>();
    }

    SchedulerView RandomView(uint32_t units, uint32_t ports, double density, uint32_t seed) const
    {
        return test::MakeRandomView(m_scheduler->GetUnitKind(), units, ports, density, seed);
    }

    Ptr<NetworkScheduler> m_scheduler;
};

std::vector<uint32_t>
Flatten(const UnitOrder& order)
{
    std::vector<uint32_t> all;
    for (const auto& group : order)
    {
        all.insert(all.end(), group.begin(), group.end());
    }
    return all;
}

TEST_P(NetworkSchedulerConformance, SaysWhatItDoes)
{
    EXPECT_GT(m_scheduler->GetSummary().size(), 10u);
}

TEST_P(NetworkSchedulerConformance, OrdersEveryUnitOnce)
{
    for (uint32_t seed = 1; seed <= 50; ++seed)
    {
        const SchedulerView view = RandomView(1 + seed % 17, 8, 0.4, seed);
        std::vector<uint32_t> all = Flatten(m_scheduler->Order(view));
        std::sort(all.begin(), all.end());
        std::vector<uint32_t> expected(view.units.size());
        std::iota(expected.begin(), expected.end(), 0);
        EXPECT_EQ(all, expected) << "seed " << seed;
    }
}

TEST_P(NetworkSchedulerConformance, AnswersAnEmptyViewWithNothing)
{
    EXPECT_TRUE(m_scheduler->Order(SchedulerView{}).empty());
}

TEST_P(NetworkSchedulerConformance, OrdersASingleUnit)
{
    EXPECT_EQ(m_scheduler->Order(RandomView(1, 4, 1, 1)), (UnitOrder{{0}}));
}

TEST_P(NetworkSchedulerConformance, OrdersUnitsWithoutLoad)
{
    const SchedulerView view = RandomView(9, 4, 0, 1);
    EXPECT_EQ(Flatten(m_scheduler->Order(view)).size(), 9u);
}

TEST_P(NetworkSchedulerConformance, IsDeterministic)
{
    const SchedulerView view = RandomView(40, 10, 0.3, 7);
    const auto first = m_scheduler->Order(view);
    EXPECT_EQ(first, m_scheduler->Order(view));
    EXPECT_EQ(first, GetParam().Create<NetworkScheduler>()->Order(view));
}

TEST_P(NetworkSchedulerConformance, DoesNotDependOnTheOrderOfTheView)
{
    const UnitKind kind = m_scheduler->GetUnitKind();
    for (uint32_t seed = 1; seed <= 20; ++seed)
    {
        const SchedulerView view = RandomView(30, 6, 0.5, seed);
        std::vector<uint32_t> from;
        const SchedulerView shuffled = test::Shuffle(view, seed + 100, from);
        EXPECT_EQ(FormatOrder(view, m_scheduler->Order(view), kind),
                  FormatOrder(shuffled, m_scheduler->Order(shuffled), kind));
    }
}

TEST_P(NetworkSchedulerConformance, ChoosesThePathsOfFlowsByTheUnitsAlone)
{
    for (uint32_t seed = 1; seed <= 20; ++seed)
    {
        const SchedulerView view = RandomView(30, 6, 0.5, seed);
        std::vector<uint32_t> from;
        const SchedulerView shuffled = test::Shuffle(view, seed + 100, from);
        const PathChoice paths = m_scheduler->ChoosePaths(view); // checked
        const PathChoice others = m_scheduler->ChoosePaths(shuffled);
        for (std::size_t i = 0; i < from.size(); ++i)
        {
            EXPECT_EQ(others[i], paths[from[i]]) << "seed " << seed << ", unit " << from[i];
        }
    }
    EXPECT_TRUE(m_scheduler->ChoosePaths(SchedulerView{}).empty());
    EXPECT_TRUE(m_scheduler->NeedsFlows() || !m_scheduler->ChoosesPaths());
    EXPECT_TRUE(m_scheduler->GetUnitKind() == UnitKind::JOB || !m_scheduler->NeedsFlows());
}

TEST_P(NetworkSchedulerConformance, BreaksTiesById)
{
    SchedulerView view = RandomView(6, 2, 0, 1);
    for (auto& unit : view.units)
    {
        unit.load = {{0, 1.0}};
        unit.each = {};
        unit.cojob = {static_cast<uint32_t>(&unit - view.units.data()) + 1};
        unit.job = {m_scheduler->GetUnitKind() == UnitKind::STAGE ? 0 : unit.cojob.value};
        unit.stage = unit.stages = 1;
        unit.predecessor = NO_PREDECESSOR;
        test::Activate(unit, Seconds(1));
    }
    EXPECT_EQ(Flatten(m_scheduler->Order(view)), (std::vector<uint32_t>{0, 1, 2, 3, 4, 5}));
}

TEST_P(NetworkSchedulerConformance, OrdersAThousandUnitsOnAThousandPortsQuickly)
{
    const SchedulerView view = RandomView(1000, 1000, 0.5, 3);
    const std::clock_t before = std::clock();
    m_scheduler->ChoosePaths(view);
    EXPECT_EQ(Flatten(m_scheduler->Order(view)).size(), 1000u);
    const double seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    RecordProperty("milliseconds", std::to_string(seconds * 1e3));
    // Ten times what an optimised build is held to: this must also hold under sanitisers.
    EXPECT_LT(seconds, 0.5);
    EXPECT_LE(m_scheduler->GetCpuSeconds(), seconds);
}

std::vector<std::string>
AllNetworkSchedulers()
{
    return ListPolicies(NetworkScheduler::GetTypeId());
}

INSTANTIATE_TEST_SUITE_P(
    All,
    NetworkSchedulerConformance,
    testing::ValuesIn(test::ListVariants(NetworkScheduler::GetTypeId(),
                                         {{"Thresholds", {"1", "1,2,18446744073709551615"}}})),
    test::NameOf);

/** Takes 20 ms of CPU time for an answer. */
class SlowNetworkScheduler : public NetworkScheduler
{
  public:
    static constexpr std::clock_t LEAST = CLOCKS_PER_SEC / 50;

    std::string GetSummary() const override
    {
        return "takes its time";
    }

    UnitKind GetUnitKind() const override
    {
        return UnitKind::STAGE;
    }

  private:
    UnitOrder DoOrder(const SchedulerView&) override
    {
        const std::clock_t start = std::clock();
        while (std::clock() - start < LEAST)
        {
        }
        return {};
    }
};

TEST(NetworkScheduler, CountsTheTimeOfItsAnswersAndNoOther)
{
    SlowNetworkScheduler scheduler;
    EXPECT_EQ(scheduler.GetCpuSeconds(), 0);
    const double each = static_cast<double>(SlowNetworkScheduler::LEAST) / CLOCKS_PER_SEC;
    double most = 0;
    for (int answers = 1; answers <= 3; ++answers)
    {
        const std::clock_t before = std::clock();
        scheduler.Order(SchedulerView{});
        most += static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
        EXPECT_GE(scheduler.GetCpuSeconds(), answers * each - 1e-9);
        EXPECT_LE(scheduler.GetCpuSeconds(), most + 1e-9); // sums of doubles
        SlowNetworkScheduler().Order(SchedulerView{});     // another one's account
    }
}

/** Answers with whatever the test wants. */
class WrongNetworkScheduler : public NetworkScheduler
{
  public:
    std::string GetSummary() const override
    {
        return "gives a wrong answer";
    }

    UnitKind GetUnitKind() const override
    {
        return UnitKind::STAGE;
    }

    UnitOrder m_answer;
    PathChoice m_paths;

  private:
    UnitOrder DoOrder(const SchedulerView&) override
    {
        return m_answer;
    }

    PathChoice DoChoosePaths(const SchedulerView&) override
    {
        return m_paths;
    }
};

TEST(NetworkScheduler, RefusesWrongAnswers)
{
    const SchedulerView view = test::MakeRandomView(UnitKind::STAGE, 2, 2, 1, 1);
    auto scheduler = CreateObject<WrongNetworkScheduler>();
    for (const UnitOrder& wrong : {UnitOrder{{0}},
                                   UnitOrder{{0}, {0}, {1}},
                                   UnitOrder{{0, 1}, {}},
                                   UnitOrder{{0}, {2}},
                                   UnitOrder{}})
    {
        scheduler->m_answer = wrong;
        EXPECT_THROW(scheduler->Order(view), RunError);
    }
    scheduler->m_answer = {{1}, {0}};
    EXPECT_EQ(scheduler->Order(view), scheduler->m_answer);
}

TEST(NetworkScheduler, RefusesWrongPaths)
{
    SchedulerView view = test::MakeRandomView(UnitKind::STAGE, 2, 2, 1, 1);
    const auto paths = std::make_shared<const std::vector<std::vector<uint32_t>>>(
        std::vector<std::vector<uint32_t>>{{0, 1}, {0, 2, 1}});
    view.units[0].each.flows = {{1, paths, 0}, {1, paths, 1}};
    auto scheduler = CreateObject<WrongNetworkScheduler>();
    for (const PathChoice& wrong : {PathChoice{},
                                    PathChoice{{0, 0}},
                                    PathChoice{{0}, {}},
                                    PathChoice{{0, 0}, {0}},
                                    PathChoice{{0, 2}, {}}})
    {
        scheduler->m_paths = wrong;
        EXPECT_THROW(scheduler->ChoosePaths(view), RunError);
    }
    scheduler->m_paths = {{1, 0}, {}};
    EXPECT_EQ(scheduler->ChoosePaths(view), scheduler->m_paths);
}

TEST(NetworkScheduler, OffersThePublishedNames)
{
    const auto names = AllNetworkSchedulers();
    for (const std::string name : {"baraat",
                                   "crux",
                                   "fair-share",
                                   "grouper",
                                   "grouper-immediate",
                                   "grouper-offline",
                                   "pias",
                                   "sebf",
                                   "sincronia",
                                   "sptf"})
    {
        EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
    }
    EXPECT_THROW(CreatePolicy<NetworkScheduler>("groper"), InputError);
}

} // namespace
