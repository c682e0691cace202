// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-path-selector.h"

#include "ns3/enum.h"

#include <unordered_map>

namespace ns3::ddl
{

namespace
{

/** How a spraying switch goes through its ports. */
enum SprayOrder
{
    RANDOM,     //!< each packet takes a random port
    ROUND_ROBIN //!< packets take the ports in turn, from a random one on
};

/** EnumValue is a class up to ns-3.40 and a template from 3.41 on. */
using OrderValue = decltype(EnumValue(RANDOM));

} // namespace

/**
 * Packet spraying (Dixit et al., On the Impact of Packet Spraying in Data Center Networks, INFOCOM
 * 2013): each packet takes another port, whatever its flow. With round-robin, the packets to the
 * hosts at one switch take turns.
 */
class SprayPathSelector : public PathSelector
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::SprayPathSelector")
                .SetParent<PathSelector>()
                .SetGroupName("Ddl")
                .AddConstructor<SprayPathSelector>()
                .AddAttribute("Order",
                              "How a switch goes through its ports: random, or round-robin from a "
                              "random one on.",
                              OrderValue(RANDOM),
                              MakeAccessorHelper<OrderValue>(&SprayPathSelector::m_order),
                              MakeEnumChecker(RANDOM, "random", ROUND_ROBIN, "round-robin"));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "each packet by another port (Dixit et al. 2013); for rdma with selective repeat";
    }

    PathSpread GetSpread() const override
    {
        return PathSpread::EVEN;
    }

  private:
    uint32_t DoChoose(const PathQuery& query) override
    {
        if (m_order == RANDOM)
        {
            return Draw(query.count);
        }
        const auto [entry, isNew] = m_next.try_emplace(query.ports, 0);
        entry->second = isNew ? Draw(query.count) : (entry->second + 1) % query.count;
        return entry->second;
    }

    void DoReset() override
    {
        m_next.clear();
    }

    SprayOrder m_order;
    std::unordered_map<SwitchPort* const*, uint32_t> m_next; //!< last port by group of ports
};

NS_OBJECT_ENSURE_REGISTERED(SprayPathSelector);

} // namespace ns3::ddl
