// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COMPUTE_USAGE_H
#define DDL_COMPUTE_USAGE_H

#include "ddl-job-usage.h"

#include "ns3/ddl-job-spec.h"

#include <cstdint>

namespace ns3::ddl
{

/** How a job has trained, or would. */
struct TrainingTimes
{
    Time compute;           //!< sum over iterations: preparing samples, and both passes
    Time communication;     //!< sum over iterations, what overlaps with computing not counted
    uint64_t iterations{0}; //!< at least 1
    double deviation{0};    //!< standard deviation of the share of an iteration that computes
};

/**
 * \param job with a pattern
 * \return what each of its ranks uses on the average for which the job trains. A parameter server's
 *         GPU does nothing. Bytes are those of all messages of a rank, within a machine too
 */
JobUsage ComputeUsage(const JobSpec& job, const TrainingTimes& times);

} // namespace ns3::ddl

#endif // DDL_COMPUTE_USAGE_H
