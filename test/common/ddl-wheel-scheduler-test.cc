// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-event-times.h"

#include "ns3/ddl-wheel-scheduler.h"
#include "ns3/event-impl.h"
#include "ns3/map-scheduler.h"

#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <random>
#include <vector>

namespace ns3::ddl
{

namespace
{

constexpr uint64_t MAX_TIME = std::numeric_limits<uint64_t>::max();

/** An event that nobody runs. */
class IdleEvent final : public EventImpl
{
    void Notify() override
    {
    }
};

/** \return an event that nobody runs; its pointer differs from that of most others */
Scheduler::Event
MakeEvent(uint64_t timestamp, uint32_t uid)
{
    static std::vector<IdleEvent> pool(5003);
    Scheduler::Event event;
    event.impl = &pool[uid % pool.size()];
    event.key = {timestamp, uid, uid % 7};
    return event;
}

void
ExpectSame(const Scheduler::Event& wheel, const Scheduler::Event& map)
{
    ASSERT_EQ(wheel.key.m_ts, map.key.m_ts);
    ASSERT_EQ(wheel.key.m_uid, map.key.m_uid);
    ASSERT_EQ(wheel.key.m_context, map.key.m_context);
    ASSERT_EQ(wheel.impl, map.impl);
}

/** \return uids of events in the order in which the wheel removes them */
std::vector<uint32_t>
Drain(WheelScheduler& wheel)
{
    std::vector<uint32_t> uids;
    while (!wheel.IsEmpty())
    {
        uids.push_back(wheel.RemoveNext().key.m_uid);
    }
    return uids;
}

/** The wheel beside ns3::MapScheduler; each operation is done to both. */
class WheelAndMap
{
  public:
    WheelAndMap(EventTimes times, uint64_t seed, uint32_t firstUid)
        : m_times(times),
          m_random(seed),
          m_uid(firstUid)
    {
    }

    void Insert(uint64_t base)
    {
        const uint64_t delay = DrawDelay(m_times, m_random);
        const auto event = MakeEvent(base > MAX_TIME - delay ? MAX_TIME : base + delay, m_uid++);
        m_wheel->Insert(event);
        m_map->Insert(event);
        m_pending[event.key.m_uid] = event;
    }

    void RemoveAny()
    {
        auto which = m_pending.lower_bound(m_uid - m_random() % 3000);
        which = which == m_pending.end() ? m_pending.begin() : which;
        m_wheel->Remove(which->second);
        m_map->Remove(which->second);
        m_pending.erase(which);
    }

    void RemoveNext()
    {
        const auto event = m_wheel->RemoveNext();
        ExpectSame(event, m_map->RemoveNext());
        m_pending.erase(event.key.m_uid);
        m_now = event.key;
    }

    /** Grow, then shrink to nothing, \p rounds times. */
    void Run(int rounds, int events)
    {
        for (int step = 0; step < 2 * rounds * events && !testing::Test::HasFatalFailure(); ++step)
        {
            const bool grows = step / events % 2 == 0;
            const uint64_t dice = m_random() % 10;
            if (m_map->IsEmpty() || dice < (grows ? 6 : 3))
            {
                Insert(m_now.m_ts);
            }
            else if (dice == 9)
            {
                ExpectSame(m_wheel->PeekNext(), m_map->PeekNext());
                RemoveAny();
            }
            else
            {
                RemoveNext();
            }
            ASSERT_EQ(m_wheel->IsEmpty(), m_map->IsEmpty());
        }
        while (!m_map->IsEmpty() && !testing::Test::HasFatalFailure())
        {
            RemoveNext();
        }
        EXPECT_TRUE(m_wheel->IsEmpty());
    }

    /** Inserts events before those that were removed already, which no simulator does. */
    void RunBackAndForth(int steps)
    {
        for (int step = 0; step < steps && !testing::Test::HasFatalFailure(); ++step)
        {
            Insert(m_now.m_ts - m_now.m_ts % (1 + DrawDelay(m_times, m_random)));
            Insert(m_now.m_ts);
            ExpectSame(m_wheel->PeekNext(), m_map->PeekNext());
            RemoveNext();
        }
        while (!m_map->IsEmpty() && !testing::Test::HasFatalFailure())
        {
            RemoveNext();
        }
    }

