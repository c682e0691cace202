// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-leaps.h"

#include "ns3/boolean.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-job-manager.h"
#include "ns3/ddl-run-part.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlLeaps");
NS_OBJECT_ENSURE_REGISTERED(Leaps);

namespace
{

constexpr std::size_t MOST_CYCLE = 32; //!< iterations after which they repeat
constexpr uint64_t LEAST_LEAP = 5;     //!< iterations
constexpr double WRAPPING = 1.1;       //!< bytes on a wire for each of a message, at most

/** \return whether its iterations neither wait for the coordinator nor have random lengths */
bool
RepeatsItself(const RunSpec& run)
{
    return !run.isGated && !run.reportsIterations && !run.job.noise.jitter.IsTypeIdSet();
}

/** \return so many periods later; the end of time at most */
Time
After(Time begin, Time period, uint64_t count)
{
    const uint64_t room = (Time::Max() - begin).GetTimeStep() / period.GetTimeStep();
    return count < room ? begin + TimeStep(period.GetTimeStep() * count) : Time::Max();
}

} // namespace

TypeId
Leaps::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::Leaps")
            .SetParent<Object>()
            .SetGroupName("Ddl")
            .AddConstructor<Leaps>()
            .AddAttribute("Tolerance",
                          "Largest difference between iterations that count as equal, as a part "
                          "of their length",
                          DoubleValue(0.001),
                          MakeDoubleAccessor(&Leaps::m_tolerance),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Shared",
                          "Largest part of its time by which others may delay a job that leaps; "
                          "0: nobody may share a port with it; without effect on transports with "
                          "packets",
                          DoubleValue(0),
                          MakeDoubleAccessor(&Leaps::m_shared),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Guard",
                          "Iterations before a known change at which a leaping job is simulated "
                          "again; 0: it leaps up to the change",
                          UintegerValue(2),
                          MakeUintegerAccessor(&Leaps::m_guard),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Error",
                          "Half-width of the 95 % interval within which the mean iteration must be "
                          "known, as a part of it, before jobs that contend leap by it; 0: they do "
                          "not leap",
                          DoubleValue(0),
                          MakeDoubleAccessor(&Leaps::m_error),
                          MakeDoubleChecker<double>(0, 0.5))
            .AddAttribute("Memo",
                          "Whether later runs of the same kind leap by what one run has shown; "
                          "without effect on transports with packets",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Leaps::m_hasMemo),
                          MakeBooleanChecker());
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
        if (sleeper.component)
        {
            sleeper.component->wake.Cancel();
        }
    }
    m_jobs.clear();
    m_parts = {};
    Object::DoDispose();
}

void
Leaps::Watch(const Parts& parts)
{
    m_parts = parts;
    m_hasMemo = m_hasMemo && !parts.transport->HasPackets();
    m_shared = parts.transport->HasPackets() ? 0 : m_shared;
    for (const auto& agent : parts.agents)
    {
        agent->TraceConnectWithoutContext("Rank", MakeCallback(&Leaps::NotifyRank, this));
        if (m_error > 0)
        {
            agent->TraceConnectWithoutContext("Remark", MakeCallback(&Leaps::NotifyRemark, this));
        }
    }
    parts.observer->TraceConnectWithoutContext("JobStart",
                                               MakeCallback(&Leaps::NotifyJobStart, this));
    parts.observer->TraceConnectWithoutContext("RunEnd", MakeCallback(&Leaps::NotifyRunEnd, this));
    parts.manager->TraceConnectWithoutContext("Grant", MakeCallback(&Leaps::NotifyGrant, this));
    parts.manager->TraceConnectWithoutContext("Revocation",
                                              MakeCallback(&Leaps::NotifyRevocation, this));
    parts.manager->TraceConnectWithoutContext("CojobArrival",
                                              MakeCallback(&Leaps::NotifyArrival, this));
}

void
Leaps::NotifyJobStart(Ptr<Job> job)
{
    m_jobs[job->GetId()].job = job;
}

void
Leaps::NotifyArrival(const CojobSpec& cojob)
{
    m_arrivals[cojob.id] = Simulator::Now();
}

/** Jobs are to give back their GPUs: they end before their stages do. */
void
Leaps::NotifyRevocation(const RevocationRecord& revocation)
{
    for (const JobId job : revocation.jobs)
    {
        const auto known = m_jobs.find(job);
        if (known != m_jobs.end())
        {
            known->second.isRevoked = true;
        }
    }
}

