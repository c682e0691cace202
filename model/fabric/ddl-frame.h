// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FRAME_H
#define DDL_FRAME_H

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::ddl
{

constexpr uint8_t ECN_NOT_CAPABLE = 0; //!< RFC 3168 Not-ECT
constexpr uint8_t ECN_CAPABLE = 2;     //!< RFC 3168 ECT(0)
constexpr uint8_t ECN_CONGESTED = 3;   //!< RFC 3168 CE

/**
 * The state of one packet while the fabric carries it.
 *
 * The packet is made once, by the source's stack, with its real IPv4 header in front, and is only
 * moved from then on: this frame has the fields that ports and switches read or change. The changes
 * reach packet bytes in a private copy for a connected trace sink, and in the packet itself at its
 * destination.
 *
 * Owned by exactly one queue, wire or function at a time; comes from and returns to a FramePool.
 */
struct Frame
{
    Frame* next{nullptr}; //!< the one behind in the same queue, wire or free list
    Ptr<Packet> packet;   //!< IPv4 header and payload, as sent
    int64_t arrival{0};   //!< when it comes, or came, to the device it goes to or is at; time steps
    uint32_t bytes{0};    //!< size of the IPv4 packet; a port adds its framing to it
    uint32_t destination{0}; //!< host index
    uint32_t flowHash{0};    //!< FlowKey::PathHash, computed once, at the source
    uint16_t ingress{0};     //!< device index by which it came into the present switch
    uint8_t queue{0};        //!< egress queue at the present port
    uint8_t dscp{0};         //!< present codepoint
    uint8_t ecn{0};          //!< present two ECN bits
    uint8_t ttl{0};          //!< present time to live
    bool rewritten{false};   //!< dscp, ecn or ttl differ from the packet's bytes
    bool offloaded{false};   //!< made by a NicEngine, and for the one at its destination

    /** \return whether congestion may be signalled by marking instead of dropping */
    bool IsEcnCapable() const
    {
        return ecn != ECN_NOT_CAPABLE;
    }

    /**
     * Mark congestion (CE).
     * \pre IsEcnCapable()
     */
    void MarkCongested()
    {
        ecn = ECN_CONGESTED;
        rewritten = true;
    }
};

} // namespace ns3::ddl

#endif // DDL_FRAME_H
