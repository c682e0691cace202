// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job.h"

#include "ddl-job-hosts.h"
#include "ddl-rank-channel.h"
#include "ddl-server-app.h"
#include "ddl-worker-app.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlJob");
NS_OBJECT_ENSURE_REGISTERED(Job);

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
                            "The first machine has received the start of a stage: job, stage.",
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
                            "ns3::ddl::Job::StageCallback")
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

Job::Job(const JobSpec& spec,
         CojobId cojob,
         const Placement& placement,
         const std::vector<uint32_t>& machines)
    : m_spec(spec),
      m_cojob(cojob),
      m_placement(placement),
      m_buckets(spec.model, spec.overlap),
      m_taskTime(spec.model.forward + spec.model.backward),
      m_log(spec.workers)
{
    NS_LOG_FUNCTION(this << spec.id);
    const uint32_t ranks = spec.workers + spec.servers;
    NS_ABORT_MSG_IF(placement.workers.size() != spec.workers ||
                        placement.servers.size() != spec.servers,
                    "the placement of job " << spec.id << " does not fit it");
    const auto pattern = spec.pattern.Create<CommunicationPattern>();
    NS_ABORT_MSG_UNLESS(pattern, "job " << spec.id << " has no communication pattern");
    m_rankHosts = ListRankHosts(placement);
    PatternView view{spec.workers, spec.servers, spec.model.bytes, machines};
    for (uint32_t rank = 0; machines.empty() && rank < spec.workers; ++rank)
    {
        view.machines.push_back(m_rankHosts[rank].value);
    }
    m_plan = PlanJob(*pattern, view, m_buckets);
    m_hosts = ListHosts(m_rankHosts);
    m_hostBytes = CountHostBytes(m_plan, m_rankHosts);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        m_orders[m_rankHosts[rank]].ranks.push_back(rank);
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
    m_cluster = nullptr;
    Object::DoDispose();
}

void
Job::Abandon()
{
    // When the nodes are gone, so are the ranks, and the streams need no closing.
    const bool isRunning = std::any_of(m_ranks.begin(), m_ranks.end(), [](const auto& rank) {
        return !rank->IsHalted();
    });
    if (isRunning)
    {
        for (const auto& rank : m_ranks)
        {
            rank->Halt();
        }
        CloseStreams();
    }
}

void
Job::CloseStreams()
{
    for (const auto& channel : m_channels)
    {
        channel->Close();
    }
}

void
Job::Launch(Ptr<Cluster> cluster, Ptr<Transport> transport, Mark initial)
{
    NS_LOG_FUNCTION(this << cluster << transport);
    NS_ABORT_MSG_IF(m_isLaunched, "job " << GetId() << " was launched before");
    m_isLaunched = true;
    m_cluster = cluster;
    cluster->Claim(ListGpus(m_placement), GetId(), m_spec.model.gpuMemory);
    for (const HostId host : m_placement.servers)
    {
        cluster->AddServer(host);
    }
    m_communication = GetUncontendedCommunication(m_hostBytes, *cluster);
    InstallRanks(cluster);
    OpenStreams(transport, initial);
    m_launched(this);
}

void
Job::InstallRanks(Ptr<Cluster> cluster)
{
    for (uint32_t rank = 0; rank < m_rankHosts.size(); ++rank)
    {
        Ptr<RankApp> app;
        if (rank < m_spec.workers)
        {
            app = MakeWorker(cluster, rank);
        }
        else
        {
            app = CreateObject<ServerApp>();
        }
        app->SetJob(this, m_plan.ranks[rank]);
        cluster->GetNode(m_rankHosts[rank])->AddApplication(app);
        m_ranks.push_back(app);
    }
}

