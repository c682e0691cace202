// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fifo-task-queue-policy.h"

#include "ns3/ddl-policy-source.h"

#include <algorithm>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(FifoTaskQueuePolicy);
DDL_POLICY_SOURCE(FifoTaskQueuePolicy, "", 0, "nothing");

TypeId
FifoTaskQueuePolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::FifoTaskQueuePolicy")
                            .SetParent<TaskQueuePolicy>()
                            .SetGroupName("Ddl")
                            .AddConstructor<FifoTaskQueuePolicy>();
    return tid;
}

} // namespace ns3::ddl
