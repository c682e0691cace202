// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FRAME_POOL_H
#define DDL_FRAME_POOL_H

#include "ddl-frame.h"

#include <memory>
#include <vector>

namespace ns3::ddl
{

/**
 * Free list of frames, so that none is allocated per packet. One pool serves a whole fabric.
 *
 * Invariant: every frame is either in the free list or in use by exactly one holder.
 */
class FramePool
{
  public:
    FramePool() = default;
    FramePool(const FramePool&) = delete;
    FramePool& operator=(const FramePool&) = delete;

    /** Make frames with room for telemetry from now on. \pre no frame is in use */
    void UseLongFrames();

    /** \return a frame in its initial state. O(1) but for the growth of the pool. */
    Frame* Take();

    /** Give a frame back and drop its packet. O(1). \param frame a frame from Take of this pool */
    void Release(Frame* frame);

    /** \return frames taken and not given back */
    uint64_t GetInUse() const
    {
        return m_inUse;
    }

  private:
    void Grow();

    /** Add a new chunk to the free list. \tparam T Frame or LongFrame */
    template <typename T>
    void GrowBy(std::vector<std::unique_ptr<T[]>>& chunks);

    static constexpr uint32_t CHUNK = 256; //!< frames allocated at once

    std::vector<std::unique_ptr<Frame[]>> m_chunks;
    std::vector<std::unique_ptr<LongFrame[]>> m_longChunks;
    bool m_isLong{false}; //!< whether new frames are long
    Frame* m_free{nullptr};
    uint64_t m_inUse{0};
};

} // namespace ns3::ddl

#endif // DDL_FRAME_POOL_H
