// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-none-estimator.h"

#include "ns3/ddl-policy-source.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(NoneEstimator);
DDL_POLICY_SOURCE(NoneEstimator, "", 0, "nothing");

TypeId
NoneEstimator::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::NoneEstimator")
                            .SetParent<Estimator>()
                            .SetGroupName("Ddl")
                            .AddConstructor<NoneEstimator>();
    return tid;
}

} // namespace ns3::ddl
