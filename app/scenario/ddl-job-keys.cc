// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-keys.h"

#include "ns3/ddl-communication-pattern.h"
#include "ns3/ddl-curve-shape.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-inverse-curve-shape.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-model-profile.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-quantity.h"
#include "ns3/ddl-uncontended-bytes.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

namespace
{

const JsonRange<double> ANY_NUMBER{-NO_LIMIT, NO_LIMIT};
const JsonRange<double> ITERATIONS{ABOVE_ZERO, 1e9};

/** \param json where the name stands, for complaints */
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

/** The name of a known model, whose profile is taken. */
class ModelTypeMember : public Member
{
  public:
    explicit ModelTypeMember(ModelEntry& member)
        : m_member(member)
    {
    }

    void Read(const JsonValue& value) override
    {
        if (value.IsPresent())
        {
            m_member = LookUpModel(value, value.String(""));
        }
    }

    Json Write() const override
    {
        return m_member.type.empty() ? Json() : Json(m_member.type);
    }

    Json Schema(const KeyPlace& /* place */) const override
    {
        return {{"type", "string"}};
    }

  private:
    ModelEntry& m_member;
};

/** \return schema of a list of such items */
Json
HostsSchema(const Json& items)
{
    return {{"type", "array"}, {"items", items}};
}

/** {"workers": [[host, gpu], ...], "servers": [host, ...]} */
class PlacementMember : public Member
{
  public:
    PlacementMember(std::optional<Placement>& member, const ClusterSpec& cluster)
        : m_member(member),
          m_cluster(cluster)
    {
    }

    void Read(const JsonValue& value) override
    {
        if (!value.IsPresent())
        {
            return;
        }
        m_member = Placement();
        const JsonObject json = value.Object();
        const auto machines = ListMachines(m_cluster);
        for (const auto& worker : json.Array("workers"))
        {
            const auto pair = worker.Array();
            if (worker.IsArray() && pair.size() != 1 && pair.size() != 2)
            {
                worker.Report("must be [host, GPU], two numbers from 0, or [host]: without a GPU");
            }
            GpuId gpu{HostId{0}, 0}; // of a wrong pair, so that the pairs can still be counted
            if (pair.size() == 1)
            {
                gpu = GpuId{ReadHost(pair[0], machines.size()), NO_GPU};
            }
            if (pair.size() == 2)
            {
                gpu.host = ReadHost(pair[0], machines.size());
                const uint64_t gpus = machines[gpu.host.value].gpus;
                gpu.index = pair[1].Unsigned({0, std::max<uint64_t>(gpus, 1) - 1}, 0);
            }
            m_member->workers.push_back(gpu);
        }
        for (const auto& server : json.Array("servers"))
        {
            m_member->servers.push_back(ReadHost(server, machines.size()));
        }
    }

    Json Write() const override
    {
        if (!m_member)
        {
            return nullptr;
        }
        Json workers = Json::array();
        for (const auto& gpu : m_member->workers)
        {
            workers.push_back(Json::array({gpu.host.value}));
            if (gpu.index != NO_GPU)
            {
                workers.back().push_back(gpu.index);
            }
        }
        Json servers = Json::array();
        for (const auto& server : m_member->servers)
        {
            servers.push_back(server.value);
        }
        return {{"workers", workers}, {"servers", servers}};
    }

    Json Schema(const KeyPlace& /* place */) const override
    {
        const Json number = {{"type", "integer"}, {"minimum", 0}};
        Json pair = HostsSchema(number);
        pair["minItems"] = 1;
        pair["maxItems"] = 2;
        return {{"type", "object"},
                {"additionalProperties", false},
                {"properties", {{"workers", HostsSchema(pair)}, {"servers", HostsSchema(number)}}}};
    }

  private:
    static HostId ReadHost(const JsonValue& json, std::size_t hosts)
    {
        return HostId{static_cast<uint32_t>(json.Unsigned({0, hosts - 1}, 0))};
    }

    std::optional<Placement>& m_member;
    const ClusterSpec& m_cluster;
};

/** Complains about a placement of more, or fewer, members than the job has. */
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
    check("workers", job.placement->workers.size(), job.workers);
    check("servers", job.placement->servers.size(), job.servers);
    if (entry.count > 1)
    {
        place.Report("cannot hold for each of " + std::to_string(entry.count) +
                     " jobs (give it to jobs one by one)");
    }
}

/** Measured points: [[iteration, accuracy], [iteration, accuracy, loss], ...]. */
class PointsMember : public Member
{
  public:
    explicit PointsMember(std::vector<CurvePoint>& member)
        : m_member(member)
    {
    }

