// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_BENCH_H
#define DDL_JOB_BENCH_H

#include "ddl-fake-transport.h"

#include "ns3/ddl-lone-job.h"
#include "ns3/ddl-topology.h"

#include <gtest/gtest.h>
#include <vector>

namespace ns3::ddl
{

/**
 * A cluster of 8 machines with 2 GPUs each, a transport whose streams carry 1000 bytes per second
 * each, and what happened to the jobs.
 */
class JobBench : public testing::Test
{
  protected:
    struct StageEvent
    {
        uint32_t job;
        uint32_t stage;
        Time time;

        bool operator==(const StageEvent& other) const
        {
            return job == other.job && stage == other.stage && time == other.time;
        }
    };

    JobBench()
    {
        TopologySpec topology;
        topology.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
        topology.shape.Set("Hosts", UintegerValue(8));
        const Ptr<Fabric> fabric = BuildTopology(topology, PortSpec(), HostSpec());
        m_cluster = CreateObject<Cluster>(fabric);
        for (uint32_t host = 0; host < 8; ++host)
        {
            m_cluster->AddMachine(HostId{host}, 2, GpuType{});
        }
        m_transport = CreateObject<FakeTransport>(1000.0);
        m_transport->Install(fabric);
    }

    ~JobBench() override
    {
        Simulator::Destroy();
    }

    /** Job 1: worker w on GPU 0 of machine w, server s on machine W + s. */
    static Placement Spread(uint32_t workers, uint32_t servers)
    {
        Placement placement;
        for (uint32_t worker = 0; worker < workers; ++worker)
        {
            placement.workers.push_back({HostId{worker}, 0});
        }
        for (uint32_t server = 0; server < servers; ++server)
        {
            placement.servers.push_back(OnMachine(HostId{workers + server}));
        }
        return placement;
    }

    static JobSpec Spec(const std::string& pattern,
                        uint32_t workers,
                        uint32_t servers,
                        uint64_t bytes,
                        Time compute)
    {
        JobSpec spec;
        spec.id = JobId{1};
        spec.pattern.SetTypeId(FindPolicy(CommunicationPattern::GetTypeId(), pattern));
        spec.workers = workers;
        spec.servers = servers;
        spec.model.bytes = bytes;
        spec.model.forward = compute / 4;
        spec.model.backward = compute - compute / 4;
        return spec;
    }

    Ptr<LoneJob> Make(const JobSpec& spec, const Placement& placement)
    {
        const auto job = CreateObject<LoneJob>(spec, placement, m_cluster, m_transport);
        job->TraceConnectWithoutContext("StageStart", MakeCallback(&JobBench::StageStart, this));
        job->TraceConnectWithoutContext("StageEnd", MakeCallback(&JobBench::StageEnd, this));
        job->TraceConnectWithoutContext("IterationEnd", MakeCallback(&JobBench::Iteration, this));
        job->TraceConnectWithoutContext("Stopped", MakeCallback(&JobBench::Stopped, this));
        return job;
    }

    Ptr<LoneJob> Make(const JobSpec& spec)
    {
        return Make(spec, Spread(spec.workers, spec.servers));
    }

    static void Launch(const Ptr<LoneJob>& job)
    {
        job->Launch(Mark{2, 3});
    }

    static void StartAll(const Ptr<LoneJob>& job, uint32_t stage, uint32_t iterations)
    {
        job->StartStage(stage, iterations);
    }

    static void StopAll(const Ptr<LoneJob>& job)
    {
        job->Stop();
    }

    /** Launch at 0, run one stage to its end. */
    Ptr<LoneJob> RunStage(const JobSpec& spec, uint32_t iterations)
    {
        const auto job = Make(spec);
        Simulator::ScheduleNow([job, iterations]() {
            Launch(job);
            StartAll(job, 1, iterations);
        });
        Simulator::Run();
        return job;
    }

    void StageStart(Ptr<const Job> job, uint32_t stage)
    {
        m_starts.push_back({job->GetId().value, stage, Simulator::Now()});
    }

    void StageEnd(Ptr<const Job> job, uint32_t stage)
    {
        m_ends.push_back({job->GetId().value, stage, Simulator::Now()});
    }

    void Iteration(const IterationRecord& record)
    {
        m_iterations.push_back(record);
    }

    void Stopped(Ptr<const Job> /* job */)
    {
        m_stops.push_back(Simulator::Now());
    }

    Ptr<Cluster> m_cluster;
    Ptr<FakeTransport> m_transport;
    std::vector<StageEvent> m_starts;
    std::vector<StageEvent> m_ends;
    std::vector<IterationRecord> m_iterations;
    std::vector<Time> m_stops;
};

} // namespace ns3::ddl

#endif // DDL_JOB_BENCH_H
