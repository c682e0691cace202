// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-gpu.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace ddl
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
                            "A task begins to run: GPU, owner.",
                            MakeTraceSourceAccessor(&Gpu::m_taskStart),
                            "ns3::ddl::Gpu::TaskCallback")
            .AddTraceSource("TaskEnd",
                            "The running task is over or was cancelled: GPU, owner.",
                            MakeTraceSourceAccessor(&Gpu::m_taskEnd),
                            "ns3::ddl::Gpu::TaskCallback");
    return tid;
}

Gpu::Gpu(GpuId id)
    : m_id(id)
{
    NS_LOG_FUNCTION(this << id.host << id.index);
}

Gpu::~Gpu()
{
    NS_LOG_FUNCTION(this);
}

void
Gpu::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_end.Cancel();
    m_running = false;
    m_tasks.clear();
    Object::DoDispose();
}

GpuId
Gpu::GetId() const
{
    return m_id;
}

void
Gpu::Submit(Time duration, DoneCallback done, JobId owner)
{
    NS_LOG_FUNCTION(this << duration << owner);
    NS_ABORT_MSG_IF(duration.IsStrictlyNegative(), "a task of " << duration << " cannot run");
    m_tasks.push_back({duration, std::move(done), owner});
    if (!m_running)
    {
        StartNext();
    }
}

void
Gpu::StartNext()
{
    m_running = true;
    m_started = Simulator::Now();
    m_end = Simulator::Schedule(m_tasks.front().duration, &Gpu::Finish, this);
    m_taskStart(m_id, m_tasks.front().owner);
}

void
Gpu::EndTask()
{
    const JobId owner = m_tasks.front().owner;
    m_busy += Simulator::Now() - m_started;
    m_running = false;
    m_tasks.pop_front();
    m_taskEnd(m_id, owner);
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
    m_tasks.erase(std::remove_if(waiting,
                                 m_tasks.end(),
                                 [owner](const Task& task) { return task.owner == owner; }),
                  m_tasks.end());
    if (m_running && m_tasks.front().owner == owner)
    {
        Simulator::Remove(m_end); // a cancelled event would still draw the clock on
        EndTask();
    }
    if (!m_running && !m_tasks.empty())
    {
        StartNext();
    }
}

bool
Gpu::IsBusy() const
{
    return m_running;
}

std::size_t
Gpu::GetQueueLength() const
{
    return m_tasks.size() - (m_running ? 1 : 0);
}

Time
Gpu::GetBusyTime() const
{
    return m_running ? m_busy + (Simulator::Now() - m_started) : m_busy;
}

} // namespace ddl
} // namespace ns3
