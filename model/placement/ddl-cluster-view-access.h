// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CLUSTER_VIEW_ACCESS_H
#define DDL_CLUSTER_VIEW_ACCESS_H

#include "ns3/ddl-cluster-view.h"
#include "ns3/ddl-job-spec.h"

namespace ns3
{
namespace ddl
{

/** \return that machine of the view; null when there is none */
const MachineView* FindMachine(const ClusterView& cluster, HostId host);

/** \return that GPU of the view; null when there is none */
const GpuView* FindGpu(const ClusterView& cluster, GpuId id);

/**
 * \param memory bytes that a worker takes; 0: the whole GPU
 * \return whether a worker may go there
 */
bool HasRoom(const GpuView& gpu, uint64_t memory);

/** \return the GPUs with room, in index order */
std::vector<GpuView> ListRoom(const ClusterView& cluster, uint64_t memory);
std::vector<GpuView> ListRoom(const MachineView& machine, uint64_t memory);

/** \return the load of all its GPUs together (Ada-SRSF L_S) */
Time GetLoad(const MachineView& machine);

/** Add a job's remaining service to the load of each of its GPUs (Ada-SRSF Algorithm 1 line 8). */
void AddLoad(ClusterView& cluster, const std::vector<GpuId>& gpus, Time service);

/** \return how many GPUs no job holds */
uint32_t CountFreeGpus(const ClusterView& cluster);

/**
 * Take a placement's GPUs and add its servers, on a view that serves as scratch paper.
 *
 * \param memory bytes that each worker takes; 0: the whole GPU
 */
void Occupy(ClusterView& cluster, const Placement& placement, uint64_t memory = 0);

/** Take back an Occupy of the same placement and memory. */
void Vacate(ClusterView& cluster, const Placement& placement, uint64_t memory = 0);

} // namespace ddl
} // namespace ns3

#endif // DDL_CLUSTER_VIEW_ACCESS_H
