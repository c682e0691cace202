// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-placement-scorer.h"

#include "ns3/ddl-policy-source.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(PlacementScorer);
NS_OBJECT_ENSURE_REGISTERED(NonePlacementScorer);
DDL_POLICY_SOURCE(NonePlacementScorer, "", 0, "nothing");

TypeId
PlacementScorer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::PlacementScorer").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

std::optional<double>
PlacementScorer::Score(const std::vector<JobTraffic>& present, const JobTraffic& job)
{
    const Stopwatch stopwatch(*this);
    return DoScore(present, job);
}

TypeId
NonePlacementScorer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::NonePlacementScorer")
                            .SetParent<PlacementScorer>()
                            .SetGroupName("Ddl")
                            .AddConstructor<NonePlacementScorer>();
    return tid;
}

std::string
NonePlacementScorer::GetSummary() const
{
    return "the placement policy alone decides";
}

} // namespace ns3::ddl
