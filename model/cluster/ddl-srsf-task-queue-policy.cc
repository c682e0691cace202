// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-task-queue-policy.h"

#include "ns3/ddl-policy-source.h"

#include <algorithm>

namespace ns3::ddl
{

/** `srsf`: the task of the job with the least remaining service, ties in arrival order (Ada-SRSF
 * Algorithm 3 line 28). */
class SrsfTaskQueuePolicy : public TaskQueuePolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::SrsfTaskQueuePolicy")
                                .SetParent<TaskQueuePolicy>()
                                .SetGroupName("Ddl")
                                .AddConstructor<SrsfTaskQueuePolicy>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "the task of the job with the shortest remaining service (Ada-SRSF Algorithm 3)";
    }

  private:
    std::size_t DoSelectNext(const TaskQueueView& view) override
    {
        const auto least = std::min_element(
            view.waiting.begin(),
            view.waiting.end(),
            [](const WaitingTask& a, const WaitingTask& b) { return a.service < b.service; });
        return least - view.waiting.begin();
    }
};

NS_OBJECT_ENSURE_REGISTERED(SrsfTaskQueuePolicy);
DDL_POLICY_SOURCE(SrsfTaskQueuePolicy, "Ada-SRSF, arXiv", 2020, "remaining time");

} // namespace ns3::ddl
