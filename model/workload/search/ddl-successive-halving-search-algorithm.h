// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SUCCESSIVE_HALVING_SEARCH_ALGORITHM_H
#define DDL_SUCCESSIVE_HALVING_SEARCH_ALGORITHM_H

#include "ddl-search-algorithm.h"

namespace ns3::ddl
{

/**
 * `successive-halving`: after each stage the jobs with the lowest accuracy stop, the worst half by
 * default, until one is left (Grouper §II-B, Fig. 2).
 *
 * Of n live jobs floor(Fraction n) stop, never all; with Fraction > 0 and n > 1 at least one stops.
 * Of two jobs with the same accuracy the one with the higher id stops first.
 */
class SuccessiveHalvingSearchAlgorithm : public SearchAlgorithm
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "the worst part of the jobs stops after each stage (Grouper Fig. 2)";
    }

  private:
    std::vector<JobId> DoSelectStops(const SearchView& view) const override;

    double m_fraction; //!< fraction of the live jobs that stops
};

} // namespace ns3::ddl

#endif // DDL_SUCCESSIVE_HALVING_SEARCH_ALGORITHM_H
