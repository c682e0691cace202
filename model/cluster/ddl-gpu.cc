// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-gpu.h"

#include "ns3/abort.h"
#include "ns3/ddl-error.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlGpu");
NS_OBJECT_ENSURE_REGISTERED(Gpu);

TypeId
Gpu::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::Gpu")
            .SetParent<Object>()
            .SetGroupName("Ddl")
            .AddTraceSource("TaskStart",
                            "A task begins to run.",
                            MakeTraceSourceAccessor(&Gpu::m_taskStart),
                            "ns3::ddl::Gpu::TaskCallback")
            .AddTraceSource("TaskEnd",
                            "The running task is over or was cancelled.",
                            MakeTraceSourceAccessor(&Gpu::m_taskEnd),
                            "ns3::ddl::Gpu::TaskCallback")
            .AddTraceSource("Utilisation",
                            "Share of the time since the start in which tasks ran, as of the last "
                            "task's end.",
                            MakeTraceSourceAccessor(&Gpu::m_utilisation),
                            "ns3::TracedValueCallback::Double");
    return tid;
}

Gpu::Gpu(GpuId id)
    : m_id(id)
{
    NS_LOG_FUNCTION(this << id.host << id.index);
}

void
Gpu::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_end.Cancel();
    m_running = false;
    m_tasks.clear();
    m_policy = nullptr;
    Object::DoDispose();
}

void
Gpu::Submit(Time duration, DoneCallback done, const GpuTask& task, Time service)
{
    NS_LOG_FUNCTION(this << duration << task.owner);
    NS_ABORT_MSG_IF(duration.IsStrictlyNegative(), "a task of " << duration << " cannot run");
    m_tasks.push_back({std::move(done), {task, Simulator::Now(), duration, service}});
    if (!m_running)
    {
        StartNext();
    }
}

void
Gpu::StartNext()
{
    Settle();
    const std::size_t next = SelectNext();
    std::rotate(m_tasks.begin(), m_tasks.begin() + next, m_tasks.begin() + next + 1);
    m_running = true;
    const Time duration = m_tasks.front().view.duration;
    if (duration > Time::Max() - Simulator::Now())
    {
        throw RunError("a task of " + std::to_string(std::llround(duration.GetSeconds())) +
                       " s would end after 292 years, the longest time that can be simulated");
    }
    m_end = Simulator::Schedule(duration, &Gpu::Finish, this);
    m_taskStart(m_id, m_tasks.front().view.task);
}

void
Gpu::EndTask()
{
    const GpuTask task = m_tasks.front().view.task;
    Settle();
    m_running = false;
    m_tasks.pop_front();
    m_utilisation = m_settled.IsZero() ? 0 : m_times.busy.GetSeconds() / m_settled.GetSeconds();
    m_taskEnd(m_id, task);
}

void
Gpu::Finish()
{
    NS_LOG_FUNCTION(this);
    const DoneCallback done = m_tasks.front().done;
    EndTask();
    if (!done.IsNull())
    {
        done();
    }
    if (!m_running && !m_tasks.empty())
    {
        StartNext();
    }
}

void
Gpu::Cancel(JobId owner)
{
    NS_LOG_FUNCTION(this << owner);
    const auto waiting = m_tasks.begin() + (m_running ? 1 : 0);
    m_tasks.erase(
        std::remove_if(waiting,
                       m_tasks.end(),
                       [owner](const Task& task) { return task.view.task.owner == owner; }),
        m_tasks.end());
    if (m_running && m_tasks.front().view.task.owner == owner)
    {
        Simulator::Remove(m_end); // a cancelled event would still advance the clock
        EndTask();
    }
    if (!m_running && !m_tasks.empty())
    {
        StartNext();
    }
}

void
Gpu::Credit(Time busy)
{
    Settle();
    m_times.busy += busy;
    m_times.waiting -= busy;
}

Time
Gpu::GetBusyTime() const
{
    return GetTimes().busy;
}

void
Gpu::SetQueuePolicy(Ptr<TaskQueuePolicy> policy)
{
    m_policy = policy;
}

void
Gpu::SetHolders(std::size_t holders)
{
    Settle();
    m_holders = holders;
}

GpuTimes
Gpu::GetTimes() const
{
    GpuTimes times = m_times;
    const Time since = Simulator::Now() - m_settled;
    (m_running ? times.busy : m_holders > 0 ? times.waiting : times.idle) += since;
    return times;
}

void
Gpu::Settle()
{
    m_times = GetTimes();
    m_settled = Simulator::Now();
}

std::size_t
Gpu::SelectNext() const
{
    if (!m_policy || m_tasks.size() == 1)
    {
        return 0;
    }
    TaskQueueView view;
    for (const Task& task : m_tasks)
    {
        view.waiting.push_back(task.view);
    }
    return m_policy->SelectNext(view);
}

} // namespace ns3::ddl
