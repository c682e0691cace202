// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-bench-fabric.h"

#include "ns3/ddl-cluster.h"
#include "ns3/ddl-lone-job.h"
#include "ns3/ddl-ring-communication-pattern.h"
#include "ns3/ddl-topology.h"
#include "ns3/ddl-transport.h"
#include "ns3/simulator.h"

namespace ns3::ddl
{

namespace
{

constexpr uint32_t DATA_PRIORITIES = 7; //!< number of data queues, which remarks use in turn

Ptr<Fabric>
BuildFabric(const BenchWork& work)
{
    TopologySpec topology;
    topology.shape.Set("Leaves", UintegerValue(work.leaves));
    topology.shape.Set("HostsPerLeaf", StringValue(std::to_string(work.hostsPerLeaf)));
    topology.shape.Set("Spines", UintegerValue(work.spines));
    topology.shape.Set("FabricRate", DataRateValue(work.rate));
    topology.hostRate = work.rate;
    topology.delay = work.delay;
    topology.mtu = work.mtu;
    topology.framingBytes = BENCH_FRAMING;
    PortSpec ports;
    ports.limit = BENCH_LIMIT;
    ports.ecnThreshold = BENCH_ECN_THRESHOLD;
    HostSpec hosts;
    hosts.ecnThreshold = BENCH_ECN_THRESHOLD;
    return BuildTopology(topology, ports, hosts);
}

/** Replace the equal-cost groups by one spine for each destination, as BenchWork says. */
void
PinPaths(Ptr<Fabric> fabric, const BenchWork& work)
{
    for (uint32_t leaf = 0; leaf < work.leaves; ++leaf)
    {
        const auto node = fabric->GetSwitch(leaf); // leaves are added before spines
        std::vector<uint32_t> groups;
        for (uint32_t spine = 0; spine < work.spines; ++spine)
        {
            const auto port =
                fabric->GetPort(fabric->GetName(node), "spine" + std::to_string(spine));
            groups.push_back(node->AddGroup({DynamicCast<SwitchPort>(port)}));
        }
        for (uint32_t host = 0; host < work.GetHosts(); ++host)
        {
            if (host / work.hostsPerLeaf != leaf)
            {
                node->SetRoute(host, groups[work.GetSpine(HostId{host})]);
            }
        }
    }
}

/** A run of a work: its streams, and what has arrived. */
class FabricRun
{
  public:
    FabricRun(const BenchWork& work, const std::string& transport)
        : m_work(work),
          m_fabric(BuildFabric(work)),
          m_transport(CreatePolicy<Transport>(transport))
    {
        PinPaths(m_fabric, work);
        m_transport->Install(m_fabric);
        m_measure.finish.resize(work.flows.size());
    }

    ~FabricRun()
    {
        m_sending.clear();
        m_receiving.clear();
        m_transport->Dispose();
        m_fabric->Dispose();
        Simulator::Destroy();
    }

    BenchMeasure Run()
    {
        m_work.name == "ring" ? PlanRing() : PlanFlows();
        m_measure.start = m_work.flows.front().start;
        RunMeasured(m_work, m_measure);
        Count();
        return m_measure;
    }

  private:
    void PlanFlows()
    {
        for (std::size_t i = 0; i < m_work.flows.size(); ++i)
        {
            Simulator::Schedule(m_work.flows[i].start, &FabricRun::StartFlow, this, i);
        }
        m_left = m_work.flows.size();
        if (!m_work.remarkPeriod.IsZero())
        {
            Simulator::Schedule(m_work.remarkPeriod, &FabricRun::Remark, this);
        }
    }

    void StartFlow(std::size_t i)
    {
        const auto& flow = m_work.flows[i];
        const StreamName name{JobId{1},
                              static_cast<uint32_t>(i),
                              flow.source.value,
                              flow.destination.value};
        m_receiving.push_back(
            m_transport->On(flow.destination)->Accept(flow.source, name, m_work.mark));
        m_receiving.back()->SetReceiver([this, i](const MessageTag&) { FinishFlow(i); });
        m_sending.push_back(
            m_transport->On(flow.source)->Open(flow.destination, name, m_work.mark, i));
        m_sending.back()->Send(flow.bytes);
    }

