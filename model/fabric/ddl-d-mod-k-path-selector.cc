// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-path-selector.h"

namespace ns3::ddl
{

/**
 * Packets to host d take port floor(d / divisor) modulo k of a group of k, as InfiniBand routes
 * fat-trees (Zahavi, D-Mod-K routing, 2010).
 */
class DModKPathSelector : public PathSelector
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::DModKPathSelector")
                                .SetParent<PathSelector>()
                                .SetGroupName("Ddl")
                                .AddConstructor<DModKPathSelector>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "by the number of the destination, as InfiniBand does (Zahavi 2010)";
    }

    PathSpread GetSpread() const override
    {
        return PathSpread::FLOW;
    }

    bool SeparatesFlows() const override
    {
        return false;
    }

  private:
    uint32_t DoPick(uint32_t destination, uint32_t /* flowHash */, uint32_t count) const override
    {
        return destination / GetSwitch().divisor % count;
    }
};

NS_OBJECT_ENSURE_REGISTERED(DModKPathSelector);

} // namespace ns3::ddl
