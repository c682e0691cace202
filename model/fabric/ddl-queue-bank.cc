// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-queue-bank.h"

#include <stdexcept>
#include <string>

namespace ns3::ddl
{

QueueBank::QueueBank()
{
    SetQueues(MAX_QUEUES);
}

void
QueueBank::SetQueues(uint32_t queues)
{
    m_queues = std::make_unique<Queue[]>(queues);
    m_count = queues;
}

void
QueueBank::SetLimit(uint64_t bytes)
{
    for (uint32_t i = 0; i < m_count; ++i)
    {
        m_queues[i].account.SetLimit(bytes);
    }
}

void
QueueBank::SetEcnThreshold(uint64_t bytes)
{
    for (uint32_t i = 0; i < m_count; ++i)
    {
        m_queues[i].account.SetEcnThreshold(bytes);
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
    return MarkIfCongested(queue, frame) ? Verdict::CONGESTED : Verdict::QUEUED;
}

QueueBank::Verdict
QueueBank::Pass(Frame* frame)
{
    Queue& queue = m_queues[frame->queue];
    if (!queue.account.Admit(frame->bytes, nullptr))
    {
        return Verdict::DROPPED;
    }
    const bool isCongested = MarkIfCongested(queue, frame);
    queue.account.Remove(frame->bytes, nullptr);
    return isCongested ? Verdict::CONGESTED : Verdict::QUEUED;
}

/** Mark the frame that was admitted last, if the queue is congested. \return whether it did */
bool
QueueBank::MarkIfCongested(Queue& queue, Frame* frame)
{
    if (!queue.account.IsCongested() || !frame->IsEcnCapable())
    {
        return false;
    }
    queue.account.CountMark();
    frame->MarkCongested();
    return true;
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
    for (uint32_t i = 0; i < m_count; ++i)
    {
        for (const Frame* frame = m_queues[i].head; frame; frame = frame->next)
        {
            held.Add(frame->bytes);
        }
    }
    return held;
}

QueueBank::Queue&
QueueBank::Find(uint32_t queue) const
{
    if (queue >= m_count)
    {
        throw std::out_of_range("this port has no queue " + std::to_string(queue));
    }
    return m_queues[queue];
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
