// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-placement-helpers.h"
#include "ddl-placement-policy.h"

#include "ns3/ddl-policy-source.h"

namespace ns3::ddl
{

/**
 * `list-scheduling`: the n GPUs with room that have the least load, of equals those with the lower
 * index (Ada-SRSF §IV-A, LS). Parameter servers are placed as with first-fit.
 */
class ListSchedulingPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::ListSchedulingPlacementPolicy")
                                .SetParent<PlacementPolicy>()
                                .SetGroupName("Ddl")
                                .AddConstructor<ListSchedulingPlacementPolicy>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "n GPUs with room and the least load (Ada-SRSF LS)";
    }

  private:
    PlacementAnswer DoPlace(const PlacementView& view) override
    {
        return TakeFirst(view, SortByLoad(ListRoom(view.cluster, view.memory)));
    }
};

NS_OBJECT_ENSURE_REGISTERED(ListSchedulingPlacementPolicy);
DDL_POLICY_SOURCE(ListSchedulingPlacementPolicy, "Ada-SRSF, arXiv", 2020, "remaining time");

} // namespace ns3::ddl
