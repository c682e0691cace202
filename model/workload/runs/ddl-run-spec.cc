// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-run-spec.h"

#include "ddl-job-hosts.h"

#include "ns3/abort.h"
#include "ns3/ddl-cluster.h"
#include "ns3/ddl-communication-pattern.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace ns3::ddl
{

namespace
{

/** \return forward and backward pass of the slowest worker, without noise */
Time
GetTaskTime(const RunSpec& run, const Cluster& cluster)
{
    const ModelProfile& model = run.job.model;
    const Time both = model.forward + model.backward;
    Time longest;
    for (const GpuId& gpu : run.placement.workers)
    {
        const bool hasGpu = gpu.index != NO_GPU;
        longest = Max(longest,
                      hasGpu ? cluster.GetMachine(gpu.host)->GetGpuType().GetTime(both, model.name)
                             : both);
    }
    return longest;
}

void
AddParts(RunSpec& run)
{
    for (uint32_t rank = 0; rank < run.rankHosts.size(); ++rank)
    {
        RunSpec::Part& part = run.parts[run.rankHosts[rank]];
        run.workerHosts += part.ranks.empty() && rank < run.job.workers ? 1 : 0;
        part.ranks.push_back(rank);
    }
    for (uint32_t channel = 0; channel < run.plan->channels.size(); ++channel)
    {
        const JobPlan::Channel& ends = run.plan->channels[channel];
        run.parts[run.rankHosts[ends.source]].sends.push_back(channel);
        run.parts[run.rankHosts[ends.destination]].receives.push_back(channel);
    }
}

} // namespace

RunSpec::RunSpec(const JobSpec& job, CojobId cojob)
    : job(job),
      cojob(cojob),
      buckets(job.model, job.overlap)
{
}

void
RunSpec::SetStorage(const Storage& where)
{
    storage = where;
    parts[where.host]; // which may be all that it has there
    const auto place = std::lower_bound(hosts.begin(), hosts.end(), where.host);
    if (place == hosts.end() || *place != where.host)
    {
        hosts.insert(place, where.host);
    }
}

bool
RunSpec::LoadsState(HostId machine) const
{
    const std::vector<uint32_t>& ranks = parts.at(machine).ranks;
    return storage && first > 0 && !ranks.empty() && ranks.front() < job.workers;
}

std::vector<HostId>
RunSpec::ListMachines() const
{
    return job.hasTasks ? hosts : ListHosts(rankHosts);
}

bool
RunSpec::IsCoflow() const
{
    return !job.hasTasks && std::all_of(placement.workers.begin(),
                                        placement.workers.end(),
                                        [](const GpuId& gpu) { return gpu.index == NO_GPU; });
}

bool
RunSpec::IsOnePhase() const
{
    return !job.hasTasks &&
           std::all_of(plan->ranks.begin(), plan->ranks.end(), [](const RankPlan& rank) {
               // A group that waits for the rank itself alone needs 1.
               return std::all_of(rank->needs.begin(), rank->needs.end(), [](uint32_t needs) {
                   return needs == 1;
               });
           });
}

RunSpec
MakeRunSpec(const JobSpec& job,
            CojobId cojob,
            const Placement& placement,
            const Cluster& cluster,
            PlanMemo& plans)
{
    NS_ABORT_MSG_IF(placement.workers.size() != job.workers ||
                        placement.servers.size() != job.servers,
                    "the placement of job " << job.id << " does not fit it");
    RunSpec run(job, cojob);
    run.placement = placement;
    run.rankHosts = ListRankHosts(placement);
    run.hosts = ListHosts(run.rankHosts);
    const std::vector<HostId> workers(run.rankHosts.begin(), run.rankHosts.begin() + job.workers);
    run.plan = plans.Get(job.pattern,
                         {job.workers,
                          job.servers,
                          job.model.bytes,
                          cluster.ListServers(workers),
                          cluster.ListRacks(workers)},
                         run.buckets);
    run.hostBytes = CountHostBytes(*run.plan, run.rankHosts);
    AddParts(run);
    run.cost = {GetTaskTime(run, cluster),
                GetUncontendedCommunication(run.hostBytes, cluster),
                job.CountGpus()};
    return run;
}

RunSpec
MakeTaskRunSpec(const JobSpec& job, CojobId cojob, HostId server, const Cluster& cluster)
{
    NS_ABORT_MSG_UNLESS(job.hasTasks, "job " << job.id << " is not made of tasks");
    RunSpec run(job, cojob);
    run.placement.servers = {{server, NO_GPU}};
    run.rankHosts = {server};
    run.parts[server].ranks = {job.workers};
    const ModelProfile& model = job.model;
    for (const HostId host : cluster.GetHosts())
    {
        const Ptr<Machine> machine = cluster.GetMachine(host);
        if (machine->GetGpuCount() > 0)
        {
            run.parts[host]; // it may get tasks
            run.cost.compute =
                Max(run.cost.compute,
                    machine->GetGpuType().GetTime(model.forward + model.backward, model.name));
        }
    }
    for (const auto& [host, part] : run.parts)
    {
        run.hosts.push_back(host);
    }
    run.workerHosts = 1; // the server's machine says how far the job is
    JobPlan plan;        // without ranks
    plan.transfers = 2 * job.workers;
    plan.bytes = plan.transfers * model.bytes;
    run.plan = std::make_shared<const JobPlan>(std::move(plan));
    run.hostBytes = {{server, job.workers * model.bytes, job.workers * model.bytes}};
    run.cost.communication = GetUncontendedCommunication(run.hostBytes, cluster);
    run.cost.gpus = job.workers;
    return run;
}

RunSpec
MakeRunSpec(const JobSpec& job, CojobId cojob, const Placement& placement, const Cluster& cluster)
{
    PlanMemo plans;
    return MakeRunSpec(job, cojob, placement, cluster, plans);
}

} // namespace ns3::ddl
