// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-control-plane.h"
#include "ns3/ddl-rdma-transport.h"
#include "ns3/ddl-tcp-transport.h"
#include "ns3/ddl-topology.h"
#include "ns3/ddl-transport.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

TEST(ControlMessage, HasTheSizeOfItsFields)
{
    // header 16, a field 4, a list's length 4
    EXPECT_EQ(GetWireBytes(StartStage{{1}, 2, 3}), 16u + 3 * 4);
    EXPECT_EQ(GetWireBytes(StopJob{{1}}), 16u + 4);
    EXPECT_EQ(GetWireBytes(StageDone{{1}, 2}), 16u + 2 * 4);
    EXPECT_EQ(GetWireBytes(JobStopped{{1}, 1, 5, {}}), 16u + 3 * 4);
    EXPECT_EQ(GetWireBytes(JobStopped{{1}, 1, 5, {{0, {}}, {3, {}}}}), 16u + 5 * 4);
    EXPECT_EQ(GetWireBytes(RunLaunched{{1}, 1}), 16u + 2 * 4);
    EXPECT_EQ(GetWireBytes(WorkersReport{{1}, 1, WorkersPoint::READY, 5}), 16u + 4 * 4);
    EXPECT_EQ(GetWireBytes(WorkersReport{{1}, 1, WorkersPoint::READY, 5'000'000'000}), 16u + 5 * 4);
    EXPECT_EQ(GetWireBytes(ProgressRequest{1}), 16u + 4);
    EXPECT_EQ(GetWireBytes(ProgressReport{1, {{{1}, 1, 5}, {{2}, 1, 6}}}), 16u + 4 + 4 + 2 * 12);
    EXPECT_EQ(GetWireBytes(Priorities{{{{1}, 1, {0}, 1}}}), 16u + 4 + 16);
    EXPECT_EQ(GetWireBytes(Priorities{}), 16u + 4);
    EXPECT_EQ(GetWireBytes(CoflowStarted{{1}, 2}), 16u + 2 * 4);
    EXPECT_EQ(GetWireBytes(CoflowEnded{{1}, 2}), 16u + 2 * 4);
    EXPECT_EQ(GetWireBytes(CoflowEnded{{1}, 2, 0}), 16u + 3 * 4); // of a task
    EXPECT_EQ(GetWireBytes(GateRequest{{1}, 2, 9}), 16u + 4 * 4);
    EXPECT_EQ(GetWireBytes(GateRequest{{1}, 2, 9, 0}), 16u + 5 * 4);
    EXPECT_EQ(GetWireBytes(GateGrant{{1}, 2}), 16u + 2 * 4);
    EXPECT_EQ(GetWireBytes(GateGrant{{1}, 2, 0}), 16u + 3 * 4);
    EXPECT_EQ(GetWireBytes(BytesRequest{1}), 16u + 4);
    EXPECT_EQ(GetWireBytes(BytesReport{1, {{{1}, 1, 5, 6}, {{2}, 1, 7, 8}}}), 16u + 4 + 4 + 2 * 24);
}

/** Writes down who got what when; both kinds of plane have to pass. */
class ControlPlaneTest : public testing::TestWithParam<std::string>
{
  public:
    void SendAll()
    {
        for (uint32_t stage = 1; stage <= 3; ++stage)
        {
            m_plane->ToAgent(OTHER, StartStage{{7}, stage, 1});
        }
        m_plane->ToAgent(COORDINATOR, StartStage{{8}, 9, 1});
        m_plane->ToCoordinator(OTHER, StageDone{{7}, 4});
        EXPECT_TRUE(m_heard.empty()) << "handed over before the call returned";
    }

  protected:
    static constexpr HostId COORDINATOR{1};
    static constexpr HostId OTHER{0};

    void SetUp() override
    {
        TopologySpec topology;
        topology.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
        topology.shape.Set("Hosts", UintegerValue(2));
        m_fabric = BuildTopology(topology, PortSpec(), HostSpec());
        m_transport = CreateObject<TcpTransport>();
        m_transport->Install(m_fabric);
        m_plane = CreatePolicy<ControlPlane>(GetParam());
        m_plane->Install(m_transport, COORDINATOR);
        for (const HostId host : {OTHER, COORDINATOR})
        {
            m_plane->SetAgentHandler(host, [this, host](const ControlMessage& message) {
                Note("agent " + std::to_string(host.value), message);
            });
        }
        m_plane->SetCoordinatorHandler([this](HostId host, const ControlMessage& message) {
            Note("coordinator from " + std::to_string(host.value), message);
        });
    }

    void TearDown() override
    {
        m_plane->Dispose();
        m_transport->Dispose();
        m_fabric->Dispose();
        Simulator::Destroy();
    }

    void Note(const std::string& who, const ControlMessage& message)
    {
        const auto* start = std::get_if<StartStage>(&message);
        const auto* done = std::get_if<StageDone>(&message);
        m_heard.push_back(who + (start ? ": start " + std::to_string(start->stage)
                                       : ": done " + std::to_string(done->stage)));
        m_last = Simulator::Now();
    }

    std::vector<std::string> HeardBy(const std::string& who) const
    {
        std::vector<std::string> heard;
        for (const auto& line : m_heard)
        {
            if (line.compare(0, who.size(), who) == 0)
            {
                heard.push_back(line.substr(who.size()));
            }
        }
        return heard;
    }

    Ptr<Fabric> m_fabric;
    Ptr<Transport> m_transport;
    Ptr<ControlPlane> m_plane;
    std::vector<std::string> m_heard;
    Time m_last;
};

TEST_P(ControlPlaneTest, HandsOverEveryMessageInOrder)
{
    Simulator::Schedule(Seconds(1), &ControlPlaneTest::SendAll, this);
    Simulator::Run();
    using Lines = std::vector<std::string>;
    EXPECT_EQ(HeardBy("agent 0"), (Lines{": start 1", ": start 2", ": start 3"}));
    EXPECT_EQ(HeardBy("agent 1"), (Lines{": start 9"}));
    EXPECT_EQ(HeardBy("coordinator from 0"), (Lines{": done 4"}));
    EXPECT_EQ(m_plane->GetMessages(), 5u);
    if (GetParam() == "direct")
    {
        EXPECT_EQ(m_plane->GetBytes(), 0u);
        EXPECT_EQ(m_last, Seconds(1));
    }
    else
    {
        EXPECT_EQ(m_plane->GetBytes(), 4u * 28 + 24);
        EXPECT_GT(m_last, Seconds(1) + MicroSeconds(2)); // two links of 1 us
    }
}

TEST_P(ControlPlaneTest, MachinesWriteToEachOther)
{
    Simulator::Schedule(Seconds(1), [this] {
        m_plane->Join(OTHER, COORDINATOR);
        m_plane->Join(OTHER, COORDINATOR); // two jobs use the path
        m_plane->ToPeer(OTHER, COORDINATOR, StageDone{{7}, 1});
        m_plane->ToCoordinator(OTHER, StageDone{{7}, 2});
    });
    Simulator::Schedule(Seconds(2), [this] {
        m_plane->Leave(OTHER, COORDINATOR);
        m_plane->ToPeer(OTHER, COORDINATOR, StageDone{{7}, 3});
    });
    Simulator::Run();
    using Lines = std::vector<std::string>;
    EXPECT_EQ(HeardBy("agent 1"), (Lines{": done 1", ": done 3"}));
    EXPECT_EQ(HeardBy("coordinator from 0"), (Lines{": done 2"}));
}

TEST_P(ControlPlaneTest, APathThatEverybodyHasLeftIsGoneWithWhatIsOnIt)
{
    const auto open = std::make_shared<uint32_t>(0);
    Simulator::Schedule(Seconds(1), [this] {
        m_plane->Join(OTHER, COORDINATOR);
        m_plane->ToPeer(OTHER, COORDINATOR, StageDone{{7}, 1});
        m_plane->Leave(OTHER, COORDINATOR);
        m_plane->Join(OTHER, COORDINATOR);
        m_plane->ToPeer(OTHER, COORDINATOR, StageDone{{7}, 2});
    });
    Simulator::Schedule(Seconds(2), [this, open] {
        EXPECT_EQ(m_transport->GetSendingCount(), m_transport->GetReceivingCount());
        *open = m_transport->GetSendingCount();
        m_plane->Leave(OTHER, COORDINATOR);
    });
    Simulator::Run();
    using Lines = std::vector<std::string>;
    EXPECT_EQ(HeardBy("agent 1"), (Lines{": done 2"}));
    EXPECT_EQ(*open, GetParam() == "direct" ? 0U : 1U);
    EXPECT_EQ(m_transport->GetSendingCount(), 0U);
    EXPECT_EQ(m_transport->GetReceivingCount(), 0U);
}

TEST_P(ControlPlaneTest, AFailureLosesWhatIsInTransitAndNothingElse)
{
    Simulator::Schedule(Seconds(1), [this] {
        m_plane->ToAgent(OTHER, StartStage{{7}, 1, 1});
        m_plane->ToCoordinator(OTHER, StageDone{{7}, 1});
        m_plane->ToAgent(COORDINATOR, StartStage{{7}, 4, 1});
        m_plane->SetUp(OTHER, false);
        m_plane->ToAgent(OTHER, StartStage{{7}, 2, 1});
        m_plane->ToCoordinator(OTHER, StageDone{{7}, 2});
        m_plane->SetUp(OTHER, true);
        m_plane->ToAgent(OTHER, StartStage{{7}, 3, 1});
        m_plane->ToCoordinator(OTHER, StageDone{{7}, 3});
    });
    Simulator::Run();
    using Lines = std::vector<std::string>;
    EXPECT_EQ(HeardBy("agent 0"), (Lines{": start 3"}));
    EXPECT_EQ(HeardBy("agent 1"), (Lines{": start 4"}));
    EXPECT_EQ(HeardBy("coordinator from 0"), (Lines{": done 3"}));
}

TEST_P(ControlPlaneTest, UsesQueueZeroOnly)
{
    Simulator::Schedule(Seconds(1), &ControlPlaneTest::SendAll, this);
    Simulator::Run();
    for (const auto& port : m_fabric->GetPorts())
    {
        for (uint32_t queue = 0; queue < port.device->GetQueues(); ++queue)
        {
            const bool used = GetParam() != "direct" && queue == CONTROL_QUEUE;
            EXPECT_EQ(port.device->GetCounters(queue).packets > 0, used)
                << port.node << " queue " << queue;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         ControlPlaneTest,
                         testing::ValuesIn(ListPolicies(ControlPlane::GetTypeId())),
                         [](const testing::TestParamInfo<std::string>& info) {
                             return info.param == "in-band" ? "in_band" : info.param;
                         });

TEST(ControlPlane, OffersThePublishedNames)
{
    EXPECT_EQ(ListPolicies(ControlPlane::GetTypeId()),
              (std::vector<std::string>{"direct", "in-band"}));
}

} // namespace

/** A path closes when its message has left the machine, and opens again for another message. */
TEST(InBandControlPlane, AMessageUnderWayIsNeverTakenForThatOfTheNextOpening)
{
    uint32_t lost = 0;
    for (uint32_t gap = 0; gap < 40; ++gap)
    {
        TopologySpec topology;
        topology.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
        topology.shape.Set("Hosts", UintegerValue(2));
        const auto fabric = BuildTopology(topology, PortSpec(), HostSpec());
        const auto transport = CreateObject<RdmaTransport>();
        transport->Install(fabric);
        const auto plane = CreatePolicy<ControlPlane>("in-band");
        plane->Install(transport, HostId{1});
        std::vector<uint32_t> heard;
        plane->SetAgentHandler(HostId{1}, [&heard](const ControlMessage& message) {
            heard.push_back(std::get<StageDone>(message).stage);
        });
        Simulator::Schedule(Seconds(1), [plane] {
            plane->Join(HostId{0}, HostId{1});
            plane->ToPeer(HostId{0}, HostId{1}, StageDone{{7}, 1});
        });
        Simulator::Schedule(Seconds(1) + NanoSeconds(100 * gap), [plane] {
            plane->Leave(HostId{0}, HostId{1});
            plane->Join(HostId{0}, HostId{1});
            plane->ToPeer(HostId{0}, HostId{1}, StageDone{{7}, 2});
        });
        Simulator::Stop(Seconds(2));
        Simulator::Run();
        ASSERT_FALSE(heard.empty()) << gap;
        EXPECT_EQ(heard.back(), 2U) << gap;
        EXPECT_LE(heard.size(), 2U) << gap;
        lost += heard.size() == 1;
        plane->Dispose();
        transport->Dispose();
        fabric->Dispose();
        Simulator::Destroy();
    }
    EXPECT_GT(lost, 0U);
    EXPECT_LT(lost, 40U);
}
