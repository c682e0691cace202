// SPDX-License-Identifier: GPL-2.0-only
// Every network scheduler brings a mixed workload to its end, packet by packet, in band.
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-network-scheduler.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class AllNetworkSchedulers : public SimulationFixture,
                             public testing::WithParamInterface<std::string>
{
  protected:
    RunResult RunMix(const Settings& more)
    {
        // A cojob of parameter-server jobs of two phases, workers of which are apart by their
        // jitter; a one-way job whose workers do not wait for each other; a ring that comes later;
        // a job that stays inside one machine.
        Settings settings = {"scheduler.network=" + GetParam(),
                             "scheduler.control=in-band",
                             "transport.mtu=9000",
                             "scheduler.period=200us"};
        settings.insert(settings.end(), more.begin(), more.end());
        return Run(OnSwitch(4, 4, R"({
            "cojobs": [{"id": 1, "stages": [2, 3, 4], "jobs": [
                {"count": 4, "model": {"name": "a", "bytes": "200kB", "forward": "50us"},
                 "workers": 2, "servers": 2, "accuracy": [1, 2, 3]}]}],
            "jobs": [
                {"id": 5, "model": {"name": "b", "bytes": "300kB"}, "workers": 2, "servers": 1,
                 "pattern": {"type": "parameter-server", "PullRatio": 0}, "iterations": 4},
                {"id": 6, "model": {"name": "c", "bytes": "400kB", "forward": "80us"},
                 "workers": 4, "pattern": "ring", "iterations": 3, "submit": "300us"},
                {"id": 7, "model": {"name": "d", "bytes": "100kB", "forward": "10us"},
                 "workers": 2, "pattern": "ring", "iterations": 5,
                 "placement": {"workers": [[3, 2], [3, 3]], "servers": []}}]})"),
                   settings);
    }
};

TEST_P(AllNetworkSchedulers, EndAMixedWorkload)
{
    const RunResult result = RunMix({});
    EXPECT_EQ(result.status, RunResult::Status::DONE) << result.reason;
    EXPECT_EQ(result.jobs.size(), 7U);
    EXPECT_EQ(result.stages.size(), 3U);
}

TEST_P(AllNetworkSchedulers, EndItWithOneQueueToo)
{
    const RunResult result = RunMix({"cluster.ports.queues=1", "cluster.hosts.bands=1"});
    EXPECT_EQ(result.status, RunResult::Status::DONE) << result.reason;
}

std::string
AsTestName(const testing::TestParamInfo<std::string>& info)
{
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Registered,
                         AllNetworkSchedulers,
                         testing::ValuesIn(ListPolicies(NetworkScheduler::GetTypeId())),
                         AsTestName);

} // namespace
