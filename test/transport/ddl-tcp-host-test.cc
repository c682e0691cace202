// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport-fixture.h"

#include "ns3/ddl-dctcp-floor.h"
#include "ns3/ddl-tcp-host.h"
#include "ns3/tcp-recovery-ops.h"

#include <map>
#include <memory>
#include <set>

namespace ns3::ddl
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
        return MakeFirst();
    }

    /** \return the TCP of host 0 */
    Ptr<TcpHost> MakeFirst()
    {
        const HostId id{0};
        return CreateObject<TcpHost>(id,
                                     std::make_shared<StreamSettings>(),
                                     m_fabric->GetHost(id),
                                     m_options);
    }

    TcpOptions m_options;
};

TEST_F(TcpHostTest, PortsComeRoundAgainAndOpenOnesAreLeftOut)
{
    const auto host = MakeHost();
    // Label 7 has the ports 49152 + 7, 49152 + 7 + 1024, ... up to 65535: 16 of them.
    const uint32_t label = 7;
    uint16_t kept = 0;
    const auto open = host->CreateSocket(m_options, label, kept);
    EXPECT_EQ(kept, 49159);
    std::map<uint16_t, uint32_t> given;
    for (uint32_t i = 0; i < 15 + 10; ++i) // once around, less the one that is open, and on
    {
        uint16_t port = 0;
        host->CreateSocket(m_options, label + i * FlowKey::PATH_LABELS, port)->Release();
        EXPECT_EQ(port % FlowKey::PATH_LABELS, label);
        EXPECT_EQ(++given[port], i < 15 ? 1U : 2U) << port;
    }
    EXPECT_EQ(given.size(), 15U);
    EXPECT_EQ(given.count(kept), 0U);
    open->Release();
}

TEST_F(TcpHostTest, MoreStreamsThanPortsOfALabelTakeTheNextLabels)
{
    const auto host = MakeHost();
    std::vector<Ptr<StreamSocket>> open;
    std::set<uint16_t> ports;
    for (uint32_t i = 0; i < 16 + 3; ++i)
    {
        uint16_t port = 0;
        open.push_back(host->CreateSocket(m_options, FlowKey::PATH_LABELS - 1, port));
        EXPECT_TRUE(ports.insert(port).second) << port;
        EXPECT_EQ(port % FlowKey::PATH_LABELS, i < 16 ? FlowKey::PATH_LABELS - 1U : 0U);
    }
    for (const auto& socket : open)
    {
        socket->Release();
    }
}

TEST_F(TcpHostTest, TheListeningPortIsTakenOnce)
{
    const auto host = MakeHost();
    EXPECT_DEATH(MakeFirst(), "TCP port 49151 of 10.0.0.1 is taken");
}

} // namespace
} // namespace ns3::ddl
