// SPDX-License-Identifier: GPL-2.0-only
// Cojobs that share one port and nothing else, against the closed form of
// scenarios/grouper-one-port.
#include "ddl-simulation-fixture.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

const std::vector<uint64_t> ITERATIONS{2, 4, 8, 16}; // of a job in each stage
const std::vector<uint32_t> LIVE{8, 4, 2, 1};        // jobs of a cojob in each stage

/** One cojob on a port of rate 1: its stage, from 0, and the bytes that each live job still has
 * there. */
struct Share
{
    double bytes; // of an iteration of one job
    std::size_t stage{0};
    double left{bytes * ITERATIONS[0]};

    bool IsDone() const
    {
        return stage == LIVE.size();
    }

    void Finish()
    {
        ++stage;
        left = IsDone() ? 0 : bytes * ITERATIONS[stage];
    }
};

/** \return average SCT when all live jobs share the port equally, all released at 0 */
double
ShareFairly(std::vector<Share> cojobs)
{
    double now = 0;
    double sum = 0;
    for (std::size_t stages = cojobs.size() * LIVE.size(); stages > 0;)
    {
        double jobs = 0;
        double least = std::numeric_limits<double>::max();
        for (const Share& cojob : cojobs)
        {
            jobs += cojob.IsDone() ? 0 : LIVE[cojob.stage];
            least = cojob.IsDone() ? least : std::min(least, cojob.left);
        }
        now += least * jobs;
        for (Share& cojob : cojobs)
        {
            cojob.left -= cojob.IsDone() ? 0 : least;
            if (!cojob.IsDone() && cojob.left < 1e-6)
            {
                cojob.Finish();
                sum += now;
                --stages;
            }
        }
    }
    return sum / (cojobs.size() * LIVE.size());
}

/** \return average SCT when the smallest stage of all that may run goes first, all released at 0 */
double
SmallestStageFirst(std::vector<Share> cojobs)
{
    const auto load = [](const Share& cojob) {
        return cojob.IsDone() ? std::numeric_limits<double>::max() : cojob.left * LIVE[cojob.stage];
    };
    double now = 0;
    double sum = 0;
    for (std::size_t stages = cojobs.size() * LIVE.size(); stages > 0; --stages)
    {
        Share& next =
            *std::min_element(cojobs.begin(), cojobs.end(), [&](const Share& a, const Share& b) {
                return load(a) < load(b);
            });
        now += load(next);
        sum += now;
        next.Finish();
    }
    return sum / (cojobs.size() * LIVE.size());
}

class OnePortTest : public SimulationFixture
{
  protected:
    /** \return average SCT, s, of as many cojobs of each of Grouper's four models */
    double MeasureSct(const std::string& scheduler, uint32_t ofEach)
    {
        const std::string workload = R"({"compute": {"ratio": 0}, "generator": {"models": [
            {"name": "a", "bytes": "160kB"}, {"name": "b", "bytes": "230kB"},
            {"name": "c", "bytes": "250kB"}, {"name": "d", "bytes": "580kB"}], "cojobs": )" +
                                     std::to_string(4 * ofEach) + R"(,
            "stages": [2, 4, 8, 16], "pattern": {"type": "parameter-server", "PullRatio": 0}}})";
        const RunResult result = Run(OnSwitch(2, 256, workload),
                                     {"scheduler.network=" + scheduler, "transport.kind=rdma"});
        std::vector<double> times;
        for (const auto& row : result.stages)
        {
            times.push_back(row.GetSct());
        }
        EXPECT_EQ(times.size(), 16U * ofEach);
        return std::accumulate(times.begin(), times.end(), 0.0) / times.size();
    }

    static std::vector<Share> MakeShares(uint32_t ofEach)
    {
        std::vector<Share> cojobs;
        for (uint32_t i = 0; i < ofEach; ++i)
        {
            for (const double bytes : {160, 230, 250, 580})
            {
                cojobs.push_back({bytes});
            }
        }
        return cojobs;
    }
};

TEST_F(OnePortTest, GrouperGainsWhatTheClosedFormSays)
{
    // Stages of a cojob have equal loads (8 x 2 = 4 x 4 = 2 x 8 = 1 x 16 iterations).
    for (const uint32_t ofEach : {1U, 2U})
    {
        const auto cojobs = MakeShares(ofEach);
        const double expected = SmallestStageFirst(cojobs) / ShareFairly(cojobs);
        EXPECT_NEAR(expected, ofEach == 1 ? 0.732 : 0.703, 0.001); // scenarios/grouper-one-port
        const double measured =
            MeasureSct("grouper-immediate", ofEach) / MeasureSct("fair-share", ofEach);
        EXPECT_NEAR(measured / expected, 1, 0.02);
    }
}

} // namespace
