// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GROUP_LEDGER_H
#define DDL_GROUP_LEDGER_H

#include "ddl-job-queue-policy.h"

#include "ns3/ddl-cojob.h"
#include "ns3/ddl-job-oracle.h"
#include "ns3/ddl-live-cojobs.h"
#include "ns3/ddl-place-all.h"
#include "ns3/ddl-run-spec.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A job that has not left, and what it is doing. */
struct UnfinishedJob
{
    CojobId cojob;
    JobId job;
    std::string state; //!< "waiting for GPUs", "stage 2, iteration 5 of 8", ...
};

/** What a group's jobs are doing together. */
enum class GroupState
{
    COMING,    //!< not arrived
    WAITING,   //!< for GPUs, for the first time or again
    LAUNCHING, //!< it has GPUs, and its jobs are being launched
    RUNNING,   //!< its jobs run
    SUSPENDING //!< its jobs have been told to pause, or to stop, and go on later
};

/** How long a group has waited and run so far, its present state included. */
struct GroupTimes
{
    Time waited;    //!< for GPUs, all waits together
    Time firstWait; //!< until it got GPUs for the first time
    Time occupied;  //!< it held GPUs
    Time service;   //!< sum over its jobs of GPUs x time for which the job held them
};

/** What the control side knows of a job that has been launched. */
struct JobLedger
{
    std::shared_ptr<const RunSpec> run; //!< present or last one
    uint64_t heard{0};                  //!< iterations done over all stages, as last reported
    uint64_t saved{0};                  //!< of these, that are not lost when a machine fails
    bool isOver{false};                 //!< that run
    bool isLost{false};                 //!< what it has done and not saved, by a failure
    WorkerNoise noise;                  //!< of workers whose run is over
    const JobOracle* oracle{nullptr};   //!< null: nothing is known but what was reported

    const JobSpec& GetSpec() const
    {
        return run->job;
    }

    const Placement& GetPlacement() const
    {
        return run->placement;
    }

    /** \return over all stages */
    uint64_t GetIterationsDone() const;
};

/**
 * What the control side knows of a group (a cojob, or a single plain job) from its submission until
 * the coordinator has heard that its last job stopped: its stages, its state, its jobs and their
 * progress, and how long it has waited and run. All its jobs get GPUs, or lose them, together.
 */
class GroupLedger
{
  public:
    /** \param oracle that tells how far its jobs are; null: as reported */
    explicit GroupLedger(const CojobSpec& spec, const JobOracle* oracle = nullptr);

    Cojob& GetCojob()
    {
        return m_cojob;
    }

    /** \return the present stage, from 1; 0 before the first */
    uint32_t GetStage() const
    {
        return m_stage;
    }

    const CojobSpec& GetSpec() const
    {
        return m_cojob.GetSpec();
    }

    GroupState GetState() const
    {
        return m_state;
    }

    void NoteArrival(); //!< it waits
    void NoteStart();   //!< its jobs have got GPUs
    void NoteRunning(); //!< its jobs have been launched
    /** Its jobs are being told to pause or to stop. \param reason as in runs.csv */
    void NoteSuspension(const std::string& reason);
    void NoteWaitsAgain(); //!< no job of it runs

    /** \return a job that has been launched and not removed; null for others */
    const JobLedger* GetJob(JobId job) const;
    void RemoveJob(JobId job); //!< it has left

    /** \return specs of the jobs that have not left, and will run again or for the first time;
     * with the GPU memory that was estimated, if it counts */
    std::vector<JobSpec> ListLiveSpecs() const;

    /** What one of its jobs will use, as is assumed. */
    struct Estimate
    {
        JobUsage usage;
        bool isPredicted{false}; //!< false: a default, as the estimator could not tell
        uint64_t gpuMemory{0};   //!< bytes that each of its ranks gets; 0: what the job says
    };

    void SetEstimate(JobId job, const Estimate& estimate)
    {
        m_estimates[job] = estimate;
    }

    /** \return of one of its jobs; null: nobody has estimated anything */
    const Estimate* GetEstimate(JobId job) const;

