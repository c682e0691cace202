// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_DIRECT_CONTROL_PLANE_H
#define DDL_DIRECT_CONTROL_PLANE_H

#include "ddl-control-plane.h"

namespace ns3
{
namespace ddl
{

/** No network: messages arrive at the same instant and cost nothing. For tests. */
class DirectControlPlane : public ControlPlane
{
  public:
    static TypeId GetTypeId();
    std::string GetSummary() const override;

  private:
    uint64_t DoSend(HostId machine,
                    Direction direction,
                    uint64_t bytes,
                    Callback<void> delivered) override;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_DIRECT_CONTROL_PLANE_H
