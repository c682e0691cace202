// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-home.h"
#include "ddl-job-keys.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-graph-format.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-task-graph.h"
#include "ns3/ddl-training-job.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace fs = std::filesystem;

namespace ns3::ddl
{

namespace
{

const std::string FIRST_RANK = ".0.et"; //!< behind a prefix

/** \return path of a file or a prefix, as FindDataFile finds files; "" if there is none */
std::string
FindGraphFile(const std::string& folder, const std::string& name)
{
    for (const auto& place : {fs::path(folder) / name, fs::path(GetHome()) / "traces" / name})
    {
        if (CanBeRead(place.string()) || CanBeRead(place.string() + FIRST_RANK))
        {
            return place.string();
        }
    }
    return "";
}

/** \param json a name, or a list of names \param names gets the names \return their paths */
std::vector<std::string>
FindFiles(const JsonValue& json, std::vector<std::string>& names)
{
    std::vector<std::string> paths;
    for (const JsonValue& name : json.IsArray() ? json.Array() : std::vector<JsonValue>{json})
    {
        names.push_back(name.String(""));
        paths.push_back(FindGraphFile(name.GetFolder(), names.back()));
        if (paths.back().empty() && name.IsString())
        {
            name.Report("there is no file " + QuoteText(names.back()) + ", and no " +
                        QuoteText(names.back() + FIRST_RANK) +
                        " (beside the file that names it, for --set in the current folder, or in "
                        "traces/)");
        }
    }
    if (names.empty())
    {
        json.Report("is empty (a file, a prefix, or a list of them)");
    }
    return paths;
}

/** \return the format and its attributes, as given; its name is "" if it is not given */
PolicySpec
ReadFormat(const JsonObject& json)
{
    PolicySpec format;
    format.name = json.At("format").String("");
    for (const std::string& key : json.Keys())
    {
        if (key == "format" || key == "files" || key == "type")
        {
            continue;
        }
        const JsonValue value = json.At(key);
        const auto text = AttributeText(value.Raw());
        if (!text)
        {
            value.Report("must be the value of an attribute, is " + DescribeJson(value.Raw()));
        }
        format.attributes.push_back({key, text.value_or(""), value.Where()});
    }
    return format;
}

void
ReadGraph(const JsonValue& json, GraphKeys& graph)
{
    if (json.IsPresent() && !json.IsObject() && !json.IsString() && !json.IsArray())
    {
        json.Report("must be {\"files\": ...} or the names of files, is " +
                    DescribeJson(json.Raw()));
    }
    if (!json.IsObject() && !json.IsString() && !json.IsArray())
    {
        return;
    }
    auto& diagnostics = json.GetDiagnostics();
    const std::size_t before = diagnostics.size();
    GraphSource source;
    std::vector<std::string> paths;
    PolicySpec format;
    if (json.IsObject())
    {
        const JsonObject object = json.Object();
        format = ReadFormat(object);
        // A file alone, in a layer below, has become the "type" of this object.
        const std::string files = object.Has("type") && !object.Has("files") ? "type" : "files";
        if (object.Require(files))
        {
            paths = FindFiles(object.At(files), source.files);
        }
    }
    else
    {
        paths = FindFiles(json, source.files);
    }
    format.where = json.Where();
    format.pointer = json.GetPointer();
    if (diagnostics.size() > before)
    {
        return;
    }
    try
    {
        format.name = format.name.empty() ? FindGraphFormat(OpenGraphFiles(paths)) : format.name;
        source.format = format.MakeFactory(GraphFormat::GetTypeId(), diagnostics);
        if (diagnostics.size() == before)
        {
            const LoadedGraph loaded = LoadGraph(source.format, paths);
            source.hash = loaded.hash;
            graph.source = source;
            graph.graph = loaded.graph;
        }
    }
    catch (const InputError& error)
    {
        for (const Diagnostic& wrong : error.GetDiagnostics())
        {
            json.Report(wrong.ToString());
        }
    }
}

Json
WriteGraph(const GraphSource& source)
{
    Json json = {
        {"format", GetShortName(GraphFormat::GetTypeId(), source.format.GetTypeId())},
        {"files", source.files.size() == 1 ? Json(source.files.front()) : Json(source.files)}};
    for (const auto& [attribute, value] : AttributesOf(source.format))
    {
        json[attribute] = value;
    }
    return json;
}

/** \return reference to the schema of a graph, which is made once */
Json
MakeGraphSchema(const KeyPlace& place)
{
    Json& definitions = place.book.definitions;
    const std::string name = "task-graph";
    if (!definitions.contains(name))
    {
        const TypeId family = GraphFormat::GetTypeId();
        ObjectFactory none;
        PolicyOf(none, family).schema(place); // notes the formats, and their attributes
        const std::string formats = GetShortName(Policy::GetTypeId(), family);
        Json properties = definitions.at(formats).at("anyOf").back().at("properties");
        definitions.erase(formats); // a graph has "format" instead of "type"
        properties.erase("type");
        const Json text = {{"type", "string"}};
        const Json list = ListSchema(text, {{"minItems", 1}});
        properties["format"] = {{"type", "string"}, {"enum", ListPolicies(family)}};
        properties["files"] = {{"anyOf", Json::array({text, list})}};
        const Json object = {{"type", "object"},
                             {"additionalProperties", false},
                             {"required", {"files"}},
                             {"properties", properties}};
        definitions[name] = {{"anyOf", Json::array({object, text, list})}};
    }
    return {{"allOf", Json::array({Json{{"$ref", "#/definitions/" + name}}})}};
}

/** \return bytes of all messages and collectives of a rank in an iteration */
uint64_t
SumBytes(const GraphProgram& program)
{
    uint64_t bytes = 0;
    for (const GraphNode& node : program.nodes)
    {
        const bool counts =
            node.kind == GraphNode::Kind::SEND || node.kind == GraphNode::Kind::COLLECTIVE;
        bytes += counts ? std::min(node.amount, MAX_BYTES - bytes) : 0;
    }
    return bytes;
}

} // namespace

Member
GraphOf(GraphKeys& graph)
{
    return {[&graph](const JsonValue& value) { ReadGraph(value, graph); },
            [&graph]() { return graph.source ? WriteGraph(*graph.source) : Json(); },
            [](const KeyPlace& place) { return MakeGraphSchema(place); },
            {},
            {},
            []() { return Json(); }};
}

ModelProfile
MakeGraphModel(const TaskGraph& graph, const std::string& name)
{
    ModelProfile model;
    model.name = name;
    model.bytes = 1;
    std::set<const GraphProgram*> seen;
    for (const RankGraph& rank : graph.ranks)
    {
        if (seen.insert(rank.program.get()).second)
        {
            model.bytes = std::max(model.bytes, SumBytes(*rank.program));
        }
    }
    return model;
}

void
DescribeGraphKey(Keys& keys, GraphKeys& graph)
{
    keys.Visit(Optional("graph", "none"),
               GraphOf(graph),
               "task graph of an iteration: `{\"format\": \"goal\", \"files\": \"a.goal\"}` and "
               "attributes of the format, or files alone; a file, a prefix of files, or a list, "
               "found as `workload.trace` ([graphs.md](graphs.md#formats))");
}

void
SettleKind(Keys& keys, const std::string& kindKey, const GraphKeys& graph, ObjectFactory& kind)
{
    const TypeId type = FindPolicy(TrainingJob::GetTypeId(), "graph");
    if (graph.graph && !kind.IsTypeIdSet())
    {
        kind.SetTypeId(type);
    }
    keys.Check([&](const JsonObject& json) {
        if (graph.graph && kind.GetTypeId() != type)
        {
            json.At("graph").Report("stands beside another \"" + kindKey +
                                    "\" than \"graph\" (give one of them)");
        }
    });
}

void
ReportRefusals(const JsonObject& json, const JobSpec& job)
{
    const bool isGraph = job.kind.IsTypeIdSet() &&
                         job.kind.GetTypeId() == FindPolicy(TrainingJob::GetTypeId(), "graph");
    const bool isWrong = isGraph && json.Has("graph") && !job.graph; // reported when it was read
    const Ptr<const TrainingJob> kind = TrainingJob::Of(job.kind);
    if (!isWrong && (isGraph || kind->CountWorkers(job)))
    {
        for (const std::string& sentence : kind->Refuse(job, CojobSpec()))
        {
            json.Report(sentence);
        }
    }
}

uint32_t
CountFixedWorkers(const ObjectFactory& kind, const std::shared_ptr<const TaskGraph>& graph)
{
    JobSpec job;
    job.graph = graph;
    return TrainingJob::Of(kind)->CountWorkers(job).value_or(0);
}

} // namespace ns3::ddl
