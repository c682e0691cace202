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

/** How a GPU has spent the time since the start of the run; the three add up to it exactly. */
struct GpuTimes
{
    Time busy;    //!< a task ran
    Time waiting; //!< no task ran, but a job held the GPU
    Time idle;    //!< no job held it
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
     * \param duration 0 or more, on this GPU
     * \param done called at its end, before the next task starts; may submit again
     * \param task its job, and its part of an iteration
     * \param service remaining service of its job, for the policy
     */
    void Submit(Time duration, DoneCallback done, const GpuTask& task = {}, Time service = Time());

    /** \param policy that chooses the next task; null: the one that arrived first */
    void SetQueuePolicy(Ptr<TaskQueuePolicy> policy);

    /** \param holders number of jobs that hold it now */
    void SetHolders(std::size_t holders);

    /** \return how the time has been spent so far */
    GpuTimes GetTimes() const;

    /**
     * Count so much of the waiting time as busy: in it the GPU would have run the tasks of
     * iterations that a leap skipped.
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
    std::deque<Task> m_tasks; //!< front: the running one, if m_running
    EventId m_end;            //!< of the running task
    bool m_running{false};
    std::size_t m_holders{0};
    Time m_settled;   //!< when the accounts were last written
    GpuTimes m_times; //!< until then

    TracedCallback<GpuId, const GpuTask&> m_taskStart; //!< "TaskStart"
    TracedCallback<GpuId, const GpuTask&> m_taskEnd;   //!< "TaskEnd": also when cancelled
    TracedValue<double> m_utilisation{0};              //!< "Utilisation": see GetTypeId
};

} // namespace ns3::ddl

#endif // DDL_GPU_H
