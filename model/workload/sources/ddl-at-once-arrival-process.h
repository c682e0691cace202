// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_AT_ONCE_ARRIVAL_PROCESS_H
#define DDL_AT_ONCE_ARRIVAL_PROCESS_H

#include "ddl-arrival-process.h"

namespace ns3::ddl
{

/** `at-once`: all arrivals are at time 0. */
class AtOnceArrivalProcess : public ArrivalProcess
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "all at time 0";
    }

  private:
    Time DoGetGap(const ArrivalView& /* view */) override
    {
        return Time(0);
    }
};

} // namespace ns3::ddl

#endif // DDL_AT_ONCE_ARRIVAL_PROCESS_H
