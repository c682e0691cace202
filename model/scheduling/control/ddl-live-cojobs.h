// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LIVE_COJOBS_H
#define DDL_LIVE_COJOBS_H

#include "ddl-control-message.h"
#include "ddl-priority-book.h"

#include "ns3/ddl-ids.h"
#include "ns3/ddl-job-service.h"
#include "ns3/ddl-nic-bytes.h"
#include "ns3/nstime.h"

#include <deque>
#include <map>
#include <set>
#include <vector>

namespace ns3::ddl
{

/** An iteration of a job whose bytes are under way. */
struct LiveCoflow
{
    uint64_t iteration{0}; //!< from 1, over all stages
    Time arrival;          //!< when the coordinator received its start
};

/** Bytes that a machine moved through its NIC for a job since the launch of its present run. */
struct MovedBytes
{
    uint64_t sent{0};
    uint64_t received{0};
};

/** What the coordinator knows of a job that has GPUs. */
struct LiveJob
{
    JobId job;
    HostId leader;                      //!< its machine answers for the job
    std::vector<HostId> machines;       //!< with a rank of the job, ascending
    std::vector<HostId> hosts;          //!< these, and the storage of its checkpoints
    std::vector<HostBytes> bytes;       //!< that one iteration moves through each NIC
    double weight{1};                   //!< of its completion
    IterationCost cost;                 //!< of one iteration
    uint32_t lastStage{1};              //!< that it will really run; for clairvoyant policies only
    uint64_t iterationsDone{0};         //!< of the current stage, as last reported
    uint64_t iterationsBefore{0};       //!< of all stages, done before the present run
    uint32_t run{1};                    //!< number of the present run
    bool inProgress{false};             //!< its stage was started, and no end was reported
    std::deque<LiveCoflow> coflows;     //!< under way, oldest first; for policies that order them
    std::map<HostId, MovedBytes> moved; //!< as last reported; for the same
};

/** What the coordinator knows of a cojob that has GPUs. */
struct LiveCojob
{
    CojobId id;
    Time arrival;
    std::vector<uint64_t> iterations; //!< of each stage
    uint32_t stage{0};                //!< current one, from 1; 0 before the first
    Time release;                     //!< start of the current stage
    bool certifiable{false};          //!< as GroupRecord::IsCertifiable says
    std::vector<LiveJob> jobs;        //!< not stopped, by id
};

/**
 * The coordinator's record of the cojobs that have GPUs. It has their composition from the job
 * manager, and their progress from messages only.
 */
class LiveCojobs
{
  public:
    void Add(const LiveCojob& cojob);
    /** All live jobs of the cojob run that stage from now on, or what they have left of it. */
    const LiveCojob& StartStage(CojobId cojob, uint32_t stage, Time now);
    /** Take a live job off the book, as it ends or is suspended; the cojob leaves with its last
     * one. \return what was known */
    LiveJob Remove(CojobId cojob, JobId job);

    /** The messages that start the stage have been sent to the machines of the job. */
    void NoteStarted(JobId job);
    /**
     * The job's leader has reported the end of the stage, which has to be the current one. Ignored
     * for a job that has left.
     */
    void NoteDone(const StageDone& message);
    /**
     * Progress of a job. Messages may cross: reports of an earlier stage, or of a job that has
     * left, are ignored.
     */
    void NoteProgress(const JobProgress& progress);

    /** A coflow comes or goes; one of a job that has left is ignored. \return true if not */
    bool NoteCoflow(const CoflowStarted& message, Time now);
    bool NoteCoflow(const CoflowEnded& message);
    /** What a machine has moved; jobs that have left are ignored. */
    void NoteBytes(HostId machine, const JobBytes& bytes);

    /** \return machines that lead a job which is in the middle of a stage */
    std::set<HostId> ListBusyLeaders() const;
    /** \return machines of the jobs with a coflow under way */
    std::set<HostId> ListCoflowMachines() const;

    /**
     * \param kind of units
     * \return all live jobs with the machines whose NICs they use; where coflows are ordered, those
     *         with a coflow under way, by the oldest one
     */
    std::vector<PresentJob> ListPresentJobs(UnitKind kind) const;

    bool IsLive(JobId job) const
    {
        return m_cojobOf.count(job) > 0;
    }

    /** \return what is known of a live job */
    const LiveJob& Get(JobId job) const;

    const std::map<CojobId, LiveCojob>& Get() const
    {
        return m_cojobs;
    }

  private:
    LiveJob* Find(JobId job);

    std::map<CojobId, LiveCojob> m_cojobs;
    std::map<JobId, CojobId> m_cojobOf; //!< of live jobs
};

} // namespace ns3::ddl

#endif // DDL_LIVE_COJOBS_H
