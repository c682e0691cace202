// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-run-part.h"

#include <utility>

namespace ns3::ddl
{

RunPart::RunPart(std::shared_ptr<const RunSpec> run, const RunSite& site)
    : m_run(std::move(run)),
      m_machine(site.machine),
      m_streams(site.streams),
      m_software(site.software),
      m_granted(m_run->first)
{
}

void
RunPart::Stop()
{
    End(RankEvent::Kind::STOPPED);
}

void
RunPart::Fail()
{
    End(RankEvent::Kind::FAILED);
}

void
RunPart::End(RankEvent::Kind how)
{
    if (std::exchange(m_isStopped, true))
    {
        return;
    }
    DoStop();
    for (const auto& stream : m_accepted)
    {
        stream->Close();
    }
    Observe(how);
}

void
RunPart::Observe(RankEvent::Kind kind, uint64_t iteration, uint32_t stage, uint32_t rank) const
{
    m_software.Observe({kind, GetId(), m_run->number, GetHost(), iteration, stage, rank});
}

Ptr<SendingStream>
RunPart::Open(HostId peer, const StreamName& name, Mark mark, uint32_t flowLabel)
{
    const Ptr<SendingStream> stream = m_streams->Open(peer, name, mark, flowLabel);
    if (peer != GetHost())
    {
        m_outbound.push_back(stream);
    }
    m_software.ObserveStream(*m_run, stream);
    return stream;
}

Ptr<ReceivingStream>
RunPart::Accept(HostId peer, const StreamName& name, Mark mark)
{
    const Ptr<ReceivingStream> stream = m_streams->Accept(peer, name, mark);
    m_accepted.push_back(stream);
    if (peer != GetHost())
    {
        m_inbound.push_back(stream);
    }
    m_software.ObserveStream(*m_run, stream);
    return stream;
}

} // namespace ns3::ddl
