// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-port-pcap.h"

#include "ns3/boolean.h"
#include "ns3/ddl-error.h"
#include "ns3/node.h"
#include "ns3/trace-helper.h"

namespace ns3::ddl
{

namespace
{

void
Write(Ptr<PcapFileWrapper> file, Ptr<const Packet> packet)
{
    file->Write(Simulator::Now(), packet);
}

} // namespace

PortCapture
EnablePcap(const std::string& prefix, Ptr<Port> port)
{
    std::string name = prefix + "-" + std::to_string(port->GetNode()->GetId()) + "-" +
                       std::to_string(port->GetIfIndex()) + ".pcap";
    auto file = CreateObjectWithAttributes<PcapFileWrapper>("NanosecMode", BooleanValue(true));
    file->Open(name, std::ios::out | std::ios::binary);
    if (file->Fail())
    {
        throw RunError("cannot write " + name);
    }
    file->Init(PcapHelper::DLT_RAW);
    port->TraceConnectWithoutContext("Sniffer", MakeBoundCallback(&Write, file));
    return {name, file};
}

} // namespace ns3::ddl
