// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_RECORD_H
#define DDL_JOB_RECORD_H

#include "ddl-control-message.h"
#include "ddl-waiting-queue.h"

#include "ns3/ddl-cojob.h"
#include "ns3/ddl-job-oracle.h"
#include "ns3/ddl-job-queue-policy.h"
#include "ns3/ddl-place-all.h"
#include "ns3/ddl-run-spec.h"

#include <algorithm>
#include <boost/container/flat_map.hpp>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3::ddl
{

class GroupRecord;
class JobTable;

/** What is known of a group's priority without asking the job queue policy; the least is first. */
struct KnownPriority
{
    double most{std::numeric_limits<double>::infinity()}; //!< upper bound
    bool isExact{false};                                  //!< whether that is the priority itself
};

/** A job that has not left, and what it is doing. */
struct UnfinishedJob
{
    CojobId cojob;
    JobId job;
    std::string state; //!< "waiting for GPUs", "stage 2, iteration 5 of 8", ...
};

/** How long a group has waited and run so far, its present state included. */
struct GroupTimes
{
    Time waited;    //!< sum of all its waits for GPUs
    Time firstWait; //!< the wait until it got GPUs for the first time
    Time occupied;  //!< time for which it held GPUs
    Time service;   //!< sum over its jobs of GPUs x time for which the job held them
};

/** What a job is assumed to use. */
struct JobEstimate
{
    JobUsage usage;
    bool isPredicted{false}; //!< false: a default, as the estimator could not tell
    uint64_t gpuMemory{0};   //!< bytes that each of its ranks gets; 0: as many as the job says
};

/** What a job is doing, as far as the control side knows. */
enum class JobState
{
    IDLE,      //!< no run of it goes on: it has not begun, or it was suspended
    LAUNCHING, //!< it has GPUs, and some machine has not launched its run
    RUNNING,   //!< all machines have launched it
    LEAVING,   //!< it will not run again, and the end of its run has not been reported
    GONE       //!< it has left
};

/** An iteration of a job whose bytes are under way. */
struct LiveCoflow
{
    uint64_t iteration{0}; //!< its number from 1, over all stages
    Time arrival;          //!< the time at which the coordinator received its start
};

/** Bytes that a machine moved through its NIC for a job since the launch of its present run. */
struct MovedBytes
{
    uint64_t sent{0};
    uint64_t received{0};
};

/** What machines have reported of a run that takes part in network scheduling. */
struct LiveRun
{
    uint64_t iterations{0}; //!< iterations of the current stage that are done, as last reported
    bool inProgress{false}; //!< whether its stage was started and no end of it was reported
    std::deque<LiveCoflow> coflows;     //!< coflows under way, oldest first, where they are ordered
    std::map<HostId, MovedBytes> moved; //!< bytes last reported, where coflows are ordered
    boost::container::flat_map<HostId, uint32_t> told; //!< its priority by machine, as last sent
};

/** What a job adds to the load of its GPUs, while it holds them (ClusterBook). */
struct GpuLoad
{
    uint64_t done{0}; //!< iterations done when this was last updated
    Time service;     //!< its part of the loads of its GPUs
};

/** Places that are kept for a job which does not run there (ClusterBook). */
struct KeptPlaces
{
    Placement places;
    uint64_t memory{0}; //!< bytes of each GPU; 0: all of it
};

/** Answers of the machines of a run that has been told to pause. */
struct PauseAnswers
{
    std::size_t missing{0};
    uint64_t begun{0}; //!< iterations that its foremost worker has begun, as far as known
};

/** Answers of the machines of a run that has been told to stop. */
struct StopAnswers
{
    std::set<HostId> missing{};
    bool hasFailed{false}; //!< whether a machine of it has failed
    uint64_t iterations{std::numeric_limits<uint64_t>::max()}; //!< fewest that a machine has done
    WorkerNoise noise{};
};

/** All that the control side knows of a job, from its submission until it has left. */
struct JobRecord
{
    GroupRecord* group{nullptr};
    const JobSpec* spec{nullptr}; //!< the job as submitted

    JobState state{JobState::IDLE};      //!< changed by its group alone
    std::optional<JobEstimate> estimate; //!< empty if nobody has estimated anything
    std::shared_ptr<const RunSpec> run; //!< its present run, or its last one; null before the first
    uint64_t heard{0};                  //!< iterations done over all stages, as last reported
    uint64_t saved{0};                  //!< iterations that are not lost when a machine fails
    bool isLost{false}; //!< whether a failure ends its run: what it has not saved is lost
    WorkerNoise noise;  //!< random draws of workers whose run is over
    std::optional<Placement> moveTo; //!< the place where it goes on, while its group moves
    GpuLoad load;
    std::optional<KeptPlaces> reserved; //!< the part of moveTo that is kept so far
    /** While its rounds go on: the round of the task on each GPU, by the GPU's number. */
    std::optional<std::map<uint32_t, uint64_t>> tasks;
    std::optional<KeptPlaces> held; //!< GPUs that it keeps while waiting

    std::size_t unlaunched{0};   //!< machines that have not reported that they launched its run
    std::optional<LiveRun> live; //!< empty if it takes no part in network scheduling
    std::optional<PauseAnswers> pausing; //!< empty if its run has not been told to pause
    std::optional<StopAnswers> stopping; //!< empty if its run has not been told to stop

    JobId GetId() const
    {
        return spec->id;
    }

    const Placement& GetPlacement() const
    {
        return run->placement;
    }

    /** \return whether it has GPUs: its run goes on */
    bool HoldsGpus() const
    {
        return state == JobState::LAUNCHING || state == JobState::RUNNING ||
               state == JobState::LEAVING;
    }

    /** \return whether it will run again, or goes on running */
    bool IsStaying() const
    {
        return state != JobState::LEAVING && state != JobState::GONE;
    }

    /** \return whether it has been launched, now or before, and has not left */
    bool IsKnown() const
    {
        return run && state != JobState::GONE;
    }

    /** \return iterations done over all stages, if it has GPUs and the table has an oracle */
    std::optional<uint64_t> AskOracle() const;
    /** \return the same; without an oracle, as last reported */
    uint64_t GetIterationsDone() const;
};

/** What the jobs of a group are doing together. */
enum class GroupState
{
    COMING,    //!< it has not arrived
    WAITING,   //!< it waits for GPUs, for the first time or again
    LAUNCHING, //!< it has GPUs, and its jobs are being launched
    RUNNING,   //!< its jobs run
    SUSPENDING //!< its jobs have been told to pause, or to stop, and go on later
};

/** The state of offers of GPUs to a group. */
struct OfferNotes
{
    /**
     * None: it has no lease that is over. Time::Max(): its lease is over, and no offer has been
     * made since. A date: it kept its GPUs in an offer at that date, and competes again only in
     * further offers at that date.
     */
    std::optional<Time> leaseOver;
    uint64_t offer{0};            //!< number of the last offer that it has answered
    GroupAnswer answer;           //!< its answer to that offer
    std::optional<Time> askAgain; //!< the date of the next offer, while it waits
    uint64_t idleStarts{0};       //!< groups that had started when the count below began
    uint32_t idleAsks{0};         //!< dates for another offer that have come since that start
    std::optional<std::pair<std::string, std::optional<Time>>> told; //!< last traced reason to wait
};

/**
 * What the control side knows of a group (a cojob, or a single plain job) from its submission until
 * its last job has left. All its jobs get GPUs, or lose them, together.
 *
 * | state | may be followed by | because |
 * |---|---|---|
 * | COMING | WAITING | it arrives |
 * | WAITING | LAUNCHING | it gets GPUs |
 * | LAUNCHING | RUNNING | all machines have launched its jobs |
 * | | SUSPENDING | a machine of it fails |
 * | RUNNING | SUSPENDING | it has to give back its GPUs |
 * | SUSPENDING | WAITING | the last of its runs is over |
 *
 * | state of a job | may be followed by | because |
 * |---|---|---|
 * | IDLE | LAUNCHING | its run begins |
 * | | GONE | it was suspended, and the search stops it |
 * | LAUNCHING | RUNNING | all machines have launched it |
 * | | IDLE | a machine of it fails |
 * | RUNNING | IDLE | its run is over, and it goes on later |
 * | | LEAVING | it is done, or the search stops it |
 * | LEAVING | GONE | its run is over |
 */
class GroupRecord
{
  public:
    /**
     * \param spec of the group
     * \param table that owns the record
     */
    GroupRecord(const CojobSpec& spec, JobTable& table);
    GroupRecord(const GroupRecord&) = delete;
    GroupRecord& operator=(const GroupRecord&) = delete;

    OfferNotes offers;           //!< changed by JobManager alone
    std::optional<JobId> behind; //!< the job that trains first on the GPU where this group launches
    bool isLoaded{false};        //!< whether its jobs have been launched and wait for that job
    /** The stage that follows when the group runs again; empty: what is left of the present one. */
    std::optional<StageDecision> nextStage;

    Cojob& GetCojob()
    {
        return m_cojob;
    }

    const CojobSpec& GetSpec() const
    {
        return m_cojob.GetSpec();
    }

    CojobId GetId() const
    {
        return GetSpec().id;
    }

    /** \return whether the round scheduler gives GPUs to its jobs (TrainingJob::UsesRounds) */
    bool UsesRounds() const
    {
        return m_usesRounds;
    }

    /** \return all its jobs, in the order of the specification */
    const std::vector<JobRecord>& GetJobs() const
    {
        return m_jobs;
    }

    std::vector<JobRecord>& GetJobs()
    {
        return m_jobs;
    }

    GroupState GetState() const
    {
        return m_state;
    }

    /** \return when it entered its present state, or a run of one of its jobs last ended in it */
    Time GetStateSince() const
    {
        return m_since;
    }

    /** \return whether it has GPUs and has not been told to give them back */
    bool HasGpus() const
    {
        return m_state == GroupState::LAUNCHING || m_state == GroupState::RUNNING;
    }

    /** \return whether it is suspended to go on elsewhere (JobRecord::moveTo) */
    bool IsMoving() const
    {
        return HasJob([](const JobRecord& job) { return job.moveTo.has_value(); });
    }

    /** \return whether a job of it moves to one of these machines */
    bool MovesTo(const std::set<HostId>& machines) const;

    /** The group changes its state, as the table above allows. */
    void Enter(GroupState state);
    /** Its jobs are being told to pause or to stop. \param reason as in runs.csv */
    void NoteSuspension(const std::string& reason);

    /** A run of one of its jobs begins. */
    void NoteRunStart(JobRecord& job, std::shared_ptr<const RunSpec> run);
    /** All machines have launched the job's run. \return whether no other job is being launched */
    bool NoteLaunched(JobRecord& job);
    /** The job's leader has reported the end of the present stage. */
    void NoteStageDone(JobRecord& job);
    /** \return whether the job ends the present stage with so many iterations, and has not said so
     */
    bool HasFinishedStage(const JobRecord& job, uint64_t iterations) const;
    /** The job's run is over. \param noise draws of its workers, as far as known */
    void NoteRunEnd(JobRecord& job, const WorkerNoise& noise);
    /** The job will not run again; if it does not run now, it has left. */
    void NoteLeaving(JobRecord& job);

    /** \return its jobs that run and will not leave at the end of their runs */
    std::vector<JobId> ListStaying() const;
    /** \return those jobs of ListStaying that have a rank on one of these machines */
    std::vector<JobId> ListStayingOn(const std::set<HostId>& machines) const;

    /** \return whether ListStaying has a job */
    bool HasStaying() const
    {
        return HasJob([](const JobRecord& job) { return job.HoldsGpus() && job.IsStaying(); });
    }

    /** \return whether a run of it goes on */
    bool HasRuns() const
    {
        return HasJob([](const JobRecord& job) { return job.HoldsGpus(); });
    }

    /** \return whether all its jobs have left */
    bool IsGone() const
    {
        return !HasJob([](const JobRecord& job) { return job.state != JobState::GONE; });
    }

    /** \return specs of the jobs that have not left, and will run again or for the first time; with
     * the GPU memory that was estimated, if it counts */
    std::vector<JobSpec> ListLiveSpecs() const;

    /** \return the present stage, from 1; 0 before the first */
    uint32_t GetStage() const
    {
        return m_stage;
    }

    /** \return when the present stage was released */
    Time GetRelease() const
    {
        return m_release;
    }

    /** \return iterations of the stages before that one, from 1 */
    uint64_t CountIterationsBefore(uint32_t stage) const;

    /** \return the stage, from 1, after which one of its jobs will leave */
    uint32_t GetLastStage(JobId job) const
    {
        return m_cojob.GetLastStage(job);
    }

    /** All jobs that have GPUs take part in network scheduling from now on. */
    void NoteLive();
    /** The job takes no part in network scheduling any more. */
    void NoteNotLive(JobRecord& job);

    /** The group begins the stage of that decision. */
    void BeginStage(const StageDecision& decision);

    /** \return its times so far, the present state included */
    GroupTimes GetTimes() const;

    /** \return how often it was suspended */
    uint32_t GetSuspensions() const
    {
        return m_suspensions;
    }

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

    /** \return its priority while it has GPUs, as of JobTable::SetPriority */
    const KnownPriority& GetPriority() const
    {
        return m_priority;
    }

    /** \return iterations that the last of its live jobs has before it, of all stages */
    uint64_t CountIterationsLeft() const;
    GroupView AsView() const;
    /**
     * \return its jobs that have not left, as they ask for GPUs now, or as they run
     * \param waits that policies get to see
     */
    GroupRequest AsRequest(const WaitHistory& waits) const;

    /**
     * \return whether the bound on SCT applies to it: a cojob whose iterations have one phase and
     * no compute (doc/certificates.md), as of NoteLive
     */
    bool IsCertifiable() const
    {
        return m_isCertifiable;
    }

    std::vector<UnfinishedJob> ListUnfinished() const;

  private:
    friend class JobTable;
    friend struct JobRecord;

    /** \return whether `what` holds for one of its jobs */
    template <typename Condition>
    bool HasJob(Condition what) const
    {
        return std::any_of(m_jobs.begin(), m_jobs.end(), what);
    }

    bool IsInStage(const JobRecord& job) const;
    std::string DescribeState(const JobRecord& job) const;
    bool FindCertifiable() const;
    void Enter(JobRecord& job, JobState state);

    Cojob m_cojob;
    JobTable& m_table;
    std::vector<JobRecord> m_jobs; //!< in the order of the specification
    bool m_isPreemptible;
    bool m_usesRounds;
    bool m_isCertifiable{false};
    GroupState m_state{GroupState::COMING};
    Time m_since;       //!< the time at which it came into that state
    GroupTimes m_times; //!< its times up to then
    uint32_t m_stage{0};
    Time m_release; //!< the time at which the coordinator was told to start the present stage
    std::optional<Time> m_lastStart;
    KnownPriority m_priority;
    uint32_t m_suspensions{0};
    std::string m_suspensionReason; //!< the reason why it was suspended last
    uint32_t m_heldGpus{0};
};

/**
 * All groups and jobs that have been submitted and have not left. It owns their records, and keeps
 * the indices by which they are found.
 *
 * Groups that use rounds hold no GPUs, so they are in no index of those that do.
 */
class JobTable
{
  public:
    /** Orders groups by number. */
    struct ByNumber
    {
        bool operator()(const GroupRecord* a, const GroupRecord* b) const
        {
            return a->GetId() < b->GetId();
        }
    };

    /** Upper bound of the priority, date of the last start, number. */
    using Rank = std::tuple<double, Time, CojobId>;

    /** Orders groups that have GPUs by the upper bounds of their priorities; of equals, who has
     * had them longer is first. */
    struct ByPriority
    {
        using is_transparent = void;

        static Rank GetRank(const GroupRecord* group)
        {
            return {group->GetPriority().most, *group->GetLastStart(), group->GetId()};
        }

        static const Rank& GetRank(const Rank& rank)
        {
            return rank;
        }

        template <typename A, typename B>
        bool operator()(const A& a, const B& b) const
        {
            return GetRank(a) < GetRank(b);
        }
    };

    using Groups = std::set<GroupRecord*, ByNumber>;
    using RankedGroups = std::set<GroupRecord*, ByPriority>;

    /** \param oracle of the progress of jobs; null, the default: what is reported is all */
    void SetOracle(const JobOracle* oracle)
    {
        m_oracle = oracle;
    }

    const JobOracle* GetOracle() const
    {
        return m_oracle;
    }

    /** \param spec of a group; neither its number nor those of its jobs are in the table */
    GroupRecord& Add(const CojobSpec& spec);
    /** All jobs of the group have left. */
    void Remove(CojobId group);

    /** \return the group; null: there is none */
    GroupRecord* Find(CojobId group);
    const GroupRecord* Find(CojobId group) const;
    /** \return the group, which is there */
    GroupRecord& Get(CojobId group);

    /** \return the job; null: there is no such job, or it has left */
    JobRecord* FindJob(JobId job) const;
    /** \return a job that has not left */
    JobRecord& GetJob(JobId job) const;

    /** \return all groups, by number */
    const std::map<CojobId, GroupRecord>& GetGroups() const
    {
        return m_groups;
    }

    std::map<CojobId, GroupRecord>& GetGroups()
    {
        return m_groups;
    }

    /** \return the groups that wait for GPUs */
    WaitingQueue& GetWaiting()
    {
        return m_waiting;
    }

    const WaitingQueue& GetWaiting() const
    {
        return m_waiting;
    }

    /** \return the groups that have GPUs and have not been told to give them back */
    const Groups& GetHolders() const
    {
        return m_holders;
    }

    /** \return the same, by the upper bounds of their priorities */
    const RankedGroups& GetRanked() const
    {
        return m_ranked;
    }

    /** \return the groups that have been told to give back their GPUs, and have not done so */
    const Groups& GetSuspending() const
    {
        return m_suspending;
    }

    /** \return the groups with jobs that take part in network scheduling */
    const Groups& GetLive() const
    {
        return m_live;
    }

    /** That is known from now on of the priority of a group that has GPUs. */
    void SetPriority(GroupRecord& group, const KnownPriority& priority);

  private:
    friend class GroupRecord;

    /** The group has come into another state. */
    void NoteState(GroupRecord& group, GroupState before);

    const JobOracle* m_oracle{nullptr};
    std::map<CojobId, GroupRecord> m_groups;
    std::unordered_map<JobId, JobRecord*> m_jobs; //!< jobs that have not left
    WaitingQueue m_waiting;
    Groups m_holders;
    RankedGroups m_ranked;
    Groups m_suspending;
    Groups m_live;
};

} // namespace ns3::ddl

#endif // DDL_JOB_RECORD_H
