// SPDX-License-Identifier: GPL-2.0-only
// Lanes of a task graph: `ddl graph` and a run order the computing of a rank in the same way.
#include "ddl-job-bench.h"

#include "ns3/ddl-graph-schedule.h"
#include "ns3/ddl-training-job.h"

#include <random>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** A rank with two GPU lanes and two CPU lanes, whose nodes end at different times. */
TaskGraph
MakeComputing(uint32_t seed)
{
    std::mt19937 random(seed);
    GraphProgramBuilder builder;
    for (const LaneKind kind : {LaneKind::GPU, LaneKind::CPU, LaneKind::GPU, LaneKind::CPU})
    {
        builder.AddLane(kind);
    }
    for (uint32_t node = 0; node < 24; ++node)
    {
        std::vector<uint32_t> ended;
        for (uint32_t before = 0; before < node; ++before)
        {
            if (random() % 8 == 0)
            {
                ended.push_back(before);
            }
        }
        GraphNode work;
        work.amount = 1 + random() % 1000000000;
        work.lane = static_cast<uint16_t>(random() % 4);
        builder.Add(work, ended);
    }
    TaskGraph graph;
    graph.ranks = {{builder.Build(), {}, {}, ""}};
    return graph;
}

} // namespace

using TaskGraphLanes = JobBench;

TEST_F(TaskGraphLanes, ScheduleAndRunEndAtTheSameTime)
{
    for (uint32_t seed = 1; seed <= 100; ++seed)
    {
        const TaskGraph graph = MakeComputing(seed);
        ASSERT_TRUE(CheckGraph(graph).empty());
        GraphComplaints none;
        const GraphMatches matches(graph, none);
        const GraphSchedule schedule(graph, matches, {}, GraphSchedule::Lanes::ONE_BY_ONE);
        JobSpec spec = Spec("ring", 1, 0, 0, Seconds(0));
        spec.kind.SetTypeId(FindPolicy(TrainingJob::GetTypeId(), "graph"));
        spec.graph = std::make_shared<const TaskGraph>(graph);
        m_ends.clear();
        const ns3::Time begin = Simulator::Now();
        const auto job = RunStage(spec, 1);
        ASSERT_EQ(m_ends.size(), 1U) << seed;
        EXPECT_EQ((m_ends.front().time - begin).GetNanoSeconds(), schedule.GetLength()) << seed;
        StopAll(job);
    }
}
