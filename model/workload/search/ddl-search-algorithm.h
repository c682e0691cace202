// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SEARCH_ALGORITHM_H
#define DDL_SEARCH_ALGORITHM_H

#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-policy.h"

namespace ns3::ddl
{

/** One live job at the end of a stage. */
struct SearchJobView
{
    JobId id;
    double accuracy{0};                //!< accuracy at the end of this stage
    uint32_t stopAfter{NEVER_STOPPED}; //!< last stage given by the user
};

/** A cojob at the end of a stage that is not its last. */
struct SearchView
{
    uint32_t stage{1};               //!< number of the stage that has ended, from 1
    uint32_t stages{1};              //!< number of stages of the cojob
    std::vector<SearchJobView> jobs; //!< live jobs, by id
};

/** Policy family: which jobs of a cojob stop after this stage? */
class SearchAlgorithm : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * \param view the cojob
     * \return the jobs to stop, ascending, each of them live; may be all jobs
     */
    std::vector<JobId> SelectStops(const SearchView& view) const;

  private:
    virtual std::vector<JobId> DoSelectStops(const SearchView& view) const = 0;
};

/**
 * \param cojob a cojob with the accuracies of its jobs, which do not depend on the simulation
 * \return the last stage, from 1, of each of its jobs, in their order
 */
std::vector<uint32_t> PlanLastStages(const CojobSpec& cojob);

} // namespace ns3::ddl

#endif // DDL_SEARCH_ALGORITHM_H
