// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TASK_EXECUTOR_H
#define DDL_TASK_EXECUTOR_H

#include "ddl-run-spec.h"

#include "ns3/ddl-machine.h"

#include <optional>
#include <vector>

namespace ns3::ddl
{

/**
 * The GPUs of one machine as slots for tasks (the executor of Hare, §III): each runs one task at a
 * time, and takes the switching time of the model before it when its last task was of another job,
 * or when it has had none.
 */
class TaskExecutor
{
  public:
    explicit TaskExecutor(Ptr<Machine> machine);

    HostId GetHost() const
    {
        return m_machine->GetHost();
    }

    /**
     * Run a task.
     *
     * \param run of its job
     * \param gpu index of a GPU here that has no task
     * \param round from 0
     * \param compute time that it takes on this GPU, switching not included
     * \param done called at its end; the GPU is free then
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
        std::optional<JobId> last; //!< whose task it had last
        bool isRunning{false};     //!< it has it still
        Callback<void> done;       //!< of that task
    };

    static void Finish(TaskExecutor* executor, uint32_t gpu);

    Ptr<Machine> m_machine;
    std::vector<Slot> m_slots; //!< by GPU
};

} // namespace ns3::ddl

#endif // DDL_TASK_EXECUTOR_H
