// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_DUMBBELL_TOPOLOGY_H
#define DDL_DUMBBELL_TOPOLOGY_H

#include "ddl-topology.h"

namespace ns3
{
namespace ddl
{

/** `dumbbell`: hosts at `switch0` and at `switch1`, and one link between the two. */
class DumbbellTopology : public Topology
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  private:
    uint64_t DoCountHosts() const override;
    void DoMakePlan(TopologyPlan& plan) const override;

    uint32_t m_left;
    uint32_t m_right;
    DataRate m_rate;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_DUMBBELL_TOPOLOGY_H
