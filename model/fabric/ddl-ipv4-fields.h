// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_IPV4_FIELDS_H
#define DDL_IPV4_FIELDS_H

#include "ddl-flow-key.h"
#include "ddl-frame.h"

namespace ns3::ddl
{

/** What a NIC reads of a packet's IPv4 and transport headers. */
struct Ipv4Fields
{
    FlowKey flow;
    Ipv4Address source;
    uint8_t tos{0};               //!< DSCP in the upper six bits, ECN in the lower two
    uint8_t ttl{0};               //!< time to live: hops left
    bool opensConnection{false};  //!< whether it is a TCP segment with SYN set (SYN or SYN+ACK)
    bool resetsConnection{false}; //!< whether it is a TCP segment with RST set
};

/**
 * Read the fields out of the packet's bytes, without taking a header off.
 *
 * \param packet a packet that should start with an IPv4 header
 * \param [out] fields what was read; untouched when the answer is false
 * \return whether the packet does start with an IPv4 header
 */
bool ReadIpv4Fields(const Packet& packet, Ipv4Fields& fields);

/**
 * Write a frame's DSCP, ECN and TTL into the IPv4 header of a packet. The header checksum is
 * computed when ns-3 computes checksums at all (global value ChecksumEnabled), else left at 0.
 *
 * \param frame the frame whose DSCP, ECN and TTL are written
 * \param packet a packet that starts with an IPv4 header
 */
void WriteIpv4Fields(const Frame& frame, Ptr<Packet> packet);

/** \return a copy of the frame's packet (SeePacket), with DSCP, ECN and TTL as they are now */
Ptr<Packet> CopyWithHeader(Frame& frame);

} // namespace ns3::ddl

#endif // DDL_IPV4_FIELDS_H
