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
    /** The limits of one ingress port, for each of its queues; bytes of IPv4 packets. */
    struct Limits
    {
        uint64_t threshold{0};  //!< bytes held beyond which the far end has to pause (XOFF)
        uint64_t headroom{0};   //!< bytes beyond it, for what arrives until the pause works
        uint64_t hysteresis{0}; //!< bytes below the threshold at which the far end may go on (XON)
    };

    /** Called when a pause starts or ends. \param ingress device index of the port by which packets
     * come in \param queue the queue in which they wait \param paused true: the pause starts */
    using Signal = std::function<void(uint32_t ingress, uint32_t queue, bool paused)>;

    /** \param signal callback for each start and end of a pause, never called from inside Reset */
    explicit PauseMeter(Signal signal);

    /** Set the limits of an ingress port. \param ingress the port's device index, at most 65535 */
    void SetLimits(uint32_t ingress, const Limits& limits);

    /** Ask for room for a packet. O(1). \return whether there is room; if so, its bytes count */
    bool Admit(uint32_t ingress, uint32_t queue, uint32_t bytes);
    /** Called when bytes that were admitted leave the switch. O(1). */
    void Release(uint32_t ingress, uint32_t queue, uint32_t bytes);
    /** Called when the port's link fell: its far end has forgotten all pauses. */
    void Reset(uint32_t ingress);

    /** \return bytes that came in by a port and are held in a queue */
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
    std::vector<Ingress> m_ingress; //!< limits and counts of each ingress port, by device index
};

} // namespace ns3::ddl

#endif // DDL_PAUSE_METER_H
