// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_H
#define DDL_JOB_H

#include "ddl-iteration-log.h"
#include "ddl-job-run.h"
#include "ddl-job-service.h"
#include "ddl-task-times.h"

#include "ns3/ddl-bucket-plan.h"
#include "ns3/ddl-cluster.h"
#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-transport.h"
#include "ns3/traced-callback.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::ddl
{

class Job;
class WorkerRank;

/** The software on a machine of a job, which the job's ranks there tell what happens. */
class JobListener
{
  public:
    virtual ~JobListener() = default;

    // To the leader's machine; iterations from 1 over all stages.
    virtual void HandleStageEnd(const Job& job, uint32_t stage) = 0;
    virtual void HandleCoflowStart(const Job& job, uint64_t iteration) = 0;
    /** The job is gated: it waits for Admit. */
    virtual void HandleReady(const Job& job, uint64_t iteration) = 0;
    virtual void HandleIterationEnd(const Job& job, uint64_t iteration) = 0;
    /** The last worker has finished what StopBefore allowed. */
    virtual void HandleDrained(const Job& job) = 0;

    /** To each machine: the run is over. */
    virtual void HandleStopped(const Job& job) = 0;
};

/**
 * A job from its first launch on: what it has done in all its runs, and the present run. Between
 * two runs it is suspended: it keeps its progress, and holds no GPU, stream or rank.
 *
 * An iteration of a worker is: forward pass, backward pass, its part of the plan; the next one
 * follows at once, as far as iterations have been granted. With buckets, each part of the plan
 * begins when its part of the backward pass is over.
 *
 * A run: placed -> launched (streams open, nothing moves) -> running a stage -> between stages ->
 * ... -> stopped. Each machine of the job receives its own message to start a stage, to pause and
 * to stop, and starts, pauses and stops its own ranks only. Iterations are numbered over all runs.
 */
class Job : public Object
{
  public:
    static TypeId GetTypeId();

    /** \param placement, machines of its first run: see Place */
    Job(const JobSpec& spec,
        CojobId cojob,
        const Placement& placement,
        const std::vector<uint32_t>& machines = {});
    ~Job() override;

    /**
     * Where the next run will be. The run before, if there was one, has stopped.
     *
     * \param placement of its ranks
     * \param machines number of the server (chassis) of each worker, by rank; empty: each host is
     *        one
     */
    void Place(const Placement& placement, const std::vector<uint32_t>& machines = {});

    /** \param listener on a machine of the run, which outlives the run. Before the run begins */
    void SetListener(HostId host, JobListener& listener);

    /** Begin the run: JobRun::Open. Once a run, from inside a running simulation. */
    void Launch(Ptr<Cluster> cluster, Ptr<Transport> transport, Mark initial);

    /** \param iterations that its group has planned, of all stages. Before Launch */
    void SetIterations(uint64_t iterations);

    /** \param isGated hold back what each iteration sends until Admit. For the next run, before its
     * Launch */
    void SetGated(bool isGated = true);

    bool IsGated() const
    {
        return m_isGated;
    }

    /** The ranks on one machine, unless stopped, may send in the iteration that "Ready" has named.
     */
    void Admit(HostId host, uint64_t iteration);

    /** \return from "Ready" until the leader's machine is admitted */
    bool IsHeld() const
    {
        return m_isHeld && IsRunning();
    }

    /** \return sum of these times */
    Time GetGateWait() const
    {
        return m_gateWait;
    }

    uint64_t GetIterationBytesLeft() const; //!< not delivered, of the slowest worker's iteration

    /**
     * Let the ranks on one machine run a stage, or what runs before this one have left of it.
     *
     * \param host machine of the run, not stopped
     * \param stage from 1; the first machine told of a stage begins it for the job, so all workers
     *        must have finished the one before
     * \param iterations of this stage that are left, at least 1, the same for every machine
     */
    void StartStage(HostId host, uint32_t stage, uint64_t iterations);

    /**
     * The workers on one machine begin no more iterations; what they have begun goes on.
     *
     * \return iterations that the foremost of them has begun, over all stages; 0 when none is there
     */
    uint64_t Pause(HostId host);

    /**
     * The workers on one machine run all iterations before that one, and then no more. When the
     * leader's machine has been told, and the last worker has finished them, "Drained" follows.
     *
     * \param host machine of the run, which has been paused; unless stopped
     * \param iteration from 0, over all stages; at least what any worker has begun
     */
    void StopBefore(HostId host, uint64_t iteration);

    /**
     * Stop the ranks on one machine at once, in whatever they are doing. When all machines of the
     * run have been told, the run is over: the streams close, what is under way in them is lost,
     * iterations that are not over are lost, and the GPUs are free. No effect the second time.
     */
    void Stop(HostId host);

    /** Between two runs: iterations from that one on, from 0 over all stages, are to be done again.
     * It is not behind what is done, and not in a stage before the current one. */
    void GoBackTo(uint64_t iteration);

    JobId GetId() const
    {
        return m_spec.id;
    }

    CojobId GetCojob() const
    {
        return m_cojob;
    }

    const JobSpec& GetSpec() const
    {
        return m_spec;
    }

    /** \return the present run, or the last one */
    const JobRun& GetRun() const
    {
        return *m_run;
    }

    /** \return number of that run, from 1 */
    uint32_t GetRunNumber() const
    {
        return m_runs;
    }

    /** \return true from Launch until the last machine has stopped */
    bool IsRunning() const
    {
        return m_run->IsOpen();
    }

    /** \return how the gradients are cut, and when each part is sent */
    const BucketPlan& GetBucketPlan() const
    {
        return m_buckets;
    }

    // Of the present run, or of the last one: see JobRun.
    const Placement& GetPlacement() const
    {
        return m_run->GetPlacement();
    }

    const std::vector<HostId>& GetHosts() const
    {
        return m_run->GetHosts();
    }

    HostId GetLeader() const
    {
        return m_run->GetLeader();
    }

    const std::vector<HostBytes>& GetHostBytes() const
    {
        return m_run->GetHostBytes();
    }

    const std::vector<Ptr<MessageStream>>& GetStreams() const
    {
        return m_run->GetStreams();
    }

    /** \return current or last one, from 1; 0 before the first */
    uint32_t GetStage() const
    {
        return m_stage;
    }

    /** \return over all stages, finished by all workers */
    uint64_t GetIterationsDone() const
    {
        return m_log.GetDone();
    }

    /** \return of the current stage */
    uint64_t GetStageIterationsDone() const
    {
        return m_log.GetDone() - m_doneBefore;
    }

    /** \return sum over iterations of computeEnd - start */
    Time GetComputeTime() const
    {
        return m_log.GetComputeTime();
    }

    /** \return sum over iterations of end - computeEnd */
    Time GetCommunicationTime() const
    {
        return m_log.GetCommunicationTime();
    }

    /** \return for which it has held its GPUs, in all runs */
    Time GetOccupiedTime() const;
    uint64_t GetBytes() const;          //!< given to streams so far, in all runs
    uint64_t GetDeliveredBytes() const; //!< of these, that have arrived

    /** \return that one iteration gives to streams */
    uint64_t GetIterationBytes() const
    {
        return m_run->GetPlan().bytes;
    }

    /** \return what an iteration costs where the job runs, or ran last */
    IterationCost GetIterationCost() const
    {
        return {m_run->GetTaskTime(), m_run->GetCommunicationTime(), m_spec.workers};
    }

    /**
     * \param done iterations, of all stages
     * \return remaining service L_J of a launched job, over the iterations that are planned, or
     *         that its ranks were told of if those are more
     */
    Time GetRemainingService(uint64_t done) const;
    bool IsOnePhase() const; //!< no transfer of an iteration waits for another one

    using StageCallback = void (*)(Ptr<const Job>, uint32_t);
    using CoflowCallback = void (*)(Ptr<const Job>, uint64_t);
    using IterationCallback = void (*)(const IterationRecord&);
    using JobCallback = void (*)(Ptr<const Job>);

  protected:
    void DoDispose() override;

  private:
    friend class WorkerRank;

    /** A worker reports; iterations over all stages, from 0. */
    void WorkerBegan(uint64_t iteration);
    void WorkerReady(uint64_t iteration);    //!< it has something to send
    void WorkerComputed(uint64_t iteration); //!< both passes
    void WorkerFinished(uint64_t iteration);

    void BeginStage(uint32_t stage, uint64_t iterations);
    void Hold(uint64_t iteration);
    void CheckDrained();
    void BeginCoflow(uint64_t iteration);
    template <typename Told>
    void TellLeader(const Told& tell);

    JobSpec m_spec;
    CojobId m_cojob;
    BucketPlan m_buckets;
    uint64_t m_iterations{0}; //!< planned, of all stages

    std::unique_ptr<JobRun> m_run; //!< present or last one
    uint32_t m_runs{0};
    std::vector<TaskTimes> m_times; //!< noise of each worker
    uint64_t m_bytesBefore{0};      //!< of the runs before this one
    uint64_t m_deliveredBefore{0};  //!< likewise
    Time m_occupied;                //!< in the runs that are over
    std::optional<uint64_t> m_end;  //!< StopBefore's iteration, when the leader has been told
    std::map<HostId, JobListener*> m_listeners; //!< of the present run

    IterationLog m_log;
    uint32_t m_stage{0};
    uint64_t m_doneBefore{0}; //!< iterations of the stages before the current one
    uint64_t m_doneAfter{0};  //!< and with it
    bool m_isGated{false};    //!< needs leave to communicate
    uint64_t m_asked{0};      //!< newest iteration, from 1, that asked for it
    bool m_isHeld{false};     //!< the leader's machine waits for it
    bool m_isAdmitted{false}; //!< some machine has got it
    Time m_heldSince;         //!< when it asked
    Time m_gateWait;          //!< sum of the leader's waiting times

    TracedCallback<Ptr<const Job>> m_launched;             //!< "Launched": streams are open
    TracedCallback<Ptr<const Job>, uint32_t> m_stageStart; //!< "StageStart": first rank begins
    TracedCallback<Ptr<const Job>, uint32_t> m_stageEnd;   //!< "StageEnd": last worker has finished
    TracedCallback<Ptr<const Job>, uint64_t> m_ready;      //!< "Ready": see GetTypeId
    TracedCallback<Ptr<const Job>, uint64_t> m_coflowStart; //!< "CoflowStart": see GetTypeId
    TracedCallback<const IterationRecord&> m_iterationEnd;  //!< "IterationEnd"
    TracedCallback<Ptr<const Job>> m_stopped;               //!< "Stopped": streams are closed
};

} // namespace ns3::ddl

#endif // DDL_JOB_H
