// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_HYPERBAND_SEARCH_ALGORITHM_H
#define DDL_HYPERBAND_SEARCH_ALGORITHM_H

#include "ddl-search-algorithm.h"

namespace ns3::ddl
{

/**
 * `hyperband`: within a bracket, the best floor(n / Eta) of n live jobs go on after each stage, at
 * least one (Li et al., JMLR 18(185), 2018, Algorithm 1, line 8).
 *
 * Of two jobs with the same accuracy the one with the lower id goes on. The brackets themselves,
 * with their numbers of jobs and iterations, are MakeHyperbandBrackets().
 */
class HyperbandSearchAlgorithm : public SearchAlgorithm
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "the best one of Eta jobs goes on after each stage (HyperBand, Li et al. 2018)";
    }

  private:
    std::vector<JobId> DoSelectStops(const SearchView& view) const override;

    uint32_t m_eta; //!< one job of so many goes on
};

} // namespace ns3::ddl

#endif // DDL_HYPERBAND_SEARCH_ALGORITHM_H
