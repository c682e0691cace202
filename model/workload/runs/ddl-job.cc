// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job.h"

#include "ddl-job-hosts.h"
#include "ddl-job-state.h"
#include "ddl-server-app.h"
#include "ddl-worker-app.h"

#include "ns3/abort.h"
#include "ns3/ddl-rank-plan.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{
namespace ddl
{

NS_LOG_COMPONENT_DEFINE("DdlJob");
NS_OBJECT_ENSURE_REGISTERED(Job);

TypeId
Job::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::Job")
            .SetParent<Object>()
            .SetGroupName("Ddl")
            .AddTraceSource("Launched",
                            "The ranks are installed and the streams open.",
                            MakeTraceSourceAccessor(&Job::m_launched),
                            "ns3::ddl::Job::JobCallback")
            .AddTraceSource("StageStart",
                            "The first machine was told to run a stage: job, stage.",
                            MakeTraceSourceAccessor(&Job::m_stageStart),
                            "ns3::ddl::Job::StageCallback")
            .AddTraceSource("StageEnd",
                            "The last worker has finished a stage: job, stage.",
                            MakeTraceSourceAccessor(&Job::m_stageEnd),
                            "ns3::ddl::Job::StageCallback")
            .AddTraceSource("Ready",
                            "The last worker has something to send, and the job, which is gated, "
                            "waits for Admit: job, iteration from 1 over all stages.",
                            MakeTraceSourceAccessor(&Job::m_ready),
                            "ns3::ddl::Job::CoflowCallback")
            .AddTraceSource("CoflowStart",
                            "The first worker begins to send: job, iteration from 1 over all "
                            "stages. The coflow ends with the iteration.",
                            MakeTraceSourceAccessor(&Job::m_coflowStart),
                            "ns3::ddl::Job::StageCallback")
            .AddTraceSource("IterationEnd",
                            "The last worker has finished an iteration.",
                            MakeTraceSourceAccessor(&Job::m_iterationEnd),
                            "ns3::ddl::Job::IterationCallback")
            .AddTraceSource("Stopped",
                            "All machines have stopped; streams are closed and GPUs free.",
                            MakeTraceSourceAccessor(&Job::m_stopped),
                            "ns3::ddl::Job::JobCallback");
    return tid;
}

JobId
Job::GetId() const
{
    return m_state->spec.id;
}

CojobId
Job::GetCojob() const
{
    return m_state->cojob;
}

const JobSpec&
Job::GetSpec() const
{
    return m_state->spec;
}

const Placement&
Job::GetPlacement() const
{
    return m_state->placement;
}

const std::vector<HostId>&
Job::GetHosts() const
{
    return m_state->hosts;
}

HostId
Job::GetLeader() const
{
    return m_state->rankHosts.front();
}

const std::vector<HostBytes>&
Job::GetHostBytes() const
{
    return m_state->hostBytes;
}

const std::vector<Job::StreamInfo>&
Job::GetStreams() const
{
    return m_state->streams;
}

uint32_t
Job::GetStage() const
{
    return m_state->stage;
}

uint32_t
Job::GetIterationsDone() const
{
    return m_state->log.GetDone();
}

uint32_t
Job::GetStageIterationsDone() const
{
    return m_state->log.GetDone() - m_state->stageBegin;
}

Time
Job::GetComputeTime() const
{
    return m_state->log.GetComputeTime();
}

Time
Job::GetCommunicationTime() const
{
    return m_state->log.GetCommunicationTime();
}

uint64_t
Job::GetIterationBytes() const
{
    return m_state->plan.bytes;
}

Time
Job::GetTaskTime() const
{
    return m_state->taskTime;
}

IterationCost
Job::GetIterationCost() const
{
    return {m_state->taskTime, m_state->communication, m_state->spec.workers};
}

Time
Job::GetRemainingService(uint64_t done) const
{
    const uint64_t all = std::max<uint64_t>(m_state->iterations, m_state->stageEnd);
    return ddl::GetRemainingService(GetIterationCost(), all - std::min(all, done));
}

