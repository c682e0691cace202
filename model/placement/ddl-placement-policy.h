// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PLACEMENT_POLICY_H
#define DDL_PLACEMENT_POLICY_H

#include "ns3/ddl-cluster-view.h"
#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-policy.h"

#include <optional>
#include <vector>

namespace ns3::ddl
{

/** What a placement policy gets to see; valid during the call only. */
struct PlacementView
{
    const ClusterView& cluster;
    uint32_t workers{1}; //!< GPUs that the job needs
    uint32_t servers{0}; //!< parameter servers that it needs
    uint64_t memory{0};  //!< bytes that a worker takes on its GPU; 0: the whole GPU
};

/**
 * Policy family: on which GPUs do the workers of a job run and on which machines its parameter
 * servers, or must the job wait?
 *
 * A parameter server needs no GPU, so it fits on every machine.
 */
class PlacementPolicy : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * \param view the cluster and what the job needs
     * \return where the job goes, checked: the right numbers, GPUs with room and all different,
     *         machines of the cluster; or nothing when the job has to wait
     */
    std::optional<Placement> Place(const PlacementView& view);

    /**
     * \return false if its answers never depend on the loads of GPUs, nor on earlier answers:
     * groups that differ in their service alone then fit or do not fit together, and one is tried
     *         for all of them
     */
    virtual bool MindsLoads() const
    {
        return true;
    }

  private:
    virtual std::optional<Placement> DoPlace(const PlacementView& view) = 0;
};

} // namespace ns3::ddl

#endif // DDL_PLACEMENT_POLICY_H
