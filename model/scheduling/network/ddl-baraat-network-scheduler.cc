// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-network-scheduler.h"
#include "ddl-unit-order.h"

#include "ns3/ddl-policy-source.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::ddl
{

/**
 * Stages in FIFO order (Dogar et al. 2014, §4; as Grouper §V-A baseline (i) uses it: a stage is a
 * task, and tasks go in the order of their release).
 *
 * Attribute Multiplexing: the first m active stages share the first priority, Baraat's limited
 * multiplexing (§4.1.2) with a fixed m instead of its detection of heavy tasks.
 */
class BaraatNetworkScheduler : public NetworkScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::BaraatNetworkScheduler")
                .SetParent<NetworkScheduler>()
                .SetGroupName("Ddl")
                .AddConstructor<BaraatNetworkScheduler>()
                .AddAttribute("Multiplexing",
                              "Active stages that share the first priority",
                              UintegerValue(1),
                              MakeUintegerAccessor(&BaraatNetworkScheduler::m_multiplexing),
                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "stages first come, first served (Dogar et al. 2014; Grouper §V-A)";
    }

    UnitKind GetUnitKind() const override
    {
        return UnitKind::STAGE;
    }

  private:
    UnitOrder DoOrder(const SchedulerView& view) override
    {
        // Future stages have a release of Time::Max() and so go last.
        std::vector<uint32_t> indices = IndicesById(view);
        std::stable_sort(indices.begin(), indices.end(), [&view](uint32_t a, uint32_t b) {
            return view.units[a].release < view.units[b].release;
        });
        UnitOrder order;
        for (const uint32_t index : indices)
        {
            const bool shares = view.units[index].active && order.size() == 1 &&
                                view.units[order.front().front()].active &&
                                order.front().size() < m_multiplexing;
            if (shares)
            {
                order.front().push_back(index);
            }
            else
            {
                order.push_back({index});
            }
        }
        return order;
    }

    uint32_t m_multiplexing{1};
};

NS_OBJECT_ENSURE_REGISTERED(BaraatNetworkScheduler);
DDL_POLICY_SOURCE(BaraatNetworkScheduler, "Baraat, SIGCOMM", 2014, "nothing");

} // namespace ns3::ddl
