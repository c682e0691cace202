// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_OFFERS_FIXTURE_H
#define DDL_OFFERS_FIXTURE_H

#include "ddl-scheduling-fixture.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace ns3::ddl
{
namespace test
{

/**
 * Jobs of one group each that compute alone and send nothing, so that times are exact; and what
 * became of their runs. Set the members below, then call BuildCluster.
 */
class OffersFixture : public SchedulingFixture
{
  protected:
    void BuildCluster(Ptr<JobQueuePolicy> queue, uint32_t hosts = 1, uint32_t gpus = 1)
    {
        SetUpSpec spec;
        spec.hosts = hosts;
        spec.gpus = gpus;
        spec.scheduler = "fair-share";
        spec.control = "direct";
        spec.queue = queue;
        spec.placement = m_placement;
        if (m_racks > 1)
        {
            spec.shape.SetTypeId("ns3::ddl::LeafSpineTopology");
            spec.shape.Set("Leaves", UintegerValue(m_racks));
            spec.shape.Set("HostsPerLeaf", StringValue(std::to_string(hosts / m_racks)));
        }
        spec.transport = CreatePolicy<Transport>("fluid");
        m_parts.switching.cost = m_switchCost;
        Build(spec);
        m_manager->SetAttribute("Lease", TimeValue(m_lease));
        m_manager->SetAttribute("MinRun", TimeValue(m_minRun));
        m_manager->SetAttribute("BatchWindow", TimeValue(m_batchWindow));
        m_manager->SetAttribute("Improve", TimeValue(m_improve));
        m_manager->TraceConnectWithoutContext("Wait", MakeCallback(&OffersFixture::NoteWait, this));
        m_manager->TraceConnectWithoutContext("Timers",
                                              MakeCallback(&OffersFixture::NoteTimers, this));
        m_observer->TraceConnectWithoutContext("RunEnd",
                                               MakeCallback(&OffersFixture::NoteRun, this));
        m_observer->TraceConnectWithoutContext("JobEnd",
                                               MakeCallback(&OffersFixture::NoteDone, this));
    }

    /** \return a job whose iterations take a second each on its GPUs */
    static CojobSpec MakeJob(uint32_t id, Time submit, uint64_t seconds, uint32_t gpus = 1)
    {
        JobSpec job;
        job.id = {id};
        job.model.name = "compute";
        job.model.forward = Seconds(1);
        job.workers = gpus;
        job.pattern.SetTypeId("ns3::ddl::RingCommunicationPattern");
        return MakeCojob(id, submit, {seconds}, {job});
    }

    void NoteTimers(const TimersRecord& timers)
    {
        std::ostringstream text;
        text << timers.time.GetSeconds() << ": " << timers.gpus << " GPUs "
             << timers.timers.machine.GetSeconds() << " " << timers.timers.rack.GetSeconds();
        m_timers.push_back(text.str());
    }

    void NoteRun(const JobRunRecord& run)
    {
        m_ended.push_back(run);
    }

    void NoteWait(const WaitRecord& wait)
    {
        std::ostringstream text;
        text << wait.time.GetSeconds() << ": job " << wait.cojob << " " << wait.reason;
        if (wait.until)
        {
            text << " until " << wait.until->GetSeconds();
        }
        m_waits.push_back(text.str());
    }

    /** \return the run of a job, by number */
    const JobRunRecord& GetRun(uint32_t job, uint32_t run = 1) const
    {
        const auto found = std::find_if(m_ended.begin(), m_ended.end(), [&](const auto& record) {
            return record.job.value == job && record.run == run;
        });
        return found == m_ended.end() ? m_none : *found;
    }

    /** \return a job that is there from the beginning, on GPUs that are given, host and index */
    static CojobSpec MakeHolder(uint32_t id,
                                uint64_t seconds,
                                const std::vector<std::pair<uint32_t, uint32_t>>& gpus)
    {
        auto holder = MakeJob(id, Seconds(0), seconds, gpus.size());
        holder.jobs.front().placement = Placement();
        for (const auto& [host, index] : gpus)
        {
            holder.jobs.front().placement->workers.push_back({{host}, index});
        }
        return holder;
    }

    void NoteDone(Ptr<Job> job, bool)
    {
        m_done[job->GetId().value] = Simulator::Now().GetSeconds();
    }

    /** \return the jobs of all runs, in the order in which these began */
    std::string GetTurns()
    {
        std::sort(m_ended.begin(), m_ended.end(), [](const auto& a, const auto& b) {
            return a.start < b.start;
        });
        std::string turns;
        for (const auto& run : m_ended)
        {
            turns += std::to_string(run.job.value);
        }
        return turns;
    }

    void RunAll()
    {
        Simulator::Run();
        EXPECT_TRUE(m_allDone);
    }

    Time m_lease;
    Time m_minRun;
    Time m_batchWindow;
    Time m_improve;
    SwitchCost m_switchCost;
    Ptr<PlacementPolicy> m_placement{CreateObject<FirstFitPlacementPolicy>()};
    uint32_t m_racks{1};
    std::vector<JobRunRecord> m_ended;
    JobRunRecord m_none; //!< of a job that has not run
    std::vector<std::string> m_waits;
    std::vector<std::string> m_timers;
    std::map<uint32_t, double> m_done;
};

} // namespace test
} // namespace ns3::ddl

#endif // DDL_OFFERS_FIXTURE_H
