// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BENCH_FABRIC_H
#define DDL_BENCH_FABRIC_H

#include "ddl-bench-work.h"

namespace ns3::ddl
{

/**
 * Run a case of the benchmark with one of our transports on our fabric.
 *
 * \param work the work to carry
 * \param transport short name of the transport
 * \return measurements of the run; data hops only if the transport counts data packets
 * \throws InputError when there is no transport of that name
 */
BenchMeasure RunOnFabric(const BenchWork& work, const std::string& transport);

} // namespace ns3::ddl

#endif // DDL_BENCH_FABRIC_H
