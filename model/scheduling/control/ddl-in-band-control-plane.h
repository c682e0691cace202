// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_IN_BAND_CONTROL_PLANE_H
#define DDL_IN_BAND_CONTROL_PLANE_H

#include "ddl-control-plane.h"

namespace ns3::ddl
{

/**
 * Control messages cross the fabric in queue 0, which is kept for them (Grouper §IV-C). Between the
 * coordinator and each machine there is one stream per direction, which is opened with its first
 * message, stays open, and has the control mark at both ends.
 */
class InBandControlPlane : public ControlPlane
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "messages are sent over the fabric in queue 0 (Grouper §IV-C)";
    }

  protected:
    void DoDispose() override;

  private:
    uint64_t DoSend(HostId machine,
                    Direction direction,
                    uint64_t bytes,
                    Callback<void> delivered) override;

    std::map<HostId, Ptr<MessageStream>> m_toAgent;
    std::map<HostId, Ptr<MessageStream>> m_toCoordinator;
};

} // namespace ns3::ddl

#endif // DDL_IN_BAND_CONTROL_PLANE_H
