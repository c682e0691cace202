// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RANDOM_PLACEMENT_POLICY_H
#define DDL_RANDOM_PLACEMENT_POLICY_H

#include "ddl-placement-policy.h"

#include "ns3/random-variable-stream.h"

namespace ns3
{
namespace ddl
{

/**
 * `random`: n of the GPUs with room, all choices alike (Ada-SRSF §V, RAND). The seed of the run
 * decides; draws depend on what was placed before. Servers as with first-fit.
 */
class RandomPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId();

    RandomPlacementPolicy();

    std::string GetSummary() const override;

  private:
    std::optional<Placement> DoPlace(const PlacementView& view) override;

    Ptr<UniformRandomVariable> m_draw;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_RANDOM_PLACEMENT_POLICY_H
