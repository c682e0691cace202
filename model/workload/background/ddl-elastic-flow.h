// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ELASTIC_FLOW_H
#define DDL_ELASTIC_FLOW_H

#include "ddl-background-flow.h"

namespace ns3::ddl
{

/**
 * Messages on a stream of the run's transport: one, or one after another without a gap (the next is
 * always given before the last has arrived).
 */
class ElasticFlow : public Application
{
  public:
    static TypeId GetTypeId();

    /** \param flow checked, of kind ELASTIC \param flowLabel of Transport::Open */
    ElasticFlow(const BackgroundFlowSpec& flow, Ptr<Transport> transport, uint32_t flowLabel);

    uint64_t GetDeliveredMessages() const
    {
        return m_delivered;
    }

    /** \return the stream; null before the start */
    Ptr<MessageStream> GetStream() const
    {
        return m_stream;
    }

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    void Send();
    void Delivered();

    BackgroundFlowSpec m_flow;
    Ptr<Transport> m_transport;
    uint32_t m_flowLabel;
    Ptr<MessageStream> m_stream;
    bool m_stopped{false};
    uint64_t m_delivered{0};
};

} // namespace ns3::ddl

#endif // DDL_ELASTIC_FLOW_H
