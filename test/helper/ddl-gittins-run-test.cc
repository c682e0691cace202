// SPDX-License-Identifier: GPL-2.0-only
// The Gittins order in whole runs: whose GPU times it knows, and who gives way when.
#include "ddl-simulation-fixture.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class GittinsRunTest : public SimulationFixture
{
  protected:
    /**
     * \return when jobs that compute for 400, 100 and 100 ms on the one GPU end, in ms, rounded to
     *         10; they arrive at 0, 10 and 20 ms. A job gives way at the end of an iteration of 1
     * ms
     */
    std::vector<int> ListEnds(const std::string& jobs, const std::string& scale = "1")
    {
        const std::string workload = "{\"jobs\": [" + ComputeJob(1, R"("iterations": 400)") + ", " +
                                     ComputeJob(1, R"("iterations": 100, "submit": "10ms")") +
                                     ", " +
                                     ComputeJob(1, R"("iterations": 100, "submit": "20ms")") + "]}";
        const RunResult result =
            Run(OnSwitch(1, 1, workload), {"scheduler.jobs=" + jobs, "scale.iterations=" + scale});
        EXPECT_EQ(result.status, RunResult::Status::DONE);
        std::vector<int> ends;
        for (const uint32_t job : {1, 2, 3})
        {
            ends.push_back(10 * std::lround(100 * RowOf(result, job).end.GetSeconds()));
        }
        return ends;
    }
};

TEST_F(GittinsRunTest, TheJobsOfTheScenarioStandForPastOnes)
{
    using Ends = std::vector<int>;
    // G(0) = (2/3) / 0.1 s, as two of three end within 0.1 s; G(0.1 s) = 1 / 0.3 s. So the first
    // job gives way after 0.1 s.
    EXPECT_EQ(ListEnds("2d-gittins"), (Ends{600, 200, 300}));
    EXPECT_EQ(
        ListEnds("{\"type\": \"2d-gittins\", \"Services\": [\"400ms\", \"0.1s\", \"100ms\"]}"),
        (Ends{600, 200, 300}));
    // Half as many iterations: all times are halved, those that are given as well.
    EXPECT_EQ(ListEnds("2d-gittins", "0.5"), (Ends{300, 100, 150}));
    EXPECT_EQ(ListEnds("{\"type\": \"2d-gittins\", \"Services\": [\"400ms\", \"0.1s\", \"100ms\"]}",
                       "0.5"),
              (Ends{300, 100, 150}));
    // All past jobs took longer than these: the index of all is the same, and who came first runs.
    EXPECT_EQ(ListEnds("{\"type\": \"2d-gittins\", \"Services\": [\"1s\"]}"),
              (Ends{400, 500, 600}));
    EXPECT_EQ(ListEnds("2d-las"), (Ends{400, 500, 600}));
}

TEST_F(GittinsRunTest, AShortTimeStaysAboveZeroWhenItIsScaled)
{
    const std::string workload = "{\"jobs\": [" + ComputeJob(1, R"("iterations": 100)") + "]}";
    const RunResult result = Run(
        OnSwitch(1, 1, workload),
        {R"(scheduler.jobs={"type": "2d-gittins", "Services": ["1ns"]})", "scale.iterations=0.01"});
    EXPECT_EQ(result.status, RunResult::Status::DONE);
}

} // namespace
