// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_HOSTS_H
#define DDL_JOB_HOSTS_H

#include "ns3/ddl-job-spec.h"

#include <vector>

namespace ns3::ddl
{

/**
 * The flow label of the stream from one rank of a job to another. It does not depend on machines or
 * on other jobs, so that the job's flows take the same paths when it runs alone.
 *
 * \param job the user's number
 * \param source, destination ranks of the job
 * \return flow label of the stream, all 32 bits well mixed
 */
uint32_t MakeFlowLabel(JobId job, uint32_t source, uint32_t destination);

/** \return the GPUs that a run takes: those of workers, then those of parameter servers */
std::vector<GpuId> ListGpus(const Placement& placement);

/** \return the machine of each rank: workers, then parameter servers */
std::vector<HostId> ListRankHosts(const Placement& placement);

/** \return the machines of the list, ascending, each once */
std::vector<HostId> ListHosts(std::vector<HostId> rankHosts);

} // namespace ns3::ddl

#endif // DDL_JOB_HOSTS_H
