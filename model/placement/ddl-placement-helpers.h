// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PLACEMENT_HELPERS_H
#define DDL_PLACEMENT_HELPERS_H

#include "ddl-placement-policy.h"

#include "ns3/ddl-cluster-view.h"
#include "ns3/ddl-job-spec.h"

#include <vector>

namespace ns3::ddl
{

// What placement policies share: finding machines and GPUs in a view of the cluster, GPUs with room
// and their loads, taking GPUs, and machines for parameter servers.

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

/** \return the same GPUs, least load first; of equals, in the order given */
std::vector<GpuView> SortByLoad(std::vector<GpuView> gpus);

/**
 * \param gpus of the workers, by rank
 * \return the same, those of a machine next to each other: machines in the order of their first
 * GPU, the GPUs of each as they were. Launchers number ranks machine by machine, and a ring then
 * enters and leaves each machine once
 */
std::vector<GpuId> GroupByMachine(const std::vector<GpuId>& gpus);

/**
 * \param view what the job needs
 * \param gpus with room for it, the best first
 * \return the first of them, one a worker, grouped by machine, and machines for the servers
 * (PlaceServers); nothing when there are too few
 */
std::optional<Placement> TakeFirst(const PlacementView& view, const std::vector<GpuView>& gpus);

} // namespace ns3::ddl

#endif // DDL_PLACEMENT_HELPERS_H
