// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SERVER_PLACEMENT_H
#define DDL_SERVER_PLACEMENT_H

#include "ns3/ddl-cluster-view.h"

#include <vector>

namespace ns3
{
namespace ddl
{

/**
 * Machines for the parameter servers of a job whose workers have their GPUs: those without a worker
 * of the job first, then by number of servers, then by index; each takes one before any takes a
 * second.
 *
 * \param cluster with at least one machine
 * \param workers GPUs of the job
 * \param servers how many machines are wanted
 * \return `servers` machines
 */
std::vector<HostId> PlaceServers(const ClusterView& cluster,
                                 const std::vector<GpuId>& workers,
                                 uint32_t servers);

} // namespace ddl
} // namespace ns3

#endif // DDL_SERVER_PLACEMENT_H
