// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PAUSE_METER_H
#define DDL_PAUSE_METER_H

#include "ns3/ddl-priority.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::ddl
{

/**
 * The ingress side of priority flow control (IEEE 802.1Qbb) at one switch: counts, by the port at
 * which they came in and the queue in which they wait, the bytes that the switch holds, and says
 * when the far end of that port has to pause that queue, and when it may go on.
 *
 * Invariants: a count is what was admitted less what was released; it never exceeds threshold +
 * headroom; a pause is in force from when the count passed the threshold until it has fallen below
 * it by the hysteresis.
 */
class PauseMeter
{
  public:
    /** Of one ingress port, for each of its queues; bytes of IPv4 packets. */
    struct Limits
    {
        uint64_t threshold{0};  //!< beyond it, pause (XOFF)
        uint64_t headroom{0};   //!< for what is on its way until the pause works
        uint64_t hysteresis{0}; //!< go on when this far below the threshold (XON)
    };

    /** \param ingress device index \param queue of that port \param paused from now on */
    using Signal = std::function<void(uint32_t ingress, uint32_t queue, bool paused)>;

    /** \param signal called at each change, never from inside Reset */
    explicit PauseMeter(Signal signal);

    /** \param ingress device index, at most 65535 */
    void SetLimits(uint32_t ingress, const Limits& limits);

    /** O(1). \return whether there is room; only then do the bytes count */
    bool Admit(uint32_t ingress, uint32_t queue, uint32_t bytes);
    /** Bytes that were admitted leave the switch. O(1). */
    void Release(uint32_t ingress, uint32_t queue, uint32_t bytes);
    /** The link of that port fell: its far end has forgotten all pauses. */
    void Reset(uint32_t ingress);

    /** \return bytes held */
    uint64_t GetBytes(uint32_t ingress, uint32_t queue) const;

  private:
    struct Count
    {
        uint64_t bytes{0};
        bool paused{false};
    };

    struct Ingress
    {
        Limits limits;
        std::array<Count, UNLIMITED_QUEUES> queues;
    };

    Signal m_signal;
    std::vector<Ingress> m_ingress; //!< by device index
};

} // namespace ns3::ddl

#endif // DDL_PAUSE_METER_H
