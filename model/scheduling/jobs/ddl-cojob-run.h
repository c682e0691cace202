// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COJOB_RUN_H
#define DDL_COJOB_RUN_H

#include "ddl-job-queue-policy.h"
#include "ddl-stage-book.h"

#include "ns3/ddl-cojob.h"
#include "ns3/ddl-job.h"
#include "ns3/ddl-live-cojobs.h"
#include "ns3/ptr.h"

#include <map>
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

/** One cojob from its submission until the coordinator has heard that its last job stopped. */
class CojobRun
{
  public:
    explicit CojobRun(const CojobSpec& spec);

    Cojob& GetCojob()
    {
        return m_cojob;
    }

    StageBook& GetStageBook()
    {
        return m_stages;
    }

    const CojobSpec& GetSpec() const
    {
        return m_cojob.GetSpec();
    }

    void NoteArrival();

    void AddJob(Ptr<Job> job);        //!< launched
    Ptr<Job> GetJob(JobId job) const; //!< launched and not removed
    void RemoveJob(JobId job);        //!< the coordinator has heard that it stopped

    /** The job has run its last stage or was stopped. \return true the first time it is said */
    bool NoteEnd(JobId job);

    /** \return all jobs have ended */
    bool IsEnded() const
    {
        return m_unended.empty();
    }

    /** \return all jobs have ended and been removed */
    bool IsGone() const
    {
        return m_unended.empty() && m_jobs.empty();
    }

    /** Account for the stage that a decision starts. */
    void BeginStage(const StageDecision& decision);

    WaitingGroup AsWaitingGroup() const;

    LiveCojob AsLiveCojob() const; //!< before the first stage; all jobs have been added
    /**
     * \return true if the bound on SCT says something of it: a cojob whose iterations have one
     * phase and no compute (doc/certificates.md). All jobs have been added.
     */
    bool IsCertifiable() const;
    std::vector<UnfinishedJob> ListUnfinished() const;

  private:
    std::string DescribeState(JobId job) const;

    Cojob m_cojob;
    StageBook m_stages;
    bool m_arrived{false};
    std::map<JobId, Ptr<Job>> m_jobs; //!< launched and not known to have stopped
    std::set<JobId> m_unended;
};

} // namespace ns3::ddl

#endif // DDL_COJOB_RUN_H
