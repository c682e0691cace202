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
    uint8_t opcode{0};      //!< a RoceHeader::Opcode
    bool ackRequest{false}; //!< whether the receiver shall answer; in selective ACKs: whether they
                            //!< answer a probe
    uint32_t source{0};     //!< IPv4 address of the machine that sends
    uint16_t sourcePort{0}; //!< UDP source port
    uint32_t queuePair{0};  //!< number of the queue pair at the NIC that sends its data, 24 bits
    uint32_t psn{0};        //!< packet sequence number, 24 bits
    uint8_t round{0};       //!< round of the packet (RdmaFlight), 7 bits; answers return it
    bool negative{false};   //!< in answers: whether a packet is missing (NAK, sequence error)
    uint32_t marks{0};      //!< in answers: packets with CE that the receiver has seen
    uint32_t drawnBy{0};    //!< in selective NAKs and ACKs: PSN of the packet that they answer
    uint32_t missing{0};    //!< in selective NAKs: PSN of the first missing packet
    uint32_t missingEnd{0}; //!< in selective NAKs: PSN behind the gap that begins there
    bool wasMarked{false};  //!< in selective ACKs: whether the answered packet came with CE
    uint32_t base{0};       //!< in selective ACKs: PSN of the first packet of the bitmap
    uint64_t arrived{0};    //!< in selective ACKs: bit i is set when packet base + i has arrived
};

/**
 * IPv4, UDP and InfiniBand base transport header of a RoCEv2 packet (InfiniBand Architecture
 * Specification 1.2.1, annex A17), and behind them, in acknowledgements, the AETH and our count of
 * congestion marks, in selective NAKs three PSNs more, in selective ACKs two and a bitmap. The
 * round is in the 7 reserved bits before the PSN. It is one ns3::Header, as all is written at once,
 * and kept as bytes, as most of them are the same in all packets of a queue pair.
 *
 * The invariant CRC (4 bytes behind the payload) is part of the payload for ns-3, and is 0.
 * ns-3's packet metadata sees a RoceHeader and no Ipv4Header: do not use Packet::EnableChecking in
 * networks with RoCEv2 traffic.
 */
class RoceHeader : public Header
{
  public:
    static constexpr uint32_t DATA_BYTES = 20 + 8 + 12;       //!< header of data: IPv4, UDP, BTH
    static constexpr uint32_t ACK_BYTES = DATA_BYTES + 4 + 4; //!< header with AETH and marks
    static constexpr uint32_t NAK_BYTES = ACK_BYTES + 12;     //!< header of a selective NAK
    static constexpr uint32_t MOST_BYTES = ACK_BYTES + 16;    //!< header of a selective ACK
    static constexpr uint32_t CRC_BYTES = 4;                  //!< CRC behind the payload
    static constexpr uint16_t UDP_PORT = 4791;                //!< UDP destination port (IANA: roce)
    static constexpr uint16_t FIRST_PORT = 49152; //!< RFC 6335: dynamic ports, as RoCEv2 NICs use
    static constexpr uint8_t PROTOCOL = 17;       //!< IPv4 protocol: UDP
    static constexpr uint8_t TTL = 64;            //!< IPv4 time to live
    static constexpr uint32_t NOTIFICATION_BYTES = 16; //!< reserved bytes of a CNP
    static constexpr uint32_t NUMBERS = 1U << 24;      //!< number of PSNs, of queue pairs
    static constexpr uint32_t ARRIVED_BITS = 64;       //!< packets per selective acknowledgement
    static constexpr uint32_t ROUNDS = 1U << 7;        //!< number of values of a round

    /** BTH opcodes of reliable connections; the last three are from the manufacturers' range. */
    enum Opcode : uint8_t
    {
        SEND_FIRST = 0x00,
        SEND_MIDDLE = 0x01,
        SEND_LAST = 0x02,
        SEND_ONLY = 0x04,
        ACKNOWLEDGE = 0x11,
        CONGESTION_NOTIFICATION = 0x81,
        PROBE = 0xc0,         //!< request for an answer: what is missing below its PSN?
        SELECTIVE_NAK = 0xc1, //!< an acknowledgement that says which packets are missing
        SELECTIVE_ACK = 0xc2  //!< an acknowledgement that says which packets have arrived
    };

    /** One direction of a queue pair. */
    struct Path
    {
        Ipv4Address source;
        Ipv4Address destination;
        uint16_t sourcePort{0}; //!< UDP source port, which chooses among equal-cost paths
        uint32_t queuePair{0};  //!< number of the queue pair
    };

    static TypeId GetTypeId();
    RoceHeader();
    explicit RoceHeader(const Path& path);

    /**
     * \param opcode the packet's opcode, which decides the length of this header
     * \param psn the packet's PSN, of which the lower 24 bits are written
     * \param ackRequest whether the receiver shall answer
     * \param payload bytes of payload, without CRC
     */
    void SetPacket(Opcode opcode, uint64_t psn, bool ackRequest, uint32_t payload);
    /** Call before SetPacket. \param tos DSCP in the upper six bits, ECN in the lower two */
    void SetTos(uint8_t tos);
    /** Call after SetPacket. \param round the packet's round; its lower 7 bits are written */
    void SetRound(uint32_t round);
    /** Call after SetPacket, for answers. \param negative whether a packet is missing
     * \param marks packets with CE that the receiver has seen */
    void SetAnswer(bool negative, uint32_t marks);
    /** Call at any time, for a selective NAK: see RoceFields; the lower 24 bits are written. */
    void SetMissing(uint64_t drawnBy, uint64_t missing, uint64_t missingEnd);
    /** Call at any time, for a selective ACK: see RoceFields; the lower 24 bits of PSNs are
     * written. wasMarked is the bit BECN. */
    void SetArrived(uint64_t drawnBy, bool wasMarked, uint64_t base, uint64_t arrived);
    /** Call before SetPacket. \param port UDP source port */
    void SetSourcePort(uint16_t port);

    /** \return bytes of the IPv4 packet */
    uint32_t GetPacketBytes() const;

    /** \return the two ECN bits */
    uint8_t GetEcn() const;

    /** \return whether packets of that opcode are for the sending end of a queue pair */
    static bool IsForSender(uint8_t opcode);

    /** Write the header. \param [out] bytes room for GetSerializedSize() bytes */
    void Write(uint8_t* bytes) const
    {
        std::memcpy(bytes, m_bytes.data(), m_size);
    }

    /** Read a header. \param bytes a header that Write wrote */
    explicit RoceHeader(const uint8_t* bytes);

    /** \param bytes a header that Write wrote \return the opcode */
    static uint8_t ReadOpcode(const uint8_t* bytes);
    /** \param bytes a header that Write wrote \return number of the queue pair */
    static uint32_t ReadQueuePair(const uint8_t* bytes);
    /** \param bytes a header that Write wrote, in at least MOST_BYTES readable bytes \return the
     * fields that a NIC reads */
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
    bool m_checksum{false}; //!< copy of ns-3's ChecksumEnabled, which costs 40 ns to read
};

} // namespace ns3::ddl

#endif // DDL_ROCE_HEADER_H
