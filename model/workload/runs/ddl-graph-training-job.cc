// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-graph-plan.h"
#include "ddl-graph-rank.h"
#include "ddl-job-hosts.h"
#include "ddl-local-run.h"
#include "ddl-training-job.h"

#include "ns3/ddl-cluster.h"

#include <algorithm>

namespace ns3::ddl
{

/**
 * `graph`: an iteration of each worker is its part of a task graph (JobSpec::graph), such as a
 * model with pipeline, tensor and data parallelism. Workers run together, on GPUs of their own.
 */
class GraphTrainingJob : public TrainingJob
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::GraphTrainingJob")
                                .SetParent<TrainingJob>()
                                .SetGroupName("Ddl")
                                .AddConstructor<GraphTrainingJob>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "each worker does its part of a task graph: computing, messages, collectives";
    }

    std::vector<std::string> Refuse(const JobSpec& job, const CojobSpec& /* group */) const override
    {
        std::vector<std::string> sentences;
        if (!job.graph)
        {
            sentences.emplace_back("has no task graph (graph)");
        }
        else if (job.graph->ranks.size() != job.workers)
        {
            sentences.push_back("has " + std::to_string(job.workers) +
                                " workers, and its task graph has " +
                                std::to_string(job.graph->ranks.size()) + " ranks");
        }
        if (job.servers > 0)
        {
            sentences.emplace_back("has a task graph, and no parameter servers (servers 0)");
        }
        return sentences;
    }

    std::shared_ptr<RunPart> MakePart(std::shared_ptr<const RunSpec> run,
                                      const RunSite& site) const override
    {
        const auto makeWorker = [&run, &site](uint32_t rank, Ptr<Gpu> gpu, TaskTimes& noise) {
            return Create<GraphRank>(rank,
                                     gpu,
                                     site.machine->GetGpuType(),
                                     run->graph,
                                     noise,
                                     run->job.model.name);
        };
        return std::make_shared<LocalRun>(run, site, makeWorker);
    }

  private:
    RunSpec DoMakeRun(const JobSpec& job,
                      CojobId cojob,
                      const Placement& placement,
                      const Cluster& cluster,
                      PlanMemo& /* plans */) const override
    {
        RunSpec run(job, cojob);
        run.placement = placement;
        run.rankHosts = ListRankHosts(placement);
        run.machines = ListHosts(run.rankHosts);
        run.graph = std::make_shared<const GraphPlan>(PlanGraph(job.graph,
                                                                job.pattern,
                                                                cluster.ListServers(run.rankHosts),
                                                                cluster.ListRacks(run.rankHosts)));
        run.plan = std::make_shared<const JobPlan>(SumGraph(*run.graph));
        run.hostBytes = CountHostBytes(*run.plan, run.rankHosts);
        run.SetParts();
        run.cost = {GetLongestCompute(run, cluster),
                    GetUncontendedCommunication(run.hostBytes, cluster),
                    job.CountGpus()};
        return run;
    }

    /** \return time on the GPU of the rank that computes longest in an iteration */
    static Time GetLongestCompute(const RunSpec& run, const Cluster& cluster)
    {
        Time longest;
        for (uint32_t rank = 0; rank < run.job.workers; ++rank)
        {
            const RankGraph& own = run.graph->graph->ranks[rank];
            const Time time = NanoSeconds(run.graph->edges.at(own.program.get()).gpuTime);
            const GpuId& gpu = run.placement.workers[rank];
            const GpuType& type = cluster.GetMachine(gpu.host)->GetGpuType();
            longest =
                Max(longest, gpu.index == NO_GPU ? time : type.GetTime(time, run.job.model.name));
        }
        return longest;
    }
};

NS_OBJECT_ENSURE_REGISTERED(GraphTrainingJob);

} // namespace ns3::ddl
