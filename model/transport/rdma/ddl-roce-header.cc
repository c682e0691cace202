// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-roce-header.h"

#include "ns3/node.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(RoceHeader);

namespace
{

constexpr uint16_t DEFAULT_PARTITION = 0xffff;
constexpr uint8_t ACK_REQUEST = 0x80;
constexpr uint8_t NAK_SEQUENCE_ERROR = 0x60; // AETH syndrome
constexpr uint8_t ACK = 0x1f;                // AETH syndrome without credits

// Offsets of fields, in bytes from the start of the IPv4 header.
constexpr uint32_t TOS = 1;
constexpr uint32_t TOTAL_LENGTH = 2;
constexpr uint32_t CHECKSUM = 10;
constexpr uint32_t SOURCE = 12;
constexpr uint32_t UDP = 20;
constexpr uint32_t BTH = 28;
constexpr uint32_t BTH_PARTITION = BTH + 2;
constexpr uint32_t BTH_QUEUE_PAIR = BTH + 4;
constexpr uint32_t BTH_PSN = BTH + 8;
constexpr uint32_t AETH = 40;
constexpr uint32_t MARKS = 44;
constexpr uint32_t DRAWN_BY = 48;
constexpr uint32_t MISSING = 52;
constexpr uint32_t MISSING_END = 56;
constexpr uint32_t ARRIVED_BASE = 52;
constexpr uint32_t ARRIVED = 56;
constexpr uint32_t BTH_CONGESTION = BTH + 4; // FECN, BECN and six reserved bits
constexpr uint8_t BECN = 0x40;

bool
IsAnswer(uint8_t opcode)
{
    return opcode == RoceHeader::ACKNOWLEDGE || opcode == RoceHeader::SELECTIVE_NAK ||
           opcode == RoceHeader::SELECTIVE_ACK;
}

/** \return bytes before the payload */
uint32_t
HeaderBytes(uint8_t opcode)
{
    switch (opcode)
    {
    case RoceHeader::ACKNOWLEDGE:
        return RoceHeader::ACK_BYTES;
    case RoceHeader::SELECTIVE_NAK:
        return RoceHeader::NAK_BYTES;
    case RoceHeader::SELECTIVE_ACK:
        return RoceHeader::MOST_BYTES;
    default:
        return RoceHeader::DATA_BYTES;
    }
}

uint32_t
Read32(const uint8_t* bytes)
{
    return (uint32_t{bytes[0]} << 24) | (uint32_t{bytes[1]} << 16) | (uint32_t{bytes[2]} << 8) |
           bytes[3];
}

} // namespace

TypeId
RoceHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::RoceHeader")
                            .SetParent<Header>()
                            .SetGroupName("Ddl")
                            .AddConstructor<RoceHeader>();
    return tid;
}

RoceHeader::RoceHeader() = default;

RoceHeader::RoceHeader(const Path& path)
    : m_checksum(Node::ChecksumEnabled())
{
    m_bytes[0] = 0x45; // version 4, 5 words
    m_bytes[8] = TTL;
    m_bytes[9] = PROTOCOL;
    Write32(SOURCE, path.source.Get());
    Write32(16, path.destination.Get());
    Write16(UDP, path.sourcePort);
    Write16(UDP + 2, UDP_PORT);
    Write16(BTH_PARTITION, DEFAULT_PARTITION);
    Write32(BTH_QUEUE_PAIR, path.queuePair % NUMBERS);
}

RoceHeader::RoceHeader(const uint8_t* bytes)
    : m_size(HeaderBytes(bytes[BTH]))
{
    std::memcpy(m_bytes.data(), bytes, m_size);
}

void
RoceHeader::SetPacket(Opcode opcode, uint64_t psn, bool ackRequest, uint32_t payload)
{
    m_size = HeaderBytes(opcode);
    const uint32_t total = m_size + payload + CRC_BYTES;
    Write16(TOTAL_LENGTH, total);
    Write16(UDP + 4, total - UDP);
    m_bytes[BTH] = opcode;
    Write32(BTH_PSN, static_cast<uint32_t>(psn % NUMBERS));
    m_bytes[BTH_PSN] = ackRequest ? ACK_REQUEST : 0;
    if (m_checksum)
    {
        WriteChecksum();
    }
}

void
RoceHeader::SetTos(uint8_t tos)
{
    m_bytes[TOS] = tos;
}

void
RoceHeader::SetRound(uint32_t round)
{
    m_bytes[BTH_PSN] = static_cast<uint8_t>((m_bytes[BTH_PSN] & ACK_REQUEST) | round % ROUNDS);
}

void
RoceHeader::SetAnswer(bool negative, uint32_t marks)
{
    Write32(AETH, 0);
    m_bytes[AETH] = negative ? NAK_SEQUENCE_ERROR : ACK;
    Write32(MARKS, marks);
}

void
RoceHeader::SetMissing(uint64_t drawnBy, uint64_t missing, uint64_t missingEnd)
{
    Write32(DRAWN_BY, static_cast<uint32_t>(drawnBy % NUMBERS));
    Write32(MISSING, static_cast<uint32_t>(missing % NUMBERS));
    Write32(MISSING_END, static_cast<uint32_t>(missingEnd % NUMBERS));
}

