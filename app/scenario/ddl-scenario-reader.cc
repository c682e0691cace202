// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-scenario-reader.h"

#include "app/json/ddl-json-document.h"
#include "app/json/ddl-json-reader.h"
#include "ddl-home.h"
#include "ddl-scenario-document.h"
#include "ddl-scenario-keys.h"

#include "ns3/ddl-attribute-check.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-network-scheduler.h"
#include "ns3/ddl-policy.h"

namespace ns3::ddl
{

namespace
{

std::vector<std::string>
ListPresetNames(PresetKind kind)
{
    std::vector<std::string> names;
    for (const auto& item : ListPresets(kind))
    {
        names.push_back(item.name);
    }
    return names;
}

/** \return a complaint about an unknown preset, with the names of those that exist */
std::string
ExplainUnknownPreset(PresetKind kind, const std::string& name)
{
    const auto names = ListPresetNames(kind);
    return "there is no " + GetPresetKey(kind) + " " + QuoteText(name) + " (one of " +
           JoinNames(names) + ", or an object)" + SuggestName(name, names);
}

/**
 * \return a preset as a part of a scenario. A file with a key "scheduler" is such a part already,
 *         and has no other keys but "transport"; any other file is the value of the preset's key
 * \throws InputError if the file is no such thing
 */
JsonDocument
OpenPreset(PresetKind kind, const std::string& file)
{
    const std::string key = GetPresetKey(kind);
    const JsonDocument preset = JsonDocument::ParseFile(file);
    const Json& root = preset.GetRoot();
    if (!root.is_object())
    {
        throw InputError({{preset.Where(""), "", "must be an object, is " + DescribeJson(root)}});
    }
    if (kind != PresetKind::SCHEDULER || !root.contains(key))
    {
        return preset.Nest(key);
    }
    for (const auto& [name, value] : root.items())
    {
        const bool isKnown = name == key || name == "transport";
        if (!isKnown || !value.is_object())
        {
            throw InputError({{preset.Where("/" + name),
                               "/" + name,
                               isKnown ? "must be an object, is " + DescribeJson(value)
                                       : "a preset with the key \"scheduler\" may have "
                                         "\"transport\" beside it, nothing else"}});
        }
    }
    return preset;
}

/** \return the text of a value within an object; none if it is not there, or no text */
std::optional<std::string>
FindText(const Json& object, const std::string& key)
{
    const bool isThere = object.is_object() && object.contains(key) && object[key].is_string();
    return isThere ? std::make_optional(object[key].get<std::string>()) : std::nullopt;
}

bool
IsNetworkScheduler(const std::string& name)
{
    try
    {
        FindPolicy(NetworkScheduler::GetTypeId(), name);
        return true;
    }
    catch (const InputError&)
    {
        return false;
    }
}

/**
 * `scheduler.network` may name a preset instead of a network scheduler. Then the preset's network
 * scheduler stands there, or none.
 *
 * \param isAbove whether the preset is laid over all other keys, as if the layer that names it had
 *        given all its keys; false: under the keys of the document
 */
void
ResolveNetworkPreset(JsonDocument& document, bool isAbove, std::vector<Diagnostic>& diagnostics)
{
    const std::string pointer = "/scheduler/network";
    const Json& root = document.GetRoot();
    const auto name = root.is_object() && root.contains("scheduler")
                          ? FindText(root["scheduler"], "network")
                          : std::nullopt;
    if (!name || IsNetworkScheduler(*name))
    {
        return;
    }
    const std::string file = FindPresetFile(PresetKind::SCHEDULER, *name);
    if (file.empty())
    {
        auto names = ListPolicies(NetworkScheduler::GetTypeId());
        const auto presets = ListPresetNames(PresetKind::SCHEDULER);
        const std::string menu = JoinNames(names);
        names.insert(names.end(), presets.begin(), presets.end());
        diagnostics.push_back({document.Where(pointer),
                               pointer,
                               "unknown network-scheduler " + QuoteText(*name) + " (one of " +
                                   menu + "; or a preset: " + JoinNames(presets) + ")" +
                                   SuggestName(*name, names)});
    }
    document.Erase(pointer);
    if (file.empty())
    {
        return;
    }
    const JsonDocument preset = OpenPreset(PresetKind::SCHEDULER, file);
    if (isAbove)
    {
        document.LayOver(preset);
    }
    else
    {
        document.LayUnder(preset);
    }
}

void
ApplySettings(JsonDocument& document,
              const std::vector<std::string>& settings,
              const std::string& option,
              std::vector<Diagnostic>& diagnostics)
{
    for (const auto& setting : settings)
    {
        const auto equals = setting.find('=');
        const std::string path = setting.substr(0, equals);
        if (equals == std::string::npos || equals == 0)
        {
            diagnostics.push_back(
                {option, "", QuoteText(setting) + " is not PATH=VALUE (scheduler.network=baraat)"});
        }
        else if (path == "extends")
        {
            diagnostics.push_back({option, "/extends", "can only stand in a file"});
        }
        else
        {
            document.Override(path, setting.substr(equals + 1), diagnostics, option);
            ResolveNetworkPreset(document, true, diagnostics);
        }
    }
}

/** Lay the preset that the document names, if it names one, under the keys that it gives. */
void
LayPreset(PresetKind kind, JsonDocument& document, std::vector<Diagnostic>& diagnostics)
{
    const Json& root = document.GetRoot();
    const std::string key = GetPresetKey(kind);
    if (!root.is_object() || !root.contains(key))
    {
        return;
    }
    const bool isInside = root[key].is_object();
    const auto name = isInside ? FindText(root[key], "preset") : FindText(root, key);
    if (!name)
    {
        return; // no preset is named, or the reader complains about the type
    }
    const std::string pointer = "/" + key + (isInside ? "/preset" : "");
    const auto file = FindPresetFile(kind, *name);
    if (file.empty())
    {
        diagnostics.push_back(
            {document.Where(pointer), pointer, ExplainUnknownPreset(kind, *name)});
    }
    document.LayUnder(file.empty() ? JsonDocument::ParseText("{}", "no preset").Nest(key)
                                   : OpenPreset(kind, file));
}

} // namespace

Scenario
ReadScenario(const ScenarioRequest& request)
{
    std::vector<Diagnostic> diagnostics;
    JsonDocument document = OpenScenario(request.scenario, diagnostics);
    ResolveNetworkPreset(document, false, diagnostics);
    ApplySettings(document, request.settings, "--set", diagnostics);
    ApplySettings(document, request.variations, "--vary", diagnostics);
    if (request.seed)
    {
        ApplySettings(document, {"seed=" + *request.seed}, "--seed", diagnostics);
    }
    LayPreset(PresetKind::CLUSTER, document, diagnostics);
    LayPreset(PresetKind::SCHEDULER, document, diagnostics);
    JsonReader reader(document, diagnostics);
    Scenario scenario;
    ReadKeys(reader.Root(), [&scenario](Keys& keys) { Describe(keys, scenario); });
    reader.Finish();
    if (!diagnostics.empty())
    {
        throw InputError(diagnostics);
    }
    return scenario;
}

} // namespace ns3::ddl
