// SPDX-License-Identifier: GPL-2.0-only
// Ada-SRSF, Theorems 1 and 2, packet by packet: of "start now" (srsf-2) and "wait" (srsf-1),
// ada-dual takes the one with the lower average completion time. All ratios and orders:
// ddl-gate-study.
#include "ddl-simulation-fixture.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Two all-reduces between the same two machines, the second ready some time after the first. */
struct TwoTasks
{
    uint32_t firstKilobytes;
    uint32_t secondKilobytes;
    uint32_t afterMicroseconds;
    bool waits; //!< what the theorems say
};

class GateTheorem : public SimulationFixture, public testing::WithParamInterface<TwoTasks>
{
  protected:
    static std::string Task(uint32_t gpu, uint32_t kilobytes, uint32_t microseconds)
    {
        const std::string g = std::to_string(gpu);
        return R"({"model": {"name": "m", "bytes": ")" + std::to_string(kilobytes) +
               R"(kB", "forward": ")" + std::to_string(microseconds) +
               R"(us"}, "workers": 2, "pattern": "ring", "iterations": 1,
                "placement": {"workers": [[0, )" +
               g + "], [1, " + g + "]]}}";
    }

    /** \return seconds from 0 to the end of a task, on average */
    double GetAverage(const std::string& gate)
    {
        const TwoTasks& tasks = GetParam();
        const auto result =
            Run(OnSwitch(2,
                         2,
                         R"({"jobs": [)" + Task(0, tasks.firstKilobytes, 0) + "," +
                             Task(1, tasks.secondKilobytes, tasks.afterMicroseconds) + "]}"),
                {"transport.kind=rdma", "scheduler.gate=" + gate});
        EXPECT_EQ(result.jobs.size(), 2u);
        m_waited = false;
        double sum = 0;
        for (const auto& row : result.jobs)
        {
            sum += row.end.GetSeconds();
            m_waited = m_waited || row.gateWait > Time(0);
        }
        return sum / 2;
    }

    bool m_waited{false};
};

} // namespace

TEST_P(GateTheorem, TakesTheBetterChoice)
{
    const double wait = GetAverage("srsf-1");
    const double start = GetAverage("srsf-2");
    const double ada = GetAverage("ada-dual");
    EXPECT_EQ(m_waited, GetParam().waits);
    EXPECT_LE(ada, std::min(wait, start) * 1.002) << "wait " << wait << " start " << start;
}

// 8000 kB take 6.6 ms, of which 20 kB go in 17 us; the threshold is about a half of what is left.
INSTANTIATE_TEST_SUITE_P(
    Orders,
    GateTheorem,
    testing::Values(TwoTasks{8000, 400, 20, false},    // 1 / 20 of it
                    TwoTasks{8000, 2400, 20, false},   // 0.3
                    TwoTasks{8000, 5600, 20, true},    // 0.7
                    TwoTasks{8000, 8000, 20, true},    // equal
                    TwoTasks{8000, 1200, 3300, false}, // 0.3 of the half that is left
                    TwoTasks{8000, 2800, 3300, true},  // 0.7 of it
                    TwoTasks{2400, 8000, 20, true},    // Theorem 1: the larger goes second
                    TwoTasks{2400, 8000, 1000, true},
                    TwoTasks{8000, 2400, 0, true}, // both at once: the smaller first
                    TwoTasks{8000, 8000, 0, true}));