    void Read(const JsonValue& value) override
    {
        m_isGiven = value.IsPresent();
        for (const auto& entry : value.Array())
        {
            const CurvePoint point = ReadPoint(entry);
            if (!m_member.empty() && entry.IsArray() &&
                point.iteration <= m_member.back().iteration)
            {
                entry.Report("does not come after the point before (iterations must increase)");
            }
            m_member.push_back(point);
        }
        if (m_member.empty() && value.IsArray())
        {
            value.Report("is empty ([iteration, accuracy] at least once)");
        }
    }

    Json Write() const override
    {
        Json points = Json::array();
        for (const auto& point : m_member)
        {
            points.push_back(Json::array({point.iteration, point.accuracy}));
            if (point.loss)
            {
                points.back().push_back(*point.loss);
            }
        }
        return points.empty() ? Json() : points;
    }

    Json Schema(const KeyPlace& /* place */) const override
    {
        return {{"type", "array"},
                {"minItems", 1},
                {"items",
                 {{"type", "array"},
                  {"minItems", 2},
                  {"maxItems", 3},
                  {"items", {{"type", "number"}}}}}};
    }

    /** \return whether there are points, right or wrong */
    bool IsThere() const
    {
        return m_isGiven || !m_member.empty();
    }

  private:
    static CurvePoint ReadPoint(const JsonValue& json)
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

    std::vector<CurvePoint>& m_member;
    bool m_isGiven{false};
};

/** A key [start, end] that both or neither of two members have. \tparam Each member of one */
template <typename Each, typename T>
void
AddPair(Keys& keys,
        const Key& key,
        std::optional<T>& start,
        std::optional<T>& end,
        const T& fallback,
        const std::string& help)
{
    bool isThere = start && end;
    T first = start.value_or(fallback);
    T second = end.value_or(fallback);
    Each one(first, ANY_NUMBER);
    Each other(second, ANY_NUMBER);
    PairMember pair(one, other, isThere);
    keys.Visit(key, pair, help);
    if (isThere)
    {
        start = first;
        end = second;
    }
}

void
Describe(Keys& keys, LearningCurve& curve)
{
    PointsMember points(curve.points);
    keys.Visit(Optional("points", ""),
               points,
               "`[[iteration, accuracy], ...]` or `[[iteration, accuracy, loss], ...]`, by "
               "iteration, straight lines between them; no other key then");
    keys.When(!points.IsThere(), "", [&]() {
        if (!curve.shape.IsTypeIdSet())
        {
            curve.shape.SetTypeId(InverseCurveShape::GetTypeId());
        }
        keys.Policy("shape",
                    curve.shape,
                    CurveShape::GetTypeId(),
                    "how it goes from start to convergence");
        keys.Check([](const JsonObject& json) { json.Require("half"); });
        keys.Add(Optional("half", "required without points"),
                 curve.half,
                 ITERATIONS,
                 "iterations to half of the way; scaled by i");
        std::optional<double> start = curve.startAccuracy;
        std::optional<double> end = curve.endAccuracy;
        AddPair<NumberMember>(keys,
                              "accuracy",
                              start,
                              end,
                              0.0,
                              "before the first iteration, and at convergence");
        curve.startAccuracy = *start;
        curve.endAccuracy = *end;
        AddPair<NumberMember>(keys,
                              "loss",
                              curve.startLoss,
                              curve.endLoss,
                              0.0,
                              "the same of the loss");
    });
}

} // namespace

void
Describe(Keys& keys, CurveSpec& curve)
{
    keys.Policy("shape",
                curve.shape,
                CurveShape::GetTypeId(),
                "how it goes from start to convergence");
    DistributionMember half(curve.half, ITERATIONS);
    keys.Visit(Optional("half", "uniform from 100 to 1500"),
               half,
               "iterations to half of the way: a number or a distribution");
    std::optional<ObjectFactory> start = curve.startAccuracy;
    std::optional<ObjectFactory> end = curve.endAccuracy;
    AddPair<DistributionMember>(keys,
                                Optional("accuracy", "0, and uniform from 0.5 to 0.95"),
                                start,
                                end,
                                MakeConstant(0),
                                "before the first iteration, and at convergence; numbers or "
                                "distributions");
    curve.startAccuracy = *start;
    curve.endAccuracy = *end;
    AddPair<DistributionMember>(keys,
                                "loss",
                                curve.startLoss,
                                curve.endLoss,
                                MakeConstant(0),
                                "the same of the loss");
}

