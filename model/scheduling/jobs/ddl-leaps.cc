// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-leaps.h"

#include "ddl-job-manager.h"

#include "ns3/ddl-job-hosts.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlLeaps");
NS_OBJECT_ENSURE_REGISTERED(Leaps);

namespace
{

constexpr int64_t ALIKE = 3;       //!< iterations that have to be
constexpr uint64_t LEAST_LEAP = 5; //!< iterations
constexpr int64_t GUARD = 2;       //!< iterations before a change

LeaptTraffic
operator-(LeaptTraffic after, const LeaptTraffic& before)
{
    return {after.packets - before.packets,
            after.bytes - before.bytes,
            after.marked - before.marked,
            after.busy - before.busy};
}

LeaptTraffic
operator*(const LeaptTraffic& each, uint64_t times)
{
    return {each.packets * times,
            each.bytes * times,
            each.marked * times,
            TimeStep(each.busy.GetTimeStep() * times)};
}

/** \return so many periods later; the end of time at most */
Time
After(Time begin, Time period, uint64_t count)
{
    const uint64_t room = (Time::Max() - begin).GetTimeStep() / period.GetTimeStep();
    return count < room ? begin + TimeStep(period.GetTimeStep() * count) : Time::Max();
}

} // namespace

LeaptTraffic&
LeaptTraffic::operator+=(const LeaptTraffic& other)
{
    packets += other.packets;
    bytes += other.bytes;
    marked += other.marked;
    busy += other.busy;
    return *this;
}

