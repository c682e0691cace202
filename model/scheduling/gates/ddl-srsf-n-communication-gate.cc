// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-communication-gate.h"

#include "ns3/ddl-policy-source.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::ddl
{

/**
 * SRSF(n): at most n communication tasks per server (Ada-SRSF §V-A). With N 1 no two contend.
 *
 * The order that gives it its name is not part of the rule: all gates try waiting tasks by shortest
 * remaining service.
 */
class SrsfNCommunicationGate : public CommunicationGate
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::SrsfNCommunicationGate")
                .SetParent<CommunicationGate>()
                .SetGroupName("Ddl")
                .AddConstructor<SrsfNCommunicationGate>()
                .AddAttribute("N",
                              "Communication tasks that a server may carry at the same time. At "
                              "least 1.",
                              UintegerValue(1),
                              MakeUintegerAccessor(&SrsfNCommunicationGate::m_n),
                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "at most N transfers a server at a time (Ada-SRSF §V-A); srsf-2 is short for N = 2";
    }

  private:
    GateAnswer DoMayStart(const GateView& view) override
    {
        return std::all_of(view.servers.begin(),
                           view.servers.end(),
                           [this](const GateServer& server) { return server.tasks.size() < m_n; });
    }

    uint32_t m_n{1};
};

NS_OBJECT_ENSURE_REGISTERED(SrsfNCommunicationGate);
DDL_POLICY_SOURCE(SrsfNCommunicationGate, "Ada-SRSF, arXiv", 2020, "remaining time");

} // namespace ns3::ddl
