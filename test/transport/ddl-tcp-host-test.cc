// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport-fixture.h"

#include "ns3/ddl-dctcp-floor.h"
#include "ns3/tcp-recovery-ops.h"

namespace ns3
{
namespace ddl
{
namespace
{

class TcpHostTest : public TransportFixture
{
  protected:
    TcpHostTest()
    {
        m_options.congestionControl = DctcpFloor::GetTypeId();
        m_options.recovery = TcpClassicRecovery::GetTypeId();
        m_options.segmentSize = 1460;
        m_options.sendBuffer = 100000;
        m_options.receiveBuffer = 100000;
        m_options.initialCwnd = 10;
        m_options.delAckCount = 1;
        m_options.minRto = MilliSeconds(5);
        m_options.clockGranularity = MicroSeconds(100);
        m_options.connTimeout = MilliSeconds(10);
    }

    Ptr<TcpHost> MakeHost()
    {
        m_fabric = BuildTopology(SingleSwitch(2), {}, {});
        m_fabric->InstallStack();
        const HostId id{0};
        return Create<TcpHost>(m_fabric->GetHost(id),
                               m_fabric->GetHostPort(id),
                               m_fabric->GetAddress(id),
                               m_options);
    }

    TcpOptions m_options;
};

TEST_F(TcpHostTest, PortsComeRoundAgainAndOpenOnesAreLeftOut)
{
    const auto host = MakeHost();
    const uint32_t ports = 65536 - TcpHost::FIRST_SOURCE_PORT;
    uint16_t kept = 0;
    const auto open = host->CreateSocket(m_options, kept);
    EXPECT_EQ(kept, TcpHost::FIRST_SOURCE_PORT);
    std::vector<uint32_t> given(65536, 0);
    for (uint32_t i = 0; i < ports - 1 + 10; ++i) // once around, less the one that is open, and on
    {
        uint16_t port = 0;
        host->CreateSocket(m_options, port)->Release();
        ++given[port];
    }
    for (uint32_t port = 0; port < 65536; ++port)
    {
        const uint32_t turn = port - TcpHost::FIRST_SOURCE_PORT; // wraps for those below
        ASSERT_EQ(given[port], turn == 0 || turn >= ports ? 0U : turn <= 10 ? 2U : 1U) << port;
    }
    open->Release();
}

TEST_F(TcpHostTest, TheListeningPortIsTakenOnce)
{
    const auto host = MakeHost();
    EXPECT_DEATH(Create<TcpHost>(m_fabric->GetHost(HostId{0}),
                                 m_fabric->GetHostPort(HostId{0}),
                                 m_fabric->GetAddress(HostId{0}),
                                 m_options),
                 "TCP port 49151 of 10.0.0.1 is taken");
}

} // namespace
} // namespace ddl
} // namespace ns3
