// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FRAME_H
#define DDL_FRAME_H

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <array>
#include <cstdint>
#include <new>
#include <type_traits>

namespace ns3::ddl
{

constexpr uint8_t ECN_NOT_CAPABLE = 0; //!< RFC 3168 Not-ECT
constexpr uint8_t ECN_CAPABLE = 2;     //!< RFC 3168 ECT(0)
constexpr uint8_t ECN_CONGESTED = 3;   //!< RFC 3168 CE

struct Frame;

/** Makes the ns3::Packet of a frame from its header, for a trace sink or a sniffer. */
class PacketFormat
{
  public:
    virtual ~PacketFormat() = default;
    /** \return the packet with its header as sent and a payload of zeros, without tags */
    virtual Ptr<Packet> MakePacket(const Frame& frame) const = 0;
};

/**
 * The state of one packet while the fabric carries it.
 *
 * Ports and switches read and change the fields of this frame only. The changes reach packet bytes
 * in a private copy for a connected trace sink, and in the packet itself at its destination.
 *
 * A packet of a node's stack is made once, by the stack, and is only moved from then on. A packet
 * of a NicEngine is made only where a trace sink needs it (SeePacket): its header is in the
 * frame, and its payload is zeros.
 *
 * A frame begins at a cache line, and all that a switch reads of it is in that line: with thousands
 * of hosts, a frame has usually left the cache when it is needed.
 *
 * Owned by exactly one queue, wire or function at a time; comes from and returns to a FramePool.
 */
struct alignas(64) Frame
{
    static constexpr std::size_t HEADER_BYTES = 64; //!< bytes for an engine's header
    static constexpr std::size_t NOTE_BYTES = 64;   //!< bytes for an engine's note

    Frame* next{nullptr};   //!< the next frame in the same queue, wire or free list
    int64_t nextArrival{0}; //!< arrival of `next`, time steps: spares a wire loading that frame
    Ptr<Packet> packet;     //!< IPv4 header and payload, as sent; null until it is needed
    int64_t arrival{0};     //!< arrival at this device, in flight at the next one; time steps
    const PacketFormat* format{nullptr}; //!< an engine packet's format; outlives the frame
    uint32_t bytes{0};                   //!< bytes of the IPv4 packet; a port adds its framing
    uint32_t destination{0};             //!< host index of the receiver
    uint32_t flowHash{0};  //!< FlowKey::PathHash of its flow, computed once, at the source
    uint16_t ingress{0};   //!< index of the device by which it entered the present switch
    uint8_t queue{0};      //!< egress queue at the present port
    uint8_t dscp{0};       //!< present codepoint
    uint8_t ecn{0};        //!< present two ECN bits
    uint8_t ttl{0};        //!< present time to live
    bool rewritten{false}; //!< whether dscp, ecn or ttl differ from the packet's bytes
    bool offloaded{false}; //!< whether a NicEngine made it, for the one at the destination
    bool noted{false};     //!< whether `note` is set
    /** Bytes behind an engine's header that Telemetry() holds; 0: none. They are part of `bytes`.
     */
    uint8_t telemetryBytes{0};
    bool recorded{false}; //!< whether switches write records (PathTelemetry) into Telemetry()
    /** The header as sent, if there is a format; else unset. */
    alignas(64) std::array<uint8_t, HEADER_BYTES> header;
    alignas(8) std::array<uint8_t, NOTE_BYTES> note; //!< the engine's note, see Note

    /**
     * What an engine tells the engine at the destination beside the header. It adds no bytes, as a
     * tag of an ns3::Packet. The first call creates it.
     *
     * \tparam T the note's type, the same at both ends, copied as bytes
     */
    template <typename T>
    T& Note()
    {
        static_assert(sizeof(T) <= NOTE_BYTES && alignof(T) <= 8 &&
                      std::is_trivially_copyable_v<T>);
        if (!noted)
        {
            noted = true;
            return *new (note.data()) T();
        }
        return *std::launder(reinterpret_cast<T*>(note.data()));
    }

    /** \return the note, null where there is none. \tparam T the type that Note was called with */
    template <typename T>
    const T* FindNote() const
    {
        return noted ? std::launder(reinterpret_cast<const T*>(note.data())) : nullptr;
    }

    /** \return the bytes behind the header. \pre telemetryBytes > 0, and the frame is long
     * (FramePool::UseLongFrames) */
    uint8_t* Telemetry();
    /** \return the same, to be read */
    const uint8_t* Telemetry() const;

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

    /** \return the packet, which is made now where there is none yet. \pre it has a packet or a
     * format */
    const Ptr<Packet>& SeePacket()
    {
        if (!packet)
        {
            packet = format->MakePacket(*this);
        }
        return packet;
    }

    /** Reset to the initial state, except for header and note. */
    void Clear()
    {
        next = nullptr;
        nextArrival = 0;
        packet = nullptr;
        arrival = 0;
        format = nullptr;
        bytes = destination = flowHash = 0;
        ingress = 0;
        queue = dscp = ecn = ttl = 0;
        rewritten = offloaded = noted = recorded = false;
        telemetryBytes = 0;
    }
};

/** A frame with room for telemetry: frames have none where nobody asks for it. */
struct LongFrame : Frame
{
    static constexpr std::size_t TELEMETRY_BYTES = 64; //!< bytes of room

    std::array<uint8_t, TELEMETRY_BYTES> telemetry; //!< the bytes, if telemetryBytes says so
};

inline uint8_t*
Frame::Telemetry()
{
    return static_cast<LongFrame*>(this)->telemetry.data();
}

inline const uint8_t*
Frame::Telemetry() const
{
    return static_cast<const LongFrame*>(this)->telemetry.data();
}

} // namespace ns3::ddl

#endif // DDL_FRAME_H
