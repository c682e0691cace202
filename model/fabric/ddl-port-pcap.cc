// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-port-pcap.h"

#include "ns3/ddl-error.h"
#include "ns3/node.h"
#include "ns3/trace-helper.h"

#include <fstream>

namespace ns3
{
namespace ddl
{

namespace
{

void
Write(Ptr<PcapFileWrapper> file, Ptr<const Packet> packet)
{
    file->Write(Simulator::Now(), packet);
}

} // namespace

std::string
EnablePcap(const std::string& prefix, Ptr<Port> port)
{
    std::string name = prefix + "-" + std::to_string(port->GetNode()->GetId()) + "-" +
                       std::to_string(port->GetIfIndex()) + ".pcap";
    // PcapHelper ends the program where it cannot write.
    if (!std::ofstream(name))
    {
        throw RunError("cannot write " + name);
    }
    auto file = PcapHelper().CreateFile(name, std::ios::out, PcapHelper::DLT_RAW);
    port->TraceConnectWithoutContext("Sniffer", MakeBoundCallback(&Write, file));
    return name;
}

} // namespace ddl
} // namespace ns3
