// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TASK_RUN_H
#define DDL_TASK_RUN_H

#include "ddl-rank-event.h"
#include "ddl-run-part.h"
#include "ddl-task-executor.h"

#include "ns3/ddl-stream-host.h"

#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** Interface of the software on a machine that the jobs of tasks there call. */
class TaskHost
{
  public:
    virtual ~TaskHost() = default;

    /** Report an event to observers. */
    virtual void Observe(const RankEvent& event) = 0;
    /** The run has opened a stream that begins here. */
    virtual void ObserveStream(const RunSpec& run, Ptr<SendingStream> stream) = 0;
    /** The run has accepted a stream that ends here. */
    virtual void ObserveStream(const RunSpec& run, Ptr<ReceivingStream> stream) = 0;
    /** \return mark of what is sent for the run to another machine */
    virtual Mark GetDataMark(const RunSpec& run, HostId peer) const = 0;
    /** \return mark of acknowledgements to another machine */
    virtual Mark GetAckMark(const RunSpec& run, HostId peer) const = 0;

    /** A task here asks the gate for leave to move its parameters, or its gradients;
     * TaskRun::AdmitTask is the answer. */
    virtual void HandleAsk(const RunSpec& run, uint64_t round, uint32_t gpu) = 0;
    /** The parameters of a task that had such leave have arrived. */
    virtual void HandlePulled(const RunSpec& run, uint64_t round, uint32_t gpu) = 0;
    /** A task here asks the server of its job for the parameters of a round, from 0. */
    virtual void HandlePull(const RunSpec& run, uint64_t round, uint32_t gpu) = 0;
    /** The gradients of a task here have arrived: its GPU is free. */
    virtual void HandleTaskEnded(const RunSpec& run, uint64_t round, uint32_t gpu) = 0;
    /** The server of the run, here, has all gradients of the round before this one. \param rounds
     * that are done, over all stages */
    virtual void HandleRoundEnded(const RunSpec& run, uint64_t rounds) = 0;
};

/**
 * The part of a job of tasks that is on one machine: its tasks on the GPUs there, the job's
 * parameter server if that is there, and the ends of the streams between the two.
 *
 * A task asks the server for the parameters of its round, receives them, computes, and sends its
 * gradients to the server. When the gradients have been acknowledged, the task has ended and its
 * GPU is free (a task takes T^c + T^s, Hare §IV-A). When the server has the gradients of all tasks,
 * the round is over. Each task moves the model twice, whatever GPU runs it; if the server is on the
 * same machine, inside the machine. Streams are opened at the first task of the job on a machine,
 * and stay open. If the run is gated, a task waits for leave before it asks for its parameters, and
 * again before it sends its gradients, unless the server is on this machine.
 *
 * Adding up gradients takes the server no time. A round scheduler decides which tasks run where.
 */
class TaskRun : public RunPart
{
  public:
    /**
     * \param run of a job of tasks
     * \param executor of this machine; outlives the run
     * \param streams of this machine
     * \param software of this machine; outlives the run
     */
    TaskRun(std::shared_ptr<const RunSpec> run,
            TaskExecutor& executor,
            Ptr<StreamHost> streams,
            TaskHost& software);
    ~TaskRun() override;

    void RunTask(uint64_t round, uint32_t gpu) override;
    void AdmitTask(uint64_t round, uint32_t gpu) override;
    void SendParameters(HostId executor, uint64_t round, uint32_t gpu) override;

    void StartStage(uint32_t stage, uint64_t iterations) override;

    bool IsLoading() const override
    {
        return false;
    }

    void Stop() override;
    void Fail() override;
    uint64_t GetFinished() const override;

  private:
    bool IsServer() const;
    void OpenToServer();
    void OpenToExecutor(HostId executor);
    Ptr<SendingStream> Open(HostId peer, uint32_t source, uint32_t destination);
    Ptr<ReceivingStream> Accept(HostId peer, uint32_t source, uint32_t destination);
    void Execute(uint64_t round, uint32_t gpu);
    static void NotifyComputed(TaskRun* run, uint32_t gpu);
    bool Asks() const;
    void Ask(uint64_t round, uint32_t gpu);
    void Push(uint64_t round, uint32_t gpu);
    void NotifyPushed();
    void NoteGradient(uint64_t round);
    void Observe(RankEvent::Kind kind, uint64_t round = 0, uint32_t stage = 0) const;
    void End(RankEvent::Kind how);

    TaskExecutor& m_executor;
    Ptr<StreamHost> m_streams;
    TaskHost& m_software;
    HostId m_host;
    TaskTimes m_times;                     //!< of the tasks here
    Ptr<SendingStream> m_toServer;         //!< gradients; null before the first task here
    std::map<uint32_t, uint64_t> m_rounds; //!< by GPU with a task of the run that has not computed:
                                           //!< its round
    std::deque<std::pair<uint64_t, uint32_t>> m_pushed; //!< round and GPU of tasks whose gradients
                                                        //!< are under way, in order
    std::map<HostId, Ptr<SendingStream>> m_toExecutors; //!< of the server: parameters
    std::vector<Ptr<ReceivingStream>> m_received;       //!< all that end here
    uint64_t m_done;                                    //!< of the server: rounds
    uint32_t m_gradients{0};                            //!< of the server: of the present round
    bool m_isStopped{false};
};

} // namespace ns3::ddl

#endif // DDL_TASK_RUN_H
