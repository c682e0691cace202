// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COJOB_H
#define DDL_COJOB_H

#include "ns3/ddl-job-spec.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace ns3::ddl
{

/** Which jobs of a cojob stop after a stage, and which go on. Jobs ascending by id. */
struct StageDecision
{
    std::vector<JobId> stop; //!< jobs that are done
    std::vector<JobId> go;   //!< jobs that run the next stage; empty after the last
    uint32_t stage{0};       //!< the next stage, from 1; 0 when no job goes on
    uint64_t iterations{0};  //!< number of iterations of the next stage; 0 when no job goes on
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
     * The search is asked for every stage at once, since the accuracies do not depend on the run.
     *
     * \param spec the cojob, with at least one job and one stage
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

    /** \return number of iterations of a stage, from 1 */
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

    /** All jobs have GPUs, so stage 1 begins. Call it once. \return a decision by which all go */
    StageDecision Begin();

    /**
     * A live job has finished the current stage; called once per job and stage.
     *
     * \return the decision when the last job has finished, and in the last stage at once; else none
     */
    std::optional<StageDecision> FinishStage(JobId job);

  private:
    StageDecision Decide();

    CojobSpec m_spec;
    std::map<JobId, uint32_t> m_lastStages; //!< the stage after which each job stops
    std::set<JobId> m_live;
    std::set<JobId> m_running; //!< live jobs that have not finished the current stage
    uint32_t m_stage{0};
};

} // namespace ns3::ddl

#endif // DDL_COJOB_H
