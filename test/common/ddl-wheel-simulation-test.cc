// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-event-times.h"
#include "ddl-process-state.h"

#include "ns3/ddl-wheel-scheduler.h"
#include "ns3/global-value.h"
#include "ns3/map-scheduler.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace ns3::ddl
{

namespace
{

void
SetScheduler(TypeId type)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    Simulator::SetScheduler(factory);
}

/** An event in the log of a run: what ran, and when. */
struct Step
{
    int64_t time;
    uint32_t number;
    uint32_t context;

    bool operator==(const Step& other) const
    {
        return time == other.time && number == other.number && context == other.context;
    }
};

/**
 * Events that schedule, cancel and remove others at random. The draws depend on the order of the
 * events, so that the logs of two schedulers differ from the first event on in which they differ.
 */
class Agenda
{
  public:
    Agenda(EventTimes times, uint64_t seed)
        : m_times(times),
          m_random(seed)
    {
    }

    /**
     * \param schedulers types of the schedulers, used in turn for 1000 events each
     * \return log of all events that ran
     */
    std::vector<Step> Run(const std::vector<TypeId>& schedulers)
    {
        m_schedulers = schedulers;
        SetScheduler(schedulers.front());
        for (int event = 0; event < 300; ++event)
        {
            Plan();
        }
        Simulator::Run();
        EXPECT_TRUE(Simulator::IsFinished());
        Simulator::Destroy();
        return m_log;
    }

  private:
    static constexpr std::size_t LENGTH = 10000; //!< events after which no new ones come

    void Plan()
    {
        // ns-3's times end at 2^63
        const auto left = uint64_t{1} << 62;
        const auto delay = static_cast<int64_t>(DrawDelay(m_times, m_random));
        const bool fits = static_cast<uint64_t>(Simulator::Now().GetTimeStep()) < left;
        const Time due = TimeStep(fits ? delay : delay % 2);
        if (m_random() % 3 == 0)
        {
            Simulator::ScheduleWithContext(m_number % 5, due, &Agenda::Happen, this, m_number);
        }
        else
        {
            m_ids.push_back(Simulator::Schedule(due, &Agenda::Happen, this, m_number));
        }
        ++m_number;
    }

    void Happen(uint32_t number)
    {
        m_log.push_back({Simulator::Now().GetTimeStep(), number, Simulator::GetContext()});
        if (m_log.size() % 1000 == 0)
        {
            SetScheduler(m_schedulers[m_log.size() / 1000 % m_schedulers.size()]);
        }
        if (m_log.size() < LENGTH)
        {
            for (auto more = 1 + m_random() % 2; more > 0; --more)
            {
                Plan();
            }
        }
        if (m_random() % 2)
        {
            Drop();
        }
    }

    /** Cancel or remove some event, which may have run already. */
    void Drop()
    {
        const std::size_t first = m_ids.size() < 1000 ? 0 : m_ids.size() - 1000;
        const EventId id = m_ids[first + m_random() % (m_ids.size() - first)];
        if (m_random() % 2)
        {
            Simulator::Cancel(id);
        }
        else
        {
            Simulator::Remove(id);
        }
    }

    EventTimes m_times;
    std::mt19937_64 m_random;
    std::vector<TypeId> m_schedulers;
    std::vector<EventId> m_ids;
    std::vector<Step> m_log;
    uint32_t m_number{0};
};

class WheelSimulationTest : public testing::TestWithParam<EventTimes>
{
};

TEST_P(WheelSimulationTest, RunsTheSameEventsAsTheMap)
{
    for (uint64_t seed = 1; seed <= 3; ++seed)
    {
        const auto map = Agenda(GetParam(), seed).Run({MapScheduler::GetTypeId()});
        const auto wheel = Agenda(GetParam(), seed).Run({WheelScheduler::GetTypeId()});
        EXPECT_GE(map.size(), 10000u);
        EXPECT_TRUE(map == wheel) << "seed " << seed;
    }
}

TEST_P(WheelSimulationTest, TakesOverFromTheMapAndBackInMidRun)
{
    const auto map = Agenda(GetParam(), 1).Run({MapScheduler::GetTypeId()});
    const auto both =
        Agenda(GetParam(), 1).Run({MapScheduler::GetTypeId(), WheelScheduler::GetTypeId()});
    EXPECT_TRUE(map == both);
}

INSTANTIATE_TEST_SUITE_P(AllTimes,
                         WheelSimulationTest,
                         testing::Values(EventTimes::PACKETS,
                                         EventTimes::RATES,
                                         EventTimes::PICOSECONDS,
                                         EventTimes::INSTANT,
                                         EventTimes::EDGES,
                                         EventTimes::POWERS,
                                         EventTimes::ONE_SLOT));

/** Ends the process: with status 0 if both schedulers run the same in this resolution. */
void
RunInResolution(Time::Unit unit)
{
    Time::SetResolution(unit);
    const auto map = Agenda(EventTimes::PACKETS, 1).Run({MapScheduler::GetTypeId()});
    const auto wheel = Agenda(EventTimes::PACKETS, 1).Run({WheelScheduler::GetTypeId()});
    std::exit(map.size() >= 10000 && map == wheel ? 0 : 1);
}

TEST(WheelSimulationDeathTest, RunsTheSameInEveryResolution)
{
    // The resolution can be set once, and in a process that has not simulated.
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    for (const auto unit : {Time::S, Time::US, Time::PS, Time::FS})
    {
        EXPECT_EXIT(RunInResolution(unit), testing::ExitedWithCode(0), "") << unit;
    }
}

TEST(WheelSimulationTest, CancelledTimersPassInSilenceAndNothingIsLeft)
{
    SetScheduler(WheelScheduler::GetTypeId());
    const auto token = std::make_shared<int>(0);
    for (int timer = 0; timer < 200000; ++timer)
    {
        Simulator::Cancel(
            Simulator::Schedule(MilliSeconds(5) + NanoSeconds(timer), [token] { ++*token; }));
    }
    Simulator::Schedule(Seconds(1), [token] { *token += 1000000; });
    Simulator::Run();
    EXPECT_EQ(*token, 1000000); // time of the event that was not cancelled
    EXPECT_EQ(Simulator::GetEventCount(), 200001u);
    EXPECT_EQ(token.use_count(), 1);
    Simulator::Destroy();
}

TEST(WheelSimulationTest, DestroyFreesPendingEvents)
{
    SetScheduler(WheelScheduler::GetTypeId());
    const auto token = std::make_shared<int>(0);
    for (int event = 0; event < 1000; ++event)
    {
        Simulator::Schedule(NanoSeconds(int64_t{event} * event * event), [token] { ++*token; });
    }
    Simulator::Stop(NanoSeconds(1000));
    Simulator::Run();
    EXPECT_EQ(*token, 11); // 0^3 to 10^3: the events of 1000 ns were there before the stop
    EXPECT_EQ(token.use_count(), 1 + 1000 - 11);
    Simulator::Destroy();
    EXPECT_EQ(token.use_count(), 1);
}

/** \return ns-3's choice of scheduler for the next simulator */
std::string
GetSchedulerType()
{
    StringValue type;
    GlobalValue::GetValueByName("SchedulerType", type);
    return type.Get();
}

TEST(WheelSimulationTest, IsTheDefaultUnlessTheEnvironmentNamesAnother)
{
    const ProcessStateGuard guard;
    const std::string before = GetSchedulerType();
    setenv("NS_GLOBAL_VALUE", "RngRun=3;SchedulerType=ns3::ListScheduler", 1);
    WheelScheduler::MakeDefault();
    EXPECT_EQ(GetSchedulerType(), before);
    setenv("NS_GLOBAL_VALUE", "RngRun=3", 1);
    WheelScheduler::MakeDefault();
    EXPECT_EQ(GetSchedulerType(), "ns3::ddl::WheelScheduler");
}

} // namespace
} // namespace ns3::ddl
