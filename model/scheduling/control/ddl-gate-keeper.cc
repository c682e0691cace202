// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-gate-keeper.h"

#include "ns3/abort.h"
#include "ns3/ddl-cluster-clock.h"
#include "ns3/ddl-job-service.h"
#include "ns3/ddl-nic-bytes.h"

#include <algorithm>
#include <utility>

namespace ns3::ddl
{

namespace
{

/** Erase what a job has asked for. \return whether there was something */
template <typename ByAsker>
bool
EraseJob(ByAsker& tasks, JobId job)
{
    const std::size_t before = tasks.size();
    auto task = tasks.lower_bound({job, {}, 0});
    while (task != tasks.end() && task->first.job == job)
    {
        task = tasks.erase(task);
    }
    return tasks.size() < before;
}

} // namespace

void
GateKeeper::Install(Ptr<CommunicationGate> gate,
                    Ptr<ControlPlane> plane,
                    const ContentionModel& model,
                    LinkMap links)
{
    m_gate = gate;
    m_plane = plane;
    m_model = model;
    m_links = std::move(links);
}

GateKeeper::Asker
GateKeeper::MakeAsker(HostId machine, JobId job, std::optional<uint32_t> gpu, uint64_t iteration)
{
    return gpu ? Asker{job, GpuId{machine, *gpu}, iteration} : Asker{job, {}, 0};
}

void
GateKeeper::RemoveJob(JobId job)
{
    EraseJob(m_waiting, job);
}

void
GateKeeper::Handle(HostId machine, const ControlMessage& message)
{
    if (!IsAsked())
    {
        return;
    }
    if (const auto* request = std::get_if<GateRequest>(&message))
    {
        m_totals.messages += 1;
        m_totals.bytes += GetWireBytes(message);
        Ask(MakeAsker(machine, request->job, request->gpu, request->iteration), *request);
    }
    else if (const auto* ended = std::get_if<CoflowEnded>(&message))
    {
        m_totals.messages += 1;
        m_totals.bytes += GetWireBytes(message);
        End(MakeAsker(machine, ended->job, ended->gpu, ended->iteration));
    }
    else if (const auto* task = std::get_if<TaskEnded>(&message)) // its gradients are moved
    {
        End(MakeAsker(machine, task->job, task->gpu, task->round + 1));
    }
}

void
GateKeeper::EndJob(JobId job)
{
    m_known.erase(job);
    if (IsAsked() && EraseJob(m_running, job))
    {
        ScheduleAnswers();
    }
}

void
GateKeeper::Ask(const Asker& asker, const GateRequest& request)
{
    ++m_totals.requests;
    const JobRecord* const job = m_table->FindJob(request.job);
    if (!job || !job->live)
    {
        return; // the job was told to stop while it asked
    }
    NS_ABORT_MSG_IF(m_waiting.count(asker) + m_running.count(asker) > 0,
                    "job " << request.job << " asks before the end of what it asked for");
    const uint64_t left = job->run->iterations - (request.iteration - 1);
    std::vector<HostId> servers = ListNetworkHosts(job->run->hostBytes);
    if (asker.gpu)
    {
        servers.insert(std::lower_bound(servers.begin(), servers.end(), asker.gpu->host),
                       asker.gpu->host);
    }
    const CommunicationTask task{request.job,
                                 servers,
                                 request.bytes,
                                 ClusterClock::Now(),
                                 GetRemainingService(job->run->cost, left),
                                 {},
                                 asker.gpu,
                                 asker.round};
    if (m_gate->WantsTraffic() && !asker.gpu)
    {
        NoteRequest(*job);
    }
    m_waiting.emplace(asker, Request{task, request.iteration});
    ScheduleAnswers();
}

void
GateKeeper::End(const Asker& asker)
{
    if (m_running.erase(asker) > 0)
    {
        ScheduleAnswers();
    }
}

void
GateKeeper::ScheduleAnswers()
{
    if (!m_answerDue)
    {
        m_answerDue = true;
        m_end.Add([this] { Answer(); });
    }
}

/** At the end of an instant: try the waiting transfers, shortest service first. */
void
GateKeeper::Answer()
{
    m_answerDue = false;
    GateView view = MakeView();
    for (view.candidate = 0; view.candidate < view.ready.size();)
    {
        AddServers(view);
        const GateAnswer answer = m_gate->MayStart(view);
        if (!answer && !answer.GetDate())
        {
            ++view.candidate;
            continue;
        }
        const Asker asker{view.GetTask().job, view.GetTask().gpu, view.GetTask().round};
        if (answer)
        {
            Grant(asker);
        }
        else
        {
            m_waiting.at(asker).start = answer.GetDate();
            ClusterClock::Schedule(*answer.GetDate() - view.now,
                                   &GateKeeper::KeepDate,
                                   this,
                                   asker,
                                   *answer.GetDate());
        }
        const uint32_t next = view.candidate;
        view = MakeView();
        view.candidate = next; // the answered one has left the list
    }
}

/** The date of a transfer has come. The job may have been stopped since it got the date. */
void
GateKeeper::KeepDate(const Asker& asker, Time date)
{
    const auto request = m_waiting.find(asker);
    if (request != m_waiting.end() && request->second.start == date)
    {
        Grant(asker);
    }
}

/** A job asks for an iteration: note the traffic of a new run, or how long the last one took. */
void
GateKeeper::NoteRequest(const JobRecord& job)
{
    KnownJob& known = m_known[job.GetId()];
    if (known.run != job.run->number)
    {
        known.run = job.run->number;
        known.job = {std::make_shared<const JobTraffic>(ForeseeTraffic(*job.run, m_links))};
    }
    else if (known.job.lastStart)
    {
        JobTraffic traffic = *known.job.traffic;
        const Time length = ClusterClock::Now() - *known.job.lastStart;
        if (known.job.starts == 1 || length < traffic.iteration)
        {
            traffic.iteration = length;
            known.job.traffic = std::make_shared<const JobTraffic>(std::move(traffic));
        }
    }
}

void
GateKeeper::NoteGrant(JobId job)
{
    const auto known = m_known.find(job);
    if (known != m_known.end())
    {
        ++known->second.job.starts;
        known->second.job.lastStart = ClusterClock::Now();
    }
}

GateView
GateKeeper::MakeView() const
{
    GateView view;
    view.now = ClusterClock::Now();
    view.model = m_model;
    for (const auto& [asker, request] : m_waiting)
    {
        if (!request.start)
        {
            view.ready.push_back(request.task);
        }
    }
    for (const auto& [id, known] : m_known)
    {
        view.jobs.push_back(known.job);
    }
    std::sort(view.ready.begin(), view.ready.end(), [](const auto& a, const auto& b) {
        return std::tie(a.service, a.reported, a.job, a.gpu, a.round) <
               std::tie(b.service, b.reported, b.job, b.gpu, b.round);
    });
    const JobOracle* const oracle = m_gate->WantsTruth() ? m_table->GetOracle() : nullptr;
    for (const auto& [asker, task] : m_running)
    {
        view.running.push_back(task);
        if (oracle && !asker.gpu)
        {
            view.running.back().truth = oracle->GetBusiestBytesLeft(asker.job);
        }
    }
    return view;
}

/** List the running tasks at each server of the candidate. */
void
GateKeeper::AddServers(GateView& view) const
{
    view.servers.clear();
    for (const HostId host : view.GetTask().servers)
    {
        GateServer server{host, {}};
        for (uint32_t i = 0; i < view.running.size(); ++i)
        {
            const auto& servers = view.running[i].servers;
            if (std::binary_search(servers.begin(), servers.end(), host))
            {
                server.tasks.push_back(i);
            }
        }
        view.servers.push_back(server);
    }
}

/** Let a waiting transfer start. */
void
GateKeeper::Grant(const Asker& asker)
{
    const Request request = m_waiting.at(asker);
    m_waiting.erase(asker);
    const Time now = ClusterClock::Now();
    NoteGrant(asker.job);
    ++m_totals.grants;
    m_totals.held += now > request.task.reported ? 1 : 0;
    m_totals.heldTime += now - request.task.reported;
    CommunicationTask& running = m_running.emplace(asker, request.task).first->second;
    running.reported = now; // none of its bytes moved before
    GateGrant grant{asker.job, request.iteration};
    std::vector<HostId> machines = m_table->GetJob(asker.job).run->machines;
    if (asker.gpu)
    {
        grant.gpu = asker.gpu->index;
        machines = {asker.gpu->host};
    }
    for (const HostId machine : machines)
    {
        m_totals.messages += 1;
        m_totals.bytes += GetWireBytes(grant);
        m_plane->ToAgent(machine, grant);
    }
}

void
GateKeeper::Dispose()
{
    m_waiting.clear();
    m_running.clear();
    m_known.clear();
    m_gate = nullptr;
    m_plane = nullptr;
}

} // namespace ns3::ddl
