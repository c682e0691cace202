// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_H
#define DDL_JOB_H

#include "ddl-iteration-log.h"
#include "ddl-job-service.h"

#include "ns3/ddl-cluster.h"
#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-nic-bytes.h"
#include "ns3/ddl-transport.h"
#include "ns3/traced-callback.h"

#include <map>
#include <memory>
#include <vector>

namespace ns3::ddl
{

class RankApp;
class RankChannel;
class WorkerApp;

/**
 * A placed job: its ranks as ns-3 Applications on their machines, and the streams between them.
 *
 * Ranks 0 to W - 1 are workers, W to W + S - 1 servers. An iteration of a worker is: forward pass,
 * backward pass, its part of the plan; the next one follows at once until the stage's are done.
 * With buckets, each part of the plan begins when its part of the backward pass is over. There is
 * one stream from a rank to another, if the plan sends anything that way.
 *
 * States: launched (streams open, nothing moves) -> running a stage -> between stages -> ... ->
 * stopped. Each machine of the job receives its own message to start a stage, and starts its own
 * ranks only.
 */
class Job : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param spec what it does
     * \param cojob that it belongs to
     * \param placement of its ranks
     * \param machines number of the server (chassis) of each worker, by rank; empty: each host is
     * one
     */
    Job(const JobSpec& spec,
        CojobId cojob,
        const Placement& placement,
        const std::vector<uint32_t>& machines = {});
    ~Job() override;

    /** Claim the GPUs (those that the job holds already stay its own), count the servers at their
     * machines, install the ranks and open the streams, with the mark given until an agent says
     * otherwise. Once, from inside a running simulation. */
    void Launch(Ptr<Cluster> cluster, Ptr<Transport> transport, Mark initial);

    /** \param iterations that its group has planned, of all stages. Before Launch */
    void SetIterations(uint64_t iterations);

    /** Hold back what each iteration sends until Admit. Before Launch. */
    void SetGated();

    bool IsGated() const
    {
        return m_isGated;
    }

    /** The ranks on one machine, unless stopped, may send in the iteration that "Ready" has named.
     */
    void Admit(HostId host, uint32_t iteration);

    /** \return from "Ready" until the leader's machine is admitted */
    bool IsHeld() const
    {
        return m_isHeld && !m_isStopped;
    }

    /** \return sum of these times */
    Time GetGateWait() const
    {
        return m_gateWait;
    }

    uint64_t GetIterationBytesLeft() const; //!< not delivered, of the slowest worker's iteration

    /**
     * Let the ranks on one machine run a stage.
     *
     * \param host machine of the job, not stopped
     * \param stage from 1; the first machine told of a stage begins it for the job, so all workers
     *        must have finished the one before
     * \param iterations of this stage, at least 1, the same for every machine
     */
    void StartStage(HostId host, uint32_t stage, uint32_t iterations);

    /**
     * Stop the ranks on one machine at once, in whatever they are doing. When all machines have
     * been told, the streams close, what is under way in them is lost, and the GPUs are free. No
     * effect the second time.
     */
    void Stop(HostId host);

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

    const Placement& GetPlacement() const
    {
        return m_placement;
    }

    const BucketPlan& GetBucketPlan() const
    {
        return m_buckets;
    }

    /** \return machines with a rank, ascending; the leader is the machine of worker 0 */
    const std::vector<HostId>& GetHosts() const
    {
        return m_hosts;
    }

    HostId GetLeader() const
    {
        return m_rankHosts.front();
    }

    /** \return what one iteration moves, per machine in order, without what stays inside one */
    const std::vector<HostBytes>& GetHostBytes() const
    {
        return m_hostBytes;
    }

    /** \return the streams, from Launch on; closed ones when the job has stopped */
    const std::vector<Ptr<MessageStream>>& GetStreams() const
    {
        return m_streams;
    }

    /** \return current or last one, from 1; 0 before the first */
    uint32_t GetStage() const
    {
        return m_stage;
    }

    /** \return over all stages, finished by all workers */
    uint32_t GetIterationsDone() const
    {
        return m_log.GetDone();
    }

    /** \return of the current stage */
    uint32_t GetStageIterationsDone() const
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

    uint64_t GetBytes() const; //!< given to streams so far

