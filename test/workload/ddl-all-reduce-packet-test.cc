// SPDX-License-Identifier: GPL-2.0-only
// All-reduce alone, against the closed forms of Ada-SRSF Table I with gamma = 0: workers that are
// ready at one time, and workers that are not, from the last one on.
#include "ns3/ddl-lone-job.h"
#include "ns3/ddl-topology.h"
#include "ns3/ddl-transport.h"
#include "ns3/double.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr double RATE = 10e9;          // bits per second of each link
constexpr double LOCAL_RATE = 126e9;   // inside a machine
constexpr double STEP_LATENCY = 60e-6; // two links, and the first windows of a stream
constexpr uint64_t MODEL = 8000000;    // bytes

/** How a transport turns bytes into time. */
struct Framing
{
    std::string transport;
    double payload; //!< of a packet of 1500 bytes; 38 more are Ethernet's
    double answer;  //!< bytes of acknowledgement a data packet, with Ethernet's
};

const Framing RDMA = {"rdma", 1500 - 44, (52 + 38) / 4.0};
const Framing TCP = {"tcp", 1500 - 40, 40 + 38};
const Framing FLUID = {"fluid", 1500 - 40, 0};

class AllReducePacketTest : public testing::Test
{
  protected:
    ~AllReducePacketTest() override
    {
        End();
    }

    void End()
    {
        if (m_transport)
        {
            m_transport->Dispose();
            m_transport = nullptr;
            Simulator::Destroy();
        }
    }

    /** \return seconds that one iteration takes, worker w on a GPU of machine w / `perMachine` */
    double Run(const Framing& framing,
               const std::string& pattern,
               uint32_t workers,
               uint32_t perMachine = 1)
    {
        End();
        const uint32_t machines = (workers + perMachine - 1) / perMachine;
        const uint32_t hosts = machines + m_servers;
        TopologySpec topology;
        topology.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
        topology.shape.Set("Hosts", UintegerValue(hosts));
        m_fabric = BuildTopology(topology, PortSpec(), HostSpec());
        m_fabric->InstallStack();
        m_transport = CreatePolicy<Transport>(framing.transport);
        m_transport->Install(m_fabric);
        const auto cluster = CreateObject<Cluster>(m_fabric);
        JobSpec spec;
        spec.id = JobId{1};
        spec.pattern.SetTypeId(FindPolicy(CommunicationPattern::GetTypeId(), pattern));
        spec.workers = workers;
        spec.servers = m_servers;
        spec.model.bytes = m_bytes;
        spec.model.backward = m_compute;
        spec.noise = m_noise;
        Placement placement;
        for (uint32_t host = 0; host < hosts; ++host)
        {
            cluster->AddMachine(HostId{host}, perMachine, GpuType{});
        }
        for (uint32_t worker = 0; worker < workers; ++worker)
        {
            placement.workers.push_back({HostId{worker / perMachine}, worker % perMachine});
        }
        for (uint32_t server = 0; server < m_servers; ++server)
        {
            placement.servers.push_back(OnMachine(HostId{machines + server}));
        }
        m_job = CreateObject<LoneJob>(spec, placement, cluster, m_transport);
        m_seconds = 0;
        m_afterLast.clear();
        m_job->TraceConnectWithoutContext("IterationEnd",
                                          MakeCallback(&AllReducePacketTest::IterationEnd, this));
        Simulator::ScheduleNow([this]() {
            m_job->Launch(Mark());
            m_job->StartStage(1, m_iterations);
        });
        Simulator::Run();
        return m_seconds;
    }

    void IterationEnd(const IterationRecord& record)
    {
        m_seconds = (record.end - record.start).GetSeconds();
        m_afterLast.push_back((record.end - record.computeEnd).GetSeconds());
    }

    /** \return seconds on the wire for that many times M, and with acknowledgements beside it */
    std::pair<double, double> GetForm(const Framing& framing, double models) const
    {
        const double packets = models * static_cast<double>(m_bytes) / framing.payload;
        return {packets * 1538 * 8 / RATE, packets * (1538 + framing.answer) * 8 / RATE};
    }

    /**
     * Eight workers that compute for 1 to 3 ms, or with stragglers up to four times as long, and
     * 5 MB: from the last worker on, an iteration takes the closed form.
     *
     * \param models M through the busiest port
     * \param least likewise, if the last worker may find work done; 0: no less than `models`
     */
    void ExpectAfterLast(const Framing& framing,
                         const std::string& pattern,
                         double models,
                         double least = 0,
                         const std::vector<bool>& stragglers = {false, true})
    {
        for (const bool hasStraggler : stragglers)
        {
            SCOPED_TRACE(pattern + " on " + framing.transport +
                         (hasStraggler ? ", with stragglers" : ""));
            m_bytes = 5000000;
            m_compute = MilliSeconds(2);
            m_iterations = 3;
            m_servers = pattern == "parameter-server" ? 8 : 0;
            m_noise = ComputeNoise();
            m_noise.jitter.SetTypeId("ns3::UniformRandomVariable");
            m_noise.jitter.Set("Min", DoubleValue(0.5));
            m_noise.jitter.Set("Max", DoubleValue(1.5));
            if (hasStraggler)
            {
                m_noise.straggler.SetTypeId("ns3::UniformRandomVariable");
                m_noise.straggler.Set("Min", DoubleValue(1));
                m_noise.straggler.Set("Max", DoubleValue(4));
            }
            Run(framing, pattern, 8);
            ASSERT_EQ(m_afterLast.size(), m_iterations);
            const double from = GetForm(framing, least > 0 ? least : models).first;
            const double to = GetForm(framing, models).second;
            for (const double seconds : m_afterLast)
            {
                EXPECT_GT(seconds, from * 0.95);
                EXPECT_LT(seconds, to * 1.05);
            }
        }
    }

