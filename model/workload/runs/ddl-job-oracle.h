// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_ORACLE_H
#define DDL_JOB_ORACLE_H

#include "ns3/ddl-ids.h"
#include "ns3/ddl-job-usage.h"

#include <cstdint>
#include <optional>

namespace ns3::ddl
{

/**
 * True progress of jobs, which the control side may use without a message, instead of an estimate.
 * Policies that order by remaining work need it: their papers assume that this work is known.
 */
class JobOracle
{
  public:
    virtual ~JobOracle() = default;

    /** \return iterations finished by all workers, over all stages; none: the job has no run */
    virtual std::optional<uint64_t> GetIterationsDone(JobId job) const = 0;
    /** \return bytes through its busiest NIC that its oldest iteration still has to move */
    virtual uint64_t GetBusiestBytesLeft(JobId job) const = 0;
    /** \return whether its leader waits for a grant of the gate */
    virtual bool IsHeld(JobId job) const = 0;
    /** \return what it has used so far; none: it has no run, or has finished no iteration */
    virtual std::optional<JobUsage> GetUsage(JobId job) const = 0;
};

} // namespace ns3::ddl

#endif // DDL_JOB_ORACLE_H
