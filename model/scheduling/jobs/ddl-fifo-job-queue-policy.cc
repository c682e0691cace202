// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fifo-job-queue-policy.h"

#include "ns3/boolean.h"
#include "ns3/ddl-policy-source.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(FifoJobQueuePolicy);
DDL_POLICY_SOURCE(FifoJobQueuePolicy, "", 0, "nothing");

TypeId
FifoJobQueuePolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::FifoJobQueuePolicy")
                            .SetParent<JobQueuePolicy>()
                            .SetGroupName("Ddl")
                            .AddConstructor<FifoJobQueuePolicy>()
                            .AddAttribute("LetsOthersPass",
                                          "whether groups may start while one that came before "
                                          "them does not fit",
                                          BooleanValue(false),
                                          MakeBooleanAccessor(&FifoJobQueuePolicy::m_letsPass),
                                          MakeBooleanChecker());
    return tid;
}

std::string
FifoJobQueuePolicy::GetSummary() const
{
    return "first come, first served; the first in the queue holds up the others";
}

double
FifoJobQueuePolicy::DoGetPriority(const GroupView& group)
{
    return static_cast<double>(group.submit.GetTimeStep());
}

} // namespace ns3::ddl
