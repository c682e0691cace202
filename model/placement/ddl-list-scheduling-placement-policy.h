// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LIST_SCHEDULING_PLACEMENT_POLICY_H
#define DDL_LIST_SCHEDULING_PLACEMENT_POLICY_H

#include "ddl-placement-policy.h"

namespace ns3
{
namespace ddl
{

/**
 * `list-scheduling`: the n GPUs with room that have the least load, of equals those with the lower
 * index (Ada-SRSF §IV-A, LS). Servers as with first-fit.
 */
class ListSchedulingPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  private:
    std::optional<Placement> DoPlace(const PlacementView& view) override;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_LIST_SCHEDULING_PLACEMENT_POLICY_H
