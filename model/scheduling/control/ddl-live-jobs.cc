// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-live-jobs.h"

#include "ns3/abort.h"
#include "ns3/ddl-nic-bytes.h"

#include <algorithm>

namespace ns3::ddl
{

namespace
{

/** \return the job, if it is live; null otherwise */
JobRecord*
FindLive(const JobTable& table, JobId id)
{
    JobRecord* const job = table.FindJob(id);
    return job && job->live ? job : nullptr;
}

/** Call `visit` with each live job. */
template <typename Visit>
void
VisitLive(const JobTable::Groups& live, Visit visit)
{
    for (GroupRecord* const group : live)
    {
        for (JobRecord& job : group->GetJobs())
        {
            if (job.live)
            {
                visit(job);
            }
        }
    }
}

} // namespace

void
NoteDone(const JobTable& table, const StageDone& message)
{
    JobRecord* const job = FindLive(table, message.job);
    if (!job)
    {
        return; // its run was told to stop before the coordinator heard of this
    }
    const GroupRecord& group = *job->group;
    NS_ABORT_MSG_IF(message.stage != group.GetStage(),
                    "job " << message.job << " is not in stage " << message.stage);
    job->live->iterations = group.GetSpec().iterations.at(message.stage - 1);
    job->live->inProgress = false;
}

void
NoteProgress(const JobTable& table, const JobProgress& progress)
{
    JobRecord* const job = FindLive(table, progress.job);
    if (!job || progress.stage != job->group->GetStage())
    {
        return;
    }
    const uint64_t before = job->group->CountIterationsBefore(progress.stage);
    const uint64_t done = progress.iterationsDone - std::min(progress.iterationsDone, before);
    job->live->iterations = std::max(job->live->iterations, done);
}

bool
NoteCoflow(const JobTable& table, const CoflowStarted& message, Time now)
{
    JobRecord* const job = FindLive(table, message.job);
    if (job)
    {
        job->live->coflows.push_back({message.iteration, now});
    }
    return job != nullptr;
}

bool
NoteCoflow(const JobTable& table, const CoflowEnded& message)
{
    JobRecord* const job = FindLive(table, message.job);
    if (!job)
    {
        return false;
    }
    auto& coflows = job->live->coflows;
    NS_ABORT_MSG_IF(coflows.empty() || coflows.front().iteration != message.iteration,
                    "coflow " << message.iteration << " of job " << message.job
                              << " ends out of turn");
    coflows.pop_front();
    return true;
}

void
NoteBytes(const JobTable& table, HostId machine, const JobBytes& bytes)
{
    JobRecord* const job = FindLive(table, bytes.job);
    if (job && job->run->number == bytes.run) // otherwise the answer is that of an earlier run
    {
        job->live->moved[machine] = {bytes.sent, bytes.received};
    }
}

std::set<HostId>
ListBusyLeaders(const JobTable::Groups& live)
{
    std::set<HostId> leaders;
    VisitLive(live, [&leaders](const JobRecord& job) {
        if (job.live->inProgress)
        {
            leaders.insert(job.run->GetLeader());
        }
    });
    return leaders;
}

std::set<HostId>
ListCoflowMachines(const JobTable::Groups& live)
{
    std::set<HostId> machines;
    VisitLive(live, [&machines](const JobRecord& job) {
        if (!job.live->coflows.empty())
        {
            machines.insert(job.run->machines.begin(), job.run->machines.end());
        }
    });
    return machines;
}

std::vector<PresentJob>
ListPresentJobs(const JobTable::Groups& live, UnitKind kind)
{
    std::vector<PresentJob> present;
    VisitLive(live, [&present, kind](JobRecord& job) {
        const auto& coflows = job.live->coflows;
        std::vector<HostId> hosts = ListNetworkHosts(job.run->hostBytes);
        if (hosts.empty() || (kind == UnitKind::COFLOW && coflows.empty()))
        {
            return;
        }
        const CojobId group = job.group->GetId();
        const uint32_t stage = job.group->GetStage();
        const uint64_t iteration = coflows.empty() ? 0 : coflows.front().iteration;
        const UnitKey unit = GetUnitKey(kind, group, stage, job.GetId(), iteration);
        present.push_back({&job, stage, unit, std::move(hosts)});
    });
    return present;
}

void
AddPortLoads(const std::vector<HostBytes>& bytes,
             double times,
             const std::vector<DataRate>& rates,
             LoadByPort& loads)
{
    const auto add = [&](uint32_t port, HostId host, uint64_t each) {
        if (times > 0 && each > 0)
        {
            loads[port] += GetNicSeconds(times * static_cast<double>(each), rates[host.value]);
        }
    };
    for (const auto& moved : bytes)
    {
        NS_ABORT_MSG_IF(moved.host.value >= rates.size(),
                        "machine " << moved.host << " has no known rate");
        add(2 * moved.host.value, moved.host, moved.sent);
        add(2 * moved.host.value + 1, moved.host, moved.received);
    }
}

std::vector<PortLoad>
ListPortLoads(const LoadByPort& loads)
{
    std::vector<PortLoad> list;
    for (const auto& [port, seconds] : loads)
    {
        list.push_back({port, seconds});
    }
    return list;
}

namespace
{

/** \return what is left of an iteration's bytes when `moved` have been moved in this run, of which
 * it is the n-th iteration, from 1 */
uint64_t
CountLeft(uint64_t bytes, uint64_t n, uint64_t moved)
{
    const uint64_t before = bytes * (n - 1);
    return moved <= before ? bytes : bytes - std::min(bytes, moved - before);
}

/** \return what is left of an iteration's bytes, as far as machines have reported */
std::vector<HostBytes>
ListBytesLeft(const JobRecord& job, uint64_t iteration)
{
    std::vector<HostBytes> left;
    const uint64_t n = iteration - job.run->first;
    for (const auto& host : job.run->hostBytes)
    {
        const auto known = job.live->moved.find(host.host);
        const MovedBytes moved = known == job.live->moved.end() ? MovedBytes{} : known->second;
        left.push_back({host.host,
                        CountLeft(host.sent, n, moved.sent),
                        CountLeft(host.received, n, moved.received)});
    }
    return left;
}

class ViewBuilder
{
  public:
    ViewBuilder(const ViewRequest& request, const std::vector<DataRate>& rates)
        : m_request(request),
          m_rates(rates)
    {
        m_view.now = request.now;
        m_view.ports = 2 * rates.size();
    }

