// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ARRIVAL_PROCESS_H
#define DDL_ARRIVAL_PROCESS_H

#include "ns3/ddl-policy.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::ddl
{

/** Input of an arrival process. */
struct ArrivalView
{
    uint64_t index{0}; //!< index of the next arrival, from 0
    uint64_t count{1}; //!< number of all arrivals
    Time last;         //!< time of the previous arrival; 0 for the first
};

/** Policy family: how much time lies between one arrival and the next? */
class ArrivalProcess : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * \param stream first RNG stream of its random variables
     * \return number of streams that it uses
     */
    virtual int64_t AssignStreams(int64_t /* stream */)
    {
        return 0;
    }

    /**
     * \param view the arrivals, with index below count
     * \return the time between the previous arrival and the next, checked: 0 or more
     */
    Time GetGap(const ArrivalView& view);

  private:
    virtual Time DoGetGap(const ArrivalView& view) = 0;
};

/** \return arrival time under a load, which divides all gaps; at most the longest time */
Time ApplyLoad(Time arrival, double load);

} // namespace ns3::ddl

#endif // DDL_ARRIVAL_PROCESS_H
