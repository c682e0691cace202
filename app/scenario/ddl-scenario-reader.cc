// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-scenario-reader.h"

#include "app/json/ddl-json-document.h"
#include "app/json/ddl-json-reader.h"
#include "ddl-home.h"
#include "ddl-scenario-document.h"
#include "ddl-scenario-keys.h"

#include "ns3/ddl-attribute-check.h"
#include "ns3/ddl-error.h"

namespace ns3::ddl
{

namespace
{

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
        }
    }
}

/** \return a complaint about an unknown preset, with the names of those that exist */
std::string
ExplainUnknownPreset(PresetKind kind, const std::string& name)
{
    std::vector<std::string> names;
    for (const auto& item : ListPresets(kind))
    {
        names.push_back(item.name);
    }
    return "there is no " + GetPresetKey(kind) + " " + QuoteText(name) + " (one of " +
           JoinNames(names) + ", or an object)" + SuggestName(name, names);
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
    const Json& value = root[key];
    const bool isInside = value.is_object() && value.contains("preset");
    const Json& name = isInside ? value["preset"] : value;
    if (!name.is_string())
    {
        return; // no preset is named, or the reader complains about the type
    }
    const std::string pointer = "/" + key + (isInside ? "/preset" : "");
    const auto file = FindPresetFile(kind, name.get<std::string>());
    JsonDocument preset = JsonDocument::ParseText("{}", "no preset");
    if (file.empty())
    {
        diagnostics.push_back({document.Where(pointer),
                               pointer,
                               ExplainUnknownPreset(kind, name.get<std::string>())});
    }
    else
    {
        preset = JsonDocument::ParseFile(file);
    }
    if (!preset.GetRoot().is_object())
    {
        throw InputError(
            {{preset.Where(""), "", "must be an object, is " + DescribeJson(preset.GetRoot())}});
    }
    document.LayUnder(key, preset);
}

} // namespace

Scenario
ReadScenario(const ScenarioRequest& request)
{
    std::vector<Diagnostic> diagnostics;
    JsonDocument document = OpenScenario(request.scenario, diagnostics);
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
