// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_PART_H
#define DDL_RUN_PART_H

#include "ddl-run-spec.h"
#include "ddl-task-times.h"

#include "ns3/abort.h"
#include "ns3/ddl-receiving-stream.h"
#include "ns3/ddl-sending-stream.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::ddl
{

class LeapingRun;

/**
 * Interface of the part of a job's run that is on one machine, for the software there: what control
 * messages ask of it. The kind of the job makes it (TrainingJob::MakePart), as LocalRun for ranks
 * that run together and TaskRun for tasks that run one by one.
 */
class RunPart
{
  public:
    /** \param run that has something to do on this machine */
    explicit RunPart(std::shared_ptr<const RunSpec> run)
        : m_run(std::move(run)),
          m_granted(m_run->first)
    {
    }

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

    /** \return whether it is still loading, before a stage may start; it reports when it is done */
    virtual bool IsLoading() const = 0;

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

    /** End it at once; its GPUs are free afterwards. No effect the second time. */
    virtual void Stop() = 0;
    /** The same, because the machine fails. */
    virtual void Fail() = 0;

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
    std::shared_ptr<const RunSpec> m_run;
    uint64_t m_granted;                          //!< iterations before that one
    std::vector<Ptr<SendingStream>> m_outbound;  //!< that begin here and end elsewhere
    std::vector<Ptr<ReceivingStream>> m_inbound; //!< that end here and begin elsewhere
    std::map<uint32_t, TaskTimes> m_noise; //!< of workers here that may go on elsewhere, by rank
};

} // namespace ns3::ddl

#endif // DDL_RUN_PART_H
