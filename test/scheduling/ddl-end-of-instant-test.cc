// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-end-of-instant.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class EndOfInstantTest : public testing::Test
{
  public:
    void TearDown() override
    {
        Simulator::Destroy();
    }

    /** Note a name, and so many more at the same instant, each brought about by the one before. */
    void Note(const std::string& name, uint32_t more)
    {
        m_noted.push_back(name + std::to_string(more));
        if (more > 0)
        {
            Simulator::ScheduleNow(&EndOfInstantTest::Note, this, name, more - 1);
        }
    }

    void Ask(const std::string& name)
    {
        m_end.Add([this, name] {
            m_noted.push_back(name + " at " + std::to_string(Simulator::Now().GetSeconds()));
        });
    }

    std::vector<std::string> m_noted;
    EndOfInstant m_end;
};

TEST_F(EndOfInstantTest, ComesBehindAllThatTheInstantBringsAbout)
{
    Simulator::Schedule(Seconds(1), &EndOfInstantTest::Ask, this, "first");
    Simulator::Schedule(Seconds(1), &EndOfInstantTest::Note, this, "a", 3);
    Simulator::Schedule(Seconds(1), &EndOfInstantTest::Note, this, "b", 0);
    Simulator::Schedule(Seconds(1), &EndOfInstantTest::Ask, this, "second");
    Simulator::Schedule(Seconds(1) + NanoSeconds(1), &EndOfInstantTest::Note, this, "later", 0);
    Simulator::Run();
    EXPECT_EQ(m_noted,
              (std::vector<std::string>{"a3",
                                        "b0",
                                        "a2",
                                        "a1",
                                        "a0",
                                        "first at 1.000000",
                                        "second at 1.000000",
                                        "later0"}));
}

TEST_F(EndOfInstantTest, WhatTheEndBringsAboutHasAnEndOfItsOwn)
{
    m_end.Add([this] {
        Note("x", 1);
        Ask("again");
    });
    Simulator::Run();
    EXPECT_EQ(m_noted, (std::vector<std::string>{"x1", "x0", "again at 0.000000"}));
}

TEST_F(EndOfInstantTest, NothingComesAfterCancel)
{
    Ask("never");
    m_end.Cancel();
    Simulator::Run();
    EXPECT_TRUE(m_noted.empty());
}

} // namespace
