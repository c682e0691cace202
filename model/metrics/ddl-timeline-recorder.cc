// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-timeline-recorder.h"

#include "ns3/ddl-job-hosts.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <set>

namespace ns3::ddl
{

namespace
{

constexpr uint32_t LANES = 1000000; //!< track numbers per kind; those below are GPUs

std::string
Name(HostId host)
{
    return "h" + std::to_string(host.value);
}

std::string
Name(JobId job)
{
    return "job " + std::to_string(job.value);
}

std::string
Name(Pass pass)
{
    return pass == Pass::FORWARD ? "forward" : "backward";
}

} // namespace

TimelineRecorder::TimelineRecorder(const std::filesystem::path& file)
    : m_file(file)
{
}

void
TimelineRecorder::Watch(Ptr<Cluster> cluster)
{
    const std::vector<HostId> hosts = cluster->GetHosts();
    std::set<uint32_t> servers;
    for (const uint32_t server : cluster->ListServers(hosts))
    {
        servers.insert(server);
    }
    for (const HostId host : hosts)
    {
        m_jobsProcess = std::max(m_jobsProcess, host.value + 1);
        const Place& place = cluster->GetPlace(host);
        m_file.NameProcess(host.value,
                           Name(host) + (servers.size() == hosts.size()
                                             ? ""
                                             : ", server " + std::to_string(place.server) +
                                                   ", rack " + std::to_string(place.rack)));
        for (uint32_t index = 0; index < cluster->GetMachine(host)->GetGpuCount(); ++index)
        {
            m_file.NameTrack(host.value, index, "GPU " + std::to_string(index));
            const Ptr<Gpu> gpu = cluster->GetGpu({host, index});
            gpu->TraceConnectWithoutContext("TaskStart",
                                            MakeCallback(&TimelineRecorder::NotifyTaskStart, this));
            gpu->TraceConnectWithoutContext("TaskEnd",
                                            MakeCallback(&TimelineRecorder::NotifyTaskEnd, this));
        }
    }
    m_file.NameProcess(m_jobsProcess, "jobs");
}

void
TimelineRecorder::Watch(Ptr<JobObserver> observer)
{
    observer->TraceConnectWithoutContext("JobStart",
                                         MakeCallback(&TimelineRecorder::NotifyJobStart, this));
    observer->TraceConnectWithoutContext("RunEnd",
                                         MakeCallback(&TimelineRecorder::NotifyRunEnd, this));
}

void
TimelineRecorder::NotifyTaskStart(GpuId gpu, const GpuTask& task)
{
    m_running[gpu] = {task, Simulator::Now()};
}

void
TimelineRecorder::NotifyTaskEnd(GpuId gpu, const GpuTask& /* task */)
{
    const auto running = m_running.find(gpu);
    if (running != m_running.end()) // else Finish has cut it, and its end comes later
    {
        WriteTask(gpu, running->second, false);
        m_running.erase(running);
    }
}

void
TimelineRecorder::WriteTask(GpuId gpu, const RunningTask& running, bool cut)
{
    const GpuTask& task = running.task;
    const std::string iteration = std::to_string(task.iteration);
    m_file.AddSlice(gpu.host.value,
                    gpu.index,
                    Name(task.owner) + ", iteration " + iteration + ", " + Name(task.pass),
                    running.start,
                    Simulator::Now(),
                    "{\"job\":" + std::to_string(task.owner.value) + ",\"iteration\":" + iteration +
                        ",\"pass\":\"" + Name(task.pass) + "\",\"bucket\":" +
                        std::to_string(task.bucket) + (cut ? ",\"cut\":true}" : "}"));
}

void
TimelineRecorder::NotifyJobStart(Ptr<Job> job)
{
    m_file.NameTrack(m_jobsProcess, job->GetId().value, Name(job->GetId()));
    job->TraceConnectWithoutContext("Stopped",
                                    MakeCallback(&TimelineRecorder::NotifyJobStopped, this));
    job->TraceConnectWithoutContext("Launched",
                                    MakeCallback(&TimelineRecorder::NotifyLaunched, this));
    job->TraceConnectWithoutContext("Sending",
                                    MakeCallback(&TimelineRecorder::NotifySending, this));
    job->TraceConnectWithoutContext("Receiving",
                                    MakeCallback(&TimelineRecorder::NotifyReceiving, this));
}

void
TimelineRecorder::NotifyLaunched(Ptr<const Job> job)
{
    OpenRun& run = m_runs[job->GetId()];
    run = {job->GetRun().number, job->GetRunStart(), {}};
    WriteSuspension(job->GetId(), run.start, false);
    for (const HostId host : ListHosts(job->GetRun().rankHosts))
    {
        run.tracks.emplace_back(host, TakeLane(host, TrackKind::RUN));
    }
}

void
TimelineRecorder::NotifySending(Ptr<const Job> job, Ptr<SendingStream> stream)
{
    m_streams[stream->GetName()] = {job->GetId(),
                                    stream->GetSource(),
                                    stream->GetDestination(),
                                    {}};
    stream->TraceConnectWithoutContext("MessageSent",
                                       MakeCallback(&TimelineRecorder::NotifySent, this));
}

void
TimelineRecorder::NotifyReceiving(Ptr<const Job> /* job */, Ptr<ReceivingStream> stream)
{
    stream->TraceConnectWithoutContext("MessageDelivered",
                                       MakeCallback(&TimelineRecorder::NotifyDelivered, this));
}

void
TimelineRecorder::NotifyJobStopped(Ptr<const Job> job)
{
    const auto run = m_runs.find(job->GetId());
    if (run == m_runs.end())
    {
        return; // a machine failed before all had launched the job
    }
    WriteRun(job->GetId(), run->second, false);
    m_runs.erase(run);
    const auto suspended = m_suspended.find(job->GetId());
    if (suspended != m_suspended.end())
    {
        suspended->second.start = Simulator::Now(); // the job's run is drawn up to now
    }
    for (const auto& ended : job->GetSending())
    {
        WatchedStream& stream = m_streams.at(ended->GetName());
        while (!stream.open.empty())
        {
            WriteMessage(stream, true);
        }
        m_streams.erase(ended->GetName());
    }
}

void
TimelineRecorder::NotifyRunEnd(const JobRunRecord& run)
{
    if (run.reason != "done" && run.reason != "stopped-early")
    {
        m_suspended[run.job] = {run.reason, Simulator::Now()};
    }
}

void
TimelineRecorder::WriteSuspension(JobId job, Time end, bool cut)
{
    const auto found = m_suspended.find(job);
    if (found == m_suspended.end())
    {
        return;
    }
    const auto& [reason, start] = found->second;
    if (end > start)
    {
        m_file.AddSlice(m_jobsProcess,
                        job.value,
                        reason + ", waits for GPUs",
                        start,
                        end,
                        "{\"job\":" + std::to_string(job.value) + (cut ? ",\"cut\":true}" : "}"));
    }
    m_suspended.erase(found);
}

void
TimelineRecorder::WriteRun(JobId job, const OpenRun& run, bool cut)
{
    const std::string number = std::to_string(run.number);
    const std::string arguments = "{\"job\":" + std::to_string(job.value) + ",\"run\":" + number +
                                  (cut ? ",\"cut\":true}" : "}");
    const Time now = Simulator::Now();
    m_file.AddSlice(m_jobsProcess, job.value, "run " + number, run.start, now, arguments);
    for (const auto& [host, track] : run.tracks)
    {
        m_file
            .AddSlice(host.value, track, Name(job) + ", run " + number, run.start, now, arguments);
        FreeLane(host, TrackKind::RUN, track);
    }
}

void
TimelineRecorder::AddCounters(Time begin, Time end, const std::vector<SeriesRow>& rows)
{
    constexpr double GIGABITS = 8e-9;
    const uint32_t process = m_jobsProcess + 1;
    if (m_counters.empty() && begin.IsZero())
    {
        m_file.NameProcess(process, "counters");
    }
    std::map<std::string, double> now;
    for (const auto& row : rows)
    {
        if (row.kind == "job" && row.quantity == "bytes" && end > begin)
        {
            now["throughput of job " + row.name + ", Gbit/s"] =
                row.value * GIGABITS / (end - begin).GetSeconds();
        }
        else if (row.quantity == "backlog_bytes")
        {
            now["backlog of " + row.name + ", queue " + std::to_string(*row.queue) + ", bytes"] =
                row.value;
        }
    }
    for (const auto& [name, before] : m_counters)
    {
        now.try_emplace(name, 0);
    }
    for (const auto& [name, value] : now)
    {
        const auto before = m_counters.find(name);
        if (before == m_counters.end() || before->second != value)
        {
            // A rate holds for the interval, a backlog from its end on.
            m_file.AddCounter(process, name, name[0] == 't' ? begin : end, value);
        }
    }
    m_counters.clear();
    for (const auto& [name, value] : now)
    {
        if (value != 0)
        {
            m_counters.emplace(name, value);
        }
    }
}

void
TimelineRecorder::NotifySent(const StreamName& name, uint64_t bytes)
{
    WatchedStream& stream = m_streams.at(name);
    OpenMessage message{bytes, Simulator::Now()};
    if (stream.source == stream.destination)
    {
        message.sendLane = TakeLane(stream.source, TrackKind::LOCAL);
    }
    else
    {
        message.sendLane = TakeLane(stream.source, TrackKind::SEND);
        message.receiveLane = TakeLane(stream.destination, TrackKind::RECEIVE);
    }
    stream.open.push_back(message);
}

void
TimelineRecorder::NotifyDelivered(const StreamName& name, uint64_t /* bytes */)
{
    WriteMessage(m_streams.at(name), false);
}

void
TimelineRecorder::WriteMessage(WatchedStream& stream, bool cut)
{
    const OpenMessage message = stream.open.front();
    stream.open.pop_front();
    const bool isLocal = stream.source == stream.destination;
    const Time now = Simulator::Now();
    const std::string arguments = "{\"job\":" + std::to_string(stream.job.value) +
                                  ",\"bytes\":" + std::to_string(message.bytes) +
                                  (cut ? ",\"cut\":true}" : "}");
    m_file.AddSlice(stream.source.value,
                    message.sendLane,
                    Name(stream.job) + " to " + Name(stream.destination),
                    message.start,
                    now,
                    arguments);
    FreeLane(stream.source, isLocal ? TrackKind::LOCAL : TrackKind::SEND, message.sendLane);
    if (isLocal)
    {
        return;
    }
    m_file.AddSlice(stream.destination.value,
                    message.receiveLane,
                    Name(stream.job) + " from " + Name(stream.source),
                    message.start,
                    now,
                    arguments);
    FreeLane(stream.destination, TrackKind::RECEIVE, message.receiveLane);
    if (!cut && now > message.start)
    {
        m_file.AddArrow(++m_arrows,
                        "message",
                        {stream.source.value, message.sendLane, message.start},
                        {stream.destination.value, message.receiveLane, now - NanoSeconds(1)});
    }
}

uint32_t
TimelineRecorder::GetFirstTrack(TrackKind kind)
{
    return LANES * (1 + static_cast<uint32_t>(kind));
}

uint32_t
TimelineRecorder::TakeLane(HostId host, TrackKind kind)
{
    static const std::array<const char*, 4> names{"send", "receive", "inside", "jobs"};
    std::vector<bool>& taken = m_lanes[{host, kind}];
    const auto free = std::find(taken.begin(), taken.end(), false);
    const uint32_t lane = free - taken.begin();
    const uint32_t track = GetFirstTrack(kind) + lane;
    if (free == taken.end())
    {
        taken.push_back(true);
        m_file.NameTrack(host.value,
                         track,
                         names[static_cast<uint32_t>(kind)] + (" " + std::to_string(lane)));
    }
    taken[lane] = true;
    return track;
}

void
TimelineRecorder::FreeLane(HostId host, TrackKind kind, uint32_t track)
{
    m_lanes.at({host, kind}).at(track - GetFirstTrack(kind)) = false;
}

void
TimelineRecorder::Finish()
{
    for (const auto& [gpu, running] : m_running)
    {
        WriteTask(gpu, running, true);
    }
    for (auto& [id, stream] : m_streams)
    {
        while (!stream.open.empty())
        {
            WriteMessage(stream, true);
        }
    }
    for (const auto& [job, run] : m_runs)
    {
        WriteRun(job, run, true);
    }
    while (!m_suspended.empty())
    {
        WriteSuspension(m_suspended.begin()->first, Simulator::Now(), true);
    }
    m_running.clear();
    m_runs.clear();
    m_file.Finish();
}

} // namespace ns3::ddl
