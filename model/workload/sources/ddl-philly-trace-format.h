// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PHILLY_TRACE_FORMAT_H
#define DDL_PHILLY_TRACE_FORMAT_H

#include "ddl-trace-format.h"

namespace ns3
{
namespace ddl
{

/**
 * `philly`: jobs of the Philly cluster (Jeon et al., USENIX ATC 2019) as CSV with the columns
 * `timestamp,duration,num_gpus`, in any order, and others that are passed over: when the job came
 * (`2017-10-09 07:01:55`), how many seconds it ran, on how many GPUs. Time 0 is that of the first
 * one. It says nothing of models.
 */
class PhillyTraceFormat : public TraceFormat
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

#endif // DDL_PHILLY_TRACE_FORMAT_H
