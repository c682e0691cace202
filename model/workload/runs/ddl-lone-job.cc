// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-lone-job.h"

#include "ddl-training-job.h"

#include "ns3/abort.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(LoneJob);

TypeId
LoneJob::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::LoneJob").SetParent<Job>().SetGroupName("Ddl");
    return tid;
}

LoneJob::LoneJob(const JobSpec& spec,
                 const Placement& placement,
                 Ptr<Cluster> cluster,
                 Ptr<Transport> transport)
    : LoneJob(std::make_shared<RunSpec>(MakeRun(spec, CojobId{1}, placement, *cluster)),
              cluster,
              transport)
{
}

LoneJob::LoneJob(std::shared_ptr<RunSpec> run, Ptr<Cluster> cluster, Ptr<Transport> transport)
    : Job(run),
      m_spec(std::move(run)),
      m_cluster(cluster),
      m_transport(transport)
{
}

LoneJob::~LoneJob()
{
    Clear();
}

void
LoneJob::DoDispose()
{
    Clear();
    Job::DoDispose();
}

/** End the parts, whose last events are not noted. */
void
LoneJob::Clear()
{
    m_transport = nullptr;
    m_parts.clear();
}

void
LoneJob::Launch(Mark initial)
{
    NS_ABORT_MSG_UNLESS(m_parts.empty(), "job " << GetId() << " was launched before");
    m_mark = initial;
    for (const HostId host : GetRun().hosts)
    {
        const Ptr<Machine> machine = m_cluster->GetMachine(host);
        TaskExecutor& executor = m_executors.emplace(host, machine).first->second;
        m_parts[host] =
            TrainingJob::Of(GetSpec().kind)
                ->MakePart(m_spec,
                           {machine, m_transport->On(host), *this, executor, initial, initial, {}});
    }
}

void
LoneJob::StartStage(uint32_t stage, uint64_t iterations)
{
    for (const auto& [host, part] : m_parts)
    {
        part->StartStage(stage, iterations);
    }
}

void
LoneJob::Stop()
{
    for (const auto& [host, part] : m_parts)
    {
        part->Stop();
    }
}

RunPart&
LoneJob::On(HostId machine)
{
    const auto part = m_parts.find(machine);
    NS_ABORT_MSG_IF(part == m_parts.end(),
                    "job " << GetId() << " has no rank on machine " << machine
                           << ", or was not launched");
    return *part->second;
}

void
LoneJob::Observe(const RankEvent& event)
{
    if (m_transport)
    {
        Note(event);
    }
}

} // namespace ns3::ddl
