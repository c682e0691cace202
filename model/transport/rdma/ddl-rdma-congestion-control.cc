// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-rdma-congestion-control.h"

#include <typeinfo>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(RdmaCongestionControl);

TypeId
RdmaCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::RdmaCongestionControl").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

Ptr<RdmaCongestionControl>
RdmaCongestionControl::Fork() const
{
    const auto copy = DoFork();
    if (copy && typeid(*PeekPointer(copy)) == typeid(*this))
    {
        return copy;
    }
    ObjectFactory factory;
    factory.SetTypeId(GetInstanceTypeId());
    return factory.Create<RdmaCongestionControl>();
}

} // namespace ns3::ddl