Ptr<RankApp>
Job::MakeWorker(Ptr<Cluster> cluster, uint32_t rank)
{
    const GpuId gpu = m_placement.workers[rank];
    const bool hasGpu = gpu.index != NO_GPU;
    const Time both = m_spec.model.forward + m_spec.model.backward;
    const Time time =
        hasGpu ? cluster->GetMachine(gpu.host)->GetGpuType().GetTime(both, m_spec.model.name)
               : both;
    m_taskTime = Max(rank == 0 ? time : m_taskTime, time);
    const auto worker = CreateObject<WorkerApp>();
    worker->SetCompute(hasGpu ? cluster->GetGpu(gpu) : nullptr,
                       TaskTimes(time, m_spec.noise, GetId(), rank),
                       both.IsZero() ? 0 : m_spec.model.forward.GetDouble() / both.GetDouble());
    return worker;
}

void
Job::OpenStreams(Ptr<Transport> transport, Mark initial)
{
    std::vector<RankChannel*> channels;
    const bool isCoflow = NeedsNoGpu(m_placement);
    std::map<std::pair<HostId, HostId>, Ptr<MessageStream>> shared; // of a coflow
    for (const JobPlan::Channel& ends : m_plan.channels)
    {
        const HostId from = m_rankHosts[ends.source];
        const HostId to = m_rankHosts[ends.destination];
        const auto found = shared.find({from, to});
        const bool isNew = found == shared.end();
        const uint32_t label = MakeFlowLabel(GetId(), ends.source, ends.destination);
        const auto stream =
            isNew ? transport->Open(from, to, initial, initial, label) : found->second;
        if (isCoflow)
        {
            shared.emplace(std::make_pair(from, to), stream);
        }
        m_channels.push_back(
            std::make_unique<RankChannel>(stream, m_ranks[ends.source], m_ranks[ends.destination]));
        if (isNew)
        {
            m_streams.push_back(stream);
        }
        channels.push_back(m_channels.back().get());
    }
    for (const auto& rank : m_ranks)
    {
        rank->SetChannels(channels);
    }
}

void
Job::StartStage(HostId host, uint32_t stage, uint32_t iterations)
{
    NS_LOG_FUNCTION(this << host << stage << iterations);
    const auto found = m_orders.find(host);
    NS_ABORT_MSG_IF(found == m_orders.end(),
                    "job " << GetId() << " has no rank on machine " << host);
    HostOrders& orders = found->second;
    NS_ABORT_MSG_IF(!m_isLaunched || orders.stopped || stage != orders.stage + 1,
                    "machine " << host << " cannot start stage " << stage << " of job " << GetId()
                               << " now");
    if (stage == m_stage + 1)
    {
        BeginStage(stage, iterations);
    }
    NS_ABORT_MSG_IF(stage != m_stage || iterations != m_doneAfter - m_doneBefore,
                    "machines of job " << GetId() << " got different stages");
    orders.stage = stage;
    for (const uint32_t rank : orders.ranks)
    {
        m_ranks[rank]->AddIterations(iterations);
    }
}

void
Job::BeginStage(uint32_t stage, uint32_t iterations)
{
    NS_ABORT_MSG_IF(iterations == 0, "stage " << stage << " of job " << GetId() << " is empty");
    NS_ABORT_MSG_IF(m_log.GetDone() != m_doneAfter,
                    "stage " << stage << " of job " << GetId() << " begins in stage " << m_stage);
    m_stage = stage;
    m_doneBefore = m_doneAfter;
    m_doneAfter += iterations;
    m_stageStart(this, stage);
}

void
Job::Stop(HostId host)
{
    NS_LOG_FUNCTION(this << host);
    const auto found = m_orders.find(host);
    NS_ABORT_MSG_IF(found == m_orders.end() || !m_isLaunched,
                    "job " << GetId() << " does not run on machine " << host);
    found->second.stopped = true;
    for (const uint32_t rank : found->second.ranks)
    {
        m_ranks[rank]->Halt();
    }
    bool all = !m_isStopped;
    for (const auto& entry : m_orders)
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
    m_isStopped = true;
    CloseStreams();
    m_cluster->Release(ListGpus(m_placement), GetId());
    for (const HostId host : m_placement.servers)
    {
        m_cluster->RemoveServer(host);
    }
    m_cluster = nullptr;
    m_stopped(this);
}

