// SPDX-License-Identifier: GPL-2.0-only
// Longest job first, the opposite of SPTF. Its name in a scenario is "longest-first".
#include "ns3/ddl-network-scheduler.h"

#include <algorithm>

namespace ns3::ddl
{
class LongestFirstNetworkScheduler : public NetworkScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::LongestFirstNetworkScheduler")
                                .SetParent<NetworkScheduler>()
                                .AddConstructor<LongestFirstNetworkScheduler>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "jobs with most left at their busiest port first";
    }

    UnitKind GetUnitKind() const override
    {
        return UnitKind::JOB;
    }

    bool NeedsProgress() const override
    {
        return true;
    }

  private:
    UnitOrder DoOrder(const SchedulerView& view) override
    {
        const auto left = [&view](const std::vector<uint32_t>& group) {
            double most = 0;
            for (const auto& load : view.units[group[0]].load)
            {
                most = std::max(most, load.seconds);
            }
            return most;
        };
        UnitOrder order;
        for (uint32_t unit = 0; unit < view.units.size(); ++unit)
        {
            order.push_back({unit});
        }
        std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
            return left(a) > left(b);
        });
        return order;
    }
};

NS_OBJECT_ENSURE_REGISTERED(LongestFirstNetworkScheduler);
} // namespace ns3::ddl
