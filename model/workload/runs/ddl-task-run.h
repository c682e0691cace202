// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TASK_RUN_H
#define DDL_TASK_RUN_H

#include "ddl-run-part.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
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

    /** A task begins and holds the GPU. The task before has ended, even if this machine has not
     * heard of it. */
    void Take(JobId job, uint32_t gpu, uint64_t round);

    /** A task has ended. No effect unless it still holds the GPU. */
    void Free(JobId job, uint32_t gpu, uint64_t round);

    /**
     * Run a task that holds the GPU.
     *
     * \param run the run of its job
     * \param gpu index of a GPU here that runs no task
     * \param round its round, from 0
     * \param compute time that it takes on this GPU, switching not included
     * \param done function that is called when it has computed
     */
    void Run(const RunSpec& run,
             uint32_t gpu,
             uint64_t round,
             Time compute,
             std::function<void()> done);

    /** End the tasks of a job at once, without calling `done`. */
    void Cancel(JobId job);

  private:
    /** What is known of a GPU. */
    struct Slot
    {
        std::optional<JobId> last;                        //!< job of the task that it ran last
        std::function<void()> done;                       //!< empty unless that task still runs
        std::optional<std::pair<JobId, uint64_t>> holder; //!< job and round of the task that has it
    };

    static void Finish(TaskExecutor* executor, uint32_t gpu);
    void Release(uint32_t gpu);

    Ptr<Machine> m_machine;
    std::vector<Slot> m_slots; //!< slots by GPU
};

/**
 * The part of a job of tasks that is on one machine: its tasks on the GPUs there, the job's
 * parameter server if that is there, and the ends of the streams between the two.
 *
 * A task asks the server for the parameters of its round, receives them, computes, and sends its
 * gradients to the server. When the gradients have been acknowledged, the task has ended and its
 * GPU is free (a task takes T^c + T^s, Hare §IV-A). When the server has the gradients of all tasks,
 * the round is over. Each task moves the model twice, inside the machine if the server is there.
 * Streams are opened at the first task of the job on a machine, and stay open. If the run is gated,
 * a task waits for leave before it asks for its parameters, and again before it sends its
 * gradients, unless the server is on this machine.
 *
 * Adding up gradients takes the server no time. A round scheduler decides which tasks run where.
 */
class TaskRun : public RunPart
{
  public:
    /** \param run a run of a job of tasks \param site this machine */
    TaskRun(std::shared_ptr<const RunSpec> run, const RunSite& site);
    ~TaskRun() override;

    void RunTask(uint64_t round, uint32_t gpu) override;
    void AdmitTask(uint64_t round, uint32_t gpu) override;
    void SendParameters(HostId executor, uint64_t round, uint32_t gpu) override;

    void StartStage(uint32_t stage, uint64_t iterations) override;

    uint64_t GetFinished() const override;

  private:
    bool IsServer() const
    {
        return m_run->GetLeader() == GetHost();
    }

    /** \return whether transfers between this machine and the server wait for a gate */
    bool Asks() const
    {
        return m_run->isGated && !IsServer();
    }

    void OpenToServer();
    void OpenToExecutor(HostId executor);
    Ptr<SendingStream> OpenTo(HostId peer, uint32_t source, uint32_t destination);
    Ptr<ReceivingStream> AcceptFrom(HostId peer, uint32_t source, uint32_t destination);
    void Execute(uint64_t round, uint32_t gpu);
    void NotifyComputed(uint32_t gpu);
    void Ask(uint64_t round, uint32_t gpu);
    void Push(uint64_t round, uint32_t gpu);
    void NotifyPushed();
    void NoteGradient(uint64_t round);
    void DoStop() override;

    TaskExecutor& m_executor;
    TaskTimes m_times;             //!< compute times of the tasks here
    Ptr<SendingStream> m_toServer; //!< the stream of gradients; null before the first task here
    std::map<uint32_t, uint64_t> m_rounds; //!< rounds of tasks that have not computed, by GPU
    /** Round and GPU of tasks whose gradients are under way, in order. */
    std::deque<std::pair<uint64_t, uint32_t>> m_pushed;
    // At the server:
    std::map<HostId, Ptr<SendingStream>> m_toExecutors; //!< streams of parameters
    uint64_t m_done;                                    //!< number of rounds that are done
    uint32_t m_gradients{0}; //!< number of gradients of the present round that have arrived
};

} // namespace ns3::ddl

#endif // DDL_TASK_RUN_H
