// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ROCE_HEADER_H
#define DDL_ROCE_HEADER_H

#include "ns3/header.h"
#include "ns3/ipv4-address.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace ns3::ddl
{

/** The fields of a RoCEv2 packet's headers that a receiver reads. */
struct RoceFields
{
    uint8_t opcode{0};      //!< of RoceHeader::Opcode
    bool ackRequest{false}; //!< the receiver shall answer
    uint32_t source{0};     //!< IPv4 address of the machine that sends
    uint16_t sourcePort{0}; //!< UDP
    uint32_t queuePair{0};  //!< number of the queue pair at the NIC that sends its data, 24 bits
    uint32_t psn{0};        //!< packet sequence number, 24 bits
    uint8_t round{0};       //!< of the packet (RdmaFlight), 7 bits; answers return it
    bool negative{false};   //!< of an acknowledgement: a packet is missing (NAK, sequence error)
    uint32_t marks{0};      //!< of an acknowledgement: packets with CE that the receiver has seen
    uint32_t drawnBy{0};    //!< of a selective NAK: PSN of the packet that drew it
    uint32_t missing{0};    //!< of a selective NAK: PSN of the first packet that is missing
    uint32_t missingEnd{0}; //!< of a selective NAK: PSN behind the packets that are missing there
};

/**
 * IPv4, UDP and InfiniBand base transport header of a RoCEv2 packet (InfiniBand Architecture
 * Specification 1.2.1, annex A17), and behind them, in acknowledgements, the AETH and our count of
 * congestion marks, and in selective NAKs three PSNs more. The round stands in the 7 reserved bits
 * in front of the PSN. All in one ns3::Header, as they are written as one piece, and kept as bytes,
 * as most of them are the same in all packets of a queue pair.
 *
 * The invariant CRC (4 bytes behind the payload) is part of the payload for ns-3, and is 0.
 * ns-3's packet metadata sees one header of this kind and no Ipv4Header: Packet::EnableChecking is
 * not for networks with traffic of this kind.
 */
class RoceHeader : public Header
{
  public:
    static constexpr uint32_t DATA_BYTES = 20 + 8 + 12;       //!< IPv4, UDP, BTH
    static constexpr uint32_t ACK_BYTES = DATA_BYTES + 4 + 4; //!< and AETH, marks
    static constexpr uint32_t MOST_BYTES = ACK_BYTES + 12;    //!< and the PSNs of a selective NAK
    static constexpr uint32_t CRC_BYTES = 4;                  //!< behind the payload
    static constexpr uint16_t UDP_PORT = 4791;                //!< IANA: roce
    static constexpr uint8_t PROTOCOL = 17;                   //!< of the IPv4 header: UDP
    static constexpr uint8_t TTL = 64;                        //!< of the IPv4 header
    static constexpr uint32_t NOTIFICATION_BYTES = 16;        //!< reserved, behind a CNP's header
    static constexpr uint32_t NUMBERS = 1U << 24;             //!< PSNs and queue pair numbers
    static constexpr uint32_t ROUNDS = 1U << 7;               //!< see RoceFields

    /** BTH opcodes of reliable connections; the last two are from the manufacturers' range. */
    enum Opcode : uint8_t
    {
        SEND_FIRST = 0x00,
        SEND_MIDDLE = 0x01,
        SEND_LAST = 0x02,
        SEND_ONLY = 0x04,
        ACKNOWLEDGE = 0x11,
        CONGESTION_NOTIFICATION = 0x81,
        PROBE = 0xc0,        //!< asks for an answer: what is missing below its PSN?
        SELECTIVE_NAK = 0xc1 //!< an acknowledgement that says which packets are missing
    };

    /** One direction between two queue pairs. */
    struct Path
    {
        Ipv4Address source;
        Ipv4Address destination;
        uint16_t sourcePort{0}; //!< UDP, chooses among equal paths
        uint32_t queuePair{0};  //!< its number
    };

    static TypeId GetTypeId();
    RoceHeader();
    explicit RoceHeader(const Path& path);

    /**
     * \param opcode of the packet, which says how long this header is
     * \param psn its lower 24 bits are taken
     * \param ackRequest whether the receiver shall answer
     * \param payload bytes, without CRC
     */
    void SetPacket(Opcode opcode, uint64_t psn, bool ackRequest, uint32_t payload);
    /** Before SetPacket. \param tos DSCP in the upper six bits, ECN in the lower two */
    void SetTos(uint8_t tos);
    /** After SetPacket. \param round see RoceFields; its lower 7 bits are taken */
    void SetRound(uint32_t round);
    /** After SetPacket. \param negative whether a packet is missing \param marks see RoceFields */
    void SetAnswer(bool negative, uint32_t marks);
    /** Of a selective NAK, before or after the rest: see RoceFields; the lower 24 bits are taken.
     */
    void SetMissing(uint64_t drawnBy, uint64_t missing, uint64_t missingEnd);

    /** \return bytes of the IPv4 packet */
    uint32_t GetPacketBytes() const;

    /** \return the two ECN bits */
    uint8_t GetEcn() const;

    /** \return whether packets of that opcode are for the sending end of a queue pair */
    static bool IsForSender(uint8_t opcode);

    /** \param [out] bytes room for GetSerializedSize() of them */
    void Write(uint8_t* bytes) const
    {
        std::memcpy(bytes, m_bytes.data(), m_size);
    }

    /** \param bytes as Write wrote them */
    explicit RoceHeader(const uint8_t* bytes);

    /** \param bytes as Write wrote them \return the opcode */
    static uint8_t ReadOpcode(const uint8_t* bytes);
    /** \param bytes as Write wrote them \return number of the queue pair */
    static uint32_t ReadQueuePair(const uint8_t* bytes);
    /** \param bytes at least MOST_BYTES of them readable \return the fields that a NIC reads */
    static RoceFields Read(const uint8_t* bytes);

    TypeId GetInstanceTypeId() const override;

    uint32_t GetSerializedSize() const override
    {
        return m_size;
    }

    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    void Write16(uint32_t at, uint32_t value);
    void Write32(uint32_t at, uint32_t value);
    void WriteChecksum();

    std::array<uint8_t, MOST_BYTES> m_bytes{};
    uint32_t m_size{DATA_BYTES};
    bool m_checksum{false}; //!< as ns-3's global value ChecksumEnabled was: asking costs 40 ns
};

} // namespace ns3::ddl

#endif // DDL_ROCE_HEADER_H
