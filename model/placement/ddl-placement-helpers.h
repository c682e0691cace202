// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PLACEMENT_HELPERS_H
#define DDL_PLACEMENT_HELPERS_H

#include "ddl-placement-policy.h"

#include "ns3/ddl-cluster-view.h"
#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-place.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace ns3::ddl
{

// What placement policies share: finding machines and GPUs in a view of the cluster, the machines
// of each server and rack, GPUs with room and their loads, taking GPUs, and machines for parameter
// servers.

/** \return the machine of the view with that host; null when there is none */
const MachineView* FindMachine(const ClusterView& cluster, HostId host);
MachineView* FindMachine(ClusterView& cluster, HostId host);

/** \return the GPU of the view with that id; null when there is none */
const GpuView* FindGpu(const ClusterView& cluster, GpuId id);
GpuView* FindGpu(ClusterView& cluster, GpuId id);

/** Machines of a view, in host order; valid as long as the view is. */
using MachineList = std::vector<const MachineView*>;

/** Identifies servers: those of several machines by number, single machines by host. */
using ServerKey = std::pair<bool, uint32_t>;
ServerKey GetServer(const MachineView& machine);

/**
 * Most policies mean servers where papers say machines: where each GPU has a network interface of
 * its own, the GPUs of one server are on several machines of the view.
 *
 * \return the machines of each server; servers in the order of their first machine. O(n log n)
 */
std::vector<MachineList> ByServer(const ClusterView& cluster);
std::vector<MachineList> ByServerOf(const MachineList& machines); //!< ByServer of some machines

/** \return the machines of each rack; racks in the order of their first machine. O(n log n) */
std::vector<MachineList> ByRack(const ClusterView& cluster);

/** \return the smallest part of the cluster that two machines have in common */
Tier FindTier(const MachineView& a, const MachineView& b);

/** \return the smallest part of the cluster that has all these GPUs; HOST when there are none */
Tier FindTier(const ClusterView& cluster, const std::vector<GpuId>& gpus);

/**
 * \param gpu a GPU
 * \param memory bytes that a worker takes; 0: the whole GPU
 * \return whether the GPU has room for the worker
 */
bool HasRoom(const GpuView& gpu, uint64_t memory);

/** \return the GPUs with room, in index order. \param memory bytes that a worker takes; 0: a whole
 * GPU */
std::vector<GpuView> ListRoom(const ClusterView& cluster, uint64_t memory);
std::vector<GpuView> ListRoom(const MachineList& machines, uint64_t memory);

/** \return sum of the loads of all GPUs of a server (Ada-SRSF L_S) */
Time GetLoad(const MachineList& machines);

/** Add a job's remaining service to the load of each of its GPUs (Ada-SRSF Algorithm 1 line 8). */
void AddLoad(ClusterView& cluster, const std::vector<GpuId>& gpus, Time service);

/** \return number of GPUs */
std::size_t CountGpus(const MachineList& machines);
std::size_t CountGpus(const ClusterView& cluster);

/** \return number of GPUs that no job holds */
uint32_t CountFreeGpus(const ClusterView& cluster);

/** \return bytes of the largest GPU; 0 when memory does not count */
uint64_t FindGpuMemory(const ClusterView& cluster);

/**
 * Take a placement's GPUs and add its servers, on a view for trial changes.
 *
 * \param memory bytes that each rank with a GPU takes; 0: the whole GPU
 */
void Occupy(ClusterView& cluster, const Placement& placement, uint64_t memory = 0);

/** Undo an Occupy of the same placement and memory. */
void Vacate(ClusterView& cluster, const Placement& placement, uint64_t memory = 0);

/**
 * Choose machines for the parameter servers, without GPUs, of a job whose workers are placed:
 * machines of servers (chassis) without a worker of the job first, then by number of parameter
 * servers, then by index; each machine takes one before any takes a second, and each chassis before
 * any other takes more.
 *
 * \param cluster a cluster with at least one machine
 * \param workers GPUs of the job's workers
 * \param servers number of parameter servers
 * \return a machine per parameter server, with NO_GPU
 */
std::vector<GpuId> PlaceServers(const ClusterView& cluster,
                                const std::vector<GpuId>& workers,
                                uint32_t servers);

/**
 * The ranks of a job in the order in which Liquid places them one by one: parameter servers and
 * workers interleaved in proportion, "p w w p w w" (its program; a parameter server is next while
 * parameter servers so far x workers <= workers so far x parameter servers).
 *
 * \return whether each rank is a parameter server, in that order
 */
std::vector<bool> InterleaveServers(uint32_t workers, uint32_t servers);

/** \return the ranks of a placement in the order of InterleaveServers */
std::vector<GpuId> ListInterleaved(const Placement& placement);

/** \return the placement with those ranks. \param ranks ranks in the order of InterleaveServers
 * \param servers number of them that are parameter servers */
Placement SplitInterleaved(const std::vector<GpuId>& ranks, uint32_t servers);

/** \return the GPUs by load, the least first; of equals, in the order given */
std::vector<GpuView> SortByLoad(std::vector<GpuView> gpus);

/**
 * \param cluster the cluster
 * \param gpus the GPUs of the workers, by rank
 * \return the same GPUs, those of a server next to each other, and among them those of a machine:
 *         servers and machines in the order of their first GPU, the GPUs of each machine as they
 *         were. Launchers number ranks server by server, and a ring then enters and leaves each
 *         server once
 */
std::vector<GpuId> GroupByServer(const ClusterView& cluster, const std::vector<GpuId>& gpus);

/** \return the placement of a job's workers on these GPUs, grouped by server, and of its parameter
 * servers (PlaceServers) */
Placement PlaceRanks(const PlacementView& view, const std::vector<GpuId>& gpus);

/**
 * \param view what the job needs
 * \param gpus GPUs with room for the job, the best first
 * \return the first GPUs, one per worker, grouped by server, and machines for the parameter servers
 *         (PlaceServers); none when there are too few GPUs
 */
std::optional<Placement> TakeFirst(const PlacementView& view, const std::vector<GpuView>& gpus);

/** \return the GPUs of a placement that another one does not have, as those of workers */
Placement GetRest(const Placement& placement, const Placement& other);

} // namespace ns3::ddl

#endif // DDL_PLACEMENT_HELPERS_H
