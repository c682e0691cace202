// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-place-all.h"

#include "ddl-placement-helpers.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-job-service.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace ns3::ddl
{

namespace
{

void
Refuse(JobId job, const std::string& what)
{
    std::ostringstream text;
    text << "placement of job " << job << ": " << what;
    throw InputError(text.str());
}

/** Bytes that workers with given placements take of each GPU; for a whole GPU its memory, at least
 * 1. */
using TakenMemory = std::map<GpuId, uint64_t>;

/** Throw an InputError for a worker that would not get its GPU even on an empty cluster. */
void
CheckGivenGpu(const ClusterView& cluster, const JobSpec& job, GpuId id, TakenMemory& taken)
{
    const std::string name =
        "GPU " + std::to_string(id.index) + " of machine " + std::to_string(id.host.value);
    const GpuView* gpu = FindGpu(cluster, id);
    if (gpu == nullptr)
    {
        Refuse(job.id, "there is no " + name);
    }
    const bool isShared = gpu->memory > 0 && job.model.gpuMemory > 0;
    uint64_t& bytes = taken[id];
    if (bytes > 0 && (!isShared || bytes + job.model.gpuMemory > gpu->memory))
    {
        Refuse(job.id, name + " is given to a rank already");
    }
    if (isShared && job.model.gpuMemory > gpu->memory)
    {
        Refuse(job.id,
               name + " has " + std::to_string(gpu->memory) + " bytes, a worker takes " +
                   std::to_string(job.model.gpuMemory));
    }
    bytes += isShared ? job.model.gpuMemory : std::max<uint64_t>(gpu->memory, 1);
}

/** Throw an InputError for a user's placement that could never fit, however long the job waits. */
void
CheckGiven(const ClusterView& cluster, const JobSpec& job, TakenMemory& taken)
{
    const Placement& given = *job.placement;
    if (given.workers.size() != job.workers || given.servers.size() != job.servers)
    {
        Refuse(job.id,
               std::to_string(given.workers.size()) + " GPUs and " +
                   std::to_string(given.servers.size()) + " server machines for " +
                   std::to_string(job.workers) + " workers and " + std::to_string(job.servers) +
                   " servers");
    }
    std::set<GpuId> own;
    for (const GpuId& id : given.workers)
    {
        if (id.index == NO_GPU && FindMachine(cluster, id.host) == nullptr)
        {
            Refuse(job.id, "there is no machine " + std::to_string(id.host.value));
        }
    }
    for (const GpuId& id : ListGpus(given))
    {
        CheckGivenGpu(cluster, job, id, taken);
        if (!own.insert(id).second)
        {
            Refuse(job.id,
                   "two ranks on GPU " + std::to_string(id.index) + " of machine " +
                       std::to_string(id.host.value));
        }
    }
    for (const GpuId& id : given.servers)
    {
        if (FindMachine(cluster, id.host) == nullptr)
        {
            Refuse(job.id, "there is no machine " + std::to_string(id.host.value));
        }
        if ((id.index != NO_GPU) != (job.serverGpus > 0))
        {
            Refuse(job.id,
                   "its parameter servers need " + std::string(job.serverGpus > 0 ? "a" : "no") +
                       " GPU each");
        }
    }
}

/** Take the GPUs, and add the job's load L_J to each (Ada-SRSF Algorithm 1 lines 8, 20). */
void
Take(ScratchView& scratch, const JobSpec& job, const Placement& placement, uint64_t iterations)
{
    scratch.Occupy(job.id,
                   placement,
                   job.model.gpuMemory,
                   GetRemainingService(EstimateIteration(job), iterations));
}

/**
 * Record the given placement and occupy it.
 *
 * \return false when a job holds one of its GPUs
 */
bool
PlaceGiven(const ClusterView& cluster,
           const std::vector<JobSpec>& jobs,
           uint64_t iterations,
           ScratchView& scratch,
           std::vector<Placement>& placements)
{
    TakenMemory taken;
    bool free = true;
    for (std::size_t i = 0; i < jobs.size(); ++i)
    {
        if (jobs[i].placement)
        {
            CheckGiven(cluster, jobs[i], taken);
            placements[i] = *jobs[i].placement;
        }
    }
    for (std::size_t i = 0; free && i < jobs.size(); ++i)
    {
        if (!jobs[i].placement)
        {
            continue;
        }
        free = scratch.HasRoomFor(placements[i], jobs[i].model.gpuMemory);
        if (free)
        {
            Take(scratch, jobs[i], placements[i], iterations);
        }
    }
    return free;
}

} // namespace

ScratchView::ScratchView(ClusterView& cluster)
    : m_cluster(cluster)
{
}

ScratchView::~ScratchView()
{
    for (auto step = m_steps.rbegin(); step != m_steps.rend(); ++step)
    {
        Change(*step, !step->isTaken);
    }
}

void
ScratchView::Change(const Step& step, bool take)
{
    AddLoad(m_cluster, ListGpus(step.placement), take ? step.service : Time() - step.service);
    take ? ddl::Occupy(m_cluster, step.placement, step.memory)
         : ddl::Vacate(m_cluster, step.placement, step.memory);
    if (step.job && take)
    {
        m_cluster.jobs[*step.job] = ListGpus(step.placement);
    }
    else if (step.job)
    {
        m_cluster.jobs.erase(*step.job);
    }
}

void
ScratchView::Occupy(std::optional<JobId> job,
                    const Placement& placement,
                    uint64_t memory,
                    Time service)
{
    m_steps.push_back({true, job, placement, memory, service});
    Change(m_steps.back(), true);
}

void
ScratchView::Vacate(std::optional<JobId> job, const Placement& placement, uint64_t memory)
{
    m_steps.push_back({false, job, placement, memory, Time()});
    Change(m_steps.back(), false);
}

bool
ScratchView::HasRoomFor(const Placement& placement, uint64_t memory) const
{
    const std::vector<HostId> hosts = ListRankHosts(placement);
    const std::vector<GpuId> gpus = ListGpus(placement);
    return std::none_of(hosts.begin(),
                        hosts.end(),
                        [this](HostId host) { return FindMachine(m_cluster, host)->failed; }) &&
           std::all_of(gpus.begin(), gpus.end(), [this, memory](const GpuId& id) {
               return HasRoom(*FindGpu(m_cluster, id), memory);
           });
}

JobView
MakeJobView(const JobSpec& job, uint64_t iterations)
{
    JobView view;
    view.id = job.id;
    view.model = job.model.name;
    view.bytes = job.model.bytes;
    view.skew = job.model.GetSkew();
    view.compute = job.model.forward + job.model.backward;
    view.iterationsLeft = iterations;
    view.estimatedRemaining = GetComputeTime(job, iterations);
    return view;
}

GroupRequest
MakeRequest(const std::vector<JobSpec>& jobs, uint64_t iterations)
{
    GroupRequest request{jobs, iterations, {}};
    for (const JobSpec& job : jobs)
    {
        request.views.push_back(MakeJobView(job, iterations));
    }
    return request;
}

PlacementView
AsView(const ClusterView& cluster, const GroupRequest& request, std::size_t job)
{
    const JobSpec& spec = request.jobs[job];
    const uint32_t gpuServers = spec.servers * spec.serverGpus;
    PlacementView view{cluster,
                       spec.workers + gpuServers,
                       spec.servers - gpuServers,
                       spec.model.gpuMemory,
                       request.views[job],
                       request.now,
                       request.waits,
                       gpuServers};
    if (gpuServers > 0)
    {
        view.job.placement = {ListInterleaved(view.job.placement), {}};
    }
    return view;
}

GroupAnswer
PlaceGroup(Ptr<PlacementPolicy> policy, ClusterView& cluster, const GroupRequest& request)
{
    const std::vector<JobSpec>& jobs = request.jobs;
    std::vector<Placement> placements(jobs.size());
    std::map<uint32_t, DelayTimers> timers;
    ScratchView scratch(cluster);
    if (!PlaceGiven(cluster, jobs, request.iterations, scratch, placements))
    {
        return {std::nullopt, std::nullopt, "the GPUs that the user names are not free", false, {}};
    }
    for (std::size_t i = 0; i < jobs.size(); ++i)
    {
        if (jobs[i].placement)
        {
            continue;
        }
        const PlacementAnswer answer = policy->Place(AsView(cluster, request, i));
        if (answer.timers)
        {
            timers[jobs[i].workers] = *answer.timers;
        }
        if (!answer.placement)
        {
            const bool isAlone = jobs.size() == 1; // several jobs start together or hold nothing
            return {std::nullopt,
                    answer.askAgain,
                    answer.why,
                    answer.declines,
                    isAlone ? answer.held : std::vector<GpuId>(),
                    timers};
        }
        placements[i] = *answer.placement;
        Take(scratch, jobs[i], placements[i], request.iterations);
    }
    return {placements, std::nullopt, "", false, {}, timers};
}

} // namespace ns3::ddl