UnlessMember::UnlessMember(uint32_t& member, uint32_t none, JsonRange<uint64_t> range)
    : m_member(member),
      m_none(none),
      m_range(range)
{
}

void
UnlessMember::Read(const JsonValue& value)
{
    if (value.IsPresent())
    {
        m_member = static_cast<uint32_t>(value.Unsigned(m_range, m_range.max));
    }
}

Json
UnlessMember::Write() const
{
    return m_member == m_none ? Json() : Json(m_member);
}

Json
UnlessMember::Schema(const KeyPlace& place) const
{
    uint64_t number = 0;
    return CountMember(number, m_range).Schema(place);
}

std::string
UnlessMember::Range() const
{
    uint64_t number = 0;
    return CountMember(number, m_range).Range();
}

DistributionMember::DistributionMember(ObjectFactory& member, JsonRange<double> range)
    : PolicyMember(member, RandomVariableStream::GetTypeId()),
      m_range(range)
{
}

void
DistributionMember::Read(const JsonValue& value)
{
    if (!value.IsPresent())
    {
        return;
    }
    if (!value.IsString() && !value.IsObject())
    {
        m_member = MakeConstant(value.Number(m_range, 1));
        return;
    }
    const ObjectFactory factory = value.Factory(RandomVariableStream::GetTypeId(), "");
    m_member = factory.IsTypeIdSet() ? factory : m_member;
}

Json
DistributionMember::Schema(const KeyPlace& place) const
{
    double number = 1;
    const Json one = NumberMember(number, m_range).Schema(place);
    return {{"anyOf", {one, PolicyMember::Schema(place)}}};
}

std::string
DistributionMember::Range() const
{
    double number = 1;
    return m_range.min == -NO_LIMIT ? "" : NumberMember(number, m_range).Range();
}

Json
DistributionMember::Default() const
{
    return Write();
}

PatternMember::PatternMember(ObjectFactory& member, const uint32_t& servers)
    : PolicyMember(member, CommunicationPattern::GetTypeId()),
      m_servers(servers)
{
}

void
PatternMember::Read(const JsonValue& value)
{
    m_member = ObjectFactory();
    m_member.SetTypeId(
        FindPolicy(CommunicationPattern::GetTypeId(), m_servers > 0 ? "parameter-server" : "ring"));
    PolicyMember::Read(value);
}

ModelMember::ModelMember(ModelEntry& member, std::function<void(Keys&)> more)
    : m_member(member),
      m_more(std::move(more))
{
}

void
ModelMember::Read(const JsonValue& value)
{
    if (value.IsString())
    {
        m_member = LookUpModel(value, value.String(""));
    }
    else if (value.IsObject())
    {
        ReadKeys(value.Object(), [this](Keys& keys) { DescribeObject(keys); });
    }
    else if (value.IsPresent())
    {
        value.Report("must be a model's name or an object, is " + DescribeJson(value.Raw()));
    }
}

Json
ModelMember::Write() const
{
    return WriteKeys([this](Keys& keys) { const_cast<ModelMember*>(this)->DescribeObject(keys); });
}

Json
ModelMember::Schema(const KeyPlace& place) const
{
    Json known = {{"enum", Json::array()}};
    for (const auto& model : ListModels())
    {
        known["enum"].push_back(model.name);
    }
    const Json object = place.Describe(
        [this](Keys& keys) { const_cast<ModelMember*>(this)->DescribeObject(keys); });
    return {{"anyOf", {known, {{"type", "string"}}, object}}};
}

void
ModelMember::DescribeObject(Keys& keys)
{
    ModelProfile& profile = m_member.profile;
    const JsonRange<Time> times{Time(0), GetLongestTime()};
    ModelTypeMember type(m_member);
    keys.Visit(Optional("type", "none"),
               type,
               "a known model (`ddl list models`, any case), whose keys hold where none is given");
    keys.Check([this, &profile](const JsonObject& json) {
        if (!json.Has("type"))
        {
            json.Require("bytes");
            profile.name = "unnamed";
            m_member.isTimed = true; // one's own model computes as long as one says, or not at all
        }
    });
    keys.Add(Optional("name", "the type's, or `unnamed`"), profile.name, "what results call it");
    keys.Size(Optional("bytes", "the type's; without one, required"),
              profile.bytes,
              "gradients, and parameters, of an iteration; scaled by m",
              {1, MAX_BYTES});
    const bool wasTimed = m_member.isTimed;
    std::optional<Time> forward = wasTimed ? std::make_optional(profile.forward) : std::nullopt;
    std::optional<Time> backward = wasTimed ? std::make_optional(profile.backward) : std::nullopt;
    keys.Add(Optional("forward", "the type's; without one, `0s`"),
             forward,
             times,
             "forward pass of one worker; scaled by m");
    keys.Add(Optional("backward", "the type's; without one, `0s`"),
             backward,
             times,
             "backward pass of one worker; scaled by m");
    profile.forward = forward.value_or(Time(0));
    profile.backward = backward.value_or(Time(0));
    m_member.isTimed = forward || backward;
    keys.Size(Optional("gpuMemory", "the type's; without one, `0B`"),
              profile.gpuMemory,
              "what a worker takes of its GPU; `0B`: all of it; not scaled");
    m_more(keys);
}

