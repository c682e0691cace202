// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COJOB_H
#define DDL_COJOB_H

#include "ns3/ddl-job-spec.h"

#include <optional>
#include <set>
#include <vector>

namespace ns3::ddl
{

/** Which jobs of a cojob stop after a stage, and which go on. Jobs ascending by id. */
struct StageDecision
{
    std::vector<JobId> stop; //!< these are done
    std::vector<JobId> go;   //!< these run the next stage; empty after the last
    uint32_t stage{0};       //!< that they run, from 1; 0 when none goes on
    uint64_t iterations{0};  //!< of that stage; 0 when none goes on
};

/**
 * A cojob's progress through its stages (Grouper §II-B). All live jobs start a stage together, and
 * the next one when the last of them has finished; the search then decides which jobs stop. In the
 * last stage each job stops as soon as it has finished.
 *
 * States: waiting (stage 0) -> stage 1 -> ... -> over (no live job). It does not use the simulator:
 * the job manager calls it when messages report the jobs' progress.
 */
class Cojob
{
  public:
    /**
     * \param spec with at least one job and one stage; asks the search at once for every stage,
     *        since the accuracies do not depend on the run
     */
    explicit Cojob(const CojobSpec& spec);

    const CojobSpec& GetSpec() const
    {
        return m_spec;
    }

    /** \return the current stage, from 1; 0 before Begin; the last one run when all is over */
    uint32_t GetStage() const
    {
        return m_stage;
    }

    /** \return how many stages the cojob has; those after GetLastStage() of all jobs never run */
    uint32_t GetStages() const
    {
        return m_spec.iterations.size();
    }

    /** \return iterations of a stage, from 1 to GetStages() */
    uint64_t GetIterations(uint32_t stage) const;

    /** \return jobs not stopped yet, ascending */
    std::vector<JobId> GetLiveJobs() const
    {
        return {m_live.begin(), m_live.end()};
    }

    /** \return whether it is a live job that has not finished the current stage */
    bool IsInStage(JobId job) const
    {
        return m_running.count(job) > 0;
    }

    /** \return the stage, from 1, after which that job will stop */
    uint32_t GetLastStage(JobId job) const;

    /** All jobs have GPUs: run stage 1. Once. \return all jobs go */
    StageDecision Begin();

    /**
     * A live job has finished the current stage; called once per job and stage.
     *
     * \param job that has finished
     * \return the decision when the last job has finished; nothing before
     */
    std::optional<StageDecision> FinishStage(JobId job);

  private:
    bool IsLastStage() const;
    StageDecision Decide();

    CojobSpec m_spec;
    std::vector<uint32_t> m_lastStages; //!< by position in m_spec.jobs
    std::set<JobId> m_live;
    std::set<JobId> m_running; //!< live jobs that have not finished the current stage
    uint32_t m_stage{0};
};

} // namespace ns3::ddl

#endif // DDL_COJOB_H
