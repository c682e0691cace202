// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CONTROL_PLANE_H
#define DDL_CONTROL_PLANE_H

#include "ddl-control-end.h"
#include "ddl-control-message.h"

#include "ns3/ddl-policy.h"

#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace ns3::ddl
{

class Transport;

/** The number of messages of one kind, and their bytes. */
struct MessageTotals
{
    uint64_t messages{0};
    uint64_t bytes{0};
};

/**
 * Policy family: how do control messages travel between the coordinator and the machines, and
 * between machines?
 *
 * The subclass moves the bytes, and its ends of a path keep the contents until these have arrived.
 * Invariants: messages of one path are delivered in the order of sending, each once, and never
 * before the sending call has returned.
 */
class ControlPlane : public Policy
{
  public:
    enum class Direction
    {
        TO_AGENT,       //!< the coordinator sends
        TO_COORDINATOR, //!< an agent sends
        BETWEEN_AGENTS
    };

    /** Sender and receiver. The coordinator shares its machine with that machine's agent. */
    struct Path
    {
        HostId source;
        HostId destination;
        Direction direction{Direction::TO_AGENT};

        bool operator<(const Path& other) const
        {
            return std::tie(source, destination, direction) <
                   std::tie(other.source, other.destination, other.direction);
        }
    };

    using AgentHandler = std::function<void(const ControlMessage&)>;
    using CoordinatorHandler = std::function<void(HostId, const ControlMessage&)>;

    static TypeId GetTypeId();

    ControlPlane();
    ~ControlPlane() override;

    /**
     * Once, before the first message.
     *
     * \param transport that carries the messages; may be null for `direct`
     * \param coordinator machine where the coordinator runs
     */
    void Install(Ptr<Transport> transport, HostId coordinator);

    /** \return access for the software of a machine; call after Install */
    ControlEnd On(HostId machine);

    void SetAgentHandler(HostId machine, AgentHandler handler);
    void SetCoordinatorHandler(CoordinatorHandler handler);

    void ToAgent(HostId machine, const ControlMessage& message);
    void ToCoordinator(HostId machine, const ControlMessage& message);

    /** \param source, destination machines that differ; the source has joined the path */
    void ToPeer(HostId source, HostId destination, const ControlMessage& message);

    /**
     * The source may call ToPeer on this path from now on. It has to call Leave as often as Join.
     * The last Leave closes the path and loses the messages in transit. ToPeer or Leave on a path
     * that was not joined ends the program.
     *
     * \param source, destination machines that differ
     */
    void Join(HostId source, HostId destination);
    void Leave(HostId source, HostId destination);

    /**
     * A machine fails, or is back. Messages in transit to and from it are lost, and so are all that
     * are sent until it is back. The paths that it has joined are left.
     *
     * \param machine not the coordinator's
     */
    void SetUp(HostId machine, bool up);

    HostId GetCoordinator() const
    {
        return m_coordinator;
    }

    /** \return messages sent so far, in all directions */
    uint64_t GetMessages() const
    {
        return m_messages;
    }

    /** \return reports between machines that only a gate needs, so far */
    const MessageTotals& GetGateReports() const
    {
        return m_gateReports;
    }

    /** \return bytes given to streams so far, without packet headers */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

  protected:
    void DoDispose() override;

    Ptr<Transport> GetTransport() const;

    /** The bytes of a message have arrived: hand it over. */
    void Deliver(const Path& path, const ControlMessage& message);

  private:
    /**
     * Move the bytes of one message. Deliver is called when they have arrived, not before this has
     * returned.
     *
     * \param bytes of the message
     * \return bytes that really travel
     */
    virtual uint64_t DoSend(const Path& path, uint64_t bytes, const ControlMessage& message) = 0;

    /** Messages in transit on that path, if there are any, are lost; others may follow later. */
    virtual void DoClose(const Path& /* path */)
    {
    }

    void Send(const Path& path, const ControlMessage& message);

    Ptr<Transport> m_transport;
    HostId m_coordinator;
    std::map<HostId, AgentHandler> m_agents;
    CoordinatorHandler m_coordinatorHandler;
    std::map<Path, uint32_t> m_joined; //!< how often each path between agents has been joined
    std::set<HostId> m_down;           //!< machines that have failed
    uint64_t m_messages{0};
    uint64_t m_bytes{0};
    MessageTotals m_gateReports;
};

} // namespace ns3::ddl

#endif // DDL_CONTROL_PLANE_H
