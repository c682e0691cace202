// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_DELAY_TIMERS_H
#define DDL_DELAY_TIMERS_H

#include "ns3/nstime.h"

namespace ns3::ddl
{

/** Times from the beginning of a job's wait until which it declines certain GPUs. */
struct DelayTimers
{
    Time machine; //!< time until which it declines GPUs on several servers
    Time rack;    //!< time until which it declines GPUs in several racks
};

inline bool
operator==(const DelayTimers& a, const DelayTimers& b)
{
    return a.machine == b.machine && a.rack == b.rack;
}

} // namespace ns3::ddl

#endif // DDL_DELAY_TIMERS_H
