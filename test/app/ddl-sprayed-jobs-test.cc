// SPDX-License-Identifier: GPL-2.0-only
// Jobs on sprayed paths: packets against fluids.
#include "ddl-simulation-fixture.h"

namespace ns3::ddl
{
namespace
{

/** Four rings over four racks, of which each has one worker per rack, on uplinks that carry half of
 * what the hosts can send. */
class SprayedJobsTest : public SimulationFixture
{
  protected:
    static std::string Ring(uint32_t job, const std::string& model)
    {
        std::string workers;
        for (uint32_t rack = 0; rack < 4; ++rack)
        {
            workers += (rack > 0 ? ", [" : "[") + std::to_string(4 * rack + job - 1) + ", 0]";
        }
        return R"({"id": )" + std::to_string(job) + R"(, "model": {)" + model +
               R"(}, "workers": 4, "pattern": "ring", "iterations": 4, "placement": {"workers": [)" +
               workers + "]}}";
    }

    /** \return mean JCT in seconds. \param transport JSON */
    double Measure(const std::string& transport)
    {
        const std::string text =
            R"({"name": "s", "cluster": {"topology": {"kind": "leaf-spine", "leaves": 4,
                "hostsPerLeaf": 4, "spines": 4, "hostRate": "25Gbps", "fabricRate": "12.5Gbps",
                "routing": "spray"}, "hosts": {"gpus": 1}, "ports": {"ecnThreshold": "400kB"}},
                "transport": )" +
            transport +
            R"(, "scheduler": {"network": "fair-share"}, "output": {"alone": false},
                "workload": {"compute": {"jitter": {"type": "uniform-random-variable", "Min": 0.9,
                "Max": 1.1}}, "jobs": [)" +
            Ring(1, R"("bytes": "40MB", "forward": "2ms", "backward": "4ms")") + ", " +
            Ring(2, R"("bytes": "60MB", "forward": "3ms", "backward": "6ms")") + ", " +
            Ring(3, R"("bytes": "25MB", "forward": "1ms", "backward": "2ms")") + ", " +
            Ring(4, R"("bytes": "90MB", "forward": "5ms", "backward": "9ms")") + "]}}";
        const RunResult result = Run(text);
        double sum = 0;
        for (uint32_t job = 1; job <= 4; ++job)
        {
            sum += (RowOf(result, job).end - RowOf(result, job).submit).GetSeconds();
        }
        return sum / 4;
    }
};

TEST_F(SprayedJobsTest, TakeAsLongOnPacketsAsOnFluids)
{
    const double packets =
        Measure(R"({"kind": "rdma", "mtu": 4160, "recovery": "selective-repeat"})");
    const double fluids = Measure(R"({"kind": "fluid", "mtu": 4160, "headerBytes": 44})");
    EXPECT_GT(fluids, 0.1) << "70 ms of computing at most: they wait for each other's uplinks";
    EXPECT_NEAR(packets / fluids, 1, 0.03);
}

} // namespace
} // namespace ns3::ddl
