// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_SERVICE_H
#define DDL_JOB_SERVICE_H

#include "ddl-job-spec.h"

#include "ns3/nstime.h"

namespace ns3
{
namespace ddl
{

/**
 * \param time of one repetition, 0 or more
 * \param times how often, 0 or more
 * \return the product, or the longest time there is when it is longer than that
 */
Time Multiply(Time time, double times);

/** \return C_J: time that one worker of a job computes in so many iterations (Ada-SRSF Eq. 7) */
Time GetComputeTime(const JobSpec& job, uint64_t iterations);

/** \return iterations of all stages together */
uint64_t CountIterations(const CojobSpec& cojob);

} // namespace ddl
} // namespace ns3

#endif // DDL_JOB_SERVICE_H
