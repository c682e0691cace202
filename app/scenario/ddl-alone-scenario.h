// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ALONE_SCENARIO_H
#define DDL_ALONE_SCENARIO_H

#include "ns3/ddl-scenario.h"

namespace ns3::ddl
{

// Scenarios that are parts of another one: without its output, without its work, with one job.

/** \return the scenario without figures, runs alone and tables that its user asked for */
Scenario WithoutOutput(const Scenario& scenario);

/** \return the scenario without its written-out jobs: what all alone runs have in common */
Scenario WithoutWork(const Scenario& scenario);

/** \return the job on those GPUs, ended by nothing but the number of its iterations */
JobSpec KeepPlaced(const JobSpec& job, const Placement& placement);

/** \return true if compute times of the scenario are random (jitter, stragglers) */
bool HasNoise(const Scenario& scenario);

/** \return true if the transport of the scenario's run has packets */
bool HasPackets(const Scenario& scenario);

/** \return true if tasks of some jobs run on whatever GPUs are free (TrainingJob::UsesRounds) */
bool UsesRounds(const Scenario& scenario);

/** \return the scenario with \p group as its only work, released at 0, and no output */
Scenario MakeAlone(const Scenario& scenario, const CojobSpec& group);

/** Makes the scenarios in which single jobs of a run are alone. */
class JobsAlone
{
  public:
    /** \param scenario scenario of the run; its work may be missing */
    explicit JobsAlone(const Scenario& scenario);

    /**
     * \param job a job of the run
     * \param placement the job's placement in the run
     * \param iterations number of iterations that the job did
     * \return the run's scenario with that job only: same placement, all iterations in one stage,
     *         released at 0. Jobs whose runs alone would be equal give equal scenarios
     */
    Scenario Make(const JobSpec& job, const Placement& placement, uint64_t iterations) const;

  private:
    Scenario m_base;    //!< scenario without its work
    bool m_idsMatter;   //!< compute times are random, and depend on job ids
    bool m_pathsDiffer; //!< paths of flows depend on the ids of their jobs
};

} // namespace ns3::ddl

#endif // DDL_ALONE_SCENARIO_H
