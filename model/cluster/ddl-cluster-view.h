// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CLUSTER_VIEW_H
#define DDL_CLUSTER_VIEW_H

#include "ddl-gpu-id.h"
#include "ddl-gpu-type.h"

#include "ns3/nstime.h"

#include <map>
#include <vector>

namespace ns3::ddl
{

/** One GPU as a placement policy sees it. */
struct GpuView
{
    GpuId id;
    bool free{true};        //!< whether no job holds it
    uint64_t memory{0};     //!< bytes of its memory; 0: one job at a time holds it
    uint64_t freeMemory{0}; //!< bytes of its memory that no job holds
    Time load{};            //!< sum of the remaining services of the jobs that hold it
};

constexpr uint32_t OWN_SERVER = UINT32_MAX; //!< number for a machine that is a server of its own

/**
 * One machine as a placement policy sees it: a host of the fabric with its GPUs. Where each GPU has
 * a network interface of its own, several machines are one server (chassis).
 */
struct MachineView
{
    HostId host;
    std::vector<GpuView> gpus;   //!< its GPUs, by GpuId::index, from 0
    uint32_t servers{0};         //!< number of parameter servers on it
    GpuType gpuType{};           //!< type of all its GPUs
    uint32_t server{OWN_SERVER}; //!< number of the server (chassis) that it is part of
    uint32_t rack{0};            //!< number of the rack of that server
    bool failed{false};          //!< whether it has failed: it takes no jobs, and no GPU is free
};

/** The state of all machines, in host order: plain values without references to the cluster. */
struct ClusterView
{
    std::vector<MachineView> machines;
    std::map<JobId, std::vector<GpuId>> jobs; //!< GPUs of each job that holds some, by rank
};

} // namespace ns3::ddl

#endif // DDL_CLUSTER_VIEW_H
