// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SINGLE_SWITCH_TOPOLOGY_H
#define DDL_SINGLE_SWITCH_TOPOLOGY_H

#include "ddl-topology.h"

namespace ns3
{
namespace ddl
{

/** `single-switch`: all hosts at `switch0`. */
class SingleSwitchTopology : public Topology
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  private:
    uint64_t DoCountHosts() const override;
    void DoMakePlan(TopologyPlan& plan) const override;

    uint32_t m_hosts;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_SINGLE_SWITCH_TOPOLOGY_H
