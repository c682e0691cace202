// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-policy-variants.h"

#include "ns3/ddl-search-algorithm.h"
#include "ns3/double.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Jobs 1, 2, ... with these accuracies, after stage 1 of 3. */
SearchView
View(const std::vector<double>& accuracies)
{
    SearchView view;
    view.stages = 3;
    uint32_t id = 0;
    for (const double accuracy : accuracies)
    {
        view.jobs.push_back({JobId{++id}, accuracy, NEVER_STOPPED});
    }
    return view;
}

std::vector<uint32_t>
Stops(const std::string& name, const SearchView& view)
{
    std::vector<uint32_t> stops;
    for (const JobId id : CreatePolicy<SearchAlgorithm>(name)->SelectStops(view))
    {
        stops.push_back(id.value);
    }
    return stops;
}

using Ids = std::vector<uint32_t>;

} // namespace

TEST(SuccessiveHalving, WorstHalfStops)
{
    EXPECT_EQ(Stops("successive-halving", View({0.9, 0.1, 0.5, 0.2})), (Ids{2, 4}));
}

TEST(SuccessiveHalving, OddNumberRoundsDown)
{
    // floor(5 / 2) = 2 stop
    EXPECT_EQ(Stops("successive-halving", View({0.5, 0.4, 0.3, 0.2, 0.1})), (Ids{4, 5}));
    // floor(3 / 2) = 1
    EXPECT_EQ(Stops("successive-halving", View({0.1, 0.2, 0.3})), (Ids{1}));
}

TEST(SuccessiveHalving, TiesStopTheHigherId)
{
    EXPECT_EQ(Stops("successive-halving", View({0.5, 0.5, 0.5, 0.5})), (Ids{3, 4}));
}

TEST(SuccessiveHalving, OneIsKept)
{
    EXPECT_EQ(Stops("successive-halving", View({0.5})), (Ids{}));
    auto all = CreatePolicy<SearchAlgorithm>("successive-halving");
    all->SetAttribute("Fraction", DoubleValue(1.0));
    EXPECT_EQ(all->SelectStops(View({0.1, 0.3, 0.2})), (std::vector<JobId>{{1}, {3}}));
}

TEST(SuccessiveHalving, FractionIsExactWhereBinaryIsNot)
{
    auto search = CreatePolicy<SearchAlgorithm>("successive-halving");
    search->SetAttribute("Fraction", DoubleValue(0.29));
    EXPECT_EQ(search->SelectStops(View(std::vector<double>(100, 0.5))).size(), 29U);
    search->SetAttribute("Fraction", DoubleValue(0.0));
    EXPECT_TRUE(search->SelectStops(View({0.1, 0.2})).empty());
}

TEST(ListSearch, StopsAfterTheGivenStage)
{
    SearchView view = View({0, 0, 0});
    view.jobs[0].stopAfter = 1;
    view.jobs[2].stopAfter = 2;
    EXPECT_EQ(Stops("list", view), (Ids{1}));
    view.stage = 2;
    view.jobs.erase(view.jobs.begin());
    EXPECT_EQ(Stops("list", view), (Ids{3}));
}

TEST(NoneSearch, NobodyStops)
{
    EXPECT_TRUE(Stops("none", View({0.1, 0.9})).empty());
}

/** Every registered search. */
class SearchConformance : public testing::TestWithParam<test::Variant>
{
};

TEST_P(SearchConformance, AnswersAreLiveAndRepeatable)
{
    const auto search = GetParam().Create<SearchAlgorithm>();
    EXPECT_FALSE(search->GetSummary().empty());
    for (uint32_t jobs = 0; jobs <= 9; ++jobs)
    {
        std::vector<double> accuracies;
        for (uint32_t i = 0; i < jobs; ++i)
        {
            accuracies.push_back((i * 7 % 5) / 5.0); // with ties
        }
        const SearchView view = View(accuracies);
        const auto stops = search->SelectStops(view); // checked
        EXPECT_EQ(stops, search->SelectStops(view));
        EXPECT_TRUE(std::is_sorted(stops.begin(), stops.end()));
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         SearchConformance,
                         testing::ValuesIn(test::ListVariants(SearchAlgorithm::GetTypeId())),
                         test::NameOf);

/** A search that answers with what it was built with. */
class WrongSearchAlgorithm : public SearchAlgorithm
{
  public:
    explicit WrongSearchAlgorithm(const std::vector<JobId>& answer)
        : m_answer(answer)
    {
    }

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("test::WrongSearchAlgorithm").SetParent<SearchAlgorithm>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "wrong";
    }

  private:
    std::vector<JobId> DoSelectStops(const SearchView& /* view */) const override
    {
        return m_answer;
    }

    std::vector<JobId> m_answer;
};

TEST(WrongSearch, IsTheirError)
{
    const auto stop = [](const std::vector<JobId>& answer) {
        return test::RunErrorOf([&] {
            CreateObject<WrongSearchAlgorithm>(answer)->SelectStops(View({0.5, 0.6}));
        });
    };
    EXPECT_EQ(stop({JobId{2}, JobId{1}}), ""); // a right one passes
    EXPECT_EQ(stop({JobId{7}}), "test::WrongSearchAlgorithm stopped job 7, which is not live");
    EXPECT_EQ(stop({JobId{2}, JobId{1}, JobId{2}}),
              "test::WrongSearchAlgorithm stopped job 2 twice");
}
