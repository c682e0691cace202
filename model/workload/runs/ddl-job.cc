// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job.h"

#include "ddl-job-hosts.h"
#include "ddl-job-state.h"

#include "ns3/abort.h"
#include "ns3/ddl-bucket-plan.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

NS_LOG_COMPONENT_DEFINE("DdlJob");

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

} // namespace ddl
} // namespace ns3