/** A run begins. Jobs that now share a port with it are disturbed. */
void
Leaps::NotifyGrant(std::shared_ptr<const RunSpec> run)
{
    Sleeper& sleeper = m_jobs.at(run->GetId());
    if (!sleeper.run) // recorders of iterations have connected before: they come first
    {
        sleeper.job->TraceConnectWithoutContext("IterationEnd",
                                                MakeCallback(&Leaps::NotifyIteration, this));
    }
    sleeper.run = run;
    sleeper.stage = 0;
    sleeper.isRevoked = false;
    sleeper.shortest = Time::Max();
    Unsettle(sleeper);
    SetPorts(sleeper);
    sleeper.kind = DescribeKind(sleeper);
    sleeper.known.reset();
    const auto known = m_memo.find(sleeper.kind);
    if (!sleeper.kind.empty() && known != m_memo.end())
    {
        sleeper.known = known->second;
    }
    for (const GpuId& gpu : ListGpus(run->placement))
    {
        m_holders[gpu].insert(run->GetId());
    }
    for (const JobId job : ListNear(sleeper))
    {
        Sleeper& other = m_jobs.at(job);
        other.delay = std::max(other.delay, GetDelay(other));
        if (other.delay > m_shared)
        {
            Unsettle(other);
            Wake(job);
        }
    }
    if (m_error > 0)
    {
        if (run->number > 1 || m_arrivals.at(run->cojob) < m_lastEnd) // it waited for that one
        {
            sleeper.variance = std::max(sleeper.variance, sleeper.spent + m_lastVariance);
        }
        Join(sleeper);
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
    while (!sleeper.moving.empty())
    {
        NoteState(sleeper, *sleeper.moving.begin(), false);
    }
    for (const JobId job : ListNear(sleeper))
    {
        Sleeper& other = m_jobs.at(job);
        if (!IsAlone(other))
        {
            Unsettle(other);
        }
    }
    ClearPorts(sleeper);
    for (const GpuId& gpu : ListGpus(sleeper.run->placement))
    {
        m_holders[gpu].erase(run.job);
    }
    GiveUp(sleeper);
    sleeper.last.clear();
    const double variance = GetVariance(sleeper);
    const bool isOver = run.reason == "done" || run.reason == "stopped-early";
    m_lastVariance = isOver ? variance : 0; // other ends are set by the clock
    m_lastEnd = Simulator::Now();
    if (const auto component = std::exchange(sleeper.component, nullptr))
    {
        component->series.erase(run.job);
        for (const JobId job : ListJobs(*component))
        {
            m_jobs.at(job).unsure += m_lastVariance;
        }
        Split(*component);
    }
    if (isOver)
    {
        if (variance > 0)
        {
            m_variances[run.job] = variance;
        }
        m_jobs.erase(known);
    }
}

/** A part of its run is gone: forget them all. */
void
Leaps::GiveUp(Sleeper& sleeper)
{
    sleeper.state = State::AWAKE;
    sleeper.isSilent = false;
    sleeper.isByMean = false;
    sleeper.parts.clear();
    sleeper.wake.Cancel();
}

/** The job itself has noted the event before. */
void
Leaps::NotifyRank(const RankEvent& event)
{
    using Kind = RankEvent::Kind;
    const auto known = m_jobs.find(event.job);
    if (known == m_jobs.end())
    {
        return;
    }
    Sleeper& sleeper = known->second;
    switch (event.kind)
    {
    case Kind::STAGE:
        NoteStage(sleeper);
        break;
    case Kind::LAUNCHED:
        NoteState(sleeper, event.machine, sleeper.run->LoadsState(event.machine));
        break;
    case Kind::SAVING:
        NoteState(sleeper, event.machine, true);
        break;
    case Kind::STOPPED:
    case Kind::FAILED:
        Wake(event.job); // parts that leap have woken it, others have not
        GiveUp(sleeper);
        [[fallthrough]];
    case Kind::LOADED:
    case Kind::SAVED:
        NoteState(sleeper, event.machine, false);
        break;
    default:
        break;
    }
}

/** Its past iterations do not predict the next ones: other jobs contend with it from now on. */
void
Leaps::Unsettle(Sleeper& sleeper)
{
    sleeper.last.clear();
    sleeper.settled = Simulator::Now();
    sleeper.least = 1;
}

/** \return jobs that may send from one of its ports, or hold one of its GPUs; itself, too */
std::set<JobId>
Leaps::ListNear(const Sleeper& sleeper) const
{
    std::set<JobId> near;
    for (const auto& port : sleeper.ports)
    {
        const auto& users = m_users.at(PeekPointer(port));
        near.insert(users.begin(), users.end());
    }
    for (const GpuId& gpu : ListGpus(sleeper.run->placement))
    {
        const auto& holders = m_holders.at(gpu);
        near.insert(holders.begin(), holders.end());
    }
    return near;
}

/** \return these ports, and all that share a switch's buffer with one of them */
std::vector<Ptr<Port>>
Leaps::AddSharing(std::vector<Ptr<Port>> ports)
{
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
    std::set<Ptr<Port>> ports;
    for (const JobPlan::Channel& channel : run.plan->channels)
    {
        const HostId source = run.rankHosts[channel.source];
        const HostId destination = run.rankHosts[channel.destination];
        if (!m_parts.fabric->IsJoinedByPorts(source, destination))
        {
            continue;
        }
        const uint32_t label = MakeFlowLabel(run.GetId(), channel.source, channel.destination);
        const auto way = (m_hasMemo || m_error > 0) && !m_parts.choosesPaths
                             ? m_parts.transport->ListPorts(source, destination, label)
                             : m_parts.transport->Transport::ListPorts(source, destination, label);
        for (const auto& port : way)
        {
            Usage& usage = sleeper.usage[PeekPointer(port)];
            usage.bytes += static_cast<double>(channel.bytes);
            usage.channels.push_back(&channel);
        }
        const auto all = m_parts.transport->HasPackets() ? AddSharing(way) : way;
        ports.insert(all.begin(), all.end());
    }
    if (m_parts.transport->SharesPorts()) // otherwise no job contends with it at ports
    {
        sleeper.ports.assign(ports.begin(), ports.end());
    }
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
    sleeper.usage.clear();
}

/** \return part of the time for which a job keeps a port busy, at most: an iteration takes no less
 * than its computing, nor than is known of it, or was seen of it in this run */
double
Leaps::GetLoad(const Sleeper& sleeper, const Port* port)
{
    Time shortest = sleeper.known ? sleeper.known->period : sleeper.shortest;
    const Time computing = Max(sleeper.run->cost.compute, TimeStep(1));
    shortest = shortest == Time::Max() ? computing : Max(shortest, computing);
    const double bits = 8 * WRAPPING * sleeper.usage.at(port).bytes;
    const double busy = bits / static_cast<double>(port->GetDataRate().GetBitRate());
    return busy / shortest.GetSeconds();
}

/**
 * \return part of its time by which others delay it, at most; infinity if nothing bounds that. A
 *         port delays a job by no more than the time in which it serves others while the job's own
 *         bytes wait there. That is no more than the others' bytes take; and where streams share a
 *         port evenly, no more than its own bytes take, times the streams of the others
 */
double
Leaps::GetDelay(const Sleeper& sleeper) const
{
    constexpr double UNBOUNDED = std::numeric_limits<double>::infinity();
    const auto gpus = ListGpus(sleeper.run->placement);
    if (std::any_of(gpus.begin(), gpus.end(), [this](const GpuId& gpu) {
            return m_holders.at(gpu).size() > 1;
        }))
    {
        return UNBOUNDED;
    }
    double delay = 0;
    for (const auto& port : sleeper.ports)
    {
        const Port* const shared = PeekPointer(port);
        const auto& users = m_users.at(shared);
        if (m_disturbed.count(shared) > 0 || (users.size() > 1 && m_shared == 0))
        {
            return UNBOUNDED;
        }
        const double own = users.size() > 1 ? GetLoad(sleeper, shared) : 0;
        for (const JobId user : users)
        {
            if (user != sleeper.run->GetId())
            {
                const Sleeper& other = m_jobs.at(user);
                const auto streams = static_cast<double>(other.usage.at(shared).channels.size());
                const double load = GetLoad(other, shared);
                delay += m_parts.isFair ? std::min(load, own * streams) : load;
            }
        }
    }
    return delay;
}

/** \return whether other jobs delay it by at most Shared */
bool
Leaps::IsAlone(const Sleeper& sleeper) const
{
    return GetDelay(sleeper) <= m_shared;
}

/**
 * Where each rank sends to one other and hears from one other, no two of these streams share a
 * port, and one bucket goes after the other, the time from one iteration to the next does not
 * depend on the order of the tiers that join neighbours, only on how many there are of each: a ring
 * of delays is as long as their sum.
 *
 * \return whether that is so
 */
bool
Leaps::IsPlainRing(const Sleeper& sleeper)
{
    const auto& channels = sleeper.run->plan->channels; // by source
    std::set<uint32_t> sources;
    std::set<uint32_t> destinations;
    for (const JobPlan::Channel& channel : channels)
    {
        sources.insert(channel.source);
        destinations.insert(channel.destination);
    }
    return sleeper.run->job.overlap.serial && sources.size() == channels.size() &&
           destinations.size() == channels.size() &&
           std::all_of(sleeper.usage.begin(), sleeper.usage.end(), [](const auto& usage) {
               return usage.second.channels.size() == 1;
           });
}

/**
 * \return what decides how long the iterations of a run take without contention: its work, and
 *         where its ranks are relative to each other; "" of a run of which nothing is remembered
 */
std::string
Leaps::DescribeKind(const Sleeper& sleeper) const
{
    const RunSpec& run = *sleeper.run;
    const JobSpec& job = run.job;
    if (!m_hasMemo || !m_isUniform || job.servers > 0 || !RepeatsItself(run) ||
        job.noise.straggler.IsTypeIdSet() || run.IsCoflow() || run.graph)
    {
        return "";
    }
    std::ostringstream kind;
    kind << job.pattern << "|" << job.overlap.buckets << "," << job.overlap.bucketSize << ","
         << job.overlap.backward << "," << job.overlap.serial << "|" << job.model.name << ","
         << job.model.bytes << "," << job.model.input << "," << job.model.forward << ","
         << job.model.backward;
    for (const Layer& layer : job.model.layers.Get())
    {
        kind << ";" << layer.bytes << "," << layer.backward;
    }
    std::set<std::string> types;
    for (const HostId host : run.rankHosts)
    {
        types.insert(m_parts.agents.at(host.value)->GetGpuType().name);
    }
    if (types.size() == 1 && IsPlainRing(sleeper))
    {
        kind << "|" << *types.begin();
        std::map<Tier, uint32_t> tiers;
        for (const JobPlan::Channel& channel : run.plan->channels)
        {
            ++tiers[m_parts.fabric->GetTier(run.rankHosts[channel.source],
                                            run.rankHosts[channel.destination])];
        }
        for (const auto& [tier, count] : tiers)
        {
            kind << "|" << tier << "," << count;
        }
        return kind.str();
    }
    kind << DescribeRanks(sleeper);
    return kind.str();
}

/** \return where the ranks are, by number of rack, server and machine in the order of their first
 * rank, and which of their streams share a port */
std::string
Leaps::DescribeRanks(const Sleeper& sleeper) const
{
    const RunSpec& run = *sleeper.run;
    std::ostringstream ranks;
    std::map<uint32_t, std::size_t> racks;
    std::map<uint32_t, std::size_t> servers;
    std::map<HostId, std::size_t> hosts;
    for (const HostId host : run.rankHosts)
    {
        const Place place = m_parts.fabric->GetPlace(host);
        ranks << "|" << racks.emplace(place.rack, racks.size()).first->second << ","
              << servers.emplace(place.server, servers.size()).first->second << ","
              << hosts.emplace(host, hosts.size()).first->second << ","
              << m_parts.agents.at(host.value)->GetGpuType().name;
    }
    std::set<std::vector<const JobPlan::Channel*>> sharing;
    for (const auto& [port, usage] : sleeper.usage)
    {
        if (usage.channels.size() > 1)
        {
            sharing.insert(usage.channels);
        }
    }
    for (const auto& channels : sharing)
    {
        ranks << "|";
        for (const JobPlan::Channel* channel : channels)
        {
            ranks << "," << channel - run.plan->channels.data();
        }
    }
    return ranks.str();
}

/** Remember what a run that is alone and repeats its iterations has taught. */
void
Leaps::Learn(Sleeper& sleeper)
{
    if (sleeper.known)
    {
        return;
    }
    int64_t communication = 0; // sum over a cycle
    for (auto record = sleeper.last.end() - sleeper.cycle; record != sleeper.last.end(); ++record)
    {
        communication += (record->end - record->computeEnd).GetTimeStep();
    }
    sleeper.known = {sleeper.ahead.period,
                     TimeStep(communication / static_cast<int64_t>(sleeper.cycle))};
    if (!sleeper.kind.empty())
    {
        m_memo.emplace(sleeper.kind, *sleeper.known);
    }
}

/** A machine has received the start of a stage, or of the rest of one. No worker there has begun
 * it, and on the first machine none of the job has: a run whose kind is known begins it asleep. */
void
Leaps::NoteStage(Sleeper& sleeper)
{
    if (sleeper.stage == sleeper.job->GetStage())
    {
        return; // another machine has received it before
    }
    sleeper.stage = sleeper.job->GetStage();
    sleeper.iteration = sleeper.job->GetIterationsDone();
    sleeper.stageBegin = sleeper.iteration;
    sleeper.done = sleeper.iteration;
    sleeper.lastEnd = Simulator::Now();
    if (!sleeper.kind.empty() && sleeper.known && sleeper.state == State::AWAKE &&
        IsWorthIt(sleeper, sleeper.known->period) && IsAlone(sleeper))
    {
        FallAsleep(sleeper, sleeper.known->period);
    }
    else if (sleeper.component && sleeper.component->isAsleep && sleeper.state == State::AWAKE)
    {
        FallAsleepByMean(sleeper);
    }
}

bool
Leaps::AreAlike(Time a, Time b, Time length) const
{
    return std::abs((a - b).GetDouble()) <= m_tolerance * length.GetDouble();
}

/**
 * \return the length of the cycle in which iterations repeat: the least c such that each of the
 * last c + 1 iterations is like the one c before it, within Tolerance of a cycle's length; without
 * Memo, none of them may send before the one before it has ended. 0: there is none
 */
std::size_t
Leaps::FindCycle(const Sleeper& sleeper) const
{
    const auto& all = sleeper.last;
    const std::size_t longest = GetLongestCycle();
    for (std::size_t cycle = sleeper.least; 2 * cycle + 1 <= all.size() && cycle <= longest;
         ++cycle)
    {
        const auto first = all.end() - (2 * cycle + 1);
        const Time length = (all.end() - 1)->end - (all.end() - 1 - cycle)->end;
        bool doesRepeat = true;
        for (auto a = first; doesRepeat && a + cycle != all.end(); ++a)
        {
            const IterationRecord& b = *(a + cycle);
            doesRepeat = AreAlike(b.end - a->end, length, length) &&
                         AreAlike(b.end - b.start, a->end - a->start, length) &&
                         AreAlike(b.end - b.transferStart, a->end - a->transferStart, length) &&
                         AreAlike(b.end - b.computeEnd, a->end - a->computeEnd, length);
        }
        for (auto a = first; doesRepeat && a + 1 != all.end(); ++a)
        {
            const IterationRecord& next = *(a + 1);
            const bool isApart = m_hasMemo || next.transferStart >= a->end;
            doesRepeat = next.iteration == a->iteration + 1 && isApart;
        }
        if (doesRepeat)
        {
            return cycle;
        }
    }
    return 0;
}

/** \return iterations after which they may repeat, at most */
std::size_t
Leaps::GetLongestCycle() const
{
    return m_hasMemo ? MOST_CYCLE : 1;
}

/** \return mean length of the last so many iterations */
Time
Leaps::GetMeanLength(const Sleeper& sleeper, std::size_t iterations)
{
    const auto newest = sleeper.last.end() - 1;
    const Time length = newest->end - (newest - iterations)->end;
    return TimeStep(length.GetTimeStep() / static_cast<int64_t>(iterations));
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
    return After(sleeper.ahead.end, sleeper.ahead.period, CountAhead(sleeper));
}

/** \return iterations that may pass, so that it is awake GUARD of them before that time */
uint64_t
Leaps::CountUntil(const Sleeper& sleeper, Time change) const
{
    const int64_t period = sleeper.ahead.period.GetTimeStep();
    const int64_t count = (change - sleeper.first).GetTimeStep() / period - int64_t{m_guard};
    const int64_t least = (Simulator::Now() - sleeper.first).GetTimeStep() / period + 1;
    return std::max(count, least);
}

/** \return whether a leap would be long enough. \param period of its iterations */
bool
Leaps::IsWorthIt(const Sleeper& sleeper, Time period) const
{
    if (period.IsZero() || CountAhead(sleeper) < LEAST_LEAP)
    {
        return false;
    }
    const Time least = TimeStep(period.GetTimeStep() * (LEAST_LEAP + m_guard));
    return m_guard == 0 || m_parts.manager->GetNextChange() - Simulator::Now() > least;
}

void
Leaps::NotifyIteration(const IterationRecord& record)
{
    const auto known = m_jobs.find(record.job);
    if (known == m_jobs.end() || known->second.state != State::AWAKE)
    {
        return;
    }
    Sleeper& sleeper = known->second;
    sleeper.iteration = record.iteration; // the next one, from 0
    const Time length = record.end - record.start;
    sleeper.shortest = Min(sleeper.shortest, length);
    NoteNearEnd(sleeper, length);
    NoteForCycle(sleeper, record);
    if (sleeper.component && sleeper.state == State::AWAKE)
    {
        NoteForMean(sleeper, record);
    }
}

/** The job falls asleep if it is alone and its iterations repeat. */
void
Leaps::NoteForCycle(Sleeper& sleeper, const IterationRecord& record)
{
    const RunSpec& run = *sleeper.run;
    if (!IsAlone(sleeper) || run.IsCheckpoint(record.iteration)) // a cycle must not contain a save
    {
        Unsettle(sleeper);
        return;
    }
    if (record.start < sleeper.settled)
    {
        return;
    }
    sleeper.last.push_back(record);
    if (sleeper.last.size() > 2 * MOST_CYCLE + 1)
    {
        sleeper.last.pop_front();
    }
    if (!RepeatsItself(run) || sleeper.isRevoked ||
        sleeper.iteration >= sleeper.job->GetStageEnd() || !sleeper.job->GetLog().IsInStep())
    {
        return;
    }
    sleeper.cycle = FindCycle(sleeper);
    if (sleeper.cycle > 0 && IsWorthIt(sleeper, GetMeanLength(sleeper, sleeper.cycle)))
    {
        FallAsleep(sleeper, std::nullopt);
    }
}

/** An awake job may soon leave its GPUs to a job that disturbs others: these wake.
 * \param length of its last iteration */
void
Leaps::NoteNearEnd(const Sleeper& sleeper, Time length)
{
    if (m_guard == 0 || !IsInLastStage(sleeper) || !m_parts.manager->HasWaiting())
    {
        return;
    }
    const uint64_t left = sleeper.job->GetStageEnd() - sleeper.iteration;
    const Time soon = TimeStep(m_longest.GetTimeStep() * m_guard);
    if (length.IsZero() || After(Time(), length, left) >= soon)
    {
        return;
    }
    const Time end = TimeStep(length.GetTimeStep() * left);
    for (auto& [id, other] : m_jobs)
    {
        if (other.state == State::ASLEEP && !other.isByMean &&
            end < TimeStep(other.ahead.period.GetTimeStep() * m_guard))
        {
            Wake(id);
        }
    }
}

/** \param silent length of the iteration that it falls asleep in, if it sends nothing there */
void
Leaps::FallAsleep(Sleeper& sleeper, std::optional<Time> silent)
{
    NS_LOG_FUNCTION(this << sleeper.run->GetId() << sleeper.iteration);
    sleeper.state = State::FALLING;
    sleeper.asleep = 0;
    sleeper.delay = GetDelay(sleeper);
    sleeper.isSilent = silent.has_value();
    sleeper.mustWake = false;
    const bool isCounted = !silent && !sleeper.isByMean;
    sleeper.before = isCounted ? Count(sleeper.ports, {sleeper.run->GetId()}) : Counts();
    sleeper.parts.clear();
    for (const HostId host : sleeper.run->hosts)
    {
        RunPart* const part =
            m_parts.agents.at(host.value)->FindRun(sleeper.run->GetId(), sleeper.run->number);
        if (LeapingRun* const leap = part ? part->FindLeap() : nullptr)
        {
            sleeper.parts.push_back(leap);
        }
    }
    for (LeapingRun* part : sleeper.parts)
    {
        part->Hold(sleeper.iteration, silent, *this);
    }
}

void
Leaps::HandleHeld(JobId job)
{
    Sleeper& sleeper = m_jobs.at(job);
    if (sleeper.state != State::FALLING)
    {
        return; // its run has ended on another machine, so it will not end this iteration
    }
    sleeper.first = sleeper.asleep == 0 ? Simulator::Now() : sleeper.first;
    if (++sleeper.asleep < sleeper.run->workerHosts)
    {
        return;
    }
    sleeper.state = State::ASLEEP;
    if (sleeper.isByMean)
    {
        PlanByMean(sleeper);
        return;
    }
    sleeper.each = sleeper.isSilent
                       ? Counts()
                       : CountSince(sleeper.before, sleeper.ports, {sleeper.run->GetId()});
    sleeper.ahead = {CountAhead(sleeper), Simulator::Now(), FindPeriod(sleeper), Time()};
    if (sleeper.mustWake || sleeper.ahead.period.IsZero())
    {
        End(sleeper, 0);
        return;
    }
    Learn(sleeper);
    m_longest = Max(m_longest, sleeper.ahead.period);
    LimitToChanges(sleeper);
    Plan(sleeper);
}

/** \return time from one iteration to the next; 0 if the one that it fell asleep in does not repeat
 * earlier ones */
Time
Leaps::FindPeriod(Sleeper& sleeper) const
{
    if (sleeper.isSilent)
    {
        return sleeper.known->period;
    }
    // This iteration is to be as long as the one a cycle before. The mean is over two cycles.
    const Time now = Simulator::Now();
    const auto like = sleeper.last.end() - sleeper.cycle;
    const auto begin = sleeper.last.end() - 2 * sleeper.cycle;
    const Time cycle = TimeStep((now - begin->end).GetTimeStep() / 2);
    const Time length = now - sleeper.last.back().end;
    const Time period = TimeStep(cycle.GetTimeStep() / static_cast<int64_t>(sleeper.cycle));
    if (period.IsZero() || !AreAlike(length, like->end - (like - 1)->end, cycle))
    {
        sleeper.least =
            std::min(sleeper.cycle + 1, GetLongestCycle()); // the repetition was by chance
        return Time();
    }
    return period;
}

/** Limit its leap, and the leaps of others, so that they wake before changes of known time. */
void
Leaps::LimitToChanges(Sleeper& sleeper)
{
    if (m_guard == 0)
    {
        return;
    }
    Time change = m_parts.manager->GetNextChange();
    for (auto& [id, other] : m_jobs)
    {
        if (other.state == State::ASLEEP && !other.isByMean && m_parts.manager->HasWaiting() &&
            &other != &sleeper)
        {
            change = IsInLastStage(other) ? std::min(change, GetEnd(other)) : change;
            if (IsInLastStage(sleeper))
            {
                other.ahead.count = std::min(other.ahead.count, CountUntil(other, GetEnd(sleeper)));
                Plan(other);
            }
        }
    }
    sleeper.ahead.count = std::min(sleeper.ahead.count, CountUntil(sleeper, change));
}

/** The job skips the iterations ahead, and wakes in time to end the next one. */
void
Leaps::Plan(Sleeper& sleeper)
{
    sleeper.wake.Cancel();
    sleeper.wake = Simulator::Schedule(sleeper.first + sleeper.ahead.GetLength() - Simulator::Now(),
                                       &Leaps::Wake,
                                       this,
                                       sleeper.run->GetId());
    sleeper.job->Repeat(sleeper.ahead);
    for (LeapingRun* part : sleeper.parts)
    {
        part->Repeat(sleeper.ahead);
    }
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
    if (sleeper.state == State::FALLING && sleeper.isSilent)
    {
        sleeper.mustWake = true; // it sends nothing in this iteration, so that has to end first
        return;
    }
    if (sleeper.state == State::FALLING)
    {
        End(sleeper, 0);
        return;
    }
    // The iteration that its first worker would be in ends next.
    const Time slept = Simulator::Now() - sleeper.first - sleeper.ahead.delay;
    const int64_t period = sleeper.ahead.period.GetTimeStep();
    const int64_t over = (Max(slept, Time()).GetTimeStep() + period - 1) / period;
    End(sleeper, std::min<uint64_t>(over, sleeper.ahead.count));
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

/** Jobs that may send from a port on that path wake. */
void
Leaps::Disturb(HostId from, HostId to)
{
    std::set<JobId> users;
    for (const auto& port : AddSharing(m_parts.fabric->ListPortsBetween(from, to)))
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
        Unsettle(m_jobs.at(job));
        Wake(job);
    }
    RestartAt(users);
}

/** Find the disturbed ports again: some other traffic is over, or paths have changed. */
void
Leaps::FindDisturbed()
{
    for (auto& [id, sleeper] : m_jobs)
    {
        if (sleeper.job->IsRunning() && !IsAlone(sleeper))
        {
            Unsettle(sleeper);
        }
    }
    const auto before = std::exchange(m_disturbed, {});
    for (const auto& [from, to] : m_others)
    {
        Disturb(from, to);
    }
    for (const Port* const port : before)
    {
        if (m_error > 0 && m_disturbed.count(port) == 0 && m_users.count(port) > 0)
        {
            RestartAt(m_users.at(port));
        }
    }
}

/** The transfer of its state between the machine and the storage begins, or has ended. */
void
Leaps::NoteState(Sleeper& sleeper, HostId machine, bool isMoving)
{
    const auto& storage = sleeper.run->storage;
    if (isMoving && storage && sleeper.moving.insert(machine).second)
    {
        AddTraffic(machine, storage->host);
    }
    else if (!isMoving && sleeper.moving.erase(machine) > 0)
    {
        RemoveTraffic(machine, storage->host);
    }
}

void
Leaps::Settle()
{
    for (const auto& [id, sleeper] : m_jobs)
    {
        if (sleeper.component && sleeper.component->isAsleep)
        {
            Restart(*sleeper.component);
        }
        Wake(id);
    }
}

void
Leaps::WakeAll()
{
    m_isUniform = false; // paths may have other lengths from now on
    m_memo.clear();
    FindDisturbed();
    for (auto& [id, sleeper] : m_jobs)
    {
        Wake(id);
        Unsettle(sleeper);
        sleeper.kind.clear();
        sleeper.known.reset();
        ClearPorts(sleeper);
        if (sleeper.job->IsRunning())
        {
            SetPorts(sleeper);
        }
    }
    JoinAll();
}

void
Leaps::End(Sleeper& sleeper, uint64_t skipped)
{
    NS_LOG_FUNCTION(this << sleeper.run->GetId() << skipped);
    sleeper.state = State::AWAKE;
    sleeper.wake.Cancel();
    sleeper.last.clear();
    const Repetition over{skipped, sleeper.ahead.end, sleeper.ahead.period, sleeper.ahead.delay};
    const bool isSilent = std::exchange(sleeper.isSilent, false);
    const bool isByMean = std::exchange(sleeper.isByMean, false);
    std::optional<Time> communication; // empty: as in the iteration in which it fell asleep
    if (skipped > 0)
    {
        if (isByMean)
        {
            const auto& series = sleeper.component->series.at(sleeper.run->GetId());
            communication = Seconds(series.GetMean().communication);
            NoteError(sleeper, static_cast<double>(skipped));
            ++m_meanLeaps;
        }
        else if (isSilent || sleeper.cycle > 1)
        {
            communication = sleeper.known->communication;
        }
        Credit(sleeper.ports, isByMean ? Counts() : sleeper.each, skipped);
        ++m_leaps;
        m_iterations += skipped;
    }
    sleeper.job->Skip(over, communication, isSilent);
    m_leapt += over.GetLength().GetSeconds();
    m_delay += std::min(sleeper.delay, m_shared) * over.GetLength().GetSeconds();
    for (LeapingRun* part : std::exchange(sleeper.parts, {}))
    {
        part->Skip(over);
    }
}

/** \return what ports and streams of jobs have counted; nothing where no packets do, as streams
 * then count what they do not send */
Leaps::Counts
Leaps::Count(const std::vector<Ptr<Port>>& ports, const std::vector<JobId>& jobs) const
{
    Counts counts;
    if (!m_parts.transport->HasPackets())
    {
        return counts;
    }
    for (const auto& port : ports)
    {
        // Queue 0 has the control messages, which are never leapt over.
        for (uint32_t queue = 1; queue < port->GetQueues(); ++queue)
        {
            const QueueCounters counted = port->GetCounters(queue);
            counts.queues.push_back(
                {counted.packets, counted.bytes, counted.marked, port->GetBusyTime(queue)});
        }
    }
    for (const JobId id : jobs)
    {
        const Ptr<Job> job = m_jobs.at(id).job;
        for (const auto& stream : job->GetSending())
        {
            counts.streams += stream->GetCounters();
        }
        for (const auto& stream : job->GetReceiving())
        {
            counts.streams += stream->GetCounters();
        }
    }
    return counts;
}

Leaps::Counts
Leaps::CountSince(const Counts& before,
                  const std::vector<Ptr<Port>>& ports,
                  const std::vector<JobId>& jobs) const
{
    Counts since = Count(ports, jobs);
    for (std::size_t i = 0; i < since.queues.size(); ++i)
    {
        since.queues[i] = since.queues[i].Since(before.queues[i]);
    }
    since.streams = since.streams.Since(before.streams);
    return since;
}

/** Ports and streams count what the iterations would have used. */
void
Leaps::Credit(const std::vector<Ptr<Port>>& ports, const Counts& each, uint64_t times)
{
    auto queued = each.queues.begin();
    for (const auto& port : ports)
    {
        for (uint32_t queue = 1; queued != each.queues.end() && queue < port->GetQueues(); ++queue)
        {
            port->Credit(queue, *queued++, times);
        }
    }
    m_parts.transport->Credit(each.streams, times);
}

} // namespace ns3::ddl
