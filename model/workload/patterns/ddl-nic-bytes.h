// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_NIC_BYTES_H
#define DDL_NIC_BYTES_H

#include "ddl-rank-plan.h"

#include "ns3/data-rate.h"
#include "ns3/ddl-job-spec.h"

#include <vector>

namespace ns3::ddl
{

class Cluster;

/** Bytes that one iteration of a job moves through one machine's NIC. */
struct HostBytes
{
    HostId host;
    uint64_t sent{0};
    uint64_t received{0};
};

/**
 * \param plan the plan of a job
 * \param rankHosts machine of each rank
 * \param cluster the machines
 * \return bytes that an iteration moves through each machine's NIC, machines ascending; transfers
 *         inside a machine do not count, nor those over a scale-up network
 */
std::vector<HostBytes> CountHostBytes(const JobPlan& plan,
                                      const std::vector<HostId>& rankHosts,
                                      const Cluster& cluster);

/** \return bytes through the busiest NIC in its busier direction */
uint64_t GetBusiestBytes(const std::vector<HostBytes>& bytes);

/** \return the machines whose NICs carry any bytes */
std::vector<HostId> ListNetworkHosts(const std::vector<HostBytes>& bytes);

/** \return seconds that bytes take at the full rate of a NIC */
double GetNicSeconds(double bytes, DataRate rate);

/** \return time that the busiest NIC takes for these bytes, in its busier direction: E_J of
 * Ada-SRSF Eq. 8 for one iteration */
Time GetUncontendedCommunication(const std::vector<HostBytes>& bytes, const Cluster& cluster);

/**
 * The duration of one iteration's communication without contention, with one machine per rank,
 * expressed as bytes at a NIC's full rate. Transfers go in rounds: a transfer is one round after
 * the last one that it waits for. A round takes the bytes that its busiest rank sends or receives.
 * Ring: 2 (N - 1) / N * M; parameter server: the busiest port's push and pull.
 *
 * \param plan the plan of one iteration
 * \return sum of the rounds' bytes
 */
uint64_t CountUncontendedBytes(const TransferPlan& plan);

/** \return CountUncontendedBytes() of a pattern's plan for a job */
uint64_t CountUncontendedBytes(const CommunicationPattern& pattern, const PatternView& view);

/**
 * \param job a job with workers, parameter servers, pattern and the bytes of its model
 * \param rate rate of its machines' NICs
 * \return communication time of one of its iterations, by CountUncontendedBytes()
 */
Time GetUncontendedTime(const JobSpec& job, DataRate rate);

/** \return time of one iteration of a job alone: input, both passes, and then GetUncontendedTime(),
 * without overlap */
Time GetUncontendedIteration(const JobSpec& job, DataRate rate);

/**
 * Give a job a compute time in proportion to its communication time: 40 % of it forward and 60 %
 * backward, as in all models of Ada-SRSF Table III.
 *
 * \param job the job, whose forward and backward times are set
 * \param ratio compute time over communication time, 0 or more
 * \param rate rate of its machines' NICs
 */
void SetComputeByRatio(JobSpec& job, double ratio, DataRate rate);

/**
 * Give a job the compute time with which GetUncontendedIteration() is as long as wanted, or 0 where
 * input and communication alone take longer. Both passes keep their proportion, and have that of
 * SetComputeByRatio() in a model without compute times.
 *
 * \param job the job, whose forward and backward times are set
 * \param iteration wanted length of an iteration
 * \param rate rate of its machines' NICs
 */
void SetComputeByIteration(JobSpec& job, Time iteration, DataRate rate);

} // namespace ns3::ddl

#endif // DDL_NIC_BYTES_H
