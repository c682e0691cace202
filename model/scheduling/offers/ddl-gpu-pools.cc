// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-gpu-pools.h"

#include "ns3/ddl-job-hosts.h"

#include <algorithm>

namespace ns3::ddl
{

GpuPools::GpuPools(const ClusterView& cluster)
{
    for (const MachineView& machine : cluster.machines)
    {
        if (machine.gpus.empty())
        {
            continue;
        }
        const auto known = std::find_if(m_pools.begin(), m_pools.end(), [&](const Pool& pool) {
            return pool.type.name == machine.gpuType.name;
        });
        const auto pool = static_cast<uint32_t>(known - m_pools.begin());
        if (known == m_pools.end())
        {
            m_pools.push_back({machine.gpuType, 0});
        }
        m_pools[pool].gpus += static_cast<uint32_t>(machine.gpus.size());
        m_hosts[machine.host] = pool;
    }
    if (m_pools.empty())
    {
        m_pools.emplace_back();
    }
}

std::optional<uint32_t>
GpuPools::Find(HostId host) const
{
    const auto found = m_hosts.find(host);
    return found == m_hosts.end() ? std::nullopt : std::make_optional(found->second);
}

std::vector<double>
GpuPools::GetSpeeds(const Jobs& jobs) const
{
    std::vector<double> speeds;
    for (uint32_t pool = 0; pool < m_pools.size(); ++pool)
    {
        const GpuType& type = m_pools[pool].type;
        Time slowest;     // of one iteration on a V100
        Time slowestHere; // on GPUs of the pool
        double slowestSpeed = type.GetSpeed(jobs.front()->model.name);
        bool isAllowed = true;
        for (const JobSpec* const job : jobs)
        {
            const Time compute = job->model.forward + job->model.backward;
            slowest = Max(slowest, compute);
            slowestHere = Max(slowestHere, type.GetTime(compute, job->model.name));
            slowestSpeed = std::min(slowestSpeed, type.GetSpeed(job->model.name));
            for (const HostId host :
                 job->placement ? ListRankHosts(*job->placement) : std::vector<HostId>())
            {
                isAllowed = isAllowed && Find(host).value_or(pool) == pool; // as in GetPart
            }
        }
        const bool isKnown = slowest.IsStrictlyPositive() && slowestHere.IsStrictlyPositive();
        const double speed = isKnown ? slowest.GetDouble() / slowestHere.GetDouble() : slowestSpeed;
        speeds.push_back(isAllowed ? speed : 0);
    }
    return speeds;
}

ClusterView
GpuPools::GetPart(const ClusterView& cluster, uint32_t pool) const
{
    ClusterView part;
    for (const MachineView& machine : cluster.machines)
    {
        if (Find(machine.host).value_or(pool) == pool)
        {
            part.machines.push_back(machine);
        }
    }
    for (const auto& [job, gpus] : cluster.jobs)
    {
        const bool isThere = std::all_of(gpus.begin(), gpus.end(), [&](const GpuId& gpu) {
            return Find(gpu.host) == pool;
        });
        if (isThere)
        {
            part.jobs.emplace(job, gpus);
        }
    }
    return part;
}

GpuPools::Jobs
ListJobsHere(const GroupRecord& group)
{
    GpuPools::Jobs jobs;
    for (const JobRecord& job : group.GetJobs())
    {
        if (job.IsStaying())
        {
            jobs.push_back(job.spec);
        }
    }
    return jobs;
}

uint32_t
CountGpusTogether(const GpuPools::Jobs& jobs)
{
    uint32_t gpus = 0;
    for (const JobSpec* const job : jobs)
    {
        gpus += job->placement ? static_cast<uint32_t>(ListGpus(*job->placement).size())
                               : job->CountGpus();
    }
    return gpus;
}

} // namespace ns3::ddl
