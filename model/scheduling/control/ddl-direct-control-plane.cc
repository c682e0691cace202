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

  protected:
    void DoDispose() override
    {
        m_closings.clear();
        ControlPlane::DoDispose();
    }

  private:
    uint64_t DoSend(const Path& path, uint64_t /* bytes */, const ControlMessage& message) override
    {
        // The event keeps the plane, which may be disposed of before.
        Simulator::ScheduleNow(&DirectControlPlane::Arrive,
                               Ptr<DirectControlPlane>(this),
                               path,
                               m_closings[path],
                               message);
        return 0;
    }

    void DoClose(const Path& path) override
    {
        ++m_closings[path];
    }

    void Arrive(const Path& path, uint64_t closings, const ControlMessage& message)
    {
        const auto now = m_closings.find(path);
        if (now != m_closings.end() && now->second == closings) // else it is lost
        {
            Deliver(path, message);
        }
    }

    std::map<Path, uint64_t> m_closings; //!< how often each path was closed
};

NS_OBJECT_ENSURE_REGISTERED(DirectControlPlane);

} // namespace ns3::ddl