    /** A run of the job begins. */
    void NoteRunStart(std::shared_ptr<const RunSpec> run);
    /** All its machines have launched it. \return whether that holds for all jobs that have GPUs */
    bool NoteLaunched(JobId job);
    /** Its leader has said that the present stage is done. */
    void NoteStageDone(JobId job);
    /** \return whether a job with so many iterations has done the present stage and not said so */
    bool HasFinishedStage(JobId job, uint64_t iterations) const;
    /** So many iterations are done, over all stages. */
    void NoteIterations(JobId job, uint64_t iterations);
    /** What so many iterations have come to outlives a failure. */
    void NoteSaved(JobId job, uint64_t iterations);
    /** Its run ends by a failure. */
    void NoteLost(JobId job);
    /** Its run is over. \param noise of its workers, as far as known */
    void NoteRunEnd(JobId job, const WorkerNoise& noise);
    /** \return its jobs that stay and whose present run has a rank on one of these machines */
    std::vector<JobId> ListStayingOn(const std::set<HostId>& machines) const;

    /** \return jobs whose present run the coordinator has not heard the end of */
    const std::set<JobId>& GetRunning() const
    {
        return m_running;
    }

    /** \return of these, those that have not been told to leave, ascending */
    std::vector<JobId> ListStaying() const;
    bool HasStaying() const; //!< there are some

    /** The job will not run again. */
    void NoteLeaving(JobId job)
    {
        m_leaving.insert(job);
        m_unended.erase(job);
    }

    bool IsLeaving(JobId job) const
    {
        return m_leaving.count(job) > 0;
    }

    /** The stage that follows when the group runs again; none: what is left of the present one. */
    std::optional<StageDecision>& GetNextStage()
    {
        return m_nextStage;
    }

    /** \return when it came into its present state */
    Time GetStateSince() const
    {
        return m_since;
    }

    /** \return its times so far, the present state included */
    GroupTimes GetTimes() const;

    /** \return why it was suspended last; "": never */
    const std::string& GetSuspensionReason() const
    {
        return m_suspensionReason;
    }

    /** \return how often it was suspended */
    uint32_t GetSuspensions() const
    {
        return m_suspensions;
    }

    /** \return all jobs have ended and been removed */
    bool IsGone() const
    {
        return m_unended.empty() && m_jobs.empty();
    }

    /** Account for the stage that a decision starts. */
    void BeginStage(const StageDecision& decision);

    /** \return iterations that the last of its live jobs has before it, of all stages */
    uint64_t CountIterationsLeft() const;
    GroupView AsView() const;
    /** \return its jobs that have not left, as they ask for GPUs now, or as they run
     *  \param waits that policies get to see */
    GroupRequest AsRequest(const WaitHistory& waits) const;

    /** \return GPUs that its running jobs hold */
    uint32_t GetHeldGpus() const
    {
        return m_heldGpus;
    }

    /** \return false if one of its jobs may not be suspended */
    bool IsPreemptible() const
    {
        return m_isPreemptible;
    }

    /** \return when it last got GPUs; none: never */
    std::optional<Time> GetLastStart() const
    {
        return m_lastStart;
    }

    /** \return the group, whose running jobs have been added, for the coordinator */
    LiveCojob AsLiveCojob() const;
    /**
     * \return true if the bound on SCT says something of it: a cojob whose iterations have one
     * phase and no compute (doc/certificates.md). All jobs have been added.
     */
    bool IsCertifiable() const;
    std::vector<UnfinishedJob> ListUnfinished() const;

  private:
    std::string DescribeState(JobId job) const;
    uint64_t CountIterationsBefore(uint32_t stage) const;

    bool IsStaying(JobId job) const;
    void EnterState(GroupState state);

    Cojob m_cojob;
    const JobOracle* m_oracle;
    uint32_t m_stage{0};
    std::set<JobId> m_inStage; //!< jobs that have not reported the present stage done
    GroupState m_state{GroupState::COMING};
    Time m_since;       //!< begin of that state
    Time m_release;     //!< the coordinator was told to start the present stage
    GroupTimes m_times; //!< of the states before it
    std::optional<Time> m_lastStart;
    uint32_t m_suspensions{0};
    std::string m_suspensionReason;
    std::map<JobId, JobLedger> m_jobs; //!< launched and not known to have left
    uint32_t m_heldGpus{0};
    bool m_isPreemptible;
    std::set<JobId> m_launching; //!< of these, that not all machines have launched
    std::set<JobId> m_running;   //!< of these, that are not known to have stopped
    std::set<JobId> m_leaving;   //!< of these, that will not run again
    std::set<JobId> m_unended;
    std::map<JobId, Estimate> m_estimates;
    std::optional<StageDecision> m_nextStage;
};

} // namespace ns3::ddl

#endif // DDL_GROUP_LEDGER_H
