// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SCENARIO_KEYS_H
#define DDL_SCENARIO_KEYS_H

#include "app/json/ddl-keys.h"
#include "ddl-home.h"

#include "ns3/ddl-priority.h"
#include "ns3/ddl-scenario.h"

namespace ns3::ddl
{

/**
 * Upper bounds that the cluster sets for keys elsewhere in the scenario; by default those of the
 * largest possible cluster.
 */
struct ClusterBounds
{
    uint64_t hosts{MOST_TOPOLOGY_HOSTS};
    uint64_t mtu{9000};
    uint64_t bands{MAX_QUEUES};
    DataRate hostRate{DataRate(MAX_UNSIGNED)};
};

/**
 * The keys of a scenario and of its parts, each described once. The functions run when a scenario
 * is read, when it is written, and when schema and documentation are made. Their checks run only
 * when it is read.
 */
/**@{*/
void Describe(Keys& keys, Scenario& scenario);
void Describe(Keys& keys, ClusterSpec& cluster);
void Describe(Keys& keys, TopologySpec& topology);
void Describe(Keys& keys, PortSpec& ports);
void Describe(Keys& keys, SchedulingSpec& scheduling, const ClusterBounds& bounds);
void Describe(Keys& keys, ScaleSpec& scale);
void Describe(Keys& keys, SamplingSpec& sampling);
void Describe(Keys& keys, StopSpec& stop);
void Describe(Keys& keys, OutputSpec& output);

/** The key "preset" of an object. The reader has laid the preset under the object before. */
void NotePreset(Keys& keys, PresetKind kind);

/** \param mtu MTU of the network, bytes; its key belongs to "transport" */
void DescribeTransport(Keys& keys, ObjectFactory& transport, uint32_t& mtu);

/**
 * \param cluster cluster on which the workload has to fit
 * \param placement policy that places the jobs; if it has no TypeId, their fit is not checked
 */
void Describe(Keys& keys,
              WorkloadSpec& workload,
              const ClusterSpec& cluster,
              const ObjectFactory& placement,
              const ClusterBounds& bounds);
/**@}*/

} // namespace ns3::ddl

#endif // DDL_SCENARIO_KEYS_H
