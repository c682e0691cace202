// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-keys.h"

#include "ns3/ddl-arrival-process.h"
#include "ns3/ddl-communication-pattern.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-hyperband-search-algorithm.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-search-algorithm.h"
#include "ns3/ddl-successive-halving-search-algorithm.h"
#include "ns3/ddl-trace-format.h"
#include "ns3/ddl-training-job.h"

#include <algorithm>
#include <memory>
#include <set>

namespace ns3::ddl
{

namespace
{

constexpr uint64_t MOST_GROUPS = 10000000; //!< most generated cojobs, or plain jobs
constexpr uint64_t MOST_SHARE = 100000;    //!< greatest share of jobs of one size

/** Complain if generated jobs do not fit on the empty cluster, or there are not enough ids. */
void
CheckSize(const JsonObject& json, const GeneratorSpec& spec, const ClusterSpec& cluster)
{
    const uint64_t gpus = CountGpus(cluster);
    std::set<uint32_t> workers;
    for (const auto& model : spec.models)
    {
        const auto numbers = spec.ListWorkers(model);
        workers.insert(numbers.begin(), numbers.end());
    }
    uint64_t jobs = 0; // number of jobs of the largest cojob
    for (const auto& shape : spec.ListShapes())
    {
        jobs = std::max<uint64_t>(jobs, shape.jobs);
    }
    for (const JobSize& search : spec.searches)
    {
        jobs = std::max<uint64_t>(jobs, search.workers);
    }
    for (const uint32_t each : workers)
    {
        const bool isShared =
            GetLargestGpuMemory(cluster) > 0; // then the placement policy is asked later
        const uint64_t ofJob = each + uint64_t{spec.servers} * spec.serverGpus;
        if (!isShared && !TrainingJob::Of(spec.jobKind)->UsesRounds() && jobs * ofJob > gpus)
        {
            json.Report("makes cojobs of " + std::to_string(jobs) + " jobs of " +
                        std::to_string(each) + " workers, " + std::to_string(jobs * ofJob) +
                        " GPUs at the same time; the cluster has " + std::to_string(gpus));
        }
        std::string refusal;
        for (const auto& model : spec.models)
        {
            refusal = refusal.empty() ? spec.pattern.Create<CommunicationPattern>()->Refuse(
                                            {each, spec.servers, model.profile.bytes})
                                      : refusal;
        }
        if (!refusal.empty())
        {
            json.At("pattern").Report(refusal);
        }
    }
    if (jobs * spec.CountGroups() + spec.firstJob > MOST_ID)
    {
        json.Report("makes more than " + std::to_string(MOST_ID) + " jobs");
    }
}

/** Keys of generated cojobs, with or without HyperBand. */
void
DescribeCojobs(Keys& keys, GeneratorSpec& spec)
{
    keys.Check([](const JsonObject& json) { json.Require("cojobs"); });
    keys.Add(Optional("cojobs", "required"),
             spec.cojobs,
             {1, MOST_GROUPS},
             "in all, successors counted");
    keys.Add("successors",
             spec.successors,
             "one cojob of each model arrives; the next when it is down to one job");
    keys.Add(Optional("until", "never"),
             spec.until,
             {Time(0), GetLongestTime()},
             "time from which there are no successors; scaled by m x i");
    keys.Check([&spec](const JsonObject& json) {
        if (spec.successors && spec.randomModels)
        {
            json.At("pick").Report("a successor trains the model of the cojob before it "
                                   "(\"round-robin\" with successors)");
        }
    });
}

void
DescribeStages(Keys& keys, GeneratorSpec& spec)
{
    keys.Add("jobs", spec.jobs, {1, MOST_SHARE}, "of each cojob");
    keys.Add("stages", spec.stages, {1, MOST_ITERATIONS}, "iterations of each stage; scaled by i");
    keys.Check([&spec](const JsonObject& json) {
        if (spec.stages.empty())
        {
            json.At("stages").Report("is empty (iterations of each stage, [500, 1000])");
        }
    });
    keys.Policy("search", spec.search, SearchAlgorithm::GetTypeId(), "who stops after a stage");
}

void
DescribeHyperband(Keys& keys, GeneratorSpec& spec)
{
    keys.Add("maxIterations",
             spec.maxIterations,
             {1, MOST_ITERATIONS},
             "R: iterations that one job may do; i scales the stages that follow from it");
    keys.Add("eta", spec.eta, {2, 1000}, "one of this many jobs continues after a stage");
    keys.Check([&spec](const JsonObject&) {
        spec.search = ObjectFactory();
        spec.search.SetTypeId(HyperbandSearchAlgorithm::GetTypeId());
        spec.search.Set("Eta", UintegerValue(spec.eta));
    });
}

void
DescribePlainJobs(Keys& keys, GeneratorSpec& spec)
{
    keys.Check([](const JsonObject& json) { json.Require("jobs"); });
    keys.Add(Optional("jobs", "required"), spec.jobs, {1, MOST_GROUPS}, "in all");
    keys.Visit(Optional("iterations", "1000"),
               DistributionOf(spec.iterations, {1, MOST_ITERATIONS}),
               "rounded, at least 1; scaled by i");
    keys.Visit(Optional("sizes", "none"),
               SizesOf(spec.sizes),
               "`[[workers, jobs of that size], ...]`, `[[1, 80], [2, 14]]`, dealt in random order "
               "and again when all are dealt; without it, all have `workers`");
    keys.Visit(Optional("durations", "none"),
               DistributionOf(spec.durations, {ABOVE_ZERO, MOST_DURATION}),
               "seconds of computing on one GPU: a job has as many iterations as its model does in "
               "that time, instead of `iterations`");
    keys.Add("divideByWorkers",
             spec.divideByWorkers,
             "whether the iterations that follow from a duration are divided by the workers");
    keys.Visit(Optional("searches", "none"),
               SizesOf(spec.searches),
               "`[[jobs, arrivals of so many jobs], ...]`, `[[1, 80], [4, 20]]`, dealt as `sizes`: "
               "jobs of one model, size and number of iterations that arrive together, as a cojob "
               "of one stage which nobody is stopped after; `jobs` counts arrivals then");
    keys.Add("users",
             spec.users,
             {0, MOST_GROUPS},
             "number of users: each submits one job first, then every job is of a random one; 0: "
             "users are not known");
    keys.Add("repeats",
             spec.repeats,
             {0, 1},
             "probability that a later job of a user recurs: it has the model, size, iterations "
             "and name of the first one");
}

/** Complain about models with sizes or durations for cojobs, with sizes for some models only, or
 * with durations but no compute times. */
void
CheckModels(const JsonObject& json, const GeneratorSpec& spec)
{
    std::size_t i = 0;
    for (const auto& entry : json.At("models").Array())
    {
        const GeneratorModel& model = spec.models.at(i++);
        const bool hasDurations = model.durations.IsTypeIdSet();
        if (spec.kind != "jobs" && (hasDurations || !model.sizes.empty()))
        {
            entry.Report("sizes and durations are those of plain jobs (\"kind\": \"jobs\")");
        }
        else if (spec.HasSizesByModel() && model.sizes.empty())
        {
            entry.Report("has no \"sizes\", and other models have some (for all, or for none)");
        }
        const bool hasTime = model.timed
                                 ? !(model.profile.forward + model.profile.backward).IsZero()
                                 : spec.computeRatio > 0;
        if (!hasTime && (hasDurations || spec.durations.IsTypeIdSet()))
        {
            entry.Report("takes no time to compute, so that no iterations follow from a duration "
                         "(\"forward\", \"backward\", or \"iterations\" of the generator)");
        }
    }
}

/** Copies what generated or traced work needs to know of the rest of the scenario. */
template <typename Spec>
void
TakeContext(Spec& spec, const WorkloadSpec& workload, const SourceContext& context)
{
    spec.computeRatio = workload.computeRatio;
    spec.ratioForAll = workload.ratioForAll;
    spec.hostRate = context.cluster.topology.hostRate;
    spec.noise = workload.noise;
    spec.overlap = workload.overlap;
    spec.firstCojob = context.firstCojob;
    spec.firstJob = context.firstJob;
}

void
Describe(Keys& keys,
         GeneratorSpec& spec,
         const WorkloadSpec& workload,
         const SourceContext& context)
{
    std::size_t before = 0;
    keys.Check([&](const JsonObject& json) {
        before = json.GetDiagnostics().size();
        TakeContext(spec, workload, context);
    });
    keys.Choice<std::string>("kind",
                             spec.kind,
                             {{"cojobs", "cojobs"}, {"hyperband", "hyperband"}, {"jobs", "jobs"}},
                             "equal cojobs, the brackets of HyperBand, or plain jobs");
    std::optional<CurveSpec> common;
    if (spec.kind != "jobs") // cojobs have searches, which need accuracies
    {
        common = CurveSpec();
    }
    Member curve = CurveOf(common);
    curve.write = []() { return Json(); }; // the curves are written with the models
    keys.Visit(Optional("curve", "drawn; of plain jobs: none"),
               curve,
               "distribution from which each job draws its curve, if its model has none");
    keys.Visit(Optional("models", "required"),
               ModelsOf(spec.models, context.cluster, &common),
               "what is trained, in turn; may have a `curve` each");
    keys.Check([&](const JsonObject& json) {
        const JsonValue list = json.At("models");
        if (spec.models.empty() && (list.IsArray() || !list.IsPresent()))
        {
            json.Report("has no \"models\" (a list of at least one, [\"VGG19\", \"AlexNet\"])");
        }
        for (auto& model : spec.models)
        {
            model.timed = model.timed && !spec.ratioForAll;
        }
    });
    keys.Choice("pick",
                spec.randomModels,
                {{"random", true}, {"round-robin", false}},
                "which model is next: any with equal probability, or one after the other");
    keys.Add("workers", spec.workers, {1, MOST_MEMBERS}, "of each job");
    DescribeKind(keys, "jobKind", spec.jobKind);
    keys.Add("servers", spec.servers, {0, MOST_MEMBERS}, "parameter servers of each job");
    keys.Add("serverGpus", spec.serverGpus, {0, 1}, SERVER_GPUS_HELP);
    keys.Visit(Optional("pattern", "as in jobs"),
               PatternOf(spec.pattern, spec.servers),
               "who sends what to whom, after what");
    keys.When(spec.kind != "jobs", "cojobs, hyperband", [&]() { DescribeCojobs(keys, spec); });
    keys.When(spec.kind == "cojobs", "cojobs", [&]() { DescribeStages(keys, spec); });
    keys.When(spec.kind == "hyperband", "hyperband", [&]() { DescribeHyperband(keys, spec); });
    keys.When(spec.kind == "jobs", "jobs", [&]() { DescribePlainJobs(keys, spec); });
    keys.Visit(Optional("weights", "1"),
               DistributionOf(spec.weights, {1e-6, 1e6}),
               "weight of each job's completion, for schedulers that use weights");
    keys.Policy("arrivals",
                spec.arrivals,
                ArrivalProcess::GetTypeId(),
                "when they arrive; scaled by m x i");
    keys.Add("load", spec.load, {ABOVE_ZERO, 1e6}, "gaps between arrivals are divided by it");
    keys.Check([&](const JsonObject& json) {
        if (json.GetDiagnostics().size() == before)
        {
            CheckModels(json, spec);
        }
        if (json.GetDiagnostics().size() == before)
        {
            CheckSize(json, spec, context.cluster);
        }
    });
}

/** Reads the trace, and checks it against the rules of the replay. */
void
ReadTraceFile(const JsonObject& json, WorkloadSpec& workload)
{
    auto& diagnostics = json.GetDiagnostics();
    const std::string path = FindDataFile(json.At("trace"));
    if (path.empty())
    {
        json.At("trace").Report("there is no file \"" + workload.traceFile +
                                "\" (beside the file that names it, for --set in the current "
                                "folder, or in traces/)");
        return;
    }
    try
    {
        const auto trace = std::make_shared<const Trace>(ReadTrace(path, workload.traceFormat));
        const auto complaints = CheckTrace(*trace, workload.replay);
        diagnostics.insert(diagnostics.end(), complaints.begin(), complaints.end());
        workload.trace = complaints.empty() ? trace : nullptr;
        workload.traceHash = trace->hash;
    }
    catch (const InputError& error)
    {
        const auto& more = error.GetDiagnostics();
        diagnostics.insert(diagnostics.end(), more.begin(), more.end());
    }
}

/** The format of a trace: "auto", or a format. */
Member
FormatOf(ObjectFactory& member)
{
    Member format = PolicyOf(member, TraceFormat::GetTypeId());
    const auto write = format.write;
    format.read = [&member](const JsonValue& value) {
        const PolicySpec given = value.Policy("auto");
        member = given.name == "auto"
                     ? ObjectFactory()
                     : given.MakeFactory(TraceFormat::GetTypeId(), value.GetDiagnostics());
    };
    format.write = [&member, write]() { return member.IsTypeIdSet() ? write() : Json("auto"); };
    format.names = []() {
        std::vector<std::string> names = ListPolicies(TraceFormat::GetTypeId());
        names.insert(names.begin(), "auto");
        return names;
    };
    format.fallback = nullptr;
    return format;
}

/** Take the task graph of an entry, unless its kind or its files are wrong. */
void
TakeGraph(const JsonObject& json, const GraphKeys& named, ReplayGraph& entry)
{
    if (!named.graph && !entry.kind.IsTypeIdSet())
    {
        if (!json.Has("graph") && !json.Has("kind"))
        {
            json.Report("has neither \"graph\" nor \"kind\" (one of them)");
        }
        return;
    }
    JobSpec job;
    job.kind = entry.kind;
    job.graph = named.graph;
    job.workers = CountFixedWorkers(job.kind, job.graph);
    const Ptr<const TrainingJob> kind = TrainingJob::Of(entry.kind);
    const auto wrong = kind->Refuse(job, CojobSpec());
    for (const std::string& sentence : wrong)
    {
        json.Report(sentence);
    }
    entry.graph = wrong.empty() && job.workers > 0 ? kind->GetGraph(job) : nullptr;
    if (wrong.empty() && !entry.graph)
    {
        json.At("kind").Report("has no task graph (graph, llm)");
    }
}

void
Describe(Keys& keys, ReplayGraph& entry)
{
    keys.Add(Required("name"),
             entry.name,
             "`graph` of a row or, if it has none, its `model_name`, letter by letter");
    GraphKeys named{entry.source, entry.source ? entry.graph : nullptr};
    DescribeGraphKey(keys, named);
    keys.Visit(Optional("kind", "`graph`"),
               PolicyOf(entry.kind, TrainingJob::GetTypeId()),
               "what runs of the job are made of: `llm` with its attributes, or `graph`");
    SettleKind(keys, "kind", named, entry.kind);
    entry.source = named.source;
    keys.Check([&](const JsonObject& json) { TakeGraph(json, named, entry); });
    if (entry.graph && entry.model.bytes == 0)
    {
        entry.model = MakeGraphModel(*entry.graph, entry.name);
    }
    ModelEntry model{"", entry.model, true};
    keys.Visit(Optional("model", "what its busiest rank sends and reduces"),
               ModelOf(model),
               "for placement, checkpoints and estimates only; results keep the trace's name");
    entry.model = model.profile;
}

void
Describe(Keys& keys, ReplaySpec& spec, const SourceContext& context)
{
    keys.Add(
        "graphs",
        spec.graphs,
        ReplayGraph(),
        [](Keys& inner, ReplayGraph& entry) { Describe(inner, entry); },
        "task graphs that jobs of the trace train: a job does the one of its name that has as many "
        "ranks as the job has GPUs");
    keys.Visit(Optional("models", "the four of Ada-SRSF"),
               ModelsOf(spec.models, context.cluster, nullptr),
               "for jobs whose model is not known, any of them");
    keys.Check([](const JsonObject& json) {
        const JsonValue list = json.At("models");
        if (list.IsArray() && list.Array().empty())
        {
            list.Report("is empty (a list of at least one, [\"VGG-16\"])");
        }
    });
    keys.Add("servers",
             spec.servers,
             {0, MOST_MEMBERS},
             "parameter servers of jobs of which the trace says nothing");
    keys.Policy("search", spec.search, SearchAlgorithm::GetTypeId(), "of the trace's cojobs");
    keys.Add("limit", spec.limit, {0, MOST_ID}, "read only this many jobs or coflows; 0: all");
    keys.Add("load", spec.load, {ABOVE_ZERO, 1e6}, "arrivals are divided by it");
    keys.Choice("tooLarge",
                spec.skipTooLarge,
                {{"error", false}, {"skip", true}},
                "jobs and cojobs that need more GPUs than there are: refuse the trace, or leave "
                "them out");
    keys.Add("fold", spec.fold, "ports of coflows beyond the last machine wrap around to 0");
}

} // namespace

Member
SizesOf(std::vector<JobSize>& member)
{
    const auto read = [&member](const JsonValue& value) {
        for (const auto& entry : value.Array())
        {
            const auto pair = entry.Array();
            if (entry.IsArray() && pair.size() != 2)
            {
                entry.Report("must be [workers, jobs of that size]");
            }
            if (pair.size() == 2)
            {
                member.push_back({static_cast<uint32_t>(pair[0].Unsigned({1, MOST_MEMBERS}, 1)),
                                  static_cast<uint32_t>(pair[1].Unsigned({1, MOST_SHARE}, 1))});
            }
        }
    };
    const auto write = [&member]() {
        Json json = Json::array();
        for (const auto& size : member)
        {
            json.push_back(Json::array({size.workers, size.jobs}));
        }
        return json;
    };
    const auto schema = [](const KeyPlace&) {
        const Json number = {{"type", "integer"}, {"minimum", 1}, {"maximum", MOST_SHARE}};
        return ListSchema(ListSchema(number, {{"minItems", 2}, {"maxItems", 2}}));
    };
    return {read, write, schema};
}

void
DescribeSources(Keys& keys, WorkloadSpec& workload, const SourceContext& context)
{
    std::size_t before = 0;
    keys.Object(
        "generator",
        workload.generator,
        [&](Keys& inner, GeneratorSpec& spec) { Describe(inner, spec, workload, context); },
        "more jobs, from the seed; their ids follow the greatest that is written out");
    keys.Check([&](const JsonObject& json) {
        if (json.Has("generator") && json.Has("trace"))
        {
            json.At("trace").Report("stands beside \"generator\" (give one of them)");
        }
        before = json.GetDiagnostics().size();
    });
    keys.Visit("traceFormat", FormatOf(workload.traceFormat), "what its lines mean");
    keys.Object(
        "replay",
        [&](Keys& inner) { Describe(inner, workload.replay, context); },
        "how a trace becomes jobs of this cluster");
    Member trace = TextOf(workload.traceFile);
    trace.write = [&workload]() {
        return workload.traceFile.empty() ? Json() : Json(workload.traceFile);
    };
    keys.Visit("trace",
               trace,
               "a file of jobs or coflows: beside the file that names it (for `--set`: in the "
               "current folder), or in traces/; not beside a generator");
    keys.Check([&](const JsonObject& json) {
        ReplaySpec& replay = workload.replay;
        TakeContext(replay, workload, context);
        replay.hosts = static_cast<uint32_t>(CountHosts(context.cluster.topology));
        replay.gpus = static_cast<uint32_t>(CountGpus(context.cluster));
        replay.gpuMemory = GetLargestGpuMemory(context.cluster);
        if (json.Has("trace") && json.GetDiagnostics().size() == before)
        {
            ReadTraceFile(json, workload);
        }
    });
}

} // namespace ns3::ddl
