// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ITERATION_RECORD_H
#define DDL_ITERATION_RECORD_H

#include "ns3/ddl-ids.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{
namespace ddl
{

/** Bytes that one iteration of a job moves through one machine's NIC. */
struct HostBytes
{
    HostId host;
    uint64_t sent{0};
    uint64_t received{0};
};

/** One iteration that is over, as the leader (worker 0's machine) sees it. Times are absolute. */
struct IterationRecord
{
    JobId job;
    uint32_t iteration{0}; //!< from 1, over all stages
    Time start;            //!< first worker began to compute
    Time transferStart;    //!< first worker had computed its first bucket, so that bytes may move
    Time computeEnd;       //!< last worker had computed
    Time end;              //!< last worker had what it needs
    uint64_t bytes{0};     //!< given to streams, machine-local ones included
    uint32_t flows{0};     //!< messages of which they consist
};

} // namespace ddl
} // namespace ns3

#endif // DDL_ITERATION_RECORD_H
