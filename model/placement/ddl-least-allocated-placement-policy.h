// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LEAST_ALLOCATED_PLACEMENT_POLICY_H
#define DDL_LEAST_ALLOCATED_PLACEMENT_POLICY_H

#include "ddl-placement-policy.h"

namespace ns3
{
namespace ddl
{

/**
 * `least-allocated`: worker by worker, the machine of which the least part is taken, as the default
 * scheduler of Kubernetes does (NodeResourcesFit, LeastAllocated). So jobs are spread over the
 * cluster.
 *
 * The part is that of its GPUs' memory, or of its GPUs where these are held by one job at a time.
 * Of equals, the machine with fewer parameter servers, then the lower index; there the first GPU
 * with room. Servers as with first-fit.
 */
class LeastAllocatedPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  private:
    std::optional<Placement> DoPlace(const PlacementView& view) override;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_LEAST_ALLOCATED_PLACEMENT_POLICY_H
