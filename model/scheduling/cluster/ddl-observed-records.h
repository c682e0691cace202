// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_OBSERVED_RECORDS_H
#define DDL_OBSERVED_RECORDS_H

#include "ns3/ddl-ids.h"
#include "ns3/ddl-iteration-log.h"
#include "ns3/ddl-job-spec.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>

// What trace sources of observers say.

namespace ns3::ddl
{

/** A run of a job, from the grant of its GPUs to their return. Times are absolute. */
struct JobRunRecord
{
    JobId job;
    uint32_t run{1}; //!< number of the run, from 1
    Time start;
    Time end;
    std::string reason; //!< "done", "stopped-early" (by the search), "suspended", "migrated",
                        //!< "killed", "failed"
    Placement placement;
    uint64_t iterations{0}; //!< iterations that were finished in it
    Time switching;         //!< time of launching, loading and saving
    uint64_t bytes{0};      //!< given to streams in it
    uint32_t checkpoints{0};
    uint64_t stateBytes{0}; //!< between workers and storage
    uint64_t repeated{0};   //!< iterations that it did again, as a failure had taken them
    Time lost;              //!< for which the run before it held its GPUs for what that took
    std::optional<TrainingSpan> training; //!< none if no iteration began
};

/** One stage of one cojob, as it really happened. Times are absolute. */
struct StageRecord
{
    CojobId cojob;
    uint32_t stage{1}; //!< from 1
    uint32_t jobs{0};  //!< jobs that run it
    Time release;      //!< arrival of the cojob
    Time start;        //!< first rank of the first job began
    Time end;          //!< last worker of the last job had finished; 0 while it runs
    uint64_t bytes{0}; //!< bytes its jobs gave to streams in this stage; 0 while it runs
};

} // namespace ns3::ddl

#endif // DDL_OBSERVED_RECORDS_H
