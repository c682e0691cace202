// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_OBSERVER_H
#define DDL_JOB_OBSERVER_H

#include "ns3/ddl-cojob.h"
#include "ns3/ddl-ids.h"
#include "ns3/ddl-iteration-log.h"
#include "ns3/ddl-job-oracle.h"
#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-job.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::ddl
{

class Agent;
class JobManager;
struct RevocationRecord;

/** A run of a job, from the grant of its GPUs to their return. Times are absolute. */
struct JobRunRecord
{
    JobId job;
    uint32_t run{1}; //!< number of the run, from 1
    Time start;
    Time end;
    std::string reason; //!< "done", "stopped-early" (by the search), "suspended", "migrated",
                        //!< "killed", "failed"
    Placement placement;
    uint64_t iterations{0}; //!< iterations that were finished in it
    Time switching;         //!< time of launching, loading and saving
    uint64_t bytes{0};      //!< bytes given to streams in it
    uint32_t checkpoints{0};
    uint64_t stateBytes{0}; //!< bytes between workers and storage
    uint64_t repeated{0};   //!< iterations that it did again because a failure had taken them
    Time lost; //!< time for which the run before held its GPUs for iterations that were lost
    std::optional<TrainingSpan> training; //!< empty if no iteration began
};

/** One stage of one cojob, as it really happened. Times are absolute. */
struct StageRecord
{
    CojobId cojob;
    uint32_t stage{1}; //!< number of the stage, from 1
    uint32_t jobs{0};  //!< jobs that run it
    Time release;      //!< arrival of the cojob
    Time start;        //!< first rank of the first job began
    Time end;          //!< last worker of the last job had finished; 0 while it runs
    uint64_t bytes{0}; //!< bytes its jobs gave to streams in this stage; 0 while it runs
};

/** Records the current stage of a cojob: when it really began and ended, and the bytes it moved. */
class StageBook
{
  public:
    StageBook(CojobId cojob, Time release);

    /**
     * The next stage is about to start. The one before is over.
     * \param bytesBefore by job of the stage: what it has given to streams before
     */
    void Begin(uint32_t stage, const std::map<JobId, uint64_t>& bytesBefore);

    /** A job's first rank began. \return the record when it is the first one of the stage */
    std::optional<StageRecord> NoteStart(Time now);

    /** A job has finished the stage. \return the record when it is the last one of the stage */
    std::optional<StageRecord> NoteEnd(JobId job, uint64_t bytes, Time now);

    /** \return true while that job is in the stage */
    bool IsIn(JobId job) const
    {
        return m_in.count(job) > 0;
    }

  private:
    StageRecord m_record; //!< what is known of the stage so far
    bool m_started{false};
    std::map<JobId, uint64_t> m_in; //!< jobs in the stage, with their bytes before it
};

/**
 * Sees what the job manager decides and what happens on all machines, and tells what really
 * happened to jobs, stages and cojobs, at the moment when it happened and not when the coordinator
 * heard of it. It listens to trace sources of the job manager and of agents, which do not know it.
 * The control side uses it as a JobOracle only.
 */
class JobObserver : public Object, public JobOracle
{
  public:
    static TypeId GetTypeId();

    /** Once, before the first job arrives. */
    void Watch(Ptr<JobManager> manager, const std::vector<Ptr<Agent>>& agents);

    std::optional<uint64_t> GetIterationsDone(JobId job) const override;
    uint64_t GetBusiestBytesLeft(JobId job) const override;
    bool IsHeld(JobId job) const override;
    std::optional<JobUsage> GetUsage(JobId job) const override;

    /** \return number of an open stream of a job; of any other the greatest there is */
    StreamId FindStream(const StreamName& name) const;

    using StageCallback = void (*)(const StageRecord&);
    using CojobCallback = void (*)(CojobId);
    using JobStartCallback = void (*)(Ptr<Job>);
    using JobEndCallback = void (*)(Ptr<Job>, bool);
    using RunCallback = void (*)(const JobRunRecord&);

  protected:
    void DoDispose() override;

  private:
    struct Group
    {
        StageBook stages;
        uint32_t lastStage;
        std::set<JobId> unended;
    };

    struct Watched
    {
        Ptr<Job> job;
        std::string reason; //!< reason of the last revocation
        bool isRevoked{false};
        bool isLeaving{false};
    };

    void NotifyArrival(const CojobSpec& cojob);
    void NotifyGrant(std::shared_ptr<const RunSpec> run);
    void NotifyRelease(CojobId cojob, const StageDecision& decision);
    void NotifyRevocation(const RevocationRecord& revocation);
    void NotifyReturn(JobId job);
    void NotifyRank(const RankEvent& event);
    void NotifyOpened(JobId job, Ptr<SendingStream> stream);
    void NotifyAccepted(JobId job, Ptr<ReceivingStream> stream);
    void NotifyStageStart(Ptr<const Job> job, uint32_t stage);
    void NotifyStageEnd(Ptr<const Job> job, uint32_t stage);
    void NotifyStopped(Ptr<const Job> job);
    void EndJob(JobId job, bool stoppedEarly);
    /** \return the job; null if it is not watched */
    const Job* Find(JobId job) const;

    std::map<CojobId, Group> m_groups; //!< groups that have not ended
    std::map<JobId, Watched> m_jobs;   //!< launched, and not both ended and stopped

    TracedCallback<const StageRecord&> m_stageStart;
    TracedCallback<const StageRecord&> m_stageEnd;
    TracedCallback<CojobId> m_cojobEnd;
    TracedCallback<Ptr<Job>> m_jobStart;
    TracedCallback<Ptr<Job>, bool> m_jobEnd;
    TracedCallback<const JobRunRecord&> m_runEnd;
};

} // namespace ns3::ddl

#endif // DDL_JOB_OBSERVER_H
