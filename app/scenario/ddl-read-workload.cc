// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-numbering.h"
#include "ddl-read-generator.h"
#include "ddl-read-job.h"
#include "ddl-read-trace.h"
#include "ddl-scenario-parts.h"

#include "ns3/ddl-check-workload.h"
#include "ns3/ddl-generated-cojobs.h"
#include "ns3/ddl-none-search-algorithm.h"
#include "ns3/ddl-search-algorithm.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr uint64_t MOST_ITERATIONS = 1000000000;
constexpr uint64_t MOST_BUCKETS = 1024;

/** "stages": [500, 1000]; a plain job may say "iterations": 1500 instead */
std::vector<uint32_t>
ReadStages(const JsonObject& json, bool plain)
{
    std::vector<uint32_t> stages;
    for (const auto& stage : json.Array("stages"))
    {
        stages.push_back(stage.Unsigned({1, MOST_ITERATIONS}, 1));
    }
    if (plain && json.Has("iterations"))
    {
        if (!stages.empty())
        {
            json.At("iterations").Report("stands beside \"stages\" (give one of them)");
        }
        stages = {static_cast<uint32_t>(json.Unsigned("iterations", {1, MOST_ITERATIONS}, 1))};
    }
    const JsonValue list = json.At("stages");
    if (stages.empty() && list.IsPresent() && !list.IsArray())
    {
        return {1}; // which has been complained about
    }
    if (stages.empty())
    {
        json.Report(plain ? "has no \"iterations\" (a number), or \"stages\" (a list of numbers)"
                          : "has no \"stages\" (iterations of each stage, [500, 1000])");
        stages = {1};
    }
    return stages;
}

/** Reads cojobs and plain jobs, and remembers where each stands. */
class GroupReader
{
  public:
    /** \param ratio compute to communication time, of models without published times */
    GroupReader(const ClusterSpec& cluster,
                double ratio,
                bool ratioForAll,
                std::vector<Diagnostic>& diagnostics)
        : m_cluster(cluster),
          m_ratio(ratio),
          m_ratioForAll(ratioForAll),
          m_diagnostics(diagnostics)
    {
    }

    void ReadCojob(const JsonObject& json);
    void ReadPlainJobs(const JsonObject& json);
    /** Number what the user gave no number. A plain job is the only one of a cojob of its number.
     */
    void NumberRest();
    /** Complain about groups that would never run, on their own or because of their placement. */
    void Check(FitCheck& fit) const;

    const std::vector<CojobSpec>& GetGroups() const
    {
        return m_groups;
    }

  private:
    const ClusterSpec& m_cluster;
    double m_ratio;
    bool m_ratioForAll;
    std::vector<Diagnostic>& m_diagnostics;
    std::vector<CojobSpec> m_groups;
    std::vector<JsonObject> m_places; //!< of the groups
    Numbering<CojobId> m_cojobIds;
    Numbering<JobId> m_jobIds;
};

void
GroupReader::ReadCojob(const JsonObject& json)
{
    CojobSpec cojob;
    cojob.id = CojobId{static_cast<uint32_t>(json.Unsigned("id", {1, MOST_ID}, NO_ID))};
    m_cojobIds.Take(cojob.id, "cojob", json);
    cojob.submit = json.Duration("submit", Time(0), {Time(0), GetLongestTime()});
    cojob.iterations = ReadStages(json, false);
    cojob.search =
        json.Policy("search", "none").MakeFactory(SearchAlgorithm::GetTypeId(), m_diagnostics);
    for (const auto& entry : json.Array("jobs"))
    {
        const JobContext context{m_cluster, m_ratio, cojob.iterations.size(), m_ratioForAll};
        const JsonObject object = entry.Object();
        for (auto& job : ReadJobs(object, context, m_diagnostics))
        {
            m_jobIds.Take(job.id, "job", object);
            cojob.jobs.push_back(std::move(job));
        }
    }
    const JsonValue jobs = json.At("jobs");
    if (cojob.jobs.empty() && (jobs.IsArray() || !jobs.IsPresent()))
    {
        json.Report("has no \"jobs\" (a list of at least one)");
    }
    m_groups.push_back(std::move(cojob));
    m_places.push_back(json);
}

void
GroupReader::ReadPlainJobs(const JsonObject& json)
{
    const Time submit = json.Duration("submit", Time(0), {Time(0), GetLongestTime()});
    const auto stages = ReadStages(json, true);
    const JobContext context{m_cluster, m_ratio, stages.size(), m_ratioForAll};
    for (const auto& job : ReadJobs(json, context, m_diagnostics))
    {
        m_jobIds.Take(job.id, "job", json);
        m_groups.push_back(MakePlainJob(job, submit, stages));
        m_places.push_back(json);
    }
}

void
GroupReader::NumberRest()
{
    for (auto& group : m_groups)
    {
        for (auto& job : group.jobs)
        {
            job.id = job.id.value == NO_ID ? m_jobIds.GetFree() : job.id;
        }
        if (group.plain)
        {
            group.id = m_cojobIds.GetFree(CojobId{group.jobs.front().id.value});
        }
        else if (group.id.value == NO_ID)
        {
            group.id = m_cojobIds.GetFree();
        }
    }
}

