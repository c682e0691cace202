// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CHECK_WORKLOAD_H
#define DDL_CHECK_WORKLOAD_H

#include "ns3/ddl-cluster-view.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-job-spec.h"

#include <vector>

namespace ns3
{
namespace ddl
{

/**
 * Find what would never run.
 *
 * \param cojobs the whole workload
 * \param cluster taken as if nobody used it
 * \return complaints: ids used twice, cojobs without jobs or stages, given placements that make no
 *         sense, cojobs that do not fit on the empty cluster; empty when all is well
 */
std::vector<Diagnostic> CheckWorkload(const std::vector<CojobSpec>& cojobs, ClusterView cluster);

} // namespace ddl
} // namespace ns3

#endif // DDL_CHECK_WORKLOAD_H
