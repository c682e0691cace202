// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FLOW_KEY_H
#define DDL_FLOW_KEY_H

#include "ns3/ipv4-address.h"

#include <cstdint>

namespace ns3::ddl
{

/**
 * Mix 64 bits so that each input bit flips each output bit with probability about 1/2
 * (finaliser of SplitMix64, Steele et al., OOPSLA 2014).
 */
constexpr uint64_t
MixBits(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ULL;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/**
 * Identifies one direction of a transport connection at the machine that sends it: the destination,
 * the protocol and both ports.
 *
 * Switches choose among equal-cost paths by the addresses, the protocol and the lower PATH_BITS of
 * both ports. A transport picks the path of a flow by these bits of its source port (a flow label,
 * as IPv6 has in its header for this purpose, RFC 6438); the upper bits keep the five-tuples of
 * flows with equal labels apart.
 */
struct FlowKey
{
    static constexpr uint32_t PATH_BITS = 10; //!< bits of a port number that choose the path
    static constexpr uint16_t PATH_LABELS = uint16_t{1} << PATH_BITS; //!< number of flow labels

    static constexpr uint8_t TCP = 6;  //!< IANA protocol number of TCP
    static constexpr uint8_t UDP = 17; //!< IANA protocol number of UDP

    Ipv4Address destination;
    uint8_t protocol{0};         //!< IANA protocol number: TCP, UDP or another
    uint16_t sourcePort{0};      //!< 0 for fragments and for protocols without ports
    uint16_t destinationPort{0}; //!< 0 for fragments and for protocols without ports

    bool operator==(const FlowKey& other) const
    {
        return destination == other.destination && protocol == other.protocol &&
               sourcePort == other.sourcePort && destinationPort == other.destinationPort;
    }

    /** \return the hash by which switches choose among equal paths. \param source address of the
     * flow's sender */
    uint32_t PathHash(Ipv4Address source) const
    {
        FlowKey seen = *this;
        seen.sourcePort %= PATH_LABELS;
        seen.destinationPort %= PATH_LABELS;
        return static_cast<uint32_t>(MixBits(seen.Hash() ^ source.Get()) >> 32);
    }

    /** \return 64 well-mixed bits of all fields */
    uint64_t Hash() const
    {
        const uint64_t ports = (uint64_t{sourcePort} << 16) | destinationPort;
        return MixBits(((uint64_t{destination.Get()} << 32) | ports) ^
                       (uint64_t{protocol} * 0x9e3779b97f4a7c15ULL));
    }
};

/** Hash function for unordered containers keyed by FlowKey. */
struct FlowKeyHash
{
    std::size_t operator()(const FlowKey& key) const noexcept
    {
        return key.Hash();
    }
};

} // namespace ns3::ddl

#endif // DDL_FLOW_KEY_H
