// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PHILLY_ARRIVAL_PROCESS_H
#define DDL_PHILLY_ARRIVAL_PROCESS_H

#include "ddl-arrival-process.h"

#include "ns3/random-variable-stream.h"

namespace ns3
{
namespace ddl
{

/**
 * `philly`: gaps of Microsoft's Philly cluster, 2017 (Jeon et al., USENIX ATC 2019; the
 * distribution behind Grouper Fig. 13(b)), drawn from the percentiles of its 82,246 gaps, straight
 * lines between them. The first arrival is at 0.
 *
 * The mean of what is drawn is 123 s; that of the trace is 114 s, since most gaps between two
 * percentiles are shorter than the straight line has them.
 */
class PhillyArrivalProcess : public ArrivalProcess
{
  public:
    static TypeId GetTypeId();
    PhillyArrivalProcess();

    std::string GetSummary() const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    Time DoGetGap(const ArrivalView& view) override;

    Ptr<EmpiricalRandomVariable> m_variable; //!< seconds
};

} // namespace ddl
} // namespace ns3

#endif // DDL_PHILLY_ARRIVAL_PROCESS_H
