// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-none-search-algorithm.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(NoneSearchAlgorithm);

TypeId
NoneSearchAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::NoneSearchAlgorithm")
                            .SetParent<SearchAlgorithm>()
                            .SetGroupName("Ddl")
                            .AddConstructor<NoneSearchAlgorithm>();
    return tid;
}

CojobSpec
MakePlainJob(const JobSpec& job, Time submit, const std::vector<uint64_t>& iterations)
{
    CojobSpec group;
    group.id = CojobId{job.id.value};
    group.plain = true;
    group.submit = submit;
    group.iterations = iterations;
    group.search.SetTypeId(NoneSearchAlgorithm::GetTypeId());
    group.jobs = {job};
    return group;
}

} // namespace ns3::ddl
