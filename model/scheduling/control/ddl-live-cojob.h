// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LIVE_COJOB_H
#define DDL_LIVE_COJOB_H

#include "ns3/ddl-ids.h"
#include "ns3/ddl-job.h"
#include "ns3/nstime.h"

#include <deque>
#include <map>
#include <vector>

namespace ns3
{
namespace ddl
{

/** An iteration of a job that is moving bytes. */
struct LiveCoflow
{
    uint32_t iteration{0}; //!< from 1, over all stages
    Time arrival;          //!< the coordinator heard of it
};

/** Bytes that a machine moved through its NIC for a job since the job's launch. */
struct MovedBytes
{
    uint64_t sent{0};
    uint64_t received{0};
};

/** What the coordinator knows of a job that runs. */
struct LiveJob
{
    JobId job;
    HostId leader;                  //!< its machine answers for the job
    std::vector<HostId> machines;   //!< with a rank of the job, ascending
    std::vector<HostBytes> bytes;   //!< that one iteration moves through each NIC
    double weight{1};               //!< of its completion
    IterationCost cost;             //!< of one iteration
    uint32_t lastStage{1};          //!< that it will really run; for clairvoyant policies only
    uint32_t iterationsDone{0};     //!< of the current stage, as last reported
    bool inProgress{false};         //!< told to start the stage and not heard to have finished it
    std::deque<LiveCoflow> coflows; //!< under way, oldest first; for policies that order them
    std::map<HostId, MovedBytes> moved; //!< as last reported; for the same
};

/** What the coordinator knows of a cojob that has GPUs. */
struct LiveCojob
{
    CojobId id;
    Time arrival;
    std::vector<uint32_t> iterations; //!< of each stage
    uint32_t stage{0};                //!< current one, from 1; 0 before the first
    Time release;                     //!< start of the current stage
    bool certifiable{false};          //!< as CojobRun::IsCertifiable says
    std::vector<LiveJob> jobs;        //!< not stopped, by id
};

} // namespace ddl
} // namespace ns3

#endif // DDL_LIVE_COJOB_H
