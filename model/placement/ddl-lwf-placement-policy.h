// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LWF_PLACEMENT_POLICY_H
#define DDL_LWF_PLACEMENT_POLICY_H

#include "ddl-placement-policy.h"

namespace ns3
{
namespace ddl
{

/**
 * `lwf`: least workload first, LWF-kappa (Ada-SRSF Algorithm 1). A job of at most Kappa GPUs gets
 * the least loaded ones, as with list-scheduling; a larger one takes servers (machines) in the
 * order of their total load, the GPUs with room of each by load, until it has n. Of equals, the
 * lower index.
 *
 * The print picks the first ceil(n / N_g) servers (line 13) and then loops over all of them (line
 * 15). Here all are taken, as in the text; with ChosenOnly a job waits until those first ones have
 * room for it. Where machines have different numbers of GPUs, the first ones are as many as have n
 * GPUs together; those without GPUs do not count.
 */
class LwfPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  private:
    std::optional<Placement> DoPlace(const PlacementView& view) override;

    uint32_t m_kappa;  //!< most GPUs of a job that is not consolidated
    bool m_chosenOnly; //!< lines 13 and 15 taken together
};

} // namespace ddl
} // namespace ns3

#endif // DDL_LWF_PLACEMENT_POLICY_H
