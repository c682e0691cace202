// SPDX-License-Identifier: GPL-2.0-only
// How a job waits for leave to communicate; how it runs is in ddl-job.cc.
#include "ddl-job-state.h"
#include "ddl-job.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace ddl
{

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
