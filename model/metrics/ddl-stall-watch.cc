// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-stall-watch.h"

#include "ns3/ddl-job-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <tuple>

namespace ns3::ddl
{

StallWatch::StallWatch(Time patience, Time planned)
    : m_patience(patience),
      m_planned(planned)
{
}

void
StallWatch::Start(Ptr<const Cluster> cluster, Ptr<JobManager> manager, Ptr<JobObserver> observer)
{
    m_cluster = cluster;
    m_manager = manager;
    observer->TraceConnectWithoutContext("JobStart",
                                         MakeCallback(&StallWatch::NotifyJobStart, this));
    observer->TraceConnectWithoutContext("JobEnd", MakeCallback(&StallWatch::NotifyJobEnd, this));
    Simulator::Schedule(m_patience, &StallWatch::Look, this, MeasureIfDue());
}

void
StallWatch::Forget()
{
    m_jobs.clear();
    m_cluster = nullptr;
    m_manager = nullptr;
}

bool
StallWatch::Work::operator==(const Work& other) const
{
    return std::tie(started, ended, delivered, iterations, computed) ==
           std::tie(other.started, other.ended, other.delivered, other.iterations, other.computed);
}

void
StallWatch::NotifyJobStart(Ptr<Job> job)
{
    ++m_started;
    m_jobs[job->GetId()] = job;
}

void
StallWatch::NotifyJobEnd(Ptr<Job> job, bool /* stoppedEarly */)
{
    m_jobs.erase(job->GetId());
}

StallWatch::Work
StallWatch::Measure() const
{
    Work work;
    work.started = m_started;
    work.ended = m_started - m_jobs.size();
    for (const auto& [id, job] : m_jobs)
    {
        work.delivered += job->GetDeliveredBytes();
        work.iterations += job->GetIterationsDone();
    }
    work.computed = m_cluster->GetBusyTime();
    return work;
}

/** \return the work done so far; empty if no stall can begin now, since a change is planned */
std::optional<StallWatch::Work>
StallWatch::MeasureIfDue() const
{
    const bool isDue = Simulator::Now() >= std::max(m_planned, m_manager->GetLastArrival());
    return isDue ? std::make_optional(Measure()) : std::nullopt;
}

void
StallWatch::Look(std::optional<Work> before)
{
    const auto work = MeasureIfDue();
    const Time planned = std::max(
        {m_planned, m_manager->GetLastArrival(), m_manager->GetIdleUntil().value_or(Time())});
    const bool isExpected = Simulator::Now() - m_patience < planned;
    if (before && work == before && !isExpected)
    {
        m_fired = true;
        Simulator::Stop();
        return;
    }
    Simulator::Schedule(m_patience, &StallWatch::Look, this, work);
}

} // namespace ns3::ddl
