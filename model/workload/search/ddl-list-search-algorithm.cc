// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-list-search-algorithm.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(ListSearchAlgorithm);

TypeId
ListSearchAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::ListSearchAlgorithm")
                            .SetParent<SearchAlgorithm>()
                            .SetGroupName("Ddl")
                            .AddConstructor<ListSearchAlgorithm>();
    return tid;
}

std::vector<JobId>
ListSearchAlgorithm::DoSelectStops(const SearchView& view) const
{
    std::vector<JobId> stops;
    for (const SearchJobView& job : view.jobs)
    {
        if (job.stopAfter <= view.stage)
        {
            stops.push_back(job.id);
        }
    }
    return stops;
}

} // namespace ns3::ddl
