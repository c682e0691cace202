// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SCENARIO_PARTS_H
#define DDL_SCENARIO_PARTS_H

#include "app/json/ddl-json-object.h"

#include "ns3/ddl-cluster-view.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-scenario.h"

#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

/**
 * Readers of the parts of a scenario. Each takes the part's object, complains to its reader about
 * what is wrong, and returns something usable in any case.
 */
/**@{*/
ClusterSpec ReadCluster(const JsonObject& cluster, std::vector<Diagnostic>& diagnostics);

/** \return 1 to 8, or what "unlimited" stands for. \param key of queues, or of bands */
uint32_t ReadQueues(const JsonObject& json, const std::string& key, uint32_t fallback);

/** Reads "gpuTypes" and "hosts" into the cluster, whose topology has been read. */
void ReadMachines(const JsonObject& cluster, ClusterSpec& spec);

/** \param mtu set to the "mtu" of the part, which belongs to the network */
ObjectFactory ReadTransport(const JsonObject& transport,
                            uint32_t& mtu,
                            std::vector<Diagnostic>& diagnostics);

/** \param hosts machines that there are */
SchedulingSpec ReadScheduling(const JsonObject& scheduler,
                              uint32_t hosts,
                              std::vector<Diagnostic>& diagnostics);

/**
 * \param cluster on which it has to fit
 * \param placement policy that places it; without a TypeId nobody is asked
 */
WorkloadSpec ReadWorkload(const JsonObject& workload,
                          const ClusterSpec& cluster,
                          const ObjectFactory& placement,
                          std::vector<Diagnostic>& diagnostics);

BackgroundFlowSpec ReadBackgroundFlow(const JsonObject& flow, const ClusterSpec& cluster);
/**@}*/

} // namespace ddl
} // namespace ns3

#endif // DDL_SCENARIO_PARTS_H
