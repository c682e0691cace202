// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_OBSERVER_H
#define DDL_JOB_OBSERVER_H

#include "ddl-observed-records.h"
#include "ddl-stage-book.h"

#include "ns3/ddl-cojob.h"
#include "ns3/ddl-job-oracle.h"
#include "ns3/ddl-job.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3::ddl
{

class Agent;
class JobManager;
struct RevocationRecord;

/**
 * Sees what the job manager decides and what happens on all machines, and tells what really
 * happened to jobs, stages and cojobs, at the moment when it happened and not when the coordinator
 * heard of it. It lives on the trace sources of those that it watches; they do not know of it, but
 * for what policies ask of the oracle.
 */
class JobObserver : public Object, public JobOracle
{
  public:
    static TypeId GetTypeId();
    JobObserver();
    ~JobObserver() override;

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
        std::string reason; //!< of the last revocation
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
    void Forget(JobId job);

    std::map<CojobId, Group> m_groups; //!< that have not ended
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
