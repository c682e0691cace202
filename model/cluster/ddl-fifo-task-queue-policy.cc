// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fifo-task-queue-policy.h"

#include <algorithm>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(FifoTaskQueuePolicy);

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
