// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ELASTIC_FLOW_H
#define DDL_ELASTIC_FLOW_H

#include "ddl-background-flow.h"

#include "ns3/ddl-stream-host.h"

namespace ns3::ddl
{

/**
 * Sends messages on a stream of the transport: one, or one after another without a gap (the next is
 * always given to the stream before the last has arrived). It is an application of the machine that
 * sends; ElasticSink is the application of the other machine.
 */
class ElasticFlow : public Application
{
  public:
    static TypeId GetTypeId();

    /**
     * \param flow the flow, checked, of kind ELASTIC
     * \param streams the transport's part of the machine that sends
     * \param name name of the flow's stream
     * \param flowLabel the stream's flow label, see StreamHost::Open
     */
    ElasticFlow(const BackgroundFlowSpec& flow,
                Ptr<StreamHost> streams,
                const StreamName& name,
                uint32_t flowLabel);

    /** \return number of messages that have been acknowledged */
    uint64_t GetAcknowledgedMessages() const
    {
        return m_acknowledged;
    }

    /** \return the sending end of the stream; null before the start */
    Ptr<SendingStream> GetStream() const
    {
        return m_stream;
    }

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    void Send();
    void Acknowledged();

    BackgroundFlowSpec m_flow;
    Ptr<StreamHost> m_streams;
    StreamName m_name;
    uint32_t m_flowLabel;
    Ptr<SendingStream> m_stream;
    bool m_stopped{false};
    uint64_t m_acknowledged{0};
};

/** Receives the messages of an ElasticFlow. */
class ElasticSink : public Application
{
  public:
    static TypeId GetTypeId();

    /** \param flow the flow, checked, of kind ELASTIC
     * \param streams the transport's part of the machine that receives
     * \param name name of the flow's stream */
    ElasticSink(const BackgroundFlowSpec& flow, Ptr<StreamHost> streams, const StreamName& name);

    /** \return the receiving end of the stream; null before the start */
    Ptr<ReceivingStream> GetStream() const
    {
        return m_stream;
    }

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    BackgroundFlowSpec m_flow;
    Ptr<StreamHost> m_streams;
    StreamName m_name;
    Ptr<ReceivingStream> m_stream;
};

} // namespace ns3::ddl

#endif // DDL_ELASTIC_FLOW_H
