// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_NONE_SEARCH_ALGORITHM_H
#define DDL_NONE_SEARCH_ALGORITHM_H

#include "ddl-search-algorithm.h"

#include "ns3/ddl-job-spec.h"

namespace ns3::ddl
{

/** `none`: every job runs all stages. */
class NoneSearchAlgorithm : public SearchAlgorithm
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "every job runs all stages";
    }

  private:
    std::vector<JobId> DoSelectStops(const SearchView& /* view */) const override
    {
        return {};
    }
};

/**
 * \param job a job with its id
 * \param submit time of its arrival
 * \param iterations iterations of each stage
 * \return the job as a group of one, which has the job's number
 */
CojobSpec MakePlainJob(const JobSpec& job, Time submit, const std::vector<uint64_t>& iterations);

} // namespace ns3::ddl

#endif // DDL_NONE_SEARCH_ALGORITHM_H
