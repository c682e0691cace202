// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-keys.h"

#include "ns3/ddl-communication-pattern.h"
#include "ns3/ddl-curve-shape.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-model-profile.h"
#include "ns3/ddl-nic-bytes.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-quantity.h"
#include "ns3/ddl-training-job.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <filesystem>

namespace ns3::ddl
{

namespace
{

const JsonRange<double> ANY_NUMBER{-NO_LIMIT, NO_LIMIT};
const JsonRange<double> ITERATIONS{ABOVE_ZERO, 1e9};

/** \return the known model of a name. \param json value with the name, for complaints */
ModelEntry
LookUpModel(const JsonValue& json, const std::string& name)
{
    ModelEntry model;
    try
    {
        model.profile = FindModel(name);
        model.type = model.profile.name;
        model.isTimed = !(model.profile.forward + model.profile.backward).IsZero();
    }
    catch (const InputError& error)
    {
        json.Report(error.what());
    }
    return model;
}

/** The name of a known model: reading it copies the model's profile. */
Member
ModelTypeOf(ModelEntry& member)
{
    return {[&member](const JsonValue& value) {
                if (value.IsPresent())
                {
                    member = LookUpModel(value, value.String(""));
                }
            },
            [&member]() { return member.type.empty() ? Json() : Json(member.type); },
            [](const KeyPlace&) {
                return Json{{"type", "string"}};
            }};
}

HostId
ReadHost(const JsonValue& json, std::size_t hosts)
{
    return HostId{static_cast<uint32_t>(json.Unsigned({0, hosts - 1}, 0))};
}

/** \return place of a rank. \param json [host, gpu], or [host] for a rank without a GPU */
GpuId
ReadRank(const JsonValue& json, const std::vector<MachineGroup>& machines)
{
    const auto pair = json.Array();
    if (json.IsArray() && pair.size() != 1 && pair.size() != 2)
    {
        json.Report("must be [host, GPU], two numbers from 0, or [host]: without a GPU");
    }
    GpuId gpu{HostId{0}, 0}; // takes the place of a wrong pair, so that pairs are counted
    if (pair.size() == 1)
    {
        gpu = OnMachine(ReadHost(pair[0], machines.size()));
    }
    if (pair.size() == 2)
    {
        gpu.host = ReadHost(pair[0], machines.size());
        const uint64_t gpus = machines[gpu.host.value].gpus;
        gpu.index = pair[1].Unsigned({0, std::max<uint64_t>(gpus, 1) - 1}, 0);
    }
    return gpu;
}

/** \param json {"workers": [[host, gpu], ...], "servers": [host, ...]}; or pairs as servers */
Placement
ReadPlacement(const JsonObject& json, const std::vector<MachineGroup>& machines)
{
    Placement placement;
    for (const auto& worker : json.At("workers").Array())
    {
        placement.workers.push_back(ReadRank(worker, machines));
    }
    for (const auto& server : json.At("servers").Array())
    {
        placement.servers.push_back(server.IsArray()
                                        ? ReadRank(server, machines)
                                        : OnMachine(ReadHost(server, machines.size())));
    }
    return placement;
}

Json
WritePlacement(const Placement& placement)
{
    Json workers = Json::array();
    for (const auto& gpu : placement.workers)
    {
        workers.push_back(Json::array({gpu.host.value}));
        if (gpu.index != NO_GPU)
        {
            workers.back().push_back(gpu.index);
        }
    }
    Json servers = Json::array();
    for (const auto& server : placement.servers)
    {
        servers.push_back(server.index == NO_GPU ? Json(server.host.value)
                                                 : Json::array({server.host.value, server.index}));
    }
    return {{"workers", workers}, {"servers", servers}};
}

Member
PlacementOf(std::optional<Placement>& member, const ClusterSpec& cluster)
{
    const auto schema = [](const KeyPlace&) {
        const Json number = {{"type", "integer"}, {"minimum", 0}};
        const Json pair = ListSchema(number, {{"minItems", 1}, {"maxItems", 2}});
        return Json{{"type", "object"},
                    {"additionalProperties", false},
                    {"properties",
                     {{"workers", ListSchema(pair)},
                      {"servers", ListSchema({{"anyOf", Json::array({number, pair})}})}}}};
    };
    return {[&](const JsonValue& value) {
                if (value.IsPresent())
                {
                    member = ReadPlacement(value.Object(), ListMachines(cluster));
                }
            },
            [&member]() { return member ? WritePlacement(*member) : Json(); },
            schema};
}

/** Complain about a placement whose numbers of workers or parameter servers are not the job's. */
void
CheckPlacement(const JsonObject& json, const JobEntry& entry)
{
    const JobSpec& job = entry.job;
    const JsonValue place = json.At("placement");
    if (!job.placement)
    {
        return;
    }
    const auto check = [&place](const char* what, std::size_t given, std::size_t wanted) {
        if (given != wanted)
        {
            place.Report("places " + std::to_string(given) + " " + what + " of " +
                         std::to_string(wanted));
        }
    };
    const bool usesRounds = TrainingJob::Of(job.kind)->UsesRounds();
    check("workers", job.placement->workers.size(), usesRounds ? 0 : job.workers);
    check("servers", job.placement->servers.size(), job.servers);
    for (const GpuId& server : job.placement->servers)
    {
        if ((server.index != NO_GPU) != (job.serverGpus > 0))
        {
            place.Report(job.serverGpus > 0
                             ? "gives a parameter server no GPU (\"servers\": "
                               "[[machine, GPU], ...] with \"serverGpus\")"
                             : "gives a GPU to a parameter server that needs none "
                               "(\"serverGpus\": 1, or \"servers\": [machine, ...])");
            break;
        }
    }
    if (entry.count > 1)
    {
        place.Report("cannot hold for each of " + std::to_string(entry.count) +
                     " jobs (give it to jobs one by one)");
    }
}

CurvePoint
ReadPoint(const JsonValue& json)
{
    CurvePoint point;
    const auto values = json.Array();
    if (json.IsArray() && values.size() != 2 && values.size() != 3)
    {
        json.Report("must be [iteration, accuracy] or [iteration, accuracy, loss]");
    }
    if (values.size() >= 2)
    {
        point.iteration = values[0].Number({0, 1e9}, 0);
        point.accuracy = values[1].Number(ANY_NUMBER, 0);
    }
    if (values.size() >= 3)
    {
        point.loss = values[2].Number(ANY_NUMBER, 0);
    }
    return point;
}

/**
 * Measured points: [[iteration, accuracy], [iteration, accuracy, loss], ...].
 *
 * \param isThere set to whether there are points, right or wrong
 */
Member
PointsOf(std::vector<CurvePoint>& member, bool& isThere)
{
    const auto read = [&](const JsonValue& value) {
        isThere = value.IsPresent();
        for (const auto& entry : value.Array())
        {
            const CurvePoint point = ReadPoint(entry);
            if (!member.empty() && entry.IsArray() && point.iteration <= member.back().iteration)
            {
                entry.Report("does not come after the point before (iterations must increase)");
            }
            member.push_back(point);
        }
        if (member.empty() && value.IsArray())
        {
            value.Report("is empty ([iteration, accuracy] at least once)");
        }
    };
    const auto write = [&member]() {
        Json points = Json::array();
        for (const auto& point : member)
        {
            points.push_back(Json::array({point.iteration, point.accuracy}));
            if (point.loss)
            {
                points.back().push_back(*point.loss);
            }
        }
        return points.empty() ? Json() : points;
    };
    const auto schema = [](const KeyPlace&) {
        const Json point = ListSchema({{"type", "number"}}, {{"minItems", 2}, {"maxItems", 3}});
        return ListSchema(point, {{"minItems", 1}});
    };
    return {read, write, schema};
}

/** A key [start, end] for two optional values. \param makeMember makes the member of one value */
template <typename T>
void
AddPair(Keys& keys,
        const Key& key,
        Member (*makeMember)(T& value, JsonRange<double> range),
        std::optional<T>& start,
        std::optional<T>& end,
        const T& fallback,
        const std::string& help)
{
    bool isThere = start && end;
    T first = start.value_or(fallback);
    T second = end.value_or(fallback);
    const Member one = makeMember(first, ANY_NUMBER);
    const Member other = makeMember(second, ANY_NUMBER);
    keys.Visit(key, PairOf(one, other, isThere), help);
    if (isThere)
    {
        start = first;
        end = second;
    }
}

void
Describe(Keys& keys, LearningCurve& curve)
{
    bool hasPoints = !curve.points.empty();
    keys.Visit(Optional("points", ""),
               PointsOf(curve.points, hasPoints),
               "`[[iteration, accuracy], ...]` or `[[iteration, accuracy, loss], ...]`, by "
               "iteration, straight lines between them; no other key then");
    keys.When(!hasPoints, "", [&]() {
        if (!curve.shape.IsTypeIdSet())
        {
            curve.shape.SetTypeId(InverseCurveShape::GetTypeId());
        }
        keys.Policy("shape",
                    curve.shape,
                    CurveShape::GetTypeId(),
                    "shape of the way from start to convergence");
        keys.Check([](const JsonObject& json) { json.Require("half"); });
        keys.Add(Optional("half", "required without points"),
                 curve.half,
                 ITERATIONS,
                 "iterations to half of the way; scaled by i");
        AddPair<double>(keys,
                        Optional("accuracy", "0 and 1; with a loss alone: not known"),
                        NumberOf,
                        curve.startAccuracy,
                        curve.endAccuracy,
                        0.0,
                        "accuracy before the first iteration, and at convergence");
        AddPair<double>(keys,
                        "loss",
                        NumberOf,
                        curve.startLoss,
                        curve.endLoss,
                        0.0,
                        "the same of the loss");
        keys.Check([&curve](const JsonObject& json) {
            if (json.Has("loss") && !json.Has("accuracy"))
            {
                curve.startAccuracy.reset();
                curve.endAccuracy.reset();
            }
        });
    });
}

void
Describe(Keys& keys, CurveSpec& curve)
{
    keys.Policy("shape",
                curve.shape,
                CurveShape::GetTypeId(),
                "shape of the way from start to convergence");
    keys.Visit(Optional("half", "uniform from 100 to 1500"),
               DistributionOf(curve.half, ITERATIONS),
               "iterations to half of the way: a number or a distribution");
    keys.Add("relative",
             curve.isRelative,
             "whether `half` is instead the part of a job's iterations after which half of the way "
             "is done");
    AddPair<ObjectFactory>(keys,
                           Optional("accuracy",
                                    "0, and uniform from 0.5 to 0.95; of plain jobs with a loss: "
                                    "not known"),
                           DistributionOf,
                           curve.startAccuracy,
                           curve.endAccuracy,
                           MakeConstant(0),
                           "accuracy before the first iteration, and at convergence; numbers or "
                           "distributions");
    AddPair<ObjectFactory>(keys,
                           "loss",
                           DistributionOf,
                           curve.startLoss,
                           curve.endLoss,
                           MakeConstant(0),
                           "the same of the loss");
}

} // namespace

Member
CurveOf(std::optional<CurveSpec>& curve)
{
    const bool isFirst = !curve;
    Member member = ObjectOf([&curve, isFirst](Keys& keys) {
        const CurveSpec drawn;
        curve = curve.value_or(drawn);
        if (isFirst) // by default it has an accuracy only if it has no loss
        {
            curve->startAccuracy.reset();
            curve->endAccuracy.reset();
        }
        Describe(keys, *curve);
        if (!curve->endAccuracy && !curve->endLoss)
        {
            curve->startAccuracy = drawn.startAccuracy;
            curve->endAccuracy = drawn.endAccuracy;
        }
    });
    const auto read = member.read;
    const auto write = member.write;
    member.read = [read](const JsonValue& value) {
        if (value.IsPresent())
        {
            read(value);
        }
    };
    member.write = [write, &curve]() { return curve ? write() : Json(); };
    member.fallback = []() { return Json(); };
    return member;
}

template <typename T>
Member
UnlessOf(T& member, T none, JsonRange<uint64_t> range)
{
    uint64_t number = 0;
    Member count = CountOf(number, range); // for schema and range, which ignore the number
    count.read = [&member, range](const JsonValue& value) {
        if (value.IsPresent())
        {
            member = static_cast<T>(value.Unsigned(range, range.max));
        }
    };
    count.write = [&member, none]() { return member == none ? Json() : Json(member); };
    return count;
}

template Member UnlessOf(uint32_t& member, uint32_t none, JsonRange<uint64_t> range);
template Member UnlessOf(uint64_t& member, uint64_t none, JsonRange<uint64_t> range);

Member
DistributionOf(ObjectFactory& member, JsonRange<double> range)
{
    Member distribution = PolicyOf(member, RandomVariableStream::GetTypeId());
    const auto schema = distribution.schema;
    distribution.read = [&member, range](const JsonValue& value) {
        if (value.IsPresent() && !value.IsString() && !value.IsObject())
        {
            member = MakeConstant(value.Number(range, 1));
        }
        else if (value.IsPresent())
        {
            const ObjectFactory factory = value.Factory(RandomVariableStream::GetTypeId(), "");
            member = factory.IsTypeIdSet() ? factory : member;
        }
    };
    distribution.schema = [range, schema](const KeyPlace& place) {
        double number = 1;
        return Json{{"anyOf", {NumberOf(number, range).schema(place), schema(place)}}};
    };
    distribution.range = [range]() {
        double number = 1;
        return NumberOf(number, range).range();
    };
    distribution.fallback = nullptr;
    return distribution;
}

Member
PatternOf(ObjectFactory& member, const uint32_t& servers)
{
    Member pattern = PolicyOf(member, CommunicationPattern::GetTypeId());
    const auto read = pattern.read;
    pattern.read = [&member, &servers, read](const JsonValue& value) {
        member = ObjectFactory();
        member.SetTypeId(FindPolicy(CommunicationPattern::GetTypeId(),
                                    servers > 0 ? "parameter-server" : "ring"));
        read(value);
    };
    return pattern;
}

void
DescribeKind(Keys& keys, const std::string& name, ObjectFactory& kind)
{
    const TypeId family = TrainingJob::GetTypeId();
    const TypeId tasks = FindPolicy(family, "tasks");
    Member member = PolicyOf(kind, family);
    const auto write = member.write;
    member.write = [&kind, tasks, write]() { // `tasks` says it
        return kind.IsTypeIdSet() && kind.GetTypeId() != tasks ? write() : Json();
    };
    keys.Visit(Optional(name, "`gang`"), member, "what its runs are made of");
    const bool isTasks = kind.IsTypeIdSet() && kind.GetTypeId() == tasks;
    bool areTasks = isTasks;
    keys.Add(
        "tasks",
        areTasks,
        "short for `" + name +
            "` `tasks`: workers are tasks of a round, which run on whatever "
            "GPUs are free, each by itself, as `scheduler.rounds` says; such a job has one server "
            "and one stage");
    keys.Check([&](const JsonObject& json) {
        if (json.Has(name) && areTasks && !isTasks)
        {
            json.At("tasks").Report("contradicts \"" + name + "\" (one of them is enough)");
        }
    });
    if (areTasks && !isTasks)
    {
        kind = ObjectFactory();
        kind.SetTypeId(tasks);
    }
}

namespace
{

/** The layers of a model. They are written unless they are those of its type. \return true if
 * the user has given some */
bool
DescribeLayers(Keys& keys, ModelEntry& model)
{
    ModelProfile& profile = model.profile;
    bool isGiven = false;
    LayerTable layers = profile.layers;
    Member member = LayersOf(layers, isGiven);
    const bool isTypes =
        !model.type.empty() && &FindModel(model.type).layers.Get() == &layers.Get();
    const auto write = member.write;
    member.write = [isTypes, write]() { return isTypes ? Json() : write(); };
    keys.Visit(Optional("layers", "the type's, if it has any"),
               member,
               "in the order of the forward pass: a list, or the name of a CSV or JSON file (as "
               "`workload.trace`); `bytes`, `forward` and `backward` are their sums");
    if (isGiven)
    {
        SetLayers(profile, layers);
        model.isTimed = model.isTimed || !(profile.forward + profile.backward).IsZero();
    }
    return isGiven;
}

/**
 * Sums ("bytes", "forward", "backward") that are given beside the user's own layers must be those
 * of the layers. Sums that are given for a known model scale its layers, and so do times beside
 * layers without times.
 *
 * \param areOwn whether the layers are the user's own
 * \param before the model as its layers alone make it
 * \param model the model with the sums that are given
 */
void
FitLayers(const JsonObject& json, bool areOwn, const ModelProfile& before, ModelProfile& model)
{
    const auto check = [&](const char* key, bool isSame, const std::string& sum) {
        if (areOwn && json.Has(key) && !isSame)
        {
            json.At(key).Report("is not what the layers add up to, " + sum + " (leave it out)");
        }
    };
    const bool isTimed = !(before.forward + before.backward).IsZero();
    const bool areSame = model.bytes == before.bytes && model.forward == before.forward &&
                         model.backward == before.backward;
    if (model.layers.IsEmpty() || areSame)
    {
        return;
    }
    check("bytes", model.bytes == before.bytes, FormatBytes(before.bytes));
    if (isTimed)
    {
        check("forward", model.forward == before.forward, FormatDuration(before.forward));
        check("backward", model.backward == before.backward, FormatDuration(before.backward));
    }
    SetSums(model, model.bytes, model.forward, model.backward);
}

/** The keys of a model that is given as an object. */
void
Describe(Keys& keys, ModelEntry& model)
{
    ModelProfile& profile = model.profile;
    const JsonRange<Time> times{Time(0), GetLongestTime()};
    keys.Visit(Optional("type", "none"),
               ModelTypeOf(model),
               "a known model (`ddl list models`, any case), whose keys hold where none is given");
    keys.Check([&](const JsonObject& json) {
        if (!json.Has("type"))
        {
            if (!json.Has("layers"))
            {
                json.Require("bytes");
            }
            profile.name = "unnamed";
            model.isTimed = true; // a model without a type computes as long as it says, default 0
        }
    });
    keys.Add(Optional("name", "the type's, or `unnamed`"), profile.name, "what results call it");
    const bool hasOwnLayers = DescribeLayers(keys, model);
    const ModelProfile before = profile;
    keys.Size(Optional("bytes", "the type's, or the sum of `layers`; without both, required"),
              profile.bytes,
              "gradients, and parameters, of an iteration; scaled by m",
              {1, MAX_BYTES});
    std::optional<Time> forward;
    std::optional<Time> backward;
    if (model.isTimed)
    {
        forward = profile.forward;
        backward = profile.backward;
    }
    keys.Add(Optional("forward", "the type's, or the sum of `layers`; without both, `0s`"),
             forward,
             times,
             "forward pass of one worker; scaled by m");
    keys.Add(Optional("backward", "the type's, or the sum of `layers`; without both, `0s`"),
             backward,
             times,
             "backward pass of one worker; scaled by m");
    profile.forward = forward.value_or(Time(0));
    profile.backward = backward.value_or(Time(0));
    model.isTimed = forward || backward;
    keys.Check([&](const JsonObject& json) { FitLayers(json, hasOwnLayers, before, profile); });
    keys.Add(Optional("switching", "the type's, or `0s`"),
             profile.switching,
             times,
             "time that a GPU takes to switch to a task of this model from another job's, in "
             "jobs of tasks; scaled by m");
    keys.Add(Optional("input", "the type's; without one, `0s`"),
             profile.input,
             times,
             "time in which a worker prepares the samples of an iteration on the CPU, before the "
             "forward pass; other jobs may use its GPU meanwhile; scaled by m");
    keys.Add(Optional("batch", "the type's; without one, 0"),
             profile.batch,
             {0, 1000000000},
             "samples of a worker in an iteration, for estimators; times stay what they are");
    keys.Size(Optional("gpuMemory", "the type's; without one, `0B`"),
              profile.gpuMemory,
              "what a worker takes of its GPU; `0B`: all of it; not scaled");
}

/** What the runs of jobs of a model are made of, and their workers if that fixes them. */
void
DescribeKindOf(Keys& keys, GeneratorModel& model)
{
    GraphKeys graph{model.graphSource, model.graph};
    DescribeGraphKey(keys, graph);
    keys.Visit(Optional("kind", "the generator's `jobKind`"),
               PolicyOf(model.kind, TrainingJob::GetTypeId()),
               "what runs of its jobs are made of; the kinds `graph` and `llm` fix the number of "
               "workers, and have no servers");
    SettleKind(keys, "kind", graph, model.kind);
    model.graphSource = graph.source;
    model.graph = graph.graph;
    model.workers = CountFixedWorkers(model.kind, model.graph);
    keys.Check([&model](const JsonObject& json) {
        const bool isOther =
            std::any_of(model.sizes.begin(), model.sizes.end(), [&model](const JobSize& size) {
                return size.workers != model.workers;
            });
        if (model.workers > 0 && isOther)
        {
            json.At("sizes").Report("has other workers than its jobs need, " +
                                    std::to_string(model.workers));
        }
    });
}

/** \return the member for one model of a list; its curve is read into `model` */
Member
ListedModelOf(ModelEntry& entry, GeneratorModel& model, bool hasCurve)
{
    return ModelOf(entry, [&model, hasCurve](Keys& keys) {
        if (hasCurve)
        {
            keys.Visit(Optional("curve", "the generator's"),
                       CurveOf(model.curve),
                       "distribution from which its jobs draw curves");
            keys.Visit(Optional("sizes", "the generator's"),
                       SizesOf(model.sizes),
                       "of plain jobs that train it, as `sizes` of the generator; if one model has "
                       "sizes all need some, and each job is dealt a model and a size of it");
            keys.Visit(Optional("durations", "the generator's"),
                       DistributionOf(model.durations, {ABOVE_ZERO, MOST_DURATION}),
                       "of plain jobs that train it, as `durations` of the generator");
            DescribeKindOf(keys, model);
        }
    });
}

} // namespace

Member
ModelOf(ModelEntry& member, const std::function<void(Keys&)>& more)
{
    const Member object = ObjectOf([&member, more](Keys& keys) {
        Describe(keys, member);
        more(keys);
    });
    const auto read = [&member, object](const JsonValue& value) {
        if (value.IsString())
        {
            member = LookUpModel(value, value.String(""));
        }
        else if (value.IsObject())
        {
            object.read(value);
        }
        else if (value.IsPresent())
        {
            value.Report("must be a model's name or an object, is " + DescribeJson(value.Raw()));
        }
    };
    const auto schema = [object](const KeyPlace& place) {
        Json known = {{"enum", Json::array()}};
        for (const auto& model : ListModels())
        {
            known["enum"].push_back(model.name);
        }
        return Json{{"anyOf", {known, {{"type", "string"}}, object.schema(place)}}};
    };
    return {read, object.write, schema};
}

Member
ModelsOf(std::vector<GeneratorModel>& member,
         const ClusterSpec& cluster,
         const std::optional<CurveSpec>* curve)
{
    const auto read = [&member, &cluster, curve](const JsonValue& value) {
        std::vector<GeneratorModel> models;
        for (const auto& element : value.Array())
        {
            ModelEntry entry;
            GeneratorModel model;
            model.curve = curve ? *curve : std::nullopt;
            ListedModelOf(entry, model, curve).read(element);
            CheckGpuMemory(element, entry.profile, cluster);
            model.type = entry.type;
            model.profile = entry.profile;
            model.timed = entry.isTimed;
            models.push_back(model);
        }
        member = models.empty() ? member : models;
    };
    const auto write = [&member, curve]() {
        Json json = Json::array();
        for (GeneratorModel model : member)
        {
            ModelEntry entry{model.type, model.profile, model.timed};
            json.push_back(ListedModelOf(entry, model, curve).write());
        }
        return json;
    };
    const auto schema = [curve](const KeyPlace& place) {
        ModelEntry entry;
        GeneratorModel model;
        return ListSchema(ListedModelOf(entry, model, curve).schema(place), {{"minItems", 1}});
    };
    return {read, write, schema, {}, {}, []() { return Json(); }};
}

void
CheckGpuMemory(const JsonValue& json, const ModelProfile& model, const ClusterSpec& cluster)
{
    if (GetLargestGpuMemory(cluster) > 0 && model.gpuMemory > GetLargestGpuMemory(cluster))
    {
        json.Report("a worker of " + model.name + " takes " + FormatBytes(model.gpuMemory) +
                    " of its GPU, which has " + FormatBytes(GetLargestGpuMemory(cluster)) +
                    " (more in \"cluster.hosts.gpuMemory\", or 0B there: one job a GPU)");
    }
}

void
Describe(Keys& keys, JobEntry& entry, const JobContext& context)
{
    JobSpec& job = entry.job;
    std::size_t before = 0;
    uint64_t gpus = 0;
    keys.Add("count", entry.count, {1, 100000}, "as many equal jobs");
    keys.Add(Optional("id", "the least free"),
             job.id.value,
             {1, MOST_ID},
             "given once; with a `count`, the first one's");
    keys.Check([&](const JsonObject& json) {
        before = json.GetDiagnostics().size();
        gpus = CountGpus(context.cluster);
    });
    GraphKeys graph{job.graphSource, job.graph};
    DescribeGraphKey(keys, graph);
    if (graph.source && !job.graphSource)
    {
        const std::string stem = std::filesystem::path(graph.source->files.front()).stem();
        job.model = MakeGraphModel(*graph.graph, stem);
    }
    job.graphSource = graph.source;
    job.graph = graph.graph;
    ModelEntry model{"", job.model, true};
    keys.Visit(Optional("model",
                        "required; with a `graph`: its file's name, and what its busiest "
                        "rank sends and reduces"),
               ModelOf(model),
               "what is trained; with a task graph, for placement, checkpoints and estimates only");
    job.model = model.profile;
    keys.Check([&](const JsonObject& json) {
        if (!json.Has("graph"))
        {
            json.Require("model");
        }
    });
    keys.Add(Optional("workers", "1; as many as the kinds `graph` and `llm` need"),
             job.workers,
             {1, MOST_MEMBERS},
             "one GPU each; not more than the GPUs there are, unless they are tasks");
    DescribeKind(keys, "kind", job.kind);
    SettleKind(keys, "kind", graph, job.kind);
    keys.Check([&](const JsonObject& json) {
        const uint32_t fixed = CountFixedWorkers(job.kind, job.graph);
        job.workers = fixed > 0 && !json.Has("workers") ? fixed : job.workers;
        if (job.workers > gpus && !TrainingJob::Of(job.kind)->UsesRounds() &&
            !json.Has("placement"))
        {
            json.At("workers").Report(std::to_string(job.workers) + " workers on a cluster of " +
                                      std::to_string(gpus) + " GPUs (one GPU a worker)");
        }
    });
    keys.Add("servers", job.servers, {0, MOST_MEMBERS}, "parameter servers");
    keys.Add("serverGpus", job.serverGpus, {0, 1}, SERVER_GPUS_HELP);
    keys.Check([&](const JsonObject& json) {
        if (job.workers <= gpus && job.CountGpus() > gpus && !json.Has("placement"))
        {
            json.At("serverGpus")
                .Report(std::to_string(job.workers) + " workers and " +
                        std::to_string(job.servers) + " parameter servers on a cluster of " +
                        std::to_string(gpus) + " GPUs (one GPU each)");
        }
    });
    keys.Visit(Optional("pattern", "`parameter-server` with servers, else `ring`"),
               PatternOf(job.pattern, job.servers),
               "who sends what to whom, after what");
    keys.Check([&](const JsonObject& json) {
        const auto refusal = job.pattern.IsTypeIdSet()
                                 ? job.pattern.Create<CommunicationPattern>()->Refuse(
                                       {job.workers, job.servers, job.model.bytes})
                                 : "";
        if (!refusal.empty())
        {
            json.At("pattern").Report(refusal);
        }
    });
    keys.Add(
        Optional("accuracy", "by the curve"),
        job.accuracy,
        ANY_NUMBER,
        "after each stage, one number a stage, for the search; without a curve, all are equal");
    keys.Check([&](const JsonObject& json) {
        if (!job.accuracy.empty() && job.accuracy.size() != context.stages)
        {
            json.At("accuracy")
                .Report(std::to_string(job.accuracy.size()) + " values for " +
                        std::to_string(context.stages) + " stages (one a stage)");
        }
    });
    keys.Object(
        "curve",
        job.curve,
        [](Keys& inner, LearningCurve& curve) { Describe(inner, curve); },
        "accuracy and loss by iterations");
    const uint64_t stages = context.stages > 0 ? context.stages : MAX_UNSIGNED;
    keys.Visit(Optional("stopAfter", "all stages"),
               UnlessOf(job.stopAfter, NEVER_STOPPED, {1, stages}),
               "last stage, from 1, for the search `list`");
    keys.Add("preemptible",
             job.preemptible,
             "whether it may lose its GPUs before it is done, under a `lease` or a preemptive "
             "`scheduler.jobs`");
    keys.Add("weight",
             job.weight,
             {1e-6, 1e6},
             "weight of its completion, or of its coflows', for schedulers that use weights");
    keys.Visit(Optional("user", "nobody"),
               TextOf(job.user),
               "who submitted it, for schedulers that look at past jobs");
    keys.Visit(Optional("name", "none"),
               TextOf(job.name),
               "jobs of one name are one job that recurs, for schedulers that look at past jobs; "
               "without a name, those of one user with one model and equally many workers are");
    keys.Visit(Optional("placement", "the policy decides"),
               PlacementOf(job.placement, context.cluster),
               "`{\"workers\": [[machine, GPU], ...], \"servers\": [machine, ...]}`, all from 0, "
               "`[machine]`: without a GPU, `[machine, GPU]` of a server: with `serverGpus`; not "
               "with a `count`");
    keys.Check([&](const JsonObject& json) {
        CheckPlacement(json, entry);
        ReportRefusals(json, job);
        if (!job.placement || !ListGpus(*job.placement).empty())
        {
            CheckGpuMemory(json.At("model"), job.model, context.cluster);
        }
        const bool isByRatio = !model.isTimed || context.workload.ratioForAll;
        if (isByRatio && json.GetDiagnostics().size() == before)
        {
            SetComputeByRatio(job,
                              context.workload.computeRatio,
                              context.cluster.topology.hostRate);
        }
    });
}

} // namespace ns3::ddl
