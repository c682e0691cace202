// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-task-executor.h"

#include "ns3/abort.h"

#include <utility>

namespace ns3::ddl
{

TaskExecutor::TaskExecutor(Ptr<Machine> machine)
    : m_machine(machine),
      m_slots(machine->GetGpuCount())
{
}

void
TaskExecutor::Take(JobId job, uint32_t gpu, uint64_t round)
{
    Release(gpu);
    m_slots.at(gpu).holder = {job, round};
    m_machine->Claim(gpu, job);
}

void
TaskExecutor::Free(JobId job, uint32_t gpu, uint64_t round)
{
    if (m_slots.at(gpu).holder == std::make_pair(job, round))
    {
        Release(gpu);
    }
}

void
TaskExecutor::Release(uint32_t gpu)
{
    const auto holder = std::exchange(m_slots.at(gpu).holder, std::nullopt);
    if (holder)
    {
        m_machine->Release(gpu, holder->first);
    }
}

void
TaskExecutor::Run(const RunSpec& run,
                  uint32_t gpu,
                  uint64_t round,
                  Time compute,
                  Callback<void> done)
{
    Slot& slot = m_slots.at(gpu);
    NS_ABORT_MSG_IF(slot.isRunning, "GPU " << gpu << " of machine " << GetHost() << " has a task");
    const Time switching = slot.last == run.GetId() ? Time() : run.job.model.switching;
    slot.last = run.GetId();
    slot.isRunning = true;
    slot.done = done;
    m_machine->GetGpu(gpu)->Submit(switching + compute,
                                   MakeBoundCallback(&TaskExecutor::Finish, this, gpu),
                                   {run.GetId(), Pass::BACKWARD, round + 1, 0});
}

void
TaskExecutor::Finish(TaskExecutor* executor, uint32_t gpu)
{
    Slot& slot = executor->m_slots[gpu];
    slot.isRunning = false;
    const Callback<void> done = std::exchange(slot.done, Callback<void>());
    done();
}

void
TaskExecutor::Cancel(JobId job)
{
    for (uint32_t gpu = 0; gpu < m_slots.size(); ++gpu)
    {
        Slot& slot = m_slots[gpu];
        if (slot.isRunning && slot.last == job)
        {
            m_machine->GetGpu(gpu)->Cancel(job);
            slot.last.reset();
            slot.isRunning = false;
            slot.done = Callback<void>();
        }
        if (slot.holder && slot.holder->first == job)
        {
            Release(gpu);
        }
    }
}

Time
TaskExecutor::GetComputeTime(const ModelProfile& model) const
{
    return m_machine->GetGpuType().GetTime(model.forward + model.backward, model.name);
}

} // namespace ns3::ddl
