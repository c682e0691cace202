// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fabric-test-support.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-port-pcap.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <unistd.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Four senders, codepoints 1 to 4, overload the port "leaf1 to h7", which marks and drops. */
class Pcap : public FabricTest
{
  protected:
    void SetUp() override
    {
        m_folder =
            std::filesystem::temp_directory_path() / ("ddl-pcap-" + std::to_string(::getpid()));
        std::filesystem::create_directory(m_folder);
    }

    void TearDown() override
    {
        FabricTest::TearDown();
        std::filesystem::remove_all(m_folder);
    }

    /** \return number of events of the whole run */
    uint64_t Run(bool pcap)
    {
        PortSpec ports;
        ports.limit = 60000;
        ports.ecnThreshold = 30000;
        HostSpec hosts;
        hosts.ecnThreshold = 0;
        Build(TopologySpec(), ports, hosts);
        Listen(7);
        for (uint32_t from = 0; from < 4; ++from)
        {
            Datagrams flow;
            flow.from = from;
            flow.to = 7;
            flow.count = 100 + from;
            flow.tos = static_cast<uint8_t>(((from + 1) << 2) | (from == 3 ? 0 : 2));
            Send(flow);
        }
        if (pcap)
        {
            for (const auto& named : m_fabric->GetPorts())
            {
                EnablePcap(m_folder / "all", named.device);
            }
            m_file = EnablePcap(m_folder / "last", GetPort("leaf1", "h7")).name;
        }
        Simulator::Run();
        return Simulator::GetEventCount();
    }

    /** \return lines of "DSCP ECN TTL PROTOCOL BYTES" */
    std::vector<std::string> ReadWithTshark()
    {
        const std::string command = "tshark -r " + m_file +
                                    " -T fields -E separator=/s -e ip.dsfield.dscp"
                                    " -e ip.dsfield.ecn -e ip.ttl -e udp.dstport -e ip.len"
                                    " 2>" +
                                    (m_folder / "errors").string();
        std::FILE* pipe = ::popen(command.c_str(), "r");
        std::vector<std::string> lines;
        char line[256];
        while (pipe && std::fgets(line, sizeof(line), pipe))
        {
            lines.emplace_back(line);
        }
        EXPECT_EQ(pipe ? ::pclose(pipe) : -1, 0) << "tshark is needed to read capture files";
        return lines;
    }

    std::filesystem::path m_folder;
    std::string m_file;
};

TEST_F(Pcap, ChangesNoEventAndNoDelivery)
{
    const uint64_t events = Run(false);
    const auto received = m_received;
    m_received.clear();
    FabricTest::TearDown();
    EXPECT_EQ(Run(true), events);
    ASSERT_EQ(m_received.size(), received.size());
    EXPECT_GT(received.size(), 100U);
    EXPECT_LT(received.size(), 406U); // some were dropped
    for (std::size_t i = 0; i < received.size(); ++i)
    {
        EXPECT_EQ(m_received[i].time, received[i].time);
        EXPECT_EQ(m_received[i].fromPort, received[i].fromPort);
        EXPECT_EQ(m_received[i].tos, received[i].tos);
    }
}

TEST_F(Pcap, TsharkShowsDscpAndCongestionAsTheyAreAtThatPort)
{
    Run(true);
    std::array<uint64_t, 5> sent{};
    for (uint32_t dscp = 1; dscp <= 4; ++dscp)
    {
        sent[dscp] = GetPort("leaf1", "h7")->GetCounters(dscp).packets;
    }
    FabricTest::TearDown();               // closes the files
    std::map<uint32_t, uint64_t> packets; // by codepoint
    std::map<uint32_t, uint64_t> congested;
    for (const auto& line : ReadWithTshark())
    {
        uint32_t dscp = 99;
        uint32_t ecn = 99;
        uint32_t ttl = 99;
        uint32_t port = 0;
        uint32_t bytes = 0;
        std::istringstream(line) >> dscp >> ecn >> ttl >> port >> bytes;
        ASSERT_EQ(ttl, 61U) << line; // the third switch sends it
        ASSERT_EQ(port, 2000U) << line;
        ASSERT_EQ(bytes, 1000U) << line;
        ++packets[dscp];
        congested[dscp] += ecn == ECN_CONGESTED ? 1 : 0;
    }
    ASSERT_EQ(packets.size(), 4U);
    std::map<uint32_t, uint64_t> arrived;
    for (const auto& received : m_received)
    {
        arrived[received.tos >> 2] += (received.tos & 3) == ECN_CONGESTED ? 1 : 0;
    }
    for (uint32_t dscp = 1; dscp <= 4; ++dscp)
    {
        EXPECT_EQ(packets[dscp], sent[dscp]);
        EXPECT_EQ(congested[dscp], arrived[dscp]);
    }
    EXPECT_GT(congested[3], 0U);
    EXPECT_EQ(congested[4], 0U); // not ECN capable
}

TEST_F(Pcap, AFileThatCannotBeWrittenIsAnError)
{
    m_fabric = BuildTopology(TopologySpec(), PortSpec(), HostSpec());
    EXPECT_THROW(EnablePcap(m_folder / "no" / "folder", GetPort("h0", "leaf0")), RunError);
}

} // namespace
