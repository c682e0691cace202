// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fluid-host.h"

#include "ddl-fluid-stream.h"

#include "ns3/ddl-host-address.h"

#include <utility>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(FluidHost);

namespace
{

constexpr uint16_t ROCE_PORT = 4791; // UDP port of RoCEv2

} // namespace

TypeId
FluidHost::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::FluidHost").SetParent<StreamHost>().SetGroupName("Ddl");
    return tid;
}

FluidHost::FluidHost(HostId host,
                     std::shared_ptr<StreamSettings> settings,
                     std::shared_ptr<FluidEngine> engine,
                     std::shared_ptr<const StreamCrossing::Machines> machines,
                     bool rdmaPaths)
    : StreamHost(host, std::move(settings)),
      m_engine(std::move(engine)),
      m_machines(std::move(machines)),
      m_rdmaPaths(rdmaPaths)
{
}

FlowKey
FluidHost::MakeFlow(HostId destination, uint32_t flowLabel, bool rdmaPaths)
{
    const auto port = static_cast<uint16_t>(FIRST_SOURCE_PORT + flowLabel % FlowKey::PATH_LABELS);
    const auto address = HostToAddress(destination.value);
    return rdmaPaths ? FlowKey{address, FlowKey::UDP, port, ROCE_PORT}
                     : FlowKey{address, FlowKey::TCP, port, LISTEN_PORT};
}

Ptr<SendingStream>
FluidHost::DoOpen(const StreamRequest& request, HostId destination, Mark mark, uint32_t flowLabel)
{
    const auto stream = CreateObject<FluidStream>(request,
                                                  destination,
                                                  MakeFlow(destination, flowLabel, m_rdmaPaths),
                                                  m_engine,
                                                  *m_machines);
    stream->SetMark(mark);
    return stream;
}

} // namespace ns3::ddl
