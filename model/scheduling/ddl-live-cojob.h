// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LIVE_COJOB_H
#define DDL_LIVE_COJOB_H

#include "ns3/ddl-ids.h"
#include "ns3/ddl-job.h"
#include "ns3/nstime.h"

#include <vector>

namespace ns3
{
namespace ddl
{

/** What the coordinator knows of a job that runs. */
struct LiveJob
{
    JobId job;
    HostId leader;                //!< its machine answers for the job
    std::vector<HostId> machines; //!< with a rank of the job, ascending
    std::vector<HostBytes> bytes; //!< that one iteration moves through each NIC
    uint32_t lastStage{1};        //!< that it will really run; for clairvoyant policies only
    uint32_t iterationsDone{0};   //!< of the current stage, as last reported
    bool inProgress{false};       //!< told to start the stage and not heard to have finished it
};

/** What the coordinator knows of a cojob that has GPUs. */
struct LiveCojob
{
    CojobId id;
    Time arrival;
    std::vector<uint32_t> iterations; //!< of each stage
    uint32_t stage{0};                //!< current one, from 1; 0 before the first
    Time release;                     //!< start of the current stage
    std::vector<LiveJob> jobs;        //!< not stopped, by id
};

} // namespace ddl
} // namespace ns3

#endif // DDL_LIVE_COJOB_H
