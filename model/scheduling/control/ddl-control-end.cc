// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-control-end.h"

#include "ddl-control-plane.h"

#include <utility>

namespace ns3::ddl
{

ControlEnd::ControlEnd(Ptr<ControlPlane> plane, HostId machine)
    : m_plane(plane),
      m_machine(machine)
{
}

ControlEnd::~ControlEnd() = default;

ControlEnd::ControlEnd(const ControlEnd& other) = default;

void
ControlEnd::SetHandler(Handler handler)
{
    m_plane->SetAgentHandler(m_machine, std::move(handler));
}

void
ControlEnd::ToCoordinator(const ControlMessage& message)
{
    m_plane->ToCoordinator(m_machine, message);
}

void
ControlEnd::ToPeer(HostId destination, const ControlMessage& message)
{
    m_plane->ToPeer(m_machine, destination, message);
}

void
ControlEnd::Join(HostId destination)
{
    m_plane->Join(m_machine, destination);
}

void
ControlEnd::Leave(HostId destination)
{
    m_plane->Leave(m_machine, destination);
}

} // namespace ns3::ddl
