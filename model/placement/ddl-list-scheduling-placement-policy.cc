// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-list-scheduling-placement-policy.h"

#include "ddl-placement-helpers.h"

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(ListSchedulingPlacementPolicy);

TypeId
ListSchedulingPlacementPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::ListSchedulingPlacementPolicy")
                            .SetParent<PlacementPolicy>()
                            .SetGroupName("Ddl")
                            .AddConstructor<ListSchedulingPlacementPolicy>();
    return tid;
}

std::string
ListSchedulingPlacementPolicy::GetSummary() const
{
    return "n GPUs with room and the least load (Ada-SRSF LS)";
}

std::optional<Placement>
ListSchedulingPlacementPolicy::DoPlace(const PlacementView& view)
{
    return TakeFirst(view, SortByLoad(ListRoom(view.cluster, view.memory)));
}

} // namespace ddl
} // namespace ns3
