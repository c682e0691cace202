// SPDX-License-Identifier: GPL-2.0-only
// The bound on the sum of stage completion times of whole runs: where it applies, and why not.
#include "ddl-simulation-fixture.h"

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class CertificateTest : public SimulationFixture
{
  protected:
    /** \return a job that pushes 12.5 MB an iteration, 10 ms of payload, from machine 0 */
    static std::string PushJob(uint32_t gpu, const std::string& model, const std::string& more)
    {
        return R"({"model": {"name": "m", "bytes": "12.5MB")" + model +
               R"(}, "workers": 1, "servers": 1,
                  "pattern": {"type": "parameter-server", "PullRatio": 0},
                  "placement": {"workers": [[0, )" +
               std::to_string(gpu) + R"(]], "servers": [)" + std::to_string(gpu + 1) + "]}" + more +
               "}";
    }

    SctCertificate Certify(const std::string& workload)
    {
        return Run(OnSwitch(5, 4, workload), {"scheduler.network=grouper-immediate"}).certificate;
    }
};

// Grouper Fig. 3, a unit of 12.5 MB. What really runs: A1 2, A2 2, B1 4, B2 4 units on the port
// that machine 0 sends by; bound 26 units of 10 ms; the run needs a bit more for headers and
// latency.
TEST_F(CertificateTest, Figure3)
{
    const std::string once = R"(, "stopAfter": 1)";
    const auto certificate =
        Certify(R"({"cojobs": [{"id": 1, "stages": [1, 2], "search": "list", "jobs": [)" +
                PushJob(0, "", "") + "," + PushJob(1, "", once) +
                R"(]}, {"id": 2, "stages": [2, 4], "search": "list", "jobs": [)" +
                PushJob(2, "", "") + "," + PushJob(3, "", once) + "]}]}");
    EXPECT_EQ(certificate.reason, "");
    EXPECT_NEAR(certificate.boundSeconds, 0.26, 1e-9);
    EXPECT_GT(certificate.sctSeconds, 0.26 * 1538 / 1460); // frames for payload
    EXPECT_LT(certificate.sctSeconds, 0.26 * 1.1);
}

TEST_F(CertificateTest, SaysWhyItDoesNotApply)
{
    const auto cojob = [](const std::string& submit, const std::string& job) {
        return R"({"cojobs": [{"id": 1, "stages": [1], "submit": ")" + submit + R"(", "jobs": [)" +
               job + "]}]}";
    };
    EXPECT_EQ(Certify(cojob("1ms", PushJob(0, "", ""))).reason, "cojob 1 was not released at 0");
    EXPECT_EQ(Certify(cojob("0s", PushJob(0, R"(, "forward": "1ms")", ""))).reason,
              "job 1 computes");
    EXPECT_EQ(Certify(R"({"jobs": [{"model": {"name": "m", "bytes": "1MB"}, "pattern": "ring",
                                    "workers": 2, "iterations": 1}]})")
                  .reason,
              "there are no cojobs");
    EXPECT_EQ(Certify(cojob("0s", R"({"model": {"name": "m", "bytes": "1MB"}, "pattern": "ring",
                                      "workers": 5})"))
                  .reason,
              "an iteration of job 1 has more than one phase");
    EXPECT_EQ(Certify(cojob("0s", R"({"model": {"name": "m", "bytes": "1MB"}, "workers": 1,
                                      "servers": 1, "pattern": {"type": "parameter-server",
                                      "PullRatio": 0},
                                      "placement": {"workers": [[0, 0]], "servers": [0]}})"))
                  .reason,
              "nothing was moved over the network");
}

} // namespace
