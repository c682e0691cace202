// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_DELAY_TUNER_H
#define DDL_DELAY_TUNER_H

#include "ddl-delay-timers.h"
#include "ddl-wait-history.h"

#include "ns3/nstime.h"

namespace ns3::ddl
{

/**
 * Dally's auto-tuner (Algorithm 2): a timer is the mean plus twice the standard deviation of the
 * waits of jobs with the same number of GPUs that got them on one server (in one rack) within a
 * window of time. Members choose what the paper leaves open or the authors' simulator does
 * differently (doc/dally.md).
 */
struct DelayTuner
{
    DelayTimers fallback;    //!< timers when there are no waits
    Time history;            //!< window; waits that ended this long ago, or longer, do not count
    bool byLength{false};    //!< as printed: waits longer than the window do not count, of any age
    bool isSample{true};     //!< standard deviation of a sample (of one: 0); false: of a population
    bool addsNetwork{false}; //!< waits before placements across racks count as before those in one
    bool addsRenewals{false}; //!< leases that were renewed in place count as waits of 0
    Time leastWait;           //!< shorter waits do not count
    DelayTimers least;        //!< lower bounds of tuned timers
    double mostMachine{0};    //!< upper bound of a tuned timer, as a part of the window; 0: none
    double mostRack{0};       //!< likewise

    /**
     * \param waits until now
     * \param gpus that the job needs
     * \param now date
     * \return timers, rounded to time steps. O(waits of so many GPUs)
     */
    DelayTimers GetTimers(const WaitHistory& waits, uint32_t gpus, Time now) const;
};

} // namespace ns3::ddl

#endif // DDL_DELAY_TUNER_H
