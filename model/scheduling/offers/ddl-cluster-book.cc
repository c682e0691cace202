// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cluster-book.h"

#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-placement-helpers.h"

#include <algorithm>
#include <utility>

namespace ns3::ddl
{

namespace
{

uint32_t
CountFree(const ClusterView& view, const std::vector<GpuId>& gpus)
{
    return std::count_if(gpus.begin(), gpus.end(), [&](const GpuId& id) {
        return FindGpu(view, id)->free;
    });
}

/** \return remaining service L_J of the job, as of the last look */
Time
GetService(const JobRecord& job)
{
    const uint64_t all = job.run->iterations;
    return GetRemainingService(job.run->cost, all - std::min(all, job.load.done));
}

} // namespace

ClusterBook::ClusterBook(ClusterView empty)
    : m_view(std::move(empty)),
      m_freeGpus(ddl::CountFreeGpus(m_view)),
      m_isShared(FindGpuMemory(m_view) > 0)
{
}

void
ClusterBook::Add(JobRecord& job)
{
    const RunSpec& run = *job.run;
    Take(run.placement, run.job.model.gpuMemory);
    m_view.jobs[job.GetId()] = ListGpus(run.placement);
    job.load = {run.first, Time()};
    WriteLoad(job, GetService(job));
}

void
ClusterBook::Remove(JobRecord& job)
{
    WriteLoad(job, Time());
    const RunSpec& run = *job.run;
    GiveBack(run.placement, run.job.model.gpuMemory);
    m_view.jobs.erase(job.GetId());
    if (job.reserved)
    {
        GiveBack(job.reserved->places, job.reserved->memory);
        job.reserved->places = *job.moveTo;
        Take(job.reserved->places, job.reserved->memory);
    }
}

void
ClusterBook::Reserve(JobRecord& job)
{
    job.reserved = {GetRest(*job.moveTo, job.GetPlacement()), job.run->job.model.gpuMemory};
    Take(job.reserved->places, job.reserved->memory);
}

void
ClusterBook::Hold(JobRecord& job, const std::vector<GpuId>& gpus, uint64_t memory)
{
    LetGo(job.held);
    if (!gpus.empty())
    {
        job.held = KeptPlaces{{gpus, {}}, memory};
        Take(job.held->places, memory);
    }
}

void
ClusterBook::LetGo(std::optional<KeptPlaces>& kept)
{
    if (kept)
    {
        GiveBack(kept->places, kept->memory);
        kept.reset();
    }
}

void
ClusterBook::Take(const Placement& placement, uint64_t memory)
{
    m_freeGpus -= CountFree(m_view, ListGpus(placement));
    ExchangeFailed();
    Occupy(m_view, placement, memory);
    ExchangeFailed();
}

void
ClusterBook::GiveBack(const Placement& placement, uint64_t memory)
{
    ExchangeFailed();
    Vacate(m_view, placement, memory);
    ExchangeFailed();
    m_freeGpus += CountFree(m_view, ListGpus(placement));
}

/** Swap m_failed with what the view shows of the same machines. */
void
ClusterBook::ExchangeFailed()
{
    for (auto& [host, gpus] : m_failed)
    {
        MachineView& machine = *FindMachine(m_view, host);
        for (std::size_t i = 0; i < gpus.size(); ++i)
        {
            std::swap(machine.gpus[i].free, gpus[i].free);
            std::swap(machine.gpus[i].freeMemory, gpus[i].freeMemory);
        }
    }
}

void
ClusterBook::NoteFailed(const std::set<HostId>& machines)
{
    for (const HostId host : machines)
    {
        MachineView& machine = *FindMachine(m_view, host);
        if (!m_failed.emplace(host, machine.gpus).second)
        {
            continue;
        }
        machine.failed = true;
        for (GpuView& gpu : machine.gpus)
        {
            m_freeGpus -= gpu.free ? 1 : 0;
            gpu.free = false;
            gpu.freeMemory = 0;
        }
    }
}

void
ClusterBook::NoteReturned(HostId host)
{
    ExchangeFailed();
    m_failed.erase(host);
    MachineView& machine = *FindMachine(m_view, host);
    machine.failed = false;
    for (const GpuView& gpu : machine.gpus)
    {
        m_freeGpus += gpu.free ? 1 : 0;
    }
    ExchangeFailed();
}

void
ClusterBook::UpdateLoads(JobTable& table)
{
    for (const JobTable::Groups* const groups : {&table.GetHolders(), &table.GetSuspending()})
    {
        for (GroupRecord* const group : *groups)
        {
            for (JobRecord& job : group->GetJobs())
            {
                const uint64_t done = job.AskOracle().value_or(job.load.done);
                if (done != job.load.done)
                {
                    job.load.done = done;
                    WriteLoad(job, GetService(job));
                }
            }
        }
    }
}

void
ClusterBook::WriteLoad(JobRecord& job, Time service)
{
    AddLoad(m_view, ListGpus(job.GetPlacement()), service - job.load.service);
    job.load.service = service;
}

} // namespace ns3::ddl
