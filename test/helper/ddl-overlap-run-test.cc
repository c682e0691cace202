// SPDX-License-Identifier: GPL-2.0-only
// Backward passes that overlap with communication, packet by packet, beside the closed form.
#include "ddl-simulation-fixture.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr double WIRE = 8.0 / 10e9 * 1538 / 1460; //!< seconds a byte, with headers and framing

/** Transport, buckets, milliseconds of the backward pass. */
class OverlapRun : public SimulationFixture,
                   public testing::WithParamInterface<std::tuple<std::string, uint32_t, int>>
{
};

} // namespace

TEST_P(OverlapRun, ARingAloneMatchesTheClosedForm)
{
    // N = 4, M = 8 MB: 12 MB through each NIC, 10.1 ms, in buckets as the backward pass gives them.
    const auto [transport, buckets, backward] = GetParam();
    const std::string workload =
        R"({"overlap": {"buckets": )" + std::to_string(buckets) +
        R"(}, "jobs": [{"model": {"bytes": "8MB", "forward": "2ms", "backward": ")" +
        std::to_string(backward) + R"(ms"}, "workers": 4, "iterations": 3}]})";
    const auto result =
        Run(OnSwitch(4, 1, workload), {"transport.kind=" + transport, "output.iterations=true"});
    const double bucket = 1.5 * 8e6 * WIRE / buckets;
    double end = 0;
    for (uint32_t b = 1; b <= buckets; ++b)
    {
        end = std::max(end, 2e-3 + 1e-3 * backward * b / buckets) + bucket;
    }
    ASSERT_EQ(result.iterations.size(), 3U);
    // the first one opens the connections
    const auto& record = result.iterations[1];
    const double measured = (record.end - record.start).GetSeconds();
    EXPECT_NEAR(measured / end, 1, 0.02) << measured << " s, closed form " << end << " s";
    EXPECT_EQ(RowOf(result, 1).bytes, 3U * 6 * 8000000);
}

INSTANTIATE_TEST_SUITE_P(All,
                         OverlapRun,
                         testing::Combine(testing::Values("rdma", "fluid"),
                                          testing::Values(1, 4),
                                          testing::Values(4, 10, 30)));

/** Transport, order, during the backward pass. */
class LayerRun : public SimulationFixture,
                 public testing::WithParamInterface<std::tuple<std::string, std::string, bool>>
{
};

TEST_P(LayerRun, ShortLayersOnALongWireMatchTheClosedForm)
{
    // A ring of 4 at 10 Gbps; links of 100 us, so 200 us to the neighbour: each of the 6 steps of
    // a layer of M bytes takes 200 us + M / 4 on the wire, and a packet more behind the switch.
    // One after the other, a layer waits for the one before; side by side none does, since the
    // wires are nearly empty.
    const auto [transport, order, backward] = GetParam();
    const std::vector<std::pair<int, int>> layers = {{20, 100}, {8, 500}, {0, 50}, {48, 200}};
    std::string list;
    for (const auto& [kilobytes, microseconds] : layers)
    {
        list += (list.empty() ? "" : ", ") + std::string(R"({"bytes": ")") +
                std::to_string(kilobytes) + R"(kB", "forward": "10us", "backward": ")" +
                std::to_string(microseconds) + R"(us"})";
    }
    const std::string workload = R"({"overlap": {"order": ")" + order + R"(", "backward": )" +
                                 (backward ? "true" : "false") +
                                 R"(}, "jobs": [{"model": {"layers": [)" + list +
                                 R"(]}, "workers": 4, "iterations": 3}]})";
    const auto result = Run(OnSwitch(4, 1, workload),
                            {"transport.kind=" + transport,
                             "transport.congestionControl=fixed", // no window is in the way
                             "cluster.topology.delay=100us",
                             "output.iterations=true"});
    const double forward = 40e-6;
    const double pass = 850e-6;
    double ready = forward + (backward ? 0 : pass);
    double before = 0; // end of the layer before, and then of all
    double end = 0;
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
    {
        ready += backward ? 1e-6 * layer->second : 0;
        const double bytes = 1e3 * layer->first;
        const double packet = std::min(bytes / 4, 1460.0) * WIRE;
        const double all = bytes > 0 ? 6 * (200e-6 + bytes / 4 * WIRE + packet) : 0;
        before = order == "serial" ? std::max(before, ready) + all : ready + all;
        end = std::max(end, before);
    }
    ASSERT_EQ(result.iterations.size(), 3U);
    const auto& record = result.iterations[1]; // the first one opens the connections
    const double measured = (record.end - record.start).GetSeconds();
    EXPECT_NEAR(measured / end, 1, 0.02) << measured << " s, closed form " << end << " s";
    EXPECT_EQ(RowOf(result, 1).bytes, 3U * 6 * 76000);
}

INSTANTIATE_TEST_SUITE_P(All,
                         LayerRun,
                         testing::Combine(testing::Values("rdma", "fluid"),
                                          testing::Values("concurrent", "serial"),
                                          testing::Values(true, false)));

TEST_F(OverlapRun, AGateIsAskedOnceAnIteration)
{
    const std::string workload = R"({"overlap": {"buckets": 4}, "jobs": [{"count": 2, "workers": 2,
        "model": {"bytes": "1MB", "forward": "1ms", "backward": "4ms"}, "iterations": 5}]})";
    const auto result =
        Run(OnSwitch(4, 1, workload),
            {"transport.kind=rdma", "scheduler.gate=srsf-1", "output.iterations=true"});
    ASSERT_TRUE(result.gate);
    EXPECT_EQ(result.status, RunResult::Status::DONE);
    EXPECT_EQ(result.gate->requests, 10U);
    EXPECT_EQ(result.gate->grants, 10U);
}

TEST_F(OverlapRun, NoBucketsAreRefused)
{
    const std::string text =
        WithWorkload(std::string(R"({"overlap": {"buckets": 0}, "jobs": [)") + JOB + "]}");
    EXPECT_EQ(Complaints(text).rfind("s.json:3: /workload/overlap/buckets: must be", 0), 0U)
        << Complaints(text);
}
