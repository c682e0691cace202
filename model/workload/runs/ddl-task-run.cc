// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-task-run.h"

#include "ddl-job-hosts.h"

#include "ns3/abort.h"
#include "ns3/log.h"

#include <limits>
#include <utility>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlTaskRun");

namespace
{

constexpr uint32_t SERVER_END = UINT32_MAX; //!< the server in names of streams; others are machines

} // namespace

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
                  std::function<void()> done)
{
    Slot& slot = m_slots.at(gpu);
    NS_ABORT_MSG_IF(slot.done,
                    "GPU " << gpu << " of machine " << m_machine->GetHost() << " has a task");
    const Time switching = slot.last == run.GetId() ? Time() : run.job.model.switching;
    slot.last = run.GetId();
    slot.done = std::move(done);
    m_machine->GetGpu(gpu)->Submit(switching + compute,
                                   MakeBoundCallback(&TaskExecutor::Finish, this, gpu),
                                   {run.GetId(), Pass::BACKWARD, round + 1, 0});
}

void
TaskExecutor::Finish(TaskExecutor* executor, uint32_t gpu)
{
    std::exchange(executor->m_slots[gpu].done, nullptr)();
}

void
TaskExecutor::Cancel(JobId job)
{
    for (uint32_t gpu = 0; gpu < m_slots.size(); ++gpu)
    {
        Slot& slot = m_slots[gpu];
        if (slot.done && slot.last == job)
        {
            m_machine->GetGpu(gpu)->Cancel(job);
            slot.last.reset();
            slot.done = nullptr;
        }
        if (slot.holder && slot.holder->first == job)
        {
            Release(gpu);
        }
    }
}

TaskRun::TaskRun(std::shared_ptr<const RunSpec> run, const RunSite& site)
    : RunPart(std::move(run), site),
      m_executor(site.executor),
      m_times(m_run->job.noise, GetId(), GetHost().value),
      m_done(m_run->first)
{
    NS_LOG_FUNCTION(this << GetId() << GetHost());
    Observe(RankEvent::Kind::LAUNCHED);
}

TaskRun::~TaskRun()
{
    Stop();
}

void
TaskRun::StartStage(uint32_t stage, uint64_t iterations)
{
    NS_LOG_FUNCTION(this << stage << iterations);
    m_granted += iterations;
    Observe(RankEvent::Kind::STAGE, m_granted, stage);
}

void
TaskRun::RunTask(uint64_t round, uint32_t gpu)
{
    NS_LOG_FUNCTION(this << round << gpu);
    NS_ABORT_MSG_UNLESS(m_rounds.emplace(gpu, round).second,
                        "GPU " << gpu << " of machine " << GetHost() << " has a task of job "
                               << GetId());
    if (!m_toServer)
    {
        OpenToServer();
    }
    m_executor.Take(GetId(), gpu, round);
    Observe(RankEvent::Kind::BEGAN, round);
    if (IsServer())
    {
        SendParameters(GetHost(), round, gpu);
    }
    else if (Asks())
    {
        Ask(round, gpu);
    }
    else
    {
        m_software.HandlePull(*m_run, round, gpu);
    }
}

void
TaskRun::Ask(uint64_t round, uint32_t gpu)
{
    Observe(RankEvent::Kind::ASKED, round);
    m_software.HandleAsk(*m_run, round, gpu);
}

void
TaskRun::AdmitTask(uint64_t round, uint32_t gpu)
{
    NS_LOG_FUNCTION(this << round << gpu);
    Observe(RankEvent::Kind::ADMITTED, round);
    const auto task = m_rounds.find(gpu); // none: the task has computed
    task == m_rounds.end() ? Push(round, gpu) : m_software.HandlePull(*m_run, round, gpu);
}

void
TaskRun::OpenToServer()
{
    const HostId server = m_run->GetLeader();
    m_toServer = OpenTo(server, GetHost().value, SERVER_END);
    AcceptFrom(server, SERVER_END, GetHost().value)->SetReceiver([this](const MessageTag& tag) {
        Execute(tag.iteration, tag.slot);
    });
}