    /** \return that one iteration gives to streams */
    uint64_t GetIterationBytes() const
    {
        return m_plan.bytes;
    }

    /** \return what an iteration costs where the job has been launched */
    IterationCost GetIterationCost() const
    {
        return {m_taskTime, m_communication, m_spec.workers};
    }

    /**
     * \param done iterations, of all stages
     * \return remaining service L_J of a launched job, over the iterations that are planned, or
     *         that its ranks were told of if those are more
     */
    Time GetRemainingService(uint64_t done) const;
    bool IsOnePhase() const; //!< no transfer of an iteration waits for another one

    bool IsStopped() const
    {
        return m_isStopped;
    }

    using StageCallback = void (*)(Ptr<const Job>, uint32_t);
    using IterationCallback = void (*)(const IterationRecord&);
    using JobCallback = void (*)(Ptr<const Job>);

  protected:
    void DoDispose() override;

  private:
    friend class WorkerApp;

    /** A worker reports; iterations over all stages, from 0. */
    void WorkerBegan(uint32_t iteration);
    void WorkerReady(uint32_t iteration);    //!< it has something to send
    void WorkerComputed(uint32_t iteration); //!< both passes
    void WorkerFinished(uint32_t iteration);

    void InstallRanks(Ptr<Cluster> cluster);
    Ptr<RankApp> MakeWorker(Ptr<Cluster> cluster, uint32_t rank);
    void OpenStreams(Ptr<Transport> transport, Mark initial);
    void BeginStage(uint32_t stage, uint32_t iterations);
    void Hold(uint32_t iteration);
    void Finish();
    void CloseStreams();
    void Abandon();

    /** What a machine has been ordered to do. */
    struct HostOrders
    {
        std::vector<uint32_t> ranks; //!< of the job, that run there
        uint32_t stage{0};
        bool stopped{false};
    };

    JobSpec m_spec;
    CojobId m_cojob;
    Placement m_placement;
    BucketPlan m_buckets;
    JobPlan m_plan;
    std::vector<HostId> m_rankHosts; //!< by rank
    std::vector<HostId> m_hosts;
    std::vector<HostBytes> m_hostBytes;
    std::map<HostId, HostOrders> m_orders;
    Time m_taskTime;          //!< forward and backward, without noise, of the slowest worker
    Time m_communication;     //!< of an iteration, through the busiest NIC; 0 before Launch
    uint64_t m_iterations{0}; //!< planned, of all stages

    Ptr<Cluster> m_cluster; //!< null before Launch and when stopped
    std::vector<Ptr<RankApp>> m_ranks;
    std::vector<std::unique_ptr<RankChannel>> m_channels;
    std::vector<Ptr<MessageStream>> m_streams;

    IterationLog m_log;
    uint32_t m_stage{0};
    uint32_t m_doneBefore{0}; //!< iterations of the stages before the current one
    uint32_t m_doneAfter{0};  //!< and with it
    bool m_isLaunched{false};
    bool m_isStopped{false};
    bool m_isGated{false};    //!< needs leave to communicate
    uint32_t m_asked{0};      //!< newest iteration, from 1, that asked for it
    bool m_isHeld{false};     //!< the leader's machine waits for it
    bool m_isAdmitted{false}; //!< some machine has got it
    Time m_heldSince;         //!< when it asked
    Time m_gateWait;          //!< sum of the leader's waiting times

    TracedCallback<Ptr<const Job>> m_launched;             //!< "Launched": streams are open
    TracedCallback<Ptr<const Job>, uint32_t> m_stageStart; //!< "StageStart": first rank begins
    TracedCallback<Ptr<const Job>, uint32_t> m_stageEnd;   //!< "StageEnd": last worker has finished
    TracedCallback<Ptr<const Job>, uint32_t> m_ready;      //!< "Ready": see GetTypeId
    TracedCallback<Ptr<const Job>, uint32_t> m_coflowStart; //!< "CoflowStart": see GetTypeId
    TracedCallback<const IterationRecord&> m_iterationEnd;  //!< "IterationEnd"
    TracedCallback<Ptr<const Job>> m_stopped;               //!< "Stopped": streams are closed
};

} // namespace ns3::ddl

#endif // DDL_JOB_H
