// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_DELAY_TUNER_H
#define DDL_DELAY_TUNER_H

#include "ddl-wait-history.h"

#include "ns3/nstime.h"

namespace ns3::ddl
{

/** For how long a job declines GPUs that are further apart, from the beginning of its wait. */
struct DelayTimers
{
    Time machine; //!< than on one server
    Time rack;    //!< than in one rack
};

/**
 * Dally's auto-tuner (Algorithm 2): a timer is the mean, plus twice the standard deviation, of the
 * waits of jobs of the same number of GPUs that got their GPUs on a server (in a rack) not longer
 * ago than a window. Where the paper leaves something open, or its authors' simulator does
 * otherwise, there is a choice.
 */
struct DelayTuner
{
    DelayTimers fallback;    //!< where there are no waits
    Time history;            //!< window; what has its length, or is older, does not count
    bool byLength{false};    //!< literally: waits longer than the window do not count, however old
    bool isSample{true};     //!< standard deviation of a sample (of one: 0); false: of a population
    bool addsNetwork{false}; //!< waits before placements across racks count as before those in one
    Time leastWait;          //!< shorter ones do not count
    DelayTimers least;       //!< of tuned timers
    double most{0};          //!< tuned timers, as a part of the window; 0: any

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
