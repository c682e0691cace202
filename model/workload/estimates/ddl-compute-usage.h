// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COMPUTE_USAGE_H
#define DDL_COMPUTE_USAGE_H

#include "ddl-job-usage.h"

#include "ns3/ddl-job-spec.h"

#include <cstdint>

namespace ns3::ddl
{

/** Compute and communication times of a job while it trains, measured or expected. */
struct TrainingTimes
{
    Time compute;           //!< sum over iterations of preparing samples and both passes
    Time communication;     //!< sum over iterations of the time that computing does not hide
    uint64_t iterations{0}; //!< number of iterations, at least 1
    double deviation{0};    //!< standard deviation over iterations of compute time / length
};

/**
 * \param job the job, with a pattern
 * \param times the times of its training
 * \return mean usage of each of its ranks while the job trains. The GPU of a parameter server
 *         computes nothing. Bytes are those of all messages of a rank, also within a machine
 */
JobUsage ComputeUsage(const JobSpec& job, const TrainingTimes& times);

} // namespace ns3::ddl

#endif // DDL_COMPUTE_USAGE_H
