// SPDX-License-Identifier: GPL-2.0-only
// Runs of one seed draw the same random numbers under all policies: comparisons are paired.
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-cluster.h"

#include <algorithm>
#include <map>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class CommonDrawsTest : public SimulationFixture
{
  protected:
    /** Job, rank, and number of an iteration. */
    using Draw = std::tuple<uint32_t, std::size_t, uint64_t>;

    /** What was drawn for a job. */
    struct Drawn
    {
        Time submit;
        std::string model;
        uint64_t iterations;
        uint32_t workers;
    };

    /** All that a run drew. */
    struct Draws
    {
        std::map<Draw, Time> times; //!< compute time of each iteration of each worker
        std::map<uint32_t, Drawn> jobs;
        std::map<uint32_t, Time> ends;
    };

    void NoteStart(GpuId gpu, const GpuTask& task)
    {
        m_started[gpu] = Simulator::Now();
        EXPECT_EQ(task.pass, Pass::FORWARD) << "models without a backward pass";
    }

    void NoteEnd(GpuId gpu, const GpuTask& task)
    {
        m_times[{task.owner.value, task.iteration, gpu}] = Simulator::Now() - m_started.at(gpu);
    }

    /** Generated jobs with jitter and stragglers, whose number of iterations is random, too. */
    static std::string Text()
    {
        return OnSwitch(6, 2, R"({
            "compute": {"jitter": {"type": "uniform-random-variable", "Min": 0.5, "Max": 1.5},
                        "straggler": {"type": "uniform-random-variable", "Min": 1, "Max": 2}},
            "generator": {"kind": "jobs", "jobs": 12, "sizes": [[2, 8], [3, 4]], "servers": 0,
                "pattern": "ring", "pick": "random",
                "models": [{"name": "a", "bytes": "400kB", "forward": "200us"},
                           {"name": "b", "bytes": "100kB", "forward": "300us"}],
                "iterations": {"type": "uniform-random-variable", "Min": 4, "Max": 9},
                "arrivals": {"type": "poisson", "MeanGap": "300us"}}})");
    }

    Draws Record(const std::string& seed, const Settings& settings)
    {
        m_times.clear();
        Settings all = settings;
        all.push_back("seed=" + seed);
        ClusterSimulation simulation(ReadText(Text(), all));
        const auto cluster = simulation.GetTrainingCluster()->GetMachines();
        for (const HostId host : cluster->GetHosts())
        {
            for (uint32_t i = 0; i < cluster->GetMachine(host)->GetGpuCount(); ++i)
            {
                const auto gpu = cluster->GetGpu({host, i});
                gpu->TraceConnectWithoutContext("TaskStart",
                                                MakeCallback(&CommonDrawsTest::NoteStart, this));
                gpu->TraceConnectWithoutContext("TaskEnd",
                                                MakeCallback(&CommonDrawsTest::NoteEnd, this));
            }
        }
        const RunResult result = simulation.Run();
        EXPECT_EQ(result.status, RunResult::Status::DONE) << result.reason;
        return Sort(result);
    }

    /** \return the draws by rank instead of by GPU */
    Draws Sort(const RunResult& result) const
    {
        Draws draws;
        for (const JobRow& row : result.jobs)
        {
            const uint32_t id = row.job.value;
            draws.jobs[id] = {row.submit, row.model, row.iterations, row.workers};
            draws.ends[id] = row.end;
            const auto& gpus = row.placement.workers;
            for (const auto& [key, time] : m_times)
            {
                const auto& [job, iteration, gpu] = key;
                if (job == id)
                {
                    const auto rank = std::find(gpus.begin(), gpus.end(), gpu) - gpus.begin();
                    draws.times[{id, rank, iteration}] = time;
                }
            }
        }
        return draws;
    }

    std::map<GpuId, Time> m_started;
    std::map<std::tuple<uint32_t, uint64_t, GpuId>, Time> m_times;
};

TEST_F(CommonDrawsTest, DrawsBelongToJobsAndNotToTheOrderOfEvents)
{
    const Draws first = Record("3", {"scheduler.network=fair-share"});
    std::size_t iterations = 0;
    for (const auto& [id, job] : first.jobs)
    {
        iterations += job.iterations * job.workers;
    }
    EXPECT_EQ(first.jobs.size(), 12U);
    EXPECT_EQ(first.times.size(), iterations) << "a draw for each worker and iteration";

    for (const Settings& other : std::vector<Settings>{
             {"scheduler.network=sptf"},
             {"scheduler.network=fair-share", "scheduler.placement=random"},
             {"scheduler.network=grouper", "scheduler.jobs=srsf"},
             {"scheduler.network=fair-share", "scheduler.gate=srsf-1", "transport.kind=rdma"}})
    {
        SCOPED_TRACE(other.back());
        const Draws second = Record("3", other);
        EXPECT_NE(first.ends, second.ends) << "else this says little";
        EXPECT_EQ(first.times, second.times);
        ASSERT_EQ(first.jobs.size(), second.jobs.size());
        for (const auto& [id, job] : first.jobs)
        {
            const Drawn& same = second.jobs.at(id);
            EXPECT_EQ(job.submit, same.submit) << id;
            EXPECT_EQ(job.model, same.model) << id;
            EXPECT_EQ(job.iterations, same.iterations) << id;
            EXPECT_EQ(job.workers, same.workers) << id;
        }
    }
    EXPECT_NE(first.times, Record("4", {"scheduler.network=fair-share"}).times);
}

} // namespace
