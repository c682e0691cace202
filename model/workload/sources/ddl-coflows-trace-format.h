// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COFLOWS_TRACE_FORMAT_H
#define DDL_COFLOWS_TRACE_FORMAT_H

#include "ddl-trace-format.h"

namespace ns3
{
namespace ddl
{

/**
 * `coflows`: the format of FB2010-1Hr-150-0.txt of the Coflow-Benchmark (Chowdhury et al., SIGCOMM
 * 2014 and 2015). First line: ports, number of coflows; then one coflow a line,
 *
 *     id arrival_ms mappers port ... reducers port:MB ...
 *
 * with ports numbered from 0 and MB of 10^6 bytes. Each reducer gets its megabytes from all
 * mappers, the same from each.
 */
class CoflowsTraceFormat : public TraceFormat
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    bool Recognises(const std::string& header) const override;

  private:
    void DoRead(TraceLines& lines, Trace& trace) const override;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_COFLOWS_TRACE_FORMAT_H
