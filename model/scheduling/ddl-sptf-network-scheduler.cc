// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sptf-network-scheduler.h"

#include "ddl-unit-order.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(SptfNetworkScheduler);

namespace
{

/** \return seconds that the unit needs at least, alone: its load on its most loaded port */
double
BottleneckSeconds(const UnitView& unit)
{
    double most = 0;
    for (const auto& load : unit.load)
    {
        most = std::max(most, load.seconds);
    }
    return most;
}

} // namespace

TypeId
SptfNetworkScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::SptfNetworkScheduler")
                            .SetParent<NetworkScheduler>()
                            .SetGroupName("Ddl")
                            .AddConstructor<SptfNetworkScheduler>();
    return tid;
}

std::string
SptfNetworkScheduler::GetSummary() const
{
    return "jobs, least remaining transmission time first, clairvoyant (Grouper Fig. 3(c))";
}

UnitKind
SptfNetworkScheduler::GetUnitKind() const
{
    return UnitKind::JOB;
}

bool
SptfNetworkScheduler::NeedsProgress() const
{
    return true;
}

bool
SptfNetworkScheduler::IsClairvoyant() const
{
    return true;
}

UnitOrder
SptfNetworkScheduler::DoRank(const SchedulerView& view)
{
    std::vector<double> seconds;
    for (const auto& unit : view.units)
    {
        seconds.push_back(BottleneckSeconds(unit));
    }
    std::vector<uint32_t> indices = IndicesById(view);
    std::stable_sort(indices.begin(), indices.end(), [&seconds](uint32_t a, uint32_t b) {
        return seconds[a] < seconds[b];
    });
    return InSingles(indices);
}

} // namespace ddl
} // namespace ns3
