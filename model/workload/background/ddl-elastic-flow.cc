// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-elastic-flow.h"

#include "ns3/log.h"

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlElasticFlow");
NS_OBJECT_ENSURE_REGISTERED(ElasticFlow);

TypeId
ElasticFlow::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::ElasticFlow").SetParent<Application>().SetGroupName("Ddl");
    return tid;
}

ElasticFlow::ElasticFlow(const BackgroundFlowSpec& flow,
                         Ptr<Transport> transport,
                         uint32_t flowLabel)
    : m_flow(flow),
      m_transport(transport),
      m_flowLabel(flowLabel)
{
    NS_LOG_FUNCTION(this << flow.source << flow.destination);
}

void
ElasticFlow::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_stream = nullptr;
    m_transport = nullptr;
    Application::DoDispose();
}

void
ElasticFlow::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_stream =
        m_transport->Open(m_flow.source, m_flow.destination, m_flow.mark, m_flow.mark, m_flowLabel);
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
    m_stream->Send(m_flow.bytes, MakeCallback(&ElasticFlow::Delivered, this));
}

void
ElasticFlow::Delivered()
{
    ++m_delivered;
    if (m_flow.repeat && !m_stopped)
    {
        Send();
    }
}

} // namespace ns3::ddl