void
GroupReader::Check(FitCheck& fit) const
{
    for (std::size_t i = 0; i < m_groups.size(); ++i)
    {
        for (const auto& complaint : CheckWorkload({m_groups[i]}, fit))
        {
            m_places[i].Report(complaint.what);
        }
    }
}

/** \return a factory without a TypeId when the key is not there */
ObjectFactory
ReadDistribution(const JsonObject& json,
                 const std::string& key,
                 std::vector<Diagnostic>& diagnostics)
{
    return json.Has(key)
               ? json.Policy(key, "").MakeFactory(RandomVariableStream::GetTypeId(), diagnostics)
               : ObjectFactory();
}

/** \return of cojobs and of jobs; 0 when there are none */
std::pair<uint32_t, uint32_t>
FindGreatestIds(const std::vector<CojobSpec>& groups)
{
    uint32_t cojob = 0;
    uint32_t job = 0;
    for (const auto& group : groups)
    {
        cojob = std::max(cojob, group.id.value);
        for (const auto& member : group.jobs)
        {
            job = std::max(job, member.id.value);
        }
    }
    return {cojob, job};
}

/** \return true if nothing is known to be wrong with what the workload consists of or runs on */
bool
IsSound(const std::vector<Diagnostic>& diagnostics)
{
    return std::none_of(diagnostics.begin(), diagnostics.end(), [](const auto& diagnostic) {
        return diagnostic.pointer.rfind("/workload", 0) == 0 ||
               diagnostic.pointer.rfind("/cluster", 0) == 0;
    });
}

/** "generator", or "trace" and what belongs to it. */
void
ReadSources(const JsonObject& workload,
            const ClusterSpec& cluster,
            std::pair<double, bool> ratio,
            WorkloadSpec& spec,
            std::vector<Diagnostic>& diagnostics)
{
    const auto [cojob, job] = FindGreatestIds(spec.groups);
    const GeneratorContext
        context{cluster, ratio.first, ratio.second, spec.noise, spec.buckets, cojob + 1, job + 1};
    if (workload.Has("generator"))
    {
        spec.generator = ReadGenerator(workload.Object("generator"), context, diagnostics);
    }
    if (workload.Has("generator") && workload.Has("trace"))
    {
        workload.At("trace").Report("stands beside \"generator\" (give one of them)");
    }
    ReadTraceKeys(workload, context, spec, diagnostics);
}

/** Complain about what a generator or a trace gives and would never run. */
void
CheckSources(const JsonObject& workload,
             const WorkloadSpec& spec,
             FitCheck& fit,
             std::vector<Diagnostic>& diagnostics)
{
    if (spec.generator)
    {
        for (const CojobSpec& group : ListDemands(*spec.generator))
        {
            for (const auto& complaint : fit.Check(group))
            {
                workload.At("generator").Report(complaint.what);
            }
        }
    }
    if (!spec.trace)
    {
        return;
    }
    for (const auto& [line, group] : ListDemands(*spec.trace, spec.replay))
    {
        for (const auto& complaint : fit.Check(group))
        {
            diagnostics.push_back(
                {spec.trace->name + ":" + std::to_string(line), "", complaint.what});
        }
    }
}

} // namespace

WorkloadSpec
ReadWorkload(const JsonObject& workload,
             const ClusterSpec& cluster,
             const ObjectFactory& placement,
             std::vector<Diagnostic>& diagnostics)
{
    WorkloadSpec spec;
    const JsonObject compute = workload.Object("compute");
    spec.noise.jitter = ReadDistribution(compute, "jitter", diagnostics);
    spec.noise.straggler = ReadDistribution(compute, "straggler", diagnostics);
    spec.buckets = workload.Object("overlap").Unsigned("buckets", {1, MOST_BUCKETS}, spec.buckets);
    const double ratio = compute.Number("ratio", {0, 1e6}, 1);
    const bool ratioForAll = compute.Bool("all", false);
    GroupReader reader(cluster, ratio, ratioForAll, diagnostics);
    for (const auto& entry : workload.Array("cojobs"))
    {
        reader.ReadCojob(entry.Object());
    }
    for (const auto& entry : workload.Array("jobs"))
    {
        reader.ReadPlainJobs(entry.Object());
    }
    reader.NumberRest();
    for (const auto& entry : workload.Array("background"))
    {
        spec.background.push_back(ReadBackgroundFlow(entry.Object(), cluster));
    }
    spec.groups = reader.GetGroups();
    for (auto& group : spec.groups)
    {
        for (auto& job : group.jobs)
        {
            job.noise = spec.noise;
            job.buckets = spec.buckets;
        }
    }
    ReadSources(workload, cluster, {ratio, ratioForAll}, spec, diagnostics);
    const bool isEmpty = spec.groups.empty() && !spec.generator && !workload.Has("trace");
    if (isEmpty && workload.IsPresent())
    {
        workload.Report("has nothing to do (\"cojobs\" or \"jobs\", a list of at least one, a "
                        "\"generator\", or a \"trace\")");
    }
    if (IsSound(diagnostics) && placement.IsTypeIdSet())
    {
        FitCheck fit(MakeEmptyView(cluster), placement.Create<PlacementPolicy>());
        reader.Check(fit);
        CheckSources(workload, spec, fit, diagnostics);
    }
    return spec;
}

} // namespace ddl
} // namespace ns3
