// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-ipv4-fields.h"

#include "ns3/ipv4-header.h"
#include "ns3/node.h"

namespace ns3::ddl
{

namespace
{

constexpr uint8_t TCP_SYN = 0x02;
constexpr uint8_t TCP_RST = 0x04;
constexpr uint32_t IPV4_BYTES = 20;        // RFC 791 without options
constexpr uint32_t TCP_FLAGS_BYTE = 13;    // RFC 9293
constexpr uint16_t FRAGMENT_BITS = 0x3fff; // more-fragments flag and fragment offset

uint16_t
ReadU16(const uint8_t* bytes)
{
    return static_cast<uint16_t>((bytes[0] << 8) | bytes[1]);
}

/** Read ports and flags. Fragments read as port 0, so that all of a datagram take one path. */
void
ReadTransport(const uint8_t* header, uint32_t size, Ipv4Fields& fields)
{
    const uint32_t start = (header[0] & 0x0fU) * 4;
    const bool hasPorts =
        fields.flow.protocol == FlowKey::TCP || fields.flow.protocol == FlowKey::UDP;
    if (!hasPorts || (ReadU16(header + 6) & FRAGMENT_BITS) != 0 || size < start + 4)
    {
        return;
    }
    fields.flow.sourcePort = ReadU16(header + start);
    fields.flow.destinationPort = ReadU16(header + start + 2);
    if (fields.flow.protocol == FlowKey::TCP && size > start + TCP_FLAGS_BYTE)
    {
        const uint8_t flags = header[start + TCP_FLAGS_BYTE];
        fields.opensConnection = (flags & TCP_SYN) != 0;
        fields.resetsConnection = (flags & TCP_RST) != 0;
    }
}

} // namespace

bool
ReadIpv4Fields(const Packet& packet, Ipv4Fields& fields)
{
    uint8_t header[60 + TCP_FLAGS_BYTE + 1]; // longest IPv4 header, then TCP up to its flags
    uint32_t size = packet.CopyData(header, IPV4_BYTES + TCP_FLAGS_BYTE + 1);
    if (size < IPV4_BYTES || (header[0] >> 4) != 4)
    {
        return false;
    }
    if ((header[0] & 0x0f) > 5)
    {
        size = packet.CopyData(header, sizeof(header));
    }
    fields = Ipv4Fields();
    fields.tos = header[1];
    fields.ttl = header[8];
    fields.flow.protocol = header[9];
    fields.source = Ipv4Address::Deserialize(header + 12);
    fields.flow.destination = Ipv4Address::Deserialize(header + 16);
    ReadTransport(header, size, fields);
    return true;
}

void
WriteIpv4Fields(const Frame& frame, Ptr<Packet> packet)
{
    Ipv4Header header;
    packet->RemoveHeader(header);
    header.SetTos(static_cast<uint8_t>((frame.dscp << 2) | frame.ecn));
    header.SetTtl(frame.ttl);
    if (Node::ChecksumEnabled())
    {
        header.EnableChecksum();
    }
    packet->AddHeader(header);
}

Ptr<Packet>
CopyWithHeader(Frame& frame)
{
    Ptr<Packet> copy = frame.SeePacket()->Copy();
    if (frame.rewritten)
    {
        WriteIpv4Fields(frame, copy);
    }
    return copy;
}

} // namespace ns3::ddl
