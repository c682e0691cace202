// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PACKET_COUNT_H
#define DDL_PACKET_COUNT_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3::ddl
{

/** A number of packets, and their bytes: those of IPv4 packets, without framing. */
struct PacketCount
{
    uint64_t packets{0};
    uint64_t bytes{0};

    /** Count one packet. \param size bytes of the IPv4 packet */
    void Add(uint32_t size)
    {
        ++packets;
        bytes += size;
    }

    PacketCount& operator+=(const PacketCount& other)
    {
        packets += other.packets;
        bytes += other.bytes;
        return *this;
    }

    PacketCount& operator-=(const PacketCount& other)
    {
        packets -= other.packets;
        bytes -= other.bytes;
        return *this;
    }

    bool operator==(const PacketCount& other) const
    {
        return packets == other.packets && bytes == other.bytes;
    }
};

/** The reason why a device dropped a packet. */
enum class DropReason
{
    QUEUE_FULL,  //!< the queue was at its limit, or the shared buffer had no room
    NO_HEADROOM, //!< priority flow control paused the neighbour too late
    LINK_DOWN,   //!< the packet waited for a link that fell, or came to one that was down
    ON_WIRE,     //!< the packet had been sent, and was lost in flight when the link fell
    NO_ROUTE,    //!< the switch had no route to the packet's destination
    TTL,         //!< the packet's time to live was over
    REFUSED,     //!< the NIC refused the packet: not IPv4, larger than the MTU, or no link
    MISROUTED    //!< the packet arrived at a host to which it was not addressed
};

constexpr std::size_t DROP_REASONS = 8; //!< number of values of DropReason

/** Packets that were dropped, by reason. */
class DropCounts
{
  public:
    void Add(DropReason reason, uint32_t size)
    {
        m_counts[static_cast<std::size_t>(reason)].Add(size);
    }

    const PacketCount& Get(DropReason reason) const
    {
        return m_counts[static_cast<std::size_t>(reason)];
    }

    /** \return the packets dropped for any reason */
    PacketCount GetSum() const
    {
        PacketCount sum;
        for (const auto& count : m_counts)
        {
            sum += count;
        }
        return sum;
    }

    DropCounts& operator+=(const DropCounts& other)
    {
        for (std::size_t i = 0; i < m_counts.size(); ++i)
        {
            m_counts[i] += other.m_counts[i];
        }
        return *this;
    }

  private:
    std::array<PacketCount, DROP_REASONS> m_counts;
};

} // namespace ns3::ddl

#endif // DDL_PACKET_COUNT_H
