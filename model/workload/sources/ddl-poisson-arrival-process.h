// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_POISSON_ARRIVAL_PROCESS_H
#define DDL_POISSON_ARRIVAL_PROCESS_H

#include "ddl-arrival-process.h"

#include "ns3/random-variable-stream.h"

namespace ns3
{
namespace ddl
{

/** `poisson`: gaps are exponentially distributed, independent. The first arrival is at 0. */
class PoissonArrivalProcess : public ArrivalProcess
{
  public:
    static TypeId GetTypeId();
    PoissonArrivalProcess();

    std::string GetSummary() const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    Time DoGetGap(const ArrivalView& view) override;

    Time m_mean;
    Ptr<ExponentialRandomVariable> m_variable; //!< mean 1
};

} // namespace ddl
} // namespace ns3

#endif // DDL_POISSON_ARRIVAL_PROCESS_H
