// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PACKET_AUDIT_H
#define DDL_PACKET_AUDIT_H

#include "ddl-packet-count.h"

#include "ns3/ptr.h"

#include <string>
#include <vector>

namespace ns3::ddl
{

class Fabric;

/** A device whose counters do not add up: packets are missing, or there are too many. */
struct PacketImbalance
{
    std::string device; //!< the device: "switch0", "h3", "the link from h3 to switch0"
    std::string what;   //!< both sides of the account, in packets and bytes
};

/**
 * Checks that every packet and byte is accounted for, at each device, between two events:
 *
 * - switch: received = sent + dropped + held in queues;
 * - NIC, outbound: offered by the stack and the engine = sent + dropped + held;
 * - NIC, inbound: received = delivered + misrouted;
 * - link, each way: sent = received at the far end + lost in flight + in flight;
 * - shared buffer: bytes in use = bytes held in the queues of the switch;
 * - fabric: frames taken from its pool = frames held in queues and in flight.
 *
 * What is held and in flight is counted frame by frame, and not taken from the counters.
 *
 * \param fabric the network to check, since the start of the simulation
 * \return the devices whose counters do not add up, hosts first; normally none.
 *         O(ports x queues + packets in the fabric)
 */
std::vector<PacketImbalance> AuditPackets(Ptr<Fabric> fabric);

/** \return the name of a reason in result files: "queue_full" */
const char* GetName(DropReason reason);

/** \return packets that all devices of a fabric have dropped since the start */
DropCounts SumDrops(Ptr<Fabric> fabric);

} // namespace ns3::ddl

#endif // DDL_PACKET_AUDIT_H
