// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_READ_TRACE_H
#define DDL_READ_TRACE_H

#include "ddl-read-generator.h"

namespace ns3
{
namespace ddl
{

/**
 * Reads "trace", "traceFormat" and "replay" of a workload, and the file that they name.
 *
 * \param workload with the three keys
 * \param context the rest of the scenario
 * \param spec gets the trace and its rules; no trace when the file cannot be used
 * \param diagnostics for what the reader does not see itself, such as lines of the file
 */
void ReadTraceKeys(const JsonObject& workload,
                   const GeneratorContext& context,
                   WorkloadSpec& spec,
                   std::vector<Diagnostic>& diagnostics);

} // namespace ddl
} // namespace ns3

#endif // DDL_READ_TRACE_H
