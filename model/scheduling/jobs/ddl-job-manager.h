// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_MANAGER_H
#define DDL_JOB_MANAGER_H

#include "ddl-check-workload.h"
#include "ddl-cluster-book.h"
#include "ddl-cojob-run.h"
#include "ddl-job-queue-policy.h"
#include "ddl-waiting-queue.h"

#include "ns3/ddl-agent.h"
#include "ns3/ddl-cluster.h"
#include "ns3/ddl-cojob-source.h"
#include "ns3/ddl-coordinator.h"
#include "ns3/ddl-placement-policy.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/** The parts of a cluster that a job manager works with. */
struct JobManagerParts
{
    Ptr<Cluster> cluster;
    Ptr<Transport> transport;
    Ptr<Coordinator> coordinator;
    std::map<HostId, Ptr<Agent>> agents; //!< one for each machine
    Ptr<JobQueuePolicy> queue;
    Ptr<PlacementPolicy> placement;
    /** Asked in place of `placement` whether work fits on the empty cluster, so that the answers of
     * one that draws by lot stay the same; null: `placement` itself */
    Ptr<PlacementPolicy> trial;
};

/**
 * Takes jobs through their life: arrival, waiting for GPUs, launch, stages, end.
 *
 * All jobs of a cojob get GPUs at the same time or none does. Launching a job (GPUs, streams, the
 * agents' knowledge of it) takes no time; starting and stopping its stages goes through the
 * coordinator's messages. A stopped job gives back its GPUs itself; whoever waits for them gets
 * them when the coordinator has heard of it.
 *
 * The trace sources tell what really happened when, not when the coordinator heard of it.
 */
class JobManager : public Object
{
  public:
    static TypeId GetTypeId();
    JobManager();
    ~JobManager() override;

    /** Once, before Submit; all machines are in the cluster, and nobody holds a GPU. */
    void Install(const JobManagerParts& parts);

    /**
     * Take over a workload, or one more part of it, before the run or during it.
     *
     * \throws InputError, with all that is wrong, when two cojobs or two jobs have the same id, a
     *         given placement makes no sense, or a cojob could not be placed on the empty cluster
     */
    void Submit(const std::vector<CojobSpec>& cojobs);

    /**
     * Take one cojob after another from there, each when the one before has arrived, and successors
     * when a cojob is down to one job. Once, before the run, after Submit.
     *
     * \param source of cojobs that all fit on the empty cluster, with ids that nobody else has
     * \throws InputError, here or during the run, at a cojob that would wait for ever
     */
    void SetSource(std::unique_ptr<CojobSource> source);

    /** \return the latest arrival that it knows of, past or to come */
    Time GetLastArrival() const
    {
        return m_lastArrival;
    }

    /** \return all jobs have left, as far as the coordinator has heard */
    bool IsDone() const
    {
        return m_runs.empty();
    }

    /** \return all jobs that have not left, in the order of submission */
    std::vector<UnfinishedJob> GetUnfinished() const;

    using CojobArrivalCallback = void (*)(const CojobSpec&);
    using CojobCallback = void (*)(CojobId);
    using StageCallback = void (*)(const StageRecord&);
    using JobStartCallback = void (*)(Ptr<Job>);
    using JobEndCallback = void (*)(Ptr<Job>, bool);
    using AllDoneCallback = void (*)();

  protected:
    void DoDispose() override;

  private:
    void Take(const CojobSpec& spec);
    void TakeFromSource(const CojobSpec& spec);
    void TakeNext();
    void LaunchSuccessor(CojobRun& run, const StageDecision& decision);
    void Arrive(CojobId id);
    void StartWaiting();
    std::optional<CojobId> FindNext(std::vector<Placement>& placements);
    void Start(CojobRun& run, const std::vector<Placement>& placements);
    void Launch(CojobRun& run, const JobSpec& spec, const Placement& placement);
    void BeginStage(CojobRun& run, const StageDecision& decision);
    uint64_t GetBusiestBytesLeft(JobId job) const;

    void NotifyStageStart(Ptr<const Job> job, uint32_t stage);
    void NotifyStageEnd(Ptr<const Job> job, uint32_t stage);
    void NotifyStopped(Ptr<const Job> job);
    void EndJob(CojobRun& run, JobId job, bool stoppedEarly);
    void HandleStageDone(JobId job, uint32_t stage);
    void HandleJobStopped(JobId job);

    JobManagerParts m_parts;
    std::map<CojobId, CojobRun> m_runs;
    std::map<JobId, CojobId> m_cojobOf;
    std::vector<CojobId>
        m_submitted; //!< in the order of submission; those that left may be missing
    std::unique_ptr<CojobSource>
        m_source;                   //!< null when all has been taken from it, or there is none
    std::optional<CojobId> m_taken; //!< last one from Next that has not arrived
    Time m_lastArrival;
    WaitingQueue m_waiting;
    ClusterBook m_book;
    FitCheck m_fit;

    TracedCallback<const CojobSpec&> m_cojobArrival;
    TracedCallback<CojobId> m_cojobStart;
    TracedCallback<const StageRecord&> m_stageStart;
    TracedCallback<const StageRecord&> m_stageEnd;
    TracedCallback<CojobId> m_cojobEnd;
    TracedCallback<Ptr<Job>> m_jobStart;
    TracedCallback<Ptr<Job>, bool> m_jobEnd;
    TracedCallback<> m_allDone;
};

} // namespace ns3::ddl

#endif // DDL_JOB_MANAGER_H
