// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_DELAY_TUNER_H
#define DDL_DELAY_TUNER_H

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
    DelayTimers fallback; //!< timers when there are no waits
    Time history;         //!< window: waits that ended this long ago, or longer, do not count
    /** Whether, as printed, the window bounds the waits' lengths, not their ages. */
    bool byLength{false};
    /** Whether the standard deviation is that of a sample (of one: 0), or of a population. */
    bool isSample{true};
    /** Whether waits before placements across racks count as those before placements in one. */
    bool addsNetwork{false};
    bool addsRenewals{false}; //!< whether leases renewed in place count as waits of 0
    Time leastWait;           //!< shortest wait that counts
    DelayTimers least;        //!< lower bounds of tuned timers
    double mostMachine{0};    //!< upper bound of the machine timer, per window; 0: none
    double mostRack{0};       //!< upper bound of the rack timer, per window; 0: none

    /**
     * \param waits the waits until now
     * \param gpus number of GPUs that the job needs
     * \param now the present date
     * \return the job's timers, rounded to time steps. O(waits in the window for that number of
     * GPUs)
     */
    DelayTimers GetTimers(const WaitHistory& waits, uint32_t gpus, Time now) const;
};

} // namespace ns3::ddl

#endif // DDL_DELAY_TUNER_H
