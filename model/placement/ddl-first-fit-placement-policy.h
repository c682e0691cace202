// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FIRST_FIT_PLACEMENT_POLICY_H
#define DDL_FIRST_FIT_PLACEMENT_POLICY_H

#include "ddl-placement-policy.h"

namespace ns3::ddl
{

/**
 * `first-fit`: the first n free GPUs in index order, machine by machine (Ada-SRSF §V, FF).
 *
 * The papers say nothing of parameter servers. Here they go to machines without a worker of the job
 * first, among those to the ones with the fewest servers, then by index; each machine takes one
 * before any takes a second.
 */
class FirstFitPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "first n GPUs with room in index order (Ada-SRSF FF)";
    }

    PlacementWishes GetWishes() const override
    {
        PlacementWishes wishes;
        wishes.ignoresLoads = true;
        return wishes;
    }

  private:
    PlacementAnswer DoPlace(const PlacementView& view) override;
};

} // namespace ns3::ddl

#endif // DDL_FIRST_FIT_PLACEMENT_POLICY_H
