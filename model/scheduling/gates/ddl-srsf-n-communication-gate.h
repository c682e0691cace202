// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SRSF_N_COMMUNICATION_GATE_H
#define DDL_SRSF_N_COMMUNICATION_GATE_H

#include "ddl-communication-gate.h"

namespace ns3
{
namespace ddl
{

/**
 * SRSF(n): at most n communication tasks a server (Ada-SRSF §V-A). With N 1 no two contend.
 *
 * The name has no part in the rule: that tasks which wait are tried by shortest remaining service
 * is the same for all gates.
 */
class SrsfNCommunicationGate : public CommunicationGate
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  private:
    bool DoMayStart(const GateView& view) override;

    uint32_t m_n{1};
};

} // namespace ddl
} // namespace ns3

#endif // DDL_SRSF_N_COMMUNICATION_GATE_H
