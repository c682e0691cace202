// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-series-recorder.h"

#include "ddl-result-tables.h"

#include "ns3/ddl-cluster.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-job-manager.h"
#include "ns3/ddl-job-observer.h"
#include "ns3/ddl-leaps.h"
#include "ns3/simulator.h"

#include <cmath>
#include <utility>

namespace ns3::ddl
{

SeriesRecorder::SeriesRecorder(const std::filesystem::path& file,
                               Time interval,
                               Ptr<TrainingCluster> cluster)
    : m_file(file, Table<SeriesRow>::Find().GetHeader()),
      m_interval(interval),
      m_begin(Simulator::Now()),
      m_cluster(cluster),
      m_gpus(m_cluster->GetMachines()->GetGpuTimes())
{
    for (const NamedPort& port : cluster->GetFabric()->GetPorts())
    {
        m_ports.push_back({port.device,
                           port.node + "-" + std::to_string(port.port) + "-" + port.peer,
                           std::vector<QueueCounts>(port.device->GetQueues())});
    }
    cluster->GetJobManager()->TraceConnectWithoutContext(
        "CojobArrival",
        MakeCallback(&SeriesRecorder::NotifyArrival, this));
    const auto observer = cluster->GetJobObserver();
    observer->TraceConnectWithoutContext("JobStart",
                                         MakeCallback(&SeriesRecorder::NotifyJobStart, this));
    observer->TraceConnectWithoutContext("JobEnd",
                                         MakeCallback(&SeriesRecorder::NotifyJobEnd, this));
    m_next = Simulator::Schedule(m_interval, &SeriesRecorder::Sample, this);
}

SeriesRecorder::~SeriesRecorder()
{
    m_next.Cancel();
}

void
SeriesRecorder::SetListener(Listener listener)
{
    m_listener = std::move(listener);
}

void
SeriesRecorder::Finish()
{
    m_next.Cancel();
    if (const auto leaps = m_cluster->GetParts().leaps)
    {
        leaps->Settle();
    }
    if (Simulator::Now() > m_begin || !m_endedNow.empty())
    {
        WriteAll();
    }
    m_file.Finish();
}

void
SeriesRecorder::NotifyArrival(const CojobSpec& cojob)
{
    m_arrived += cojob.jobs.size();
}

void
SeriesRecorder::NotifyJobStart(Ptr<Job> job)
{
    m_jobs.try_emplace(job->GetId(), WatchedJob{job});
}

void
SeriesRecorder::NotifyJobEnd(Ptr<Job> job, bool /* stoppedEarly */)
{
    ++m_ended;
    m_endedNow.push_back(job->GetId());
}

void
SeriesRecorder::Sample()
{
    ++m_events;
    WriteAll();
    m_next = Simulator::Schedule(m_interval, &SeriesRecorder::Sample, this);
}

void
SeriesRecorder::WriteAll()
{
    for (WatchedPort& port : m_ports)
    {
        WritePort(port);
    }
    WriteJobs();
    WriteGpus();
    if (m_listener)
    {
        m_listener(m_begin, Simulator::Now(), m_rows);
        m_rows.clear();
    }
    m_begin = Simulator::Now();
}

SeriesRecorder::QueueCounts
SeriesRecorder::Count(const WatchedPort& port, uint32_t queue) const
{
    const TrainingClusterParts& parts = m_cluster->GetParts();
    QueueCounts counts;
    if (parts.transport->HasPackets())
    {
        const QueueCounters counters = port.device->GetCounters(queue);
        counts = {counters.bytes,
                  counters.dropped,
                  counters.marked,
                  port.device->GetBusyTime(queue)};
    }
    else
    {
        const QueueTraffic traffic = parts.transport->GetTraffic(port.device, queue);
        counts.bytes = static_cast<uint64_t>(std::llround(traffic.bytes));
        counts.busy = traffic.busy;
    }
    return counts;
}

void
SeriesRecorder::WritePort(WatchedPort& port)
{
    const double seconds = (Simulator::Now() - m_begin).GetSeconds();
    const bool hasPackets = m_cluster->GetTransport()->HasPackets();
    Write({"port", port.name}, "down", port.device->IsLinkUp() ? 0 : 1);
    for (uint32_t queue = 0; queue < port.queues.size(); ++queue)
    {
        const QueueCounts counts = Count(port, queue);
        QueueCounts& before = port.queues[queue];
        const uint64_t backlog = hasPackets ? port.device->GetBacklog(queue) : 0;
        if (counts.busy == before.busy && counts.dropped == before.dropped &&
            counts.bytes == before.bytes && backlog == 0)
        {
            continue; // nothing has changed at most queues, most of the time
        }
        const Subject subject{"port", port.name, queue};
        Write(subject, "bytes", static_cast<double>(counts.bytes - before.bytes));
        if (seconds > 0)
        {
            Write(subject, "utilisation", (counts.busy - before.busy).GetSeconds() / seconds);
        }
        Write(subject, "dropped", static_cast<double>(counts.dropped - before.dropped));
        Write(subject, "marked", static_cast<double>(counts.marked - before.marked));
        Write(subject, "backlog_bytes", static_cast<double>(backlog));
        before = counts;
    }
}

void
SeriesRecorder::WriteJobs()
{
    uint64_t running = 0;
    for (auto& [id, watched] : m_jobs)
    {
        const Subject subject{"job", std::to_string(id.value)};
        const uint64_t arrived = watched.job->GetDeliveredBytes();
        Write(subject, "bytes", static_cast<double>(arrived - watched.bytes));
        watched.bytes = arrived;
        Write(subject,
              "attained_gpu_s",
              watched.job->GetOccupiedTime().GetSeconds() *
                  static_cast<double>(ListGpus(watched.job->GetPlacement()).size()));
        running += watched.job->IsRunning() ? 1 : 0;
    }
    for (const JobId& id : m_endedNow)
    {
        running -= m_jobs.at(id).job->IsRunning() ? 1 : 0; // it is over, but still stopping
        m_jobs.erase(id);
    }
    m_endedNow.clear();
    const Subject jobs{"jobs", "all"};
    Write(jobs, "running", static_cast<double>(running));
    Write(jobs, "waiting", static_cast<double>(m_arrived - m_ended - running));
}

void
SeriesRecorder::WriteGpus()
{
    const double seconds = (Simulator::Now() - m_begin).GetSeconds();
    const GpuTimes times = m_cluster->GetMachines()->GetGpuTimes();
    if (seconds > 0)
    {
        const Subject gpus{"gpus", "all"};
        const auto write = [&](const char* quantity, Time now, Time before) {
            // a leap may turn time of the interval before into busy time
            Write(gpus, quantity, (now.GetSeconds() - before.GetSeconds()) / seconds);
        };
        write("busy", times.busy, m_gpus.busy);
        write("waiting", times.waiting, m_gpus.waiting);
        write("idle", times.idle, m_gpus.idle);
    }
    m_gpus = times;
}

void
SeriesRecorder::Write(const Subject& subject, const char* quantity, double value)
{
    if (value == 0)
    {
        return;
    }
    SeriesRow row{Simulator::Now(), subject.kind, subject.name, subject.queue, quantity, value};
    Table<SeriesRow>::Find().Write(m_file.GetWriter(), row);
    m_file.NoteRow();
    if (m_listener)
    {
        m_rows.push_back(std::move(row));
    }
}

} // namespace ns3::ddl