    /**
     * \param models how many times M the busiest port carries, one step after another
     * \param steps how many
     */
    void Expect(const Framing& framing,
                const std::string& pattern,
                uint32_t workers,
                double models,
                double steps,
                uint32_t perMachine = 1,
                double localSeconds = 0)
    {
        SCOPED_TRACE(pattern + " on " + framing.transport + ", N = " + std::to_string(workers));
        const double seconds = Run(framing, pattern, workers, perMachine);
        const double packets = models * MODEL / framing.payload;
        const double line = packets * 1538 * 8 / RATE + localSeconds;
        const double answered = packets * (1538 + framing.answer) * 8 / RATE + localSeconds;
        EXPECT_GT(seconds, line * 0.999);
        EXPECT_LT(seconds, answered * 1.02 + steps * STEP_LATENCY);
        EXPECT_EQ(m_transport->GetCounters().retransmissions, 0U);
    }

    Ptr<Fabric> m_fabric;
    Ptr<Transport> m_transport;
    Ptr<LoneJob> m_job;
    double m_seconds{0};             //!< of the last iteration
    std::vector<double> m_afterLast; //!< of each, from the moment when its last worker had computed

    uint64_t m_bytes{MODEL};
    Time m_compute;
    ComputeNoise m_noise;
    uint32_t m_iterations{1};
    uint32_t m_servers{0};
};

} // namespace

TEST_F(AllReducePacketTest, PowersOfTwo)
{
    // Table I, beta terms: 2 log N, log N, 2 (N - 1)/N, 2 (N - 1)/N
    for (const uint32_t n : {2, 4, 8})
    {
        const double log = n == 2 ? 1 : n == 4 ? 2 : 3;
        Expect(RDMA, "binary-tree", n, 2 * log, 2 * log);
        Expect(RDMA, "recursive-doubling", n, log, log);
        Expect(RDMA, "halving-doubling", n, 2.0 * (n - 1) / n, 2 * log);
        Expect(RDMA, "ring", n, 2.0 * (n - 1) / n, 2 * (n - 1));
    }
}

TEST_F(AllReducePacketTest, AnyNumber)
{
    // ceil(log2 N) for the tree; one step of M before and one after for the others
    Expect(RDMA, "binary-tree", 3, 4, 4);
    Expect(RDMA, "binary-tree", 6, 6, 6);
    Expect(RDMA, "recursive-doubling", 3, 1 + 2, 3);
    Expect(RDMA, "recursive-doubling", 6, 2 + 2, 4);
    Expect(RDMA, "halving-doubling", 3, 2 * 0.5 + 2, 4);
    Expect(RDMA, "halving-doubling", 6, 2 * 0.75 + 2, 6);
    Expect(RDMA, "halving-doubling", 7, 2 * 0.75 + 2, 6);
}

TEST_F(AllReducePacketTest, HierarchicalIsARingOfMachines)
{
    // 3 machines of 4: 2 x M / 126 Gbps inside, 2 x 2/3 M between
    Expect(RDMA, "hierarchical", 12, 4.0 / 3, 4, 4, 2 * (MODEL * 8 / LOCAL_RATE + 1e-6));
    uint64_t sent = 0;
    for (const HostBytes& host : m_job->GetHostBytes())
    {
        sent += host.sent;
    }
    EXPECT_EQ(sent, 4U * MODEL); // 2 (L - 1) M
}

TEST_F(AllReducePacketTest, FromTheLastWorkerOnItTakesTheClosedForm)
{
    for (const Framing& framing : {FLUID, RDMA})
    {
        // Steps are rendezvous: a late worker sends one after the other.
        ExpectAfterLast(framing, "halving-doubling", 2 * 7.0 / 8);
        ExpectAfterLast(framing, "recursive-doubling", 3);
        ExpectAfterLast(framing, "ring", 2 * 7.0 / 8);
        ExpectAfterLast(framing, "hierarchical", 2 * 7.0 / 8);
        // Up to 3 steps up, of which a worker near the root skips some when it is late, and 3 down.
        ExpectAfterLast(framing, "binary-tree", 6, 3);
        // A push of M into servers that may still be busy with the others', a pull of M.
        ExpectAfterLast(framing, "parameter-server", 2, 2);
    }
}

TEST_F(AllReducePacketTest, FromTheLastWorkerOnOverTcpToo)
{
    ExpectAfterLast(TCP, "halving-doubling", 2 * 7.0 / 8, 0, {false});
}

TEST_F(AllReducePacketTest, OverTcpToo)
{
    Expect(TCP, "halving-doubling", 4, 1.5, 4);
}

TEST_F(AllReducePacketTest, OnOneMachineNothingTouchesTheNetwork)
{
    for (const std::string& pattern : ListPolicies(CommunicationPattern::GetTypeId()))
    {
        if (!CreatePolicy<CommunicationPattern>(pattern)->Refuse({4, 0, MODEL}).empty())
        {
            continue; // parameter-server
        }
        SCOPED_TRACE(pattern);
        EXPECT_GT(Run(RDMA, pattern, 4, 4), MODEL * 8 / LOCAL_RATE);
        for (uint32_t queue = 0; queue < 8; ++queue)
        {
            EXPECT_EQ(m_fabric->GetHostPort(HostId{0})->GetCounters(queue).packets, 0U);
        }
        EXPECT_EQ(m_job->GetHostBytes()[0].sent, 0U);
        EXPECT_EQ(m_job->GetBytes(), m_job->GetIterationBytes());
    }
}
