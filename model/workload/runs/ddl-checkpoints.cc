// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-checkpoints.h"

#include "ddl-job-hosts.h"

#include "ns3/ddl-cluster-clock.h"
#include "ns3/log.h"

#include <limits>
#include <utility>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlCheckpoints");

namespace
{

/** The storage in names of streams; no rank has this number. */
constexpr uint32_t STORAGE_RANK = std::numeric_limits<uint32_t>::max();

} // namespace

Checkpoints::Checkpoints(std::shared_ptr<const RunSpec> run,
                         Ptr<StreamHost> streams,
                         Mark mark,
                         Handlers handlers)
    : m_run(std::move(run)),
      m_machine(streams->GetHost()),
      m_streams(streams),
      m_mark(mark),
      m_handlers(std::move(handlers)),
      m_isLoading(m_run->LoadsState(m_machine))
{
    if (m_run->storage && m_run->storage->host == m_machine)
    {
        OpenStorage();
    }
    if (m_isLoading)
    {
        const auto stream = Accept(m_run->storage->host, STORAGE_RANK, m_machine.value);
        m_isLoading = stream->GetReceivedBytes() < m_run->storage->bytes;
        stream->SetReceiver([this](const MessageTag&) {
            m_isLoading = false;
            m_handlers.loaded();
        });
    }
}

Checkpoints::~Checkpoints()
{
    Close();
}

void
Checkpoints::OpenStorage()
{
    for (const HostId machine : m_run->hosts)
    {
        if (m_run->LoadsState(machine))
        {
            Open(machine, STORAGE_RANK, machine.value)->Send(m_run->storage->bytes);
        }
    }
    Accept(m_run->GetLeader(), m_run->GetLeader().value, STORAGE_RANK);
}

void
Checkpoints::Save(uint64_t iterations)
{
    NS_LOG_FUNCTION(this << iterations);
    m_saving = iterations;
    if (m_run->save.IsZero())
    {
        SendState();
    }
    else
    {
        m_save = ClusterClock::Schedule(m_run->save, &Checkpoints::SendState, this);
    }
}

void
Checkpoints::SendState()
{
    if (!m_run->storage)
    {
        NoteSaved();
        return;
    }
    if (!m_toStorage)
    {
        m_toStorage = Open(m_run->storage->host, m_machine.value, STORAGE_RANK);
    }
    m_toStorage->Send(m_run->storage->bytes, {}, MakeCallback(&Checkpoints::NoteSaved, this));
}

void
Checkpoints::NoteSaved()
{
    m_handlers.saved(m_saving);
}

Ptr<SendingStream>
Checkpoints::Open(HostId destination, uint32_t from, uint32_t to)
{
    m_opened.push_back(m_streams->Open(destination,
                                       {m_run->GetId(), m_run->number, from, to},
                                       m_mark,
                                       MakeFlowLabel(m_run->GetId(), from, to)));
    return m_opened.back();
}

Ptr<ReceivingStream>
Checkpoints::Accept(HostId source, uint32_t from, uint32_t to)
{
    m_receiving.push_back(
        m_streams->Accept(source, {m_run->GetId(), m_run->number, from, to}, m_mark));
    return m_receiving.back();
}

void
Checkpoints::Close()
{
    ClusterClock::Cancel(m_save);
    for (const auto& stream : m_opened)
    {
        stream->Close();
    }
    for (const auto& stream : m_receiving)
    {
        stream->Close();
    }
}

} // namespace ns3::ddl
