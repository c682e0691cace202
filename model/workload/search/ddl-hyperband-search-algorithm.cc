// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-hyperband-search-algorithm.h"

#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(HyperbandSearchAlgorithm);

TypeId
HyperbandSearchAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::HyperbandSearchAlgorithm")
                            .SetParent<SearchAlgorithm>()
                            .SetGroupName("Ddl")
                            .AddConstructor<HyperbandSearchAlgorithm>()
                            .AddAttribute("Eta",
                                          "One of this many live jobs continues after a stage.",
                                          UintegerValue(3),
                                          MakeUintegerAccessor(&HyperbandSearchAlgorithm::m_eta),
                                          MakeUintegerChecker<uint32_t>(2, 1000));
    return tid;
}

std::vector<JobId>
HyperbandSearchAlgorithm::DoSelectStops(const SearchView& view) const
{
    std::vector<SearchJobView> worst = view.jobs;
    std::sort(worst.begin(), worst.end(), [](const auto& a, const auto& b) {
        return a.accuracy != b.accuracy ? a.accuracy < b.accuracy : b.id < a.id;
    });
    const std::size_t go = std::max<std::size_t>(1, worst.size() / m_eta);
    std::vector<JobId> stops;
    for (std::size_t i = 0; i + go < worst.size(); ++i)
    {
        stops.push_back(worst[i].id);
    }
    return stops;
}

} // namespace ns3::ddl
