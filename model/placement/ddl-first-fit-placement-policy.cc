// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-first-fit-placement-policy.h"

#include "ddl-placement-helpers.h"

#include "ns3/ddl-policy-source.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(FirstFitPlacementPolicy);
DDL_POLICY_SOURCE(FirstFitPlacementPolicy, "Ada-SRSF, arXiv", 2020, "nothing");

TypeId
FirstFitPlacementPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::FirstFitPlacementPolicy")
                            .SetParent<PlacementPolicy>()
                            .SetGroupName("Ddl")
                            .AddConstructor<FirstFitPlacementPolicy>();
    return tid;
}

PlacementAnswer
FirstFitPlacementPolicy::DoPlace(const PlacementView& view)
{
    return TakeFirst(view, ListRoom(view.cluster, view.memory));
}

} // namespace ns3::ddl
