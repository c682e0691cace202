// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-home.h"
#include "ddl-job-keys.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-layer-file.h"

#include <filesystem>

namespace fs = std::filesystem;

namespace ns3::ddl
{

namespace
{

void
Describe(Keys& keys, Layer& layer)
{
    const JsonRange<Time> times{Time(0), GetLongestTime()};
    Member name = TextOf(layer.name);
    name.write = [&layer]() { return layer.name.empty() ? Json() : Json(layer.name); };
    keys.Visit(Optional("name", "none"), name, "for the reader");
    keys.Size(Required("bytes"),
              layer.bytes,
              "bytes of its gradients; `0B`: it has no parameters; scaled by m");
    keys.Add("forward", layer.forward, times, "time of its part of the forward pass; scaled by m");
    keys.Add("backward", layer.backward, times, "time of its part of the backward pass; scaled "
                                                "by m");
}

/** Read layers from a list of objects. */
void
ReadList(const JsonValue& value, std::vector<Layer>& layers)
{
    for (const auto& element : value.Array())
    {
        Layer layer;
        ReadKeys(element.Object(), [&layer](Keys& keys) { Describe(keys, layer); });
        layers.push_back(layer);
    }
}

/** \param path path of a JSON file {"layers": [...]} */
void
ReadJsonFile(const std::string& path,
             std::vector<Layer>& layers,
             std::vector<Diagnostic>& diagnostics)
{
    const JsonDocument document = JsonDocument::ParseFile(path);
    JsonReader reader(document, diagnostics);
    const JsonObject root = reader.Root();
    root.Require("layers");
    ReadList(root.At("layers"), layers);
    reader.Finish();
}

void
ReadFile(const JsonValue& value, std::vector<Layer>& layers)
{
    auto& diagnostics = value.GetDiagnostics();
    const std::string path = FindDataFile(value);
    if (path.empty())
    {
        value.Report("there is no file " + QuoteText(value.String("")) +
                     " (beside the file that names it, for --set in the current folder, or in "
                     "traces/)");
        return;
    }
    try
    {
        if (fs::path(path).extension() == ".json")
        {
            ReadJsonFile(path, layers, diagnostics);
        }
        else
        {
            layers = ReadLayers(path).Get();
        }
    }
    catch (const InputError& error)
    {
        const auto& more = error.GetDiagnostics();
        diagnostics.insert(diagnostics.end(), more.begin(), more.end());
    }
}

} // namespace

std::string
FindDataFile(const JsonValue& json)
{
    const fs::path name = json.String("");
    for (const auto& place :
         {fs::path(json.GetFolder()) / name, fs::path(GetHome()) / "traces" / name})
    {
        if (CanBeRead(place.string()))
        {
            return place.string();
        }
    }
    return "";
}

Member
LayersOf(LayerTable& member, bool& isGiven)
{
    const auto read = [&member, &isGiven](const JsonValue& value) {
        const std::size_t before = value.GetDiagnostics().size();
        std::vector<Layer> layers;
        if (value.IsString())
        {
            ReadFile(value, layers);
        }
        else if (value.IsArray())
        {
            ReadList(value, layers);
        }
        else if (value.IsPresent())
        {
            value.Report("must be a list of layers or the name of a file, is " +
                         DescribeJson(value.Raw()));
        }
        const std::string complaint = value.IsPresent() ? CheckLayers(layers) : "";
        const bool isSound = value.GetDiagnostics().size() == before;
        if (isSound && !complaint.empty())
        {
            value.Report(complaint);
        }
        isGiven = value.IsPresent() && isSound && complaint.empty();
        member = isGiven ? LayerTable(std::move(layers)) : member;
    };
    const auto write = [&member]() {
        Json list = Json::array();
        for (Layer layer : member.Get())
        {
            list.push_back(WriteKeys([&layer](Keys& keys) { Describe(keys, layer); }));
        }
        return list.empty() ? Json() : list;
    };
    const auto schema = [](const KeyPlace& place) {
        Layer layer;
        const Json each = place.Describe([&layer](Keys& keys) { Describe(keys, layer); });
        return Json{{"anyOf", {ListSchema(each, {{"minItems", 1}}), {{"type", "string"}}}}};
    };
    return {read, write, schema};
}

} // namespace ns3::ddl
