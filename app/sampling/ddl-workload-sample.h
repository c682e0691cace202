// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_WORKLOAD_SAMPLE_H
#define DDL_WORKLOAD_SAMPLE_H

#include "ns3/ddl-scenario.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * The work of a scenario, or its first part if a generator or a trace has very many jobs. The jobs
 * are made once, here, and stand for the rest.
 */
class WorkloadSample
{
  public:
    /** \param scenario a valid scenario, whose scale is applied here */
    explicit WorkloadSample(const Scenario& scenario);

    /** \return the scenario as it was given */
    const Scenario& GetScenario() const
    {
        return m_scenario;
    }

    /** \return the scenario with its scale applied */
    const Scenario& GetScaled() const
    {
        return m_scaled;
    }

    /** \return cojobs and plain jobs of the sample, scaled; written-out ones come first */
    const std::vector<CojobSpec>& GetGroups() const
    {
        return m_groups;
    }

    /** \return number of jobs in all groups */
    std::size_t CountJobs() const;

    /** \return number of groups that the scenario writes out */
    std::size_t CountWritten() const
    {
        return m_scaled.workload.groups.size();
    }

    /** \return number of all groups of the generator or the trace over the number of those in the
     * sample; 1: the sample is all of the work */
    double GetFactor() const
    {
        return m_factor;
    }

    /**
     * \return a scenario, scale applied, whose beginning can be run as a trial. It has the sample
     *         instead of all jobs, which may take very long to make, unless jobs follow from the
     *         course of the run (successors)
     */
    Scenario MakeTrial() const;
    /** \return true if the trial lacks some of the work */
    bool IsTrialPart() const;

  private:
    Scenario m_scenario;
    Scenario m_scaled;
    std::vector<CojobSpec> m_groups;
    double m_factor{1};
};

/**
 * \return a sentence on each kind of jobs that the user probably does not mean: jobs that compute
 *         nothing and send nothing; jobs that compute nothing because their trace leaves no time
 */
std::vector<std::string> FindEmptyJobs(const WorkloadSample& work);

/** \return a sentence on each fault of a trace that was read nevertheless, with the file's name */
std::vector<std::string> ListTraceFaults(const WorkloadSpec& workload);

} // namespace ns3::ddl

#endif // DDL_WORKLOAD_SAMPLE_H
