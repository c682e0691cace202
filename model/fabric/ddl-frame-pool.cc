// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-frame-pool.h"

namespace ns3::ddl
{

Frame*
FramePool::Take()
{
    if (!m_free)
    {
        Grow();
    }
    Frame* frame = m_free;
    m_free = frame->next;
    frame->next = nullptr;
    ++m_inUse;
    return frame;
}

void
FramePool::Release(Frame* frame)
{
    frame->Clear();
    frame->next = m_free;
    m_free = frame;
    --m_inUse;
}

void
FramePool::Grow()
{
    m_chunks.push_back(std::make_unique<Frame[]>(CHUNK));
    Frame* chunk = m_chunks.back().get();
    for (uint32_t i = 0; i < CHUNK; ++i)
    {
        chunk[i].next = m_free;
        m_free = &chunk[i];
    }
}

} // namespace ns3::ddl
