// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_UNCONTENDED_BYTES_H
#define DDL_UNCONTENDED_BYTES_H

#include "ddl-communication-pattern.h"

#include "ns3/data-rate.h"
#include "ns3/ddl-job-spec.h"

namespace ns3
{
namespace ddl
{

/**
 * How long one iteration's communication takes when nobody disturbs it and every rank has a machine
 * of its own, as bytes at a NIC's full rate: transfers go in rounds, a transfer one round behind
 * the last that it waits for, and a round takes what its busiest rank sends or receives. Ring:
 * 2 (N - 1) / N * M; parameter server: the busiest port's push and pull.
 *
 * \param plan of one iteration
 * \return bytes
 */
uint64_t CountUncontendedBytes(const TransferPlan& plan);

/**
 * \param job with workers, servers, pattern and the bytes of its model
 * \param rate of its machines' NICs
 * \return communication time of one of its iterations, by the same count
 */
Time GetUncontendedTime(const JobSpec& job, DataRate rate);

/**
 * Give a job a compute time in proportion to its communication time: 40 % of it forward and 60 %
 * backward, as in all models of Ada-SRSF Table III.
 *
 * \param job as above; gets its forward and backward time
 * \param ratio compute to communication, 0 or more
 * \param rate of its machines' NICs
 */
void SetComputeByRatio(JobSpec& job, double ratio, DataRate rate);

} // namespace ddl
} // namespace ns3

#endif // DDL_UNCONTENDED_BYTES_H
