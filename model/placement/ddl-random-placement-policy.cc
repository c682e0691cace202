// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-placement-helpers.h"
#include "ddl-placement-policy.h"

#include "ns3/ddl-policy-source.h"
#include "ns3/random-variable-stream.h"

#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr int64_t RNG_STREAM = 0x706c616365; // number of this policy's own RNG stream

} // namespace

/**
 * `random`: n random GPUs with room, all choices alike (Ada-SRSF §V, RAND). Draws depend on the
 * simulation's seed and on what was placed before. Parameter servers are placed as with first-fit.
 */
class RandomPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::RandomPlacementPolicy")
                                .SetParent<PlacementPolicy>()
                                .SetGroupName("Ddl")
                                .AddConstructor<RandomPlacementPolicy>();
        return tid;
    }

    RandomPlacementPolicy()
        : m_draw(CreateObject<UniformRandomVariable>())
    {
        m_draw->SetStream(RNG_STREAM);
    }

    std::string GetSummary() const override
    {
        return "n of the GPUs with room, drawn by lot (Ada-SRSF RAND)";
    }

  private:
    PlacementAnswer DoPlace(const PlacementView& view) override
    {
        std::vector<GpuView> room = ListRoom(view.cluster, view.memory);
        if (room.size() < view.workers)
        {
            return std::nullopt;
        }
        std::vector<GpuId> taken;
        for (uint32_t i = 0; i < view.workers; ++i)
        {
            const uint32_t last = room.size() - 1;
            std::swap(room[i], room[m_draw->GetInteger(i, last)]);
            taken.push_back(room[i].id);
        }
        return PlaceRanks(view, taken);
    }

    Ptr<UniformRandomVariable> m_draw;
};

NS_OBJECT_ENSURE_REGISTERED(RandomPlacementPolicy);
DDL_POLICY_SOURCE(RandomPlacementPolicy, "Ada-SRSF, arXiv", 2020, "nothing");

} // namespace ns3::ddl
