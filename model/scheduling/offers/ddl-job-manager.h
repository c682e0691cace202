// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_MANAGER_H
#define DDL_JOB_MANAGER_H

#include "ddl-check-workload.h"
#include "ddl-cluster-book.h"
#include "ddl-job-estimates.h"
#include "ddl-lease-book.h"
#include "ddl-offer-plan.h"
#include "ddl-round-manager.h"
#include "ddl-run-traffic.h"
#include "ddl-switch-cost.h"

#include "ns3/ddl-cluster.h"
#include "ns3/ddl-cojob-source.h"
#include "ns3/ddl-coordinator.h"
#include "ns3/ddl-estimator.h"
#include "ns3/ddl-job-oracle.h"
#include "ns3/ddl-job-queue-policy.h"
#include "ns3/ddl-job-record.h"
#include "ns3/ddl-placement-policy.h"
#include "ns3/ddl-trace-records.h"
#include "ns3/ddl-training-job.h"
#include "ns3/event-id.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** The parts of a cluster that a job manager works with. */
struct JobManagerParts
{
    Ptr<Cluster> cluster; //!< machines and GPUs; the manager keeps its own book of holders
    Ptr<Coordinator> coordinator;
    Ptr<JobQueuePolicy> queue;
    Ptr<PlacementPolicy> placement;
    /**
     * Second instance of the policy, asked instead of `placement` whether work fits on the empty
     * cluster, so that these questions do not change the random draws of the run; null: `placement`
     * itself.
     */
    Ptr<PlacementPolicy> trial;
    SwitchSpec switching;
    const JobOracle* oracle{nullptr}; //!< progress of jobs; outlives the manager
    Ptr<RoundScheduler> rounds{};     //!< orders tasks; null: no job uses rounds
    Ptr<Estimator> estimator{};       //!< predicts the usage of jobs; null: no estimates
    SharingSpec sharing{};            //!< rules by which a job of one GPU gets a held one
    Ptr<PlacementScorer> scorer{};    //!< compares places; null: the placement policy alone decides
    LinkMap links{};                  //!< links of the cluster, for the scorer
};

/**
 * Manages jobs from arrival to end: waiting for GPUs, launch, stages, suspensions, end. Who gets
 * GPUs, who gives them back and who moves is planned (ddl-offer-plan.h); the manager asks for plans
 * whenever something has changed, and does what they say.
 *
 * All jobs of a cojob get GPUs at the same time, or none does. The manager launches, starts, pauses
 * and stops jobs by messages of the coordinator, and knows of them only what messages report and
 * what the oracle says. GPUs are free once the coordinator has received the report.
 *
 * The trace sources report decisions. What then happens on the machines is reported by JobObserver.
 */
class JobManager : public Object, private RunListener
{
  public:
    static TypeId GetTypeId();
    JobManager();
    ~JobManager() override;

    /** Call once, before Submit, when all machines are in the cluster and no GPU is held. */
    void Install(const JobManagerParts& parts);

    /**
     * Add a workload, or another part of it, before the run or during it.
     *
     * \throws InputError, with all that is wrong, when two cojobs or two jobs have the same id, a
     *         given placement makes no sense, or a cojob could not be placed on the empty cluster
     */
    void Submit(const std::vector<CojobSpec>& cojobs);

    /**
     * Announce jobs that will be submitted or come from a source, since a round scheduler may group
     * GPUs by the models of jobs. Call before the run; otherwise the scheduler groups GPUs by the
     * jobs that have begun.
     */
    void Expect(const std::vector<JobSpec>& jobs);

    /**
     * Take cojobs one by one from a source, each when the one before has arrived, and successors
     * when a cojob is down to one job. Call once, before the run, after Submit.
     *
     * \param source its cojobs all fit on the empty cluster, and no other has their ids
     * \throws InputError, here or during the run, at a cojob that would wait for ever
     */
    void SetSource(std::unique_ptr<CojobSource> source);

    /**
     * Suspend a running group: its jobs finish the iterations that they have begun and give back
     * their GPUs; the group then waits, and later goes on where it was.
     */
    void Suspend(CojobId group);
    /** Suspend it at once: work of iterations that are not finished is lost. */
    void Kill(CojobId group);

    /** \return whether the round scheduler gives GPUs to tasks of its jobs, one by one */
    bool UsesRounds() const
    {
        return m_useRounds.value_or(false);
    }

    /** \return whether the group has GPUs and is not being suspended */
    bool IsRunning(CojobId group) const;

    /** \return the latest arrival that it knows of, past or to come */
    Time GetLastArrival() const
    {
        return m_lastArrival;
    }

    /** \return whether all jobs have left, according to messages to the coordinator */
    bool IsDone() const
    {
        return m_table.GetGroups().empty();
    }

    /** \return whether a group waits for GPUs */
    bool HasWaiting() const
    {
        return !m_table.GetWaiting().IsEmpty();
    }

    /** \return the next arrival or offer of which the time is known; Time::Max(): there is none */
    Time GetNextChange() const;

    /** \return all jobs that have not left, cojob by cojob */
    std::vector<UnfinishedJob> GetUnfinished();

    /**
     * \return date until which nothing may happen because groups have declined all free GPUs; none:
     *         some group runs, or no policy has asked to be asked again
     */
    std::optional<Time> GetIdleUntil() const;

