// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-at-once-arrival-process.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(AtOnceArrivalProcess);

TypeId
AtOnceArrivalProcess::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::AtOnceArrivalProcess")
                            .SetParent<ArrivalProcess>()
                            .SetGroupName("Ddl")
                            .AddConstructor<AtOnceArrivalProcess>();
    return tid;
}

} // namespace ns3::ddl
