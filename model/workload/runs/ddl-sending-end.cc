// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sending-end.h"

#include "ddl-rank.h"

namespace ns3::ddl
{

SendingEnd::SendingEnd(Ptr<SendingStream> stream, Rank& source, uint32_t destination)
    : m_stream(stream),
      m_source(source),
      m_destination(destination),
      m_acknowledged(MakeCallback(&SendingEnd::Acknowledged, this))
{
}

void
SendingEnd::Send(uint64_t iteration, uint32_t slot, uint32_t echo, uint64_t bytes)
{
    const MessageTag tag{iteration, m_destination, slot};
    if (echo == RankPlan::NO_ECHO && !m_source.WaitsForOwn())
    {
        m_stream->Send(bytes, tag);
        return;
    }
    m_sent.push_back({iteration, echo});
    m_stream->Send(bytes, tag, m_acknowledged);
}

void
SendingEnd::Close()
{
    m_stream->Close();
}

void
SendingEnd::Acknowledged()
{
    const Sent sent = m_sent.front();
    m_sent.pop_front();
    m_source.Acknowledged(sent.iteration, sent.echo);
}

} // namespace ns3::ddl