TypeId
Leaps::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::Leaps")
            .SetParent<Object>()
            .SetGroupName("Ddl")
            .AddConstructor<Leaps>()
            .AddAttribute("Tolerance",
                          "By how much of its length iterations may differ that repeat",
                          DoubleValue(0.001),
                          MakeDoubleAccessor(&Leaps::m_tolerance),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

Leaps::Leaps() = default;
Leaps::~Leaps() = default;

void
Leaps::DoDispose()
{
    for (auto& [id, sleeper] : m_jobs)
    {
        sleeper.wake.Cancel();
    }
    m_jobs.clear();
    m_agents.clear();
    m_parts = {};
    Object::DoDispose();
}

void
Leaps::Watch(const Parts& parts)
{
    m_parts = parts;
    for (const auto& agent : parts.agents)
    {
        m_agents[agent->GetHost()] = agent;
    }
    parts.observer->TraceConnectWithoutContext("JobStart",
                                               MakeCallback(&Leaps::NotifyJobStart, this));
    parts.observer->TraceConnectWithoutContext("RunEnd", MakeCallback(&Leaps::NotifyRunEnd, this));
    parts.manager->TraceConnectWithoutContext("Grant", MakeCallback(&Leaps::NotifyGrant, this));
}

void
Leaps::NotifyJobStart(Ptr<Job> job)
{
    m_jobs[job->GetId()].job = job;
    job->SetLeap(this);
}

/** A run begins. Whoever shares something with it is disturbed. */
void
Leaps::NotifyGrant(std::shared_ptr<const RunSpec> run)
{
    Sleeper& sleeper = m_jobs.at(run->GetId());
    sleeper.run = run;
    sleeper.hasRun = true;
    sleeper.last.clear();
    SetPorts(sleeper);
    std::set<JobId> disturbed;
    for (const auto& port : sleeper.ports)
    {
        const auto& users = m_users[PeekPointer(port)];
        disturbed.insert(users.begin(), users.end());
    }
    for (const GpuId& gpu : ListGpus(run->placement))
    {
        m_holders[gpu].insert(run->GetId());
        disturbed.insert(m_holders[gpu].begin(), m_holders[gpu].end());
    }
    for (const JobId job : disturbed)
    {
        Wake(job);
    }
}

void
Leaps::NotifyRunEnd(const JobRunRecord& run)
{
    const auto known = m_jobs.find(run.job);
    if (known == m_jobs.end())
    {
        return;
    }
    Sleeper& sleeper = known->second;
    ClearPorts(sleeper);
    for (const GpuId& gpu : ListGpus(sleeper.run->placement))
    {
        m_holders[gpu].erase(run.job);
    }
    sleeper.hasRun = false;
    sleeper.last.clear();
    if (run.reason == "done" || run.reason == "stopped-early")
    {
        sleeper.job->SetLeap(nullptr);
        m_jobs.erase(known);
    }
}

/** \return ports that packets may leave from on that way, and all that share a switch's buffer with
 * one of them */
std::vector<Ptr<Port>>
Leaps::ListPorts(HostId from, HostId to) const
{
    std::vector<Ptr<Port>> ports = m_parts.fabric->ListPortsBetween(from, to);
    std::set<Ptr<Switch>> sharing;
    for (const auto& port : ports)
    {
        const auto node = DynamicCast<Switch>(port->GetNode());
        if (node && node->GetSharedBuffer())
        {
            sharing.insert(node);
        }
    }
    for (const auto& node : sharing)
    {
        for (uint32_t device = 0; device < node->GetNDevices(); ++device)
        {
            ports.push_back(DynamicCast<Port>(node->GetDevice(device)));
        }
    }
    return ports;
}

/** Note which ports the packets and the acknowledgements of its run may leave from. */
void
Leaps::SetPorts(Sleeper& sleeper)
{
    const RunSpec& run = *sleeper.run;
    std::set<std::pair<HostId, HostId>> pairs;
    for (const JobPlan::Channel& channel : run.plan.channels)
    {
        const HostId source = run.rankHosts[channel.source];
        const HostId destination = run.rankHosts[channel.destination];
        pairs.insert({{source, destination}, {destination, source}});
    }
    std::set<Ptr<Port>> ports;
    for (const auto& [from, to] : pairs)
    {
        const auto between = ListPorts(from, to);
        ports.insert(between.begin(), between.end());
    }
    sleeper.ports.assign(ports.begin(), ports.end());
    for (const auto& port : sleeper.ports)
    {
        m_users[PeekPointer(port)].insert(run.GetId());
    }
}

void
Leaps::ClearPorts(Sleeper& sleeper)
{
    for (const auto& port : sleeper.ports)
    {
        m_users[PeekPointer(port)].erase(sleeper.run->GetId());
    }
    sleeper.ports.clear();
}

bool
Leaps::IsAlone(const Sleeper& sleeper) const
{
    const auto gpus = ListGpus(sleeper.run->placement);
    return std::all_of(sleeper.ports.begin(),
                       sleeper.ports.end(),
                       [this](const auto& port) {
                           return m_users.at(PeekPointer(port)).size() == 1 &&
                                  m_disturbed.count(PeekPointer(port)) == 0;
                       }) &&
           std::all_of(gpus.begin(), gpus.end(), [this](const GpuId& gpu) {
               return m_holders.at(gpu).size() == 1;
           });
}

bool
Leaps::AreAlike(Time a, Time b, Time period) const
{
    return std::abs((a - b).GetDouble()) <= m_tolerance * period.GetDouble();
}

/** \return whether the last iterations were alike, and apart from each other */
bool
Leaps::Repeats(const Sleeper& sleeper) const
{
    if (sleeper.last.size() < std::size_t{ALIKE})
    {
        return false;
    }
    const IterationRecord& newest = sleeper.last.back();
    const Time period = newest.end - (sleeper.last.end() - 2)->end;
    for (std::size_t i = 1; i < sleeper.last.size(); ++i)
    {
        const IterationRecord& a = sleeper.last[i - 1];
        const IterationRecord& b = sleeper.last[i];
        if (b.iteration != a.iteration + 1 || b.transferStart < a.end ||
            !AreAlike(b.end - a.end, period, period) ||
            !AreAlike(b.end - b.start, a.end - a.start, period) ||
            !AreAlike(b.end - b.transferStart, a.end - a.transferStart, period) ||
            !AreAlike(b.end - b.computeEnd, a.end - a.computeEnd, period))
        {
            return false;
        }
    }
    return true;
}

/** \return how many iterations may pass so that nothing else happens to the job by itself */
uint64_t
Leaps::CountAhead(const Sleeper& sleeper) const
{
    const uint64_t every = sleeper.run->checkpointEvery;
    const uint64_t stage = sleeper.job->GetStageEnd() - 1 - sleeper.iteration;
    return every == 0 ? stage : std::min(stage, every - 1 - sleeper.iteration % every);
}

bool
Leaps::IsInLastStage(const Sleeper& sleeper) const
{
    return sleeper.job->GetStageEnd() == sleeper.run->iterations;
}

/** \return when a job that sleeps will have ended its stage */
Time
Leaps::GetEnd(const Sleeper& sleeper) const
{
    return After(sleeper.since, sleeper.period, CountAhead(sleeper));
}

/** \return iterations that may pass, so that it is awake GUARD of them before that time */
uint64_t
Leaps::CountUntil(const Sleeper& sleeper, Time change) const
{
    const int64_t period = sleeper.period.GetTimeStep();
    const int64_t count = (change - sleeper.first).GetTimeStep() / period - GUARD;
    const int64_t least = (Simulator::Now() - sleeper.first).GetTimeStep() / period + 1;
    return std::max(count, least);
}

/** \return whether a leap would be long enough */
bool
Leaps::IsWorthIt(const Sleeper& sleeper) const
{
    const Time period = sleeper.last.back().end - (sleeper.last.end() - 2)->end;
    const Time least = TimeStep(period.GetTimeStep() * (LEAST_LEAP + GUARD));
    return !period.IsZero() && CountAhead(sleeper) >= LEAST_LEAP &&
           m_parts.manager->GetNextChange() - Simulator::Now() > least;
}

void
Leaps::HandleIteration(const IterationRecord& record, bool isInStep)
{
    const auto known = m_jobs.find(record.job);
    if (known == m_jobs.end() || known->second.state != State::AWAKE)
    {
        return;
    }
    Sleeper& sleeper = known->second;
    const RunSpec& run = *sleeper.run;
    sleeper.last.push_back(record);
    if (sleeper.last.size() > std::size_t{ALIKE})
    {
        sleeper.last.pop_front();
    }
    sleeper.iteration = record.iteration; // the next one, from 0
    NoteNearEnd(sleeper);
    if (run.isGated || run.reportsIterations || run.job.noise.jitter.IsTypeIdSet())
    {
        return;
    }
    if (sleeper.iteration < sleeper.job->GetStageEnd() && isInStep && Repeats(sleeper) &&
        IsWorthIt(sleeper) && IsAlone(sleeper))
    {
        FallAsleep(sleeper);
    }
}

/** A job is awake and may soon leave its GPUs to somebody who disturbs others: these wake. */
void
Leaps::NoteNearEnd(const Sleeper& sleeper)
{
    if (sleeper.last.size() < 2 || !IsInLastStage(sleeper) || !m_parts.manager->HasWaiting())
    {
        return;
    }
    const Time period = sleeper.last.back().end - (sleeper.last.end() - 2)->end;
    const uint64_t left = sleeper.job->GetStageEnd() - sleeper.iteration;
    const Time soon = TimeStep(m_longest.GetTimeStep() * GUARD);
    if (period.IsZero() || After(Time(), period, left) >= soon)
    {
        return;
    }
    const Time end = TimeStep(period.GetTimeStep() * left);
    for (auto& [id, other] : m_jobs)
    {
        if (other.state == State::ASLEEP && end < TimeStep(other.period.GetTimeStep() * GUARD))
        {
            Wake(id);
        }
    }
}

void
Leaps::FallAsleep(Sleeper& sleeper)
{
    NS_LOG_FUNCTION(this << sleeper.run->GetId() << sleeper.iteration);
    sleeper.state = State::FALLING;
    sleeper.asleep = 0;
    sleeper.before = Count(sleeper);
    for (LocalRun* part : ListParts(*sleeper.run))
    {
        part->SleepIn(sleeper.iteration, *this);
    }
}

void
Leaps::HandleAsleep(JobId job)
{
    Sleeper& sleeper = m_jobs.at(job);
    const Time now = Simulator::Now();
    sleeper.first = sleeper.asleep == 0 ? now : sleeper.first;
    if (++sleeper.asleep < sleeper.run->workerHosts)
    {
        return;
    }
    const Time before = sleeper.last.back().end - (sleeper.last.end() - 2)->end;
    sleeper.since = now;
    sleeper.period = TimeStep((now - sleeper.last.front().end).GetTimeStep() / ALIKE);
    sleeper.state = State::ASLEEP;
    sleeper.most = CountAhead(sleeper);
    if (sleeper.period.IsZero() || !AreAlike(now - sleeper.last.back().end, before, before))
    {
        End(sleeper, 0);
        return;
    }
    m_longest = Max(m_longest, sleeper.period);
    const Counts after = Count(sleeper);
    sleeper.each = {};
    for (const auto& [queue, traffic] : after.traffic)
    {
        sleeper.each.traffic[queue] = traffic - sleeper.before.traffic.at(queue);
    }
    sleeper.each.streams = after.streams.Since(sleeper.before.streams);
    Time change = m_parts.manager->GetNextChange();
    for (auto& [id, other] : m_jobs)
    {
        if (other.state == State::ASLEEP && m_parts.manager->HasWaiting() && id != job)
        {
            change = IsInLastStage(other) ? std::min(change, GetEnd(other)) : change;
            if (IsInLastStage(sleeper))
            {
                other.most = std::min(other.most, CountUntil(other, GetEnd(sleeper)));
                Plan(other);
            }
        }
    }
    sleeper.most = std::min(sleeper.most, CountUntil(sleeper, change));
    Plan(sleeper);
}

/** It wakes in time to end so many iterations later. */
void
Leaps::Plan(Sleeper& sleeper)
{
    sleeper.wake.Cancel();
    const Time length = TimeStep(sleeper.period.GetTimeStep() * sleeper.most);
    sleeper.wake = Simulator::Schedule(sleeper.first + length - Simulator::Now(),
                                       &Leaps::Wake,
                                       this,
                                       sleeper.run->GetId());
}

uint64_t
Leaps::CountPassed(JobId job) const
{
    const auto known = m_jobs.find(job);
    if (known == m_jobs.end() || known->second.state != State::ASLEEP)
    {
        return 0;
    }
    const Sleeper& sleeper = known->second;
    const int64_t passed =
        (Simulator::Now() - sleeper.since).GetTimeStep() / sleeper.period.GetTimeStep() + 1;
    return std::min<uint64_t>(passed, sleeper.most);
}

void
Leaps::Wake(JobId job)
{
    const auto known = m_jobs.find(job);
    if (known == m_jobs.end() || known->second.state == State::AWAKE)
    {
        return;
    }
    Sleeper& sleeper = known->second;
    if (sleeper.state == State::FALLING)
    {
        End(sleeper, 0);
        return;
    }
    // The iteration that its first worker would be in ends next.
    const int64_t slept = (Simulator::Now() - sleeper.first).GetTimeStep();
    const int64_t period = sleeper.period.GetTimeStep();
    End(sleeper, std::min<uint64_t>((slept + period - 1) / period, sleeper.most));
}

void
Leaps::AddTraffic(HostId from, HostId to)
{
    m_others.emplace(from, to);
    m_others.emplace(to, from); // acknowledgements
    Disturb(from, to);
    Disturb(to, from);
}

void
Leaps::RemoveTraffic(HostId from, HostId to)
{
    m_others.erase(m_others.find({from, to}));
    m_others.erase(m_others.find({to, from}));
    FindDisturbed();
}

/** Who may send from a port on that way wakes. */
void
Leaps::Disturb(HostId from, HostId to)
{
    std::set<JobId> users;
    for (const auto& port : ListPorts(from, to))
    {
        m_disturbed.insert(PeekPointer(port));
        const auto known = m_users.find(PeekPointer(port));
        if (known != m_users.end())
        {
            users.insert(known->second.begin(), known->second.end());
        }
    }
    for (const JobId job : users)
    {
        Wake(job);
    }
}

/** Again, as some of it is over, or paths have changed. */
void
Leaps::FindDisturbed()
{
    m_disturbed.clear();
    for (const auto& [from, to] : m_others)
    {
        Disturb(from, to);
    }
}

void
Leaps::HandleState(JobId job, HostId machine, bool isMoving)
{
    const auto known = m_jobs.find(job);
    if (known == m_jobs.end())
    {
        return;
    }
    auto& moving = known->second.moving;
    const HostId storage = known->second.run->storage->host;
    if (isMoving && moving.insert(machine).second)
    {
        AddTraffic(machine, storage);
    }
    else if (!isMoving && moving.erase(machine) > 0)
    {
        RemoveTraffic(machine, storage);
    }
}

void
Leaps::Settle()
{
    for (const auto& [id, sleeper] : m_jobs)
    {
        Wake(id);
    }
}

void
Leaps::WakeAll()
{
    FindDisturbed();
    for (auto& [id, sleeper] : m_jobs)
    {
        Wake(id);
        ClearPorts(sleeper);
        if (sleeper.hasRun)
        {
            SetPorts(sleeper);
        }
    }
}

void
Leaps::End(Sleeper& sleeper, uint64_t skipped)
{
    NS_LOG_FUNCTION(this << sleeper.run->GetId() << skipped);
    sleeper.state = State::AWAKE;
    sleeper.wake.Cancel();
    sleeper.last.clear();
    if (skipped > 0)
    {
        sleeper.job->Skip(skipped, sleeper.period, sleeper.since);
        Credit(sleeper.each, skipped);
        ++m_leaps;
        m_iterations += skipped;
    }
    const Time length = TimeStep(sleeper.period.GetTimeStep() * skipped);
    for (LocalRun* part : ListParts(*sleeper.run))
    {
        part->WakeUp(skipped, length);
    }
}

std::vector<LocalRun*>
Leaps::ListParts(const RunSpec& run) const
{
    std::vector<LocalRun*> parts;
    for (const HostId host : run.hosts)
    {
        LocalRun* const part = m_agents.at(host)->FindRun(run.GetId());
        if (part && part->GetRun().number == run.number)
        {
            parts.push_back(part);
        }
    }
    return parts;
}

Leaps::Counts
Leaps::Count(const Sleeper& sleeper) const
{
    Counts counts;
    for (const auto& port : sleeper.ports)
    {
        // Queue 0 has the control messages, which nobody leaps over.
        for (uint32_t queue = 1; queue < port->GetQueues(); ++queue)
        {
            LeaptTraffic& traffic = counts.traffic[{PeekPointer(port), queue}];
            if (m_parts.transport->HasPackets())
            {
                const QueueCounters& counted = port->GetCounters(queue);
                traffic = {counted.packets,
                           counted.bytes,
                           counted.marked,
                           port->GetBusyTime(queue)};
            }
            else
            {
                const QueueTraffic counted = m_parts.transport->GetTraffic(port, queue);
                traffic.bytes = std::llround(counted.bytes);
                traffic.busy = counted.busy;
            }
        }
    }
    for (const auto& stream : sleeper.job->GetSending())
    {
        counts.streams += stream->GetCounters();
    }
    for (const auto& stream : sleeper.job->GetReceiving())
    {
        counts.streams += stream->GetCounters();
    }
    return counts;
}

void
Leaps::Credit(const Counts& each, uint64_t times)
{
    for (const auto& [queue, traffic] : each.traffic)
    {
        if (traffic.bytes > 0)
        {
            m_traffic[queue] += traffic * times;
        }
    }
    m_counters.dataPackets += each.streams.dataPackets * times;
    m_counters.retransmissions += each.streams.retransmissions * times;
    m_counters.timeouts += each.streams.timeouts * times;
    m_counters.reordered += each.streams.reordered * times;
}

LeaptTraffic
Leaps::GetTraffic(Ptr<Port> port, uint32_t queue) const
{
    const auto counted = m_traffic.find({PeekPointer(port), queue});
    return counted == m_traffic.end() ? LeaptTraffic() : counted->second;
}

} // namespace ns3::ddl
