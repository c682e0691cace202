// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TIMERS_WATCH_H
#define DDL_TIMERS_WATCH_H

#include "ns3/ddl-trace-records.h"

#include <cstdint>
#include <map>

namespace ns3::ddl
{

/** Means over time, in seconds, of the timers of jobs with one number of GPUs. */
struct TimersMean
{
    double machine{0};
    double rack{0};
};

/**
 * Follows the timers until which jobs decline GPUs, for each number of GPUs of a job. Jobs of one
 * size have the same timers at any time. The timers are known at each offer of GPUs to such a job,
 * and are taken to hold until the next offer. Does not use the simulator.
 */
class TimersWatch
{
  public:
    /** Record timers. \return true if they differ from those before, or are the first of jobs of
     * that size */
    bool Note(const TimersRecord& timers);

    /**
     * \return means from the first offer to the last, by number of GPUs; if all offers were at one
     *         time, the timers of the last one
     */
    std::map<uint32_t, TimersMean> GetMeans() const;

  private:
    /** The timers of jobs of one size, over time. */
    struct Curve
    {
        Time first;        //!< date of the first offer
        TimersRecord last; //!< the last offer
        TimersMean sum;    //!< timers x time until then, s^2
    };

    std::map<uint32_t, Curve> m_curves; //!< by number of GPUs
};

} // namespace ns3::ddl

#endif // DDL_TIMERS_WATCH_H
