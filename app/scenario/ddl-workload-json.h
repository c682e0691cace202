// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_WORKLOAD_JSON_H
#define DDL_WORKLOAD_JSON_H

#include "app/json/ddl-json-text.h"

#include "ns3/ddl-scenario.h"

namespace ns3
{
namespace ddl
{

/** \return "workload" of a scenario, as the reader takes it */
Json WorkloadJson(const WorkloadSpec& workload);

/** \return "generator" of a workload, likewise */
Json GeneratorJson(const GeneratorSpec& generator);

/** \return "replay" of a workload, likewise */
Json ReplayJson(const ReplaySpec& replay);

} // namespace ddl
} // namespace ns3

#endif // DDL_WORKLOAD_JSON_H
