// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-live-groups.h"

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

/** Jobs of one worker a GPU. */
class ClusterBookTest : public testing::Test
{
  protected:
    /** \return a job that waits \param memory of its model, on each GPU */
    JobRecord& Add(uint32_t id, std::size_t workers, uint64_t memory)
    {
        CojobSpec spec;
        spec.id = {id};
        spec.iterations = {1};
        JobSpec job;
        job.id = {id};
        job.workers = workers;
        job.model.gpuMemory = memory;
        spec.jobs = {job};
        spec.search.SetTypeId(ListSearchAlgorithm::GetTypeId());
        return m_table.Add(spec).GetJobs().front();
    }

    /** \return a job that has got these GPUs */
    JobRecord& Run(uint32_t id, const Placement& placement, uint64_t memory)
    {
        JobRecord& job = Add(id, placement.workers.size(), memory);
        auto run = std::make_shared<RunSpec>(*job.spec, CojobId{id});
        run->placement = placement;
        job.group->NoteRunStart(job, run);
        return job;
    }

    JobTable m_table;
};

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

TEST_F(ClusterBookTest, AJobThatWaitsHoldsGpus)
{
    ClusterBook book(MakeView(0));
    JobRecord& job = Add(1, 3, 0);
    book.Hold(job, {{{0}, 1}, {{1}, 0}}, 0);
    EXPECT_EQ(GetFree(book), (Free{1, 0, 0, 1}));
    EXPECT_EQ(book.CountFreeGpus(), 2U);
    EXPECT_EQ(job.held->places.workers.size(), 2U);
    EXPECT_TRUE(book.GetView().jobs.empty()); // it does not run
    // Its GPU on a machine that fails is free again only when the machine is back.
    book.NoteFailed({HostId{0}});
    book.LetGo(job.held);
    EXPECT_EQ(GetFree(book), (Free{0, 0, 1, 1}));
    book.LetGo(job.held); // no effect
    book.NoteReturned(HostId{0});
    EXPECT_EQ(book.CountFreeGpus(), 4U);
    // By memory.
    ClusterBook shared(MakeView(10));
    shared.Hold(job, {{{0}, 1}}, 4);
    EXPECT_EQ(GetFree(shared), (Free{10, 6, 10, 10}));
    shared.LetGo(job.held);
    EXPECT_EQ(GetFree(shared), (Free{10, 10, 10, 10}));
}

TEST_F(ClusterBookTest, KeepsGpusForAJobThatMoves)
{
    // Job 1 runs on 0:1 and 1:1 and will run on 0:0 and 0:1.
    ClusterBook book(MakeView(0));
    JobRecord& job = Run(1, At({{0, 1}, {1, 1}}), 0);
    book.Add(job);
    EXPECT_EQ(book.GetView().jobs.at(JobId{1}), (std::vector<GpuId>{{{0}, 1}, {{1}, 1}}));
    EXPECT_EQ(book.CountFreeGpus(), 2U);
    job.moveTo = At({{0, 0}, {0, 1}});
    book.Reserve(job);
    EXPECT_EQ(GetFree(book), (Free{0, 0, 1, 0}));
    EXPECT_EQ(book.CountFreeGpus(), 1U);
    book.Remove(job);
    EXPECT_EQ(GetFree(book), (Free{0, 0, 1, 1}));
    EXPECT_EQ(book.CountFreeGpus(), 2U);
    EXPECT_TRUE(book.GetView().jobs.empty());
    book.LetGo(job.reserved);
    EXPECT_EQ(GetFree(book), (Free{1, 1, 1, 1}));
    EXPECT_EQ(book.CountFreeGpus(), 4U);
}

TEST_F(ClusterBookTest, AReservationMayEndBeforeTheJobHasLeft)
{
    ClusterBook book(MakeView(0));
    JobRecord& job = Run(1, At({{0, 1}, {1, 1}}), 0);
    book.Add(job);
    job.moveTo = At({{0, 0}, {0, 1}});
    book.Reserve(job);
    book.LetGo(job.reserved);
    EXPECT_EQ(GetFree(book), (Free{1, 0, 1, 0}));
    book.Remove(job);
    EXPECT_EQ(book.CountFreeGpus(), 4U);
}

TEST_F(ClusterBookTest, KeepsMemoryOfSharedGpus)
{
    // GPUs of 10 bytes; job 2 takes 4 of 0:0, and job 1 takes 5 of each of its GPUs.
    ClusterBook book(MakeView(10));
    JobRecord& other = Run(2, At({{0, 0}}), 4);
    JobRecord& job = Run(1, At({{0, 1}, {1, 1}}), 5);
    book.Add(other);
    book.Add(job);
    EXPECT_EQ(GetFree(book), (Free{6, 5, 10, 5}));
    job.moveTo = At({{0, 0}, {0, 1}});
    book.Reserve(job);
    EXPECT_EQ(GetFree(book), (Free{1, 5, 10, 5}));
    book.Remove(job);
    EXPECT_EQ(GetFree(book), (Free{1, 5, 10, 10}));
    book.LetGo(job.reserved);
    EXPECT_EQ(GetFree(book), (Free{6, 10, 10, 10}));
}