uint64_t
Job::GetBytes() const
{
    uint64_t bytes = 0;
    for (const StreamInfo& info : m_state->streams)
    {
        bytes += info.stream->GetSentBytes();
    }
    return bytes;
}

bool
Job::IsOnePhase() const
{
    const auto& ranks = m_state->plan.ranks;
    return std::all_of(ranks.begin(), ranks.end(), [](const RankPlan& rank) {
        // A group that waits for the rank itself alone needs 1.
        return std::all_of(rank.needs.begin(), rank.needs.end(), [](uint32_t needs) {
            return needs == 1;
        });
    });
}

bool
Job::IsStopped() const
{
    return m_state->stopped;
}

namespace
{

/** \return whether a job only moves bytes, as the coflows of a trace do */
bool
NeedsNoGpu(const Placement& placement)
{
    return std::all_of(placement.workers.begin(), placement.workers.end(), [](const GpuId& gpu) {
        return gpu.index == NO_GPU;
    });
}

} // namespace

void
Job::Launch(Ptr<Cluster> cluster, Ptr<Transport> transport, Mark initial)
{
    NS_LOG_FUNCTION(this << cluster << transport);
    NS_ABORT_MSG_IF(m_state->launched, "job " << GetId() << " was launched before");
    m_state->launched = true;
    m_state->cluster = cluster;
    cluster->Claim(ListGpus(m_state->placement), GetId(), m_state->spec.model.gpuMemory);
    for (const HostId host : m_state->placement.servers)
    {
        cluster->AddServer(host);
    }
    m_state->communication = GetUncontendedCommunication(m_state->hostBytes, *cluster);
    InstallRanks(cluster);
    OpenStreams(transport, initial);
    m_launched(this);
}

void
Job::InstallRanks(Ptr<Cluster> cluster)
{
    State& state = *m_state;
    for (uint32_t rank = 0; rank < state.rankHosts.size(); ++rank)
    {
        Ptr<RankApp> app;
        if (rank < state.spec.workers)
        {
            app = MakeWorker(cluster, rank);
        }
        else
        {
            app = CreateObject<ServerApp>();
        }
        app->SetJob(this, state.plan.ranks[rank]);
        cluster->GetNode(state.rankHosts[rank])->AddApplication(app);
        state.ranks.push_back(app);
    }
}

Ptr<RankApp>
Job::MakeWorker(Ptr<Cluster> cluster, uint32_t rank)
{
    const JobSpec& spec = m_state->spec;
    const GpuId gpu = m_state->placement.workers[rank];
    const bool hasGpu = gpu.index != NO_GPU;
    const Time both = spec.model.forward + spec.model.backward;
    const Time time =
        hasGpu ? cluster->GetMachine(gpu.host)->GetGpuType().GetTime(both, spec.model.name) : both;
    m_state->taskTime = Max(rank == 0 ? time : m_state->taskTime, time);
    const auto worker = CreateObject<WorkerApp>();
    worker->SetCompute(hasGpu ? cluster->GetGpu(gpu) : nullptr,
                       TaskTimes(time, spec.noise, GetId(), rank),
                       both.IsZero() ? 0 : spec.model.forward.GetDouble() / both.GetDouble());
    return worker;
}

void
Job::OpenStreams(Ptr<Transport> transport, Mark initial)
{
    State& state = *m_state;
    std::vector<RankChannel*> channels;
    const bool isCoflow = NeedsNoGpu(state.placement);
    std::map<std::pair<HostId, HostId>, Ptr<MessageStream>> shared; // of a coflow
    for (const JobPlan::Channel& ends : state.plan.channels)
    {
        const HostId from = state.rankHosts[ends.source];
        const HostId to = state.rankHosts[ends.destination];
        const auto found = shared.find({from, to});
        const bool isNew = found == shared.end();
        const uint32_t label = MakeFlowLabel(GetId(), ends.source, ends.destination);
        const auto stream =
            isNew ? transport->Open(from, to, initial, initial, label) : found->second;
        if (isCoflow)
        {
            shared.emplace(std::make_pair(from, to), stream);
        }
        state.channels.push_back(std::make_unique<RankChannel>(stream,
                                                               state.ranks[ends.source],
                                                               state.ranks[ends.destination]));
        if (isNew)
        {
            state.streams.push_back({GetId(), stream});
        }
        channels.push_back(state.channels.back().get());
    }
    for (const auto& rank : state.ranks)
    {
        rank->SetChannels(channels);
    }
}

