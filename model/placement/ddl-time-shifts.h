// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TIME_SHIFTS_H
#define DDL_TIME_SHIFTS_H

#include "ddl-job-traffic.h"

#include "ns3/type-id.h"

#include <vector>

namespace ns3::ddl
{

/** How circles are rolled up and turned; see MakeCircle and FindRotation. A policy that plans time
 * shifts inherits them as attributes. */
struct CircleRules
{
    /** \param type type of a class that inherits from this one \return the same, with the
     * attributes Angle, Stretch and Turns */
    static TypeId AddAttributes(TypeId type);

    double degrees{5};    //!< angle between two rotations that are tried
    double stretch{0.05}; //!< relative length that may be added to an iteration
    uint32_t turns{8};    //!< bound of the perimeter in iterations of the slowest job
};

/** When a job begins to send, on the circle of its component. */
struct TimeShift
{
    uint32_t root{0};       //!< index of the job that the others of its component are shifted from
    uint32_t iterations{1}; //!< its iterations in one turn of the circle
    Time iteration;         //!< length of its iteration on the circle, at least its own
    Time shift;             //!< place of its first start on the circle, below an iteration
};

/** Shifts of all jobs, and what they achieve. */
struct TimeShiftPlan
{
    double score{1};     //!< mean compatibility of the links where jobs may exceed the capacity
    bool hasLoop{false}; //!< whether the affinity graph has a loop
    std::vector<TimeShift> jobs; //!< in the order given
};

/**
 * CASSINI: how jobs have to be shifted so that those that share links send in turn.
 *
 * The links of the affinity graph are those where the demands of several jobs together exceed the
 * capacity: elsewhere any shift is as good. A link with the same jobs as another, or with some of
 * its jobs, all with no greater demand, adds nothing and is left out. All jobs of a component are
 * rolled up on one circle. Jobs of a component with a loop are not shifted, and its links have no
 * score: Algorithm 1 is for graphs without loops.
 *
 * \param jobs all jobs. One whose iteration takes no time, or that sends nothing, is not shifted
 * \param rules how circles are made
 */
TimeShiftPlan PlanTimeShifts(const std::vector<JobTraffic>& jobs, const CircleRules& rules);

} // namespace ns3::ddl

#endif // DDL_TIME_SHIFTS_H
