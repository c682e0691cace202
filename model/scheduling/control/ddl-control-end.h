// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CONTROL_END_H
#define DDL_CONTROL_END_H

#include "ddl-control-message.h"

#include "ns3/ptr.h"

#include <functional>

namespace ns3::ddl
{

class ControlPlane;

/**
 * One machine's access to the control plane: it sends and receives control messages in the name of
 * this machine only.
 */
class ControlEnd
{
  public:
    using Handler = std::function<void(const ControlMessage&)>;

    /** \param plane that carries the messages, installed \param machine this one */
    ControlEnd(Ptr<ControlPlane> plane, HostId machine);
    ~ControlEnd();
    ControlEnd(const ControlEnd& other);
    ControlEnd& operator=(const ControlEnd&) = delete;

    /** \param handler called with each message that arrives from now on */
    void SetHandler(Handler handler);

    void ToCoordinator(const ControlMessage& message);

    /** \param destination another machine; this one has joined the path to it (ControlPlane::Join)
     */
    void ToPeer(HostId destination, const ControlMessage& message);

    // See ControlPlane. \param destination another machine
    void Join(HostId destination);
    void Leave(HostId destination);

  private:
    Ptr<ControlPlane> m_plane;
    HostId m_machine;
};

} // namespace ns3::ddl

#endif // DDL_CONTROL_END_H
