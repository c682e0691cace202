// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-graph-training-job.h"

#include "ddl-graph-plan.h"
#include "ddl-graph-rank.h"
#include "ddl-job-hosts.h"
#include "ddl-local-run.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/ddl-cluster.h"
#include "ns3/ddl-graph-schedule.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3::ddl
{

namespace
{

/** \return time on the GPU of the rank that computes longest in an iteration */
Time
GetLongestCompute(const RunSpec& run, const Cluster& cluster)
{
    Time longest;
    for (uint32_t rank = 0; rank < run.job.workers; ++rank)
    {
        const RankGraph& own = run.graph->graph->ranks[rank];
        const Time time = NanoSeconds(run.graph->edges.at(own.program.get()).gpuTime);
        const GpuId& gpu = run.placement.workers[rank];
        const GpuType& type = cluster.GetMachine(gpu.host)->GetGpuType();
        longest = Max(longest, gpu.index == NO_GPU ? time : type.GetTime(time, run.job.model.name));
    }
    return longest;
}

/** \return seconds on the reference GPU of all ranks in an iteration */
double
GetWork(const RunSpec& run)
{
    double work = 0;
    for (const RankGraph& rank : run.graph->graph->ranks)
    {
        work += 1e-9 * static_cast<double>(run.graph->edges.at(rank.program.get()).gpuTime);
    }
    return work;
}

/** Check a graph once. \return everything that is wrong with it (CheckGraph) */
std::vector<Diagnostic>
CheckOnce(const std::shared_ptr<const TaskGraph>& graph)
{
    static std::map<const TaskGraph*, std::weak_ptr<const TaskGraph>> right;
    const auto known = right.find(graph.get());
    if (known != right.end() && known->second.lock() == graph)
    {
        return {};
    }
    auto wrong = CheckGraph(*graph);
    if (wrong.empty())
    {
        right[graph.get()] = graph;
    }
    return wrong;
}

/** \return the graph with all bytes and times multiplied; runs share it */
std::shared_ptr<const TaskGraph>
GetScaled(const std::shared_ptr<const TaskGraph>& graph, double factor)
{
    using Scaled = std::pair<std::weak_ptr<const TaskGraph>, std::weak_ptr<const TaskGraph>>;
    static std::map<std::pair<const TaskGraph*, double>, Scaled> graphs; // whole, and scaled
    if (factor == 1)
    {
        return graph;
    }
    auto& [whole, known] = graphs[{graph.get(), factor}];
    std::shared_ptr<const TaskGraph> scaled = whole.lock() == graph ? known.lock() : nullptr;
    if (!scaled)
    {
        scaled = std::make_shared<const TaskGraph>(ScaleGraph(*graph, factor));
        whole = graph;
        known = scaled;
    }
    return scaled;
}

/** \return rate of the slowest NIC of the machines of a run; those of a run on one machine do not
 * matter */
DataRate
GetSlowestRate(const RunSpec& run, const Cluster& cluster)
{
    DataRate slowest = CollectiveRules().networkRate;
    for (std::size_t i = 0; i < run.machines.size() && run.machines.size() > 1; ++i)
    {
        const DataRate rate = cluster.GetRate(run.machines[i]);
        slowest = i == 0 ? rate : std::min(slowest, rate);
    }
    return slowest;
}

/** \return whether some hosts of a server have a network of their own beside their NICs */
bool
IsJoinedInside(const RunSpec& run, const Cluster& cluster)
{
    for (std::size_t i = 1; i < run.machines.size(); ++i)
    {
        const HostId before = run.machines[i - 1];
        if (before != run.machines[i] && !cluster.PassesNics(before, run.machines[i]))
        {
            return true;
        }
    }
    return false;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(GraphTrainingJob);

TypeId
GraphTrainingJob::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::GraphTrainingJob")
            .SetParent<TrainingJob>()
            .SetGroupName("Ddl")
            .AddConstructor<GraphTrainingJob>()
            .AddAttribute("AllReduce",
                          "Algorithm of all-reduces and barriers: auto, ring, tree, hierarchical, "
                          "tiered, pattern; by size \"tree<64KB,ring\".",
                          StringValue("auto"),
                          MakeStringAccessor(&GraphTrainingJob::m_allReduce),
                          MakeStringChecker())
            .AddAttribute("AllGather",
                          "Algorithm of all-gathers: auto, ring, hierarchical, tiered.",
                          StringValue("auto"),
                          MakeStringAccessor(&GraphTrainingJob::m_allGather),
                          MakeStringChecker())
            .AddAttribute("ReduceScatter",
                          "Algorithm of reduce-scatters: auto, ring, hierarchical, tiered.",
                          StringValue("auto"),
                          MakeStringAccessor(&GraphTrainingJob::m_reduceScatter),
                          MakeStringChecker())
            .AddAttribute("AllToAll",
                          "Algorithm of all-to-alls: auto, direct, pairwise.",
                          StringValue("auto"),
                          MakeStringAccessor(&GraphTrainingJob::m_allToAll),
                          MakeStringChecker())
            .AddAttribute("Broadcast",
                          "Algorithm of broadcasts: auto, chain, tree.",
                          StringValue("auto"),
                          MakeStringAccessor(&GraphTrainingJob::m_broadcast),
                          MakeStringChecker())
            .AddAttribute("Channels",
                          "Rings (chains, trees) of a collective, each with its part of the bytes; "
                          "0: one for each rail that all servers of the group have, if GPUs reach "
                          "others of their server without their NICs, else one.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&GraphTrainingJob::m_channels),
                          MakeUintegerChecker<uint32_t>(0, 64))
            .AddAttribute("CollectiveChunks",
                          "Parts of the bytes that follow each other along a chain, or through "
                          "each half of a tree; 0: the best number.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&GraphTrainingJob::m_collectiveChunks),
                          MakeUintegerChecker<uint32_t>(0, 1024))
            .AddAttribute("Pxn",
                          "Whether direct all-to-alls send to another rail through the GPU of that "
                          "rail in the sender's server.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&GraphTrainingJob::m_pxn),
                          MakeBooleanChecker())
            .AddAttribute("NetworkStep",
                          "For `auto`: time of a step between servers.",
                          TimeValue(CollectiveRules().networkStep),
                          MakeTimeAccessor(&GraphTrainingJob::m_networkStep),
                          MakeTimeChecker(NanoSeconds(0)))
            .AddAttribute("ServerStep",
                          "For `auto`: time of a step within a server.",
                          TimeValue(CollectiveRules().serverStep),
                          MakeTimeAccessor(&GraphTrainingJob::m_serverStep),
                          MakeTimeChecker(NanoSeconds(0)))
            .AddAttribute("NetworkRate",
                          "For `auto`: rate of a NIC; 0: of the slowest one of the job.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&GraphTrainingJob::m_networkRate),
                          MakeDataRateChecker())
            .AddAttribute("ServerRate",
                          "For `auto`: rate of a GPU to others of its server; above 0.",
                          DataRateValue(CollectiveRules().serverRate),
                          MakeDataRateAccessor(&GraphTrainingJob::m_serverRate),
                          MakeDataRateChecker());
    return tid;
}

std::string
GraphTrainingJob::GetSummary() const
{
    return "each worker does its part of a task graph: computing, messages, collectives";
}

std::vector<std::string>
GraphTrainingJob::Refuse(const JobSpec& job, const CojobSpec& /* group */) const
{
    if (!job.graph)
    {
        return {"has no task graph (\"graph\", its files)"};
    }
    std::vector<std::string> sentences = RefuseRanks(job, job.graph->ranks.size());
    for (const Diagnostic& wrong : CheckOnce(job.graph)) // else it might never end
    {
        sentences.push_back("has a wrong task graph: " + wrong.ToString());
    }
    return sentences;
}

std::vector<std::string>
GraphTrainingJob::RefuseRanks(const JobSpec& job, std::size_t ranks) const
{
    std::vector<std::string> sentences = CheckRules(MakeRules(job, DataRate(0)));
    if (m_serverRate.GetBitRate() == 0)
    {
        sentences.emplace_back("has a ServerRate of 0, which must be above 0");
    }
    if (job.workers != ranks)
    {
        sentences.push_back("has " + std::to_string(job.workers) +
                            " workers, and its task graph has " + std::to_string(ranks) +
                            " ranks (as many \"workers\")");
    }
    if (job.servers > 0)
    {
        sentences.emplace_back("has a task graph, and no parameter servers (\"servers\": 0)");
    }
    if (sentences.empty() && job.graphScale != 1)
    {
        for (const Diagnostic& wrong : CheckOnce(GetScaled(GetGraph(job), job.graphScale)))
        {
            sentences.push_back("has a task graph that scale.model makes too large: " +
                                wrong.ToString());
        }
    }
    return sentences;
}

std::optional<JobPlan>
GraphTrainingJob::PlanIteration(const JobSpec& job) const
{
    const std::vector<uint32_t> one(job.workers, 0);
    return SumGraph(PlanGraph(GetScaled(GetGraph(job), job.graphScale),
                              MakeRules(job, CollectiveRules().networkRate),
                              {one, one, one}));
}

std::shared_ptr<RunPart>
GraphTrainingJob::MakePart(std::shared_ptr<const RunSpec> run, const RunSite& site) const
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

std::optional<uint32_t>
GraphTrainingJob::CountWorkers(const JobSpec& job) const
{
    return job.graph ? std::make_optional(static_cast<uint32_t>(job.graph->ranks.size()))
                     : std::nullopt;
}

std::shared_ptr<const TaskGraph>
GraphTrainingJob::GetGraph(const JobSpec& job) const
{
    return job.graph;
}

CollectiveRules
GraphTrainingJob::MakeRules(const JobSpec& job, DataRate networkRate) const
{
    CollectiveRules rules;
    rules.algorithms = {{Collective::ALL_REDUCE, m_allReduce},
                        {Collective::ALL_GATHER, m_allGather},
                        {Collective::REDUCE_SCATTER, m_reduceScatter},
                        {Collective::ALL_TO_ALL, m_allToAll},
                        {Collective::BROADCAST, m_broadcast}};
    rules.channels = m_channels;
    rules.chunks = m_collectiveChunks;
    rules.pxn = m_pxn;
    rules.networkStep = m_networkStep;
    rules.serverStep = m_serverStep;
    rules.networkRate = m_networkRate.GetBitRate() > 0 ? m_networkRate : networkRate;
    rules.serverRate = m_serverRate;
    rules.pattern = job.pattern;
    return rules;
}

RunSpec
GraphTrainingJob::DoMakeRun(const JobSpec& job,
                            CojobId cojob,
                            const Placement& placement,
                            const Cluster& cluster,
                            PlanMemo& /* plans */) const
{
    RunSpec run(job, cojob);
    run.placement = placement;
    run.rankHosts = ListRankHosts(placement);
    run.machines = ListHosts(run.rankHosts);
    CollectiveRules rules = MakeRules(job, GetSlowestRate(run, cluster));
    if (rules.channels == 0 && !IsJoinedInside(run, cluster))
    {
        rules.channels = 1; // rings that share a NIC bring nothing
    }
    run.graph =
        std::make_shared<const GraphPlan>(PlanGraph(GetScaled(GetGraph(job), job.graphScale),
                                                    rules,
                                                    {cluster.ListServers(run.rankHosts),
                                                     cluster.ListRacks(run.rankHosts),
                                                     cluster.ListRails(run.rankHosts)}));
    run.plan = std::make_shared<const JobPlan>(SumGraph(*run.graph));
    run.hostBytes = CountHostBytes(*run.plan, run.rankHosts, cluster);
    run.SetParts();
    run.cost = {GetLongestCompute(run, cluster),
                GetUncontendedCommunication(run.hostBytes, cluster),
                job.CountGpus(),
                GetWork(run)};
    return run;
}

} // namespace ns3::ddl
