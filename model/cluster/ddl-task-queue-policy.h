// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TASK_QUEUE_POLICY_H
#define DDL_TASK_QUEUE_POLICY_H

#include "ns3/ddl-ids.h"
#include "ns3/ddl-policy.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

/** Which part of an iteration a GPU computes. */
enum class Pass
{
    FORWARD,
    BACKWARD
};

/** A task of a GPU, which is computed without a break: its job, and its part of an iteration. */
struct GpuTask
{
    JobId owner;
    Pass pass{Pass::FORWARD};
    uint64_t iteration{0}; //!< number of the iteration, from 1, over all stages
    uint32_t bucket{0};    //!< bucket of the backward pass, from 0
};

/** A task that waits for a GPU. */
struct WaitingTask
{
    GpuTask task;
    Time submitted; //!< arrival of the task
    Time duration;
    Time service; //!< remaining service of the task's job at its arrival
};

/** The tasks that wait for one GPU. */
struct TaskQueueView
{
    std::vector<WaitingTask> waiting; //!< waiting tasks in arrival order; at least one
};

/**
 * Policy family: which of its waiting tasks does a GPU run next? A GPU is never idle while tasks
 * wait (work conservation).
 */
class TaskQueuePolicy : public Policy
{
  public:
    static TypeId GetTypeId();

    /** \return index into `waiting`, checked */
    std::size_t SelectNext(const TaskQueueView& view);

  private:
    virtual std::size_t DoSelectNext(const TaskQueueView& view) = 0;
};

} // namespace ns3::ddl

#endif // DDL_TASK_QUEUE_POLICY_H
