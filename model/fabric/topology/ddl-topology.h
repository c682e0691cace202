// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TOPOLOGY_H
#define DDL_TOPOLOGY_H

#include "ns3/data-rate.h"
#include "ns3/ddl-fabric.h"
#include "ns3/ddl-port-spec.h"
#include "ns3/nstime.h"

namespace ns3
{
namespace ddl
{

/** The shape of a network. Only the fields of its kind are looked at. */
struct TopologySpec
{
    std::string kind{"leaf-spine"}; //!< "leaf-spine", "single-switch" or "dumbbell"

    uint32_t leaves{2};              //!< leaf-spine: "leaf0", "leaf1"...
    uint32_t hostsPerLeaf{4};        //!< leaf-spine: leaf l has hosts l * hostsPerLeaf and on
    std::vector<uint32_t> leafHosts; //!< leaf-spine: hosts of each leaf instead, one number a leaf
    uint32_t spines{2};              //!< leaf-spine: "spine0", "spine1"...
    uint32_t parallel{1};            //!< leaf-spine: links between each leaf and each spine

    uint32_t hosts{4}; //!< single-switch: all at "switch0"

    uint32_t leftHosts{2};             //!< dumbbell: at "switch0", the first hosts
    uint32_t rightHosts{2};            //!< dumbbell: at "switch1", the other hosts
    DataRate bottleneckRate{"10Gbps"}; //!< dumbbell: between the two switches

    DataRate hostRate{"10Gbps"};   //!< between host and switch
    DataRate fabricRate{"10Gbps"}; //!< leaf-spine: between leaf and spine
    Time delay{MicroSeconds(1)};   //!< of every link, one way
    uint32_t mtu{1500};            //!< bytes of the largest IPv4 packet, 576 to 9000
    uint32_t framingBytes{38};     //!< bytes on the wire beside each IPv4 packet
    uint64_t ecmpSeed{1};          //!< of the switches' salts
};

/**
 * Build a network with routes, without IP stacks.
 *
 * \param topology the shape
 * \param ports queues of all ports of switches
 * \param hosts NICs
 * \return the network
 * \throws InputError for an unknown kind, a count or rate of 0, or a spec that does not fit
 */
Ptr<Fabric> BuildTopology(const TopologySpec& topology,
                          const PortSpec& ports,
                          const HostSpec& hosts);

/** \return whether some hosts are joined by several equal-cost paths, so that flows choose */
bool HasEqualCostPaths(const TopologySpec& topology);

/** \return the kinds of topology, in order of the alphabet */
std::vector<std::string> ListTopologies();

/** \return machines in that topology */
uint64_t CountHosts(const TopologySpec& topology);

/** \return the ends of every cable of that topology, by name: ("h0", "leaf0") */
std::vector<std::pair<std::string, std::string>> ListCables(const TopologySpec& topology);

} // namespace ddl
} // namespace ns3

#endif // DDL_TOPOLOGY_H
