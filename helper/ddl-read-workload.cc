// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-read-job.h"
#include "ddl-scenario-parts.h"

#include "ns3/ddl-search-algorithm.h"
#include "ns3/random-variable-stream.h"

#include <set>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr uint64_t MOST_ITERATIONS = 1000000000;

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
    if (stages.empty())
    {
        json.Report(plain ? "has no \"iterations\" (a number), or \"stages\" (a list of numbers)"
                          : "has no \"stages\" (iterations of each stage, [500, 1000])");
        stages = {1};
    }
    return stages;
}

CojobSpec
ReadCojob(const JsonObject& json,
          const ClusterSpec& cluster,
          double ratio,
          std::vector<Diagnostic>& diagnostics)
{
    CojobSpec cojob;
    cojob.id = CojobId{static_cast<uint32_t>(json.Unsigned("id", {1, 1000000000}, NO_ID))};
    cojob.submit = json.Duration("submit", Time(0));
    cojob.iterations = ReadStages(json, false);
    cojob.search =
        json.Policy("search", "none").MakeFactory(SearchAlgorithm::GetTypeId(), diagnostics);
    uint64_t workers = 0;
    for (const auto& entry : json.Array("jobs"))
    {
        const JobContext context{cluster, ratio, cojob.iterations.size()};
        for (auto& job : ReadJobs(entry.Object(), context, diagnostics))
        {
            workers += job.workers;
            cojob.jobs.push_back(std::move(job));
        }
    }
    if (cojob.jobs.empty())
    {
        json.Report("has no \"jobs\"");
    }
    const uint64_t gpus = uint64_t{CountHosts(cluster.topology)} * cluster.gpus;
    if (workers > gpus)
    {
        json.Report("needs " + std::to_string(workers) + " GPUs at once on a cluster of " +
                    std::to_string(gpus));
    }
    return cojob;
}

std::vector<CojobSpec>
ReadPlainJobs(const JsonObject& json,
              const ClusterSpec& cluster,
              double ratio,
              std::vector<Diagnostic>& diagnostics)
{
    const Time submit = json.Duration("submit", Time(0));
    const auto stages = ReadStages(json, true);
    std::vector<CojobSpec> groups;
    for (const auto& job : ReadJobs(json, {cluster, ratio, stages.size()}, diagnostics))
    {
        groups.push_back(MakePlainJob(job, submit, stages));
    }
    return groups;
}

/** Gives out the least numbers that are still free; complains about numbers given twice. */
template <typename Id>
class Numbering
{
  public:
    void Take(Id id, const std::string& what, const JsonObject& json)
    {
        if (id.value != NO_ID && !m_taken.insert(id.value).second)
        {
            json.Report(what + " " + std::to_string(id.value) + " is there twice");
        }
    }

    Id GetFree()
    {
        while (!m_taken.insert(m_next).second)
        {
            ++m_next;
        }
        return Id{m_next};
    }

  private:
    std::set<uint32_t> m_taken;
    uint32_t m_next{1};
};

void
NumberThem(WorkloadSpec& workload, const JsonObject& json)
{
    Numbering<CojobId> cojobs;
    Numbering<JobId> jobs;
    for (const auto& group : workload.groups)
    {
        if (!group.plain)
        {
            cojobs.Take(group.id, "cojob", json);
        }
        for (const auto& job : group.jobs)
        {
            jobs.Take(job.id, "job", json);
        }
    }
    for (auto& group : workload.groups)
    {
        if (group.plain || group.id.value == NO_ID)
        {
            group.id = cojobs.GetFree();
        }
        for (auto& job : group.jobs)
        {
            job.id = job.id.value == NO_ID ? jobs.GetFree() : job.id;
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

} // namespace

BackgroundFlowSpec
ReadBackgroundFlow(const JsonObject& json, uint32_t hosts)
{
    using Kind = BackgroundFlowSpec::Kind;
    BackgroundFlowSpec spec;
    const JsonRange<uint64_t> host{0, uint64_t{hosts} - 1};
    json.Require("source");
    json.Require("destination");
    spec.source = HostId{static_cast<uint32_t>(json.Unsigned("source", host, 0))};
    spec.destination = HostId{static_cast<uint32_t>(json.Unsigned("destination", host, 0))};
    const bool elastic =
        json.OneOf("kind", {"constant-rate", "elastic"}, "constant-rate") == "elastic";
    spec.kind = elastic ? Kind::ELASTIC : Kind::CONSTANT_RATE;
    if (elastic)
    {
        spec.bytes = json.Bytes("bytes", spec.bytes, {1, MAX_BYTES});
        spec.repeat = json.Bool("repeat", spec.repeat);
    }
    else
    {
        spec.rate = json.Rate("rate", spec.rate);
        spec.packetSize = json.Unsigned("packetSize", {29, 9000}, spec.packetSize);
    }
    spec.start = json.Duration("start", spec.start);
    spec.stop = json.Duration("stop", spec.stop);
    spec.mark.band = json.Unsigned("band", {0, MAX_QUEUES - 1}, spec.mark.band);
    spec.mark.dscp = json.Unsigned("dscp", {0, 63}, spec.mark.dscp);
    const auto complaint = CheckBackgroundFlow(spec, hosts);
    if (!complaint.empty())
    {
        json.Report(complaint);
    }
    return spec;
}

WorkloadSpec
ReadWorkload(const JsonObject& workload,
             const ClusterSpec& cluster,
             std::vector<Diagnostic>& diagnostics)
{
    WorkloadSpec spec;
    const JsonObject compute = workload.Object("compute");
    const double ratio = compute.Number("ratio", {0, 1e6}, 1);
    spec.noise.jitter = ReadDistribution(compute, "jitter", diagnostics);
    spec.noise.straggler = ReadDistribution(compute, "straggler", diagnostics);
    for (const auto& entry : workload.Array("cojobs"))
    {
        spec.groups.push_back(ReadCojob(entry.Object(), cluster, ratio, diagnostics));
    }
    for (const auto& entry : workload.Array("jobs"))
    {
        for (auto& group : ReadPlainJobs(entry.Object(), cluster, ratio, diagnostics))
        {
            spec.groups.push_back(std::move(group));
        }
    }
    for (auto& group : spec.groups)
    {
        for (auto& job : group.jobs)
        {
            job.noise = spec.noise;
        }
    }
    NumberThem(spec, workload);
    for (const auto& entry : workload.Array("background"))
    {
        spec.background.push_back(ReadBackgroundFlow(entry.Object(), CountHosts(cluster.topology)));
    }
    if (spec.groups.empty())
    {
        workload.Report("has nothing to do (\"cojobs\" or \"jobs\", a list of at least one)");
    }
    return spec;
}

} // namespace ddl
} // namespace ns3