Job::Job(const JobSpec& spec, CojobId cojob, const Placement& placement)
    : m_state(std::make_unique<State>(spec, cojob, placement))
{
    NS_LOG_FUNCTION(this << spec.id);
    const uint32_t ranks = spec.workers + spec.servers;
    NS_ABORT_MSG_IF(placement.workers.size() != spec.workers ||
                        placement.servers.size() != spec.servers,
                    "the placement of job " << spec.id << " does not fit it");
    const auto pattern = spec.pattern.Create<CommunicationPattern>();
    NS_ABORT_MSG_UNLESS(pattern, "job " << spec.id << " has no communication pattern");
    State& state = *m_state;
    state.rankHosts = ListRankHosts(placement);
    const std::vector<HostId> machines(state.rankHosts.begin(),
                                       state.rankHosts.begin() + spec.workers);
    const PatternView view{spec.workers, spec.servers, spec.model.bytes, machines};
    state.plan = CompilePlan(PlanInBuckets(*pattern, view, spec.buckets), ranks, spec.buckets);
    state.hosts = ListHosts(state.rankHosts);
    state.hostBytes = CountHostBytes(state.plan, state.rankHosts);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        state.told[state.rankHosts[rank]].ranks.push_back(rank);
    }
}

Job::~Job()
{
    NS_LOG_FUNCTION(this);
    Abandon();
}

void
Job::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Abandon();
    m_state->cluster = nullptr;
    Object::DoDispose();
}

void
Job::Abandon()
{
    // When the nodes are gone, so are the ranks, and the streams need no closing.
    const auto& ranks = m_state->ranks;
    const bool running =
        std::any_of(ranks.begin(), ranks.end(), [](const auto& rank) { return !rank->IsHalted(); });
    if (running)
    {
        for (const auto& rank : ranks)
        {
            rank->Halt();
        }
        CloseStreams();
    }
}

void
Job::CloseStreams()
{
    for (const auto& channel : m_state->channels)
    {
        channel->Close();
    }
}

void
Job::StartStage(HostId host, uint32_t stage, uint32_t iterations)
{
    NS_LOG_FUNCTION(this << host << stage << iterations);
    const auto found = m_state->told.find(host);
    NS_ABORT_MSG_IF(found == m_state->told.end(),
                    "job " << GetId() << " has no rank on machine " << host);
    State::HostState& told = found->second;
    NS_ABORT_MSG_IF(!m_state->launched || told.stopped || stage != told.stage + 1,
                    "machine " << host << " cannot start stage " << stage << " of job " << GetId()
                               << " now");
    if (stage == m_state->stage + 1)
    {
        BeginStage(stage, iterations);
    }
    NS_ABORT_MSG_IF(stage != m_state->stage ||
                        iterations != m_state->stageEnd - m_state->stageBegin,
                    "machines of job " << GetId() << " were told different stages");
    told.stage = stage;
    for (const uint32_t rank : told.ranks)
    {
        m_state->ranks[rank]->AddIterations(iterations);
    }
}

void
Job::BeginStage(uint32_t stage, uint32_t iterations)
{
    State& state = *m_state;
    NS_ABORT_MSG_IF(iterations == 0, "stage " << stage << " of job " << GetId() << " is empty");
    NS_ABORT_MSG_IF(state.log.GetDone() != state.stageEnd,
                    "stage " << stage << " of job " << GetId() << " begins in stage "
                             << state.stage);
    state.stage = stage;
    state.stageBegin = state.stageEnd;
    state.stageEnd += iterations;
    m_stageStart(this, stage);
}

