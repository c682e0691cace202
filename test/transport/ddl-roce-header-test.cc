// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-process-state.h"

#include "ns3/boolean.h"
#include "ns3/ddl-roce-header.h"
#include "ns3/global-value.h"
#include "ns3/ipv4-header.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/udp-header.h"

#include <gtest/gtest.h>
#include <sstream>

namespace ns3::ddl
{
namespace
{

RoceHeader
MakeHeader()
{
    RoceHeader header({Ipv4Address("10.0.0.1"), Ipv4Address("10.0.1.2"), 49155, 0x123456});
    header.SetTos(0xba); // DSCP 46, ECT(0)
    return header;
}

/** \return a packet as the NIC makes it */
Ptr<Packet>
MakePacket(const RoceHeader& header, uint32_t payload)
{
    auto packet = Create<Packet>(payload + RoceHeader::CRC_BYTES);
    packet->AddHeader(header);
    return packet;
}

std::vector<uint8_t>
BytesOf(Ptr<Packet> packet)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    return bytes;
}

TEST(RoceHeaderTest, StockHeadersReadIt)
{
    RoceHeader header = MakeHeader();
    header.SetPacket(RoceHeader::SEND_MIDDLE, 7, false, 1456);
    const auto packet = MakePacket(header, 1456);
    EXPECT_EQ(packet->GetSize(), 1500U); // 20 + 8 + 12 + 1456 + 4
    EXPECT_EQ(header.GetPacketBytes(), 1500U);
    Ipv4Header ip;
    packet->RemoveHeader(ip);
    EXPECT_EQ(ip.GetSource(), Ipv4Address("10.0.0.1"));
    EXPECT_EQ(ip.GetDestination(), Ipv4Address("10.0.1.2"));
    EXPECT_EQ(ip.GetPayloadSize(), 1480);
    EXPECT_EQ(ip.GetProtocol(), 17);
    EXPECT_EQ(ip.GetTtl(), 64);
    EXPECT_EQ(ip.GetTos(), 0xba);
    EXPECT_TRUE(ip.IsLastFragment());
    UdpHeader udp;
    packet->RemoveHeader(udp);
    EXPECT_EQ(udp.GetSourcePort(), 49155);
    EXPECT_EQ(udp.GetDestinationPort(), 4791);
    EXPECT_EQ(packet->GetSize(), 12U + 1456 + 4);
}

TEST(RoceHeaderTest, BaseTransportHeaderIsThatOfTheSpecification)
{
    RoceHeader header = MakeHeader();
    header.SetPacket(RoceHeader::SEND_LAST, (uint64_t{5} << 24) + 0xabcdef, true, 1);
    header.SetRound(128 + 5);
    const auto bytes = BytesOf(MakePacket(header, 1));
    ASSERT_EQ(bytes.size(), 45U);
    EXPECT_EQ((bytes[24] << 8) | bytes[25], 25) << "UDP: 8 + 12 + 1 + 4";
    // opcode, no flags, default partition, reserved, queue pair, A bit and round 133 mod 128, PSN
    const std::vector<uint8_t>
        expected{2, 0, 0xff, 0xff, 0, 0x12, 0x34, 0x56, 0x85, 0xab, 0xcd, 0xef};
    EXPECT_EQ(std::vector<uint8_t>(bytes.begin() + 28, bytes.begin() + 40), expected);
}

TEST(RoceHeaderTest, ChecksumIsRightWhereChecksumsAreOn)
{
    const ProcessStateGuard guard;
    for (const bool on : {true, false})
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(on));
        for (const uint32_t payload : {0, 1, 536, 1456, 8956})
        {
            for (const auto opcode : {RoceHeader::SEND_ONLY, RoceHeader::ACKNOWLEDGE})
            {
                RoceHeader header = MakeHeader();
                header.SetPacket(opcode, payload, false, payload);
                const auto bytes = BytesOf(MakePacket(header, payload));
                uint32_t sum = 0; // RFC 1071: over a right header, checksum included, all ones
                for (int at = 0; at < 20; at += 2)
                {
                    sum += static_cast<uint32_t>((bytes[at] << 8) | bytes[at + 1]);
                }
                sum = (sum >> 16) + (sum & 0xffff);
                EXPECT_EQ(sum == 0xffff, on);
                Ipv4Header ip;
                ip.EnableChecksum();
                MakePacket(header, payload)->PeekHeader(ip);
                EXPECT_EQ(ip.IsChecksumOk(), on);
            }
        }
    }
}

