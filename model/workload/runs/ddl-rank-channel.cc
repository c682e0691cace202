// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-rank-channel.h"

#include "ddl-job.h"
#include "ddl-rank.h"

namespace ns3::ddl
{

RankChannel::RankChannel(Ptr<MessageStream> stream, Ptr<Rank> source, Ptr<Rank> destination)
    : m_stream(stream),
      m_source(source),
      m_destination(destination),
      m_delivered(MakeCallback(&RankChannel::Delivered, this))
{
}

void
RankChannel::Send(uint64_t iteration, uint32_t slot, uint32_t echo, uint64_t bytes)
{
    m_messages.push_back({iteration, slot, echo});
    m_stream->Send(bytes, m_delivered);
}

void
RankChannel::Close()
{
    m_stream->Close();
}

void
RankChannel::Delivered()
{
    // What follows may end the job; it has to outlive this call, and this channel with it.
    const Ptr<Job> job = m_destination->GetJob();
    const Message message = m_messages.front();
    m_messages.pop_front();
    m_destination->Arrive(message.iteration, message.slot);
    m_source->Delivered(message.iteration, message.echo);
}

} // namespace ns3::ddl