ModelsMember::ModelsMember(std::vector<GeneratorModel>& member,
                           const ClusterSpec& cluster,
                           const CurveSpec* curve)
    : m_member(member),
      m_cluster(cluster),
      m_curve(curve)
{
}

ModelMember
ModelsMember::MakeMember(GeneratorModel& model, ModelEntry& entry) const
{
    return ModelMember(entry, [this, &model](Keys& keys) {
        if (m_curve)
        {
            keys.Object("curve", model.curve, "from which each of its jobs draws its own");
        }
    });
}

void
ModelsMember::Read(const JsonValue& value)
{
    std::vector<GeneratorModel> models;
    for (const auto& element : value.Array())
    {
        ModelEntry entry;
        GeneratorModel model;
        model.curve = m_curve ? *m_curve : CurveSpec();
        MakeMember(model, entry).Read(element);
        CheckGpuMemory(element, entry.profile, m_cluster);
        models.push_back({entry.type, entry.profile, entry.isTimed, model.curve});
    }
    m_member = models.empty() ? m_member : models;
}

Json
ModelsMember::Write() const
{
    Json json = Json::array();
    for (GeneratorModel model : m_member)
    {
        ModelEntry entry{model.type, model.profile, model.timed};
        json.push_back(MakeMember(model, entry).Write());
    }
    return json;
}

Json
ModelsMember::Schema(const KeyPlace& place) const
{
    ModelEntry entry;
    GeneratorModel model;
    return {{"type", "array"}, {"minItems", 1}, {"items", MakeMember(model, entry).Schema(place)}};
}

Json
ModelsMember::Default() const
{
    return nullptr;
}

void
CheckGpuMemory(const JsonValue& json, const ModelProfile& model, const ClusterSpec& cluster)
{
    if (cluster.gpuMemory > 0 && model.gpuMemory > cluster.gpuMemory)
    {
        json.Report("a worker of " + model.name + " takes " + FormatBytes(model.gpuMemory) +
                    " of its GPU, which has " + FormatBytes(cluster.gpuMemory) +
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
    ModelEntry model{"", job.model, true};
    ModelMember modelMember(model);
    keys.Visit(Required("model"), modelMember, "what is trained");
    job.model = model.profile;
    keys.Add("workers",
             job.workers,
             {1, MOST_MEMBERS},
             "one GPU each; not more than the GPUs there are");
    keys.Check([&](const JsonObject& json) {
        if (job.workers > gpus && !json.Has("placement"))
        {
            json.At("workers").Report(std::to_string(job.workers) + " workers on a cluster of " +
                                      std::to_string(gpus) + " GPUs (one GPU a worker)");
        }
    });
    keys.Add("servers", job.servers, {0, MOST_MEMBERS}, "parameter servers; they need no GPU");
    PatternMember pattern(job.pattern, job.servers);
    keys.Visit(Optional("pattern", "`parameter-server` with servers, else `ring`"),
               pattern,
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
    UnlessMember last(job.stopAfter,
                      NEVER_STOPPED,
                      {1, context.stages > 0 ? context.stages : MAX_UNSIGNED});
    keys.Visit(Optional("stopAfter", "all stages"),
               last,
               "last stage, from 1, for the search `list`");
    keys.Add("weight",
             job.weight,
             {1e-6, 1e6},
             "how much the completion of its coflows counts, for `sincronia`");
    PlacementMember placement(job.placement, context.cluster);
    keys.Visit(Optional("placement", "the policy decides"),
               placement,
               "`{\"workers\": [[machine, GPU], ...], \"servers\": [machine, ...]}`, all from 0, "
               "`[machine]`: without a GPU; not with a `count`");
    keys.Check([&](const JsonObject& json) {
        CheckPlacement(json, entry);
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

} // namespace ddl
} // namespace ns3
