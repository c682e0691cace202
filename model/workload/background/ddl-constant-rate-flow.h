// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CONSTANT_RATE_FLOW_H
#define DDL_CONSTANT_RATE_FLOW_H

#include "ddl-background-flow.h"

#include "ns3/event-id.h"
#include "ns3/socket.h"

namespace ns3::ddl
{

/**
 * UDP packets of one size, evenly spaced; losses do not slow it down. The n-th packet leaves n
 * sizes after the start, without drift.
 */
class ConstantRateFlow : public Application
{
  public:
    static constexpr uint32_t HEADER_BYTES = 28; //!< IPv4 20, UDP 8

    static TypeId GetTypeId();

    /** \param flow checked, of kind CONSTANT_RATE */
    ConstantRateFlow(const BackgroundFlowSpec& flow, Ptr<Fabric> fabric);

    uint64_t GetSentPackets() const
    {
        return m_sent;
    }

    uint64_t GetReceivedPackets() const
    {
        return m_received;
    }

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    void SendNext();
    void Receive(Ptr<Socket> socket);

    BackgroundFlowSpec m_flow;
    Ptr<Fabric> m_fabric;
    Ptr<Socket> m_sender;
    Ptr<Socket> m_receiver; //!< on the destination; stays open for what is under way at the stop
    EventId m_next;
    Time m_begin;
    uint64_t m_sent{0};
    uint64_t m_received{0};
};

} // namespace ns3::ddl

#endif // DDL_CONSTANT_RATE_FLOW_H
