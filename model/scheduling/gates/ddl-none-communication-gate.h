// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_NONE_COMMUNICATION_GATE_H
#define DDL_NONE_COMMUNICATION_GATE_H

#include "ddl-communication-gate.h"

namespace ns3::ddl
{

/** `none`: every transfer starts when it is ready, without a request. */
class NoneCommunicationGate : public CommunicationGate
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;

    bool IsAsked() const override
    {
        return false;
    }

  private:
    GateAnswer DoMayStart(const GateView& /* view */) override
    {
        return true;
    }
};

} // namespace ns3::ddl

#endif // DDL_NONE_COMMUNICATION_GATE_H
