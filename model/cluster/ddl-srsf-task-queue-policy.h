// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SRSF_TASK_QUEUE_POLICY_H
#define DDL_SRSF_TASK_QUEUE_POLICY_H

#include "ddl-task-queue-policy.h"

namespace ns3
{
namespace ddl
{

/** `srsf`: the task of the job with the least remaining service, of equals the first that came
 * (Ada-SRSF Algorithm 3 line 28). */
class SrsfTaskQueuePolicy : public TaskQueuePolicy
{
  public:
    static TypeId GetTypeId();
    std::string GetSummary() const override;

  private:
    std::size_t DoSelectNext(const TaskQueueView& view) override;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_SRSF_TASK_QUEUE_POLICY_H