void
TaskRun::OpenToExecutor(HostId executor)
{
    m_toExecutors[executor] = OpenTo(executor, SERVER_END, executor.value);
    AcceptFrom(executor, executor.value, SERVER_END)->SetReceiver([this](const MessageTag& tag) {
        NoteGradient(tag.iteration);
    });
}

Ptr<SendingStream>
TaskRun::OpenTo(HostId peer, uint32_t source, uint32_t destination)
{
    return Open(peer,
                {GetId(), m_run->number, source, destination},
                m_software.GetDataMark(*m_run, peer),
                MakeFlowLabel(GetId(), source, destination));
}

Ptr<ReceivingStream>
TaskRun::AcceptFrom(HostId peer, uint32_t source, uint32_t destination)
{
    return Accept(peer,
                  {GetId(), m_run->number, source, destination},
                  m_software.GetAckMark(*m_run, peer));
}

void
TaskRun::SendParameters(HostId executor, uint64_t round, uint32_t gpu)
{
    NS_LOG_FUNCTION(this << executor << round << gpu);
    NS_ABORT_MSG_UNLESS(IsServer(), "machine " << GetHost() << " has no server of job " << GetId());
    NS_ABORT_MSG_IF(round != m_done,
                    "a task asks for round " << round << " of job " << GetId() << " in round "
                                             << m_done);
    if (m_toExecutors.count(executor) == 0)
    {
        OpenToExecutor(executor);
    }
    m_toExecutors.at(executor)->Send(m_run->job.model.bytes, {round, executor.value, gpu});
}

/** Run a task whose parameters have arrived. */
void
TaskRun::Execute(uint64_t round, uint32_t gpu)
{
    NS_LOG_FUNCTION(this << round << gpu);
    if (Asks())
    {
        m_software.HandlePulled(*m_run, round, gpu);
    }
    const ModelProfile& model = m_run->job.model;
    const Time both = m_machine->GetGpuType().GetTime(model.forward + model.backward, model.name);
    m_executor.Run(*m_run, gpu, round, m_times.Draw(both), [this, gpu]() { NotifyComputed(gpu); });
}

void
TaskRun::NotifyComputed(uint32_t gpu)
{
    const uint64_t round = m_rounds.at(gpu);
    m_rounds.erase(gpu);
    Observe(RankEvent::Kind::COMPUTED, round);
    Observe(RankEvent::Kind::READY, round);
    Asks() ? Ask(round, gpu) : Push(round, gpu);
}

/** Send the gradients of a task. */
void
TaskRun::Push(uint64_t round, uint32_t gpu)
{
    m_pushed.emplace_back(round, gpu);
    m_toServer->Send(m_run->job.model.bytes,
                     {round, SERVER_END, gpu},
                     MakeCallback(&TaskRun::NotifyPushed, this));
}

void
TaskRun::NotifyPushed()
{
    const auto [round, gpu] = m_pushed.front();
    m_pushed.pop_front();
    m_executor.Free(GetId(), gpu, round);
    m_software.HandleTaskEnded(*m_run, round, gpu);
}

void
TaskRun::NoteGradient(uint64_t round)
{
    NS_ABORT_MSG_IF(round != m_done,
                    "a gradient of round " << round << " of job " << GetId() << " comes in round "
                                           << m_done);
    const bool isLast = ++m_gradients == m_run->job.workers;
    if (isLast)
    {
        m_gradients = 0;
        ++m_done;
    }
    Observe(RankEvent::Kind::FINISHED, round);
    if (isLast)
    {
        m_software.HandleRoundEnded(*m_run, m_done);
    }
}

uint64_t
TaskRun::GetFinished() const
{
    return IsServer() ? m_done : std::numeric_limits<uint64_t>::max();
}

void
TaskRun::DoStop()
{
    m_executor.Cancel(GetId());
    if (m_toServer)
    {
        m_toServer->Close();
    }
    for (const auto& [host, stream] : m_toExecutors)
    {
        stream->Close();
    }
}

} // namespace ns3::ddl
