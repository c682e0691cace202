// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cluster-book.h"

#include "ns3/ddl-cluster-view-access.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-job-service.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace ddl
{

namespace
{

/**
 * \param done iterations of so many in all
 * \return L_J of a launched job: (C_J + E_J) x GPUs over the iterations that are left, E_J being
 *         what the busiest link carries at that rate (Ada-SRSF Eq. 7, 8)
 */
Time
GetService(const Job& job, uint64_t iterations, uint32_t done, DataRate hostRate)
{
    const uint64_t left = iterations - std::min<uint64_t>(iterations, done);
    const uint64_t most = GetBusiestBytes(job.GetHostBytes());
    Time iteration = job.GetTaskTime();
    if (most > 0 && hostRate.GetBitRate() > 0)
    {
        iteration +=
            Seconds(static_cast<double>(most) * 8 / static_cast<double>(hostRate.GetBitRate()));
    }
    return Multiply(iteration, static_cast<double>(left) * job.GetSpec().workers);
}

uint32_t
CountFree(const ClusterView& view, const std::vector<GpuId>& gpus)
{
    return std::count_if(gpus.begin(), gpus.end(), [&](const GpuId& id) {
        return FindGpu(view, id)->free;
    });
}

} // namespace

ClusterBook::ClusterBook(ClusterView empty, DataRate hostRate)
    : m_view(std::move(empty)),
      m_hostRate(hostRate),
      m_freeGpus(ddl::CountFreeGpus(m_view))
{
    for (const MachineView& machine : m_view.machines)
    {
        m_isShared = m_isShared || (!machine.gpus.empty() && machine.gpus.front().memory > 0);
    }
}

void
ClusterBook::Add(Ptr<const Job> job, uint64_t iterations)
{
    const Placement& placement = job->GetPlacement();
    m_freeGpus -= CountFree(m_view, ListGpus(placement));
    Occupy(m_view, placement, job->GetSpec().model.gpuMemory);
    Load& load = m_loads[job->GetId()];
    load.job = job;
    load.iterations = iterations;
    load.done = job->GetIterationsDone();
    WriteLoad(load, GetService(*job, iterations, load.done, m_hostRate));
}

void
ClusterBook::Free(Ptr<const Job> job)
{
    const Placement& placement = job->GetPlacement();
    Vacate(m_view, placement, job->GetSpec().model.gpuMemory);
    m_freeGpus += CountFree(m_view, ListGpus(placement));
}

void
ClusterBook::Remove(JobId job)
{
    const auto found = m_loads.find(job);
    WriteLoad(found->second, Time());
    m_loads.erase(found);
}

void
ClusterBook::UpdateLoads()
{
    for (auto& [id, load] : m_loads)
    {
        const uint32_t done = load.job->GetIterationsDone();
        if (done != load.done)
        {
            load.done = done;
            WriteLoad(load, GetService(*load.job, load.iterations, done, m_hostRate));
        }
    }
}

void
ClusterBook::WriteLoad(Load& load, Time service)
{
    AddLoad(m_view, ListGpus(load.job->GetPlacement()), service - load.service);
    load.service = service;
}

ClusterView&
ClusterBook::GetView()
{
    return m_view;
}

uint32_t
ClusterBook::CountFreeGpus() const
{
    return m_freeGpus;
}

bool
ClusterBook::IsShared() const
{
    return m_isShared;
}

} // namespace ddl
} // namespace ns3
