// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LOCAL_PRIORITIES_H
#define DDL_LOCAL_PRIORITIES_H

#include "ns3/ddl-ids.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{
namespace ddl
{

/** A live job in an active stage. */
struct PresentJob
{
    JobId job;
    uint32_t stage{1};         //!< active stage of its cojob, from 1
    uint32_t place{0};         //!< place of its unit in the global order; equal places share a rank
    std::vector<HostId> hosts; //!< machines whose NIC it uses
};

/** Local priority of a job at one machine. */
struct JobRank
{
    JobId job;
    uint32_t stage{1}; //!< for which the rank holds
    HostId host;
    uint32_t rank{1}; //!< 1 goes first

    bool operator==(const JobRank& other) const
    {
        return job == other.job && stage == other.stage && host == other.host && rank == other.rank;
    }
};

/**
 * Map the global order to local priorities (Grouper §IV-B, Fig. 7): at each machine, the units
 * present there are ranked 1, 2, 3, ... in global order.
 *
 * \param jobs all jobs that are present, in any order
 * \param last rank that greater ones are told as: that of the queue which they share
 * \return one rank for each job and machine of it, by job, then machine
 */
std::vector<JobRank> RankLocally(const std::vector<PresentJob>& jobs,
                                 uint32_t last = std::numeric_limits<uint32_t>::max());

/** \return the most units that are present at one machine, each with a rank of its own there */
uint32_t CountMostRanks(const std::vector<PresentJob>& jobs);

} // namespace ddl
} // namespace ns3

#endif // DDL_LOCAL_PRIORITIES_H
