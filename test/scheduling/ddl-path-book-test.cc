// SPDX-License-Identifier: GPL-2.0-only
// What a scheduler sees of flows, and what machines are told of their paths.
#include "ddl-live-groups.h"

#include "ns3/ddl-live-jobs.h"
#include "ns3/ddl-path-book.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr HostId A{0};
constexpr HostId B{1};
constexpr HostId C{2};

/** Two ways between any two machines but B and C, which have one. A stream takes the first one
 * until it has the label of the second, 7. */
class TwoWays : public NetworkMap
{
  public:
    void Update() override
    {
        ++m_updates;
    }

    const std::vector<double>& GetRates() const override
    {
        return m_rates;
    }

    bool UsesLinks(HostId source, HostId destination) const override
    {
        return source != destination;
    }

    const Ways& FindWays(HostId source, HostId destination) override
    {
        Ways& ways = m_ways[{source, destination}];
        const uint32_t from = 2 * source.value;
        const uint32_t to = 2 * destination.value + 1;
        const bool isOne = source != A && destination != A;
        using Paths = std::vector<std::vector<uint32_t>>;
        ways.links = std::make_shared<const Paths>(isOne ? Paths{{from, to}}
                                                         : Paths{{from, 6, to}, {from, 7, to}});
        ways.labels = isOne ? std::vector<uint32_t>{} : std::vector<uint32_t>{3, 7};
        return ways;
    }

    std::optional<uint32_t> FindWay(HostId source, HostId destination, uint32_t label) override
    {
        if (m_isElsewhere && label != 3 && label != 7)
        {
            return std::nullopt;
        }
        return FindWays(source, destination).labels.empty() || label != 7 ? 0 : 1;
    }

    uint32_t m_updates{0};
    bool m_isElsewhere{false}; //!< streams that have not been pinned are on a third way
    std::vector<double> m_rates{1, 1, 1, 1, 1, 1, 2, 2};
    std::map<std::pair<HostId, HostId>, Ways> m_ways;
};

class PathBookTest : public testing::Test
{
  protected:
    /** Launch a job of a rank on each machine, with these channels. */
    void Launch(uint32_t job,
                const std::vector<HostId>& machines,
                const std::vector<JobPlan::Channel>& channels)
    {
        CojobSpec spec;
        spec.id = {job};
        spec.iterations = {1};
        JobSpec member;
        member.id = {job};
        JobPlan plan;
        plan.channels = channels;
        m_live.Launch(spec, {{member, machines, {}, plan}}).NoteLive();
        UnitView unit;
        unit.cojob = {job};
        unit.job = {job};
        m_units.push_back(unit);
    }

    SchedulerView Look()
    {
        SchedulerView view;
        view.units = m_units;
        m_book.AddFlows(view, m_live.m_table);
        return view;
    }

    LiveGroups m_live;
    std::vector<UnitView> m_units;
    std::shared_ptr<TwoWays> m_map{std::make_shared<TwoWays>()};
    PathBook m_book;
};

TEST_F(PathBookTest, WithoutAMapThereAreNoFlows)
{
    Launch(1, {A, B}, {{0, 1, 100}});
    SchedulerView view = Look();
    EXPECT_TRUE(view.units[0].each.flows.empty());
    m_book.Pin(view, {{}});
    EXPECT_TRUE(m_book.TakeChanges().empty());
}

TEST_F(PathBookTest, FlowsAreTheChannelsThatUseLinks)
{
    m_book.SetMap(m_map);
    Launch(1, {A, B, B}, {{0, 1, 100}, {1, 0, 50}, {1, 2, 10}, {2, 0, 0}});
    const SchedulerView view = Look();
    EXPECT_EQ(view.linkRates, m_map->m_rates);
    const auto& flows = view.units[0].each.flows;
    ASSERT_EQ(flows.size(), 2U); // not within B, and not without bytes
    EXPECT_EQ(flows[0].bytes, 100);
    EXPECT_EQ(flows[0].paths->at(1), (std::vector<uint32_t>{0, 7, 3}));
    EXPECT_EQ(flows[0].path, 0U);
    EXPECT_EQ(flows[1].bytes, 50);
    EXPECT_EQ(flows[1].paths->at(0), (std::vector<uint32_t>{2, 6, 1}));
    EXPECT_EQ(m_map->m_updates, 1U);
}

TEST_F(PathBookTest, OnlyChangesAreSentToTheMachineWhereAStreamBegins)
{
    m_book.SetMap(m_map);
    Launch(1, {A, B}, {{0, 1, 100}, {1, 0, 100}});
    Launch(2, {B, C}, {{0, 1, 100}});
    SchedulerView view = Look();
    m_book.Pin(view, {{0, 1}, {0}});
    EXPECT_EQ(view.units[0].each.flows[0].path, 0U);
    EXPECT_EQ(view.units[0].each.flows[1].path, 1U); // the order sees the new paths
    const auto changes = m_book.TakeChanges();
    ASSERT_EQ(changes.size(), 1U);
    ASSERT_EQ(changes.at(B).size(), 1U);
    EXPECT_EQ(changes.at(B)[0].job, JobId{1});
    EXPECT_EQ(changes.at(B)[0].source, 1U);
    EXPECT_EQ(changes.at(B)[0].destination, 0U);
    EXPECT_EQ(changes.at(B)[0].label, 7U);
    EXPECT_EQ(GetWireBytes(PinPaths{changes.at(B)}), 16U + 4 + 16);
    EXPECT_TRUE(m_book.TakeChanges().empty());
    // It stays there until it is moved again.
    view = Look();
    EXPECT_EQ(view.units[0].each.flows[1].path, 1U);
    m_book.Pin(view, {{0, 1}, {0}});
    EXPECT_TRUE(m_book.TakeChanges().empty());
    m_book.Pin(view, {{0, 0}, {0}});
    EXPECT_EQ(m_book.TakeChanges().at(B)[0].label, 3U);
}

// Then it is pinned to whatever path is chosen, also to the first one.
TEST_F(PathBookTest, AStreamOnAPathThatIsNotListedIsPinned)
{
    m_map->m_isElsewhere = true;
    m_book.SetMap(m_map);
    Launch(1, {A, B}, {{0, 1, 100}});
    SchedulerView view = Look();
    m_book.Pin(view, {{0}});
    const auto changes = m_book.TakeChanges();
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(changes.at(A)[0].label, 3U);
    view = Look(); // it is there now
    m_book.Pin(view, {{0}});
    EXPECT_TRUE(m_book.TakeChanges().empty());
}

// A stream that has ended, and another one under its name, begins where its label leads.
TEST_F(PathBookTest, StreamsThatAreGoneAreForgotten)
{
    m_book.SetMap(m_map);
    Launch(1, {A, B}, {{0, 1, 100}});
    SchedulerView view = Look();
    m_book.Pin(view, {{1}});
    m_book.TakeChanges();
    const auto units = std::exchange(m_units, {});
    Look(); // the job is not in the view
    m_units = units;
    EXPECT_EQ(Look().units[0].each.flows[0].path, 0U);
}

} // namespace
