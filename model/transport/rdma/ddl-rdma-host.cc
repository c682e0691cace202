// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-rdma-host.h"

#include "ddl-rdma-sender.h"
#include "ddl-rdma-stream.h"

#include "ns3/ddl-host-address.h"
#include "ns3/log.h"

#include <utility>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlRdmaHost");
NS_OBJECT_ENSURE_REGISTERED(RdmaHost);

TypeId
RdmaHost::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::RdmaHost").SetParent<StreamHost>().SetGroupName("Ddl");
    return tid;
}

RdmaHost::RdmaHost(HostId host,
                   std::shared_ptr<StreamSettings> settings,
                   Ptr<HostPort> port,
                   const RdmaOptions& options)
    : StreamHost(host, std::move(settings)),
      m_options(options),
      m_nic(std::make_unique<RdmaNic>(port, HostToAddress(host.value), options.initialPsn, *this))
{
    NS_LOG_FUNCTION(this << host);
    const RdmaSender tried(*m_nic, m_options); // throws what does not fit this NIC
    m_options.notificationInterval = tried.GetNotificationInterval();
}

RdmaHost::~RdmaHost()
{
    NS_LOG_FUNCTION(this);
}

void
RdmaHost::DoDispose()
{
    NS_LOG_FUNCTION(this);
    StreamHost::DoDispose(); // streams release the NIC
    m_nic.reset();
}

Ptr<SendingStream>
RdmaHost::DoOpen(const StreamRequest& request, HostId destination, Mark mark, uint32_t flowLabel)
{
    const auto stream =
        CreateObject<RdmaSendingStream>(request, destination, *m_nic, flowLabel, m_options);
    stream->SetMark(mark);
    return stream;
}

Ptr<ReceivingStream>
RdmaHost::DoMakeReceiving(const StreamName& name, HostId source)
{
    return CreateObject<RdmaReceivingStream>(name, source, GetHost(), *m_nic, m_options);
}

/** \return the end that the packet is for, null if it is not of the latest request */
RdmaReceiver*
RdmaHost::Connect(const RdmaNote& note, const RoceFields& fields)
{
    NS_LOG_FUNCTION(this << note.request->id << note.request->name);
    const auto stream = DynamicCast<RdmaReceivingStream>(Admit(*note.request));
    return stream ? stream->Connect(note, fields) : nullptr;
}

} // namespace ns3::ddl
