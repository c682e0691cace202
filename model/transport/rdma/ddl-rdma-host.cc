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
                   const RdmaPorts& ports,
                   const RdmaOptions& options)
    : StreamHost(host, std::move(settings)),
      m_nic(MakeEngine(ports.nic, options)),
      m_neighbours(ports.neighbours)
{
    NS_LOG_FUNCTION(this << host);
    if (ports.scaleUp)
    {
        RdmaOptions inside = options;
        inside.payload = GetRdmaPayload(ports.scaleUp->GetMtu(), options.feedback);
        m_scaleUp = MakeEngine(ports.scaleUp, inside);
    }
}

RdmaHost::Engine
RdmaHost::MakeEngine(Ptr<HostPort> port, const RdmaOptions& options)
{
    const auto address = HostToAddress(GetHost().value);
    Engine engine{std::make_unique<RdmaNic>(port, address, options.initialPsn, *this), options};
    const RdmaSender tried(*engine.nic, options); // throws what does not fit this port
    engine.options.notificationInterval = tried.GetNotificationInterval();
    return engine;
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
    m_nic.nic.reset();
    m_scaleUp.nic.reset();
}

Ptr<SendingStream>
RdmaHost::DoOpen(const StreamRequest& request, HostId destination, Mark mark, uint32_t flowLabel)
{
    const Engine& engine = GetEngine(destination);
    const auto stream = CreateObject<RdmaSendingStream>(request,
                                                        destination,
                                                        *engine.nic,
                                                        flowLabel,
                                                        engine.options);
    stream->SetMark(mark);
    return stream;
}

Ptr<ReceivingStream>
RdmaHost::DoMakeReceiving(const StreamName& name, HostId source)
{
    const Engine& engine = GetEngine(source);
    return CreateObject<RdmaReceivingStream>(name, source, GetHost(), *engine.nic, engine.options);
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
