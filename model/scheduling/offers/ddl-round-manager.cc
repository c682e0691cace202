// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-round-manager.h"

#include "ns3/abort.h"
#include "ns3/ddl-cluster-clock.h"
#include "ns3/ddl-training-job.h"
#include "ns3/log.h"

#include <string>
#include <utility>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlRoundManager");

void
RoundManager::Install(JobTable& table,
                      Ptr<RoundScheduler> scheduler,
                      Ptr<Coordinator> coordinator,
                      Ptr<const Cluster> cluster)
{
    m_table = &table;
    m_scheduler = scheduler;
    m_coordinator = coordinator;
    m_cluster = cluster;
    std::map<std::pair<std::string, uint64_t>, uint32_t> types; // by GPU and NIC
    for (const HostId host : cluster->GetHosts())
    {
        const Ptr<Machine> machine = cluster->GetMachine(host);
        for (uint32_t index = 0; index < machine->GetGpuCount(); ++index)
        {
            const auto [type, isNew] = types.emplace(
                std::make_pair(machine->GetGpuType().name, cluster->GetRate(host).GetBitRate()),
                static_cast<uint32_t>(m_typical.size()));
            if (isNew)
            {
                m_typical.push_back(host);
            }
            m_numbers[{host, index}] = static_cast<uint32_t>(m_gpus.size());
            m_gpus.push_back({host, index});
            m_types.push_back(type->second);
        }
    }
}

void
RoundManager::Stop()
{
    m_live = 0;
    m_ledger.reset();
    m_coordinator = nullptr;
    m_scheduler = nullptr;
    m_cluster = nullptr;
}

std::vector<Diagnostic>
RoundManager::Check(const CojobSpec& group) const
{
    std::vector<Diagnostic> complaints;
    const auto complain = [&](JobId job, const std::string& what) {
        complaints.push_back({"", "", "job " + std::to_string(job.value) + " " + what});
    };
    for (const JobSpec& job : group.jobs)
    {
        if (!TrainingJob::Of(job.kind)->UsesRounds())
        {
            complain(job.id, "is not made of tasks, as others of its cojob are");
            continue;
        }
        if (m_gpus.empty())
        {
            complain(job.id, "is made of tasks, and the cluster has no GPU");
        }
        if (m_scheduler->NeedsAllAtOnce() && job.workers > m_gpus.size())
        {
            complain(job.id,
                     "has rounds of " + std::to_string(job.workers) + " tasks, and the cluster " +
                         std::to_string(m_gpus.size()) + " GPUs, which the scheduler " +
                         "wants at the same time (another scheduler.rounds)");
        }
    }
    return complaints;
}

namespace
{

/**
 * \return the name of the recurring job that a job is one of (Hare §V-A, "the same names"): as the
 *         user gave it or else who trains what on how many workers; empty without name and user
 */
std::string
FindRecurringName(const JobSpec& job)
{
    if (!job.name.empty() || job.user.empty())
    {
        return job.name;
    }
    return job.user + "/" + job.model.name + "/" + std::to_string(job.workers);
}

} // namespace

Time
RoundManager::GetTaskTime(const ModelProfile& model, HostId host) const
{
    const Time compute =
        m_cluster->GetMachine(host)->GetGpuType().GetTime(model.forward + model.backward,
                                                          model.name);
    const double bytes = 2.0 * static_cast<double>(model.bytes);
    const Time moved = Seconds(GetNicSeconds(bytes, m_cluster->GetRate(host)));
    return Max(compute + moved, TimeStep(1));
}

RoundJob
RoundManager::MakeJob(const JobSpec& job, std::optional<CojobId> search, uint64_t rounds) const
{
    RoundJob made;
    made.id = job.id;
    made.search = search;
    made.name = FindRecurringName(job);
    made.weight = job.weight;
    made.tasks = job.workers;
    made.rounds = rounds;
    for (const HostId host : m_typical)
    {
        made.taskTime.push_back(GetTaskTime(job.model, host));
    }
    return made;
}

RoundLedger&
RoundManager::GetLedger()
{
    if (!m_ledger)
    {
        m_ledger = std::make_unique<RoundLedger>(m_scheduler, m_types);
    }
    return *m_ledger;
}

void
RoundManager::Expect(const std::vector<JobSpec>& jobs)
{
    std::vector<RoundJob> expected;
    for (const JobSpec& job : jobs)
    {
        expected.push_back(MakeJob(job, std::nullopt, UNKNOWN_ROUNDS));
    }
    GetLedger().Expect(expected);
}

void
RoundManager::Begin(JobRecord& job)
{
    NS_LOG_FUNCTION(this << job.GetId());
    const CojobSpec& group = job.group->GetSpec();
    const auto search = group.plain ? std::nullopt : std::make_optional(group.id);
    job.tasks.emplace();
    ++m_live;
    GetLedger().Arrive(ClusterClock::Now(), MakeJob(*job.spec, search, CountIterations(group)));
    ScheduleQuestion();
}

void
RoundManager::NoteTaskEnded(JobId id, GpuId gpu, uint64_t round)
{
    NS_LOG_FUNCTION(this << id << round);
    JobRecord* const job = m_table->FindJob(id);
    if (!job || !job->tasks)
    {
        return; // its server was heard first
    }
    const auto task = job->tasks->find(m_numbers.at(gpu));
    if (task != job->tasks->end() && task->second == round)
    {
        EndTask(*job, task->first);
    }
}

void
RoundManager::EndTask(JobRecord& job, uint32_t gpu)
{
    job.tasks->erase(gpu);
    m_ledger->EndTask(ClusterClock::Now(), gpu);
    ScheduleQuestion();
}

void
RoundManager::NoteRoundEnded(JobId id, uint64_t rounds)
{
    NS_LOG_FUNCTION(this << id << rounds);
    JobRecord& job = m_table->GetJob(id);
    while (!job.tasks->empty())
    {
        EndTask(job, job.tasks->begin()->first); // its gradients are in, so it has ended
    }
    std::optional<double> loss;
    std::optional<double> accuracy;
    if (const auto& curve = job.spec->curve)
    {
        loss = GetLoss(*curve, static_cast<double>(rounds));
        accuracy = GetAccuracy(*curve, static_cast<double>(rounds));
    }
    const bool isLast = rounds == CountIterations(job.group->GetSpec());
    m_ledger->EndRound(ClusterClock::Now(), id, isLast, loss, accuracy);
    if (isLast)
    {
        job.tasks.reset();
        --m_live;
    }
    ScheduleQuestion();
}

void
RoundManager::ScheduleQuestion()
{
    if (!std::exchange(m_isDue, true))
    {
        m_coordinator->AtEndOfInstant([this]() { Ask(); });
    }
}

void
RoundManager::Ask()
{
    m_isDue = false;
    if (m_live == 0)
    {
        return;
    }
    for (const RoundAssignment& assignment : m_ledger->Assign(ClusterClock::Now()))
    {
        const uint64_t round = m_ledger->Get(assignment.job).done;
        JobRecord& job = m_table->GetJob(assignment.job);
        for (const uint32_t gpu : assignment.gpus)
        {
            (*job.tasks)[gpu] = round;
            m_coordinator->RunTask(assignment.job, m_gpus[gpu], round);
        }
    }
}

} // namespace ns3::ddl
