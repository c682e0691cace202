// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-lwf-placement-policy.h"

#include "ddl-cluster-view-access.h"
#include "ddl-take-first.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(LwfPlacementPolicy);

TypeId
LwfPlacementPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::LwfPlacementPolicy")
                            .SetParent<PlacementPolicy>()
                            .SetGroupName("Ddl")
                            .AddConstructor<LwfPlacementPolicy>()
                            .AddAttribute("Kappa",
                                          "Jobs of at most that many GPUs get the least loaded "
                                          "ones wherever they are.",
                                          UintegerValue(1),
                                          MakeUintegerAccessor(&LwfPlacementPolicy::m_kappa),
                                          MakeUintegerChecker<uint32_t>())
                            .AddAttribute("ChosenOnly",
                                          "A larger job takes the least loaded machines that it "
                                          "would fill, and waits for room on these.",
                                          BooleanValue(false),
                                          MakeBooleanAccessor(&LwfPlacementPolicy::m_chosenOnly),
                                          MakeBooleanChecker());
    return tid;
}

std::string
LwfPlacementPolicy::GetSummary() const
{
    return "least loaded GPUs up to Kappa, then least loaded machines one by one (Ada-SRSF "
           "Algorithm 1)";
}

std::optional<Placement>
LwfPlacementPolicy::DoPlace(const PlacementView& view)
{
    if (view.workers <= m_kappa) // line 4
    {
        return TakeFirst(view, SortByLoad(ListRoom(view.cluster, view.memory))); // lines 5 to 9
    }
    std::vector<MachineView> machines = view.cluster.machines; // line 13
    std::stable_sort(machines.begin(), machines.end(), [](const auto& a, const auto& b) {
        return GetLoad(a) < GetLoad(b);
    });
    if (m_chosenOnly)
    {
        std::size_t most = 1; // N_g
        for (const MachineView& machine : machines)
        {
            most = std::max(most, machine.gpus.size());
        }
        machines.resize(std::min(machines.size(), (view.workers + most - 1) / most));
    }
    std::vector<GpuView> available; // lines 14 to 17
    for (const MachineView& machine : machines)
    {
        const auto room = SortByLoad(ListRoom(ClusterView{{machine}}, view.memory));
        available.insert(available.end(), room.begin(), room.end());
    }
    return TakeFirst(view, available); // lines 18 to 22
}

} // namespace ddl
} // namespace ns3
