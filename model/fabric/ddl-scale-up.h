// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SCALE_UP_H
#define DDL_SCALE_UP_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

namespace ns3::ddl
{

/**
 * The network inside a server that joins its hosts beside their NICs, as NVLink joins GPUs. Hosts
 * of one server then send each other nothing by their NICs, and nothing else by this network.
 */
struct ScaleUpSpec
{
    enum class Kind
    {
        NONE,    //!< there is none
        STREAMS, //!< each stream has the rate for itself, see LocalStream
        SWITCH   //!< each host has a port to the one switch of its server
    };

    Kind kind{Kind::SWITCH};
    DataRate rate{"2880Gbps"};   //!< rate of a stream, or of a host's port: one direction
    Time delay{NanoSeconds(25)}; //!< one-way delay between a host and the middle of its server
    /** Bytes of the largest IPv4 packet inside, at most 65535; less than Fabric::Mtu: that. */
    uint32_t mtu{0};
};

} // namespace ns3::ddl

#endif // DDL_SCALE_UP_H
