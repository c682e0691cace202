// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TASK_EXECUTOR_H
#define DDL_TASK_EXECUTOR_H

#include "ddl-run-spec.h"

#include "ns3/ddl-machine.h"

#include <optional>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/**
 * The GPUs of one machine as slots for tasks (the executor of Hare, §III). Each runs one task at a
 * time. Before a task it takes the switching time of the model, if its last task was of another job
 * or if it has had none. A task holds its GPU also while its parameters and gradients are moved.
 */
class TaskExecutor
{
  public:
    explicit TaskExecutor(Ptr<Machine> machine);

    HostId GetHost() const
    {
        return m_machine->GetHost();
    }

    /** A task of that round begins, and holds the GPU. The one before has ended, though this
     * machine may not have heard so. */
    void Take(JobId job, uint32_t gpu, uint64_t round);

    /** The task has ended. No effect unless it still holds the GPU. */
    void Free(JobId job, uint32_t gpu, uint64_t round);

    /**
     * Run a task that holds the GPU.
     *
     * \param run of its job
     * \param gpu index of a GPU here that runs no task
     * \param round from 0
     * \param compute time that it takes on this GPU, switching not included
     * \param done called when it has computed
     */
    void Run(const RunSpec& run, uint32_t gpu, uint64_t round, Time compute, Callback<void> done);

    /** End the tasks of the job at once, without their callbacks. */
    void Cancel(JobId job);

    /** \return time of both passes on a GPU here, without noise */
    Time GetComputeTime(const ModelProfile& model) const;

  private:
    /** A GPU. */
    struct Slot
    {
        std::optional<JobId> last;                        //!< job of the task that it ran last
        bool isRunning{false};                            //!< it still runs that task
        Callback<void> done;                              //!< of that task
        std::optional<std::pair<JobId, uint64_t>> holder; //!< job and round of the task that has it
    };

    static void Finish(TaskExecutor* executor, uint32_t gpu);
    void Release(uint32_t gpu);

    Ptr<Machine> m_machine;
    std::vector<Slot> m_slots; //!< by GPU
};

} // namespace ns3::ddl

#endif // DDL_TASK_EXECUTOR_H