    using CojobArrivalCallback = void (*)(const CojobSpec&);
    using CojobCallback = void (*)(CojobId);
    using GrantCallback = void (*)(std::shared_ptr<const RunSpec>);
    using StageCallback = void (*)(CojobId, const StageDecision&);
    using RevocationCallback = void (*)(const RevocationRecord&);
    using WaitCallback = void (*)(const WaitRecord&);
    using TimersCallback = void (*)(const TimersRecord&);
    using EstimateCallback = void (*)(const EstimateRecord&);
    using JobCallback = void (*)(JobId);
    using AllDoneCallback = void (*)();

  protected:
    void DoDispose() override;

  private:
    void Take(const CojobSpec& spec);
    std::vector<Diagnostic> CheckJobs(const CojobSpec& group);
    std::vector<Placement> PlaceTaskServers(const CojobSpec& group);
    void TakeNext();
    void LaunchSuccessor(GroupRecord& run, const StageDecision& decision);
    void Arrive(CojobId id);

    OfferState MakeState();
    std::optional<Time> GetNextBatch() const;
    void Enqueue(GroupRecord& group);
    void Offer();
    void HeedChanges();
    void HeedWakes();
    void MakeOffer();
    void InstallLeases();
    void OfferLeases();
    void MakeLeaseOffer();
    void VisitLeasesOver(const std::function<void(std::optional<Time>&)>& visit);
    void TakeTurns(const OfferState& state);
    void UpdateLoads();
    void Improve();
    void Execute(const OfferPlan& plan);
    void StartWaiting(const OfferPlan::Start& start);
    void StartMove(const OfferPlan::Move& move);
    void GoOnElsewhere(GroupRecord& group);
    void EndMove(GroupRecord& group);
    void NoteChange(GroupRecord& group);
    void SetWake(GroupRecord& group, std::optional<Time> at);
    void TraceWaits();
    void SetTimer();
    void SetImproveTimer();
    bool IsIdle() const;

    void Suspend(GroupRecord& group, const std::string& reason);
    void TakeBack(GroupRecord& group, const std::string& reason);
    void Start(GroupRecord& group,
               const std::vector<Placement>& placements,
               std::optional<JobId> after = std::nullopt);
    void Launch(JobRecord& job, const JobSpec& spec, const Placement& placement);
    void Begin(GroupRecord& group);
    void BeginNext(JobId job);
    void StopForGood(GroupRecord& group, const std::vector<JobId>& jobs);
    void LearnFrom(const GroupRecord& group, const std::vector<JobId>& jobs);
    void BeginStage(GroupRecord& run, const StageDecision& decision);

    void HandleLaunched(JobId job) override;
    void HandleStageDone(JobId job, uint32_t stage) override;
    void HandlePaused(JobId job, uint64_t iterations) override;
    void HandleSaved(JobId job, uint32_t run, uint64_t iterations) override;
    void HandleStopped(JobId job,
                       std::optional<uint64_t> iterations,
                       const WorkerNoise& noise) override;
    void HandleFailed(const std::set<HostId>& machines) override;
    void HandleReturned(HostId machine) override;
    void HandleSettled() override;
    void HandleTaskEnded(JobId job, GpuId gpu, uint64_t round) override;
    void HandleRoundEnded(JobId job, uint64_t rounds) override;
    void EndRuns(GroupRecord& group, const std::vector<JobId>& there);

    JobManagerParts m_parts;
    JobTable m_table;
    std::multiset<Time> m_arrivals; //!< dates of cojobs that are to come
    std::unique_ptr<CojobSource>
        m_source;                   //!< null when all has been taken from it, or there is none
    std::optional<CojobId> m_taken; //!< last one from Next that has not arrived
    Time m_lastArrival;
    ClusterBook m_book;
    LeaseBook m_leases;            //!< used with a LeasingJobQueuePolicy
    bool m_isLeaseOfferDue{false}; //!< whether MakeLeaseOffer is called at this instant's end
    FitCheck m_fit;
    JobEstimates m_estimates;

    Time m_lease;
    Time m_minRun;
    Time m_batchWindow;
    Time m_improve;
    WaitHistory m_history;                        //!< waits of groups that have got GPUs
    std::set<std::pair<Time, CojobId>> m_changes; //!< dates of priorities, and ends of leases
    std::set<std::pair<Time, CojobId>> m_wakes;   //!< OfferNotes::askAgain of groups that wait
    uint64_t m_offers{0};                         //!< offers made so far
    uint64_t m_starts{0};                         //!< starts of groups so far
    EventId m_timer;                              //!< the next offer that no event causes
    EventId m_batchTimer;                         //!< the offer at the end of the batch window
    EventId m_improveTimer;                       //!< the next call of Improve

    RoundManager m_rounds;           //!< runs jobs that use rounds
    std::optional<bool> m_useRounds; //!< whether the jobs use rounds; none: no job yet
    PlanMemo m_plans;
    RunTraffic m_traffic;

    TracedCallback<const CojobSpec&> m_cojobArrival;
    TracedCallback<CojobId> m_cojobStart;
    TracedCallback<std::shared_ptr<const RunSpec>> m_grant;
    TracedCallback<CojobId, const StageDecision&> m_stageRelease;
    TracedCallback<const RevocationRecord&> m_revocation;
    TracedCallback<JobId> m_return;
    TracedCallback<const WaitRecord&> m_wait;
    TracedCallback<const TimersRecord&> m_timers;
    TracedCallback<const EstimateRecord&> m_estimate;
    TracedCallback<> m_allDone;
};

} // namespace ns3::ddl

#endif // DDL_JOB_MANAGER_H
