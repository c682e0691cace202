// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_NONE_SEARCH_ALGORITHM_H
#define DDL_NONE_SEARCH_ALGORITHM_H

#include "ddl-search-algorithm.h"

namespace ns3
{
namespace ddl
{

/** `none`: every job runs all stages. */
class NoneSearchAlgorithm : public SearchAlgorithm
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  private:
    std::vector<JobId> DoSelectStops(const SearchView& view) const override;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_NONE_SEARCH_ALGORITHM_H
