// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-queue-bank.h"

namespace ns3::ddl
{

void
QueueBank::SetQueues(uint32_t queues)
{
    m_fifos.assign(queues, Fifo());
    m_accounts.SetQueues(queues);
}

QueueBank::Verdict
QueueBank::Push(Frame* frame)
{
    const uint32_t queue = frame->queue;
    if (!m_accounts.Admit(queue, frame->bytes))
    {
        return Verdict::DROPPED;
    }
    Append(frame);
    if (!m_accounts.IsCongested(queue) || !frame->IsEcnCapable())
    {
        return Verdict::QUEUED;
    }
    m_accounts.CountMark(queue);
    frame->MarkCongested();
    return Verdict::CONGESTED;
}

Frame*
QueueBank::Pop(uint32_t queue)
{
    Frame* frame = TakeHead(queue);
    m_accounts.Remove(queue, frame->bytes);
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
    m_accounts.Flush(frame->queue, frame->bytes);
    return frame;
}

PacketCount
QueueBank::CountHeld() const
{
    PacketCount held;
    for (const Fifo& fifo : m_fifos)
    {
        for (const Frame* frame = fifo.head; frame; frame = frame->next)
        {
            held.Add(frame->bytes);
        }
    }
    return held;
}

void
QueueBank::Append(Frame* frame)
{
    Fifo& fifo = m_fifos[frame->queue];
    frame->next = nullptr;
    if (fifo.head)
    {
        fifo.tail->next = frame;
    }
    else
    {
        fifo.head = frame;
        m_view.nonEmpty |= QueueBit(frame->queue);
        m_view.headBytes[frame->queue] = frame->bytes;
    }
    fifo.tail = frame;
}

Frame*
QueueBank::TakeHead(uint32_t queue)
{
    Fifo& fifo = m_fifos[queue];
    Frame* frame = fifo.head;
    fifo.head = frame->next;
    frame->next = nullptr;
    if (fifo.head)
    {
        m_view.headBytes[queue] = fifo.head->bytes;
    }
    else
    {
        m_view.nonEmpty &= ~QueueBit(queue);
        m_view.headBytes[queue] = 0;
    }
    return frame;
}

} // namespace ns3::ddl
