// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FAILURE_FIXTURE_H
#define DDL_FAILURE_FIXTURE_H

#include "ddl-scheduling-fixture.h"

#include "ns3/ddl-packet-audit.h"
#include "ns3/ddl-server-failures.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl::test
{

/** A cluster whose servers fail, with what its jobs and runs came to. */
class FailureFixture : public SchedulingFixture
{
  protected:
    void BuildCluster(SetUpSpec spec)
    {
        Build(spec);
        m_failures = std::make_unique<ServerFailures>(ServerFailures::Parts{m_fabric,
                                                                            m_agents,
                                                                            m_plane,
                                                                            m_parts.coordinator,
                                                                            m_detection,
                                                                            FindStorage()});
        m_observer->TraceConnectWithoutContext("RunEnd",
                                               MakeCallback(&FailureFixture::NoteRun, this));
        m_observer->TraceConnectWithoutContext("JobEnd",
                                               MakeCallback(&FailureFixture::NoteDone, this));
        m_observer->TraceConnectWithoutContext("JobStart",
                                               MakeCallback(&FailureFixture::NoteJob, this));
    }

    std::optional<HostId> FindStorage() const
    {
        const auto& storage = m_parts.switching.storage;
        return storage ? std::make_optional(storage->host) : std::nullopt;
    }

    void TearDown() override
    {
        SchedulingFixture::TearDown();
        m_failures.reset();
        m_ended.clear();
        m_done.clear();
        m_iterations.clear();
        m_stages.clear();
        m_events.clear();
        m_allDone = false;
    }

    void NoteRun(const JobRunRecord& run)
    {
        m_ended.push_back(run);
    }

    void NoteDone(Ptr<Job> job, bool)
    {
        m_done[job->GetId().value] = Simulator::Now().GetSeconds();
    }

    void NoteJob(Ptr<Job> job)
    {
        job->TraceConnectWithoutContext("IterationEnd",
                                        MakeCallback(&FailureFixture::NoteIteration, this));
    }

    void NoteIteration(const IterationRecord& record)
    {
        m_iterations[record.job].push_back(record.iteration);
    }

    /** \return the run of a job, by number */
    const JobRunRecord& GetRun(uint32_t job, uint32_t run) const
    {
        static const JobRunRecord none{};
        const auto found = std::find_if(m_ended.begin(), m_ended.end(), [&](const auto& record) {
            return record.job.value == job && record.run == run;
        });
        EXPECT_NE(found, m_ended.end()) << "job " << job << ", run " << run;
        return found == m_ended.end() ? none : *found;
    }

    /** Until the last job has left, and then until nothing is left to happen. */
    void RunToTheEnd()
    {
        Simulator::Run();
        Simulator::Run();
        EXPECT_TRUE(Simulator::IsFinished());
        EXPECT_TRUE(m_allDone);
        EXPECT_TRUE(m_manager->GetUnfinished().empty());
        for (const auto& machine : m_parts.cluster->GetView().machines)
        {
            EXPECT_EQ(machine.servers, 0U);
            for (const auto& gpu : machine.gpus)
            {
                EXPECT_TRUE(gpu.free) << "machine " << machine.host;
            }
        }
        for (const auto& agent : m_agents)
        {
            EXPECT_EQ(agent->CountJobs(), 0U) << "machine " << agent->GetHost();
        }
        // Streams of control messages stay: two a machine that the coordinator talks with.
        EXPECT_LE(m_transport->GetSendingCount(), 2U * m_agents.size());
        EXPECT_LE(m_transport->GetReceivingCount(), 2U * m_agents.size());
        EXPECT_EQ(m_fabric->GetFramesInUse(), 0U);
        EXPECT_TRUE(AuditPackets(m_fabric).empty());
        EXPECT_EQ(m_parts.coordinator->GetGateKeeper().GetWaiting(), 0U);
    }

    /** A job did all its iterations, each after the one before, and none again but after a run that
     * was lost. */
    void ExpectAllIterations(JobId job, uint64_t iterations) const
    {
        const auto found = m_iterations.find(job);
        ASSERT_NE(found, m_iterations.end()) << "job " << job;
        uint64_t last = 0;
        uint32_t backs = 0;
        for (const uint64_t iteration : found->second)
        {
            ASSERT_LE(iteration, last + 1) << "job " << job;
            ASSERT_GE(iteration, 1U);
            backs += iteration <= last ? 1 : 0;
            last = iteration;
        }
        EXPECT_EQ(last, iterations) << "job " << job;
        const auto lost = std::count_if(m_ended.begin(), m_ended.end(), [job](const auto& run) {
            return run.job == job && run.reason != "done" && run.reason != "stopped-early";
        });
        EXPECT_LE(backs, lost) << "job " << job;
    }

    Time m_detection{Seconds(2)};
    std::unique_ptr<ServerFailures> m_failures;
    std::vector<JobRunRecord> m_ended;
    std::map<uint32_t, double> m_done;
    std::map<JobId, std::vector<uint64_t>> m_iterations;
};

/** Jobs that compute alone and send nothing, and control messages without delay: exact times. */
class ExactFailureFixture : public FailureFixture
{
  protected:
    void BuildExact(uint32_t hosts, uint32_t gpus = 1)
    {
        SetUpSpec spec;
        spec.hosts = hosts;
        spec.gpus = gpus;
        spec.scheduler = "fair-share";
        spec.transport = CreatePolicy<Transport>("fluid");
        spec.queue = m_queue;
        spec.placement = m_placement;
        BuildCluster(spec);
    }

    /** \return a job whose iterations take a second each */
    static JobSpec MakeJob(uint32_t id, uint32_t gpus = 1)
    {
        JobSpec job;
        job.id = {id};
        job.model.name = "compute";
        job.model.forward = Seconds(1);
        job.workers = gpus;
        job.pattern.SetTypeId("ns3::ddl::RingCommunicationPattern");
        return job;
    }

    static CojobSpec MakePlain(uint32_t id, Time submit, uint64_t seconds, uint32_t gpus = 1)
    {
        return MakeCojob(id, submit, {seconds}, {MakeJob(id, gpus)});
    }

    /** \return a job that is there from the beginning, on GPUs that are given, host and index */
    static CojobSpec MakeHolder(uint32_t id,
                                uint64_t seconds,
                                const std::vector<std::pair<uint32_t, uint32_t>>& gpus)
    {
        auto holder = MakePlain(id, Seconds(0), seconds, gpus.size());
        holder.jobs.front().preemptible = false;
        holder.jobs.front().placement = Placement();
        for (const auto& [host, index] : gpus)
        {
            holder.jobs.front().placement->workers.push_back({{host}, index});
        }
        return holder;
    }

    void FailServer(uint32_t server, double at, double lasts)
    {
        m_failures->Schedule({Seconds(at), server, Seconds(lasts)});
    }

    Ptr<JobQueuePolicy> m_queue{CreateObject<FifoJobQueuePolicy>()};
    Ptr<PlacementPolicy> m_placement{CreateObject<FirstFitPlacementPolicy>()};
};

} // namespace ns3::ddl::test

#endif // DDL_FAILURE_FIXTURE_H
