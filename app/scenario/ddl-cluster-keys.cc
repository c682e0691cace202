// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-keys.h"
#include "ddl-scenario-keys.h"

#include "ns3/ddl-attribute-check.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-graph-topology.h"
#include "ns3/ddl-model-profile.h"
#include "ns3/ddl-network-format.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-quantity.h"
#include "ns3/ddl-queue-service.h"
#include "ns3/ddl-weighted-queue-scheduler.h"
#include "ns3/pointer.h"

#include <algorithm>
#include <sstream>

namespace ns3::ddl
{

namespace
{

constexpr uint64_t LEAST_BUFFER = 10000; //!< least buffer, bytes: room for the largest packet
constexpr uint64_t MOST_GPUS = 1024;     //!< most GPUs of a machine
constexpr double MOST_SPEED = 1e6;

/** A number of queues, or of bands: 1 to 8, or "unlimited". */
Member
QueuesOf(uint32_t& member)
{
    const auto read = [&member](const JsonValue& value) {
        if (!value.IsString())
        {
            member = value.Unsigned({1, MAX_QUEUES}, member);
            return;
        }
        if (value.String("") != "unlimited")
        {
            value.Report("must be a whole number from 1 to 8, or \"unlimited\"");
        }
        member = UNLIMITED_QUEUES;
    };
    const auto schema = [](const KeyPlace&) {
        const Json count = {{"type", "integer"}, {"minimum", 1}, {"maximum", MAX_QUEUES}};
        return Json{{"anyOf", {count, {{"enum", Json::array({"unlimited"})}}}}};
    };
    return {read,
            [&member]() { return member == UNLIMITED_QUEUES ? Json("unlimited") : Json(member); },
            schema,
            []() { return "from 1 to 8, or `unlimited`"; }};
}

/** \return a factory of the ports' service, of which PortSpec has name and attributes apart */
ObjectFactory
GetService(const PortSpec& ports)
{
    ObjectFactory factory;
    factory.SetTypeId(FindPolicy(QueueScheduler::GetTypeId(), ports.service));
    for (const auto& [attribute, value] : ports.serviceAttributes)
    {
        factory.Set(attribute, StringValue(value));
    }
    return factory;
}

/** \param factory factory of the service; it has no TypeId if there is no such service */
Member
ServiceOf(PortSpec& ports, ObjectFactory& factory)
{
    Member service = PolicyOf(factory, QueueScheduler::GetTypeId());
    service.read = [&](const JsonValue& value) {
        const PolicySpec given = value.Policy(ports.service);
        factory = given.MakeFactory(QueueScheduler::GetTypeId(), value.GetDiagnostics());
        if (!factory.IsTypeIdSet())
        {
            return;
        }
        ports.service = GetShortName(QueueScheduler::GetTypeId(), factory.GetTypeId());
        ports.serviceAttributes.clear();
        for (const auto& attribute : given.attributes)
        {
            ports.serviceAttributes[attribute.name] = attribute.text;
        }
    };
    const auto write = service.write;
    service.write = [&ports, write]() {
        Json json = write();
        if (json.is_object() && !ports.weights.empty())
        {
            json.erase("Weights"); // the weights have a key of their own
        }
        return json;
    };
    return service;
}

bool
TakesWeights(TypeId service)
{
    TypeId::AttributeInformation info;
    return service.LookupAttributeByName("Weights", &info);
}

/** \return names of the services that have weights: "dwrr, mixed, wrr" */
std::string
ListWeightedServices()
{
    const TypeId family = QueueScheduler::GetTypeId();
    std::vector<std::string> names;
    for (const auto& name : ListPolicies(family))
    {
        if (TakesWeights(FindPolicy(family, name)))
        {
            names.push_back(name);
        }
    }
    return JoinNames(names);
}

/** Complain if the service cannot serve that many queues with those weights. */
void
CheckService(const JsonObject& json,
             PortSpec& spec,
             const ObjectFactory& service,
             std::size_t complaintsBefore)
{
    if (!spec.weights.empty() && spec.weights.size() != spec.queues)
    {
        json.At("weights").Report(std::to_string(spec.weights.size()) + " weights for " +
                                  std::to_string(spec.queues) + " queues (one per queue)");
    }
    const TypeId type = FindPolicy(QueueScheduler::GetTypeId(), spec.service);
    if (service.IsTypeIdSet() && !spec.weights.empty() && !TakesWeights(type))
    {
        json.At("weights").Report("\"" + spec.service + "\" takes no weights (" +
                                  ListWeightedServices() + " do)");
    }
    if (json.GetDiagnostics().size() > complaintsBefore)
    {
        return;
    }
    try
    {
        CreateQueueService(spec)->Configure(spec.queues);
    }
    catch (const InputError& error)
    {
        json.At(spec.weights.empty() ? "service" : "weights").Report(error.what());
    }
}

void
Describe(Keys& keys, ScaleUpSpec& scaleUp)
{
    using Kind = ScaleUpSpec::Kind;
    keys.Choice<Kind>("kind",
                      scaleUp.kind,
                      {{"switch", Kind::SWITCH}, {"streams", Kind::STREAMS}, {"none", Kind::NONE}},
                      "`switch`: each host has a port to the one switch of its server, where its "
                      "streams contend; `streams`: each stream has the rate for itself; `none`: "
                      "hosts of a server send each other everything by their NICs");
    keys.Add("rate",
             scaleUp.rate,
             "rate of a host's port, or of a stream, in one direction. NVLink "
             "has 900 GB/s (H100) and 600 GB/s (A100) in both directions together");
    keys.Add("delay",
             scaleUp.delay,
             {Time(0), Hours(1)},
             "propagation delay between host and switch, one way; `streams` have twice that");
    keys.Add("mtu",
             scaleUp.mtu,
             {0, UINT16_MAX},
             "with `switch`: bytes of the largest packet there, for `rdma`; less than "
             "`transport.mtu`: that one. Fewer, larger packets cost less computing time");
}

} // namespace

namespace
{

/** \return the network that stands in the scenario itself; null: it has a file, or is no graph */
Ptr<NetworkGraph>
FindWrittenNetwork(const ObjectFactory& shape)
{
    const bool isGraph = shape.GetTypeId() == GraphTopology::GetTypeId();
    const auto graph = isGraph ? shape.Create<GraphTopology>() : nullptr;
    return graph && graph->GetFile().empty() ? graph->GetNetwork() : nullptr;
}

/** A list of a graph's nodes, or of its links. */
Member
GraphListOf(const ObjectFactory& shape, const std::string& key, const Json& properties)
{
    const auto read = [](const JsonValue& value) {
        if (value.IsPresent() && !value.IsArray())
        {
            value.Report("must be a list, is " + DescribeJson(value.Raw()));
        }
    };
    const auto write = [&shape, key]() {
        const auto network = FindWrittenNetwork(shape);
        if (!network)
        {
            return Json();
        }
        std::ostringstream text;
        CreatePolicy<NetworkFormat>("json")->Write(*network, text);
        return Json::parse(text.str())[key];
    };
    return {read, write, [properties](const KeyPlace&) {
                return ListSchema({{"type", "object"},
                                   {"properties", properties},
                                   {"additionalProperties", false}});
            }};
}

void
DescribeGraph(Keys& keys, TopologySpec& topology)
{
    const Json text = {{"type", {"string", "integer"}}};
    const Json count = {{"type", "integer"}, {"minimum", 1}, {"maximum", MOST_TOPOLOGY_CABLES}};
    const Json level = {{"type", "integer"}, {"minimum", 0}, {"maximum", MOST_TOPOLOGY_CABLES}};
    const Json names = ListSchema({{"type", "string"}}, {{"minItems", 2}, {"maxItems", 2}});
    keys.Visit(Optional("nodes", ""),
               GraphListOf(topology.shape,
                           "nodes",
                           {{"name", text},
                            {"kind", {{"enum", {"host", "switch", "scale-up"}}}},
                            {"server", text},
                            {"rack", text},
                            {"tier", level},
                            {"divisor", count}}),
               "hosts and switches, [fabric.md](fabric.md)");
    keys.Visit(Optional("links", ""),
               GraphListOf(topology.shape,
                           "links",
                           {{"between", names},
                            {"rate", {{"type", "string"}}},
                            {"delay", {{"type", "string"}}},
                            {"count", count}}),
               "cables: `between`, `rate`, `delay`, `count`");
}

/** Complain about errors in the lists of a graph, each at its element. */
void
ReportAtElements(const JsonObject& json, const InputError& error)
{
    for (const Diagnostic& diagnostic : error.GetDiagnostics())
    {
        const auto slash = diagnostic.pointer.rfind('/');
        if (slash == std::string::npos || slash == 0)
        {
            json.Report(diagnostic.what);
            continue;
        }
        const auto elements = json.At(diagnostic.pointer.substr(1, slash - 1)).Array();
        const auto index = ReadCount(std::string_view(diagnostic.pointer).substr(slash + 1));
        index&&* index < elements.size() ? elements[*index].Report(diagnostic.what)
                                         : json.Report(diagnostic.what);
    }
}

/** \return whether a graph names a file */
bool
HasFile(const JsonObject& json)
{
    return json.Has("file") && json.At("file").Raw() != "";
}

/** \return names of the formats of networks, and `auto` */
std::vector<std::string>
ListGraphFormats()
{
    std::vector<std::string> formats = ListPolicies(NetworkFormat::GetTypeId());
    formats.emplace_back("auto");
    return formats;
}

/** \return the network of a graph's file; null after a complaint */
Ptr<NetworkGraph>
ReadGraphFile(const JsonObject& json)
{
    const std::string path = FindDataFile(json.At("file"));
    if (path.empty())
    {
        json.At("file").Report("there is no file " + QuoteText(json.At("file").String("")) +
                               " (beside the file that names it, for --set in the current folder, "
                               "or in traces/)");
        return nullptr;
    }
    try
    {
        return ReadNetwork(path, json.At("format").OneOf(ListGraphFormats(), "auto"));
    }
    catch (const InputError& error)
    {
        const auto& more = error.GetDiagnostics();
        json.GetDiagnostics().insert(json.GetDiagnostics().end(), more.begin(), more.end());
        return nullptr;
    }
}

/** \return the network of a graph's lists; null after a complaint */
Ptr<NetworkGraph>
ReadGraphLists(const JsonObject& json)
{
    if (HasFile(json))
    {
        json.At("file").Report("goes not with \"nodes\" and \"links\" (one of both)");
        return nullptr;
    }
    if (!json.Require("nodes") || !json.Require("links"))
    {
        return nullptr;
    }
    const Json lists = {{"nodes", json.At("nodes").Raw()}, {"links", json.At("links").Raw()}};
    try
    {
        return CreatePolicy<NetworkFormat>("json")->Read(lists.dump(), "");
    }
    catch (const InputError& error)
    {
        ReportAtElements(json, error);
        return nullptr;
    }
}

/** Read the network of a graph. After an error another topology takes its place, so that the rest
 * of the scenario is checked as well. */
void
ReadGraph(const JsonObject& json, TopologySpec& topology)
{
    if (topology.shape.GetTypeId() != GraphTopology::GetTypeId())
    {
        return;
    }
    const std::size_t before = json.GetDiagnostics().size();
    json.At("format").OneOf(ListGraphFormats(), "auto");
    json.At("bond").Bool(false);
    json.At("withoutScaleUp").Bool(false);
    Ptr<NetworkGraph> network;
    if (json.Has("nodes") || json.Has("links"))
    {
        network = ReadGraphLists(json);
    }
    else if (HasFile(json))
    {
        network = ReadGraphFile(json);
    }
    if (network)
    {
        topology.shape.Set("Network", PointerValue(network));
        for (const auto& problem : topology.shape.Create<Topology>()->FindProblems())
        {
            json.Report(problem.what);
        }
    }
    else if (json.GetDiagnostics().size() == before)
    {
        json.Report("has no network (\"file\", or \"nodes\" and \"links\")");
    }
    if (json.GetDiagnostics().size() > before)
    {
        topology.shape = TopologySpec().shape;
    }
}

/** Complain about attributes that do not fit together; each then has its default, to check the
 * rest. */
void
CheckTopology(const JsonObject& json, TopologySpec& topology)
{
    for (const auto& problem : topology.shape.Create<Topology>()->FindProblems())
    {
        if (problem.attribute.empty())
        {
            json.Report(problem.what);
            continue;
        }
        TypeId::AttributeInformation info;
        topology.shape.GetTypeId().LookupAttributeByName(problem.attribute, &info);
        topology.shape.Set(problem.attribute, *info.initialValue); // to check the rest
        json.At(KeyOf(problem.attribute)).Report(problem.what);
    }
    if (topology.scaleUp && topology.scaleUp->kind != ScaleUpSpec::Kind::NONE &&
        topology.shape.Create<Topology>()->FindProblems().empty() &&
        !HasServersOfSeveralHosts(topology))
    {
        json.At("scaleUp").Report("joins the hosts of a server, but no server of this network "
                                  "has several hosts");
    }
}

} // namespace

void
Describe(Keys& keys, TopologySpec& topology)
{
    keys.Kind(topology.shape, Topology::GetTypeId(), false, "the shape of the network");
    keys.When(topology.shape.GetTypeId() == GraphTopology::GetTypeId() || keys.IsDescription(),
              "graph",
              [&]() { DescribeGraph(keys, topology); });
    keys.Check([&topology](const JsonObject& json) { ReadGraph(json, topology); });
    keys.Add("hostRate", topology.hostRate, "rate of the link between machine and switch");
    keys.Add("delay",
             topology.delay,
             {Time(0), Hours(1)},
             "propagation delay of a link, one way, on levels without a delay of their own");
    keys.Add(Optional("hostDelay", "`delay`"),
             topology.hostDelay,
             {Time(0), Hours(1)},
             "propagation delay of the link between machine and switch, one way");
    keys.Object(
        "scaleUp",
        topology.scaleUp,
        [](Keys& inner, ScaleUpSpec& scaleUp) { Describe(inner, scaleUp); },
        "a network inside servers that joins their hosts beside the NICs, as NVLink does; for "
        "servers of several hosts (`rail-optimised`, `three-tier`, `graph`)");
    keys.Policy("routing",
                topology.pathSelector,
                PathSelector::GetTypeId(),
                "how switches choose among equal-cost paths (doc/paths.md)");
    keys.Add("framingBytes",
             topology.framingBytes,
             {0, 1000},
             "bytes on the wire beside each IPv4 packet; 38: Ethernet's preamble 8, header 14, FCS "
             "4, gap 12");
    keys.Check([&topology](const JsonObject& json) { CheckTopology(json, topology); });
}

void
Describe(Keys& keys, PortSpec& ports)
{
    std::size_t before = 0;
    keys.Visit("queues",
               QueuesOf(ports.queues),
               "queues of a port; queue 0 is for control; `unlimited`: an ideal port with a queue "
               "for each of 62 priorities, `strict-priority` only");
    keys.Check([&before](const JsonObject& json) { before = json.GetDiagnostics().size(); });
    ObjectFactory service = GetService(ports);
    keys.Visit("service", ServiceOf(ports, service), "which non-empty queue is served next");
    keys.Add(Optional("weights", "all 1"),
             ports.weights,
             {1, WeightedQueueScheduler::MOST_WEIGHT},
             "one per queue, queue 0 first; for `wrr`, `dwrr`, `mixed`");
    keys.Check([&](const JsonObject& json) { CheckService(json, ports, service, before); });
    keys.Size("limit",
              ports.limit,
              "bytes of IPv4 packets that a queue may hold",
              {LEAST_BUFFER, MAX_BYTES});
    keys.Size("ecnThreshold",
              ports.ecnThreshold,
              "backlog of a queue above which a packet that enters is marked; `0B`: never");
    keys.Size("sharedBuffer",
              ports.sharedBuffer,
              "bytes that all queues of a switch share, at least 10 kB; `0B`: nothing is shared");
    keys.Add("alpha",
             ports.alpha,
             {ABOVE_ZERO, 1e6},
             "with a shared buffer, a queue may hold alpha x the bytes that are free");
    keys.Add("pfc",
             ports.pfc,
             "priority flow control (IEEE 802.1Qbb): a switch pauses its neighbours, queue by "
             "queue, and drops nothing; `limit` has no effect; not with a shared buffer");
    keys.Size("pfcThreshold",
              ports.pfcThreshold,
              "with `pfc`: a neighbour is paused, for one queue, when more bytes than this from "
              "it wait there",
              {LEAST_BUFFER, MAX_BYTES});
    keys.Size(
        "pfcHeadroom",
        ports.pfcHeadroom,
        "with `pfc`: room above the threshold, in bytes, for what arrives until the pause takes "
        "effect; `0B`: what the link can bring");
    keys.Check([&ports](const JsonObject& json) {
        if (ports.sharedBuffer > 0 && ports.sharedBuffer < LEAST_BUFFER)
        {
            json.At("sharedBuffer").Report("must be 0B (none) or at least 10kB");
        }
        if (ports.pfc && ports.sharedBuffer > 0)
        {
            json.At("sharedBuffer")
                .Report("goes with \"pfc\": false only: a queue that is full would "
                        "drop what flow control promises to keep");
        }
    });
}

namespace
{

/** \return the name of a known model as its profile spells it; any other name as it is */
std::string
GetModelName(const std::string& name)
{
    try
    {
        return FindModel(name).name;
    }
    catch (const InputError&)
    {
        return name; // the model is the user's own
    }
}

/** Speeds by the name of a model. */
Member
SpeedsOf(std::map<std::string, double>& member)
{
    const auto read = [&member](const JsonValue& value) {
        const JsonObject models = value.Object();
        for (const auto& model : models.Keys())
        {
            member[GetModelName(model)] = models.At(model).Number({ABOVE_ZERO, MOST_SPEED}, 1);
        }
    };
    const auto schema = [](const KeyPlace& place) {
        double speed = 1;
        const Json each = NumberOf(speed, {ABOVE_ZERO, MOST_SPEED}).schema(place);
        return Json{{"type", "object"}, {"additionalProperties", each}};
    };
    return {read, [&member]() { return Json(member); }, schema};
}

/** \param isKnown whether the type is a known one, which has a speed */
void
Describe(Keys& keys, GpuType& type, bool isKnown)
{
    const Key speed =
        isKnown ? Optional("speed", "the known type's, else required") : Required("speed");
    keys.Add(speed,
             type.speed,
             {ABOVE_ZERO, MOST_SPEED},
             "speed relative to a V100: a task takes its model's time divided by it");
    keys.Visit("models",
               SpeedsOf(type.models),
               "by the name of a model: its speed on this GPU, "
               "instead of `speed`");
}

/** GPU types by their name, known or new. */
Member
GpuTypesOf(std::vector<GpuType>& member)
{
    const auto read = [&member](const JsonValue& value) {
        const JsonObject types = value.Object();
        for (const auto& name : types.Keys())
        {
            const auto& known = ListGpuTypes();
            const auto found =
                std::find_if(known.begin(), known.end(), [&name](const GpuType& candidate) {
                    return candidate.name == name;
                });
            const bool isKnown = found != known.end();
            GpuType type = isKnown ? *found : GpuType();
            type.name = name;
            ReadKeys(types.At(name).Object(), [&](Keys& keys) { Describe(keys, type, isKnown); });
            member.push_back(type);
        }
    };
    const auto write = [&member]() {
        Json json = Json::object();
        for (GpuType& type : member)
        {
            json[type.name] = WriteKeys([&type](Keys& keys) { Describe(keys, type, true); });
        }
        return json;
    };
    const auto schema = [](const KeyPlace& place) {
        GpuType type;
        const Json each = place.Describe([&type](Keys& keys) { Describe(keys, type, true); });
        return Json{{"type", "object"}, {"additionalProperties", each}};
    };
    return {read, write, schema};
}

/** Bytes, "16GB". */
Member
BytesOf(uint64_t& member)
{
    return {[&member](const JsonValue& value) { member = value.Bytes(member); },
            [&member]() { return Json(FormatBytes(member)); },
            [](const KeyPlace&) {
                return Json{{"allOf", Json::array({Json{{"$ref", "#/definitions/size"}}})}};
            }};
}

/** The name of a GPU type: one that the user has described, or a known one. */
Member
GpuTypeOf(GpuType& member, const std::vector<GpuType>& described)
{
    const auto read = [&](const JsonValue& value) {
        std::vector<GpuType> types = described;
        types.insert(types.end(), ListGpuTypes().begin(), ListGpuTypes().end());
        std::vector<std::string> names;
        const std::string wanted = value.String(member.name);
        for (const GpuType& type : types)
        {
            if (type.name == wanted)
            {
                member = type;
                return;
            }
            names.push_back(type.name);
        }
        value.Report("unknown GPU type " + QuoteText(wanted) + " (one of " + JoinNames(names) +
                     ", or describe it in cluster.gpuTypes)" + SuggestName(wanted, names));
    };
    Member type = TextOf(member.name);
    type.read = read;
    return type;
}

void
Describe(Keys& keys, MachineGroup& group, const ClusterSpec& cluster, uint64_t machines)
{
    keys.Add("count", group.count, {1, machines}, "machines of the group");
    keys.Add(Optional("gpus", "as above"), group.gpus, {0, MOST_GPUS}, "of each of them");
    keys.Visit(Optional("gpuType", "as above"),
               GpuTypeOf(group.gpuType, cluster.gpuTypes),
               "of each of them");
    keys.Size(Optional("gpuMemory", "as above"), group.gpuMemory, "of each GPU of them");
}

/**
 * One value for all machines, or a list by machine: values, or objects {"machines": 3, KEY: value}.
 *
 * \param one reads and describes a single value, the \p value
 * \param list gets the value of each machine; empty: one for all
 */
template <typename T>
Member
PerMachine(const std::string& key, const Member& one, T& value, std::vector<T>& list)
{
    Member member = one;
    member.read = [key, one, &value, &list](const JsonValue& json) {
        if (!json.IsArray())
        {
            one.read(json);
            return;
        }
        const T before = value; // the members of the cluster stay those of a single value
        for (const JsonValue& element : json.Array())
        {
            uint64_t machines = 1;
            value = before;
            if (!element.IsObject())
            {
                one.read(element);
            }
            else
            {
                const JsonObject object = element.Object();
                machines = object.At("machines").Unsigned({1, MOST_TOPOLOGY_HOSTS}, 1);
                if (object.Require(key))
                {
                    one.read(object.At(key));
                }
            }
            if (list.size() <= MOST_TOPOLOGY_HOSTS) // more machines are too many, however many
            {
                list.insert(list.end(), machines, value);
            }
        }
        if (json.Raw().empty())
        {
            json.Report("is empty (one value for all machines, or a list of at least one)");
        }
        value = before;
    };
    member.schema = [key, one](const KeyPlace& place) {
        const Json single = one.schema(place);
        const Json group = {
            {"type", "object"},
            {"properties",
             {{"machines", {{"type", "integer"}, {"minimum", 1}, {"maximum", MOST_TOPOLOGY_HOSTS}}},
              {key, single}}},
            {"required", Json::array({key})},
            {"additionalProperties", false}};
        const Json either = {{"anyOf", Json::array({single, group})}};
        return Json{{"anyOf", Json::array({single, ListSchema(either, {{"minItems", 1}})})}};
    };
    return member;
}

/** What each machine has; empty: all have the same. */
struct MachineLists
{
    std::vector<uint64_t> gpus;
    std::vector<GpuType> types;
    std::vector<uint64_t> memories;
};

/** Turn lists by machine into groups, or complain. */
void
MakeGroups(const JsonObject& json,
           const MachineLists& lists,
           uint64_t machines,
           ClusterSpec& cluster)
{
    bool isSound = true;
    const auto check = [&](const char* key, const auto& list) {
        if (list.empty())
        {
            return;
        }
        if (list.size() != machines)
        {
            json.At(key).Report("describes " + std::to_string(list.size()) + " machines of " +
                                std::to_string(machines) + " (one value for all, or all of them)");
            isSound = false;
        }
        if (!cluster.groups.empty())
        {
            json.At(key).Report("is given by machine, and \"groups\" as well (one of both)");
            isSound = false;
        }
    };
    check("gpus", lists.gpus);
    check("gpuType", lists.types);
    check("gpuMemory", lists.memories);
    if (!isSound || (lists.gpus.empty() && lists.types.empty() && lists.memories.empty()))
    {
        return;
    }
    for (uint64_t machine = 0; machine < machines; ++machine)
    {
        MachineGroup group{1, cluster.gpus, cluster.gpuType, cluster.gpuMemory};
        group.gpus = lists.gpus.empty() ? group.gpus : static_cast<uint32_t>(lists.gpus[machine]);
        group.gpuType = lists.types.empty() ? group.gpuType : lists.types[machine];
        group.gpuMemory = lists.memories.empty() ? group.gpuMemory : lists.memories[machine];
        MachineGroup* last = cluster.groups.empty() ? nullptr : &cluster.groups.back();
        if (last && last->gpus == group.gpus && last->gpuType.name == group.gpuType.name &&
            last->gpuMemory == group.gpuMemory)
        {
            ++last->count;
            continue;
        }
        cluster.groups.push_back(group);
    }
}

/** Describe the groups of machines, into which lists by machine are turned. */
void
DescribeGroups(Keys& keys, ClusterSpec& cluster, const MachineLists& lists)
{
    uint64_t machines = MOST_TOPOLOGY_HOSTS;
    keys.Check([&](const JsonObject&) { machines = CountHosts(cluster.topology); });
    const MachineGroup prototype{1, cluster.gpus, cluster.gpuType, cluster.gpuMemory};
    keys.Add(
        Optional("groups", "all alike"),
        cluster.groups,
        prototype,
        [&](Keys& inner, MachineGroup& group) { Describe(inner, group, cluster, machines); },
        "machines that differ, in the order of the hosts; the counts add up to all machines");
    keys.Check([&](const JsonObject& json) {
        uint64_t described = 0;
        for (const MachineGroup& group : cluster.groups)
        {
            described += group.count;
        }
        if (!cluster.groups.empty() && described != machines)
        {
            json.At("groups").Report("describe " + std::to_string(described) + " machines of " +
                                     std::to_string(machines) + " (their counts add up to all)");
            cluster.groups.clear();
        }
        MakeGroups(json, lists, machines, cluster);
        const auto isWithout = [](const MachineGroup& group) {
            return group.gpus > 0 && group.gpuMemory == 0;
        };
        if (GetLargestGpuMemory(cluster) > 0 &&
            std::any_of(cluster.groups.begin(), cluster.groups.end(), isWithout))
        {
            json.Report("GPUs of some machines have a gpuMemory, others have none (all or none)");
        }
    });
}

void
DescribeHosts(Keys& keys, ClusterSpec& cluster)
{
    keys.Check([&](const JsonObject&) {
        const auto own = cluster.topology.shape.Create<Topology>()->GetGpusPerHost();
        cluster.gpus = own.value_or(cluster.gpus);
    });
    MachineLists lists;
    uint64_t gpus = cluster.gpus;
    keys.Visit(
        Optional("gpus", "4; 1 where each host is the interface of one GPU (`three-tier`...)"),
        PerMachine("gpus", CountOf(gpus, {0, MOST_GPUS}), gpus, lists.gpus),
        "of each machine; or a list by machine, `[2, 2, 8]` or `[{\"machines\": 321, \"gpus\": "
        "2}, {\"machines\": 231, \"gpus\": 8}]`");
    cluster.gpus = static_cast<uint32_t>(gpus);
    keys.Visit("gpuType",
               PerMachine("gpuType",
                          GpuTypeOf(cluster.gpuType, cluster.gpuTypes),
                          cluster.gpuType,
                          lists.types),
               "`K80`, `M60`, `T4`, `V100`, or one of `gpuTypes`; compute times are over its "
               "speed; or a list by machine");
    keys.Visit(
        "gpuMemory",
        PerMachine("gpuMemory", BytesOf(cluster.gpuMemory), cluster.gpuMemory, lists.memories),
        "of each GPU: a limit on the jobs that hold it together; `0B`: one job at a time; "
        "not scaled; or a list by machine, `0B` for all or for none");
    DescribeGroups(keys, cluster, lists);
    keys.Visit("bands",
               QueuesOf(cluster.hosts.bands),
               "queues of the NIC, served by strict priority; band 0 is for control");
    keys.Size(
        "ecnThreshold",
        cluster.hosts.ecnThreshold,
        "backlog of a band above which a packet that enters is marked; `0B`: never; NICs have "
        "no limit and drop nothing");
}

/** The names of the two ends of a link. */
Member
EndsOf(LinkEvent& event)
{
    const auto read = [&event](const JsonValue& value) {
        const auto ends = value.Array();
        if (ends.size() == 2)
        {
            event.first = ends[0].String("");
            event.second = ends[1].String("");
        }
    };
    return {read,
            [&event]() {
                return Json::array({event.first, event.second});
            },
            [](const KeyPlace&) {
                return ListSchema({{"type", "string"}}, {{"minItems", 2}, {"maxItems", 2}});
            }};
}

using Cables = std::vector<std::pair<std::string, std::string>>;

void
Describe(Keys& keys, LinkEvent& event, Cables& cables, const TopologySpec& topology)
{
    keys.Add(Required("at"),
             event.at,
             {Time(0), GetLongestTime()},
             "simulated time; scaled by m x i");
    keys.Visit(Required("between"),
               EndsOf(event),
               "names of the two ends, `[\"leaf0\", \"spine1\"]`; of parallel links, all");
    keys.Add(Required("up"), event.up, "`true`: it comes up; `false`: it goes down");
    keys.Check([&](const JsonObject& json) {
        if (!topology.shape.Create<Topology>()->FindProblems().empty())
        {
            return;
        }
        if (cables.empty())
        {
            cables = ListCables(topology);
        }
        const auto isIt = [&event](const auto& cable) {
            return cable == std::make_pair(event.first, event.second) ||
                   cable == std::make_pair(event.second, event.first);
        };
        if (json.Has("between") && std::none_of(cables.begin(), cables.end(), isIt))
        {
            json.At("between").Report("there is no such link (two names of nodes that are joined, "
                                      "like [\"" +
                                      cables.front().first + "\", \"" + cables.front().second +
                                      "\"])");
        }
    });
}

void
Describe(Keys& keys, ServerFailure& failure, const TopologySpec& topology)
{
    keys.Add(Required("server"),
             failure.server,
             {0, MOST_TOPOLOGY_HOSTS - 1},
             "number of the server, from 0; all machines of a server fail together");
    keys.Add(Required("at"),
             failure.at,
             {Time(0), GetLongestTime()},
             "simulated time; scaled by m x i");
    keys.Add(Optional("for", "it does not come back"),
             failure.lasts,
             {NanoSeconds(1), GetLongestTime()},
             "time after which it is back; scaled by m x i");
    keys.Check([&](const JsonObject& json) {
        if (!topology.shape.Create<Topology>()->FindProblems().empty() || !json.Has("server"))
        {
            return;
        }
        const std::vector<Place> places = ListPlaces(topology);
        if (std::none_of(places.begin(), places.end(), [&failure](const Place& place) {
                return place.server == failure.server;
            }))
        {
            json.At("server").Report("there is no such server (0 to " +
                                     std::to_string(places.back().server) + ")");
        }
    });
}

} // namespace

void
Describe(Keys& keys, ClusterSpec& cluster)
{
    NotePreset(keys, PresetKind::CLUSTER);
    keys.Object("topology", cluster.topology, "the network; the MTU stands under `transport`");
    keys.Object("ports", cluster.ports, "the egress ports of switches");
    keys.Visit("gpuTypes",
               GpuTypesOf(cluster.gpuTypes),
               "how fast GPUs are, by the name of a type, known or new");
    keys.Object(
        "hosts",
        [&cluster](Keys& inner) { DescribeHosts(inner, cluster); },
        "the machines");
    Cables cables;
    keys.Add(
        "links",
        cluster.links,
        LinkEvent(),
        [&](Keys& inner, LinkEvent& event) { Describe(inner, event, cables, cluster.topology); },
        "links that go down and come up; ECMP is repaired at the same instant");
    keys.Add(
        "failures",
        cluster.failures,
        ServerFailure(),
        [&](Keys& inner, ServerFailure& failure) { Describe(inner, failure, cluster.topology); },
        "servers that fail and come back; what runs there is lost, and its jobs wait again");
    keys.Check([&cluster](const JsonObject&) {
        std::stable_sort(cluster.failures.begin(),
                         cluster.failures.end(),
                         [](const auto& a, const auto& b) { return a.at < b.at; });
        std::stable_sort(cluster.links.begin(),
                         cluster.links.end(),
                         [](const auto& a, const auto& b) { return a.at < b.at; });
    });
}

} // namespace ns3::ddl
