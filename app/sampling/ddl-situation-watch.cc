// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-situation-watch.h"

#include "ns3/ddl-agent.h"
#include "ns3/ddl-fabric.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-job-manager.h"
#include "ns3/ddl-network-scheduler.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <sstream>

namespace ns3::ddl
{

namespace
{

/** \return text on about how many jobs contend. The classes double, a choice: a job more means the
 * less, the more there are */
std::string
DescribeCrowd(std::size_t jobs)
{
    return jobs == 1   ? "1 job"
           : jobs == 2 ? "2 jobs"
           : jobs <= 4 ? "3-4 jobs"
           : jobs <= 8 ? "5-8 jobs"
                       : "9 jobs or more";
}

} // namespace

SituationWatch::SituationWatch(Ptr<TrainingCluster> cluster, Paces paces)
    : m_cluster(cluster),
      m_paces(std::move(paces)),
      m_pacer(cluster),
      m_keepsOrder(cluster->GetParts().scheduler->GetTrigger() !=
                       NetworkScheduler::Trigger::NEVER &&
                   cluster->GetParts().scheduler->GetUnitKind() != UnitKind::COFLOW),
      m_unit(cluster->GetParts().scheduler->GetUnitKind())
{
    const TrainingClusterParts& parts = cluster->GetParts();
    using Self = SituationWatch;
    parts.observer->TraceConnectWithoutContext("JobStart",
                                               MakeCallback(&Self::NotifyJobStart, this));
    parts.jobManager->TraceConnectWithoutContext("Grant", MakeCallback(&Self::NotifyGrant, this));
    for (const auto& agent : parts.agents)
    {
        agent->TraceConnectWithoutContext("Rank", MakeCallback(&Self::NotifyRank, this));
    }
    if (m_keepsOrder)
    {
        parts.coordinator->TraceConnectWithoutContext("Schedule",
                                                      MakeCallback(&Self::NotifySchedule, this));
    }
}

/** Called when a run is granted GPUs: before or after NotifyJobStart of the job's first run. */
void
SituationWatch::NotifyGrant(std::shared_ptr<const RunSpec> run)
{
    Watched& watched = m_jobs[run->GetId()];
    watched.run = run;
    watched.isTraining = false;
    FindPorts(watched);
}

void
SituationWatch::NotifyJobStart(Ptr<Job> job)
{
    using Self = SituationWatch;
    m_jobs[job->GetId()].job = job;
    m_iterations[job->GetId()];
    job->TraceConnectWithoutContext("IterationEnd", MakeCallback(&Self::NotifyIteration, this));
    job->TraceConnectWithoutContext("StageEnd", MakeCallback(&Self::NotifyStageEnd, this));
    job->TraceConnectWithoutContext("Stopped", MakeCallback(&Self::NotifyStopped, this));
}

void
SituationWatch::FindPorts(Watched& watched) const
{
    const RunSpec& run = *watched.run;
    std::set<std::pair<HostId, HostId>> pairs;
    for (const JobPlan::Channel& channel : run.plan->channels)
    {
        const HostId source = run.rankHosts[channel.source];
        const HostId destination = run.rankHosts[channel.destination];
        pairs.insert({{source, destination}, {destination, source}});
    }
    std::set<Ptr<Port>> ports;
    for (const auto& [from, to] : pairs)
    {
        const auto between = m_cluster->GetFabric()->ListPortsBetween(from, to);
        ports.insert(between.begin(), between.end());
    }
    watched.ports.assign(ports.begin(), ports.end());
}

void
SituationWatch::NotifyRank(const RankEvent& event)
{
    if (event.kind != RankEvent::Kind::STAGE)
    {
        return;
    }
    Watched& watched = m_jobs.at(event.job);
    if (!watched.isTraining && watched.run->number == event.run)
    {
        watched.isTraining = true;
        watched.order = m_came++;
        NoteChange();
    }
}

void
SituationWatch::NotifyIteration(const IterationRecord& record)
{
    m_iterations.at(record.job).push_back({record.start.GetTimeStep(), record.end.GetTimeStep()});
    if (const auto pace = m_jobs.at(record.job).control.Follow(record.end))
    {
        m_pacer.Set(record.job, *pace);
    }
}

void
SituationWatch::NotifyStageEnd(Ptr<const Job> job, uint32_t /* stage */)
{
    EndTraining(job->GetId());
}

void
SituationWatch::NotifyStopped(Ptr<const Job> job)
{
    EndTraining(job->GetId());
    m_pacer.Forget(job->GetId());
}

void
SituationWatch::EndTraining(JobId job)
{
    Watched& watched = m_jobs.at(job);
    watched.isTraining = false;
    watched.stratum.clear();
    watched.control = IterationControl();
    NoteChange();
}

void
SituationWatch::NotifySchedule(const ScheduleRecord& schedule)
{
    if (schedule.order == m_order)
    {
        return;
    }
    m_order = schedule.order;
    m_places.clear();
    std::istringstream groups(m_order);
    uint32_t place = 0;
    for (std::string group; groups >> group; ++place)
    {
        std::istringstream units(group);
        for (std::string unit; std::getline(units, unit, '=');)
        {
            m_places[unit] = place;
        }
    }
    NoteChange();
}

/** Note a change. All changes at one instant count as one. */
void
SituationWatch::NoteChange()
{
    if (!m_isDirty && !m_isOver)
    {
        m_isDirty = true;
        Simulator::ScheduleNow(&SituationWatch::Refresh, this);
    }
}

std::vector<SituationWatch::Component>
SituationWatch::FindComponents() const
{
    std::vector<const Watched*> training;
    for (const auto& [id, watched] : m_jobs)
    {
        if (watched.isTraining)
        {
            training.push_back(&watched);
        }
    }
    boost::disjoint_sets_with_storage<> joined(training.size());
    std::map<const Port*, std::size_t> users;
    std::map<GpuId, std::size_t> holders;
    for (std::size_t i = 0; i < training.size(); ++i)
    {
        for (const auto& port : training[i]->ports)
        {
            joined.union_set(i, users.emplace(PeekPointer(port), i).first->second);
        }
        for (const GpuId& gpu : ListGpus(training[i]->run->placement))
        {
            joined.union_set(i, holders.emplace(gpu, i).first->second);
        }
    }
    std::map<std::size_t, Component> components; // components by root; sorted by job below
    for (std::size_t i = 0; i < training.size(); ++i)
    {
        components[joined.find_set(i)].push_back(training[i]->run->GetId());
    }
    std::vector<Component> list;
    for (auto& [root, jobs] : components)
    {
        list.push_back(std::move(jobs));
    }
    std::sort(list.begin(), list.end());
    return list;
}

/** \param ahead gets the number of jobs in the component that are served before each job */
std::string
SituationWatch::FormatOrder(const Component& jobs, std::map<JobId, uint32_t>& ahead) const
{
    // Units without a place go behind all others, in arrival order.
    std::map<std::pair<uint64_t, uint64_t>, std::vector<JobId>> groups;
    for (const JobId id : jobs)
    {
        const Watched& watched = m_jobs.at(id);
        const std::string label = m_unit == UnitKind::JOB
                                      ? std::to_string(id.value)
                                      : std::to_string(watched.run->cojob.value) + "." +
                                            std::to_string(watched.job->GetStage());
        const auto place = m_places.find(label);
        const bool isKnown = place != m_places.end();
        groups[{isKnown ? place->second : UINT64_MAX, isKnown ? 0 : watched.order}].push_back(id);
    }
    std::string order;
    uint32_t before = 0;
    for (const auto& [place, group] : groups)
    {
        const char* joint = order.empty() ? "" : " ";
        for (const JobId id : group)
        {
            order += joint + std::to_string(id.value);
            joint = "=";
            ahead[id] = before;
        }
        before += group.size();
    }
    return order;
}

std::shared_ptr<const Situation>
SituationWatch::FindSituation(const Component& jobs)
{
    std::string name;
    std::map<JobId, uint32_t> ahead;
    for (const JobId id : jobs)
    {
        name += (name.empty() ? "" : " ") + std::to_string(id.value) + "." +
                std::to_string(m_jobs.at(id).run->number);
    }
    const bool isOrdered = m_keepsOrder && jobs.size() > 1;
    const std::string order = isOrdered ? FormatOrder(jobs, ahead) : "";
    name += isOrdered ? " | " + order : "";
    auto& known = m_known[name];
    if (!known)
    {
        auto situation = std::make_shared<Situation>();
        situation->name = name;
        situation->order = order;
        for (const JobId id : jobs)
        {
            const Watched& watched = m_jobs.at(id);
            const std::string like = DescribeCrowd(jobs.size()) + (ahead[id] > 0 ? ", behind" : "");
            const std::string pattern = watched.run->job.pattern.GetTypeId().GetName();
            const std::string number = "job " + std::to_string(id.value);
            situation->jobs.push_back(
                {id,
                 watched.run,
                 {name + ", " + number, number + ", " + like, pattern + ", " + like, like, "all"}});
        }
        known = situation;
    }
    return known;
}

void
SituationWatch::Refresh()
{
    m_isDirty = false;
    std::map<std::string, SituationVisit> now;
    for (const Component& jobs : FindComponents())
    {
        const auto situation = FindSituation(jobs);
        const auto open = m_open.find(situation->name);
        const Time begin = open == m_open.end() ? Simulator::Now() : open->second.begin;
        now[situation->name] = {situation, begin, Time()};
        for (const SituationJob& job : situation->jobs)
        {
            Watched& watched = m_jobs.at(job.job);
            if (m_paces && watched.stratum != job.strata.front())
            {
                const JobPace wanted = m_paces(job.strata);
                watched.stratum = job.strata.front();
                watched.control = IterationControl(wanted);
                m_pacer.Set(job.job, wanted.pace);
            }
        }
    }
    std::swap(m_open, now);
    for (auto& [name, visit] : now)
    {
        if (m_open.count(name) == 0 && visit.begin < Simulator::Now())
        {
            visit.end = Simulator::Now();
            m_visits.push_back(visit);
        }
    }
}

void
SituationWatch::Finish()
{
    for (auto& [name, visit] : m_open)
    {
        visit.end = Simulator::Now();
        if (visit.begin < visit.end)
        {
            m_visits.push_back(visit);
        }
    }
    m_open.clear();
    m_isOver = true;
    m_pacer.Clear();
}

} // namespace ns3::ddl
