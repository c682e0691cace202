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
 * Interface of the software on a machine that the parts of runs there call. Software that does
 * nothing with a report does not override its function.
 */
class RunHost
{
  public:
    virtual ~RunHost() = default;

    /** Report an event to observers. */
    virtual void Observe(const RankEvent& event) = 0;
    /** The run has opened a stream that begins here: report it to observers. */
    virtual void ObserveStream(const RunSpec& run, Ptr<SendingStream> stream) = 0;
    /** The run has accepted a stream that ends here: report it to observers. */
    virtual void ObserveStream(const RunSpec& run, Ptr<ReceivingStream> stream) = 0;
    /** \return mark of what is sent for the run to another machine */
    virtual Mark GetDataMark(const RunSpec& run, HostId peer) const = 0;
    /** \return mark of acknowledgements to another machine */
    virtual Mark GetAckMark(const RunSpec& run, HostId peer) const = 0;

    // For the leader of the run; iterations from 1, over all stages.
    /** In a run that reports iterations: the first worker here has something to send, or, if the
     * run is gated, the ranks here have been admitted. */
    virtual void HandleSending(const RunSpec& /* run */, uint64_t /* iteration */)
    {
    }

    /** All workers here have something to send, in a gated run. */
    virtual void HandleReady(const RunSpec& /* run */, uint64_t /* iteration */)
    {
    }

    /** All workers here have finished that iteration. Called if the run is gated or reports
     * iterations, if a checkpoint is due after it, or if it is the last one granted so far. */
    virtual void HandleFinished(const RunSpec& /* run */, uint64_t /* iteration */)
    {
    }

    /** Here, on the leader, the state after so many iterations has been saved. */
    virtual void HandleSaved(const RunSpec& /* run */, uint64_t /* iterations */)
    {
    }

    /** The state that the run needs here has been loaded; see RunPart::IsLoading. */
    virtual void HandleLoaded(const RunSpec& /* run */)
    {
    }

    // For jobs of tasks. Rounds are numbered from 0, GPUs as on this machine.
    /** A task here asks the gate for leave to move its parameters, or its gradients;
     * RunPart::AdmitTask is the answer. */
    virtual void HandleAsk(const RunSpec& /* run */, uint64_t /* round */, uint32_t /* gpu */)
    {
    }

    /** The parameters of a task that had such leave have arrived. */
    virtual void HandlePulled(const RunSpec& /* run */, uint64_t /* round */, uint32_t /* gpu */)
    {
    }

    /** A task here asks the server of its job for the parameters of a round;
     * RunPart::SendParameters at the leader is the answer. */
    virtual void HandlePull(const RunSpec& /* run */, uint64_t /* round */, uint32_t /* gpu */)
    {
    }

    /** The gradients of a task here have arrived: its GPU is free. */
    virtual void HandleTaskEnded(const RunSpec& /* run */, uint64_t /* round */, uint32_t /* gpu */)
    {
    }

    /** The server of the run, here, has all gradients of the round before this one. \param rounds
     * that are done, over all stages */
    virtual void HandleRoundEnded(const RunSpec& /* run */, uint64_t /* rounds */)
    {
    }
};

/** What the software of a machine gives to the part of a run there. All outlive the part, apart
 * from the random draws, which are read when it is made. */
struct RunSite
{
    Ptr<Machine> machine;
    Ptr<StreamHost> streams; //!< those of the machine
    RunHost& software;       //!< it hears of progress
    TaskExecutor& executor;  //!< the GPUs, for tasks that get them one by one
    Mark initial;            //!< of streams that are opened at the launch, until another is set
    Mark checkpoints;        //!< of streams from and to the storage
    const std::map<uint32_t, TaskTimes>& noise; //!< random draws of ranks that ran before, by rank
};

/**
 * Interface of the part of a job's run that is on one machine, for the software there: what control
 * messages ask of it. The kind of the job makes it (TrainingJob::MakePart), as LocalRun for ranks
 * that run together and TaskRun for tasks that run one by one.
 *
 * It runs from its constructor to Stop or Fail, which a kind's destructor calls, too.
 */
class RunPart
{
  public:
    /** Only within a running simulation. \param run that has something to do on this machine */
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

    /** \param iterations of this stage that are left, at least 1; the stage before is over */
    virtual void StartStage(uint32_t stage, uint64_t iterations) = 0;

