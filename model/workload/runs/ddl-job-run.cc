// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-run.h"

#include "ddl-job-hosts.h"
#include "ddl-rank-channel.h"
#include "ddl-server-rank.h"
#include "ddl-worker-rank.h"

#include "ns3/abort.h"
#include "ns3/ddl-communication-pattern.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::ddl
{

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

JobRun::JobRun(const JobSpec& spec,
               const BucketPlan& buckets,
               const Placement& placement,
               const std::vector<uint32_t>& machines,
               uint64_t first)
    : m_spec(spec),
      m_placement(placement),
      m_first(first),
      m_taskTime(spec.model.forward + spec.model.backward)
{
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
    m_plan = PlanJob(*pattern, view, buckets);
    m_hosts = ListHosts(m_rankHosts);
    m_hostBytes = CountHostBytes(m_plan, m_rankHosts);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        m_orders[m_rankHosts[rank]].ranks.push_back(rank);
    }
}

JobRun::~JobRun()
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
        Close();
    }
}

void
JobRun::Open(Job* job,
             Ptr<Cluster> cluster,
             Ptr<Transport> transport,
             Mark initial,
             std::vector<TaskTimes>& times)
{
    NS_ABORT_MSG_UNLESS(m_ranks.empty(), "job " << m_spec.id << " was launched before");
    m_start = Simulator::Now();
    m_cluster = cluster;
    cluster->Claim(ListGpus(m_placement), m_spec.id, m_spec.model.gpuMemory);
    for (const HostId host : m_placement.servers)
    {
        cluster->AddServer(host);
    }
    m_communication = GetUncontendedCommunication(m_hostBytes, *cluster);
    MakeRanks(job, times);
    OpenStreams(transport, initial);
}

void
JobRun::MakeRanks(Job* job, std::vector<TaskTimes>& times)
{
    for (uint32_t rank = 0; rank < m_rankHosts.size(); ++rank)
    {
        const Ptr<Rank> process =
            rank < m_spec.workers ? MakeWorker(rank, times) : Ptr<Rank>(Create<ServerRank>());
        process->Start(job, m_plan.ranks[rank], m_first);
        m_ranks.push_back(process);
    }
}

Ptr<Rank>
JobRun::MakeWorker(uint32_t rank, std::vector<TaskTimes>& times)
{
    const GpuId gpu = m_placement.workers[rank];
    const bool hasGpu = gpu.index != NO_GPU;
    const Time both = m_spec.model.forward + m_spec.model.backward;
    const Time time =
        hasGpu ? m_cluster->GetMachine(gpu.host)->GetGpuType().GetTime(both, m_spec.model.name)
               : both;
    m_taskTime = Max(rank == 0 ? time : m_taskTime, time);
    return Create<WorkerRank>(hasGpu ? m_cluster->GetGpu(gpu) : nullptr,
                              time,
                              both.IsZero() ? 0
                                            : m_spec.model.forward.GetDouble() / both.GetDouble(),
                              times[rank]);
}

void
JobRun::OpenStreams(Ptr<Transport> transport, Mark initial)
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
        const uint32_t label = MakeFlowLabel(m_spec.id, ends.source, ends.destination);
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
JobRun::Close()
{
    for (const auto& channel : m_channels)
    {
        channel->Close();
    }
}

const JobRun::HostOrders&
JobRun::GetOrders(HostId host) const
{
    const auto found = m_orders.find(host);
    NS_ABORT_MSG_IF(found == m_orders.end() || m_ranks.empty(),
                    "job " << m_spec.id << " does not run on machine " << host);
    return found->second;
}

void
JobRun::Grant(HostId host, uint64_t end)
{
    const auto ranks = GetOrders(host).ranks; // a copy: what follows may end the job
    for (const uint32_t rank : ranks)
    {
        m_ranks[rank]->Grant(end);
    }
}

uint64_t
JobRun::Pause(HostId host)
{
    uint64_t begun = 0;
    for (const uint32_t rank : GetOrders(host).ranks)
    {
        begun = std::max(begun, m_ranks[rank]->Pause());
    }
    return begun;
}

void
JobRun::Admit(HostId host)
{
    const auto ranks = GetOrders(host).ranks; // a copy: what follows may end the job
    for (const uint32_t rank : ranks)
    {
        m_ranks[rank]->Admit();
    }
}

bool
JobRun::Stop(HostId host)
{
    GetOrders(host); // it must be one of the run's
    HostOrders& orders = m_orders[host];
    orders.stopped = true;
    for (const uint32_t rank : orders.ranks)
    {
        m_ranks[rank]->Halt();
    }
    const bool all = std::all_of(m_orders.begin(), m_orders.end(), [](const auto& entry) {
        return entry.second.stopped;
    });
    if (!all || !m_cluster)
    {
        return false;
    }
    Close();
    m_cluster->Release(ListGpus(m_placement), m_spec.id);
    for (const HostId server : m_placement.servers)
    {
        m_cluster->RemoveServer(server);
    }
    m_cluster = nullptr;
    return true;
}

uint64_t
JobRun::GetBytes() const
{
    uint64_t bytes = 0;
    for (const auto& stream : m_streams)
    {
        bytes += stream->GetSentBytes();
    }
    return bytes;
}

uint64_t
JobRun::GetDeliveredBytes() const
{
    uint64_t bytes = 0;
    for (const auto& stream : m_streams)
    {
        bytes += stream->GetDeliveredBytes();
    }
    return bytes;
}

} // namespace ns3::ddl
