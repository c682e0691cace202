// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-read-trace.h"

#include "ddl-home.h"
#include "ddl-read-job.h"
#include "ddl-scenario-parts.h"

#include "ns3/ddl-search-algorithm.h"
#include "ns3/ddl-trace-format.h"

#include <filesystem>

namespace fs = std::filesystem;

namespace ns3
{
namespace ddl
{

namespace
{

constexpr uint64_t MOST_SERVERS = 4096;

/** \return path of a trace: from the folder of the file that names it, or in traces/; "" if nowhere
 */
std::string
FindTraceFile(const JsonValue& json)
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

std::vector<GeneratorModel>
ReadModels(const JsonObject& json, const ClusterSpec& cluster)
{
    std::vector<GeneratorModel> models;
    for (const auto& entry : json.Array("models"))
    {
        const ReadModel model = ReadModelProfile(entry);
        CheckGpuMemory(entry, model.profile, cluster);
        models.push_back({model.type, model.profile, model.isTimed, CurveSpec()});
    }
    if (models.empty() && json.At("models").IsArray())
    {
        json.At("models").Report("is empty (a list of at least one, [\"VGG-16\"])");
    }
    return models;
}

ReplaySpec
ReadReplay(const JsonObject& json,
           const GeneratorContext& context,
           std::vector<Diagnostic>& diagnostics)
{
    ReplaySpec spec;
    const auto models = ReadModels(json, context.cluster);
    spec.models = models.empty() ? spec.models : models;
    spec.servers = json.Unsigned("servers", {0, MOST_SERVERS}, 0);
    spec.search = json.Policy("search", "successive-halving")
                      .MakeFactory(SearchAlgorithm::GetTypeId(), diagnostics);
    spec.limit = json.Unsigned("limit", {0, MOST_ID}, 0);
    spec.load = json.Number("load", {ABOVE_ZERO, 1e6}, 1);
    spec.skipTooLarge = json.OneOf("tooLarge", {"error", "skip"}, "error") == "skip";
    spec.fold = json.Bool("fold", false);
    spec.hosts = CountHosts(context.cluster.topology);
    spec.gpus = static_cast<uint32_t>(CountGpus(context.cluster));
    spec.gpuMemory = context.cluster.gpuMemory;
    spec.computeRatio = context.computeRatio;
    spec.ratioForAll = context.ratioForAll;
    spec.hostRate = context.cluster.topology.hostRate;
    spec.noise = context.noise;
    spec.buckets = context.buckets;
    spec.firstCojob = context.firstCojob;
    spec.firstJob = context.firstJob;
    return spec;
}

/** "auto", or a format's name. */
std::string
ReadFormat(const JsonObject& workload, std::vector<Diagnostic>& diagnostics)
{
    const PolicySpec format = workload.Policy("traceFormat", "auto");
    if (format.name == "auto")
    {
        return format.name;
    }
    return format.MakeFactory(TraceFormat::GetTypeId(), diagnostics).IsTypeIdSet() ? format.name
                                                                                   : "auto";
}

} // namespace

void
ReadTraceKeys(const JsonObject& workload,
              const GeneratorContext& context,
              WorkloadSpec& spec,
              std::vector<Diagnostic>& diagnostics)
{
    const std::size_t before = diagnostics.size();
    spec.traceFormat = ReadFormat(workload, diagnostics);
    spec.replay = ReadReplay(workload.Object("replay"), context, diagnostics);
    spec.traceFile = workload.String("trace", "");
    if (!workload.Has("trace") || diagnostics.size() > before)
    {
        return;
    }
    const std::string path = FindTraceFile(workload.At("trace"));
    if (path.empty())
    {
        workload.At("trace").Report("there is no file \"" + spec.traceFile +
                                    "\" (beside the file that names it, for --set in the current "
                                    "folder, or in traces/)");
        return;
    }
    try
    {
        const auto trace = std::make_shared<const Trace>(ReadTrace(path, spec.traceFormat));
        const auto complaints = CheckTrace(*trace, spec.replay);
        diagnostics.insert(diagnostics.end(), complaints.begin(), complaints.end());
        spec.trace = complaints.empty() ? trace : nullptr;
        spec.traceHash = trace->hash;
    }
    catch (const InputError& error)
    {
        const auto& more = error.GetDiagnostics();
        diagnostics.insert(diagnostics.end(), more.begin(), more.end());
    }
}

} // namespace ddl
} // namespace ns3
