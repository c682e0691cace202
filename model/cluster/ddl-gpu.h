// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GPU_H
#define DDL_GPU_H

#include "ddl-gpu-id.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <deque>

namespace ns3
{
namespace ddl
{

/**
 * A GPU: it serves tasks one at a time, each alone for its duration, first come first served.
 *
 * A task is whatever its owner computes without a break: a forward pass, a backward pass, or both.
 * Tasks are not preempted by other tasks (Hare §II-B); only a stopped owner's are taken away.
 */
class Gpu : public Object
{
  public:
    using DoneCallback = Callback<void>;

    static TypeId GetTypeId();

    explicit Gpu(GpuId id);
    ~Gpu() override;

    GpuId GetId() const;

    /**
     * Queue one task; it starts at once when the GPU is idle.
     *
     * \param duration 0 or more, on this GPU
     * \param done called at its end, before the next task starts; may submit again
     * \param owner job that the task belongs to
     */
    void Submit(Time duration, DoneCallback done, JobId owner = JobId());

    /** Drop an owner's tasks, the running one included, without a callback. */
    void Cancel(JobId owner);

    bool IsBusy() const;
    /** \return tasks that wait, without the running one */
    std::size_t GetQueueLength() const;
    /** \return time spent on tasks so far, the running one's share included */
    Time GetBusyTime() const;

    using TaskCallback = void (*)(GpuId, JobId);

  protected:
    void DoDispose() override;

  private:
    struct Task
    {
        Time duration;
        DoneCallback done;
        JobId owner;
    };

    void StartNext();
    void Finish();
    void EndTask();

    GpuId m_id;
    std::deque<Task> m_tasks; //!< front: the running one, if m_running
    EventId m_end;            //!< of the running task
    bool m_running{false};
    Time m_started; //!< of the running task
    Time m_busy;    //!< tasks that are over

    TracedCallback<GpuId, JobId> m_taskStart; //!< "TaskStart": GPU, owner
    TracedCallback<GpuId, JobId> m_taskEnd;   //!< "TaskEnd": GPU, owner; also when cancelled
};

} // namespace ddl
} // namespace ns3

#endif // DDL_GPU_H
