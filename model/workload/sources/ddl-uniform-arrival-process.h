// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_UNIFORM_ARRIVAL_PROCESS_H
#define DDL_UNIFORM_ARRIVAL_PROCESS_H

#include "ddl-arrival-process.h"

#include "ns3/random-variable-stream.h"

namespace ns3
{
namespace ddl
{

/**
 * `uniform`: all arrive within Window, each at a time of its own drawn uniformly (Ada-SRSF §V-A: 20
 * minutes). They are drawn in order of time: of n that are still to come in the time t that is
 * left, the first one comes after t (1 - u^(1 / n)), u uniform on (0, 1).
 */
class UniformArrivalProcess : public ArrivalProcess
{
  public:
    static TypeId GetTypeId();
    UniformArrivalProcess();

    std::string GetSummary() const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    Time DoGetGap(const ArrivalView& view) override;

    Time m_window;
    Ptr<UniformRandomVariable> m_variable; //!< 0 to 1
};

} // namespace ddl
} // namespace ns3

#endif // DDL_UNIFORM_ARRIVAL_PROCESS_H
