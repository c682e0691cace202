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

} // namespace

ClusterBook::ClusterBook(ClusterView empty)
    : m_view(std::move(empty)),
      m_freeGpus(ddl::CountFreeGpus(m_view))
{
    for (const MachineView& machine : m_view.machines)
    {
        m_isShared = m_isShared || (!machine.gpus.empty() && machine.gpus.front().memory > 0);
    }
}

void
ClusterBook::Add(std::shared_ptr<const RunSpec> run, uint64_t done)
{
    const JobId job = run->GetId();
    Take(run->placement, run->job.model.gpuMemory);
    m_view.jobs[job] = ListGpus(run->placement);
    Load& load = m_loads[job];
    load.run = std::move(run);
    load.done = done;
    WriteLoad(load, GetService(load));
}

void
ClusterBook::Remove(JobId job)
{
    const auto found = m_loads.find(job);
    WriteLoad(found->second, Time());
    const RunSpec& run = *found->second.run;
    GiveBack(run.placement, run.job.model.gpuMemory);
    m_view.jobs.erase(job);
    m_loads.erase(found);
    const auto reserved = m_reserved.find(job);
    if (reserved != m_reserved.end())
    {
        Reservation& reservation = reserved->second;
        GiveBack(reservation.held, reservation.memory);
        reservation.held = reservation.all;
        Take(reservation.held, reservation.memory);
    }
}

void
ClusterBook::Reserve(JobId job, const Placement& to)
{
    const RunSpec& run = *m_loads.at(job).run;
    const std::vector<GpuId> own = ListGpus(run.placement);
    Reservation reservation{to, {}, run.job.model.gpuMemory};
    for (const GpuId& gpu : ListGpus(to))
    {
        if (std::find(own.begin(), own.end(), gpu) == own.end())
        {
            reservation.held.workers.push_back(gpu);
        }
    }
    Take(reservation.held, reservation.memory);
    m_reserved[job] = reservation;
}

void
ClusterBook::EndReservation(JobId job)
{
    const auto reserved = m_reserved.find(job);
    GiveBack(reserved->second.held, reserved->second.memory);
    m_reserved.erase(reserved);
}

void
ClusterBook::Hold(JobId job, const std::vector<GpuId>& gpus, uint64_t memory)
{
    const Placement place{gpus, {}};
    Take(place, memory);
    m_held[job] = {place, place, memory};
}

std::vector<GpuId>
ClusterBook::LetGo(JobId job)
{
    const auto found = m_held.find(job);
    if (found == m_held.end())
    {
        return {};
    }
    const Reservation reservation = found->second;
    m_held.erase(found);
    GiveBack(reservation.held, reservation.memory);
    return reservation.held.workers;
}

std::size_t
ClusterBook::CountHeld(JobId job) const
{
    const auto found = m_held.find(job);
    return found == m_held.end() ? 0 : found->second.held.workers.size();
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

MachineView&
ClusterBook::GetMachine(HostId host)
{
    return *std::find_if(m_view.machines.begin(), m_view.machines.end(), [host](const auto& view) {
        return view.host == host;
    });
}

/** Swap the GPUs that the view shows of failed machines with those that it would show. */
void
ClusterBook::ExchangeFailed()
{
    for (auto& [host, gpus] : m_failed)
    {
        MachineView& machine = GetMachine(host);
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
        MachineView& machine = GetMachine(host);
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
    MachineView& machine = GetMachine(host);
    machine.failed = false;
    for (const GpuView& gpu : machine.gpus)
    {
        m_freeGpus += gpu.free ? 1 : 0;
    }
    ExchangeFailed();
}

void
ClusterBook::UpdateLoads(const JobOracle& oracle)
{
    for (auto& [id, load] : m_loads)
    {
        const uint64_t done = oracle.GetIterationsDone(id).value_or(load.done);
        if (done != load.done)
        {
            load.done = done;
            WriteLoad(load, GetService(load));
        }
    }
}

/** \return remaining service L_J of the job */
Time
ClusterBook::GetService(const Load& load)
{
    const uint64_t all = load.run->iterations;
    return GetRemainingService(load.run->cost, all - std::min(all, load.done));
}

void
ClusterBook::WriteLoad(Load& load, Time service)
{
    AddLoad(m_view, ListGpus(load.run->placement), service - load.service);
    load.service = service;
}

} // namespace ns3::ddl