void
Job::WorkerBegan(uint32_t iteration)
{
    m_log.Begin(iteration, Simulator::Now());
}

void
Job::WorkerComputed(uint32_t iteration)
{
    m_log.Computed(iteration, Simulator::Now());
}

void
Job::WorkerReady(uint32_t iteration)
{
    const uint32_t ready = m_log.Ready(iteration, Simulator::Now());
    if (m_isGated && ready == m_spec.workers)
    {
        Hold(iteration + 1);
    }
    else if (!m_isGated && ready == 1)
    {
        m_coflowStart(this, iteration + 1);
    }
}

void
Job::WorkerFinished(uint32_t iteration)
{
    const Time now = Simulator::Now();
    const auto entry = m_log.Finish(iteration, now);
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
                    m_plan.bytes,
                    m_plan.transfers});
    if (iteration + 1 == m_doneAfter)
    {
        NS_LOG_LOGIC("job " << GetId() << " has finished stage " << m_stage);
        m_stageEnd(this, m_stage);
    }
}

void
Job::SetIterations(uint64_t iterations)
{
    m_iterations = iterations;
}

void
Job::SetGated()
{
    NS_ABORT_MSG_IF(m_isLaunched, "job " << GetId() << " was launched before");
    m_isGated = true;
}

/** All workers have something to send: none can be further, since each waits for the others. */
void
Job::Hold(uint32_t iteration)
{
    m_asked = iteration;
    m_isHeld = true;
    m_isAdmitted = false;
    m_heldSince = Simulator::Now();
    m_ready(this, iteration);
}

void
Job::Admit(HostId host, uint32_t iteration)
{
    const auto& orders = m_orders.at(host);
    if (orders.stopped)
    {
        return;
    }
    NS_ABORT_MSG_IF(iteration != m_asked,
                    "job " << GetId() << " asked for iteration " << m_asked << ", got leave for "
                           << iteration);
    if (host == GetLeader())
    {
        NS_ABORT_MSG_UNLESS(m_isHeld, "job " << GetId() << " got leave twice");
        m_isHeld = false;
        m_gateWait += Simulator::Now() - m_heldSince;
    }
    if (!m_isAdmitted)
    {
        m_isAdmitted = true;
        m_coflowStart(this, iteration);
    }
    const auto ranks = orders.ranks; // a copy: what follows may end the job
    for (const uint32_t rank : ranks)
    {
        m_ranks[rank]->Admit();
    }
}

Time
Job::GetRemainingService(uint64_t done) const
{
    const uint64_t all = std::max<uint64_t>(m_iterations, m_doneAfter);
    return ddl::GetRemainingService(GetIterationCost(), all - std::min(all, done));
}

uint64_t
Job::GetBytes() const
{
    uint64_t bytes = 0;
    for (const auto& stream : m_streams)
    {
        bytes += stream->GetSentBytes();
    }
    return bytes;
}

bool
Job::IsOnePhase() const
{
    const auto& ranks = m_plan.ranks;
    return std::all_of(ranks.begin(), ranks.end(), [](const RankPlan& rank) {
        // A group that waits for the rank itself alone needs 1.
        return std::all_of(rank.needs.begin(), rank.needs.end(), [](uint32_t needs) {
            return needs == 1;
        });
    });
}

uint64_t
Job::GetIterationBytesLeft() const
{
    uint64_t delivered = 0;
    for (const auto& stream : m_streams)
    {
        delivered += stream->GetDeliveredBytes();
    }
    // Fast workers may be in the next iteration, and what arrives then counts, too.
    const uint64_t due = (GetIterationsDone() + uint64_t{1}) * m_plan.bytes;
    return due - std::min(due, delivered);
}

} // namespace ns3::ddl