void
RoceHeader::SetArrived(uint64_t drawnBy, bool wasMarked, uint64_t base, uint64_t arrived)
{
    m_bytes[BTH_CONGESTION] = wasMarked ? BECN : 0;
    Write32(DRAWN_BY, static_cast<uint32_t>(drawnBy % NUMBERS));
    Write32(ARRIVED_BASE, static_cast<uint32_t>(base % NUMBERS));
    Write32(ARRIVED, static_cast<uint32_t>(arrived >> 32));
    Write32(ARRIVED + 4, static_cast<uint32_t>(arrived));
}

void
RoceHeader::SetSourcePort(uint16_t port)
{
    Write16(UDP, port);
}

uint8_t
RoceHeader::GetEcn() const
{
    return m_bytes[TOS] & 3;
}

bool
RoceHeader::IsForSender(uint8_t opcode)
{
    return IsAnswer(opcode) || opcode == CONGESTION_NOTIFICATION;
}

uint8_t
RoceHeader::ReadOpcode(const uint8_t* bytes)
{
    return bytes[BTH];
}

uint32_t
RoceHeader::ReadQueuePair(const uint8_t* bytes)
{
    return Read32(bytes + BTH_QUEUE_PAIR) % NUMBERS;
}

RoceFields
RoceHeader::Read(const uint8_t* bytes)
{
    RoceFields fields;
    fields.opcode = ReadOpcode(bytes);
    fields.ackRequest = (bytes[BTH_PSN] & ACK_REQUEST) != 0;
    fields.source = Read32(bytes + SOURCE);
    fields.sourcePort = static_cast<uint16_t>((uint32_t{bytes[UDP]} << 8) | bytes[UDP + 1]);
    fields.queuePair = ReadQueuePair(bytes);
    fields.round = bytes[BTH_PSN] % ROUNDS;
    fields.psn = Read32(bytes + BTH_PSN) % NUMBERS;
    if (IsAnswer(fields.opcode))
    {
        fields.negative = bytes[AETH] == NAK_SEQUENCE_ERROR;
        fields.marks = Read32(bytes + MARKS);
    }
    if (fields.opcode == RoceHeader::SELECTIVE_NAK)
    {
        fields.drawnBy = Read32(bytes + DRAWN_BY);
        fields.missing = Read32(bytes + MISSING);
        fields.missingEnd = Read32(bytes + MISSING_END);
    }
    else if (fields.opcode == RoceHeader::SELECTIVE_ACK)
    {
        fields.drawnBy = Read32(bytes + DRAWN_BY);
        fields.wasMarked = (bytes[BTH_CONGESTION] & BECN) != 0;
        fields.base = Read32(bytes + ARRIVED_BASE);
        fields.arrived = uint64_t{Read32(bytes + ARRIVED)} << 32 | Read32(bytes + ARRIVED + 4);
    }
    return fields;
}

TypeId
RoceHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
RoceHeader::Serialize(Buffer::Iterator start) const
{
    start.Write(m_bytes.data(), m_size);
}

uint32_t
RoceHeader::Deserialize(Buffer::Iterator start)
{
    Buffer::Iterator rest = start;
    rest.Read(m_bytes.data(), DATA_BYTES);
    m_size = HeaderBytes(m_bytes[BTH]);
    rest.Read(m_bytes.data() + DATA_BYTES, m_size - DATA_BYTES);
    return m_size;
}

void
RoceHeader::Print(std::ostream& os) const
{
    const RoceFields fields = Read(m_bytes.data());
    os << "opcode=0x" << std::hex << +fields.opcode << std::dec << " qp=" << fields.queuePair
       << " psn=" << fields.psn << (fields.ackRequest ? " ack-request" : "")
       << (fields.negative ? " nak" : "");
}

void
RoceHeader::Write16(uint32_t at, uint32_t value)
{
    m_bytes[at] = static_cast<uint8_t>(value >> 8);
    m_bytes[at + 1] = static_cast<uint8_t>(value);
}

void
RoceHeader::Write32(uint32_t at, uint32_t value)
{
    Write16(at, value >> 16);
    Write16(at + 2, value & 0xffff);
}

/** Write the IPv4 header's checksum: the ones' complement of the ones' complement sum of its 16-bit
 * words (RFC 791). */
void
RoceHeader::WriteChecksum()
{
    Write16(CHECKSUM, 0);
    uint32_t sum = 0;
    for (uint32_t at = 0; at < UDP; at += 2)
    {
        sum += (uint32_t{m_bytes[at]} << 8) | m_bytes[at + 1];
    }
    sum = (sum >> 16) + (sum & 0xffff);
    sum += sum >> 16;
    Write16(CHECKSUM, ~sum & 0xffff);
}

uint32_t
RoceHeader::GetPacketBytes() const
{
    return (uint32_t{m_bytes[TOTAL_LENGTH]} << 8) | m_bytes[TOTAL_LENGTH + 1];
}

} // namespace ns3::ddl
