// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ECMP_ROUTES_H
#define DDL_ECMP_ROUTES_H

#include "ddl-host-port.h"
#include "ddl-switch.h"

#include <vector>

namespace ns3::ddl
{

/**
 * Fill the routes of all switches: to each host, all ports on shortest paths over links that are
 * up. Hosts do not forward. A host that cannot be reached gets no route.
 *
 * O(hosts + S x (S + L)) for S switches with hosts and L links between switches.
 *
 * \param switches all switches of the fabric
 * \param nics the NIC of each host, by host index; null where a host has no link
 * \param scaleUpPorts the second port of each host, to a switch with no other links than such ones;
 *        null where a host has none
 */
void ComputeEcmpRoutes(const std::vector<Ptr<Switch>>& switches,
                       const std::vector<Ptr<HostPort>>& nics,
                       const std::vector<Ptr<HostPort>>& scaleUpPorts);

} // namespace ns3::ddl

#endif // DDL_ECMP_ROUTES_H
