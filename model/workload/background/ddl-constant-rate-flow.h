// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CONSTANT_RATE_FLOW_H
#define DDL_CONSTANT_RATE_FLOW_H

#include "ddl-background-flow.h"

#include "ns3/ddl-host-port.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/socket.h"

namespace ns3::ddl
{

/**
 * Sends UDP packets of one size, evenly spaced; losses do not slow it down. Packet n leaves n
 * packet sizes over the rate after the start, without drift. It is an application of the machine
 * that sends; ConstantRateSink is the application of the other machine.
 */
class ConstantRateFlow : public Application
{
  public:
    static constexpr uint32_t HEADER_BYTES = 28; //!< header bytes: IPv4 20, UDP 8

    static TypeId GetTypeId();

    /**
     * \param flow the flow, checked, of kind CONSTANT_RATE
     * \param nic NIC of the machine that sends
     * \param destination address of the machine that receives
     * \param port UDP port of the sink
     */
    ConstantRateFlow(const BackgroundFlowSpec& flow,
                     Ptr<HostPort> nic,
                     Ipv4Address destination,
                     uint16_t port);

    uint64_t GetSentPackets() const
    {
        return m_sent;
    }

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    void SendNext();

    BackgroundFlowSpec m_flow;
    Ptr<HostPort> m_nic;
    Ipv4Address m_destination;
    uint16_t m_port;
    Ptr<Socket> m_socket;
    EventId m_next;
    Time m_begin;
    uint64_t m_sent{0};
};

/** Receives the packets of a ConstantRateFlow, also those in transit when that stops. */
class ConstantRateSink : public Application
{
  public:
    static TypeId GetTypeId();

    /** \param node the machine that receives */
    explicit ConstantRateSink(Ptr<Node> node);

    /** \return the UDP port on which it receives */
    uint16_t GetPort() const;

    uint64_t GetReceivedPackets() const
    {
        return m_received;
    }

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;
    void Receive(Ptr<Socket> socket);

    Ptr<Socket> m_socket;
    uint64_t m_received{0};
};

} // namespace ns3::ddl

#endif // DDL_CONSTANT_RATE_FLOW_H
