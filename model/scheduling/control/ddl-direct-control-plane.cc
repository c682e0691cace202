// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-control-plane.h"

#include "ns3/simulator.h"

namespace ns3::ddl
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

NS_OBJECT_ENSURE_REGISTERED(DirectControlPlane);

namespace
{

void
Run(Callback<void> callback)
{
    callback();
}

} // namespace

TypeId
DirectControlPlane::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::DirectControlPlane")
                            .SetParent<ControlPlane>()
                            .SetGroupName("Ddl")
                            .AddConstructor<DirectControlPlane>();
    return tid;
}

std::string
DirectControlPlane::GetSummary() const
{
    return "messages arrive at once and cost nothing; for tests";
}

uint64_t
DirectControlPlane::DoSend(HostId, Direction, uint64_t, Callback<void> delivered)
{
    Simulator::ScheduleNow(&Run, delivered);
    return 0;
}

} // namespace ns3::ddl
