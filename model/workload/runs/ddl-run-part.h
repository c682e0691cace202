// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_PART_H
#define DDL_RUN_PART_H

#include "ddl-run-spec.h"
#include "ddl-task-times.h"

#include "ns3/abort.h"
#include "ns3/ddl-machine.h"
#include "ns3/ddl-stream-host.h"

#include <map>
#include <memory>
#include <vector>

namespace ns3::ddl
{

class LeapingRun;
class TaskExecutor;

/**
 * Interface of the software on a machine, which the parts of runs there call. Software that ignores
 * a report need not override its function.
 */
class RunHost
{
  public:
    virtual ~RunHost() = default;

    /** Report an event to observers. */
    virtual void Observe(const RankEvent& event) = 0;

    /** Report a node of a task graph to observers. */
    virtual void ObserveNode(const NodeEvent& /* event */)
    {
    }

    /** The run has opened a stream that begins here: report it to observers. */
    virtual void ObserveStream(const RunSpec& run, Ptr<SendingStream> stream) = 0;
    /** The run has accepted a stream that ends here: report it to observers. */
    virtual void ObserveStream(const RunSpec& run, Ptr<ReceivingStream> stream) = 0;
    /** \return mark of what is sent for the run to another machine */
    virtual Mark GetDataMark(const RunSpec& run, HostId peer) const = 0;
    /** \return mark of acknowledgements to another machine */
    virtual Mark GetAckMark(const RunSpec& run, HostId peer) const = 0;

    // Reports for the leader of the run. Iterations are numbered from 1, over all stages.
    /** In a run that reports iterations: the first worker here has something to send or, if the run
     * is gated, the ranks here have been admitted. */
    virtual void HandleSending(const RunSpec& /* run */, uint64_t /* iteration */)
    {
    }

    /** In a gated run: all workers here have something to send. */
    virtual void HandleReady(const RunSpec& /* run */, uint64_t /* iteration */)
    {
    }

    /** All workers here have finished an iteration. Called if the run is gated or reports
     * iterations, if a checkpoint is due after it, or if it is the last one granted so far. */
    virtual void HandleFinished(const RunSpec& /* run */, uint64_t /* iteration */)
    {
    }

    /** The leader, which is here, has saved the state after so many iterations. */
    virtual void HandleSaved(const RunSpec& /* run */, uint64_t /* iterations */)
    {
    }

    /** The state that the run needs here has been loaded; see RunPart::IsLoading. */
    virtual void HandleLoaded(const RunSpec& /* run */)
    {
    }

    // Reports of jobs of tasks. Rounds are numbered from 0, GPUs as on this machine.
    /** A task here asks the gate for leave to move its parameters or its gradients. The answer is
     * RunPart::AdmitTask. */
    virtual void HandleAsk(const RunSpec& /* run */, uint64_t /* round */, uint32_t /* gpu */)
    {
    }

    /** The parameters of a task that had such leave have arrived. */
    virtual void HandlePulled(const RunSpec& /* run */, uint64_t /* round */, uint32_t /* gpu */)
    {
    }

    /** A task here asks the server of its job for the parameters of a round. The answer is
     * RunPart::SendParameters at the leader. */
    virtual void HandlePull(const RunSpec& /* run */, uint64_t /* round */, uint32_t /* gpu */)
    {
    }

    /** The gradients of a task here have arrived: its GPU is free. */
    virtual void HandleTaskEnded(const RunSpec& /* run */, uint64_t /* round */, uint32_t /* gpu */)
    {
    }

    /** The server of the run, which is here, has all gradients of a round.
     * \param rounds number of rounds that are done, over all stages */
    virtual void HandleRoundEnded(const RunSpec& /* run */, uint64_t /* rounds */)
    {
    }
};

/** What the software of a machine gives to the part of a run there. All but the random draws, which
 * are read when the part is made, outlive it. */
struct RunSite
{
    Ptr<Machine> machine;
    Ptr<StreamHost> streams; //!< the streams of the machine
    RunHost& software;       //!< receives the reports of the part
    TaskExecutor& executor;  //!< the GPUs, for tasks that get them one by one
    Mark initial;            //!< mark of streams opened at the launch, until another is set
    Mark checkpoints;        //!< mark of streams from and to the storage
    const std::map<uint32_t, TaskTimes>& noise; //!< random draws of ranks that ran before, by rank
};

/**
 * The part of a job's run that is on one machine. The software there calls it when a control
 * message says so. The kind of the job makes it (TrainingJob::MakePart): a LocalRun for ranks that
 * run together, a TaskRun for tasks that run one by one.
 *
 * It runs from its constructor to Stop or Fail. The destructor of a derived class calls Stop.
 */
class RunPart
{
  public:
    /**
     * Only within a running simulation.
     *
     * \param run a run that has something to do on this machine
     * \param site this machine
     */
    RunPart(std::shared_ptr<const RunSpec> run, const RunSite& site);
    virtual ~RunPart() = default;
    RunPart(const RunPart&) = delete;
    RunPart& operator=(const RunPart&) = delete;

    const RunSpec& GetRun() const
    {
        return *m_run;
    }

    JobId GetId() const
    {
        return m_run->GetId();
    }

