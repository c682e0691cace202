// SPDX-License-Identifier: GPL-2.0-only
// Jobs whose samples take time on the CPU before each forward pass: for that time their GPU is
// left to others (Liquid §IV-D: two light jobs share a GPU).
#include "ddl-simulation-fixture.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class InputPhaseRunTest : public SimulationFixture
{
  protected:
    static constexpr int N = 20; //!< iterations

    /** \return so many jobs with 0.55 s of input and a task of 0.45 s, on one GPU */
    static std::string Jobs(uint32_t count)
    {
        return OnSwitch(1,
                        1,
                        R"({"jobs": [{"model": {"name": "light", "bytes": "1MB",
            "input": "550ms", "forward": "450ms", "gpuMemory": "5GB"},
            "pattern": "ring", "workers": 1, "iterations": )" +
                            std::to_string(N) + R"(, "count": )" + std::to_string(count) + "}]}");
    }
};

TEST_F(InputPhaseRunTest, InTurnTwoJobsTakeTheSumOfTheirTimes)
{
    // One job a GPU: an iteration takes 1 s, of which the GPU computes 0.45 s.
    const RunResult result = Run(Jobs(2));
    EXPECT_EQ(result.makespan, Seconds(2 * N));
    EXPECT_EQ(RowOf(result, 2).start, Seconds(N));
    EXPECT_NEAR(result.gpuUtilisation, 0.45, 1e-12);
}

TEST_F(InputPhaseRunTest, TogetherTheyAreInEachOthersWayOnce)
{
    // Both have their input at 0.55 s: the second one computes 0.45 s later, from 1 to 1.45 s. From
    // then on each computes while the other one prepares: N + 0.45 s.
    const RunResult result = Run(Jobs(2), {"cluster.hosts.gpuMemory=10GB"});
    EXPECT_EQ(RowOf(result, 2).start, Seconds(0));
    EXPECT_EQ(RowOf(result, 1).end, Seconds(N));
    EXPECT_EQ(RowOf(result, 2).end, Seconds(N) + MilliSeconds(450));
    EXPECT_NEAR(result.gpuUtilisation, 0.9 * N / (N + 0.45), 1e-12);
}

TEST_F(InputPhaseRunTest, ThreeFillTheGpu)
{
    // After the first input the GPU always computes: 3 x 0.45 s an iteration.
    const RunResult result = Run(Jobs(3), {"cluster.hosts.gpuMemory=15GB"});
    EXPECT_EQ(result.makespan, MilliSeconds(1350 * N + 550));
}

TEST_F(InputPhaseRunTest, ItIsScaledWithTheModelAndNotByTheGpu)
{
    const RunResult scaled = Run(Jobs(1), {"scale.model=0.1"});
    EXPECT_EQ(scaled.makespan, MilliSeconds(100 * N));
    const RunResult fast =
        Run(Jobs(1), {"cluster.gpuTypes={\"fast\": {\"speed\": 9}}", "cluster.hosts.gpuType=fast"});
    EXPECT_EQ(fast.makespan, MilliSeconds((550 + 50) * N));
}

TEST_F(InputPhaseRunTest, WhoGivesWayInItGoesOnWhereItWas)
{
    // Leases that end at any moment of an iteration; every iteration is done once.
    for (const std::string lease : {"300ms", "1700ms", "2050ms"})
    {
        SCOPED_TRACE(lease);
        const RunResult result =
            Run(Jobs(3),
                {"scheduler.lease=" + lease, "scheduler.jobs=2d-las", "transport.kind=fluid"});
        ASSERT_EQ(result.status, RunResult::Status::DONE);
        EXPECT_GT(result.runs.size(), 3U);
        for (uint32_t job = 1; job <= 3; ++job)
        {
            EXPECT_EQ(RowOf(result, job).iterations, uint64_t{N});
        }
        EXPECT_GE(result.makespan, Seconds(3 * N));
    }
}

TEST_F(InputPhaseRunTest, LiquidsLightModelsTakeLessThanHalfOfAGpu)
{
    for (const std::string model : {"CNN-MNIST", "NeuMF"})
    {
        const std::string text = OnSwitch(1, 1, R"({"jobs": [{"model": ")" + model + R"(",
            "workers": 1, "iterations": 600}]})");
        const RunResult k80 = Run(text, {"cluster.hosts.gpuType=K80"});
        EXPECT_NEAR(k80.makespan.GetSeconds(), model == "NeuMF" ? 120 : 60, 0.1);
        EXPECT_NEAR(k80.gpuUtilisation, 0.45, 0.001);
        EXPECT_NEAR(Run(text, {"cluster.hosts.gpuType=T4"}).gpuUtilisation, 0.29, 0.001);
    }
}

} // namespace
