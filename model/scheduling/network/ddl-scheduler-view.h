// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SCHEDULER_VIEW_H
#define DDL_SCHEDULER_VIEW_H

#include "ns3/ddl-ids.h"
#include "ns3/nstime.h"

#include <limits>
#include <memory>
#include <vector>

namespace ns3::ddl
{

/** The kind of units that a network scheduler orders. */
enum class UnitKind
{
    STAGE, //!< a stage of a cojob, all its live jobs together; future stages included
    JOB,   //!< a job, its present and future stages together
    COFLOW //!< the transfers of one iteration of a job, while they are in progress
};

/** Seconds that a unit still needs on one port at full rate. */
struct PortLoad
{
    uint32_t port{0};  //!< port number: 2 h for sending of host h, 2 h + 1 for receiving
    double seconds{0}; //!< time at full rate, more than 0
};

/** What a job moves from one of its ranks to another in an iteration. */
struct FlowView
{
    double bytes{0}; //!< more than 0
    /** Links of each path that it may take, by number; never empty, and a path has links. Flows
     * with the same ends share it. */
    std::shared_ptr<const std::vector<std::vector<uint32_t>>> paths;
    uint32_t path{0}; //!< index of the path that it takes now
};

/** What a job does in an iteration, alone and without noise. */
struct IterationView
{
    double compute{0};           //!< seconds of computing of the slowest worker
    double work{0};              //!< seconds of computing on the reference GPU, sum of all workers
    double sendsFrom{1};         //!< part of the computing after which it begins to send, 0 to 1
    std::vector<FlowView> flows; //!< flows that use links; only for schedulers that need them
};

constexpr int32_t NO_PREDECESSOR = -1;

/** A unit that a network scheduler orders: a stage, a job or a coflow. */
struct UnitView
{
    CojobId cojob;
    JobId job;             //!< its job; JOB and COFLOW only
    uint32_t stage{1};     //!< number of the stage, from 1; JOB, COFLOW: of the current one
    uint32_t stages{1};    //!< number of stages of the cojob
    uint64_t iteration{0}; //!< number of the iteration, from 1, over all stages; COFLOW only
    double weight{1};      //!< weight of its completion time, more than 0; STAGE: 1
    Time release; //!< start of the stage (STAGE) or arrival (JOB, COFLOW); Time::Max(): future
    bool active{false};                  //!< whether it is in progress now
    int32_t predecessor{NO_PREDECESSOR}; //!< index of the stage before it, if that is in the view
    std::vector<PortLoad> load;          //!< load left, ports ascending; empty: no network
    IterationView each;                  //!< an iteration of it; JOB only
};

/** The view of a network scheduler: a copy of the state at one moment. */
struct SchedulerView
{
    Time now;
    uint32_t ports{0};           //!< number of ports: 2 x hosts
    std::vector<UnitView> units; //!< units to order, by cojob, then stage or job
    /** Number of priorities that switches tell apart, at least 1. */
    uint32_t priorities{std::numeric_limits<uint32_t>::max()};
    /** Bytes per second of each direction of each link, by number: first the `ports`, then those
     * between switches. Only for schedulers that need flows. */
    std::vector<double> linkRates;
};

/** Groups of indices into SchedulerView::units, first group first; a group shares one priority. */
using UnitOrder = std::vector<std::vector<uint32_t>>;

/** The path of each flow of each unit: indices into FlowView::paths, in the order of the view. */
using PathChoice = std::vector<std::vector<uint32_t>>;

} // namespace ns3::ddl

#endif // DDL_SCHEDULER_VIEW_H
