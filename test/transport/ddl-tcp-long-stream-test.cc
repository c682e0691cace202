// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport-fixture.h"

namespace ns3::ddl
{
namespace
{

/**
 * TCP numbers bytes modulo 2^32 and compares numbers that are less than 2^31 apart. One stream, in
 * packets of 9000 bytes, passes both marks; behind 2^31 a second stream shares its port.
 *
 * Windows are 16 x 8960 = 143,360 bytes and ports mark above 200,000: one stream alone is never
 * marked, two together are, and have to share.
 */
TEST_F(TransportFixture, AStreamPassesTwoAndFourGibibytes)
{
    TopologySpec topology = SingleSwitch(3);
    topology.mtu = 9000;
    PortSpec ports;
    ports.ecnThreshold = 200000;
    HostSpec nics;
    nics.ecnThreshold = 200000;
    Build(topology, {{"SendBuffer", "143360"}}, ports, nics);

    const uint64_t before = 2300000000; // above 2^31 = 2,147,483,648
    const uint64_t shared = 100000000;  // of the second stream
    const uint64_t after = 2100000000;  // 4.4e9 together, above 2^32 = 4,294,967,296
    Ptr<StreamPair> stream;
    uint64_t marksBefore = 0;
    uint64_t got = 0;
    bool done = false;
    At(Seconds(1), [&] {
        stream = Open(0, 2);
        stream->Send(before, Then([&] {
                         marksBefore = CountMarks();
                         Open(1, 2)->Send(shared, Then([&] {
                                              got = stream->GetDeliveredBytes() - before;
                                          }));
                     }));
        stream->Send(after, Then([&] { done = true; }));
    });
    Simulator::Run();

    EXPECT_TRUE(done);
    EXPECT_EQ(stream->GetDeliveredBytes(), before + after);
    EXPECT_EQ(stream->GetCounters().dataPackets, (before + after + 8959) / 8960);
    EXPECT_EQ(stream->GetCounters().retransmissions, 0U);
    EXPECT_EQ(stream->GetCounters().timeouts, 0U);
    EXPECT_EQ(stream->GetCounters().reordered, 0U);
    EXPECT_EQ(marksBefore, 0U);
    EXPECT_GT(CountMarks(), 0U);
    // a stream deaf to marks keeps 143 kB of the 200 kB, and leaves the other less than a third
    const double share = static_cast<double>(got) / static_cast<double>(got + shared);
    EXPECT_NEAR(share, 0.5, 0.08);
}

} // namespace
} // namespace ns3::ddl
