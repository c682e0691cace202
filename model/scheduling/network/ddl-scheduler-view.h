// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SCHEDULER_VIEW_H
#define DDL_SCHEDULER_VIEW_H

#include "ns3/ddl-ids.h"
#include "ns3/nstime.h"

#include <vector>

namespace ns3::ddl
{

/** What a network scheduler orders. */
enum class UnitKind
{
    STAGE, //!< a stage of a cojob, all its live jobs together; stages to come included
    JOB,   //!< a job, all its stages to come together
    COFLOW //!< what one iteration of a job moves, while it is under way
};

/** Seconds that a unit still needs on one port at full rate. */
struct PortLoad
{
    uint32_t port{0};  //!< 2 h: what host h sends; 2 h + 1: what it receives
    double seconds{0}; //!< more than 0
};

constexpr int32_t NO_PREDECESSOR = -1;

/** A unit that a network scheduler orders: a stage, a job or a coflow. */
struct UnitView
{
    CojobId cojob;
    JobId job;             //!< JOB and COFLOW only
    uint32_t stage{1};     //!< from 1; JOB, COFLOW: the current one
    uint32_t stages{1};    //!< of the cojob
    uint64_t iteration{0}; //!< COFLOW only: from 1, over all stages
    double weight{1};      //!< of its completion, more than 0; STAGE: 1
    Time release; //!< start of the stage (STAGE) or arrival (JOB, COFLOW); Time::Max(): to come
    bool active{false};                  //!< in progress now
    int32_t predecessor{NO_PREDECESSOR}; //!< index of the stage before it, if that is in the view
    std::vector<PortLoad> load;          //!< left to do, ports ascending; empty: no network
};

/** What a network scheduler gets to see: a copy of the state at one moment. */
struct SchedulerView
{
    Time now;
    uint32_t ports{0};           //!< 2 x hosts
    std::vector<UnitView> units; //!< by cojob, then stage or job
};

/** Groups of indices into SchedulerView::units, first group first; a group shares one priority. */
using UnitOrder = std::vector<std::vector<uint32_t>>;

} // namespace ns3::ddl

#endif // DDL_SCHEDULER_VIEW_H
