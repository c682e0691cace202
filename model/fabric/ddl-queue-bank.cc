// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-queue-bank.h"

namespace ns3::ddl
{

void
QueueBank::SetQueues(uint32_t queues)
{
    m_queues.assign(queues, Queue());
}

void
QueueBank::SetLimit(uint64_t bytes)
{
    for (Queue& queue : m_queues)
    {
        queue.account.SetLimit(bytes);
    }
}

void
QueueBank::SetEcnThreshold(uint64_t bytes)
{
    for (Queue& queue : m_queues)
    {
        queue.account.SetEcnThreshold(bytes);
    }
}

void
QueueBank::SetSharedBuffer(std::shared_ptr<SharedBuffer> buffer)
{
    m_buffer = std::move(buffer);
}

QueueBank::Verdict
QueueBank::Push(Frame* frame)
{
    Queue& queue = m_queues[frame->queue];
    if (!queue.account.Admit(frame->bytes, m_buffer.get()))
    {
        return Verdict::DROPPED;
    }
    Append(queue, frame);
    if (!queue.account.IsCongested() || !frame->IsEcnCapable())
    {
        return Verdict::QUEUED;
    }
    queue.account.CountMark();
    frame->MarkCongested();
    return Verdict::CONGESTED;
}

Frame*
QueueBank::Pop(uint32_t queue)
{
    Frame* frame = TakeHead(queue);
    m_queues[queue].account.Remove(frame->bytes, m_buffer.get());
    return frame;
}

Frame*
QueueBank::Flush()
{
    if (IsEmpty())
    {
        return nullptr;
    }
    Frame* frame = TakeHead(QueueScheduler::First(m_view.nonEmpty));
    m_queues[frame->queue].account.Flush(frame->bytes, m_buffer.get());
    return frame;
}

PacketCount
QueueBank::CountHeld() const
{
    PacketCount held;
    for (const Queue& queue : m_queues)
    {
        for (const Frame* frame = queue.head; frame; frame = frame->next)
        {
            held.Add(frame->bytes);
        }
    }
    return held;
}

void
QueueBank::Append(Queue& queue, Frame* frame)
{
    frame->next = nullptr;
    if (queue.head)
    {
        queue.tail->next = frame;
    }
    else
    {
        queue.head = frame;
        m_view.nonEmpty |= QueueBit(frame->queue);
        m_view.headBytes[frame->queue] = frame->bytes;
    }
    queue.tail = frame;
}

Frame*
QueueBank::TakeHead(uint32_t number)
{
    Queue& queue = m_queues[number];
    Frame* frame = queue.head;
    queue.head = frame->next;
    frame->next = nullptr;
    if (queue.head)
    {
        m_view.headBytes[number] = queue.head->bytes;
    }
    else
    {
        m_view.nonEmpty &= ~QueueBit(number);
        m_view.headBytes[number] = 0;
    }
    return frame;
}

} // namespace ns3::ddl