TEST(RoceHeaderTest, AnswersBearTheirFields)
{
    for (const bool negative : {false, true})
    {
        RoceHeader header = MakeHeader();
        header.SetPacket(RoceHeader::ACKNOWLEDGE, RoceHeader::NUMBERS + 9, false, 0);
        header.SetRound(127);
        header.SetAnswer(negative, 0xdeadbeef);
        const auto bytes = BytesOf(MakePacket(header, 0));
        ASSERT_EQ(bytes.size(), 52U); // 40 + AETH 4 + marks 4 + CRC 4
        EXPECT_EQ(bytes[40], negative ? 0x60 : 0x1f) << "AETH syndrome: NAK sequence error, or ACK";
        const RoceFields fields = RoceHeader::Read(bytes.data());
        EXPECT_EQ(fields.opcode, 0x11);
        EXPECT_EQ(fields.psn, 9U);
        EXPECT_EQ(fields.queuePair, 0x123456U);
        EXPECT_EQ(fields.round, 127);
        EXPECT_EQ(fields.negative, negative);
        EXPECT_EQ(fields.marks, 0xdeadbeef);
        EXPECT_FALSE(fields.ackRequest);
    }
}

TEST(RoceHeaderTest, SelectiveNaksSayWhatIsMissing)
{
    RoceHeader header = MakeHeader();
    header.SetPacket(RoceHeader::SELECTIVE_NAK, 9, false, 0);
    header.SetRound(3);
    header.SetAnswer(true, 5);
    header.SetMissing(RoceHeader::NUMBERS + 14, 10, 12);
    const auto bytes = BytesOf(MakePacket(header, 0));
    ASSERT_EQ(bytes.size(), 64U); // 40 + AETH 4 + marks 4 + 3 x 4 + CRC 4
    const RoceFields fields = RoceHeader::Read(bytes.data());
    EXPECT_TRUE(fields.negative);
    EXPECT_EQ(fields.psn, 9U);
    EXPECT_EQ(fields.marks, 5U);
    EXPECT_EQ(fields.drawnBy, 14U) << "lower 24 bits";
    EXPECT_EQ(fields.missing, 10U);
    EXPECT_EQ(fields.missingEnd, 12U);
    EXPECT_TRUE(RoceHeader::IsForSender(RoceHeader::SELECTIVE_NAK));
}

TEST(RoceHeaderTest, OnlyAnswersHaveAnAnswersFields)
{
    RoceHeader header = MakeHeader();
    header.SetPacket(RoceHeader::PROBE, 3, true, 0);
    header.SetAnswer(true, 77); // not written
    const auto bytes = BytesOf(MakePacket(header, 0));
    EXPECT_EQ(bytes.size(), 44U);
    uint8_t padded[RoceHeader::MOST_BYTES] = {};
    std::copy(bytes.begin(), bytes.end(), padded);
    EXPECT_FALSE(RoceHeader::Read(padded).negative);
    EXPECT_TRUE(RoceHeader::Read(padded).ackRequest);
    EXPECT_TRUE(RoceHeader::IsForSender(RoceHeader::ACKNOWLEDGE));
    EXPECT_TRUE(RoceHeader::IsForSender(RoceHeader::CONGESTION_NOTIFICATION));
    EXPECT_FALSE(RoceHeader::IsForSender(RoceHeader::PROBE));
    EXPECT_FALSE(RoceHeader::IsForSender(RoceHeader::SEND_ONLY));
}

TEST(RoceHeaderTest, IsReadBackAsAnNs3Header)
{
    for (const auto opcode :
         {RoceHeader::SEND_FIRST, RoceHeader::ACKNOWLEDGE, RoceHeader::SELECTIVE_NAK})
    {
        RoceHeader header = MakeHeader();
        header.SetPacket(opcode, 12, true, 100);
        header.SetRound(3);
        header.SetAnswer(true, 5);
        const auto packet = MakePacket(header, 100);
        const auto before = BytesOf(packet);
        RoceHeader again;
        const uint32_t size = packet->RemoveHeader(again);
        EXPECT_EQ(size, header.GetSerializedSize());
        EXPECT_EQ(packet->GetSize(), 104U);
        packet->AddHeader(again);
        EXPECT_EQ(BytesOf(packet), before);
        std::ostringstream text;
        text << again;
        EXPECT_NE(text.str().find("qp=1193046 psn=12 ack-request"), std::string::npos);
    }
}

} // namespace
} // namespace ns3::ddl
