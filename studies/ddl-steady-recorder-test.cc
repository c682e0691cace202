// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-steady-recorder.h"

#include "ns3/ddl-cluster-simulation.h"
#include "ns3/ddl-scenario-reader.h"

#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <string>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** The first 5 ms of the scenario `permutation`, whose page says which flows share an uplink. */
class SteadyRecorderTest : public ::testing::TestWithParam<const char*>
{
  protected:
    void SetUp() override
    {
        const std::string transport = std::string("transport.kind=") + GetParam();
        ClusterSimulation simulation(ReadScenario({"permutation", {"stop.time=5ms", transport}}));
        StretchFinder finder([this](const Stretch& found) { m_found.push_back(found); });
        const SteadyRecorder recorder(simulation.GetTrainingCluster(), Time(), finder);
        simulation.Run();
        finder.Finish();
        m_window = recorder.GetWindow();
        m_coverage = recorder.GetCoverage(finder.GetByteHops());
        m_packetHops = recorder.GetPacketHops();
    }

    std::vector<Stretch> m_found;
    Time m_window;
    double m_coverage{0};
    uint64_t m_packetHops{0};
};

INSTANTIATE_TEST_SUITE_P(All, SteadyRecorderTest, ::testing::Values("rdma", "tcp"));

TEST_P(SteadyRecorderTest, AWindowIsARoundTrip)
{
    // there and back over 4 links of 1 us, 1500 bytes there and 64 back at 10 Gbps on each
    EXPECT_NEAR(m_window.GetNanoSeconds(), 2 * 4 * 1000 + 4 * (1500 + 64) * 0.8, 4);
}

TEST_P(SteadyRecorderTest, ComponentsAreTheFlowsThatShareAnUplink)
{
    std::multiset<std::size_t> sizes;
    for (const Stretch& stretch : m_found)
    {
        if (stretch.GetWindows() > 100)
        {
            sizes.insert(stretch.bytes.size());
        }
    }
    EXPECT_EQ(sizes, (std::multiset<std::size_t>{1, 1, 1, 2, 3}));
}

TEST_P(SteadyRecorderTest, AStreamByItselfFillsItsLink)
{
    for (const Stretch& stretch : m_found)
    {
        if (stretch.GetWindows() > 100 && stretch.bytes.size() == 1)
        {
            const auto& bytes = stretch.bytes.front();
            const double sum = std::accumulate(bytes.end() - 100, bytes.end(), 0.0);
            const double rate = sum * 8 / (100 * m_window.GetSeconds());
            EXPECT_LT(rate, 10e9 * 1460 / 1538); // 1500 bytes and 38 of framing for 1460 of payload
            const bool isTcp =
                GetParam() == std::string("tcp"); // its windows cut too much at times
            EXPECT_GT(rate, (isTcp ? 0.9 : 0.98) * 10e9 * 1440 / 1538);
        }
    }
}

TEST_P(SteadyRecorderTest, AllPacketsAreAccountedFor)
{
    EXPECT_LT(m_coverage, 1460.0 / 1500);
    EXPECT_GT(m_coverage, 0.93); // acknowledgements and headers are the rest
    EXPECT_GT(m_packetHops, 10000U);
}

} // namespace
