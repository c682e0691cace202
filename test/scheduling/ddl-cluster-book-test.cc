// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-cluster-book.h"
#include "ns3/ddl-placement-helpers.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** \return two machines of two GPUs with so many bytes of memory */
ClusterView
MakeView(uint64_t memory)
{
    ClusterView view;
    for (uint32_t host = 0; host < 2; ++host)
    {
        MachineView machine;
        machine.host = {host};
        for (uint32_t index = 0; index < 2; ++index)
        {
            machine.gpus.push_back({GpuId{{host}, index}, true, memory, memory});
        }
        view.machines.push_back(machine);
    }
    return view;
}

Placement
At(const std::vector<std::pair<uint32_t, uint32_t>>& gpus)
{
    Placement placement;
    for (const auto& [host, index] : gpus)
    {
        placement.workers.push_back({{host}, index});
    }
    return placement;
}

std::shared_ptr<const RunSpec>
MakeRun(uint32_t id, const Placement& placement, uint64_t memory)
{
    JobSpec spec;
    spec.id = {id};
    spec.workers = placement.workers.size();
    spec.model.gpuMemory = memory;
    RunSpec run(spec, CojobId{id});
    run.placement = placement;
    return std::make_shared<const RunSpec>(run);
}

/** \return free memory of the four GPUs, or, without memory, which are free */
std::vector<uint64_t>
GetFree(ClusterBook& book)
{
    std::vector<uint64_t> free;
    for (const MachineView& machine : book.GetView().machines)
    {
        for (const GpuView& gpu : machine.gpus)
        {
            free.push_back(gpu.memory > 0 ? gpu.freeMemory : gpu.free);
        }
    }
    return free;
}

using Free = std::vector<uint64_t>;

} // namespace

TEST(ClusterBook, AJobThatWaitsHoldsGpus)
{
    ClusterBook book(MakeView(0));
    book.Hold(JobId{1}, {{{0}, 1}, {{1}, 0}}, 0);
    EXPECT_EQ(GetFree(book), (Free{1, 0, 0, 1}));
    EXPECT_EQ(book.CountFreeGpus(), 2U);
    EXPECT_EQ(book.CountHeld(JobId{1}), 2U);
    EXPECT_EQ(book.CountHeld(JobId{2}), 0U);
    EXPECT_TRUE(book.GetView().jobs.empty()); // it does not run
    // Its GPU on a machine that fails is free again only when the machine is back.
    book.NoteFailed({HostId{0}});
    EXPECT_EQ(book.LetGo(JobId{1}), (std::vector<GpuId>{{{0}, 1}, {{1}, 0}}));
    EXPECT_EQ(GetFree(book), (Free{0, 0, 1, 1}));
    EXPECT_TRUE(book.LetGo(JobId{1}).empty());
    book.NoteReturned(HostId{0});
    EXPECT_EQ(book.CountFreeGpus(), 4U);
    // By memory.
    ClusterBook shared(MakeView(10));
    shared.Hold(JobId{1}, {{{0}, 1}}, 4);
    EXPECT_EQ(GetFree(shared), (Free{10, 6, 10, 10}));
    shared.LetGo(JobId{1});
    EXPECT_EQ(GetFree(shared), (Free{10, 10, 10, 10}));
}

TEST(ClusterBook, KeepsGpusForAJobThatMoves)
{
    // Job 1 runs on 0:1 and 1:1 and will run on 0:0 and 0:1.
    ClusterBook book(MakeView(0));
    const auto job = MakeRun(1, At({{0, 1}, {1, 1}}), 0);
    book.Add(job, 0);
    EXPECT_EQ(book.GetView().jobs.at(JobId{1}), (std::vector<GpuId>{{{0}, 1}, {{1}, 1}}));
    EXPECT_EQ(book.CountFreeGpus(), 2U);
    book.Reserve(JobId{1}, At({{0, 0}, {0, 1}}));
    EXPECT_EQ(GetFree(book), (Free{0, 0, 1, 0}));
    EXPECT_EQ(book.CountFreeGpus(), 1U);
    book.Remove(JobId{1});
    EXPECT_EQ(GetFree(book), (Free{0, 0, 1, 1}));
    EXPECT_EQ(book.CountFreeGpus(), 2U);
    EXPECT_TRUE(book.GetView().jobs.empty());
    book.EndReservation(JobId{1});
    EXPECT_EQ(GetFree(book), (Free{1, 1, 1, 1}));
    EXPECT_EQ(book.CountFreeGpus(), 4U);
}

TEST(ClusterBook, AReservationMayEndBeforeTheJobHasLeft)
{
    ClusterBook book(MakeView(0));
    const auto job = MakeRun(1, At({{0, 1}, {1, 1}}), 0);
    book.Add(job, 0);
    book.Reserve(JobId{1}, At({{0, 0}, {0, 1}}));
    book.EndReservation(JobId{1});
    EXPECT_EQ(GetFree(book), (Free{1, 0, 1, 0}));
    book.Remove(JobId{1});
    EXPECT_EQ(book.CountFreeGpus(), 4U);
}

TEST(ClusterBook, KeepsMemoryOfSharedGpus)
{
    // GPUs of 10 bytes; job 2 takes 4 of 0:0, and job 1 takes 5 of each of its GPUs.
    ClusterBook book(MakeView(10));
    const auto other = MakeRun(2, At({{0, 0}}), 4);
    const auto job = MakeRun(1, At({{0, 1}, {1, 1}}), 5);
    book.Add(other, 0);
    book.Add(job, 0);
    EXPECT_EQ(GetFree(book), (Free{6, 5, 10, 5}));
    book.Reserve(JobId{1}, At({{0, 0}, {0, 1}}));
    EXPECT_EQ(GetFree(book), (Free{1, 5, 10, 5}));
    book.Remove(JobId{1});
    EXPECT_EQ(GetFree(book), (Free{1, 5, 10, 10}));
    book.EndReservation(JobId{1});
    EXPECT_EQ(GetFree(book), (Free{6, 10, 10, 10}));
}
