// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LEAF_SPINE_TOPOLOGY_H
#define DDL_LEAF_SPINE_TOPOLOGY_H

#include "ddl-topology.h"

namespace ns3::ddl
{

/**
 * `leaf-spine`: racks of hosts below switches `leaf0`, `leaf1`..., each of which is joined to each
 * of `spine0`, `spine1`...; a folded Clos network of two tiers.
 */
class LeafSpineTopology : public Topology
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "hosts below leaves, each leaf joined to each spine";
    }

  private:
    std::vector<TopologyProblem> DoFindProblems() const override;
    uint64_t DoCountHosts() const override;

    bool DoHasEqualCostPaths() const override
    {
        return m_leaves > 1 && uint64_t{m_spines} * m_parallel > 1;
    }

    void DoMakePlan(TopologyPlan& plan) const override;
    uint32_t CountLeafHosts(uint32_t leaf) const;

    uint32_t m_leaves;
    std::vector<uint32_t> m_hosts; //!< hosts per leaf: one number for all leaves, or one per leaf
    uint32_t m_spines;
    uint32_t m_parallel;
    DataRate m_rate;     //!< rate of a link between leaf and spine
    std::string m_delay; //!< delay of a link between leaf and spine, see Topology::ReadDelay
};

} // namespace ns3::ddl

#endif // DDL_LEAF_SPINE_TOPOLOGY_H
