// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-foreseen-event.h"
#include "ns3/ddl-wheel-scheduler.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Notes the steps in which it was foreseen until it ran. */
class NotedEvent final : public ForeseenEvent
{
  public:
    NotedEvent()
    {
        Register(typeid(NotedEvent));
    }

    void Foresee(unsigned step) const override
    {
        EXPECT_FALSE(m_ran);
        m_steps.push_back(step);
    }

    mutable std::vector<unsigned> m_steps;
    bool m_ran{false};

  private:
    void Notify() override
    {
        m_ran = true;
    }
};

class ForeseenEventTest : public ::testing::TestWithParam<uint64_t>
{
  protected:
    /** Runs \p count events at random times. \return the events, in order of time */
    std::vector<Ptr<NotedEvent>> Run(std::size_t count)
    {
        ObjectFactory wheel;
        wheel.SetTypeId(WheelScheduler::GetTypeId());
        Simulator::SetScheduler(wheel);
        std::mt19937_64 random(count);
        std::vector<uint64_t> times;
        for (std::size_t i = 0; i < count; ++i)
        {
            times.push_back(random() % GetParam());
        }
        std::sort(times.begin(), times.end());
        std::vector<Ptr<NotedEvent>> events;
        for (const uint64_t time : times)
        {
            events.push_back(Create<NotedEvent>());
            events.back()->Ref(); // the scheduler drops a reference when the event has run
            Simulator::ScheduleWithContext(0, TimeStep(time), PeekPointer(events.back()));
        }
        Simulator::Run();
        Simulator::Destroy();
        return events;
    }
};

/** Events of one turn of the lowest wheel, many of them at the same time or each at its own. */
TEST_P(ForeseenEventTest, AreForeseenStepByStepWhereManyArePending)
{
    const auto events = Run(3000);
    for (std::size_t i = 0; i < events.size(); ++i)
    {
        ASSERT_TRUE(events[i]->m_ran);
        if (i >= ForeseenEvent::STEPS && i < 2400)
        {
            ASSERT_EQ(events[i]->m_steps, (std::vector<unsigned>{0, 1, 2})) << i;
        }
    }
}

TEST_P(ForeseenEventTest, AreNotWhereFewArePending)
{
    for (const auto& event : Run(400))
    {
        EXPECT_TRUE(event->m_ran);
        EXPECT_TRUE(event->m_steps.empty());
    }
}

INSTANTIATE_TEST_SUITE_P(WithinSteps, ForeseenEventTest, testing::Values(1, 50, 4000));

} // namespace