void
Job::Stop(HostId host)
{
    NS_LOG_FUNCTION(this << host);
    State& state = *m_state;
    const auto found = state.told.find(host);
    NS_ABORT_MSG_IF(found == state.told.end() || !state.launched,
                    "job " << GetId() << " does not run on machine " << host);
    found->second.stopped = true;
    for (const uint32_t rank : found->second.ranks)
    {
        state.ranks[rank]->Halt();
    }
    bool all = !state.stopped;
    for (const auto& entry : state.told)
    {
        all = all && entry.second.stopped;
    }
    if (all)
    {
        Finish();
    }
}

void
Job::Finish()
{
    State& state = *m_state;
    state.stopped = true;
    CloseStreams();
    state.cluster->Release(ListGpus(state.placement), GetId());
    for (const HostId host : state.placement.servers)
    {
        state.cluster->RemoveServer(host);
    }
    state.cluster = nullptr;
    m_stopped(this);
}

void
Job::WorkerBegan(uint32_t iteration)
{
    m_state->log.Begin(iteration, Simulator::Now());
}

void
Job::WorkerComputed(uint32_t iteration)
{
    m_state->log.Computed(iteration, Simulator::Now());
}

void
Job::WorkerReady(uint32_t iteration)
{
    const uint32_t ready = m_state->log.Ready(iteration, Simulator::Now());
    if (m_state->gated && ready == m_state->spec.workers)
    {
        Hold(iteration + 1);
    }
    else if (!m_state->gated && ready == 1)
    {
        m_coflowStart(this, iteration + 1);
    }
}

void
Job::WorkerFinished(uint32_t iteration)
{
    State& state = *m_state;
    const Time now = Simulator::Now();
    const auto entry = state.log.Finish(iteration, now);
    if (!entry)
    {
        return;
    }
    m_iterationEnd({GetId(),
                    iteration + 1,
                    entry->start,
                    entry->firstReady.value_or(entry->computeEnd),
                    entry->computeEnd,
                    now,
                    state.plan.bytes,
                    state.plan.transfers});
    if (iteration + 1 == state.stageEnd)
    {
        NS_LOG_LOGIC("job " << GetId() << " has finished stage " << state.stage);
        m_stageEnd(this, state.stage);
    }
}

void
Job::SetIterations(uint64_t iterations)
{
    m_state->iterations = iterations;
}

void
Job::SetGated()
{
    NS_ABORT_MSG_IF(m_state->launched, "job " << GetId() << " was launched before");
    m_state->gated = true;
}

bool
Job::IsGated() const
{
    return m_state->gated;
}

/** All workers have something to send: none can be further, since each waits for the others. */
void
Job::Hold(uint32_t iteration)
{
    State& state = *m_state;
    state.asked = iteration;
    state.held = true;
    state.admitted = false;
    state.heldSince = Simulator::Now();
    m_ready(this, iteration);
}

void
Job::Admit(HostId host, uint32_t iteration)
{
    State& state = *m_state;
    const auto& told = state.told.at(host);
    if (told.stopped)
    {
        return;
    }
    NS_ABORT_MSG_IF(iteration != state.asked,
                    "job " << GetId() << " asked for iteration " << state.asked
                           << ", got leave for " << iteration);
    if (host == GetLeader())
    {
        NS_ABORT_MSG_UNLESS(state.held, "job " << GetId() << " got leave twice");
        state.held = false;
        state.gateWait += Simulator::Now() - state.heldSince;
    }
    if (!state.admitted)
    {
        state.admitted = true;
        m_coflowStart(this, iteration);
    }
    const auto ranks = told.ranks; // a copy: what follows may end the job
    for (const uint32_t rank : ranks)
    {
        state.ranks[rank]->Admit();
    }
}

bool
Job::IsHeld() const
{
    return m_state->held && !m_state->stopped;
}

Time
Job::GetGateWait() const
{
    return m_state->gateWait;
}

uint64_t
Job::GetIterationBytesLeft() const
{
    uint64_t delivered = 0;
    for (const StreamInfo& info : m_state->streams)
    {
        delivered += info.stream->GetDeliveredBytes();
    }
    return (GetIterationsDone() + uint64_t{1}) * m_state->plan.bytes - delivered;
}

} // namespace ddl
} // namespace ns3
