// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_H
#define DDL_JOB_H

#include "ddl-communication-pattern.h"
#include "ddl-job-spec.h"

#include "ns3/ddl-cluster.h"
#include "ns3/ddl-transport.h"
#include "ns3/traced-callback.h"

#include <map>
#include <memory>

namespace ns3
{
namespace ddl
{

class RankApp;
class WorkerApp;

/** Bytes that one iteration of a job moves through one machine's NIC. */
struct HostBytes
{
    HostId host;
    uint64_t sent{0};
    uint64_t received{0};
};

/** One iteration that is over, as the leader (worker 0's machine) sees it. Times are absolute. */
struct IterationRecord
{
    JobId job;
    uint32_t iteration{0}; //!< from 1, over all stages
    Time start;            //!< first worker began to compute
    Time computeEnd;       //!< last worker had computed
    Time end;              //!< last worker had what it needs
    uint64_t bytes{0};     //!< given to streams, machine-local ones included
};

/**
 * A placed job: its ranks as ns-3 Applications on their machines, and the streams between them.
 *
 * States: launched (streams open, nothing moves) -> running a stage -> between stages -> ... ->
 * stopped. Every machine of the job is told to start a stage by itself, and starts its own ranks
 * only.
 */
class Job : public Object
{
  public:
    /** One stream of the job, as agents see it. */
    struct StreamInfo
    {
        JobId job;
        Ptr<MessageStream> stream;
    };

    static TypeId GetTypeId();

    Job(const JobSpec& spec, CojobId cojob, const Placement& placement);
    ~Job() override;

    /**
     * Install the ranks on their machines and open the streams, with the mark given until an agent
     * says otherwise. From inside a running simulation.
     */
    void Launch(Ptr<Cluster> cluster, Ptr<Transport> transport, Mark initial);

    /**
     * Let the ranks on one machine run a stage.
     *
     * \param host machine of the job
     * \param stage from 1
     * \param iterations of this stage, at least 1
     */
    void StartStage(HostId host, uint32_t stage, uint32_t iterations);

    /** Stop the ranks on one machine; streams close and GPUs are free when all have stopped. */
    void Stop(HostId host);

    JobId GetId() const;
    CojobId GetCojob() const;
    const JobSpec& GetSpec() const;
    const Placement& GetPlacement() const;

    /** \return machines with a rank of this job, ascending; the leader is the machine of worker 0
     */
    const std::vector<HostId>& GetHosts() const;
    HostId GetLeader() const;

    /** \return what one iteration moves, per machine, without what stays inside a machine */
    const std::vector<HostBytes>& GetHostBytes() const;

    const std::vector<StreamInfo>& GetStreams() const;

    uint32_t GetStage() const;               //!< current or last one, from 1; 0 before the first
    uint32_t GetIterationsDone() const;      //!< over all stages, finished by all workers
    uint32_t GetStageIterationsDone() const; //!< of the current stage
    Time GetComputeTime() const;             //!< sum over iterations of computeEnd - start
    Time GetCommunicationTime() const;       //!< sum over iterations of end - computeEnd
    uint64_t GetBytes() const;               //!< given to streams so far
    bool IsStopped() const;

    /** A machine's ranks: (job, stage) first rank of the stage started; all ranks finished it. */
    using StageCallback = void (*)(Ptr<const Job>, uint32_t);
    using IterationCallback = void (*)(const IterationRecord&);
    using JobCallback = void (*)(Ptr<const Job>);

  protected:
    void DoDispose() override;

  private:
    friend class RankApp;
    friend class WorkerApp;

    struct State;
    std::unique_ptr<State> m_state;

    TracedCallback<Ptr<const Job>> m_launched;             //!< "Launched": streams are open
    TracedCallback<Ptr<const Job>, uint32_t> m_stageStart; //!< "StageStart": first rank begins
    TracedCallback<Ptr<const Job>, uint32_t> m_stageEnd;   //!< "StageEnd": last worker has finished
    TracedCallback<const IterationRecord&> m_iterationEnd; //!< "IterationEnd"
    TracedCallback<Ptr<const Job>> m_stopped;              //!< "Stopped": streams are closed
};

} // namespace ddl
} // namespace ns3

#endif // DDL_JOB_H
