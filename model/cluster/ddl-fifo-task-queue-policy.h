// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FIFO_TASK_QUEUE_POLICY_H
#define DDL_FIFO_TASK_QUEUE_POLICY_H

#include "ddl-task-queue-policy.h"

namespace ns3::ddl
{

/** `fifo`: FIFO order, the task that arrived first. */
class FifoTaskQueuePolicy : public TaskQueuePolicy
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "the task that came first";
    }

  private:
    std::size_t DoSelectNext(const TaskQueueView& /* view */) override
    {
        return 0;
    }
};

} // namespace ns3::ddl

#endif // DDL_FIFO_TASK_QUEUE_POLICY_H