    /** Start a stage, when the stage before is over. \param iterations number of its iterations
     * that are left, at least 1 */
    virtual void StartStage(uint32_t stage, uint64_t iterations) = 0;

    /** \return whether RunHost::HandleLoaded will be called before a stage may start */
    virtual bool IsLoading() const
    {
        return false;
    }

    /** \return the object that leaps over iterations that repeat; null: it cannot leap */
    virtual LeapingRun* FindLeap()
    {
        return nullptr;
    }

    // For kinds whose jobs may be suspended or saved; others refuse that before the run.
    /**
     * Begin no more iterations; those that have begun go on.
     *
     * \return the largest number of iterations, over all stages, that a worker here has begun; 0
     *         without workers
     */
    virtual uint64_t Pause()
    {
        NS_ABORT_MSG("job " << GetId() << " cannot pause");
    }

    /** Run all iterations before this one, and then no more. \param iteration its number, from 0
     * over all stages; no worker of the run has begun it */
    virtual void StopBefore(uint64_t iteration)
    {
        NS_ABORT_MSG("job " << GetId() << " cannot stop before iteration " << iteration);
    }

    /** On the leader: save the state after so many iterations, which are those that worker 0 has
     * done. The answer is RunHost::HandleSaved, perhaps within this call. */
    virtual void Save(uint64_t iterations)
    {
        NS_ABORT_MSG("job " << GetId() << " cannot save iteration " << iterations);
    }

    // For gated runs (RunSpec::isGated): by iteration, or by task (RunSpec::asksByTask).
    /** Its ranks may send in this iteration. \param iteration its number, from 1 over all stages */
    virtual void Admit(uint64_t iteration)
    {
        NS_ABORT_MSG("job " << GetId() << " asked nobody for iteration " << iteration);
    }

    /** A task may move the bytes for which it asked. \param round its round, from 0 */
    virtual void AdmitTask(uint64_t round, uint32_t gpu)
    {
        NS_ABORT_MSG("job " << GetId() << " has no task " << round << " on GPU " << gpu);
    }

    // For kinds that use rounds (TrainingJob::UsesRounds).
    /** Run a task of a round, from 0, on a GPU of this machine. */
    virtual void RunTask(uint64_t round, uint32_t gpu)
    {
        NS_ABORT_MSG("job " << GetId() << " has no task " << round << " for GPU " << gpu);
    }

    /** On the leader: send the parameters of a round to a task, which has asked for them. */
    virtual void SendParameters(HostId executor, uint64_t round, uint32_t gpu)
    {
        NS_ABORT_MSG("job " << GetId() << " has no parameters for task " << round << " on GPU "
                            << gpu << " of machine " << executor);
    }

    /** End it at once: data in transit are lost, and its GPUs are free afterwards. No effect the
     * second time. */
    void Stop();
    /** End it at once, because the machine fails. */
    void Fail();

    /** \return number of iterations that are finished here, over all stages; the greatest number if
     *         nothing here counts them */
    virtual uint64_t GetFinished() const = 0;

    /** \return number of iterations that may run so far, over all stages */
    uint64_t GetGranted() const
    {
        return m_granted;
    }

    /** \return streams that begin here and end elsewhere */
    const std::vector<Ptr<SendingStream>>& GetSending() const
    {
        return m_outbound;
    }

    /** \return streams that end here and begin elsewhere */
    const std::vector<Ptr<ReceivingStream>>& GetReceiving() const
    {
        return m_inbound;
    }

    /** \return state of the random draws of workers here that may go on elsewhere, by rank */
    const std::map<uint32_t, TaskTimes>& GetNoise() const
    {
        return m_noise;
    }

  protected:
    HostId GetHost() const
    {
        return m_machine->GetHost();
    }

    /** Report an event on this machine to observers. */
    void Observe(RankEvent::Kind kind,
                 uint64_t iteration = 0,
                 uint32_t stage = 0,
                 uint32_t rank = 0) const;
    /** Open a stream from here. */
    Ptr<SendingStream> Open(HostId peer, const StreamName& name, Mark mark, uint32_t flowLabel);
    /** Accept a stream that ends here; it is closed when this part of the run ends. */
    Ptr<ReceivingStream> Accept(HostId peer, const StreamName& name, Mark mark);

    std::shared_ptr<const RunSpec> m_run;
    Ptr<Machine> m_machine;
    Ptr<StreamHost> m_streams;
    RunHost& m_software;
    uint64_t m_granted;                    //!< number of iterations that may run so far
    std::map<uint32_t, TaskTimes> m_noise; //!< draws of workers that may go on elsewhere, by rank

  private:
    /** Free its GPUs, and close the streams that begin here. */
    virtual void DoStop() = 0;
    void End(RankEvent::Kind how);

    std::vector<Ptr<SendingStream>> m_outbound;   //!< streams that begin here and end elsewhere
    std::vector<Ptr<ReceivingStream>> m_inbound;  //!< streams that end here and begin elsewhere
    std::vector<Ptr<ReceivingStream>> m_accepted; //!< all streams that end here
    bool m_isStopped{false};
};

} // namespace ns3::ddl

#endif // DDL_RUN_PART_H
