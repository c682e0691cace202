// SPDX-License-Identifier: GPL-2.0-only
// How a job comes to its machines; how it runs there is in ddl-job.cc.
#include "ddl-job-hosts.h"
#include "ddl-job-state.h"
#include "ddl-job.h"
#include "ddl-server-app.h"
#include "ddl-worker-app.h"

#include "ns3/abort.h"
#include "ns3/log.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{
namespace ddl
{

NS_LOG_COMPONENT_DEFINE("DdlJobLaunch");

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

} // namespace ddl
} // namespace ns3
