// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PORT_SPEC_H
#define DDL_PORT_SPEC_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** Settings of the ports of switches: queues, service, limits, flow control. */
struct PortSpec
{
    uint32_t queues{8};                     //!< number of queues, 1 to 8, or UNLIMITED_QUEUES
    std::string service{"strict-priority"}; //!< short name of a QueueScheduler
    std::map<std::string, std::string> serviceAttributes; //!< its attributes as text
    std::vector<uint32_t> weights; //!< one per queue, for services with weights; empty = all 1
    uint64_t limit{1000000};       //!< bytes that a queue may hold
    uint64_t ecnThreshold{100000}; //!< bytes above which a queue marks; 0 = never
    uint64_t sharedBuffer{0};      //!< bytes that a switch's queues share; 0 = none shared
    double alpha{1.0};             //!< dynamic threshold: a queue may hold alpha x free bytes
    bool pfc{false}; //!< whether priority flow control pauses the far end instead of drops
    uint64_t pfcThreshold{100000}; //!< bytes of one ingress port and queue beyond which to pause
    uint64_t pfcHeadroom{0}; //!< bytes beyond the threshold; 0 = what the link can bring meanwhile
    std::map<uint32_t, uint32_t> dscpToQueue; //!< entries that differ from DscpMap's default
};

/**
 * Settings of the NICs of hosts, which serve bands by strict priority and have no limits on what
 * waits in them.
 */
struct HostSpec
{
    uint32_t bands{8};             //!< number of bands, 1 to 8, or UNLIMITED_QUEUES
    uint64_t ecnThreshold{100000}; //!< bytes above which a band marks; 0 = never
};

} // namespace ns3::ddl

#endif // DDL_PORT_SPEC_H
