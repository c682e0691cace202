// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-stream-crossing.h"

#include "ddl-sending-stream.h"
#include "ddl-stream-host.h"

#include <utility>

namespace ns3::ddl
{

StreamCrossing::StreamCrossing(const Machines& machines, SendingStream& source)
    : StreamCrossing(*machines.m_machines.at(source.GetDestination().value), source)
{
}

StreamCrossing::StreamCrossing(StreamHost& machine, SendingStream& source)
    : m_source(source),
      m_end(machine.Admit(source.GetRequest(), false))
{
    if (m_end)
    {
        m_end->m_crossing = this;
    }
}

StreamCrossing::~StreamCrossing()
{
    Close();
}

void
StreamCrossing::Carry(const MessagePiece& piece)
{
    if (m_end)
    {
        const Ptr<ReceivingStream> end = m_end; // kept alive, as its receiver may close the source
        end->NotifyArrived(piece);
    }
}

void
StreamCrossing::Close()
{
    const Ptr<ReceivingStream> end = std::exchange(m_end, nullptr);
    if (!end)
    {
        return;
    }
    end->m_crossing = nullptr;
    if (!end->m_isAccepted)
    {
        end->Close();
    }
}

void
StreamCrossing::Detach()
{
    m_end = nullptr;
}

uint64_t
StreamCrossing::CountUntold() const
{
    return m_source.DoCountUntold();
}

} // namespace ns3::ddl
