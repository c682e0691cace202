// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LIST_SEARCH_ALGORITHM_H
#define DDL_LIST_SEARCH_ALGORITHM_H

#include "ddl-search-algorithm.h"

namespace ns3::ddl
{

/** `list`: a job stops after the stage that the user gives for it (JobSpec::stopAfter). */
class ListSearchAlgorithm : public SearchAlgorithm
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "each job stops after the stage given for it";
    }

  private:
    std::vector<JobId> DoSelectStops(const SearchView& view) const override;
};

} // namespace ns3::ddl

#endif // DDL_LIST_SEARCH_ALGORITHM_H
