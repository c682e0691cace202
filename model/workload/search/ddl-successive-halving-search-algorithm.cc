// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-successive-halving-search-algorithm.h"

#include "ns3/double.h"

#include <algorithm>
#include <cmath>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(SuccessiveHalvingSearchAlgorithm);

TypeId
SuccessiveHalvingSearchAlgorithm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::SuccessiveHalvingSearchAlgorithm")
            .SetParent<SearchAlgorithm>()
            .SetGroupName("Ddl")
            .AddConstructor<SuccessiveHalvingSearchAlgorithm>()
            .AddAttribute("Fraction",
                          "Part of the live jobs that is stopped after a stage.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&SuccessiveHalvingSearchAlgorithm::m_fraction),
                          MakeDoubleChecker<double>(0.0, 1.0));
    return tid;
}

std::vector<JobId>
SuccessiveHalvingSearchAlgorithm::DoSelectStops(const SearchView& view) const
{
    const std::size_t live = view.jobs.size();
    if (live < 2 || m_fraction <= 0)
    {
        return {};
    }
    std::vector<SearchJobView> worst = view.jobs;
    std::sort(worst.begin(), worst.end(), [](const auto& a, const auto& b) {
        return a.accuracy != b.accuracy ? a.accuracy < b.accuracy : b.id < a.id;
    });
    // The addend makes 0.29 of 100 be 29, although it is 28.999... in binary.
    const auto part =
        static_cast<std::size_t>(std::floor(m_fraction * static_cast<double>(live) + 1e-9));
    const std::size_t count = std::clamp<std::size_t>(part, 1, live - 1);
    std::vector<JobId> stops;
    for (std::size_t i = 0; i < count; ++i)
    {
        stops.push_back(worst[i].id);
    }
    return stops;
}

} // namespace ns3::ddl
