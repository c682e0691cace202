// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-state.h"
#include "ddl-job.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

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

} // namespace ddl
} // namespace ns3
