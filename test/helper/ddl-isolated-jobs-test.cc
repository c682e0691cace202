// SPDX-License-Identifier: GPL-2.0-only
// FluidTransport's Isolated: each job takes as long as alone, whoever sends from its ports.
#include "ddl-simulation-fixture.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class IsolatedJobsTest : public SimulationFixture
{
  protected:
    /** Rings, trees and parameter servers, all of which cross the same eight machines; they come
     * while others send. \return JSON of a job */
    static std::string MakeJob(uint32_t id)
    {
        const std::vector<std::string> patterns{"ring", "binary-tree", "halving-doubling"};
        std::string workers;
        for (uint32_t host = 0; host < 8; ++host)
        {
            workers += (host > 0 ? ", [" : "[") + std::to_string(host) + ", " +
                       std::to_string(id - 1) + "]";
        }
        return R"({"id": )" + std::to_string(id) + R"(, "workers": 8, "servers": 0, "submit": ")" +
               std::to_string(7 * id) + R"(00us", "iterations": 60, "pattern": ")" +
               patterns.at(id % patterns.size()) + R"(", "placement": {"workers": [)" + workers +
               R"(]}, "model": {"name": "m", "bytes": ")" + std::to_string(2 + id % 2) +
               R"(MB", "forward": "50us", "backward": "100us"}})";
    }

    static std::string MakeScenario(const std::string& jobs)
    {
        return R"({"name": "s", "cluster": {"topology": {"kind": "leaf-spine", "leaves": 2,
            "hostsPerLeaf": 4, "spines": 1}, "hosts": {"gpus": 4}}, "transport": {"kind": "fluid"},
            "workload": {"jobs": [)" +
               jobs + "]}}";
    }

    static std::string MakeFourJobs()
    {
        return MakeScenario(MakeJob(1) + ", " + MakeJob(2) + ", " + MakeJob(3) + ", " + MakeJob(4));
    }

    static double GetJct(const RunResult& result, uint32_t job)
    {
        const JobRow row = RowOf(result, job);
        return (row.end - row.submit).GetSeconds();
    }
};

TEST_F(IsolatedJobsTest, TakeAsLongAsAlone)
{
    const RunResult isolated = Run(MakeFourJobs(), {"transport.isolated=true"});
    const RunResult together = Run(MakeFourJobs(), {});
    double bytes = 0;
    for (uint32_t job = 1; job <= 4; ++job)
    {
        SCOPED_TRACE(job);
        const RunResult alone = Run(MakeScenario(MakeJob(job)), {});
        // Control messages of all jobs still share the network.
        EXPECT_NEAR(GetJct(isolated, job), GetJct(alone, job), 1e-5 * GetJct(alone, job));
        EXPECT_GT(GetJct(together, job), 1.2 * GetJct(alone, job));
        bytes += static_cast<double>(RowOf(alone, job).bytes);
    }
    double passed = 0;
    double busiest = 0;
    for (const auto& row : isolated.ports)
    {
        passed += row.node[0] == 'h' && row.queue > 0 ? static_cast<double>(row.bytes) : 0;
        busiest = std::max(busiest, row.utilisation);
    }
    EXPECT_NEAR(passed, bytes * 1500 / 1460, 1e-3 * bytes); // ports count all jobs
    EXPECT_GT(busiest, 1);
}

TEST_F(IsolatedJobsTest, LeapBesideEachOther)
{
    const RunResult leapt = Run(MakeFourJobs(), {"transport.isolated=true", "leap={}"});
    const RunResult all = Run(MakeFourJobs(), {"transport.isolated=true"});
    const RunResult sharing = Run(MakeFourJobs(), {"leap={}"});
    ASSERT_TRUE(leapt.leaps && sharing.leaps);
    uint64_t skippedAlone = 0;
    for (uint32_t job = 1; job <= 4; ++job)
    {
        EXPECT_NEAR(GetJct(leapt, job), GetJct(all, job), 1e-5 * GetJct(all, job)) << job;
        skippedAlone += Run(MakeScenario(MakeJob(job)), {"leap={}"}).leaps->iterations;
    }
    EXPECT_GE(skippedAlone, 100U);
    EXPECT_NEAR(static_cast<double>(leapt.leaps->iterations),
                static_cast<double>(skippedAlone),
                0.05 * static_cast<double>(skippedAlone));
    EXPECT_LT(sharing.leaps->iterations, skippedAlone / 2); // the last job's, when others have left
}

} // namespace
