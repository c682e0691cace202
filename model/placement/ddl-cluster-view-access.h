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

/** \return how many GPUs no job holds */
uint32_t CountFreeGpus(const ClusterView& cluster);

/** Take a placement's GPUs and add its servers, on a view that serves as scratch paper. */
void Occupy(ClusterView& cluster, const Placement& placement);

} // namespace ddl
} // namespace ns3

#endif // DDL_CLUSTER_VIEW_ACCESS_H