    void AddStages(const GroupRecord& group)
    {
        int32_t predecessor = NO_PREDECESSOR;
        for (uint32_t stage = group.GetStage(); stage <= CountStages(group); ++stage)
        {
            UnitView unit;
            LoadByPort load;
            bool exists = false;
            for (const JobRecord& job : group.GetJobs())
            {
                if (RunsStage(job, stage))
                {
                    exists = true;
                    AddPortLoads(job.run->hostBytes,
                                 CountIterationsLeft(job, stage),
                                 m_rates,
                                 load);
                }
            }
            if (!exists)
            {
                break;
            }
            unit.cojob = group.GetId();
            unit.stage = stage;
            unit.stages = CountStages(group);
            unit.active = stage == group.GetStage();
            unit.release = unit.active ? group.GetRelease() : Time::Max();
            unit.predecessor = predecessor;
            unit.load = ListPortLoads(load);
            predecessor = static_cast<int32_t>(m_view.units.size());
            m_view.units.push_back(std::move(unit));
        }
    }

    void AddJob(const JobRecord& job)
    {
        const GroupRecord& group = *job.group;
        uint64_t iterations = 0;
        for (uint32_t stage = group.GetStage(); stage <= CountStages(group); ++stage)
        {
            iterations += RunsStage(job, stage) ? CountIterationsLeft(job, stage) : 0;
        }
        LoadByPort load;
        AddPortLoads(job.run->hostBytes, iterations, m_rates, load);
        AddJobUnit(job, group.GetSpec().submit, 0, load);
    }

    void AddCoflow(const JobRecord& job)
    {
        if (!job.live->coflows.empty())
        {
            const LiveCoflow& coflow = job.live->coflows.front();
            LoadByPort load;
            AddPortLoads(ListBytesLeft(job, coflow.iteration), 1, m_rates, load);
            AddJobUnit(job, coflow.arrival, coflow.iteration, load);
        }
    }

    SchedulerView m_view;

  private:
    static uint32_t CountStages(const GroupRecord& group)
    {
        return group.GetSpec().iterations.size();
    }

    /** \return true if the job takes part in that stage, as far as the policy may know */
    bool RunsStage(const JobRecord& job, uint32_t stage) const
    {
        const GroupRecord& group = *job.group;
        return job.live && stage >= group.GetStage() &&
               stage <=
                   (m_request.clairvoyant ? group.GetLastStage(job.GetId()) : CountStages(group));
    }

    static uint64_t CountIterationsLeft(const JobRecord& job, uint32_t stage)
    {
        const uint64_t all = job.group->GetSpec().iterations.at(stage - 1);
        const uint64_t done = stage == job.group->GetStage() ? job.live->iterations : 0;
        return all - std::min(all, done);
    }

    void AddJobUnit(const JobRecord& job, Time release, uint64_t iteration, const LoadByPort& load)
    {
        UnitView unit;
        unit.cojob = job.group->GetId();
        unit.job = job.GetId();
        unit.weight = job.spec->weight;
        unit.stage = job.group->GetStage();
        unit.stages = CountStages(*job.group);
        unit.iteration = iteration;
        unit.active = true;
        unit.release = release;
        unit.load = ListPortLoads(load);
        unit.each.compute = job.run->cost.compute.GetSeconds();
        unit.each.work = job.run->cost.work;
        unit.each.sendsFrom = job.run->cost.sendsFrom;
        m_view.units.push_back(std::move(unit));
    }

    const ViewRequest& m_request;
    const std::vector<DataRate>& m_rates;
};

} // namespace

SchedulerView
BuildSchedulerView(const ViewRequest& request,
                   const std::vector<DataRate>& rates,
                   const JobTable::Groups& live)
{
    ViewBuilder builder(request, rates);
    builder.m_view.units.reserve(live.size()); // more units than that only with several stages
    for (const GroupRecord* const group : live)
    {
        NS_ABORT_MSG_IF(group->GetStage() < 1, "cojob " << group->GetId() << " is in no stage");
        if (request.kind == UnitKind::STAGE)
        {
            builder.AddStages(*group);
        }
    }
    if (request.kind != UnitKind::STAGE)
    {
        VisitLive(live, [&](const JobRecord& job) {
            request.kind == UnitKind::JOB ? builder.AddJob(job) : builder.AddCoflow(job);
        });
    }
    return std::move(builder.m_view);
}

} // namespace ns3::ddl
