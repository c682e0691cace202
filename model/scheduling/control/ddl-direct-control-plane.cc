// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-control-plane.h"

#include "ns3/simulator.h"

namespace ns3::ddl
{

namespace
{

void
Run(Callback<void> callback)
{
    callback();
}

} // namespace

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
    uint64_t DoSend(const Path&, uint64_t, Callback<void> delivered) override
    {
        Simulator::ScheduleNow(&Run, delivered);
        return 0;
    }
};

NS_OBJECT_ENSURE_REGISTERED(DirectControlPlane);

} // namespace ns3::ddl
