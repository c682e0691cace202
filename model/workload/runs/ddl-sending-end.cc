// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sending-end.h"

#include "ddl-rank.h"

namespace ns3::ddl
{

SendingEnd::SendingEnd(Ptr<MessageStream> stream, Rank& source, uint32_t destination)
    : m_stream(stream),
      m_source(source),
      m_destination(destination),
      m_delivered(MakeCallback(&SendingEnd::Delivered, this))
{
}

void
SendingEnd::Send(uint64_t iteration, uint32_t slot, uint32_t echo, uint64_t bytes)
{
    m_sent.push_back({iteration, echo});
    m_stream->Send(bytes, {iteration, m_destination, slot}, m_delivered);
}

void
SendingEnd::Close()
{
    m_stream->Close();
}

void
SendingEnd::Delivered()
{
    const Sent sent = m_sent.front();
    m_sent.pop_front();
    m_source.Delivered(sent.iteration, sent.echo);
}

} // namespace ns3::ddl