    void FinishFlow(std::size_t i)
    {
        m_measure.finish[i] = m_measure.end = Simulator::Now();
        if (--m_left == 0)
        {
            Simulator::Stop();
        }
    }

    /** Give every stream its next priority, at both of its ends. */
    void Remark()
    {
        ++m_remarks;
        for (std::size_t i = 0; i < m_sending.size(); ++i)
        {
            const auto priority =
                static_cast<uint8_t>(FIRST_PRIORITY + (i + m_remarks) % DATA_PRIORITIES);
            m_sending[i]->SetMark({priority, priority});
            m_receiving[i]->SetMark({priority, priority});
        }
        Simulator::Schedule(m_work.remarkPeriod, &FabricRun::Remark, this);
    }

    /** Plan one all-reduce: N ranks send 2 (N - 1) chunks of 1 / N of the model each. */
    void PlanRing()
    {
        const uint32_t ranks = m_work.GetHosts();
        m_cluster = CreateObject<Cluster>(m_fabric);
        Placement placement;
        for (uint32_t host = 0; host < ranks; ++host)
        {
            m_cluster->AddMachine(HostId{host}, 1, GpuType{});
            placement.workers.push_back({HostId{host}, 0});
        }
        JobSpec spec;
        spec.id = JobId{1};
        spec.pattern.SetTypeId(RingCommunicationPattern::GetTypeId());
        spec.workers = ranks;
        spec.model.bytes = m_work.bytes / (2 * (ranks - 1));
        m_job = CreateObject<LoneJob>(spec, placement, m_cluster, m_transport);
        m_job->TraceConnectWithoutContext(
            "StageEnd",
            Callback<void, Ptr<const Job>, uint32_t>([this](Ptr<const Job>, uint32_t) {
                m_measure.end = Simulator::Now();
                Simulator::Stop();
            }));
        Simulator::Schedule(m_work.flows.front().start, &FabricRun::StartRing, this);
    }

    void StartRing()
    {
        m_job->Launch(m_work.mark);
        m_sending = m_job->GetSending();
        m_receiving = m_job->GetReceiving();
        m_job->StartStage(1, 1);
    }

    void Count()
    {
        double hops = 0;
        for (const auto& stream : m_receiving)
        {
            m_measure.bytes += stream->GetReceivedBytes();
        }
        for (const auto& stream : m_sending)
        {
            hops += static_cast<double>(stream->GetCounters().dataPackets) *
                    m_work.GetLinks(stream->GetSource(), stream->GetDestination());
        }
        if (hops > 0)
        {
            m_measure.dataHops = hops;
        }
        if (m_transport->HasPackets())
        {
            m_measure.drops = CountDrops();
        }
    }

    uint64_t CountDrops() const
    {
        uint64_t drops = 0;
        for (const auto& named : m_fabric->GetPorts())
        {
            for (uint32_t queue = 0; queue < named.device->GetQueues(); ++queue)
            {
                drops += named.device->GetCounters(queue).dropped;
            }
        }
        return drops;
    }

    const BenchWork& m_work;
    BenchMeasure m_measure;
    Ptr<Fabric> m_fabric;
    Ptr<Transport> m_transport;
    Ptr<Cluster> m_cluster; //!< cluster of the ring
    Ptr<LoneJob> m_job;     //!< the job that is the ring
    std::vector<Ptr<SendingStream>> m_sending;
    std::vector<Ptr<ReceivingStream>> m_receiving;
    std::size_t m_left{0};    //!< number of flows that go on
    std::size_t m_remarks{0}; //!< number of remarks so far
};

} // namespace

BenchMeasure
RunOnFabric(const BenchWork& work, const std::string& transport)
{
    return FabricRun(work, transport).Run();
}

} // namespace ns3::ddl
