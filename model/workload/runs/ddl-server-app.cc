// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-server-app.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlServerApp");
NS_OBJECT_ENSURE_REGISTERED(ServerApp);

TypeId
ServerApp::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::ServerApp")
                            .SetParent<RankApp>()
                            .SetGroupName("Ddl")
                            .AddConstructor<ServerApp>();
    return tid;
}

bool
ServerApp::IsReadyFor(uint64_t iteration) const
{
    return iteration < m_known;
}

void
ServerApp::DoAddIterations()
{
    // Those that have no progress yet will start out ready.
    const uint32_t begin = std::max(m_known, GetOldest());
    m_known = GetAllowed();
    for (uint64_t iteration = begin; iteration < std::min(m_seen, m_known); ++iteration)
    {
        SetReady(iteration);
    }
    RetireFinished();
}

void
ServerApp::DoArrive(uint64_t iteration)
{
    m_seen = std::max(m_seen, iteration + 1);
    RetireFinished();
}

void
ServerApp::DoDelivered(uint32_t /* iteration */)
{
    RetireFinished();
}

void
ServerApp::RetireFinished()
{
    while (GetOldest() < m_seen && At(GetOldest()).inbound == 0 &&
           At(GetOldest()).ready == GetBuckets() && At(GetOldest()).unsent == 0)
    {
        Retire();
    }
}

} // namespace ns3::ddl
