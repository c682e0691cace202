// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-worker-app.h"

#include "ddl-job-service.h"
#include "ddl-job.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace ddl
{

NS_LOG_COMPONENT_DEFINE("DdlWorkerApp");
NS_OBJECT_ENSURE_REGISTERED(WorkerApp);

TypeId
WorkerApp::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::WorkerApp")
                            .SetParent<RankApp>()
                            .SetGroupName("Ddl")
                            .AddConstructor<WorkerApp>();
    return tid;
}

WorkerApp::WorkerApp()
    : m_computed(MakeCallback(&WorkerApp::Computed, this))
{
    NS_LOG_FUNCTION(this);
}

WorkerApp::~WorkerApp()
{
    NS_LOG_FUNCTION(this);
}

void
WorkerApp::SetCompute(Ptr<Gpu> gpu, const TaskTimes& times)
{
    NS_LOG_FUNCTION(this << gpu);
    m_gpu = gpu;
    m_times = times;
}

void
WorkerApp::DoAddIterations()
{
    if (!m_running)
    {
        Begin();
    }
}

bool
WorkerApp::IsReadyFor(uint32_t /* iteration */) const
{
    return false; // it has yet to compute
}

void
WorkerApp::Begin()
{
    NS_LOG_FUNCTION(this << GetOldest());
    m_running = true;
    GetRawJob()->WorkerBegan(GetOldest());
    if (m_gpu)
    {
        const JobSpec& spec = GetRawJob()->GetSpec();
        const Time left = GetComputeTime(spec, GetAllowed() - GetOldest());
        m_gpu->Submit(m_times.Draw(), m_computed, spec.id, Multiply(left, spec.workers));
    }
    else
    {
        m_task = Simulator::Schedule(m_times.Draw(), &WorkerApp::Computed, this);
    }
}

void
WorkerApp::Computed()
{
    NS_LOG_FUNCTION(this << GetOldest());
    const Ptr<Job> job = GetJob(); // which what follows may end
    job->WorkerComputed(GetOldest());
    if (!job->IsGated())
    {
        Admit();
    }
}

void
WorkerApp::Admit()
{
    if (IsHalted())
    {
        return;
    }
    SetReady(GetOldest());
    CheckFinished();
}

void
WorkerApp::DoArrive(uint32_t iteration)
{
    if (iteration == GetOldest())
    {
        CheckFinished();
    }
}

void
WorkerApp::DoDelivered(uint32_t iteration)
{
    // Only a worker that is sent nothing waits for all its own transfers.
    if (GetPlan().GetSlots() == 0)
    {
        --At(iteration).outbound;
    }
    if (iteration == GetOldest())
    {
        CheckFinished();
    }
}

void
WorkerApp::CheckFinished()
{
    if (!m_running)
    {
        return;
    }
    const Progress& progress = At(GetOldest());
    const uint32_t missing = GetPlan().GetSlots() > 0 ? progress.inbound : progress.outbound;
    if (!progress.ready || missing > 0 || progress.unsent > 0)
    {
        return;
    }
    const uint32_t iteration = GetOldest();
    NS_LOG_LOGIC("iteration " << iteration << " is over");
    Retire();
    m_running = false;
    GetRawJob()->WorkerFinished(iteration); // may start the next stage, or stop the job
    if (!m_running && !IsHalted() && GetOldest() < GetAllowed())
    {
        Begin();
    }
}

void
WorkerApp::DoHalt()
{
    if (m_gpu)
    {
        m_gpu->Cancel(GetRawJob()->GetId());
        m_gpu = nullptr;
    }
    m_task.Cancel();
    m_running = false;
}

} // namespace ddl
} // namespace ns3
