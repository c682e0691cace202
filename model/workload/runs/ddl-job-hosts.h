// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_HOSTS_H
#define DDL_JOB_HOSTS_H

#include "ddl-job.h"

#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-rank-plan.h"

#include <vector>

namespace ns3
{
namespace ddl
{

/**
 * A job has one stream from a rank to another, so this names it. It does not depend on machines or
 * on what else runs: the job's flows take the same paths in company and alone.
 *
 * \param job the user's number
 * \param source, destination ranks of the job
 * \return flow label of the stream, all 32 bits well mixed
 */
uint32_t MakeFlowLabel(JobId job, uint32_t source, uint32_t destination);

/** \return the GPUs of the workers that need one */
std::vector<GpuId> ListGpus(const Placement& placement);

/** \return the machine of each rank: workers, then servers */
std::vector<HostId> ListRankHosts(const Placement& placement);

/** \return the machines that occur, ascending, each once */
std::vector<HostId> ListHosts(std::vector<HostId> rankHosts);

/**
 * \param plan of a job
 * \param rankHosts machine of each rank
 * \return what an iteration moves through each machine's NIC, machines ascending; transfers inside
 * a machine do not count
 */
std::vector<HostBytes> CountHostBytes(const JobPlan& plan, const std::vector<HostId>& rankHosts);

/** \return false if all that is moved stays inside machines */
bool UsesNetwork(const std::vector<HostBytes>& bytes);

/** \return time that the busiest NIC takes for these bytes, in its busier direction: E_J of
 * Ada-SRSF Eq. 8 for one iteration */
Time GetUncontendedCommunication(const std::vector<HostBytes>& bytes, const Cluster& cluster);

/** \return bytes through the busiest NIC, in its busier direction */
uint64_t GetBusiestBytes(const std::vector<HostBytes>& bytes);

} // namespace ddl
} // namespace ns3

#endif // DDL_JOB_HOSTS_H
