// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-none-communication-gate.h"

#include "ns3/ddl-policy-source.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(NoneCommunicationGate);
DDL_POLICY_SOURCE(NoneCommunicationGate, "", 0, "nothing");

TypeId
NoneCommunicationGate::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::NoneCommunicationGate")
                            .SetParent<CommunicationGate>()
                            .SetGroupName("Ddl")
                            .AddConstructor<NoneCommunicationGate>();
    return tid;
}

std::string
NoneCommunicationGate::GetSummary() const
{
    return "every transfer starts when it is ready; nothing is asked";
}

} // namespace ns3::ddl
