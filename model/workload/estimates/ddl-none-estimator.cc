// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-none-estimator.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(NoneEstimator);

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
