// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-error.h"
#include "ns3/ddl-place-all.h"
#include "ns3/ddl-placement-helpers.h"

#include <gtest/gtest.h>
#include <tuple>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** `machines` machines of two free GPUs. */
ClusterView
Pairs(uint32_t machines)
{
    ClusterView cluster;
    for (uint32_t h = 0; h < machines; ++h)
    {
        MachineView machine;
        machine.host = HostId{h};
        machine.gpus = {{GpuId{HostId{h}, 0}, true}, {GpuId{HostId{h}, 1}, true}};
        cluster.machines.push_back(machine);
    }
    return cluster;
}

JobSpec
Job(uint32_t id, uint32_t workers, uint32_t servers = 0)
{
    JobSpec job;
    job.id = JobId{id};
    job.workers = workers;
    job.servers = servers;
    return job;
}

GpuId
G(uint32_t host, uint32_t index)
{
    return {HostId{host}, index};
}

std::optional<std::vector<Placement>>
PlaceGroup(ClusterView cluster, const std::vector<JobSpec>& jobs)
{
    return PlaceGroup(CreatePolicy<PlacementPolicy>("first-fit"), cluster, MakeRequest(jobs, 0))
        .placements;
}

} // namespace

TEST(PlaceAll, EachJobSeesTheOnesBefore)
{
    const auto placements = PlaceGroup(Pairs(2), {Job(1, 1), Job(2, 3)});
    ASSERT_TRUE(placements);
    EXPECT_EQ((*placements)[0].workers, (std::vector<GpuId>{G(0, 0)}));
    EXPECT_EQ((*placements)[1].workers, (std::vector<GpuId>{G(0, 1), G(1, 0), G(1, 1)}));
}

TEST(PlaceAll, AllOrNone)
{
    EXPECT_FALSE(PlaceGroup(Pairs(2), {Job(1, 3), Job(2, 2)})); // 5 of 4
}

TEST(PlaceAll, ServersSpreadOverTheJobs)
{
    // job 1: worker on 0, server on 1 (none there yet); job 2: worker on 0, server on 2
    const auto placements = PlaceGroup(Pairs(3), {Job(1, 1, 1), Job(2, 1, 1)});
    ASSERT_TRUE(placements);
    EXPECT_EQ((*placements)[0].servers, (std::vector<GpuId>{OnMachine({1})}));
    EXPECT_EQ((*placements)[1].servers, (std::vector<GpuId>{OnMachine({2})}));
}

TEST(PlaceAll, AGivenPlacementIsKeptFreeOfOthers)
{
    std::vector<JobSpec> jobs = {Job(1, 1), Job(2, 1)};
    jobs[1].placement = Placement{{G(0, 0)}, {}}; // which first-fit would give to job 1
    const auto placements = PlaceGroup(Pairs(1), jobs);
    ASSERT_TRUE(placements);
    EXPECT_EQ((*placements)[0].workers, (std::vector<GpuId>{G(0, 1)}));
    EXPECT_EQ((*placements)[1].workers, (std::vector<GpuId>{G(0, 0)}));
}

TEST(PlaceAll, AGivenGpuThatIsHeldIsWaitedFor)
{
    ClusterView cluster = Pairs(2);
    Occupy(cluster, Placement{{G(0, 0)}, {}});
    EXPECT_EQ(CountFreeGpus(cluster), 3U);
    std::vector<JobSpec> jobs = {Job(1, 1)};
    jobs[0].placement = Placement{{G(0, 0)}, {}};
    EXPECT_FALSE(PlaceGroup(cluster, jobs));
}

TEST(PlaceAll, AWrongGivenPlacementIsBadInput)
{
    const auto place = [](const Placement& placement) {
        std::vector<JobSpec> jobs = {Job(4, 2, 1)};
        jobs[0].placement = placement;
        PlaceGroup(Pairs(2), jobs);
    };
    place({{G(0, 0), G(1, 1)}, {OnMachine({1})}}); // a right one passes
    EXPECT_THROW(place({{G(0, 0)}, {OnMachine({1})}}), InputError);
    EXPECT_THROW(place({{G(0, 0), G(1, 1)}, {}}), InputError);
    EXPECT_THROW(place({{G(0, 0), G(0, 2)}, {OnMachine({1})}}), InputError);
    EXPECT_THROW(place({{G(0, 0), G(0, 0)}, {OnMachine({1})}}), InputError);
    EXPECT_THROW(place({{G(0, 0), G(0, 1)}, {OnMachine({2})}}), InputError);
}

