// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-elastic-flow.h"

#include "ns3/log.h"

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlElasticFlow");
NS_OBJECT_ENSURE_REGISTERED(ElasticFlow);
NS_OBJECT_ENSURE_REGISTERED(ElasticSink);

TypeId
ElasticFlow::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::ElasticFlow").SetParent<Application>().SetGroupName("Ddl");
    return tid;
}

ElasticFlow::ElasticFlow(const BackgroundFlowSpec& flow,
                         Ptr<StreamHost> streams,
                         const StreamName& name,
                         uint32_t flowLabel)
    : m_flow(flow),
      m_streams(streams),
      m_name(name),
      m_flowLabel(flowLabel)
{
    NS_LOG_FUNCTION(this << flow.source << flow.destination);
}

void
ElasticFlow::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_stream = nullptr;
    m_streams = nullptr;
    Application::DoDispose();
}

void
ElasticFlow::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_stream = m_streams->Open(m_flow.destination, m_name, m_flow.mark, m_flowLabel);
    Send();
    if (m_flow.repeat)
    {
        Send();
    }
}

void
ElasticFlow::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_stopped = true;
    if (m_stream)
    {
        m_stream->Close();
    }
}

void
ElasticFlow::Send()
{
    m_stream->Send(m_flow.bytes, {}, MakeCallback(&ElasticFlow::Acknowledged, this));
}

void
ElasticFlow::Acknowledged()
{
    ++m_acknowledged;
    if (m_flow.repeat && !m_stopped)
    {
        Send();
    }
}

TypeId
ElasticSink::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::ElasticSink").SetParent<Application>().SetGroupName("Ddl");
    return tid;
}

ElasticSink::ElasticSink(const BackgroundFlowSpec& flow,
                         Ptr<StreamHost> streams,
                         const StreamName& name)
    : m_flow(flow),
      m_streams(streams),
      m_name(name)
{
    NS_LOG_FUNCTION(this << flow.source << flow.destination);
}

void
ElasticSink::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_stream = nullptr;
    m_streams = nullptr;
    Application::DoDispose();
}

void
ElasticSink::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_stream = m_streams->Accept(m_flow.source, m_name, m_flow.mark);
}

void
ElasticSink::StopApplication()
{
    NS_LOG_FUNCTION(this);
    if (m_stream)
    {
        m_stream->Close();
    }
}

} // namespace ns3::ddl
