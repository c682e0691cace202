// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CONTROL_PLANE_H
#define DDL_CONTROL_PLANE_H

#include "ddl-control-message.h"

#include "ns3/callback.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-transport.h"

#include <deque>
#include <functional>
#include <map>

namespace ns3::ddl
{

/**
 * Policy family: how do control messages travel between the coordinator and the machines?
 *
 * The subclass moves the bytes; the contents wait here and are handed over when the bytes have
 * arrived. Invariants: between the coordinator and one machine, messages of one direction are
 * handed over in the order in which they were sent, each once, and never before the sending call
 * has returned.
 */
class ControlPlane : public Policy
{
  public:
    enum class Direction
    {
        TO_AGENT,
        TO_COORDINATOR
    };

    using AgentHandler = std::function<void(const ControlMessage&)>;
    using CoordinatorHandler = std::function<void(HostId, const ControlMessage&)>;

    static TypeId GetTypeId();

    /**
     * Once, before the first message.
     *
     * \param transport that carries the messages; may be null for `direct`
     * \param coordinator machine where the coordinator runs
     */
    void Install(Ptr<Transport> transport, HostId coordinator);

    void SetAgentHandler(HostId machine, AgentHandler handler);
    void SetCoordinatorHandler(CoordinatorHandler handler);

    void ToAgent(HostId machine, const ControlMessage& message);
    void ToCoordinator(HostId machine, const ControlMessage& message);

    HostId GetCoordinator() const
    {
        return m_coordinator;
    }

    /** \return sent so far, both directions */
    uint64_t GetMessages() const
    {
        return m_messages;
    }

    /** \return given to streams so far, without packet headers */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

  protected:
    void DoDispose() override;

    Ptr<Transport> GetTransport() const
    {
        return m_transport;
    }

  private:
    /** What lies between the coordinator and one machine. */
    struct Contents
    {
        std::deque<ControlMessage> toAgent;
        std::deque<ControlMessage> toCoordinator;
    };

    /**
     * Move the bytes of one message.
     *
     * \param delivered to be called when they have arrived, not before DoSend has returned
     * \return bytes that really travel
     */
    virtual uint64_t DoSend(HostId machine,
                            Direction direction,
                            uint64_t bytes,
                            Callback<void> delivered) = 0;

    void Send(HostId machine, Direction direction, const ControlMessage& message);
    static void Deliver(ControlPlane* plane, uint32_t machine, Direction direction);

    Ptr<Transport> m_transport;
    HostId m_coordinator;
    std::map<HostId, AgentHandler> m_agents;
    CoordinatorHandler m_coordinatorHandler;
    std::map<HostId, Contents> m_contents;
    uint64_t m_messages{0};
    uint64_t m_bytes{0};
};

} // namespace ns3::ddl

#endif // DDL_CONTROL_PLANE_H
