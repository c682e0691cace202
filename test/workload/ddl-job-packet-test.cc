// SPDX-License-Identifier: GPL-2.0-only
// Jobs on packets, against closed forms: what the busiest port must carry, headers counted.
#include "ns3/ddl-lone-job.h"
#include "ns3/ddl-tcp-transport.h"
#include "ns3/ddl-topology.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr double LINK_RATE = 10e9;       // bits per second of each link
constexpr double PAYLOAD = 1460;         // 1500 less 20 of IPv4 and 20 of TCP
constexpr double DATA_FRAME = 1500 + 38; // with preamble, Ethernet header, FCS, gap
constexpr double ACK_FRAME = 40 + 38;    // one for each data packet

class JobPacketTest : public testing::Test
{
  protected:
    ~JobPacketTest() override
    {
        m_transport->Dispose();
        Simulator::Destroy();
    }

    void Build(const TopologySpec& topology)
    {
        m_fabric = BuildTopology(topology, PortSpec(), HostSpec());
        m_transport = CreatePolicy<Transport>("tcp");
        m_transport->Install(m_fabric);
        m_cluster = CreateObject<Cluster>(m_fabric);
        for (uint32_t host = 0; host < m_fabric->GetHosts(); ++host)
        {
            m_cluster->AddMachine(HostId{host}, 2, GpuType{});
        }
    }

    static TopologySpec SingleSwitch(uint32_t hosts)
    {
        TopologySpec topology;
        topology.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
        topology.shape.Set("Hosts", UintegerValue(hosts));
        return topology;
    }

    /** Worker w on machine w, server s on machine W + s. */
    Ptr<LoneJob> Make(const std::string& pattern,
                      uint32_t workers,
                      uint32_t servers,
                      uint64_t bytes)
    {
        JobSpec spec;
        spec.id = JobId{1};
        spec.pattern.SetTypeId(FindPolicy(CommunicationPattern::GetTypeId(), pattern));
        spec.workers = workers;
        spec.servers = servers;
        spec.model.bytes = bytes;
        Placement placement;
        for (uint32_t host = 0; host < workers + servers; ++host)
        {
            if (host < workers)
            {
                placement.workers.push_back({HostId{host}, 0});
            }
            else
            {
                placement.servers.push_back(OnMachine(HostId{host}));
            }
        }
        return CreateObject<LoneJob>(spec, placement, m_cluster, m_transport);
    }

    /** \return seconds that an iteration takes, the mean over `iterations` */
    double Run(const Ptr<LoneJob>& job, uint32_t iterations)
    {
        Time end;
        job->TraceConnectWithoutContext("StageEnd",
                                        Callback<void, Ptr<const Job>, uint32_t>(
                                            [&end](Ptr<const Job> /* job */, uint32_t /* stage */) {
                                                end = Simulator::Now();
                                            }));
        job->TraceConnectWithoutContext("IterationEnd",
                                        MakeCallback(&JobPacketTest::IterationEnd, this));
        Simulator::ScheduleNow([job, iterations]() {
            job->Launch(Mark());
            job->StartStage(1, iterations);
        });
        Simulator::Run();
        return end.GetSeconds() / iterations;
    }

    void IterationEnd(const IterationRecord& record)
    {
        m_lastIteration = (record.end - record.start).GetSeconds();
    }

    /**
     * \param bytes of data that leave through a port
     * \param acknowledged bytes of data that come in meanwhile, which it acknowledges
     * \return seconds that it needs for them
     */
    static double PortSeconds(double bytes, double acknowledged)
    {
        return (bytes * DATA_FRAME + acknowledged * ACK_FRAME) / PAYLOAD * 8 / LINK_RATE;
    }

    void ExpectNoTrouble(const Ptr<LoneJob>& job)
    {
        const StreamCounters counters = m_transport->GetCounters();
        EXPECT_EQ(counters.timeouts, 0U);
        EXPECT_EQ(counters.retransmissions, 0U);
        for (const auto& stream : job->GetSending())
        {
            EXPECT_TRUE(stream->IsIdle());
        }
    }

