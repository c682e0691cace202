// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-control-plane.h"

#include "ns3/simulator.h"

namespace ns3::ddl
{

/** No network: messages arrive at the same instant and cost nothing. For tests. */
class DirectControlPlane : public ControlPlane
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::DirectControlPlane")
                                .SetParent<ControlPlane>()
                                .SetGroupName("Ddl")
                                .AddConstructor<DirectControlPlane>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "messages arrive at once and cost nothing; for tests";
    }

  private:
    uint64_t DoSend(const Path& path, uint64_t /* bytes */, uint64_t number) override
    {
        // The event keeps the plane, which may be disposed of before.
        Simulator::ScheduleNow(&DirectControlPlane::Deliver,
                               Ptr<DirectControlPlane>(this),
                               path,
                               number);
        return 0;
    }
};

NS_OBJECT_ENSURE_REGISTERED(DirectControlPlane);

} // namespace ns3::ddl
