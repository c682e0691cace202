// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SCHEDULING_FIXTURE_H
#define DDL_SCHEDULING_FIXTURE_H

#include "ns3/ddl-agent.h"
#include "ns3/ddl-cluster.h"
#include "ns3/ddl-coordinator.h"
#include "ns3/ddl-fifo-job-queue-policy.h"
#include "ns3/ddl-first-fit-placement-policy.h"
#include "ns3/ddl-job-manager.h"
#include "ns3/ddl-job-observer.h"
#include "ns3/ddl-topology.h"
#include "ns3/ddl-transport.h"
#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::ddl
{
namespace test
{

/** What a cluster under test is made of. */
struct SetUpSpec
{
    uint32_t hosts{5};
    ObjectFactory shape{}; //!< of a Topology with that many hosts; none: a single switch
    uint32_t gpus{4};      //!< a machine
    uint64_t gpuMemory{0}; //!< bytes; 0: one job at a time holds a GPU
    DataRate rate{"10Gbps"};
    uint32_t mtu{TopologySpec().mtu};
    std::string scheduler{"grouper"};
    std::string control{"direct"};
    Time period{MilliSeconds(10)};
    Ptr<Transport> transport; //!< not yet installed
    Ptr<JobQueuePolicy> queue{CreateObject<FifoJobQueuePolicy>()};
    Ptr<PlacementPolicy> placement{CreateObject<FirstFitPlacementPolicy>()};
};

/** A single-switch cluster with coordinator, agents and a job manager; keeps what they trace. */
class SchedulingFixture : public testing::Test
{
  protected:
    void Build(const SetUpSpec& spec)
    {
        TopologySpec topology;
        topology.shape = spec.shape;
        if (!spec.shape.IsTypeIdSet())
        {
            topology.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
            topology.shape.Set("Hosts", UintegerValue(spec.hosts));
        }
        topology.hostRate = spec.rate;
        topology.mtu = spec.mtu;
        m_fabric = BuildTopology(topology, PortSpec(), HostSpec());
        m_transport = spec.transport;
        m_transport->Install(m_fabric);
        m_plane = CreatePolicy<ControlPlane>(spec.control);
        m_plane->Install(m_transport, HostId{0});
        m_parts.cluster = CreateObject<Cluster>(m_fabric);
        m_parts.coordinator = CreateObject<Coordinator>();
        m_parts.coordinator->SetAttribute("Period", TimeValue(spec.period));
        m_scheduler = CreatePolicy<NetworkScheduler>(spec.scheduler);
        const std::vector<DataRate> rates(spec.hosts, spec.rate);
        m_parts.coordinator->Install(m_scheduler, m_plane, rates);
        for (uint32_t host = 0; host < spec.hosts; ++host)
        {
            m_parts.cluster->AddMachine({host}, spec.gpus, GpuType{}, spec.gpuMemory);
            AddAgent({host});
        }
        m_parts.queue = spec.queue;
        m_parts.placement = spec.placement;
        m_manager = CreateObject<JobManager>();
        m_observer = CreateObject<JobObserver>();
        m_parts.oracle = PeekPointer(m_observer);
        m_manager->Install(m_parts);
        m_observer->Watch(m_manager, m_agents);
        Connect();
    }

    void TearDown() override
    {
        for (const auto& agent : m_agents)
        {
            agent->Dispose();
        }
        m_agents.clear();
        for (const Ptr<Object>& part : std::vector<Ptr<Object>>{m_manager,
                                                                m_parts.coordinator,
                                                                m_plane,
                                                                m_transport,
                                                                m_fabric})
        {
            if (part)
            {
                part->Dispose();
            }
        }
        Simulator::Destroy();
    }

    /** Simulate until all jobs have left, or the given time. */
    void Run(Time limit)
    {
        Simulator::Stop(limit);
        Simulator::Run();
    }

    /** \return a job with one worker and one server that only pushes; no compute */
    static JobSpec MakePushJob(uint32_t id, uint64_t bytes, HostId worker, uint32_t gpu, HostId to)
    {
        JobSpec job;
        job.id = {id};
        job.model.name = "test";
        job.model.bytes = bytes;
        job.workers = 1;
        job.servers = 1;
        job.pattern.SetTypeId("ns3::ddl::ParameterServerCommunicationPattern");
        job.pattern.Set("PullRatio", DoubleValue(0));
        job.placement = Placement{{GpuId{worker, gpu}}, {OnMachine(to)}};
        return job;
    }

    static CojobSpec MakeCojob(uint32_t id,
                               Time submit,
                               const std::vector<uint64_t>& iterations,
                               const std::vector<JobSpec>& jobs)
    {
        CojobSpec cojob;
        cojob.id = {id};
        cojob.submit = submit;
        cojob.iterations = iterations;
        cojob.search.SetTypeId("ns3::ddl::ListSearchAlgorithm");
        cojob.jobs = jobs;
        return cojob;
    }

    /**
     * Grouper Fig. 3: cojob 1 = job 1 (1, then 2 units) and job 2 (1, stopped after stage 1), cojob
     * 2 the same with twice the units. All workers on machine 0, so that all share what it sends.
     *
     * \param unit bytes
     * \param pieces iterations in which stage 1 is sent; stage 2 has twice as many
     */
    static std::vector<CojobSpec> MakeFigure3(uint64_t unit, uint32_t pieces)
    {
        std::vector<JobSpec> jobs;
        for (uint32_t job = 1; job <= 4; ++job)
        {
            const uint64_t bytes = (job <= 2 ? unit : 2 * unit) / pieces;
            jobs.push_back(MakePushJob(job, bytes, {0}, job - 1, {job}));
        }
        jobs[1].stopAfter = 1;
        jobs[3].stopAfter = 1;
        return {MakeCojob(1, Time(), {pieces, 2 * pieces}, {jobs[0], jobs[1]}),
                MakeCojob(2, Time(), {pieces, 2 * pieces}, {jobs[2], jobs[3]})};
    }

    /** \return seconds at which that stage ended; -1 when it has not */
    double GetEnd(uint32_t cojob, uint32_t stage) const
    {
        for (const auto& record : m_stages)
        {
            if (record.cojob.value == cojob && record.stage == stage)
            {
                return record.end.GetSeconds();
            }
        }
        return -1;
    }

    Ptr<Fabric> m_fabric;
    Ptr<Transport> m_transport;
    Ptr<ControlPlane> m_plane;
    Ptr<NetworkScheduler> m_scheduler;
    JobManagerParts m_parts;
    std::vector<Ptr<Agent>> m_agents; //!< by host
    Ptr<JobManager> m_manager;
    Ptr<JobObserver> m_observer;
    std::vector<StageRecord> m_stages;       //!< that have ended
    std::vector<ScheduleRecord> m_schedules; //!< runs of the network scheduler
    std::vector<RemarkRecord> m_remarks;
    std::vector<std::string> m_events; //!< "arrive 1", "start 1", "job 3 stopped early", ...
    bool m_allDone{false};

  private:
    void AddAgent(HostId host)
    {
        const auto agent = CreateObject<Agent>(m_parts.cluster->GetMachine(host),
                                               m_transport->On(host),
                                               m_plane->On(host));
        agent->SetScheduler(m_scheduler);
        agent->TraceConnectWithoutContext("Remark",
                                          MakeCallback(&SchedulingFixture::NoteRemark, this));
        m_agents.push_back(agent);
    }

    void Connect()
    {
        using Self = SchedulingFixture;
        m_parts.coordinator->TraceConnectWithoutContext("Schedule",
                                                        MakeCallback(&Self::NoteSchedule, this));
        m_observer->TraceConnectWithoutContext("StageEnd", MakeCallback(&Self::NoteStage, this));
        m_manager->TraceConnectWithoutContext("AllDone", MakeCallback(&Self::NoteAllDone, this));
        m_manager->TraceConnectWithoutContext("CojobArrival",
                                              MakeCallback(&Self::NoteArrival, this));
        m_manager->TraceConnectWithoutContext("CojobStart", MakeCallback(&Self::NoteStart, this));
        m_observer->TraceConnectWithoutContext("CojobEnd", MakeCallback(&Self::NoteEnd, this));
        m_observer->TraceConnectWithoutContext("JobEnd", MakeCallback(&Self::NoteJobEnd, this));
    }

    void NoteRemark(const RemarkRecord& record)
    {
        m_remarks.push_back(record);
    }

    void NoteSchedule(const ScheduleRecord& record)
    {
        m_schedules.push_back(record);
    }

    void NoteStage(const StageRecord& record)
    {
        m_stages.push_back(record);
    }

    void NoteAllDone()
    {
        m_allDone = true;
        Simulator::Stop();
    }

    void NoteArrival(const CojobSpec& cojob)
    {
        m_events.push_back("arrive " + std::to_string(cojob.id.value));
    }

    void NoteStart(CojobId id)
    {
        m_events.push_back("start " + std::to_string(id.value));
    }

    void NoteEnd(CojobId id)
    {
        m_events.push_back("end " + std::to_string(id.value));
    }

    void NoteJobEnd(Ptr<Job> job, bool stoppedEarly)
    {
        m_events.push_back("job " + std::to_string(job->GetId().value) +
                           (stoppedEarly ? " stopped early" : " done"));
    }
};

} // namespace test
} // namespace ns3::ddl

#endif // DDL_SCHEDULING_FIXTURE_H
