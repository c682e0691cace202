// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-placement-helpers.h"
#include "ddl-placement-policy.h"

#include "ns3/boolean.h"
#include "ns3/ddl-policy-source.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <vector>

namespace ns3::ddl
{

namespace
{

/** A server with GPUs. */
struct LoadedServer
{
    Time load;            //!< sum of the loads of its GPUs
    std::size_t gpus{0};  //!< number of its GPUs
    MachineList machines; //!< machines of which it consists
};

/** \return the servers with GPUs, least load first; of equals, in index order */
std::vector<LoadedServer>
SortByLoad(const ClusterView& cluster)
{
    std::vector<LoadedServer> servers;
    for (const MachineList& machines : ByServer(cluster))
    {
        if (const std::size_t gpus = CountGpus(machines))
        {
            servers.push_back({GetLoad(machines), gpus, machines});
        }
    }
    std::stable_sort(servers.begin(), servers.end(), [](const auto& a, const auto& b) {
        return a.load < b.load;
    });
    return servers;
}

} // namespace

/**
 * `lwf`: least workload first, LWF-kappa (Ada-SRSF Algorithm 1). A job of at most Kappa GPUs gets
 * the least loaded ones, as with list-scheduling; a larger one takes servers in the order of
 * their total load, the GPUs with room of each by load, until it has n. Of equals, the lower index.
 *
 * The paper's listing picks the first ceil(n / N_g) servers (line 13) and then loops over all of
 * them (line 15). Here all are taken, as in the text; with ChosenOnly a job waits until those first
 * ones have room for it. Where machines have different numbers of GPUs, the first ones are as many
 * as have n GPUs together; those without GPUs do not count.
 */
class LwfPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::LwfPlacementPolicy")
                .SetParent<PlacementPolicy>()
                .SetGroupName("Ddl")
                .AddConstructor<LwfPlacementPolicy>()
                .AddAttribute("Kappa",
                              "Jobs of at most this many GPUs get the least loaded GPUs of the "
                              "cluster, on any servers.",
                              UintegerValue(1),
                              MakeUintegerAccessor(&LwfPlacementPolicy::m_kappa),
                              MakeUintegerChecker<uint32_t>())
                .AddAttribute("ChosenOnly",
                              "A larger job waits for room on the least loaded servers that it "
                              "would fill, even if others have room.",
                              BooleanValue(false),
                              MakeBooleanAccessor(&LwfPlacementPolicy::m_chosenOnly),
                              MakeBooleanChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "least loaded GPUs up to Kappa, then least loaded servers one by one (Ada-SRSF "
               "Algorithm 1)";
    }

  private:
    PlacementAnswer DoPlace(const PlacementView& view) override
    {
        if (view.workers <= m_kappa) // line 4
        {
            return TakeFirst(view, SortByLoad(ListRoom(view.cluster, view.memory))); // lines 5 to 9
        }
        std::size_t chosen = 0;                                     // GPUs of the servers so far
        std::vector<GpuView> available;                             // lines 14 to 17
        for (const LoadedServer& server : SortByLoad(view.cluster)) // line 13
        {
            if (m_chosenOnly && chosen >= view.workers)
            {
                break;
            }
            chosen += server.gpus;
            const auto room = SortByLoad(ListRoom(server.machines, view.memory));
            available.insert(available.end(), room.begin(), room.end());
        }
        return TakeFirst(view, available); // lines 18 to 22
    }

    uint32_t m_kappa;  //!< most GPUs of a job that is not consolidated
    bool m_chosenOnly; //!< whether line 15 loops over the servers of line 13 only
};

NS_OBJECT_ENSURE_REGISTERED(LwfPlacementPolicy);
DDL_POLICY_SOURCE(LwfPlacementPolicy, "Ada-SRSF, arXiv", 2020, "remaining time");

} // namespace ns3::ddl
