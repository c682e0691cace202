// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport-fixture.h"

namespace ns3
{
namespace ddl
{
namespace
{

using TcpTransportTest = TransportFixture;

TEST_F(TcpTransportTest, OneMessageCrossesASwitch)
{
    Build(SingleSwitch(2));
    Time delivered;
    At(Seconds(1), [&] { Open(0, 1)->Send(1000000, Then([&] { delivered = Simulator::Now(); })); });
    Simulator::Run();
    EXPECT_GT(delivered, Seconds(1));
    EXPECT_EQ(m_transport->GetCounters().dataPackets, (1000000 + SEGMENT - 1) / SEGMENT);
    EXPECT_EQ(m_transport->GetCounters().timeouts, 0U);
}

} // namespace
} // namespace ddl
} // namespace ns3