  private:
    EventTimes m_times;
    std::mt19937_64 m_random;
    uint32_t m_uid;
    Scheduler::EventKey m_now{0, 0, 0}; //!< key of the last event that was removed
    Ptr<WheelScheduler> m_wheel{CreateObject<WheelScheduler>()};
    Ptr<MapScheduler> m_map{CreateObject<MapScheduler>()};
    std::map<uint32_t, Scheduler::Event> m_pending; //!< pending events by uid
};

class WheelSchedulerTest : public testing::TestWithParam<EventTimes>
{
};

TEST_P(WheelSchedulerTest, GivesUpEventsInTheOrderOfTheMap)
{
    for (uint64_t seed = 1; seed <= 5; ++seed)
    {
        SCOPED_TRACE(seed);
        WheelAndMap(GetParam(), seed, 4).Run(3, 4000);
    }
}

TEST_P(WheelSchedulerTest, KeepsTheOrderWhenUidsBeginAgainAtZero)
{
    WheelAndMap(GetParam(), 1, std::numeric_limits<uint32_t>::max() - 2000).Run(2, 4000);
}

TEST_P(WheelSchedulerTest, TakesEventsOfThePast)
{
    for (uint64_t seed = 1; seed <= 5; ++seed)
    {
        SCOPED_TRACE(seed);
        WheelAndMap(GetParam(), seed, 4).RunBackAndForth(3000);
    }
}

INSTANTIATE_TEST_SUITE_P(AllTimes,
                         WheelSchedulerTest,
                         testing::Values(EventTimes::PACKETS,
                                         EventTimes::RATES,
                                         EventTimes::PICOSECONDS,
                                         EventTimes::INSTANT,
                                         EventTimes::EDGES,
                                         EventTimes::POWERS,
                                         EventTimes::ONE_SLOT));

TEST(WheelSchedulerTest, AnEventInsertedAfterAPeekMayComeBeforeThePeekedOne)
{
    const auto wheel = CreateObject<WheelScheduler>();
    wheel->Insert(MakeEvent(uint64_t{1} << 62, 1));
    EXPECT_EQ(wheel->PeekNext().key.m_uid, 1u);
    wheel->Insert(MakeEvent(5000, 2));
    EXPECT_EQ(wheel->PeekNext().key.m_uid, 2u);
    wheel->Insert(MakeEvent(0, 3));
    EXPECT_EQ(Drain(*wheel), (std::vector<uint32_t>{3, 2, 1}));
}

TEST(WheelSchedulerTest, EqualTimesComeInTheOrderOfUids)
{
    const auto wheel = CreateObject<WheelScheduler>();
    for (const uint32_t uid : {7, 3, 9, 5}) // time 100 is in the lowest wheel
    {
        wheel->Insert(MakeEvent(100, uid));
    }
    for (const uint32_t uid : {8, 2, 6, 4}) // time 2^40 is not in it
    {
        wheel->Insert(MakeEvent(uint64_t{1} << 40, uid));
    }
    EXPECT_EQ(Drain(*wheel), (std::vector<uint32_t>{3, 5, 7, 9, 2, 4, 6, 8}));
}

TEST(WheelSchedulerTest, ReachesFromZeroToTheLastTimeStep)
{
    const auto wheel = CreateObject<WheelScheduler>();
    wheel->Insert(MakeEvent(MAX_TIME, 1));
    wheel->Insert(MakeEvent(0, 2));
    wheel->Insert(MakeEvent(MAX_TIME - 1, 3));
    wheel->Insert(MakeEvent(MAX_TIME / 2, 4));
    EXPECT_EQ(Drain(*wheel), (std::vector<uint32_t>{2, 4, 3, 1}));
    wheel->Insert(MakeEvent(MAX_TIME, 5)); // at the present instant
    wheel->Insert(MakeEvent(3, 6));        // and as far back as possible
    EXPECT_EQ(Drain(*wheel), (std::vector<uint32_t>{6, 5}));
}

TEST(WheelSchedulerTest, RemovesTheFirstTheLastAndTheOnlyEventOfASlot)
{
    for (const uint64_t time : {uint64_t{100}, uint64_t{1} << 40})
    {
        const auto wheel = CreateObject<WheelScheduler>();
        for (uint32_t uid = 1; uid <= 4; ++uid)
        {
            wheel->Insert(MakeEvent(time, uid));
        }
        wheel->Remove(MakeEvent(time, 1));
        wheel->Remove(MakeEvent(time, 4));
        wheel->Insert(MakeEvent(time, 5)); // behind the last event
        EXPECT_EQ(Drain(*wheel), (std::vector<uint32_t>{2, 3, 5}));
        wheel->Insert(MakeEvent(2 * time, 6));
        wheel->Remove(MakeEvent(2 * time, 6));
        EXPECT_TRUE(wheel->IsEmpty());
    }
}

TEST(WheelSchedulerTest, MemoryFollowsTheMostEventsAtOnce)
{
    const auto wheel = CreateObject<WheelScheduler>();
    std::mt19937_64 random(1);
    uint32_t uid = 1;
    for (; uid <= 1000; ++uid)
    {
        wheel->Insert(MakeEvent(DrawDelay(EventTimes::PACKETS, random), uid));
    }
    const auto capacity = wheel->GetCapacity();
    EXPECT_LE(capacity, 2048u);
    for (int cycle = 0; cycle < 5000000; ++cycle, ++uid)
    {
        const auto event = wheel->RemoveNext();
        const auto delay = DrawDelay(EventTimes::PACKETS, random);
        wheel->Insert(MakeEvent(event.key.m_ts + delay, uid));
        if (cycle % 10 == 0)
        {
            wheel->Remove(MakeEvent(event.key.m_ts + delay, uid));
            wheel->Insert(MakeEvent(event.key.m_ts, uid));
        }
    }
    EXPECT_EQ(wheel->GetCapacity(), capacity);
}

TEST(WheelSchedulerDeathTest, NothingCanBeTakenFromAnEmptyList)
{
    const auto wheel = CreateObject<WheelScheduler>();
    EXPECT_TRUE(wheel->IsEmpty());
    EXPECT_DEATH(wheel->PeekNext(), "empty event list");
    EXPECT_DEATH(wheel->RemoveNext(), "empty event list");
    EXPECT_DEATH(wheel->Remove(MakeEvent(1, 1)), "not pending");
    wheel->Insert(MakeEvent(1, 1));
    EXPECT_DEATH(wheel->Remove(MakeEvent(1, 2)), "not pending");
    EXPECT_DEATH(wheel->Remove(MakeEvent(1 << 20, 1)), "not pending");
}

} // namespace
} // namespace ns3::ddl