    /** \return whether RunHost::HandleLoaded will be called before a stage may start */
    virtual bool IsLoading() const
    {
        return false;
    }

    /** \return how it leaps over iterations that repeat; null: it cannot */
    virtual LeapingRun* FindLeap()
    {
        return nullptr;
    }

    // Of kinds whose jobs may be suspended or saved; others refuse that before the run.
    /**
     * It begins no more iterations; those that have begun go on.
     *
     * \return most iterations that any worker here has begun, over all stages; 0 without workers
     */
    virtual uint64_t Pause()
    {
        NS_ABORT_MSG("job " << GetId() << " cannot pause");
    }

    /** It runs all iterations before that one, and then no more. \param iteration from 0, over all
     * stages; at least what any worker of the run has begun */
    virtual void StopBefore(uint64_t iteration)
    {
        NS_ABORT_MSG("job " << GetId() << " cannot stop before iteration " << iteration);
    }

    /** On the leader: save the state after so many iterations, all that worker 0 has done;
     * RunHost::HandleSaved is the answer, perhaps within this call. */
    virtual void Save(uint64_t iterations)
    {
        NS_ABORT_MSG("job " << GetId() << " cannot save iteration " << iterations);
    }

    // For gated runs (RunSpec::isGated): by iteration, or by task (RunSpec::asksByTask).
    /** Its ranks may send in that iteration. \param iteration from 1, over all stages */
    virtual void Admit(uint64_t iteration)
    {
        NS_ABORT_MSG("job " << GetId() << " asked nobody for iteration " << iteration);
    }

    /** A task of that round, from 0, on that GPU may move the bytes that it waits to move. */
    virtual void AdmitTask(uint64_t round, uint32_t gpu)
    {
        NS_ABORT_MSG("job " << GetId() << " has no task " << round << " on GPU " << gpu);
    }

    // Of kinds that use rounds (TrainingJob::UsesRounds).
    /** Run a task of that round, from 0, on a GPU of this machine. */
    virtual void RunTask(uint64_t round, uint32_t gpu)
    {
        NS_ABORT_MSG("job " << GetId() << " has no task " << round << " for GPU " << gpu);
    }

    /** On the leader: a task of that round on that machine and GPU asks for its parameters. */
    virtual void SendParameters(HostId executor, uint64_t round, uint32_t gpu)
    {
        NS_ABORT_MSG("job " << GetId() << " has no parameters for task " << round << " on GPU "
                            << gpu << " of machine " << executor);
    }

    /** End it at once: data in transit are lost, and its GPUs are free afterwards. No effect the
     * second time. */
    void Stop();
    /** The same, because the machine fails. */
    void Fail();

    /** \return iterations that are finished here, over all stages; the greatest number if nothing
     *         here counts them */
    virtual uint64_t GetFinished() const = 0;

    /** \return iterations that may run so far, over all stages */
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

    /** Report an event of this run on this machine to observers. */
    void Observe(RankEvent::Kind kind, uint64_t iteration = 0, uint32_t stage = 0) const;
    /** Open a stream from here. */
    Ptr<SendingStream> Open(HostId peer, const StreamName& name, Mark mark, uint32_t flowLabel);
    /** Accept a stream that ends here; it is closed when this part of the run ends. */
    Ptr<ReceivingStream> Accept(HostId peer, const StreamName& name, Mark mark);

    std::shared_ptr<const RunSpec> m_run;
    Ptr<Machine> m_machine;
    Ptr<StreamHost> m_streams;
    RunHost& m_software;
    uint64_t m_granted;                    //!< iterations before that one
    std::map<uint32_t, TaskTimes> m_noise; //!< of workers here that may go on elsewhere, by rank

  private:
    /** Free its GPUs, and close the streams that begin here. */
    virtual void DoStop() = 0;
    void End(RankEvent::Kind how);

    std::vector<Ptr<SendingStream>> m_outbound;   //!< that begin here and end elsewhere
    std::vector<Ptr<ReceivingStream>> m_inbound;  //!< that end here and begin elsewhere
    std::vector<Ptr<ReceivingStream>> m_accepted; //!< all that end here
    bool m_isStopped{false};
};

} // namespace ns3::ddl

#endif // DDL_RUN_PART_H
