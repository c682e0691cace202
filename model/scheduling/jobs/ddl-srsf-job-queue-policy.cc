// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-srsf-job-queue-policy.h"

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(SrsfJobQueuePolicy);

TypeId
SrsfJobQueuePolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::SrsfJobQueuePolicy")
                            .SetParent<JobQueuePolicy>()
                            .SetGroupName("Ddl")
                            .AddConstructor<SrsfJobQueuePolicy>();
    return tid;
}

std::string
SrsfJobQueuePolicy::GetSummary() const
{
    return "shortest remaining service (time x GPUs) first; who does not fit lets others pass "
           "(Ada-SRSF Algorithm 3)";
}

double
SrsfJobQueuePolicy::DoGetPriority(const WaitingGroup& group)
{
    return static_cast<double>(group.service.GetTimeStep());
}

} // namespace ddl
} // namespace ns3