TEST(PlaceAll, GivenGpusAreSharedWithinTheirMemory)
{
    // GPUs of 10 bytes. 4 + 6 fit on one, 4 + 7 do not; a job without memory takes all of it.
    const auto place = [](uint64_t first, uint64_t second, uint64_t held) {
        ClusterView cluster = Pairs(1);
        for (GpuView& gpu : cluster.machines[0].gpus)
        {
            gpu.memory = 10;
            gpu.freeMemory = 10 - held;
            gpu.free = held == 0;
        }
        std::vector<JobSpec> jobs = {Job(1, 1), Job(2, 2)};
        jobs[0].placement = Placement{{G(0, 0)}, {}};
        jobs[1].placement = Placement{{G(0, 0), G(0, 1)}, {}};
        jobs[0].model.gpuMemory = first;
        jobs[1].model.gpuMemory = second;
        return PlaceGroup(cluster, jobs).has_value();
    };
    EXPECT_TRUE(place(4, 6, 0));
    EXPECT_FALSE(place(4, 6, 1)); // waits
    EXPECT_THROW(place(4, 7, 0), InputError);
    EXPECT_THROW(place(0, 1, 0), InputError);
    EXPECT_THROW(place(1, 0, 0), InputError);
    EXPECT_THROW(place(11, 1, 0), InputError);
}

TEST(PlaceAll, LeavesTheClusterAsItWas)
{
    ClusterView cluster = Pairs(2);
    cluster.machines[0].gpus[1].load = Seconds(3);
    for (GpuView& gpu : cluster.machines[1].gpus)
    {
        gpu.memory = 10;
        gpu.freeMemory = 7;
        gpu.free = false;
    }
    const auto state = [&cluster] {
        std::vector<std::tuple<bool, uint64_t, Time, uint32_t>> all;
        for (const MachineView& machine : cluster.machines)
        {
            for (const GpuView& gpu : machine.gpus)
            {
                all.emplace_back(gpu.free, gpu.freeMemory, gpu.load, machine.servers);
            }
        }
        return all;
    };
    const auto before = state();
    std::vector<JobSpec> jobs = {Job(1, 1, 2), Job(2, 3), Job(3, 1)};
    for (JobSpec& job : jobs)
    {
        job.model.gpuMemory = 4;
        job.model.forward = Seconds(1);
    }
    const auto policy = CreatePolicy<PlacementPolicy>("first-fit");
    // Jobs 1 and 2 find room; then no GPU of machine 0 is free, and 3 bytes are left on machine
    // 1's.
    EXPECT_FALSE(PlaceGroup(policy, cluster, MakeRequest(jobs, 5)).placements);
    EXPECT_EQ(state(), before);
    jobs.pop_back();
    EXPECT_TRUE(PlaceGroup(policy, cluster, MakeRequest(jobs, 5)).placements);
    EXPECT_EQ(state(), before);
}

TEST(PlaceGroup, ShowsThePolicyWhoAsksAndWhoRunsWhere)
{
    // Job 7 runs on GPU 0 of machine 0. While job 2 is asked, job 1 has its place already.
    struct Seen : PlacementPolicy
    {
        std::string GetSummary() const override
        {
            return "looks";
        }

        PlacementAnswer DoPlace(const PlacementView& view) override
        {
            jobs.push_back(view.cluster.jobs);
            views.push_back(view.job);
            now = view.now;
            return TakeFirst(view, ListRoom(view.cluster, view.memory));
        }

        std::vector<std::map<JobId, std::vector<GpuId>>> jobs;
        std::vector<JobView> views;
        Time now;
    };

    ClusterView cluster = Pairs(2);
    Occupy(cluster, Placement{{G(0, 0)}, {}});
    cluster.jobs[JobId{7}] = {G(0, 0)};
    std::vector<JobSpec> jobs = {Job(1, 1), Job(2, 2)};
    jobs[1].model.name = "m";
    jobs[1].model.bytes = 80;
    jobs[1].model.forward = Seconds(1);
    jobs[1].model.backward = Seconds(2);
    GroupRequest request = MakeRequest(jobs, 10);
    request.now = Seconds(4);
    const auto policy = Create<Seen>();
    EXPECT_TRUE(PlaceGroup(policy, cluster, request).placements);
    ASSERT_EQ(policy->views.size(), 2U);
    EXPECT_EQ(policy->jobs[0].size(), 1U);
    EXPECT_EQ(policy->jobs[1].at(JobId{7}), (std::vector<GpuId>{G(0, 0)}));
    EXPECT_EQ(policy->jobs[1].at(JobId{1}), (std::vector<GpuId>{G(0, 1)}));
    EXPECT_EQ(policy->now, Seconds(4));
    const JobView& view = policy->views[1];
    EXPECT_EQ(view.id, JobId{2});
    EXPECT_EQ(view.model, "m");
    EXPECT_EQ(view.bytes, 80U);
    EXPECT_EQ(view.compute, Seconds(3));
    EXPECT_EQ(view.iterationsLeft, 10U);
    EXPECT_EQ(view.estimatedRemaining, Seconds(30));
    EXPECT_EQ(cluster.jobs.size(), 1U); // as it was
}
