// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-frame-pool.h"

#include "ns3/abort.h"

namespace ns3::ddl
{

void
FramePool::UseLongFrames()
{
    NS_ABORT_MSG_IF(m_inUse > 0, "telemetry is enabled before the first packet");
    if (!m_isLong)
    {
        m_isLong = true;
        m_free = nullptr;
        m_chunks.clear();
    }
}

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
    m_isLong ? GrowBy(m_longChunks) : GrowBy(m_chunks);
}

template <typename T>
void
FramePool::GrowBy(std::vector<std::unique_ptr<T[]>>& chunks)
{
    chunks.push_back(std::make_unique<T[]>(CHUNK));
    T* chunk = chunks.back().get();
    for (uint32_t i = 0; i < CHUNK; ++i)
    {
        chunk[i].next = m_free;
        m_free = &chunk[i];
    }
}

} // namespace ns3::ddl
