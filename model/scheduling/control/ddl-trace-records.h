// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TRACE_RECORDS_H
#define DDL_TRACE_RECORDS_H

#include "ns3/ddl-ids.h"
#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-job-usage.h"
#include "ns3/ddl-priority.h"
#include "ns3/ddl-stream.h"
#include "ns3/ddl-wait-history.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What trace sources of the control side and of agents say.

namespace ns3::ddl
{

/** Reason why a group waits for GPUs from some time on. */
struct WaitRecord
{
    Time time;
    CojobId cojob;             //!< number of the group
    std::optional<JobId> job;  //!< number of a plain job; a cojob has none
    uint32_t gpus{0};          //!< GPUs that it needs
    uint32_t free{0};          //!< GPUs that no job holds
    std::string reason;        //!< "no GPUs", "behind another job", "no place", "declined",
                               //!< "holds 1 of 4 GPUs", or what
                               //!< the placement policy says
    std::optional<Time> until; //!< date at which it will be asked again; none: at the next change
};

/** Timers of a job that was offered GPUs: until when it declines some (PlacementAnswer::timers). */
struct TimersRecord
{
    Time time;
    uint32_t gpus{0}; //!< GPUs that the job needs
    DelayTimers timers;
};

/** A decision of the job manager: these jobs have to give back their GPUs. */
struct RevocationRecord
{
    std::vector<JobId> jobs;
    std::string reason; //!< "suspended", "migrated", "killed", "failed"; "": they leave for good
};

/** Estimated and measured usage of a job that has left. */
struct EstimateRecord
{
    JobId job;
    bool hasServers{false};
    std::optional<JobUsage> predicted; //!< estimate when it last got GPUs; empty: there was none
    JobUsage actual;
};

/** A change of mark: from this time on, one end of a stream sends with another band and DSCP. */
struct RemarkRecord
{
    Time time;
    HostId host;     //!< machine that writes the mark
    StreamId stream; //!< its number, filled in by RunRecorder: a machine knows only its own streams
    JobId job;
    uint32_t stage{1};            //!< the stage for which the mark is meant
    Mark mark;                    //!< the new mark
    bool acknowledgements{false}; //!< the host is the stream's destination and sends its ACKs
    StreamName name;              //!< name of the stream
};

/** One run of the network scheduler, and the control messages since the run before. */
struct ScheduleRecord
{
    Time time;
    uint32_t units{0}; //!< number of units ordered
    std::string order; //!< GetUnitLabel of each unit, first one first; equal ones joined by '='
    std::optional<double> sctOverBound; //!< result of RateOrder; none if it has none
    uint64_t messages{0};     //!< control messages since the record before, both directions
    uint64_t controlBytes{0}; //!< bytes of these messages
};

/**
 * Numbers of gate requests and grants, waiting time, and messages. They do not include the reports
 * of machines to leaders (ControlPlane::GetGateReports).
 */
struct GateTotals
{
    uint64_t requests{0}; //!< requests that reached the coordinator
    uint64_t grants{0};
    uint64_t held{0};     //!< grants that did not go out at the instant of the request
    Time heldTime;        //!< sum of the times from a request's arrival to its grant
    uint64_t messages{0}; //!< requests, grants and ends
    uint64_t bytes{0};    //!< bytes of these messages
};

} // namespace ns3::ddl

#endif // DDL_TRACE_RECORDS_H