    Ptr<Fabric> m_fabric;
    Ptr<Transport> m_transport;
    Ptr<Cluster> m_cluster;
    double m_lastIteration{0}; //!< seconds
};

} // namespace

TEST_F(JobPacketTest, RingAlone)
{
    // N = 4, M = 8 MB: each port sends 2 x 3/4 x 8 = 12 MB an iteration, and acknowledges as much.
    Build(SingleSwitch(4));
    const auto job = Make("ring", 4, 0, 8000000);
    const double expected = PortSeconds(12e6, 12e6);
    EXPECT_NEAR(Run(job, 2), expected, 0.02 * expected);
    ExpectNoTrouble(job);
}

TEST_F(JobPacketTest, RingAcrossALeafSpine)
{
    // The same over 2 leaves x 2 hosts: of the ring's 4 links 2 cross a spine, one each way. The
    // first iteration also opens the windows, so the second is looked at.
    TopologySpec topology;
    topology.shape.Set("Leaves", UintegerValue(2));
    topology.shape.Set("HostsPerLeaf", StringValue("2"));
    topology.shape.Set("Spines", UintegerValue(2));
    Build(topology);
    const auto job = Make("ring", 4, 0, 8000000);
    const double expected = PortSeconds(12e6, 12e6);
    Run(job, 2);
    EXPECT_NEAR(m_lastIteration, expected, 0.02 * expected);
    ExpectNoTrouble(job);
}

TEST_F(JobPacketTest, ParameterServersAlone)
{
    // 4 workers, 2 servers, M = 8 MB: a server's port takes 4 x 4 = 16 MB in, then sends 16 MB; the
    // acknowledgements go the other way, where nothing else does.
    Build(SingleSwitch(6));
    const auto job = Make("parameter-server", 4, 2, 8000000);
    const double expected = PortSeconds(16e6, 0) + PortSeconds(16e6, 0);
    EXPECT_NEAR(Run(job, 2), expected, 0.02 * expected);
    ExpectNoTrouble(job);
}

TEST_F(JobPacketTest, OnOneMachineNothingTouchesTheNetwork)
{
    // LocalStream: 63 MB at 126 Gbps take 4 ms, and 1 us to be delivered; push, then pull.
    Build(SingleSwitch(2));
    JobSpec spec = Make("parameter-server", 1, 1, 63000000)->GetSpec();
    const auto job = CreateObject<LoneJob>(spec,
                                           Placement{{GpuId{HostId{0}, 1}}, {OnMachine(HostId{0})}},
                                           m_cluster,
                                           m_transport);
    EXPECT_NEAR(Run(job, 5), 2 * 4.001e-3, 1e-8);
    EXPECT_EQ(m_fabric->GetHostPort(HostId{0})->GetCounters(1).packets, 0U);
    ASSERT_EQ(job->GetHostBytes().size(), 1U);
    EXPECT_EQ(job->GetHostBytes()[0].sent, 0U);
    EXPECT_EQ(job->GetBytes(), 5U * 126000000U);
}

TEST_F(JobPacketTest, BytesOnTheWireAreTheJobs)
{
    // What the NICs send of data is what the job gives to streams: 3 iterations of 2(N-1) M.
    Build(SingleSwitch(3));
    const auto job = Make("ring", 3, 0, 3000000);
    Run(job, 3);
    EXPECT_EQ(job->GetBytes(), 3U * 4U * 3000000U);
    uint64_t sent = 0;
    for (uint32_t host = 0; host < 3; ++host)
    {
        sent += m_fabric->GetHostPort(HostId{host})->GetCounters(1).bytes;
    }
    EXPECT_GT(sent, job->GetBytes());
    // headers: 1500 / 1460; acknowledgements: 40 bytes a packet, in the same band
    EXPECT_LT(static_cast<double>(sent), static_cast<double>(job->GetBytes()) * (1545.0 / 1460));
}
