// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-graph-recorder.h"

#include "ns3/abort.h"
#include "ns3/ddl-agent.h"
#include "ns3/ddl-cluster.h"
#include "ns3/ddl-communication-pattern.h"
#include "ns3/ddl-graph-plan.h"
#include "ns3/ddl-training-cluster.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::ddl
{

namespace
{

Time
Mean(Time sum, uint64_t count)
{
    return count == 0 ? Time() : TimeStep(sum.GetTimeStep() / static_cast<int64_t>(count));
}

/** \return bytes on the bus of a rank over bytes of the buffer: nccl-tests, doc/PERFORMANCE.md */
double
GetBusFactor(Collective collective, std::size_t ranks)
{
    const double part = (static_cast<double>(ranks) - 1) / static_cast<double>(ranks);
    switch (collective)
    {
    case Collective::ALL_REDUCE:
        return 2 * part;
    case Collective::ALL_GATHER:
    case Collective::REDUCE_SCATTER:
    case Collective::ALL_TO_ALL:
        return part;
    case Collective::BROADCAST:
        return 1;
    case Collective::BARRIER:
        return 0;
    }
    return 0;
}

/** \return name of the algorithm of a group's collective; for `pattern` that of the job's pattern
 */
std::string
GetAlgorithm(const GraphPlan::Group& group,
             Collective type,
             uint64_t bytes,
             const ObjectFactory& pattern)
{
    const CollectiveAlgorithm algorithm = group.algorithms.at({type, bytes});
    return algorithm == CollectiveAlgorithm::PATTERN
               ? GetShortName(CommunicationPattern::GetTypeId(), pattern.GetTypeId())
               : GetName(algorithm);
}

} // namespace

void
GraphRunWatch::Times::Add(const Times& other)
{
    compute += other.compute;
    exposed += other.exposed;
    bubble += other.bubble;
    finished += other.finished;
}

GraphRunWatch::GraphRunWatch(std::shared_ptr<const GraphPlan> plan, CollectiveListener listener)
    : m_plan(std::move(plan)),
      m_listener(std::move(listener)),
      m_ranks(m_plan->graph->ranks.size()),
      m_outside(m_ranks.size())
{
}

/** Count a rank's time until now as what it is doing. */
void
GraphRunWatch::Count(Rank& rank)
{
    const Time now = Simulator::Now();
    if (rank.state == Rank::State::HELD)
    {
        return; // until it is known which part of it a leap takes
    }
    if (rank.state == Rank::State::INSIDE || m_outside < m_ranks.size())
    {
        Time& sum = rank.computing > 0       ? m_times.compute
                    : rank.communicating > 0 ? m_times.exposed
                                             : m_times.bubble;
        sum += now - rank.since;
    }
    rank.since = now;
}

/** Count the time for which a rank was held, but for leaps. */
void
GraphRunWatch::Release(Rank& rank)
{
    const Time now = Simulator::Now();
    m_times.bubble += Max(now - rank.since - rank.leapt, Time());
    rank.since = now;
    rank.leapt = Time();
    rank.state = Rank::State::OUTSIDE;
}

void
GraphRunWatch::Leap(Time held)
{
    for (Rank& rank : m_ranks)
    {
        rank.leapt += rank.state == Rank::State::HELD ? held : Time();
    }
}

void
GraphRunWatch::CountAll()
{
    for (Rank& rank : m_ranks)
    {
        Count(rank);
    }
}

void
GraphRunWatch::Begin(uint32_t number)
{
    Rank& rank = m_ranks.at(number);
    m_outside == m_ranks.size() ? CountAll() : Count(rank);
    --m_outside;
    rank.left = m_plan->graph->ranks[number].program->nodes.size();
    rank.state = rank.left > 0 ? Rank::State::INSIDE : Rank::State::HELD;
}

void
GraphRunWatch::Finish(uint32_t number)
{
    if (m_outside + 1 == m_ranks.size())
    {
        CountAll(); // of the others, who have waited for this one
    }
    Release(m_ranks.at(number));
    ++m_outside;
    ++m_times.finished;
}

void
GraphRunWatch::Note(const NodeEvent& event)
{
    Rank& rank = m_ranks.at(event.rank);
    Count(rank);
    const GraphProgram& program = *m_plan->graph->ranks[event.rank].program;
    const GraphNode& node = program.nodes[event.node];
    if (node.kind == GraphNode::Kind::COLLECTIVE)
    {
        NoteCollective(event, node);
    }
    else if (node.kind != GraphNode::Kind::COMPUTE)
    {
        NoteMessage(event, node);
    }
    else if (program.lanes[node.lane] == LaneKind::GPU)
    {
        rank.computing += event.isEnd ? -1 : 1;
    }
    if (event.isEnd && --rank.left == 0)
    {
        rank.state = Rank::State::HELD;
    }
}

void
GraphRunWatch::NoteMessage(const NodeEvent& event, const GraphNode& node)
{
    const bool isSend = node.kind == GraphNode::Kind::SEND;
    const uint32_t peer = m_plan->graph->ranks[event.rank].peers[node.peer];
    if (isSend)
    {
        m_ranks[event.rank].communicating += event.isEnd ? -1 : 1;
        if (event.isEnd)
        {
            return; // the receiver has the message already
        }
    }
    const auto key = isSend ? std::make_tuple(event.iteration, event.rank, peer, node.tag)
                            : std::make_tuple(event.iteration, peer, event.rank, node.tag);
    Rank& receiver = m_ranks[isSend ? peer : event.rank];
    Channel& channel = m_channels[key];
    const bool wasUnderWay = channel.IsUnderWay();
    if (isSend)
    {
        ++channel.unreceived;
    }
    else
    {
        channel.waiting += event.isEnd ? -1 : 1;
        channel.unreceived -= event.isEnd ? 1 : 0;
    }
    const bool isUnderWay = channel.IsUnderWay();
    if (isUnderWay != wasUnderWay)
    {
        Count(receiver);
        receiver.communicating += isUnderWay ? 1 : -1;
    }
    if (channel.unreceived == 0 && channel.waiting == 0)
    {
        m_channels.erase(key);
    }
}

void
GraphRunWatch::NoteCollective(const NodeEvent& event, const GraphNode& node)
{
    const RankGraph& own = m_plan->graph->ranks[event.rank];
    const uint32_t group = own.groups[node.peer];
    const uint32_t number = m_plan->edges.at(own.program.get()).instances[event.node];
    const std::vector<uint32_t>& members = m_plan->graph->groups[group].ranks;
    const auto key = std::make_tuple(event.iteration, group, number);
    Instance& instance = m_instances[key];
    if (!event.isEnd)
    {
        instance.start = instance.begun == 0 ? Simulator::Now() : instance.start;
        if (++instance.begun == members.size())
        {
            for (const uint32_t member : members)
            {
                const auto& early = instance.early;
                Count(m_ranks[member]);
                m_ranks[member].communicating +=
                    std::find(early.begin(), early.end(), member) == early.end() ? 1 : 0;
            }
        }
        return;
    }
    if (instance.begun < members.size()) // the first of a broadcast only sends
    {
        instance.early.push_back(event.rank);
    }
    else
    {
        --m_ranks[event.rank].communicating;
    }
    if (++instance.ended == members.size())
    {
        if (m_listener)
        {
            m_listener(group, node.collective, node.amount, Simulator::Now() - instance.start);
        }
        m_instances.erase(key);
    }
}

GraphRunWatch::Times
GraphRunWatch::Stop()
{
    CountAll();
    for (Rank& rank : m_ranks)
    {
        if (rank.state == Rank::State::HELD)
        {
            Release(rank);
        }
    }
    return m_times;
}

GraphRecorder::GraphRecorder(Ptr<TrainingCluster> cluster, ResultRows& rows)
    : m_cluster(cluster),
      m_rows(rows)
{
    using Self = GraphRecorder;
    const auto observer = cluster->GetJobObserver();
    observer->TraceConnectWithoutContext("JobStart", MakeCallback(&Self::NotifyJobStart, this));
    observer->TraceConnectWithoutContext("JobEnd", MakeCallback(&Self::NotifyJobEnd, this));
    observer->TraceConnectWithoutContext("RunEnd", MakeCallback(&Self::NotifyRunEnd, this));
    for (const auto& agent : cluster->GetParts().agents)
    {
        agent->TraceConnectWithoutContext("Rank", MakeCallback(&Self::NotifyRank, this));
        agent->TraceConnectWithoutContext("Node", MakeCallback(&Self::NotifyNode, this));
    }
}

GraphRecorder::~GraphRecorder() = default;

void
GraphRecorder::NotifyJobStart(Ptr<Job> job)
{
    if (job->GetRun().graph)
    {
        m_jobs[job->GetId()].job = job;
        job->TraceConnectWithoutContext("Leap", MakeCallback(&GraphRecorder::NotifyLeap, this));
    }
}

void
GraphRecorder::BeginRun(Watched& watched)
{
    EndRun(watched);
    const RunSpec& run = watched.job->GetRun();
    watched.run = run.number;
    watched.plan = run.graph;
    const auto note = [&watched](uint32_t group, Collective type, uint64_t bytes, Time time) {
        const ObjectFactory& pattern = watched.job->GetSpec().pattern;
        Sum& sum =
            watched.collectives[{group,
                                 type,
                                 bytes,
                                 GetAlgorithm(watched.plan->groups[group], type, bytes, pattern)}];
        ++sum.count;
        sum.all += time;
        sum.least = Min(sum.least, time);
        sum.most = Max(sum.most, time);
    };
    const bool isWanted = m_rows.IsWanted<CollectiveRow>();
    watched.watch = std::make_unique<GraphRunWatch>(
        watched.plan,
        isWanted ? GraphRunWatch::CollectiveListener(note) : nullptr);
}

void
GraphRecorder::EndRun(Watched& watched)
{
    if (watched.watch)
    {
        watched.times.Add(watched.watch->Stop());
        watched.watch.reset();
    }
}

void
GraphRecorder::NotifyRank(const RankEvent& event)
{
    const auto known = m_jobs.find(event.job);
    if (known == m_jobs.end())
    {
        return;
    }
    Watched& watched = known->second;
    if (event.kind == RankEvent::Kind::BEGAN && event.run != watched.run)
    {
        BeginRun(watched);
    }
    if (!watched.watch)
    {
        return; // another machine has stopped already
    }
    if (event.kind == RankEvent::Kind::BEGAN)
    {
        watched.watch->Begin(event.rank);
    }
    else if (event.kind == RankEvent::Kind::FINISHED)
    {
        watched.watch->Finish(event.rank);
    }
    else if (event.kind == RankEvent::Kind::STOPPED || event.kind == RankEvent::Kind::FAILED)
    {
        EndRun(watched); // the first machine: nothing that others still do leads anywhere
    }
}

void
GraphRecorder::NotifyNode(const NodeEvent& event)
{
    const auto known = m_jobs.find(event.job);
    if (known != m_jobs.end() && known->second.watch)
    {
        known->second.watch->Note(event);
    }
}

void
GraphRecorder::NotifyLeap(const IterationLeap& leap)
{
    const auto known = m_jobs.find(leap.first.job);
    if (known != m_jobs.end() && known->second.watch)
    {
        known->second.watch->Leap(leap.held);
    }
}

/** \return FLOP/s of all GPUs of a placement at their peak */
double
GraphRecorder::SumPeaks(const JobSpec& job, const Placement& placement) const
{
    double speeds = 0;
    for (const GpuId& gpu : placement.workers)
    {
        const GpuType& type = m_cluster->GetMachines()->GetMachine(gpu.host)->GetGpuType();
        const Time second =
            gpu.index == NO_GPU ? Seconds(1) : type.GetTime(Seconds(1), job.model.name);
        speeds += 1 / second.GetSeconds();
    }
    return speeds;
}

void
GraphRecorder::NotifyRunEnd(const JobRunRecord& run)
{
    const auto known = m_jobs.find(run.job);
    if (known == m_jobs.end())
    {
        return;
    }
    Watched& watched = known->second;
    EndRun(watched);
    if (run.training && watched.plan)
    {
        const Time span = run.training->end - run.training->start;
        watched.training += span;
        watched.peak += span.GetSeconds() * watched.plan->graph->peak *
                        SumPeaks(watched.job->GetSpec(), run.placement);
    }
    if (watched.hasEnded)
    {
        AddRows(watched);
        m_jobs.erase(known);
    }
}

/** The rows come when its last run is over, too. */
void
GraphRecorder::NotifyJobEnd(Ptr<Job> job, bool /* stoppedEarly */)
{
    const auto known = m_jobs.find(job->GetId());
    if (known == m_jobs.end())
    {
        return;
    }
    known->second.hasEnded = true;
    if (!job->IsRunning())
    {
        AddRows(known->second);
        m_jobs.erase(known);
    }
}

void
GraphRecorder::AddRows(Watched& watched)
{
    if (!watched.plan)
    {
        return; // no iteration has begun
    }
    const JobSpec& spec = watched.job->GetSpec();
    const TaskGraph& graph = *watched.plan->graph;
    const GraphRunWatch::Times& times = watched.times;
    TrainingRow row;
    row.job = spec.id;
    row.model = spec.model.name;
    row.workers = spec.workers;
    row.iterations = static_cast<double>(times.finished) / spec.workers;
    row.compute = Mean(times.compute, times.finished);
    row.exposed = Mean(times.exposed, times.finished);
    row.bubble = Mean(times.bubble, times.finished);
    row.training = watched.training;
    const double seconds = watched.training.GetSeconds();
    const double all = static_cast<double>(watched.job->GetIterationsDone()) * spec.graphScale;
    if (graph.tokens > 0 && seconds > 0)
    {
        row.tokens = graph.tokens * all / seconds;
    }
    if (graph.flops > 0 && seconds > 0)
    {
        row.flops = graph.flops * all / seconds / spec.workers;
    }
    if (graph.flops > 0 && watched.peak > 0)
    {
        row.mfu = graph.flops * all / watched.peak;
    }
    m_rows.Add(row);
    for (const auto& [kind, sum] : watched.collectives)
    {
        const auto& [group, type, bytes, algorithm] = kind;
        const RankGroup& members = graph.groups[group];
        const auto ranks = static_cast<uint32_t>(members.ranks.size());
        m_rows.Add(CollectiveRow{spec.id,
                                 members.name,
                                 ranks,
                                 GetName(type),
                                 algorithm,
                                 type == Collective::BARRIER ? 0 : bytes,
                                 sum.count,
                                 Mean(sum.all, sum.count),
                                 sum.least,
                                 sum.most,
                                 GetBusFactor(type, ranks)});
    }
}

} // namespace ns3::ddl
