// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-scenario-reader.h"

#include "app/json/ddl-json-document.h"
#include "app/json/ddl-json-reader.h"
#include "ddl-home.h"
#include "ddl-scenario-document.h"
#include "ddl-scenario-parts.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-transport.h"

#include <algorithm>
#include <cctype>

namespace ns3
{
namespace ddl
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

/** \return why there is no such preset, and what there is */
std::string
ExplainUnknownCluster(const std::string& name)
{
    std::vector<std::string> names;
    for (const auto& item : ListClusters())
    {
        names.push_back(item.name);
    }
    const auto nearest = NearestName(name, names);
    return "there is no cluster " + QuoteText(name) + " (one of " + JoinNames(names) +
           ", or an object)" + (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?");
}

/** Lay the cluster preset that is named, if one is, under what is given. */
void
LayPreset(JsonDocument& document, std::vector<Diagnostic>& diagnostics)
{
    const Json& root = document.GetRoot();
    if (!root.is_object() || !root.contains("cluster"))
    {
        return;
    }
    const Json& cluster = root["cluster"];
    const bool isInside = cluster.is_object() && cluster.contains("preset");
    const Json& name = isInside ? cluster["preset"] : cluster;
    if (!name.is_string())
    {
        return; // no preset, or a wrong type, which the reader says
    }
    const std::string pointer = isInside ? "/cluster/preset" : "/cluster";
    const auto file = FindClusterFile(name.get<std::string>());
    JsonDocument preset = JsonDocument::ParseText("{}", "no preset");
    if (file.empty())
    {
        diagnostics.push_back(
            {document.Where(pointer), pointer, ExplainUnknownCluster(name.get<std::string>())});
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
    document.LayUnder("cluster", preset);
}

std::string
ReadName(const JsonObject& root)
{
    root.Require("name");
    const std::string name = root.String("name", "unnamed");
    const auto isLegal = [](unsigned char c) {
        return std::isalnum(c) || c == '-' || c == '_' || c == '.';
    };
    if (name.empty() || name[0] == '.' || !std::all_of(name.begin(), name.end(), isLegal))
    {
        root.At("name").Report(
            "must do as the name of a folder (letters, digits, '-', '_' and '.', "
            "which is not first)");
    }
    return name;
}

OutputSpec
ReadOutput(const JsonObject& json)
{
    OutputSpec spec;
    spec.alone = json.Bool("alone", spec.alone);
    spec.iterations = json.Bool("iterations", spec.iterations);
    spec.pcap = json.Bool("pcap", spec.pcap);
    spec.figures = json.Bool("figures", spec.figures);
    spec.coflows = json.Bool("coflows", spec.coflows);
    spec.timeline = json.Bool("timeline", spec.timeline);
    return spec;
}

StopSpec
ReadStop(const JsonObject& json)
{
    StopSpec spec;
    if (json.Has("time"))
    {
        spec.time = json.Duration("time", Seconds(1), {NanoSeconds(1), GetLongestTime()});
    }
    spec.stall = json.Duration("stall", spec.stall, {Time(0), GetLongestTime()});
    return spec;
}

ScaleSpec
ReadScale(const JsonObject& json)
{
    ScaleSpec spec;
    spec.model = json.Number("model", {ABOVE_ZERO, 1e6}, spec.model);
    spec.iterations = json.Number("iterations", {ABOVE_ZERO, 1e6}, spec.iterations);
    return spec;
}

/** What only packets can do makes no sense without them. */
void
CheckPackets(const JsonObject& root, const Scenario& scenario)
{
    if (!scenario.transport.IsTypeIdSet() || scenario.transport.Create<Transport>()->HasPackets())
    {
        return;
    }
    if (scenario.output.pcap)
    {
        root.Object("output").At("pcap").Report("this transport.kind has no packets to capture "
                                                "(false)");
    }
    if (scenario.workload.background.empty())
    {
        return;
    }
    std::size_t flow = 0;
    for (const auto& entry : root.Object("workload").Array("background"))
    {
        const auto kind = scenario.workload.background.at(flow++).kind;
        if (kind == BackgroundFlowSpec::Kind::CONSTANT_RATE)
        {
            entry.Object().At("kind").Report("a flow of constant rate is made of packets, which "
                                             "this transport.kind has not (elastic)");
        }
    }
}

Scenario
ReadRoot(const JsonObject& root, std::vector<Diagnostic>& diagnostics)
{
    Scenario scenario;
    root.Has("$schema"); // for editors
    root.Has("extends"); // what it says lies under the rest
    scenario.name = ReadName(root);
    scenario.description = root.String("description", "");
    scenario.seed = root.Unsigned("seed", {1, LARGEST_SEED}, DEFAULT_SEED);
    scenario.cluster = ReadCluster(root.Object("cluster"), diagnostics);
    scenario.transport =
        ReadTransport(root.Object("transport"), scenario.cluster.topology.mtu, diagnostics);
    scenario.scheduling = ReadScheduling(root.Object("scheduler"),
                                         CountHosts(scenario.cluster.topology),
                                         diagnostics);
    root.Require("workload");
    scenario.workload = ReadWorkload(root.Object("workload"),
                                     scenario.cluster,
                                     scenario.scheduling.placement,
                                     diagnostics);
    scenario.scale = ReadScale(root.Object("scale"));
    scenario.stop = ReadStop(root.Object("stop"));
    scenario.output = ReadOutput(root.Object("output"));
    CheckPackets(root, scenario);
    return scenario;
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
    LayPreset(document, diagnostics);
    JsonReader reader(document, diagnostics);
    Scenario scenario = ReadRoot(reader.Root(), diagnostics);
    reader.Finish();
    if (!diagnostics.empty())
    {
        throw InputError(diagnostics);
    }
    return scenario;
}

} // namespace ddl
} // namespace ns3
