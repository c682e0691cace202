// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-queue-accounts.h"

#include <algorithm>

namespace ns3::ddl
{

void
QueueAccounts::SetQueues(uint32_t queues)
{
    m_queues.assign(queues, Account());
}

void
QueueAccounts::SetLimit(uint64_t bytes)
{
    for (uint32_t queue = 0; queue < m_queues.size(); ++queue)
    {
        SetLimit(queue, bytes);
    }
}

void
QueueAccounts::SetEcnThreshold(uint64_t bytes)
{
    for (uint32_t queue = 0; queue < m_queues.size(); ++queue)
    {
        SetEcnThreshold(queue, bytes);
    }
}

void
QueueAccounts::SetLimit(uint32_t queue, uint64_t bytes)
{
    m_queues.at(queue).limit = bytes;
}

void
QueueAccounts::SetEcnThreshold(uint32_t queue, uint64_t bytes)
{
    m_queues.at(queue).threshold = bytes == 0 ? UNLIMITED : bytes;
}

void
QueueAccounts::SetSharedBuffer(std::shared_ptr<SharedBuffer> buffer)
{
    m_buffer = std::move(buffer);
}

bool
QueueAccounts::Admit(uint32_t queue, uint32_t bytes)
{
    Account& account = m_queues[queue];
    if (account.backlog + bytes > account.limit ||
        (m_buffer && !m_buffer->Fits(account.backlog, bytes)))
    {
        CountDrop(queue, bytes);
        return false;
    }
    if (m_buffer)
    {
        m_buffer->Take(bytes);
    }
    account.backlog += bytes;
    account.counters.maxBacklogBytes = std::max(account.counters.maxBacklogBytes, account.backlog);
    return true;
}

void
QueueAccounts::Remove(uint32_t queue, uint32_t bytes)
{
    Leave(m_queues[queue], bytes);
    CountSent(queue, bytes);
}

void
QueueAccounts::Flush(uint32_t queue, uint32_t bytes)
{
    Leave(m_queues[queue], bytes);
    CountDrop(queue, bytes);
}

void
QueueAccounts::CountLoss(uint32_t queue, uint32_t bytes)
{
    ++m_queues[queue].counters.lost;
    CountDrop(queue, bytes);
}

void
QueueAccounts::CountDrop(uint32_t queue, uint32_t bytes)
{
    ++m_queues[queue].counters.dropped;
    m_queues[queue].counters.droppedBytes += bytes;
}

void
QueueAccounts::Leave(Account& account, uint32_t bytes)
{
    account.backlog -= bytes;
    if (m_buffer)
    {
        m_buffer->Release(bytes);
    }
}

} // namespace ns3::ddl
