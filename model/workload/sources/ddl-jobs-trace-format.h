// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOBS_TRACE_FORMAT_H
#define DDL_JOBS_TRACE_FORMAT_H

#include "ddl-trace-format.h"

namespace ns3
{
namespace ddl
{

/**
 * `jobs`: CSV whose first line names its columns, in any order; those of the Tiresias simulator
 * (`job_id,num_gpu,submit_time,iterations,model_name,duration,interval`) and more:
 *
 * - `job_id`: whole number, given once; without the column, the position in the file;
 * - `num_gpu` (required): workers;
 * - `submit_time`: seconds; without the column, `interval`, the seconds since the job before;
 * - `iterations`, `duration`: one of the two; duration in seconds, for which the job runs alone;
 * - `model_name`: any name;
 * - `cojob_id`: jobs with the same number are searched together;
 * - `stages`: iterations of each stage, "500;1000"; the same for all jobs of a cojob;
 * - `servers`: parameter servers;
 * - `accuracy`, `loss`: measured, "iteration:value;iteration:value", at the same iterations.
 *
 * A field may be empty where the column may be missing. Other columns are passed over.
 */
class JobsTraceFormat : public TraceFormat
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

#endif // DDL_JOBS_TRACE_FORMAT_H
