// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-path-selector.h"

namespace ns3::ddl
{

/**
 * Equal-cost multipath by hash (RFC 2992): the flow hash, mixed with the switch's salt, so that a
 * flow keeps its path and order and switches choose independently of each other. Switches make this
 * choice themselves, without a call (Switch::Choose).
 */
class EcmpPathSelector : public PathSelector
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::EcmpPathSelector")
                                .SetParent<PathSelector>()
                                .SetGroupName("Ddl")
                                .AddConstructor<EcmpPathSelector>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "by a hash of the flow, which keeps its path (RFC 2992)";
    }

    PathSpread GetSpread() const override
    {
        return PathSpread::FLOW;
    }
};

NS_OBJECT_ENSURE_REGISTERED(EcmpPathSelector);

} // namespace ns3::ddl
