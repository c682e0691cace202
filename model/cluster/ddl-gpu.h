// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GPU_H
#define DDL_GPU_H

#include "ddl-gpu-id.h"
#include "ddl-task-queue-policy.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <deque>

namespace ns3::ddl
{

/** How a GPU has spent the time since the simulation began; the three add up to it exactly. */
struct GpuTimes
{
    Time busy;    //!< time in which a task ran
    Time waiting; //!< time in which no task ran, but a job held the GPU
    Time idle;    //!< time in which no job held the GPU
};

/**
 * A GPU: it runs one task at a time. A TaskQueuePolicy chooses the next of the waiting tasks;
 * without a policy it is the one that arrived first.
 *
 * A task is whatever its owner computes without a break: a forward pass, a backward pass or a
 * bucket of one. Tasks are not preempted by other tasks (Hare §II-B); only the tasks of a stopped
 * owner are removed.
 */
class Gpu : public Object
{
  public:
    using DoneCallback = Callback<void>;

    static TypeId GetTypeId();

    explicit Gpu(GpuId id);

    GpuId GetId() const
    {
        return m_id;
    }

    /**
     * Queue one task; it starts at once when the GPU is idle.
     *
     * \param duration time that the task takes on this GPU, 0 or more
     * \param done callback at its end, before the next task starts; may submit again
     * \param task the task's job, and its part of an iteration
     * \param service remaining service of the task's job, for the policy
     * \throws RunError, also at the end of an earlier task, when the task would end after
     * Time::Max()
     */
    void Submit(Time duration, DoneCallback done, const GpuTask& task = {}, Time service = Time());

    /** \param policy the policy that chooses the next task; null: FIFO order */
    void SetQueuePolicy(Ptr<TaskQueuePolicy> policy);

    /** \param holders number of jobs that hold this GPU now */
    void SetHolders(std::size_t holders);

    /** \return how this GPU has spent the time so far */
    GpuTimes GetTimes() const;

    /**
     * Count a part of the waiting time as busy: in it the GPU would have run the tasks of
     * iterations that a leap skipped.
     * \param busy that part
     */
    void Credit(Time busy);

    /** Drop an owner's tasks, the running one included, without a callback. */
    void Cancel(JobId owner);

    /** \return time spent on tasks so far, the running one's share included */
    Time GetBusyTime() const;

    using TaskCallback = void (*)(GpuId, const GpuTask&);

  protected:
    void DoDispose() override;

  private:
    struct Task
    {
        DoneCallback done;
        WaitingTask view;
    };

    void StartNext();
    void Finish();
    void EndTask();
    std::size_t SelectNext() const;
    /** Add the time since the last change to the account of the present state. */
    void Settle();

    GpuId m_id;
    Ptr<TaskQueuePolicy> m_policy;
    std::deque<Task> m_tasks; //!< waiting tasks; front: the running one, if m_running
    EventId m_end;            //!< end of the running task
    bool m_running{false};
    std::size_t m_holders{0};
    Time m_settled;   //!< time of the last update of m_times
    GpuTimes m_times; //!< how the time until m_settled was spent

    TracedCallback<GpuId, const GpuTask&> m_taskStart; //!< trace source "TaskStart"
    TracedCallback<GpuId, const GpuTask&> m_taskEnd; //!< trace source "TaskEnd", also if cancelled
    TracedValue<double> m_utilisation{0}; //!< trace source "Utilisation": busy share of the time
};

} // namespace ns3::ddl

#endif // DDL_GPU_H
