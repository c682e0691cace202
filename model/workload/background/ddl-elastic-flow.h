// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ELASTIC_FLOW_H
#define DDL_ELASTIC_FLOW_H

#include "ddl-background-flow.h"

#include "ns3/ddl-stream-host.h"

namespace ns3::ddl
{

/**
 * Messages on a stream of the run's transport: one, or one after another without a gap (the next is
 * always given before the last has arrived). It is an application of the machine that sends;
 * ElasticSink is the application of the other machine.
 */
class ElasticFlow : public Application
{
  public:
    static TypeId GetTypeId();

    /**
     * \param flow checked, of kind ELASTIC
     * \param streams of the machine that sends
     * \param name of its stream
     * \param flowLabel of StreamHost::Open
     */
    ElasticFlow(const BackgroundFlowSpec& flow,
                Ptr<StreamHost> streams,
                const StreamName& name,
                uint32_t flowLabel);

    /** \return messages that are known to have arrived */
    uint64_t GetAcknowledgedMessages() const
    {
        return m_acknowledged;
    }

    /** \return the sending end; null before the start */
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

    /** \param flow checked, of kind ELASTIC \param streams of the machine that receives
     * \param name of its stream */
    ElasticSink(const BackgroundFlowSpec& flow, Ptr<StreamHost> streams, const StreamName& name);

    /** \return the receiving end; null before the start */
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
