// SPDX-License-Identifier: GPL-2.0-only
// Machines of different kinds: how they are read, how fast they are.
#include "ddl-simulation-fixture.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class MachinesTest : public SimulationFixture
{
  protected:
    /** \return four machines at one switch, with such "hosts" and "gpuTypes", on line 2 */
    static std::string WithHosts(const std::string& hosts, const std::string& types = "{}")
    {
        return WithCluster(R"({"topology": {"kind": "single-switch", "hosts": 4}, "hosts": )" +
                           hosts + R"(, "gpuTypes": )" + types + "}");
    }
};

} // namespace

TEST_F(MachinesTest, GroupsDescribeAllMachines)
{
    const auto cluster = ReadText(WithHosts(R"({"gpus": 3, "groups": [{"count": 2},
        {"gpus": 8, "gpuType": "T4"}, {"gpus": 0}]})"))
                             .cluster;
    const auto machines = ListMachines(cluster);
    ASSERT_EQ(machines.size(), 4U);
    EXPECT_EQ(machines[1].gpus, 3U);
    EXPECT_EQ(machines[1].gpuType.name, "V100");
    EXPECT_EQ(machines[2].gpus, 8U);
    EXPECT_EQ(machines[2].gpuType.name, "T4");
    EXPECT_EQ(machines[3].gpus, 0U);
    EXPECT_EQ(CountGpus(cluster), 14U); // 3 + 3 + 8
    EXPECT_EQ(MakeEmptyView(cluster).machines[2].gpuType.name, "T4");
}

TEST_F(MachinesTest, ATypeMayBeChangedOrNew)
{
    const auto cluster = ReadText(WithHosts(R"({"gpuType": "X"})", R"({"X": {"speed": 2},
        "T4": {"models": {"vgg-16": 0.25, "mine": 0.5}}})"),
                                  {"cluster.gpuTypes.X.speed=3"})
                             .cluster;
    EXPECT_EQ(cluster.gpuType.speed, 3);
    ASSERT_EQ(cluster.gpuTypes.size(), 2U);
    const GpuType& t4 =
        cluster.gpuTypes[0].name == "T4" ? cluster.gpuTypes[0] : cluster.gpuTypes[1];
    EXPECT_DOUBLE_EQ(t4.speed, 2.0 / 7);
    EXPECT_EQ(t4.GetSpeed("VGG-16"), 0.25); // the model's own name, in any case
    EXPECT_EQ(t4.GetSpeed("mine"), 0.5);
}

TEST_F(MachinesTest, WrongOnesAreSaid)
{
    EXPECT_EQ(Complaints(WithHosts(R"({"gpuType": "V10"})")),
              "s.json:2: /cluster/hosts/gpuType: unknown GPU type \"V10\" (one of K80, M60, T4, "
              "V100, or describe it in cluster.gpuTypes); did you mean \"V100\"?");
    EXPECT_EQ(Complaints(WithHosts(R"({"groups": [{"count": 4, "gpuType": "P1"}]})")),
              "s.json:2: /cluster/hosts/groups/0/gpuType: unknown GPU type \"P1\" (one of K80, "
              "M60, T4, V100, or describe it in cluster.gpuTypes)");
    EXPECT_EQ(Complaints(WithHosts(R"({"groups": [{"count": 3}]})")),
              "s.json:2: /cluster/hosts/groups: describe 3 machines of 4 (their counts add up to "
              "all)");
    for (const char* speed : {"0", "-1", "1e7", "\"fast\""})
    {
        const auto said =
            Complaints(WithHosts("{}", std::string(R"({"T4": {"speed": )") + speed + "}}"));
        EXPECT_EQ(said.rfind("s.json:2: /cluster/gpuTypes/T4/speed: must be", 0), 0U) << said;
        const auto model =
            Complaints(WithHosts("{}", std::string(R"({"T4": {"models": {"m": )") + speed + "}}}"));
        EXPECT_EQ(model.rfind("s.json:2: /cluster/gpuTypes/T4/models/m: must be", 0), 0U) << model;
    }
    EXPECT_NE(Complaints(WithHosts("{}", R"({"New": {}})")).find("/cluster/gpuTypes/New"),
              std::string::npos);
    EXPECT_NE(
        Complaints(WithHosts(R"({"groups": [{"count": 4, "speed": 1}]})")).find("unknown key"),
        std::string::npos);
}

TEST_F(MachinesTest, PlacementsAndSizesGoByTheMachine)
{
    const std::string hosts = R"({"gpus": 1, "groups": [{"gpus": 2}, {"count": 3}]})";
    const auto job = [](const std::string& worker) {
        return "workload.jobs.0.placement={\"workers\": [[0, 1], " + worker + "]}";
    };
    EXPECT_EQ(Complaints(WithHosts(hosts), {job("[1, 0]")}), "");
    EXPECT_NE(Complaints(WithHosts(hosts), {job("[1, 1]")}), "");
    EXPECT_EQ(Complaints(WithHosts(hosts), {"workload.jobs.0.workers=5"}), "");
    EXPECT_NE(Complaints(WithHosts(hosts), {"workload.jobs.0.workers=6"}).find("of 5 GPUs"),
              std::string::npos);
}

TEST_F(MachinesTest, TheSlowestGpuSetsThePace)
{
    // 7 ms on a V100, 24.5 ms on a T4: each of 3 iterations takes that and an all-reduce of 1 byte
    const std::string text = R"({"name": "s", "scheduler": {"control": "direct"},
        "cluster": {"topology": {"kind": "single-switch", "hosts": 2},
                    "hosts": {"gpus": 1, "groups": [{}, {"gpuType": "T4"}]}},
        "workload": {"jobs": [{"model": {"bytes": "1B", "forward": "2ms", "backward": "5ms"},
                               "workers": 2, "iterations": 3}]}})";
    const auto result = Run(text);
    EXPECT_NEAR(RowOf(result, 1).compute.GetSeconds(), 3 * 0.0245, 1e-8);
    // One on the V100 alone
    const auto alone = Run(text, {"workload.jobs.0.workers=1"});
    EXPECT_NEAR(RowOf(alone, 1).GetJct(), 3 * 0.007, 1e-8);
}

TEST_F(MachinesTest, HaresTestbed)
{
    const auto cluster = ReadText(WithCluster("\"hare-testbed\"")).cluster;
    EXPECT_EQ(CountGpus(cluster), 15U);
    EXPECT_EQ(ListMachines(cluster)[3].gpuType.name, "M60");
}
